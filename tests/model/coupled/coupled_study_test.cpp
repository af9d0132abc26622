// What a study of these methods, made before the code, asks of them on its beam: swings beside `full`,
// momenta, rotations of frames (docs/theory/coupled.md). Its other lines are in coupled_motion_test.cpp
// (energy over ten seconds, flight), coupled_forces_test.cpp and tests/reduce/reduce_coupled_test.cpp
// (frequencies).
#include "model/coupled/coupled_case.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/polar.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pliant {
namespace {

using test::coupled_beam;
using test::CoupledCase;
using test::steps_by;

constexpr double kStep = 1.0 / 240.0;
const Vector3 kTip(1.0, 0.2, 0.1);

/// Displacements of the tip of the beam, let go at rest.
std::vector<Vector3> swing_of(Model& model, const CoupledCase& body, double seconds) {
  const VertexId tip = body.near(kTip);
  std::vector<Vector3> way;
  EXPECT_TRUE(model.start(0.0, body.zero(), body.zero()).healthy());
  const int steps = static_cast<int>(std::lround(seconds / kStep));
  for (int n = 0; n < steps; ++n) {
    EXPECT_TRUE(model.step(n * kStep, kStep).healthy());
    way.push_back(model.displacement(tip));
  }
  return way;
}

struct Swing {
  Index domains, modes;
  double bound;  // of the largest distance, over the peak of `full`
};

void expect_swings(double g, double seconds, const std::vector<Swing>& cases) {
  std::vector<Vector3> truth;
  double peak = 0.0;
  for (const Swing& one : cases) {
    const CoupledCase body = coupled_beam(one.domains, one.modes, g);
    if (truth.empty()) truth = swing_of(*body.full(steps_by(Integrator::kNewmark)), body, seconds);
    const std::vector<Vector3> way =
        swing_of(*body.coupled(steps_by(Integrator::kEnergyMomentum, 1e-6)), body, seconds);
    double most = 0.0;
    for (std::size_t n = 0; n < way.size(); ++n) {
      most = std::max(most, (way[n] - truth[n]).norm());
      peak = std::max(peak, truth[n].norm());
    }
    EXPECT_LT(most, one.bound * peak)
        << one.domains << " domains of " << one.modes << " shapes: " << most / peak;
  }
}

// Measured over 2 s: 1.0, 0.2, 0.2 and 0.5 %.
TEST(CoupledSwing, FollowsFullUnderThreeMetresPerSecondSquared) {
  expect_swings(3.0, 1.0, {{4, 20, 0.015}, {4, 30, 0.01}, {2, 30, 0.005}, {8, 20, 0.02}});
}
// Measured over 2 s: 3.8, 1.3, 3.7 and 2.6 %.
TEST(CoupledSwing, FollowsFullUnderGravity) {
  expect_swings(9.81, 1.2, {{4, 20, 0.04}, {4, 30, 0.025}, {2, 30, 0.05}, {8, 20, 0.06}});
}

/// Three iterations a step keep the angular momentum of a moderate spin to 5e-5. (At 1/90 s a tolerance of
/// 1e-3 takes about as many.)
TEST(CoupledFlight, KeepsItsSpinWithThreeIterations) {
  const CoupledCase body = coupled_beam(5, 20, 0.0, false);
  const VectorX v = test::tumbling(*body.elastic, Vector3(0.5, 0.1, 0.05), 4.6, 1.0);
  const std::unique_ptr<Model> model = body.coupled(steps_by(Integrator::kEnergyMomentum, 1e-3));
  ASSERT_TRUE(model->start(0.0, body.zero(), v).healthy());
  const Momenta before = model->momenta();
  int iterations = 0;
  for (int n = 0; n < 180; ++n) {
    const StepReport report = model->step(n / 90.0, 1.0 / 90.0);
    ASSERT_TRUE(report.healthy());
    EXPECT_EQ(report.damped_parts, 0);
    iterations += report.iterations;
  }
  EXPECT_LE(iterations, 3 * 180);
  const double lost = (model->momenta().angular - before.angular).norm() / before.angular.norm();
  EXPECT_LT(lost, 5e-5);
}

/// Shapes have no part in the rotation of their domain: for any coordinates Σ m y Xᵀ is symmetric, so the
/// rotation that fits the deformed domain best is that of its frame.
TEST(CoupledInertia, CoordinatesHoldNoRotation) {
  const CoupledCase body = coupled_beam(4, 20, 0.0);
  const SparseMatrix mass = domain_mass(*body.elastic, body.body->domain_of);
  Rng random(9);
  for (const CoupledDomain& domain : body.body->domains) {
    if (domain.anchored) continue;
    const MatrixX& U = domain.reduced->basis.shapes;
    VectorX q = test::random_vector(U.cols(), random);
    q *= 0.02 / (U * q).cwiseAbs().maxCoeff();  // m
    const VectorX u = U * q;
    Matrix3 sum = Matrix3::Zero();
    for (std::size_t i = 0; i < domain.vertices.size(); ++i)
      for (SparseMatrix::InnerIterator it(mass, domain.vertices[i]); it; ++it) {
        const Index row = 3 * Index{body.body->row_of[to_size(it.row())]};
        const Vector3 arm =
            body.elastic->rest_positions().segment<3>(3 * Index{domain.vertices[i]}) - domain.origin();
        const Vector3 y =
            body.elastic->rest_positions().segment<3>(3 * it.row()) - domain.origin() + u.segment<3>(row);
        sum += it.value() * y * arm.transpose();
      }
    EXPECT_LT((polar_rotation(sum) - Matrix3::Identity()).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant
