#include "pliant/contact/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

constexpr double kOnFeature = 1e-9;  // barycentric weight below which a place lies on an edge or a corner

Vector3 area_of(const SurfaceMesh& mesh, const Triangle& t) {
  const Vector3& a = mesh.vertices[to_size(t[0])];
  return (mesh.vertices[to_size(t[1])] - a).cross(mesh.vertices[to_size(t[2])] - a);
}

SurfaceMesh without_needles(SurfaceMesh mesh) {
  std::erase_if(mesh.triangles, [&](const Triangle& t) { return !(area_of(mesh, t).norm() > 0.0); });
  return mesh;
}

}  // namespace

MeshDistance::MeshDistance(SurfaceMesh surface)
    : surface_(without_needles(std::move(surface))),
      tree_(surface_),
      size_(tree_.bounds().diagonal().norm()) {
  std::vector<Vector3> corners(surface_.vertices.size(), Vector3::Zero());
  std::map<std::pair<VertexId, VertexId>, Vector3> edges;
  const auto edge = [](VertexId a, VertexId b) { return std::pair(std::min(a, b), std::max(a, b)); };
  for (const Triangle& t : surface_.triangles) {
    const Vector3 face = area_of(surface_, t).normalized();
    for (std::size_t c = 0; c < 3; ++c) {
      const Vector3& x = surface_.vertices[to_size(t[c])];
      const Vector3 u = (surface_.vertices[to_size(t[(c + 1) % 3])] - x).normalized();
      const Vector3 v = (surface_.vertices[to_size(t[(c + 2) % 3])] - x).normalized();
      corners[to_size(t[c])] += std::acos(std::clamp(u.dot(v), -1.0, 1.0)) * face;
      edges.try_emplace(edge(t[c], t[(c + 1) % 3]), Vector3::Zero()).first->second += face;
    }
  }
  for (const Triangle& t : surface_.triangles) {
    Normals own{area_of(surface_, t).normalized(), {}, {}};
    for (std::size_t c = 0; c < 3; ++c) {
      own.corners[c] = corners[to_size(t[c])].normalized();
      own.edges[c] = edges.at(edge(t[(c + 1) % 3], t[(c + 2) % 3])).normalized();
    }
    normals_.push_back(own);
  }
}

/// The normal of the corner, edge or face that a place of a triangle lies in.
Vector3 MeshDistance::normal_at(Index triangle, const Vector3& place) const {
  const Triangle& t = surface_.triangles[to_size(triangle)];
  const Normals& own = normals_[to_size(triangle)];
  const Vector3 whole = area_of(surface_, t);
  std::array<double, 3> weights{};
  for (std::size_t c = 0; c < 3; ++c) {
    const Vector3& a = surface_.vertices[to_size(t[(c + 1) % 3])];
    const Vector3& b = surface_.vertices[to_size(t[(c + 2) % 3])];
    weights[c] = (a - place).cross(b - place).dot(whole) / whole.squaredNorm();
  }
  for (std::size_t c = 0; c < 3; ++c)
    if (weights[c] > 1.0 - kOnFeature) return own.corners[c];
  for (std::size_t c = 0; c < 3; ++c)
    if (weights[c] < kOnFeature) return own.edges[c];
  return own.face;
}

Distance MeshDistance::distance(const Vector3& x) const {
  const Box3 box = tree_.bounds();
  const double away = box.exteriorDistance(x);
  if (away > size_) {
    const Vector3 nearest = x.cwiseMax(box.min()).cwiseMin(box.max());
    return {away, (x - nearest) / away};
  }
  const TriangleTree::Nearest near = tree_.nearest(x);
  const Vector3 normal = normal_at(near.triangle, near.point);
  const Vector3 off = x - near.point;
  const double length = std::sqrt(near.squared_distance);
  const double sign = off.dot(normal) < 0.0 ? -1.0 : 1.0;
  if (length <= 1e-12 * size_) return {0.0, normal};
  return {sign * length, sign / length * off};
}

}  // namespace pliant
