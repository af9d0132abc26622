// Bodies that start flat, inside out, collapsed to a point or at random come back to their shape
// [LuoEtAl2018, §6], with all elements and with few points.
#include "blended_case.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/svd3.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace pliant {
namespace {

using test::BlendedCase;

enum class Crush { kFlat, kMirrored, kPoint, kRandom };

constexpr double kSize = 0.2;  // m, of the block

VectorX crushed(const ElasticBody& elastic, Crush how) {
  VectorX u(elastic.dof_count());
  Rng rng(11);
  const Matrix3 A = test::random_matrix(rng), B = test::random_matrix(rng);
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = elastic.rest_positions().segment<3>(i) - Vector3::Constant(0.5 * kSize);
    Vector3 y = Vector3::Zero();
    if (how == Crush::kFlat) y = Vector3(x[0], x[1], 0.0);
    if (how == Crush::kMirrored) y = Vector3(x[0], x[1], -0.6 * x[2]);
    if (how == Crush::kRandom) y = A * x + 5.0 * B * x.cwiseProduct(x);
    u.segment<3>(i) = y - x;
  }
  return u;
}

/// Largest distance of a vertex from where the best rigid motion of the rest shape brings it, over the size.
double shape_error(const ElasticBody& elastic, const VectorX& u) {
  const Index n = u.size() / 3;
  const Eigen::Map<const MatrixX> X(elastic.rest_positions().data(), 3, n);
  const Eigen::Map<const MatrixX> D(u.data(), 3, n);
  const MatrixX x = X + D;
  const Vector3 c0 = X.rowwise().mean(), c1 = x.rowwise().mean();
  const Matrix3 H = (x.colwise() - c1) * (X.colwise() - c0).transpose();
  const Svd3 svd = svd_rotations(H);
  const Matrix3 R = svd.U * svd.V.transpose();
  return ((x.colwise() - c1) - R * (X.colwise() - c0)).colwise().norm().maxCoeff() / kSize;
}

/// A free block in two domains; `points` per segment, 0: all elements.
BlendedCase block(double young, Index cells, Index points) {
  Material material;
  material.young = young;
  material.invertible = true;
  BlendedSpec spec;
  spec.seeds = {{0.1, 0.1, 0.05}, {0.1, 0.1, 0.15}};
  if (points > 0) {
    spec.cubature = CubatureSpec{};
    spec.cubature->points = points;
    spec.cubature->error = 0.02;
  }
  return {generate_box(Vector3::Constant(kSize), {cells, cells, cells}, ElementKind::kTet),
          {{material}, {}},
          {},
          spec};
}

struct End {
  int failures = 0;
  bool finite = true;
  double error = 1.0;
};

/// So many seconds after the body was let go, damped by its stiffness at rest.
End let_go(const BlendedCase& body, double young, Crush how, double dt, int iterations, double seconds) {
  StepSettings settings = test::steps_by(Integrator::kBackwardEuler, iterations, 1e-6);
  settings.stiffness_damping = 0.02 * std::sqrt(1e3 / young);
  settings.damping_stiffness = DampingStiffness::kRest;
  auto model = body.blended(settings);
  End end;
  if (!model->start(0.0, crushed(*body.elastic, how), body.zero()).healthy()) ++end.failures;
  for (int i = 0; i < static_cast<int>(seconds / dt); ++i)
    if (!model->step(i * dt, dt).healthy()) ++end.failures;
  end.finite = model->displacements().allFinite();
  end.error = shape_error(*body.elastic, model->displacements());
  return end;
}

constexpr Crush kAll[] = {Crush::kFlat, Crush::kMirrored, Crush::kPoint, Crush::kRandom};

/// How many runs from a point ended in a fold; all others must come back, none may fail.
int folds(double young, Index cells, Index points, std::initializer_list<double> steps,
          std::initializer_list<int> iterations) {
  const BlendedCase body = block(young, cells, points);
  int caught = 0;
  // Stiff bodies are back sooner.
  const double seconds = std::max(0.75, 6.0 * std::sqrt(1e3 / young));
  for (const double dt : steps)
    for (const Crush how : kAll)
      for (const int most : iterations) {
        // Short steps damp less.
        const End end = let_go(body, young, how, dt, most, dt < 0.002 ? 1.5 * seconds : seconds);
        const auto where = testing::Message()
                           << "E " << young << ", " << cells << " cells, " << points << " points, dt " << dt
                           << ", crush " << static_cast<int>(how) << ", " << most << " solves";
        EXPECT_EQ(end.failures, 0) << where;
        EXPECT_TRUE(end.finite) << where;
        if (how == Crush::kPoint && end.error >= 0.01)
          ++caught;
        else
          EXPECT_LT(end.error, 0.01) << where;
      }
  return caught;
}

