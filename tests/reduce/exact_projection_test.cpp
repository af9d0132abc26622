#include "pliant/reduce/exact_projection.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// The elements around the supports are cut out as a body of their own: there its forces are those of the
/// whole body.
TEST(ExactProjection, GivesTheForcesOnSupportsOfEveryKindOfElement) {
  const Index r = 3;
  for (const test::BodyKind kind : test::kBodyKinds) {
    VolumeMesh mesh = test::distorted_body(kind, {3, 2, 2}, 2);
    MaterialMap map{{test::material_of(Law::kStvk), test::material_of(Law::kNeoHookean)}, {}};
    map.materials[1].young = 50.0;
    for (Index e = 0; e < mesh.element_count(); ++e) map.of_element.push_back(e * e / 3 % 2);
    const auto elastic = std::make_shared<const ElasticBody>(std::move(mesh), map);
    std::vector<std::vector<VertexId>> supports(2);
    for (Index v = 0; v < elastic->mesh().vertex_count(); ++v) {
      const double x = elastic->mesh().vertices[to_size(v)].x();
      if (x < 0.06) supports[0].push_back(static_cast<VertexId>(v));
      if (x > 0.94) supports[1].push_back(static_cast<VertexId>(v));
    }
    ASSERT_GT(std::min(supports[0].size(), supports[1].size()), 2U);
    ReducedBody reduced;
    Rng rng(4);
    reduced.basis.shapes.resize(elastic->dof_count(), r);
    for (Index l = 0; l < r; ++l)
      reduced.basis.shapes.col(l) = test::random_vector(elastic->dof_count(), rng);
    const VectorX q = 0.005 * test::random_vector(r, rng);
    const VectorX u = reduced.basis.shapes * q;
    VectorX force(u.size());
    elastic->internal_force(u, force);
    const auto zero = [](VertexId) { return Vector3(Vector3::Zero()); };
    const std::vector<Vector6> found = make_element_loops(elastic)
                                           ->support_forces(reduced, supports)
                                           ->wrenches(q, Vector3::Zero(), zero, zero);
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t s = 0; s < 2; ++s) {
      Vector3 expected = Vector3::Zero();
      for (const VertexId v : supports[s]) expected += force.segment<3>(3 * Index{v});
      ASSERT_GT(expected.norm(), 1e-6);
      EXPECT_LT((found[s].head<3>() - expected).norm(), 1e-12 * expected.norm());
    }
  }
}

}  // namespace
}  // namespace pliant
