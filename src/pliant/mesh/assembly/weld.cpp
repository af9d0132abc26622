#include "pliant/mesh/assembly/assembly.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pliant {
namespace {

constexpr double kSamePlace = 1e-6;  // relative to the size of the body

/// The first vertex near each vertex. Vertices are sorted into cells as wide as the reach, so the 27 cells
/// around one contain all vertices within reach.
std::vector<VertexId> first_in_place(const std::vector<Vector3>& vertices) {
  Eigen::AlignedBox3d box;
  for (const Vector3& x : vertices) box.extend(x);
  const double reach = std::max(kSamePlace * box.diagonal().norm(), std::numeric_limits<double>::min());
  using Key = std::array<std::int64_t, 3>;
  std::map<Key, std::vector<VertexId>> cells;
  std::vector<VertexId> first(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vector3 place = (vertices[v] - box.min()) / reach;
    const Key own{std::llround(place.x()), std::llround(place.y()), std::llround(place.z())};
    VertexId found = static_cast<VertexId>(v);
    // A cell and its 26 neighbours.
    for (int n = 0; n < 27; ++n) {
      const auto cell = cells.find({own[0] + n % 3 - 1, own[1] + n / 3 % 3 - 1, own[2] + n / 9 - 1});
      if (cell == cells.end()) continue;
      for (const VertexId other : cell->second)
        if ((vertices[to_size(other)] - vertices[v]).norm() <= reach) found = std::min(found, other);
    }
    first[v] = found;
    if (found == static_cast<VertexId>(v)) cells[own].push_back(found);
  }
  return first;
}

}  // namespace

Result<VolumeMesh> weld(const AssembledBody& body) {
  const std::vector<VertexId> first = first_in_place(body.mesh.vertices);
  VolumeMesh mesh = body.mesh;
  mesh.vertices.clear();
  std::vector<VertexId> number(first.size(), -1);
  for (std::size_t v = 0; v < first.size(); ++v) {
    if (first[v] == static_cast<VertexId>(v)) {
      number[v] = static_cast<VertexId>(mesh.vertices.size());
      mesh.vertices.push_back(body.mesh.vertices[v]);
    } else {
      number[v] = number[to_size(first[v])];
    }
  }
  for_each_kind(mesh, [&](auto& elements, const auto& /*labels*/) {
    for (auto& element : elements)
      for (VertexId& v : element) v = number[to_size(v)];
  });
  // A domain is connected to its parent if they share at least three vertices; fewer would be a hinge.
  for (const AssembledDomain& domain : body.domains) {
    if (domain.parent < 0) continue;
    std::vector<char> of_parent(mesh.vertices.size(), 0);
    for (const VertexId v : body.domains[to_size(domain.parent)].vertices)
      of_parent[to_size(number[to_size(v)])] = 1;
    const auto shared = std::count_if(domain.vertices.begin(), domain.vertices.end(), [&](VertexId v) {
      return of_parent[to_size(number[to_size(v)])] != 0;
    });
    if (shared >= 3) continue;
    return Diagnostic{
        ErrorCode::kInconsistent,
        {"", 0, 0, "instance " + body.mesh.region_names.at(body.mesh.element_label(domain.elements.front()))},
        "its mesh does not match that of its parent, so that one body cannot be made of them",
        "model = { type = \"tree\" } joins meshes that do not match"};
  }
  return mesh;
}

}  // namespace pliant
