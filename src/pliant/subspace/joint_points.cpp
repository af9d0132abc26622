#include "pliant/subspace/joint_points.hpp"

#include "pliant/base/assert.hpp"

#include <limits>
#include <unordered_map>

namespace pliant {
namespace {

/// Vertices of the base, by the vertices of the whole body that child and parent share. Fewer than the points
/// of the joint if the meshes do not match.
std::vector<VertexId> shared_base(const TreeDomain& child, const TreeDomain& parent) {
  std::vector<VertexId> base;
  const WeightRows& rows = child.joint.points;
  if (child.vertices.empty() || parent.vertices.empty()) return base;
  std::unordered_map<VertexId, VertexId> local;
  for (std::size_t i = 0; i < child.vertices.size(); ++i)
    local.emplace(child.vertices[i], static_cast<VertexId>(i));
  for (Index i = 0; i < rows.row_count(); ++i) {
    if (rows.starts[to_size(i) + 1] - rows.starts[to_size(i)] != 1) return base;  // between vertices
    const auto found = local.find(parent.vertices[to_size(rows.columns[to_size(rows.starts[to_size(i)])])]);
    if (found == local.end()) return base;
    base.push_back(found->second);
  }
  return base;
}

/// At rest the points of the joint coincide with the base, so the vertex meant is the nearest one.
VertexId nearest(const std::vector<Vector3>& vertices, const Vector3& X) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const double distance = (vertices[v] - X).squaredNorm();
    if (distance < least) {
      least = distance;
      best = v;
    }
  }
  return static_cast<VertexId>(best);
}

}  // namespace

JointPoints make_joint_points(const TreeBody& body, Index domain) {
  const TreeDomain& child = body.domains[to_size(domain)];
  PLIANT_ASSERT(child.parent >= 0);
  const TreeDomain& parent = body.domains[to_size(child.parent)];
  const DomainClass& own = body.class_of(child);
  const DomainClass& above = body.class_of(parent);
  const WeightRows& rows = child.joint.points;
  const Index m = rows.row_count();
  JointPoints points;
  points.own_rest.resize(3 * m);
  points.parent_rest = VectorX::Zero(3 * m);
  points.parent_shapes = MatrixX::Zero(3 * m, above.reduced->size());
  for (Index i = 0; i < m; ++i)
    // A point of the joint is a weighted mean of vertices of the parent: so are its rest position and its
    // rows of U.
    for (Index e = rows.starts[to_size(i)]; e < rows.starts[to_size(i) + 1]; ++e) {
      const auto v = to_size(rows.columns[to_size(e)]);
      const double weight = rows.weights[to_size(e)];
      points.parent_rest.segment<3>(3 * i) +=
          weight * (above.rest->mesh().vertices[v] - above.reduced->origin);
      points.parent_shapes.middleRows<3>(3 * i) +=
          weight * above.reduced->basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    }
  points.base = shared_base(child, parent);
  points.shared = std::ssize(points.base) == m;
  const std::vector<Vector3>& vertices = own.rest->mesh().vertices;
  if (!points.shared) {
    points.base.clear();
    for (Index i = 0; i < m; ++i) {
      const Vector3 X = points.parent_rest.segment<3>(3 * i) + above.reduced->origin;
      // Parent's class → world → child's class.
      points.base.push_back(nearest(vertices, child.rest.unplace(parent.rest.place(X))));
    }
  }
  Vector3 middle = Vector3::Zero();
  for (Index i = 0; i < m; ++i) {
    points.own_rest.segment<3>(3 * i) = vertices[to_size(points.base[to_size(i)])] - own.reduced->origin;
    middle += points.own_rest.segment<3>(3 * i) / static_cast<double>(m);
  }
  for (Index i = 0; i < m; ++i)
    points.size =
        std::max(points.size, 2.0 * child.rest.scale * (points.own_rest.segment<3>(3 * i) - middle).norm());
  return points;
}

}  // namespace pliant
