// How coupled domains move: beside `full`, in free flight, on driven anchors, pulled by a hand.
#include "model/coupled/coupled_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "support/allocations.hpp"
#include "support/point_laws.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::coupled_beam;
using test::CoupledCase;
using test::steps_by;

constexpr double kStep = 1.0 / 240.0;
const Vector3 kTip(1.0, 0.2, 0.1);
const Vector3 kCenter(0.5, 0.1, 0.05);

struct Difference {
  double most = 0.0, mean = 0.0;  // of the tip, over the peak of `full`
};

/// Both models let go from the same state; the distance of the tips.
Difference swing(const CoupledCase& body, double seconds, const VectorX& velocities) {
  const std::unique_ptr<Model> coupled = body.coupled(steps_by(Integrator::kEnergyMomentum));
  const std::unique_ptr<Model> full = body.full(steps_by(Integrator::kNewmark));
  EXPECT_TRUE(coupled->start(0.0, body.zero(), velocities).healthy());
  EXPECT_TRUE(full->start(0.0, body.zero(), velocities).healthy());
  const VertexId tip = body.near(kTip);
  Difference result;
  double peak = 0.0;
  const int steps = static_cast<int>(std::lround(seconds / kStep));
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(coupled->step(n * kStep, kStep).healthy());
    EXPECT_TRUE(full->step(n * kStep, kStep).healthy());
    const double distance = (coupled->displacement(tip) - full->displacement(tip)).norm();
    result.most = std::max(result.most, distance);
    result.mean += distance * distance / steps;
    peak = std::max(peak, full->displacement(tip).norm());
  }
  return {result.most / peak, std::sqrt(result.mean) / peak};
}

/// Undamped, 10 s. Measured, of the range of the weight's potential: 1.1e-4 with the default, 5e-4 by the
/// midpoint rule.
TEST(CoupledEnergy, IsKeptOverTenSeconds) {
  const CoupledCase body = coupled_beam(4, 20, 9.81);
  for (const auto& [integrator, bound] :
       {std::pair(Integrator::kEnergyMomentum, 2e-4), std::pair(Integrator::kMidpoint, 1e-3)}) {
    const std::unique_ptr<Model> model = body.coupled(steps_by(integrator, 1e-6));
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    const double before = test::total(model->energies());
    double drift = 0.0, lowest = 0.0, highest = 0.0;
    for (int n = 0; n < 900; ++n) {
      ASSERT_TRUE(model->step(n / 90.0, 1.0 / 90.0).healthy());
      const Energies e = model->energies();
      drift = std::max(drift, std::abs(test::total(e) - before));
      lowest = std::min(lowest, e.potential);
      highest = std::max(highest, e.potential);
    }
    EXPECT_LT(drift, bound * (highest - lowest)) << "over the range: " << drift / (highest - lowest);
  }
}

TEST(CoupledFlight, KeepsMomentaAndEnergy) {
  const CoupledCase body = coupled_beam(5, 20, 0.0, false);
  const VectorX v = test::tumbling(*body.elastic, kCenter, 4.6, 1.0);
  for (const double rate : {90.0, 240.0}) {
    const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum));
    ASSERT_TRUE(model->start(0.0, body.zero(), v).healthy());
    const Momenta before = model->momenta();
    const double energy = test::total(model->energies());
    double drift = 0.0;
    for (int n = 0; n < rate; ++n) {
      ASSERT_TRUE(model->step(n / rate, 1.0 / rate).healthy());
      drift = std::max(drift, std::abs(test::total(model->energies()) - energy));
    }
    const Momenta after = model->momenta();
    EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
    EXPECT_LT((after.angular - before.angular).norm(), 1e-8 * before.angular.norm());
    EXPECT_LT(drift, (rate < 100.0 ? 2e-4 : 5e-5) * energy);
  }
}

