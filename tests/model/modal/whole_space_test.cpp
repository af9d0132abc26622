// With every motion in its basis `modal` is `full`, seen from another frame: bit for bit the same equations
// when the frame stands, the same motion up to the error of the time step when it is driven or flies.
#include "model/modal/bodies.hpp"
#include "pliant/math/rotation.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using test::Pair;

Material soft() {
  Material material;
  material.young = 2000.0;
  material.density = 10.0;
  return material;
}

Pair block(ElementKind kind, bool held) {
  Pair pair;
  pair.elastic = std::make_shared<ElasticBody>(generate_box({0.4, 0.3, 0.2}, {2, 1, 1}, kind),
                                               MaterialMap{{soft()}, {}});
  if (held)
    pair.supports = {
        {"root",
         test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-6; }),
         {}}};
  return pair;
}

StepSettings tight() {
  StepSettings settings;
  settings.newton_iterations = 50;
  settings.newton_tolerance = 1e-12;
  return settings;
}

/// Largest difference of the displacements of two models that go side by side, over the largest displacement.
double distance(Model& a, Model& b, const VectorX& u, const VectorX& v, double dt, double duration) {
  EXPECT_TRUE(a.start(0.0, u, v).healthy());
  EXPECT_TRUE(b.start(0.0, u, v).healthy());
  double apart = 0.0;
  double largest = 0.0;
  const auto steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    if (!a.step(i * dt, dt).healthy() || !b.step(i * dt, dt).healthy()) return 1e9;
    apart = std::max(apart, (a.displacements() - b.displacements()).cwiseAbs().maxCoeff());
    largest = std::max(largest, b.displacements().cwiseAbs().maxCoeff());
  }
  EXPECT_GT(largest, 0.01);
  return apart / largest;
}

VectorX zero(const Pair& pair) { return VectorX::Zero(pair.elastic->dof_count()); }

TEST(WholeSpace, HeldBodyEqualsFullInEveryScheme) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex})
    for (const Integrator integrator : {Integrator::kNewmark, Integrator::kBackwardEuler}) {
      Pair pair = block(kind, true);
      pair.loads.gravity = {1.0, 2.0, -9.81};
      test::take_whole_space(pair);
      for (const DampingStiffness at : {DampingStiffness::kTangent, DampingStiffness::kRest}) {
        StepSettings settings = tight();
        settings.integrator = integrator;
        settings.mass_damping = 0.2;
        settings.stiffness_damping = 0.004;
        settings.damping_stiffness = at;
        auto modal = pair.modal(settings);
        auto full = pair.full(settings);
        // Newton's tolerance and the conditioning of 36 steps leave 1e-9
        EXPECT_LT(distance(*modal, *full, zero(pair), zero(pair), 0.005, 0.2), 1e-9);
        EXPECT_NEAR(modal->energies().kinetic, full->energies().kinetic, 1e-9);
        EXPECT_NEAR(modal->energies().strain, full->energies().strain, 1e-9);
        EXPECT_NEAR(modal->energies().potential, full->energies().potential, 1e-9);
        const Reaction a = modal->reactions().front();
        const Reaction b = full->reactions().front();
        EXPECT_LT((a.force - b.force).norm(), 1e-7 * b.force.norm());
        // the damping force K v of full has a moment about the bent shape, −Σ v×f; the reduced one has none
        EXPECT_LT((a.moment - b.moment).norm(), 0.05 * b.moment.norm());
        EXPECT_LT((a.about - b.about).norm(), 1e-12);
        EXPECT_LT((modal->momenta().angular - full->momenta().angular).norm(), 1e-9);
      }
    }
}

