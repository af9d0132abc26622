// Steps of `blended`: what they conserve, what supports feel, what a driven anchor does, what survives a
// checkpoint.
#include "blended_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/math/dense.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::BlendedCase;

VectorX tumbling(const ElasticBody& elastic, double spin) {
  VectorX v(elastic.dof_count());
  for (Index i = 0; i < v.size(); i += 3) {
    const Vector3 x = elastic.rest_positions().segment<3>(i) - Vector3(0.5, 0.1, 0.05);
    v.segment<3>(i) =
        spin * Vector3(1.0, 2.0, 3.0).normalized().cross(x) + Vector3(0.3, 0.0, 0.5 * x.x() * x.x());
  }
  return v;
}

TEST(BlendedMotion, FreeBodiesHaveSixRigidModes) {
  const BlendedCase body = test::blended_beam(test::seeded({0.15, 0.4, 0.65, 0.9}), 0.0, false);
  const auto full = body.full({})->natural_frequencies(3).value();
  const auto blended = body.blended({})->natural_frequencies(3).value();
  EXPECT_EQ(blended.rigid, 6);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(blended.hz[i], full.hz[i] * (1.0 - 1e-9));
    EXPECT_LT(blended.hz[i], full.hz[i] * 1.04);
  }
  // The six are zero, not only uncounted.
  const MatrixX K = [&] {
    VectorX f(body.body->reduced->size());
    MatrixX tangent(f.size(), f.size());
    (void)body.forces()->evaluate(VectorX::Zero(f.size()), f, tangent);
    return tangent;
  }();
  const VectorX squared = symmetric_eigenvalues(K);
  const double seventh = std::pow(2.0 * 3.14159265358979 * blended.hz[0], 2);
  EXPECT_LT(squared.head(6).cwiseAbs().maxCoeff(), 1e-8 * seventh);
}

TEST(BlendedMotion, FreeFlightKeepsMomentaAndEnergy) {
  const BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 0.0, false, {10, 2, 2});
  for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEnergyMomentum}) {
    auto model = body.blended(test::steps_by(integrator, 20, 1e-12));
    EXPECT_TRUE(model->start(0.0, body.zero(), tumbling(*body.elastic, 6.0)).healthy());
    const Momenta before = model->momenta();
    const double energy = test::total(model->energies());
    const double dt = 0.01;
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(model->step(i * dt, dt).healthy());
    const Momenta after = model->momenta();
    EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
    EXPECT_LT((after.angular - before.angular).norm(), 1e-8 * before.angular.norm());
    EXPECT_LT((after.center - before.center - before.linear / before.mass).norm(), 1e-9);
    if (integrator == Integrator::kEnergyMomentum) {
      EXPECT_NEAR(test::total(model->energies()), energy, 1e-8 * energy);
    }
  }
}

TEST(BlendedMotion, SupportsCarryTheWeight) {
  const BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 9.81, true, {10, 2, 2});
  auto model = body.blended(test::steps_by(Integrator::kStatic));
  EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(model->step_static(i / 4.0, (i + 1) / 4.0).healthy());
  const Reaction reaction = model->reactions().front();
  EXPECT_NEAR(reaction.force.z(), 9.81 * 20.0, 1e-6 * 9.81 * 20.0);
  const Momenta momenta = model->momenta();
  // The moment of the weight about the support.
  const Vector3 moment = (momenta.center - reaction.about).cross(Vector3(0.0, 0.0, 9.81 * 20.0));
  EXPECT_LT((reaction.moment - moment).norm(), 1e-6 * moment.norm());
}

TEST(BlendedMotion, ADrivenAnchorCarriesTheBody) {
  BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 0.0, true, {10, 2, 2});
  Motion motion;
  motion.translation = TranslationKeys{{0.0, 1.0}, {Vector3::Zero(), Vector3(0.0, 0.3, 0.1)}};
  body.supports.front().motion = motion;
  auto full = body.full({});
  auto blended = body.blended({});
  EXPECT_TRUE(full->start(0.0, body.zero(), body.zero()).healthy());
  EXPECT_TRUE(blended->start(0.0, body.zero(), body.zero()).healthy());
  const double dt = 0.01;
  double most = 0.0;
  for (int i = 0; i < 120; ++i) {
    EXPECT_TRUE(full->step(i * dt, dt).healthy());
    EXPECT_TRUE(blended->step(i * dt, dt).healthy());
    most = std::max(most, (full->displacements() - blended->displacements()).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(full->displacements().cwiseAbs().maxCoeff(), 0.29);
  EXPECT_LT(most, 0.02);
  const VertexId held = body.near({0.0, 0.0, 0.0});
  EXPECT_LT((blended->displacement(held) - Vector3(0.0, 0.3, 0.1)).norm(), 1e-12);
}

TEST(BlendedMotion, ASavedStateContinuesBitByBit) {
  const BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 9.81, true, {10, 2, 2});
  auto model = body.blended({});
  EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  const double dt = 0.01;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(model->step(i * dt, dt).healthy());
  const StateArrays saved = model->save();
  for (int i = 5; i < 10; ++i) EXPECT_TRUE(model->step(i * dt, dt).healthy());
  auto other = body.blended({});
  ASSERT_TRUE(other->restore(saved));
  for (int i = 5; i < 10; ++i) EXPECT_TRUE(other->step(i * dt, dt).healthy());
  EXPECT_EQ(model->displacements(), other->displacements());
}

TEST(BlendedMotion, AStepAllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "the heap cannot be counted here";
  const ThreadScope scope(1);
  const BlendedCase body = test::blended_beam(test::seeded({0.25, 0.75}), 9.81, true, {10, 2, 2});
  for (const Integrator integrator :
       {Integrator::kNewmark, Integrator::kBackwardEuler, Integrator::kEnergyMomentum}) {
    auto model = body.blended(test::steps_by(integrator));
    EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    const double dt = 0.01;
    EXPECT_TRUE(model->step(0.0, dt).healthy());
    const std::size_t before = test::allocation_count();
    EXPECT_TRUE(model->step(dt, dt).healthy());
    EXPECT_EQ(test::allocation_count(), before);
  }
}

}  // namespace
}  // namespace pliant