/// In free fall nothing deforms and the centre of mass follows the parabola of the scheme, which is exact.
TEST(CoupledFlight, FallsWithoutDeforming) {
  const CoupledCase body = coupled_beam(3, 10, 9.81, false, {9, 2, 2});
  for (const Integrator integrator :
       {Integrator::kEnergyMomentum, Integrator::kMidpoint, Integrator::kNewmark}) {
    const std::unique_ptr<Model> model = body.coupled(steps_by(integrator));
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < 60; ++n) ASSERT_TRUE(model->step(n / 60.0, 1.0 / 60.0).healthy());
    for (Index i = 0; i < body.elastic->dof_count(); i += 3)
      EXPECT_LT((model->displacements().segment<3>(i) - Vector3(0.0, 0.0, -0.5 * 9.81)).norm(), 1e-10);
  }
}

/// Halving the time step quarters the error against a fine solution.
TEST(CoupledSchemes, HaveTheirOrders) {
  const CoupledCase body = coupled_beam(3, 8, 3.0, true, {9, 2, 2});
  const VertexId tip = body.near(kTip);
  const auto end = [&](Integrator integrator, int steps) {
    const std::unique_ptr<Model> model = body.coupled(steps_by(integrator, 1e-11));
    EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(model->step(0.3 * n / steps, 0.3 / steps).healthy());
    return model->displacement(tip);
  };
  const Vector3 exact = end(Integrator::kEnergyMomentum, 9600);
  for (const auto& [integrator, factor] :
       {std::pair(Integrator::kEnergyMomentum, 4.0), std::pair(Integrator::kMidpoint, 4.0),
        std::pair(Integrator::kNewmark, 4.0), std::pair(Integrator::kBackwardEuler, 2.0)}) {
    const double coarse = (end(integrator, 600) - exact).norm(),
                 fine = (end(integrator, 1200) - exact).norm();
    EXPECT_NEAR(coarse / fine, factor, 0.25 * factor) << static_cast<int>(integrator);
  }
}

/// What supports exert, the loads and the change of momentum balance over each step.
TEST(CoupledReactions, BalanceTheMomentum) {
  const CoupledCase body = coupled_beam(3, 10, 9.81, true, {9, 2, 2});
  const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum, 1e-12));
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  for (int n = 0; n < 40; ++n) {
    const Vector3 before = model->momenta().linear;
    ASSERT_TRUE(model->step(n * kStep, kStep).healthy());
    const Vector3 force = (model->momenta().linear - before) / kStep - 20.0 * body.loads.gravity;
    EXPECT_LT((model->reactions()[0].force - force).norm(), 1e-7 * 20.0 * 9.81);
  }
}

TEST(CoupledStatics, CarriesTheWeight) {
  CoupledCase body = coupled_beam(4, 30, 9.81);
  const std::unique_ptr<Model> coupled = body.coupled(steps_by(Integrator::kStatic));
  const std::unique_ptr<Model> full = body.full(steps_by(Integrator::kStatic));
  ASSERT_TRUE(coupled->start(0.0, body.zero(), body.zero()).healthy());
  ASSERT_TRUE(full->start(0.0, body.zero(), body.zero()).healthy());
  for (int n = 0; n < 4; ++n) {
    ASSERT_TRUE(coupled->step_static(0.25 * n, 0.25 * (n + 1)).healthy());
    ASSERT_TRUE(full->step_static(0.25 * n, 0.25 * (n + 1)).healthy());
  }
  EXPECT_LT((coupled->reactions()[0].force - Vector3(0.0, 0.0, 20.0 * 9.81)).norm(), 1e-5);
  const VertexId tip = body.near(kTip);
  const Vector3 there = full->displacement(tip);
  EXPECT_LT((coupled->displacement(tip) - there).norm(), 0.01 * there.norm());
}

/// A body that is turned and shaken by its anchor, against `full`.
TEST(CoupledAnchor, IsDrivenAsInFull) {
  CoupledCase body = coupled_beam(3, 20, 0.0, true, {12, 3, 2});
  Motion motion;
  motion.rotation = RotationKeys{Vector3::UnitX(), Vector3(0.0, 0.1, 0.05), {0.0, 0.5}, {0.0, 1.0}};
  motion.oscillation = Oscillation{Vector3(0.0, 0.0, 0.02), 1.0};
  body.supports[0].motion = motion;
  EXPECT_LT(swing(body, 1.0, body.zero()).most, 0.03);
}

