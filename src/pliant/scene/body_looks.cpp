#include "pliant/scene/body_looks.hpp"

#include <algorithm>

namespace pliant {
namespace {

bool given(const LookText& look) { return look.color || look.roughness; }

/// What `look` does not name is as in `otherwise`.
LookText filled(LookText look, const LookText& otherwise) {
  if (!look.color) look.color = otherwise.color;
  if (!look.roughness) look.roughness = otherwise.roughness;
  return look;
}

bool any_given(const BodyText& text) {
  return given(text.look) ||
         std::any_of(text.regions.begin(), text.regions.end(),
                     [](const auto& one) { return given(one.look); }) ||
         std::any_of(text.domains.begin(), text.domains.end(),
                     [](const auto& one) { return given(one.look); }) ||
         std::any_of(text.assembly.classes.begin(), text.assembly.classes.end(),
                     [](const ClassText& one) { return given(one.shape.look); });
}

}  // namespace

BodyLooks make_looks(const BodyText& text, const VolumeMesh& mesh, const MaterialMap& materials,
                     const AssemblyShape* assembly) {
  BodyLooks looks;
  if (!any_given(text)) return looks;
  looks.list.push_back(text.look);
  for (const RegionText& region : text.regions) looks.list.push_back(filled(region.look, text.look));
  const std::size_t first_class = looks.list.size();
  for (const ClassText& part : text.assembly.classes)
    looks.list.push_back(filled(part.shape.look, text.look));
  for (const DomainText& domain : text.domains) {
    if (!given(domain.look)) continue;
    looks.of_domain[domain.name] = static_cast<std::uint16_t>(looks.list.size());
    looks.list.push_back(filled(domain.look, text.look));
  }
  looks.of_vertex.assign(mesh.vertices.size(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    std::size_t number = materials.of_element.empty() ? 0 : to_size(materials.of_element[to_size(e)]);
    if (number > text.regions.size()) number = 0;  // the material of a class
    if (number == 0 && assembly != nullptr) {
      const auto domain = to_size(mesh.element_label(e) - 1);
      const Index settings = assembly->settings[to_size(assembly->body.domains[domain].class_index)];
      if (settings >= 0) number = first_class + to_size(settings);
    }
    if (number == 0) continue;
    for (const VertexId v : mesh.element_vertices(e))
      looks.of_vertex[to_size(v)] = static_cast<std::uint16_t>(number);
  }
  return looks;
}

}  // namespace pliant
