// Cubature of `blended`: few points per segment beside all elements (docs/theory/blended.md).
#include "blended_case.hpp"
#include "pliant/base/parallel.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace pliant {
namespace {

using test::BlendedCase;

BlendedSpec with_points(BlendedSpec spec, Index points, double error = 1e-3) {
  spec.cubature = CubatureSpec{};
  spec.cubature->points = points;
  spec.cubature->error = error;
  return spec;
}

/// Ratio of the frequencies that is farthest from 1.
double worst_ratio(const Model& few, const Model& all, Index count) {
  const std::vector<double> a = few.natural_frequencies(count).value().hz;
  const std::vector<double> b = all.natural_frequencies(count).value().hz;
  double worst = 1.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] / b[i] - 1.0) > std::abs(worst - 1.0)) worst = a[i] / b[i];
  return worst;
}

/// Largest deviation of the tip of the falling beam over its peak.
double deviation(Model& few, Model& all, VertexId tip, double dt, int steps) {
  const VectorX zero = VectorX::Zero(3 * all.mesh().vertex_count());
  EXPECT_TRUE(few.start(0.0, zero, zero).healthy());
  EXPECT_TRUE(all.start(0.0, zero, zero).healthy());
  double most = 0.0, peak = 0.0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(few.step(i * dt, dt).healthy()) << i;
    EXPECT_TRUE(all.step(i * dt, dt).healthy()) << i;
    peak = std::max(peak, all.displacement(tip).norm());
    most = std::max(most, (few.displacement(tip) - all.displacement(tip)).norm());
  }
  return most / peak;
}

TEST(BlendedCubature, TwentyPointsASegmentAreEnough) {
  for (const auto& places : {std::vector<double>{0.25, 0.75}, {0.15, 0.4, 0.65, 0.9}}) {
    const BlendedSpec spec = test::seeded(places);
    const BlendedCase all = test::blended_beam(spec, 9.81);
    const BlendedCase few = test::blended_beam(with_points(spec, 20), 9.81);
    EXPECT_LE(few.body->points.count(), 20 * std::ssize(places));
    EXPECT_GE(few.body->points.count(), 15 * std::ssize(places));
    const auto one = few.blended({}), other = all.blended({});
    const double first = worst_ratio(*one, *other, 1), four = worst_ratio(*one, *other, 4);
    const double swing =
        deviation(*one, *other, all.near({1.0, 0.1, 0.05}), 0.01, test::kSanitized ? 5 : 100);
    const std::string name = std::to_string(places.size());
    RecordProperty("error" + name, std::to_string(few.cubature->error));
    RecordProperty("seconds" + name, std::to_string(few.cubature->seconds));
    RecordProperty("first" + name, std::to_string(first));
    RecordProperty("four" + name, std::to_string(four));
    RecordProperty("swing" + name, std::to_string(swing));
    EXPECT_NEAR(first, 1.0, 0.05) << name;
    EXPECT_NEAR(four, 1.0, 0.1) << name;
    EXPECT_LT(swing, 0.1) << name;
  }
}

TEST(BlendedCubature, SwingsForTenSeconds) {
  const BlendedCase few =
      test::blended_beam(with_points(test::seeded({0.15, 0.4, 0.65, 0.9}), 20), 9.81, true, {16, 4, 3});
  const auto model = few.blended({});
  ASSERT_TRUE(model->start(0.0, few.zero(), few.zero()).healthy());
  const VertexId tip = few.near({1.0, 0.1, 0.05});
  const double dt = 1.0 / 120;
  double most = 0.0;
  for (int i = 0; i < (test::kSanitized ? 20 : 1200); ++i) {
    ASSERT_TRUE(model->step(i * dt, dt).healthy()) << i;
    most = std::max(most, model->displacement(tip).norm());
  }
  EXPECT_LT(most, 2.0);  // m: it hangs and swings, it does not fly apart
}

