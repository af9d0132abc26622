// A domain sees only what deforms it, and what its base leaves to it.
#include "pliant/reduce/domain_shapes.hpp"

#include "pliant/math/rotation.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TreePlan plan() { return test::cut_beam({9, 2, 2}, {1.0, 0.2, 0.1}, 3, Material{}, 3, 8, true); }

/// The shapes that the domain sees of this displacement of the whole body.
MatrixX seen(const TreePlan& plan, Index domain, const VectorX& whole) {
  const TreeDomain& one = plan.domains[to_size(domain)];
  const ClassPlan& part = plan.classes[to_size(one.class_index)];
  const Result<RestSystem> system = RestSystem::make(*part.elastic, free_dofs(part), no_progress());
  return domain_shapes(plan, one, system.value(), whole);
}

TEST(DomainShapes, RigidMotionIsNone) {
  const TreePlan body = plan();
  const Matrix3 R = rotation_from_vector({1.0, -0.7, 0.4});
  VectorX whole(3 * body.mesh.vertex_count());
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    whole.segment<3>(3 * v) =
        R * body.mesh.vertices[to_size(v)] + Vector3(0.3, 0.1, -0.2) - body.mesh.vertices[to_size(v)];
  EXPECT_LT(seen(body, 1, whole).norm(), 1e-13 * whole.norm());
  EXPECT_LT(seen(body, 2, whole).norm(), 1e-13 * whole.norm());
}

TEST(DomainShapes, LinearResponsesToTheMotionOfTheBaseAreNone) {
  const TreePlan body = plan();
  const TreeDomain& domain = body.domains[2];
  const ClassPlan& part = body.classes[to_size(domain.class_index)];
  const Result<RestSystem> system = RestSystem::make(*part.elastic, free_dofs(part), no_progress());
  // A small warping of the base and the domain's static response to it.
  MatrixX own = MatrixX::Zero(part.elastic->dof_count(), 1);
  for (const VertexId v : part.held) {
    const Vector3& x = part.elastic->mesh().vertices[to_size(v)];
    own.col(0).segment<3>(3 * Index{v}) = 1e-6 * Vector3(x.y() * x.z(), x.y() * x.y(), -x.z() * x.y());
  }
  MatrixX response = system.value().stiffness_times(own);
  system.value().solve(response);
  own -= response;
  VectorX whole = VectorX::Zero(3 * body.mesh.vertex_count());
  for (std::size_t v = 0; v < domain.vertices.size(); ++v)
    whole.segment<3>(3 * Index{domain.vertices[v]}) = own.col(0).segment<3>(3 * static_cast<Index>(v));
  // What is left is of second order in the warping.
  EXPECT_LT(seen(body, 2, whole).norm(), 1e-4 * own.norm());
}

TEST(DomainShapes, AreAtRestAtTheBaseAndKeepWhatDeforms) {
  const TreePlan body = plan();
  const TreeDomain& domain = body.domains[2];
  const ClassPlan& part = body.classes[to_size(domain.class_index)];
  VectorX whole = VectorX::Zero(3 * body.mesh.vertex_count());
  for (Index v = 0; v < body.mesh.vertex_count();
       ++v) {  // bent upwards from the base on, 1/3 < x < 2/3 stays
    const double s = std::max(0.0, body.mesh.vertices[to_size(v)].x() - 2.0 / 3.0);
    whole[3 * v + 2] = s * s;
  }
  const MatrixX shape = seen(body, 2, whole);
  double largest = 0.0;
  for (const VertexId v : part.held)
    largest = std::max(largest, shape.col(0).segment<3>(3 * Index{v}).norm());
  EXPECT_EQ(largest, 0.0);
  for (std::size_t v = 0; v < domain.vertices.size(); ++v)
    EXPECT_NEAR(shape(3 * static_cast<Index>(v) + 2, 0), whole[3 * Index{domain.vertices[v]} + 2], 1e-12);
  EXPECT_LT(seen(body, 1, whole).norm(), 1e-12);  // it has not moved
}

}  // namespace
}  // namespace pliant