/// One domain is `modal` with the same basis. Both let the velocity jump at the kinks of the motion.
TEST(CoupledAnchor, OfOneDomainTakesKicksAsModal) {
  CoupledCase body = coupled_beam(1, 12, 0.0, true, {9, 2, 2});
  Motion motion;
  motion.translation =
      TranslationKeys{{0.0, 0.1, 0.2}, {Vector3::Zero(), Vector3(0, 0, 0.1), Vector3(0, 0, 0.05)}};
  body.supports[0].motion = motion;
  const CoupledDomain& domain = body.body->domains[0];
  const std::unique_ptr<Model> coupled = body.coupled(steps_by(Integrator::kNewmark));
  const std::unique_ptr<Model> modal =
      make_modal_model({domain.reduced, body.elastic, domain.loops, body.supports, body.loads},
                       steps_by(Integrator::kNewmark))
          .value();
  const VertexId tip = body.near(kTip);
  ASSERT_TRUE(coupled->start(0.0, body.zero(), body.zero()).healthy());
  ASSERT_TRUE(modal->start(0.0, body.zero(), body.zero()).healthy());
  for (int n = 0; n < 120; ++n) {
    ASSERT_TRUE(coupled->step(n * kStep, kStep).healthy());
    ASSERT_TRUE(modal->step(n * kStep, kStep).healthy());
    EXPECT_LT((coupled->displacement(tip) - modal->displacement(tip)).norm(), 1e-7) << n;
  }
}

/// A soft or stiff spring holds a vertex where it holds that of `full`: damped, until both are at rest.
TEST(CoupledHand, PullsAsInFull) {
  const CoupledCase body = coupled_beam(4, 30, 0.0, true, {12, 3, 2});
  const VertexId tip = body.near(kTip);
  for (const double stiffness : {100.0, 1e5}) {
    test::Spring spring(stiffness, kTip + Vector3(0.0, 0.0, 0.05));
    StepSettings settings = steps_by(Integrator::kBackwardEuler);
    settings.mass_damping = 20.0;
    std::vector<Vector3> ends;
    for (const std::unique_ptr<Model>& model : {body.coupled(settings), body.full(settings)}) {
      test::hold(*model, tip);
      ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
      for (int n = 0; n < 150; ++n) ASSERT_TRUE(model->step(n / 60.0, 1.0 / 60.0, &spring).healthy());
      ends.push_back(model->displacement(tip));
    }
    EXPECT_LT((ends[0] - ends[1]).norm(), 0.06 * ends[1].norm()) << stiffness;
  }
}

/// The response is the derivative of the step: measured by finite differences of steps.
TEST(CoupledHand, RespondsAsTheStepDoes) {
  for (const bool held : {true, false}) {
    const CoupledCase body = coupled_beam(3, 10, 9.81, held, {9, 2, 2});
    const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum, 1e-12));
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    EXPECT_LT(test::response_error(*model, body.near(kTip), 0.0, kStep, 0.1), 1e-4) << held;
  }
}

/// Pulled about by its tip with up to its weight, another way every half second; then it comes back to
/// rest. Without stiffness damping, energy of such pulls stays in the stiffest shapes
/// (docs/theory/coupled.md).
TEST(CoupledWild, PullingLeavesNothingBroken) {
  const CoupledCase body = coupled_beam(4, 12, 0.0, true, {12, 3, 2});
  StepSettings settings = steps_by(Integrator::kEnergyMomentum, 1e-4);
  settings.mass_damping = 3.0;
  settings.stiffness_damping = 0.01;
  const std::unique_ptr<Model> model = body.coupled(settings);
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  test::hold(*model, body.near(kTip));
  Rng random(5);
  const auto any = [&] { return random.uniform(-1.0, 1.0); };
  double farthest = 0.0;
  Vector3 way = Vector3::Zero();
  for (int n = 0; n < 300; ++n) {
    if (n % 30 == 0) way = Vector3(any(), any(), any());
    test::DeadForce force(196.0 * way);
    ASSERT_TRUE(model->step(n / 60.0, 1.0 / 60.0, &force).healthy()) << n;
    farthest = std::max(farthest, model->displacement(body.near(kTip)).norm());
  }
  EXPECT_GT(farthest, 0.3);
  for (int n = 300; n < 800; ++n) ASSERT_TRUE(model->step(n / 60.0, 1.0 / 60.0).healthy()) << n;
  EXPECT_LT(model->displacement(body.near(kTip)).norm(), 1e-4);
}