/// With a weight per point forces keep both momenta, whatever the weights are.
TEST(BlendedCubature, FreeFlightKeepsMomentaAndEnergy) {
  const BlendedCase body =
      test::blended_beam(with_points(test::seeded({0.25, 0.75}), 15), 0.0, false, {10, 3, 2});
  VectorX v(body.elastic->dof_count());
  for (Index i = 0; i < v.size(); i += 3) {
    const Vector3 x = body.elastic->rest_positions().segment<3>(i) - Vector3(0.5, 0.1, 0.05);
    v.segment<3>(i) = Vector3(2.0, 4.0, 3.0).cross(x) + Vector3(0.3, 0.0, 0.5 * x.x() * x.x());
  }
  auto model = body.blended(test::steps_by(Integrator::kEnergyMomentum, 20, 1e-12));
  ASSERT_TRUE(model->start(0.0, body.zero(), v).healthy());
  const Momenta before = model->momenta();
  const double energy = test::total(model->energies());
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(model->step(i * 0.01, 0.01).healthy());
  const Momenta after = model->momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-8 * before.angular.norm());
  EXPECT_NEAR(test::total(model->energies()), energy, 1e-8 * energy);
}

TEST(BlendedCubature, IsTheSameForAnyNumberOfThreads) {
  std::vector<BlendedPoints> found;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    found.push_back(
        test::blended_beam(with_points(test::seeded({0.25, 0.75}), 10), 0.0, true, {8, 2, 2}).body->points);
  }
  EXPECT_EQ(found[0].weights, found[1].weights);
  EXPECT_EQ(found[0].gradients, found[1].gradients);
}

TEST(BlendedCubature, EveryLawAndEveryElement) {
  for (const Law law : {Law::kCorotational, Law::kNeoHookean, Law::kStableNeoHookean, Law::kLinear})
    for (const ElementKind element : {ElementKind::kTet, ElementKind::kHex}) {
      Material material;
      material.law = law;
      BlendedSpec spec = test::seeded({0.25, 0.75});
      spec.gradients = element == ElementKind::kHex ? BlendedGradients::kSmooth : BlendedGradients::kNodal;
      const BlendedCase all = test::blended_beam(spec, 1.0, true, {8, 2, 2}, element, material);
      const BlendedCase few =
          test::blended_beam(with_points(spec, 20), 1.0, true, {8, 2, 2}, element, material);
      EXPECT_NEAR(worst_ratio(*few.blended({}), *all.blended({}), 2), 1.0, 0.06) << law_name(law);
    }
}

TEST(BlendedCubature, CanBeInterrupted) {
  class Impatient final : public Progress {
   public:
    explicit Impatient(std::atomic<bool>& flag) : Progress(&flag), flag_(flag) {}
    void begin(std::string_view stage, Index /*total*/) override {
      if (stage == "cubature points") flag_ = true;
    }

   private:
    std::atomic<bool>& flag_;
  };
  std::atomic<bool> flag = false;
  Impatient progress(flag);
  VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {8, 2, 2}, ElementKind::kTet);
  const std::vector<Support> supports = test::clamped(mesh);
  const auto elastic = std::make_shared<const ElasticBody>(std::move(mesh), MaterialMap{{Material{}}, {}});
  const auto made =
      make_blended_body(with_points(test::seeded({0.25, 0.75}), 10), elastic, "body", supports, {}, progress);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
}

TEST(BlendedCubature, AStepAllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "the heap cannot be counted here";
  const ThreadScope scope(1);
  const BlendedCase body =
      test::blended_beam(with_points(test::seeded({0.25, 0.75}), 10), 9.81, true, {8, 2, 2});
  auto model = body.blended({});
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  EXPECT_TRUE(model->step(0.0, 0.01).healthy());
  const std::size_t before = test::allocation_count();
  EXPECT_TRUE(model->step(0.01, 0.01).healthy());
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace pliant
