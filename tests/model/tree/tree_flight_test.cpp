// Trees without anything that holds them: what they keep, how they turn, and what a violent kick does to
// them.
#include "model/tree/beside_full.hpp"
#include "pliant/math/polar.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using test::Both;
using test::kRubber;
using test::make_both;

constexpr double kStep = 1.0 / 240.0;

struct Flight {
  double linear = 0.0, angular = 0.0, energy = 0.0;  // largest change, relative
  double strain_share = 0.0;                         // of the energy, at the start
  double angle = 0.0;                                // between the orientations of tree and full, degrees
};

/// Stretched and spun about an axis that is none of its own; no forces.
Flight fly(const TreePlan& plan, double dt, double seconds, bool beside_full) {
  const Both both = make_both(plan, TreeInertia::kL3, 0.0);
  const Index n = plan.mesh.vertex_count();
  VectorX u = VectorX::Zero(3 * n), v = u;
  EXPECT_TRUE(both.full->start(0.0, u, v).healthy());
  const Vector3 center = both.full->momenta().center;
  const Vector3 spin(0.5, 1.0, 3.0), speed(0.3, -0.2, 0.5);
  for (Index i = 0; i < n; ++i) {
    const Vector3 X = plan.mesh.vertices[to_size(i)] - center;
    const Vector3 y = X.cwiseProduct(Vector3(1.011, 1.0, 1.0));
    u.segment<3>(3 * i) = y - X;
    v.segment<3>(3 * i) = speed + spin.cross(y);
  }
  EXPECT_TRUE(both.full->start(0.0, u, v).healthy());
  EXPECT_TRUE(both.tree->start(0.0, u, v).healthy());
  const Momenta m0 = both.tree->momenta();
  EXPECT_LT((m0.linear - both.full->momenta().linear).norm(), 1e-12 * m0.linear.norm());
  EXPECT_LT((m0.angular - both.full->momenta().angular).norm(), 1e-3 * m0.angular.norm());
  const Energies e0 = both.tree->energies();
  Flight flight;
  flight.strain_share = e0.strain / (e0.strain + e0.kinetic);
  for (int i = 0; i < static_cast<int>(std::lround(seconds / dt)); ++i) {
    const StepReport report = both.tree->step(i * dt, dt);
    EXPECT_TRUE(report.healthy()) << i << " " << describe(report.trouble);
    if (!report.healthy()) return flight;
    if (beside_full) {
      EXPECT_TRUE(both.full->step(i * dt, dt).healthy());
    }
    const Momenta m = both.tree->momenta();
    const Energies e = both.tree->energies();
    flight.linear = std::max(flight.linear, (m.linear - m0.linear).norm() / m0.linear.norm());
    flight.angular = std::max(flight.angular, (m.angular - m0.angular).norm() / m0.angular.norm());
    flight.energy = std::max(
        flight.energy, std::abs(e.kinetic + e.strain - e0.kinetic - e0.strain) / (e0.kinetic + e0.strain));
  }
  const auto orientation = [&](const Model& model) {
    const Vector3 c = model.momenta().center;
    Matrix3 A = Matrix3::Zero();
    for (Index i = 0; i < n; ++i) {
      const Vector3 X = plan.mesh.vertices[to_size(i)];
      A += (X + model.displacements().segment<3>(3 * i) - c) * (X - center).transpose();
    }
    return polar_rotation(A);
  };
  const Matrix3 between = orientation(*both.tree).transpose() * orientation(*both.full);
  flight.angle = std::acos(std::clamp(0.5 * (between.trace() - 1.0), -1.0, 1.0)) * 180.0 / std::numbers::pi;
  return flight;
}

TreePlan flying_tee() {
  TreePlan plan = test::cut_t(kRubber, 8, 20);
  plan.classes[0].held.clear();
  return plan;
}