TEST(CoupledState, ContinuesBitByBit) {
  const CoupledCase body = coupled_beam(3, 10, 9.81, true, {9, 2, 2});
  for (const Integrator integrator : {Integrator::kEnergyMomentum, Integrator::kNewmark}) {
    StepSettings settings = steps_by(integrator);
    settings.mass_damping = 0.5;
    settings.stiffness_damping = 1e-3;
    const std::unique_ptr<Model> first = body.coupled(settings), second = body.coupled(settings);
    ASSERT_TRUE(first->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < 10; ++n) ASSERT_TRUE(first->step(n * kStep, kStep).healthy());
    ASSERT_TRUE(second->restore(first->save()).ok());
    for (int n = 10; n < 20; ++n) {
      ASSERT_TRUE(first->step(n * kStep, kStep).healthy());
      ASSERT_TRUE(second->step(n * kStep, kStep).healthy());
    }
    EXPECT_EQ(first->save(), second->save());
  }
}

TEST(CoupledState, DoesNotDependOnThreads) {
  const CoupledCase body = coupled_beam(5, 12, 9.81);
  const auto run = [&](int threads) {
    const ThreadScope scope(threads);
    const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum));
    EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < 10; ++n) EXPECT_TRUE(model->step(n * kStep, kStep).healthy());
    return model->save();
  };
  EXPECT_EQ(run(1), run(3));
}

TEST(CoupledState, OfBrokenArraysIsRefused) {
  const CoupledCase body = coupled_beam(2, 4, 0.0, true, {6, 2, 2});
  const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum));
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  StateArrays arrays = model->save();
  arrays["q"].pop_back();
  EXPECT_FALSE(model->restore(arrays).ok());
  arrays = model->save();
  arrays["frames"][3] = std::nan("");
  EXPECT_FALSE(model->restore(arrays).ok());
  arrays = model->save();
  arrays.erase("clock");
  EXPECT_FALSE(model->restore(arrays).ok());
}

TEST(CoupledStep, AllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "the heap of this build is not counted";
  const ThreadScope scope(1);
  const CoupledCase body = coupled_beam(4, 12, 9.81);
  StepSettings settings = steps_by(Integrator::kEnergyMomentum);
  settings.mass_damping = 0.1;
  settings.stiffness_damping = 1e-4;
  const std::unique_ptr<Model> model = body.coupled(settings);
  ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
  for (int n = 0; n < 3; ++n) ASSERT_TRUE(model->step(n * kStep, kStep).healthy());
  const std::size_t before = test::allocation_count();
  for (int n = 3; n < 6; ++n) ASSERT_TRUE(model->step(n * kStep, kStep).healthy());
  EXPECT_EQ(test::allocation_count(), before);
}

/// Explicit integration and statics of a free body are refused with a reason.
TEST(CoupledModel, RefusesWhatItCannotDo) {
  const CoupledCase free = coupled_beam(2, 4, 0.0, false, {6, 2, 2});
  const CoupledCase held = coupled_beam(2, 4, 0.0, true, {6, 2, 2});
  EXPECT_FALSE(make_coupled_model({free.body, {}, {}}, steps_by(Integrator::kStatic)).ok());
  EXPECT_FALSE(
      make_coupled_model({held.body, held.supports, {}}, steps_by(Integrator::kCentralDifferences)).ok());
}

/// Natural frequencies of the model at rest: those of the dense projection, six rigid ones apart.
TEST(CoupledModes, AreThoseOfTheProjection) {
  for (const bool held : {true, false}) {
    const CoupledCase body = coupled_beam(3, 10, 0.0, held, {9, 2, 2});
    const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum));
    const Result<Model::Frequencies> modes = model->natural_frequencies(6);
    ASSERT_TRUE(modes);
    const VectorX expected = test::coupled_frequencies(*body.elastic, *body.body);
    EXPECT_EQ(modes.value().rigid, held ? 0 : 6);
    for (Index i = 0; i < 6; ++i)
      EXPECT_NEAR(modes.value().hz[to_size(i)] / expected[(held ? 0 : 6) + i], 1.0, 1e-8);
  }
}

}  // namespace
}  // namespace pliant