TEST(BlendedCrush, RecoversWithAllElements) {
  EXPECT_EQ(folds(1e3, 2, 0, {1.0 / 60, 1.0 / 240}, {1, 4}), 0);
  EXPECT_EQ(folds(1e6, 2, 0, {1.0 / 60, 1.0 / 240}, {1, 4}), 0);
}

/// The block of three cells that once failed to unfold from a point.
TEST(BlendedCrush, RecoversFromAPoint) {
  const BlendedCase body = block(1e3, 3, 0);
  const End end = let_go(body, 1e3, Crush::kPoint, 1.0 / 60, 1, 6.0);
  EXPECT_EQ(end.failures, 0);
  EXPECT_LT(end.error, 0.01);
}

TEST(BlendedCrush, RecoversWithFewPoints) {
  EXPECT_EQ(folds(1e3, 4, 30, {1.0 / 60}, {1, 4}), 0);
  EXPECT_EQ(folds(1e6, 4, 30, {1.0 / 240}, {1}), 0);
}

/// Nothing tells a point which way is up: while it unfolds, neighbours may turn against one another, and the
/// body may come to rest in a fold, a true minimum of its energy (docs/theory/blended.md).
TEST(BlendedCrush, RecoversForAllStiffnessesAndSteps) {
  if (std::getenv("PLIANT_LONG_TESTS") == nullptr) GTEST_SKIP() << "takes long: ./dev test --long";
  int caught = 0;
  for (const double young : {1e3, 1e4, 1e5, 1e6})
    for (const Index cells : {2, 3, 4})
      for (const Index points : {0, 30})
        caught += folds(young, cells, points, {1.0 / 60, 1.0 / 240, 1.0 / 1000}, {1, 4});
  EXPECT_LE(caught, 3) << "of 144 that started as a point";
}

/// They push back only where elements are crushed, and their force has an energy.
TEST(BlendedCrush, RestorativePointsHaveAnEnergy) {
  const BlendedCase body = block(1e3, 3, 20);
  ASSERT_GT(body.body->restorative.count(), 0);
  const auto forces = body.forces();
  const Index r = body.body->reduced->size();
  auto without = std::make_shared<BlendedBody>(*body.body);
  without->restorative = {};
  const auto plain = blended_forces(without, body.elastic->materials().materials);
  Rng rng(5);
  for (const bool inverted : {false, true}) {
    const VectorX u = inverted ? crushed(*body.elastic, Crush::kMirrored)
                               : VectorX(0.05 * crushed(*body.elastic, Crush::kRandom));
    VectorX momentum(u.size());
    body.elastic->apply_mass(u, momentum);
    VectorX q = body.body->reduced->basis.shapes.transpose() * momentum;
    for (double& entry : q) entry *= 1.0 + 0.01 * rng.normal();
    VectorX f(r), other(r);
    const double energy = forces->evaluate(q, f);
    const VectorX gradient =
        test::gradient([&](const VectorX& x) { return forces->evaluate(x, other); }, q, 1e-5 * q.norm());
    EXPECT_LT(test::relative_error(gradient, f), 1e-6) << inverted;
    const double alone = plain->evaluate(q, other);
    if (inverted)
      EXPECT_GT(energy, alone);
    else
      EXPECT_EQ(energy, alone);
    // The mean force does the work of both.
    VectorX mean(r);
    MatrixX K(r, r);
    const VectorX start = 0.9 * q;
    const double before = forces->evaluate(start, other);
    const double after = forces->mean_force(start, q, mean, K);
    EXPECT_NEAR(mean.dot(q - start), after - before, 1e-9 * (std::abs(after) + std::abs(before)));
  }
}

}  // namespace
}  // namespace pliant