TEST(WholeSpace, UndampedReactionsEqualFull) {
  Pair pair = block(ElementKind::kTet, true);
  pair.loads.gravity = {1.0, 2.0, -9.81};
  test::take_whole_space(pair);
  auto modal = pair.modal(tight());
  auto full = pair.full(tight());
  EXPECT_LT(distance(*modal, *full, zero(pair), zero(pair), 0.005, 0.2), 1e-9);
  const Reaction a = modal->reactions().front();
  const Reaction b = full->reactions().front();
  EXPECT_LT((a.force - b.force).norm(), 1e-8 * b.force.norm());
  EXPECT_LT((a.moment - b.moment).norm(), 1e-8 * b.moment.norm());
}

TEST(WholeSpace, OneLinearSolvePerStepIsThatOfFull) {
  Pair pair = block(ElementKind::kTet, true);
  pair.loads.gravity = {0.0, 0.0, -9.81};
  test::take_whole_space(pair);
  StepSettings settings;
  settings.newton_iterations = 1;
  auto modal = pair.modal(settings);
  auto full = pair.full(settings);
  EXPECT_LT(distance(*modal, *full, zero(pair), zero(pair), 0.005, 0.5), 1e-9);
}

TEST(WholeSpace, StaticsEqualsFullWithSeveralSupports) {
  Pair pair = block(ElementKind::kHex, true);
  pair.supports.push_back(
      {"end",
       test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() > 0.4 - 1e-6; }),
       {}});
  pair.loads.gravity = {0.0, 3.0, -9.81};
  test::take_whole_space(pair);
  StepSettings settings = tight();
  settings.integrator = Integrator::kStatic;
  auto modal = pair.modal(settings);
  auto full = pair.full(settings);
  for (Model* model : {modal.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, zero(pair), zero(pair)).healthy());
    ASSERT_TRUE(model->step_static(0.0, 1.0).healthy());
  }
  EXPECT_LT(test::relative_error(modal->displacements(), full->displacements()), 1e-9);
  for (std::size_t s = 0; s < 2; ++s) {
    const Reaction a = modal->reactions()[s];
    const Reaction b = full->reactions()[s];
    EXPECT_GT(b.force.norm(), 0.1);
    EXPECT_LT((a.force - b.force).norm(), 1e-8 * b.force.norm());
    EXPECT_LT((a.moment - b.moment).norm(), 1e-8 * b.force.norm());
  }
}

TEST(WholeSpace, PressureAndWindEqualFull) {
  Pair pair = block(ElementKind::kHex, true);
  const std::vector<BoundaryFace> faces = boundary_faces(pair.elastic->mesh());
  Wind wind;
  wind.faces = faces;
  wind.velocity = {1.0, 6.0, 2.0};
  wind.gust = 0.5;
  pair.loads.loads.push_back({"wind", wind, {}});
  pair.loads.loads.push_back({"pressure", Pressure{{faces[3], faces[7]}, 30.0}, {}});
  pair.loads.loads.push_back(
      {"pull", VertexForce{{9, 10}, {0.5, 0.5}, {0.0, 0.3, -0.4}}, {{0.0, 0.1}, {0.0, 1.0}}});
  test::take_whole_space(pair);
  auto modal = pair.modal(tight());
  auto full = pair.full(tight());
  EXPECT_LT(distance(*modal, *full, zero(pair), zero(pair), 0.005, 0.2), 1e-9);
}

/// How much closer a step of half the length brings the two models.
double convergence(const Pair& pair, const VectorX& u, const VectorX& v, double dt, double duration) {
  double apart[2];
  for (int i = 0; i < 2; ++i) {
    const double step = i == 0 ? dt : 0.5 * dt;
    auto modal = pair.modal(tight());
    auto full = pair.full(tight());
    apart[i] = distance(*modal, *full, u, v, step, duration);
  }
  EXPECT_LT(apart[1], 0.01);  // both go to the same motion
  return apart[0] / apart[1];
}

