#include "pliant/model/blended/blended_model.hpp"

#include "pliant/model/blended/blended_forces.hpp"
#include "pliant/model/modal/modal_model.hpp"

#include <algorithm>

namespace pliant {

Result<std::unique_ptr<Model>> make_blended_model(BlendedDefinition definition,
                                                  const StepSettings& settings) {
  const std::shared_ptr<const BlendedBody>& body = definition.body;
  ModalDefinition modal{body->reduced, body->rest, definition.loops, std::move(definition.supports),
                        std::move(definition.loads)};
  modal.type = "blended";
  modal.local = std::move(definition.local);
  for (const BlendedDomain& domain : body->domains) modal.seeds.push_back(domain.seed);
  const std::vector<Material>& materials = body->rest->materials().materials;
  modal.seeks_minima = std::any_of(materials.begin(), materials.end(),
                                   [](const Material& material) { return material.invertible; });
  modal.loose = std::all_of(modal.supports.begin(), modal.supports.end(),
                            [](const Support& support) { return support.vertices.empty(); });
  modal.forces = blended_forces(body, body->rest->materials().materials);
  return make_modal_model(std::move(modal), settings);
}

}  // namespace pliant
