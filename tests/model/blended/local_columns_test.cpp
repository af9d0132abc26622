// Columns of many domains, each zero beyond its reach: the same body as in columns of the whole body, with a
// stiffness of few blocks.
#include "blended_case.hpp"
#include "pliant/reduce/local_elements.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using test::BlendedCase;

/// A rod of many domains, in local columns or not.
BlendedCase rod(bool local, bool held = true, Index points = 0) {
  VolumeMesh mesh = generate_box({3.0, 0.2, 0.2}, {36, 2, 2}, ElementKind::kTet);
  std::vector<Support> supports = held ? test::clamped(mesh) : std::vector<Support>{};
  BlendedSpec spec;
  for (int i = 0; i < 12; ++i) spec.seeds.emplace_back(0.25 * (i + 0.5), 0.1, 0.1);
  spec.local = local;
  if (points > 0) {  // affine ones are chosen quickly
    spec.coordinates = {DomainCoordinates::kAffine};
    spec.cubature = CubatureSpec{};
    spec.cubature->points = points;
    spec.cubature->error = 1e-3;
  }
  BlendedCase made(std::move(mesh), {{Material{}}, {}}, std::move(supports), spec);
  made.loads.gravity = Vector3(0.0, 0.0, -1.0);
  return made;
}

bool touch(const BlendedBody& body, Index a, Index b) {
  return a == b || std::any_of(body.coupled.begin(), body.coupled.end(), [&](const auto& pair) {
           return (pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a);
         });
}

TEST(LocalColumns, StiffnessAndMassHaveTheBlocksOfTheirDomains) {
  const BlendedCase body = rod(true);
  const std::vector<Index>& starts = body.body->starts;
  ASSERT_EQ(starts.size(), 13U);
  EXPECT_TRUE(rod(false).body->starts.empty());
  const Index r = body.body->reduced->size(), m = body.body->scalars.cols();
  VectorX q(r), f(r);
  for (Index i = 0; i < r; ++i) q[i] = 1e-3 * std::sin(1.7 * static_cast<double>(i));
  MatrixX K(r, r);
  body.forces()->evaluate(q, f, K);
  const MatrixX& M = body.body->reduced->inertia[0].shape_mass;
  Index apart = 0;
  for (Index a = 0; a < 12; ++a)
    for (Index b = 0; b < 12; ++b) {
      double stiffness = 0.0, mass = 0.0;
      for (Index i = 0; i < 3; ++i)
        for (Index k = 0; k < 3; ++k) {
          const auto part = [&](const MatrixX& A) {
            return A.block(i * m + starts[to_size(a)], k * m + starts[to_size(b)],
                           starts[to_size(a) + 1] - starts[to_size(a)],
                           starts[to_size(b) + 1] - starts[to_size(b)]);
          };
          stiffness += part(K).norm();
          mass += part(M).norm();
        }
      if (touch(*body.body, a, b)) {
        EXPECT_GT(stiffness, 0.0);
        continue;
      }
      ++apart;
      EXPECT_EQ(stiffness, 0.0) << a << " " << b;
      EXPECT_EQ(mass, 0.0) << a << " " << b;
    }
  EXPECT_GT(apart, 20);
}

TEST(LocalColumns, MoveLikeGlobalOnes) {
  for (const Index points : {0, 12}) {
    const BlendedCase local = rod(true, true, points), global = rod(false, true, points);
    EXPECT_FALSE(local.body->starts.empty());
    const auto one = local.blended({}), other = global.blended({});
    const auto a = one->natural_frequencies(8).value().hz, b = other->natural_frequencies(8).value().hz;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7 * b[i]);
    for (Model* model : {one.get(), other.get()})
      ASSERT_TRUE(model->start(0.0, local.zero(), local.zero()).healthy());
    for (int i = 0; i < 6; ++i) {
      const StepReport report = one->step(i * 0.02, 0.02);
      ASSERT_TRUE(report.healthy());
      EXPECT_LE(report.iterations, other->step(i * 0.02, 0.02).iterations + 1);
    }
    EXPECT_GT(other->displacements().norm(), 0.05);
    EXPECT_LT((one->displacements() - other->displacements()).norm(), 1e-6 * other->displacements().norm());
  }
}

TEST(LocalColumns, FreeBodiesTurnForNothing) {
  const BlendedCase body = rod(true, false);
  ASSERT_FALSE(body.body->starts.empty());
  auto model = body.blended({});
  EXPECT_EQ(model->natural_frequencies(1).value().rigid, 6);
  VectorX u(body.elastic->dof_count());
  for (Index i = 0; i < u.size(); i += 3) {  // 90° about y
    const Vector3 x = body.elastic->rest_positions().segment<3>(i);
    u.segment<3>(i) = Vector3(x.z(), x.y(), -x.x()) - x;
  }
  ASSERT_TRUE(model->start(0.0, u, body.zero()).healthy());
  EXPECT_LT((model->displacements() - u).norm(), 1e-10 * u.norm());
  EXPECT_LT(model->energies().strain, 1e-18 * 1e6 * body.elastic->volume());
}

TEST(LocalColumns, StepsAllocateNothingAndTakeInsertions) {
  const BlendedCase body = rod(true);
  auto model = make_blended_model({body.body, make_element_loops(body.elastic), body.supports, body.loads,
                                   make_local_elements(body.elastic, body.supports[0].vertices)},
                                  StepSettings{})
                   .value();
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(model->step(i * 0.02, 0.02).healthy());
  const std::size_t before = test::allocation_count();
  ASSERT_TRUE(model->step(0.06, 0.02).healthy());
  EXPECT_EQ(test::allocation_count(), before);
  const VectorX u = model->displacements();
  ASSERT_TRUE(model->insertions()->insert({"one", {2.0, 0.1, 0.2}, 0.17, InsertedShapes::kQuadratic, {}}));
  EXPECT_LT((model->displacements() - u).norm(), 1e-12 * u.norm());
  for (int i = 4; i < 8; ++i) ASSERT_TRUE(model->step(i * 0.02, 0.02).healthy());
}

}  // namespace
}  // namespace pliant