TEST(WholeSpace, FreeBodyConvergesToFullWithSecondOrder) {
  Pair pair = block(ElementKind::kTet, false);
  pair.loads.gravity = {0.0, 0.0, -3.0};
  pair.loads.loads.push_back({"pull", VertexForce{{0, 7}, {0.5, 0.5}, {0.02, 0.05, 0.0}}, {}});
  test::take_whole_space(pair);
  VectorX v = zero(pair);
  for (Index i = 0; i < pair.elastic->mesh().vertex_count(); ++i) {
    const Vector3 x = pair.elastic->mesh().vertices[to_size(i)];
    v.segment<3>(3 * i) =
        Vector3(0.5, -0.2, 0.1) + Vector3(3.0, 2.0, -5.0).cross(x) + 0.5 * Vector3(x.x(), -x.y(), 0);
  }
  VectorX u = zero(pair);  // stretched and turned
  const Matrix3 turn = rotation_from_vector({0.4, -0.7, 0.3}) * Vector3(1.05, 0.97, 1.02).asDiagonal();
  for (Index i = 0; i < pair.elastic->mesh().vertex_count(); ++i) {
    const Vector3 x = pair.elastic->mesh().vertices[to_size(i)];
    u.segment<3>(3 * i) = turn * x - x + Vector3(0.1, 0.2, 0.3);
  }
  EXPECT_NEAR(convergence(pair, u, v, 0.001, 0.25), 4.0, 0.5);
}

TEST(WholeSpace, DrivenBodyConvergesToFullWithSecondOrder) {
  Pair pair = block(ElementKind::kTet, true);
  Motion motion;
  motion.oscillation = Oscillation{{0.0, 0.03, 0.02}, 3.0};
  motion.rotation = RotationKeys{{1.0, 0.5, 0.2}, {0.0, 0.1, 0.1}, {0.0, 1.0}, {0.0, 4.0}};
  pair.supports.front().motion = motion;
  pair.loads.gravity = {0.0, 0.0, -3.0};
  test::take_whole_space(pair);
  // starts with the motion, so that nothing is kicked
  VectorX v = zero(pair);
  for (Index i = 0; i < pair.elastic->mesh().vertex_count(); ++i)
    v.segment<3>(3 * i) = motion.at(0.0, pair.elastic->mesh().vertices[to_size(i)]).velocity;
  EXPECT_NEAR(convergence(pair, zero(pair), v, 0.001, 0.25), 4.0, 0.6);
}

TEST(WholeSpace, KinkOfTheMotionKicksTheBodyAsInFull) {
  Pair pair = block(ElementKind::kTet, true);
  Motion motion;
  motion.translation = TranslationKeys{{0.0, 0.05, 0.1}, {{0, 0, 0}, {0, 0, 0.1}, {0, 0.05, 0.1}}};
  motion.rotation = RotationKeys{{0.0, 1.0, 0.0}, {0.0, 0.1, 0.1}, {0.02, 0.1}, {0.0, 0.6}};
  pair.supports.front().motion = motion;
  test::take_whole_space(pair);
  auto modal = pair.modal(tight());
  auto full = pair.full(tight());
  EXPECT_LT(distance(*modal, *full, zero(pair), zero(pair), 0.0005, 0.2), 0.01);
}

TEST(WholeSpace, ExplicitStepsAreSecondOrderToo) {
  Pair pair = block(ElementKind::kTet, true);
  pair.loads.gravity = {0.0, 0.0, -9.81};
  test::take_whole_space(pair);
  StepSettings settings = tight();
  settings.integrator = Integrator::kCentralDifferences;
  settings.mass_damping = 0.3;
  double apart[2];
  for (int i = 0; i < 2; ++i) {
    auto modal = pair.modal(settings);
    StepSettings implicit = tight();
    implicit.mass_damping = 0.3;
    auto full = pair.full(implicit);
    apart[i] = distance(*modal, *full, zero(pair), zero(pair), i == 0 ? 0.001 : 0.0005, 0.25);
  }
  EXPECT_LT(apart[1], 0.01);
  EXPECT_NEAR(apart[0] / apart[1], 4.0, 0.6);
}

}  // namespace
}  // namespace pliant