/// Momenta are the unknowns of a free root: they are kept to rounding, whatever the step.
TEST(TreeFlight, KeepsItsMomenta) {
  const Flight flight = fly(flying_tee(), kStep, test::kSanitized ? 0.1 : 10.0, false);
  EXPECT_GT(flight.strain_share, 0.1);
  EXPECT_LT(flight.linear, 1e-12);
  EXPECT_LT(flight.angular, 1e-12);
  RecordProperty("energy", std::to_string(flight.energy));
  RecordProperty("strain_share", std::to_string(flight.strain_share));
}

/// 4.2 s at 3.2 rad/s are two turns.
TEST(TreeFlight, TurnsAsFullDoes) {
  const Flight flight = fly(flying_tee(), kStep, test::kSanitized ? 0.05 : 4.2, true);
  EXPECT_LT(flight.angle, 5.0);
  RecordProperty("angle", std::to_string(flight.angle));
  RecordProperty("energy", std::to_string(flight.energy));
}

/// The momenta are those of the start whatever the step. The energy errs at second order once the steps
/// resolve the axial waves that the sudden stretch sends out.
TEST(TreeFlight, EnergyErrorFallsWithTheStep) {
  if (test::kSanitized) GTEST_SKIP() << "too long for a sanitizer";
  double before = 0.0;
  for (const double rate : {2000.0, 4000.0, 8000.0}) {
    const Flight flight = fly(flying_tee(), 1.0 / rate, 0.1, false);
    EXPECT_LT(flight.linear, 1e-12);
    EXPECT_LT(flight.angular, 1e-12);
    RecordProperty("energy_" + std::to_string(std::lround(rate)),
                   std::to_string(1e9 * flight.energy) + "e-9");
    if (before > 0.0) {
      EXPECT_GT(std::log2(before / flight.energy), 1.8) << rate;
    }
    before = flight.energy;
  }
}

struct Kick {
  double growth = 0.0;  // largest energy over that of the start
  int steps = 0;        // healthy ones
  StepTrouble trouble = StepTrouble::kNone;
};

/// One domain of a flying tree starts with a velocity, all others at rest.
Kick kick(const TreePlan& plan, std::size_t domain, const Vector3& velocity, int steps) {
  const std::unique_ptr<Model> tree = make_both(plan, TreeInertia::kL3, 0.0).tree;
  VectorX u = VectorX::Zero(3 * plan.mesh.vertex_count()), v = u;
  for (const VertexId i : plan.domains[domain].vertices) v.segment<3>(3 * static_cast<Index>(i)) = velocity;
  EXPECT_TRUE(tree->start(0.0, u, v).healthy());
  const auto energy = [&] { return tree->energies().kinetic + tree->energies().strain; };
  const double at_start = energy();
  Kick result;
  for (; result.steps < steps; ++result.steps) {
    const StateArrays good = tree->save();
    const StepReport report = tree->step(result.steps * kStep, kStep);
    if (!report.healthy()) {
      result.trouble = report.trouble;
      EXPECT_EQ(tree->save(), good);  // the last good state is kept
      break;
    }
    result.growth = std::max(result.growth, energy() / at_start);
  }
  return result;
}

/// Sound goes through this rubber at 32 m/s: 3 m/s is a hard throw, 30 m/s would tear it. Both must end well,
/// or be reported with the last good state.
TEST(TreeFlight, ViolentKicksAreSurvivedOrReported) {
  const TreePlan chain = test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, 4, kRubber, 4, 20, false);
  const int steps = test::kSanitized ? 10 : 480;
  for (const TreePlan& plan : {chain, flying_tee()})
    for (const double speed : {1.0, 3.0, 10.0, 30.0}) {
      const Kick result = kick(plan, plan.domains.size() - 1, {0.0, 0.3 * speed, speed}, steps);
      RecordProperty("kick_" + std::to_string(plan.domains.size()) + "_" + std::to_string(std::lround(speed)),
                     std::to_string(result.growth) + " " + std::to_string(result.steps));
      EXPECT_LT(result.growth, 3.0) << speed;
      if (speed <= 3.0) {
        EXPECT_EQ(result.trouble, StepTrouble::kNone) << speed << " " << describe(result.trouble);
        EXPECT_LT(result.growth, 1.1) << speed;
      }
    }
}

}  // namespace
}  // namespace pliant
