#include "pliant/mesh/fill/curve.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kFarthest = 0.25;  // of the edge's length

struct BoundaryEdge {
  VertexId middle;
  VertexId a, b;
};

/// Edges of quadratic boundary faces, by their midside vertices, ascending.
std::vector<BoundaryEdge> quadratic_edges(const VolumeMesh& mesh) {
  std::vector<BoundaryEdge> edges;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    if (!face.is_quadratic()) continue;
    for (std::size_t i = 0; i < 3; ++i)
      edges.push_back({face.midsides[i], face.vertices[i], face.vertices[(i + 1) % 3]});
  }
  std::sort(edges.begin(), edges.end(), [](const auto& p, const auto& q) { return p.middle < q.middle; });
  const auto same = [](const auto& p, const auto& q) { return p.middle == q.middle; };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  return edges;
}

/// The quadratic tets at each of the edges.
std::vector<std::vector<std::size_t>> elements_at(const VolumeMesh& mesh,
                                                  const std::vector<BoundaryEdge>& edges) {
  std::vector<Index> number(mesh.vertices.size(), -1);
  for (std::size_t i = 0; i < edges.size(); ++i) number[to_size(edges[i].middle)] = static_cast<Index>(i);
  std::vector<std::vector<std::size_t>> elements(edges.size());
  for (std::size_t t = 0; t < mesh.tet10s.size(); ++t)
    for (std::size_t i = 4; i < 10; ++i) {
      const Index edge = number[to_size(mesh.tet10s[t][i])];
      if (edge >= 0) elements[to_size(edge)].push_back(t);
    }
  return elements;
}

bool is_sound(const VolumeMesh& mesh, const Tet10& tet) {
  const JacobianBounds bounds = tet10_jacobian_bounds(corners(mesh, tet));
  return bounds.low > 0.0 && bounds.low >= kLeastCurvedJacobian * bounds.high;
}

}  // namespace

void curve_boundary(VolumeMesh& mesh, const MidsidePlace& place) {
  const std::vector<BoundaryEdge> edges = quadratic_edges(mesh);
  const std::vector<std::vector<std::size_t>> elements = elements_at(mesh, edges);
  std::vector<Vector3> places(edges.size());
  parallel_blocks(std::ssize(edges), 256, [&](Index, Index begin, Index end) {
    for (std::size_t i = to_size(begin); i < to_size(end); ++i)
      places[i] = place(mesh.vertices[to_size(edges[i].a)], mesh.vertices[to_size(edges[i].b)]);
  });
  // One after the other, as whether an element stays sound depends on its other vertices too.
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto& [middle, a, b] = edges[i];
    Vector3& x = mesh.vertices[to_size(middle)];
    const double length = (mesh.vertices[to_size(a)] - mesh.vertices[to_size(b)]).norm();
    if (!((places[i] - x).norm() <= kFarthest * length)) continue;
    const Vector3 before = x;
    x = places[i];
    if (!std::all_of(elements[i].begin(), elements[i].end(),
                     [&](std::size_t t) { return is_sound(mesh, mesh.tet10s[t]); }))
      x = before;
  }
}

void curve_boundary(VolumeMesh& mesh, const Solid& solid) {
  curve_boundary(mesh, [&solid](const Vector3& a, const Vector3& b) -> Vector3 {
    const Vector3 middle = 0.5 * (a + b);
    return solid.nearest(middle, kFarthest * (b - a).norm()).value_or(middle);
  });
}

}  // namespace pliant
