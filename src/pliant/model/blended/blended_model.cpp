#include "pliant/model/blended/blended_model.hpp"

#include "pliant/model/blended/blended_forces.hpp"
#include "pliant/model/modal/modal_model.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// Of local columns: those of a domain along the three axes belong together.
std::shared_ptr<const CoordinateBlocks> blocks_of(const BlendedBody& body) {
  if (body.starts.empty()) return nullptr;
  auto blocks = std::make_shared<CoordinateBlocks>();
  const Index m = body.scalars.cols();
  for (std::size_t d = 0; d + 1 < body.starts.size(); ++d) {
    const Index first = body.starts[d], count = body.starts[d + 1] - first;
    blocks->ranges.push_back({{first, count}, {m + first, count}, {2 * m + first, count}});
  }
  blocks->coupled = body.coupled;
  return blocks;
}

}  // namespace

Result<std::unique_ptr<Model>> make_blended_model(BlendedDefinition definition,
                                                  const StepSettings& settings) {
  const std::shared_ptr<const BlendedBody>& body = definition.body;
  ModalDefinition modal{body->reduced, body->rest, definition.loops, std::move(definition.supports),
                        std::move(definition.loads)};
  modal.type = "blended";
  modal.blocks = blocks_of(*body);
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
