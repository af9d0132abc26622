#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/domain_balance.hpp"
#include "pliant/mesh/domains/domain_bands.hpp"
#include "pliant/mesh/domains/domains.hpp"

#include <algorithm>

namespace pliant {
namespace {

std::vector<char> elements_at(const VolumeMesh& mesh, std::span<const VertexId> vertices) {
  std::vector<char> chosen(mesh.vertices.size(), 0);
  for (const VertexId v : vertices) chosen[to_size(v)] = 1;
  std::vector<char> elements(to_size(mesh.element_count()), 0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const VertexId v : element_vertices(mesh, e)) elements[to_size(e)] |= chosen[to_size(v)];
  return elements;
}

Diagnostics problems_of(const VolumeMesh& mesh, const ElementGraph& graph, Index count) {
  if (mesh.element_count() == 0) return {{ErrorCode::kMissing, {}, "the mesh has no elements", ""}};
  if (count < 1)
    return {{ErrorCode::kOutOfRange, {"", 0, 0, "auto"}, "must be at least 1, got " + text(count), ""}};
  const Index parts = connected_parts(graph).count;
  if (parts == 1) return {};
  return {{ErrorCode::kUnsupported,
           {},
           "the mesh is in " + text(parts) + " parts that share no face",
           "a tree needs one connected body; make separate bodies of its parts"}};
}

}  // namespace

Result<AutomaticDomains> automatic_domains(const VolumeMesh& mesh, const ElementGraph& graph, Index count,
                                           std::span<const VertexId> held) {
  if (Diagnostics problems = problems_of(mesh, graph, count); !problems.empty()) return problems;
  const Index asked = count;
  count = std::min(count, mesh.element_count());
  const std::vector<char> together = elements_at(mesh, held);
  const bool is_held = std::find(together.begin(), together.end(), char{1}) != together.end();
  const std::vector<VertexId> seeds =
      is_held ? std::vector<VertexId>(held.begin(), held.end()) : middle_vertices(mesh);
  const std::vector<double> distances = element_distances(mesh, seeds);
  BandTree bands = band_tree(mesh, graph, distances, together);
  const std::vector<Index> piece = cut_tree(bands.tree, count);

  AutomaticDomains result;
  const Index found = *std::max_element(piece.begin(), piece.end()) + 1;
  result.map.of_element = std::move(bands.of_element);
  for (Index& of : result.map.of_element) of = piece[to_size(of)];
  balance_domains(graph, distances, together, found, result.map.of_element);
  for (Index d = 0; d < found; ++d) result.map.names.push_back("part " + text(d));
  if (2 * found < asked)
    result.notes.push_back({ErrorCode::kInconsistent,
                            {"", 0, 0, "auto"},
                            "only " + text(found) + " of " + text(asked) +
                                " domains: more would form cycles or be thinner than the elements",
                            "refine the mesh, or choose the domains by selections"});
  return result;
}

}  // namespace pliant
