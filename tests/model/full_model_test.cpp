// The full model in time: conservation and its order, statics as the end of damped motion, closed forms,
// failures.
#include "pliant/model/full/full_model.hpp"

#include "fem/bodies.hpp"
#include "pliant/model/full/static_shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

std::vector<VertexId> vertices_where(const VolumeMesh& mesh,
                                     const std::function<bool(const Vector3&)>& chosen) {
  std::vector<VertexId> list;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (chosen(mesh.vertices[v])) list.push_back(static_cast<VertexId>(v));
  return list;
}

std::shared_ptr<const ElasticBody> box(const Vector3& size, const std::array<Index, 3>& cells,
                                       ElementKind kind, const Material& material) {
  return std::make_shared<ElasticBody>(generate_box(size, cells, kind), MaterialMap{{material}, {}});
}

VectorX zeros(const Model& model) { return VectorX::Zero(3 * model.mesh().vertex_count()); }

struct Drift {
  double linear = 0.0;
  double angular = 0.0;
  double energy = 0.0;
};

/// A free block in its slowest, smooth vibration, drifting and turning slowly.
Drift free_vibration(double dt, double duration) {
  Material material = test::material_of(Law::kStvk);
  material.young = 1000.0;
  material.density = 1.0;
  BodyDefinition definition;
  definition.elastic = box({1.0, 0.5, 0.4}, {5, 3, 3}, ElementKind::kHex, material);
  StepSettings settings;
  settings.newton_tolerance = 1e-13;
  auto model = make_full_model(std::move(definition), settings).value();
  const auto modes = model->natural_frequencies(1);
  const VectorX shape = modes.value().shapes.col(0) / modes.value().shapes.col(0).cwiseAbs().maxCoeff();
  VectorX v(shape.size());
  for (Index i = 0; i < model->mesh().vertex_count(); ++i)
    v.segment<3>(3 * i) =
        Vector3(0.4, -0.3, 0.2) + Vector3(0.3, 0.5, -0.4).cross(model->mesh().vertices[to_size(i)]);
  EXPECT_TRUE(model->start(0.0, 0.02 * shape, v).healthy());
  const Momenta first = model->momenta();
  const double energy = model->energies().kinetic + model->energies().strain;
  Drift drift;
  const auto steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(model->step(i * dt, dt).healthy());
    const Momenta now = model->momenta();
    drift.linear = std::max(drift.linear, (now.linear - first.linear).norm() / first.linear.norm());
    drift.angular = std::max(drift.angular, (now.angular - first.angular).norm() / first.angular.norm());
    drift.energy = std::max(drift.energy,
                            std::abs(model->energies().kinetic + model->energies().strain - energy) / energy);
  }
  return drift;
}

TEST(FullModel, FreeNewmarkKeepsLinearMomentumAndTheRestToSecondOrder) {
  const Drift coarse = free_vibration(0.002, 0.3);
  const Drift fine = free_vibration(0.001, 0.3);
  std::printf("angular %.2e -> %.2e, energy %.2e -> %.2e, linear %.1e\n", coarse.angular, fine.angular,
              coarse.energy, fine.energy, coarse.linear);
  EXPECT_LT(coarse.linear, 1e-10);
  EXPECT_LT(fine.linear, 1e-10);
  EXPECT_NEAR(std::log2(coarse.angular / fine.angular), 2.0, 0.2);
  EXPECT_NEAR(std::log2(coarse.energy / fine.energy), 2.0, 0.2);
}

BodyDefinition cantilever(const Material& material) {
  BodyDefinition definition;
  definition.elastic = box({1.0, 0.2, 0.2}, {8, 2, 2}, ElementKind::kTet, material);
  definition.supports.push_back(
      {"x = 0",
       vertices_where(definition.elastic->mesh(), [](const Vector3& x) { return x.x() == 0.0; }),
       {}});
  definition.loads.gravity = {0, 0, -9.81};
  return definition;
}

Material rubber() {
  Material material;
  material.young = 2e5;
  material.poisson = 0.3;
  material.density = 1000.0;
  return material;
}

TEST(FullModel, StaticsIsTheEndOfDampedMotion) {
  for (const Law law : {Law::kStvk, Law::kStableNeoHookean, Law::kCorotational}) {
    Material material = rubber();
    material.law = law;
    StepSettings settings;
    settings.integrator = Integrator::kStatic;
    auto still = make_full_model(cantilever(material), settings).value();
    ASSERT_TRUE(still->start(0.0, zeros(*still), zeros(*still)).healthy());
    ASSERT_TRUE(still->step_static(0.0, 0.5).healthy());
    ASSERT_TRUE(still->step_static(0.5, 1.0).healthy());
    for (const Integrator integrator : {Integrator::kNewmark, Integrator::kBackwardEuler}) {
      settings.integrator = integrator;
      settings.mass_damping = 6.0;
      settings.stiffness_damping = 0.02;  // for the fast modes, which the trapezoidal rule leaves ringing
      auto moving = make_full_model(cantilever(material), settings).value();
      ASSERT_TRUE(moving->start(0.0, zeros(*moving), zeros(*moving)).healthy());
      const double dt = 0.02;
      for (int i = 0; i < 400; ++i) ASSERT_TRUE(moving->step(i * dt, dt).healthy());
      ASSERT_GT(still->displacements().cwiseAbs().maxCoeff(), 0.1);  // bends far
      EXPECT_LT(test::relative_error(moving->displacements(), still->displacements()), 1e-6);
    }
  }
}

TEST(FullModel, StaticPathsBeginAtGuesses) {
  const BodyDefinition beam = cantilever(rubber());
  StaticCase from_rest{"weight", beam.loads, {0.5, 1.0}, {}};
  const auto solve = [&](const StaticCase& wanted) {
    return static_paths(beam.elastic, beam.supports, {wanted}, {1e-10}, no_progress()).value().front();
  };
  const StaticPath plain = solve(from_rest);
  ASSERT_EQ(plain.levels, from_rest.levels);
  StaticCase guessed = from_rest;
  for (const VectorX& shape : plain.shapes) guessed.guesses.push_back(1.02 * shape);
  const StaticPath near = solve(guessed);
  ASSERT_EQ(near.levels, from_rest.levels);
  EXPECT_LT(near.evaluations, plain.evaluations);
  // From a guess that is no shape at all the path returns to where it was.
  guessed.guesses[1] = VectorX::Constant(plain.shapes[1].size(), NAN);
  const StaticPath far = solve(guessed);
  ASSERT_EQ(far.levels, from_rest.levels);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(test::relative_error(near.shapes[i], plain.shapes[i]), 1e-8);
    EXPECT_LT(test::relative_error(far.shapes[i], plain.shapes[i]), 1e-8);
  }
}

TEST(FullModel, UniaxialPressureHasItsClosedForm) {
  // ν = 0: the cross-section keeps its area, so −p = E s (s² − 1)/2 for stvk with stretch s
  Material material = rubber();
  material.poisson = 0.0;
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    BodyDefinition definition;
    definition.elastic = box({1.0, 0.5, 0.5}, {3, 2, 2}, kind, material);
    const VolumeMesh& mesh = definition.elastic->mesh();
    definition.supports.push_back(
        {"x = 0", vertices_where(mesh, [](const Vector3& x) { return x.x() == 0.0; }), {}});
    Pressure pressure;
    const double s = 0.9;
    pressure.pascal = -material.young * s * (s * s - 1.0) / 2.0;
    for (const BoundaryFace& face : boundary_faces(mesh)) {
      bool end = true;
      for (int i = 0; i < face.size(); ++i)
        end = end && mesh.vertices[to_size(face.vertices[to_size(i)])].x() > 1.0 - 1e-9;
      if (end) pressure.faces.push_back(face);
    }
    definition.loads.loads.push_back({"x = 1", pressure, {}});
    StepSettings settings;
    settings.integrator = Integrator::kStatic;
    settings.newton_tolerance = 1e-12;
    auto model = make_full_model(std::move(definition), settings).value();
    ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
    ASSERT_TRUE(model->step_static(0.0, 1.0).healthy());
    for (Index v = 0; v < model->mesh().vertex_count(); ++v)
      EXPECT_NEAR(model->displacements()[3 * v], (s - 1.0) * model->mesh().vertices[to_size(v)].x(), 1e-9);
  }
}

TEST(FullModel, SemiImplicitStepsApproachTheImplicitOnes) {
  const auto tip_after = [](int iterations, double dt) {
    StepSettings settings;
    settings.newton_iterations = iterations;
    auto model = make_full_model(cantilever(rubber()), settings).value();
    EXPECT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
    const auto steps = static_cast<int>(std::lround(0.2 / dt));
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(model->step(i * dt, dt).healthy());
    return Vector3(model->displacements().segment<3>(3 * 8));
  };
  const double coarse = (tip_after(1, 0.004) - tip_after(30, 0.004)).norm();
  const double fine = (tip_after(1, 0.002) - tip_after(30, 0.002)).norm();
  ASSERT_GT(coarse, 1e-9);
  EXPECT_LT(fine, 0.4 * coarse);
}

TEST(FullModel, DrivenAnchorCarriesTheBodyRigidlyWhenSlow) {
  // a quarter turn in a hundred periods: the body follows its anchor
  Material material = rubber();
  material.young = 1e8;
  BodyDefinition definition;
  definition.elastic = box({0.4, 0.2, 0.2}, {4, 2, 2}, ElementKind::kTet, material);
  Motion motion;
  motion.rotation =
      RotationKeys{Vector3::UnitZ(), Vector3::Zero(), {0.0, 1.0}, {0.0, std::numbers::pi / 2.0}};
  motion.translation = TranslationKeys{{0.0, 1.0}, {Vector3::Zero(), Vector3(0, 0, 0.5)}};
  definition.supports.push_back(
      {"x = 0", vertices_where(definition.elastic->mesh(), [](const Vector3& x) { return x.x() == 0.0; }),
       motion});
  StepSettings settings;
  settings.integrator = Integrator::kBackwardEuler;  // the jerk at the start rings; let it die
  auto model = make_full_model(std::move(definition), settings).value();
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(model->step(0.01 * i, 0.01).healthy());
  for (Index v = 0; v < model->mesh().vertex_count(); ++v) {
    const Vector3& X = model->mesh().vertices[to_size(v)];
    const Vector3 expected(-X.y(), X.x(), X.z() + 0.5);
    EXPECT_LT((X + model->displacements().segment<3>(3 * v) - expected).norm(), 2e-3);
  }
}

TEST(FullModel, ABodyCarriedAlongAtConstantSpeedFeelsNothing) {
  for (const int iterations : {1, 20}) {
    BodyDefinition definition;
    definition.elastic = box({0.4, 0.2, 0.2}, {4, 2, 2}, ElementKind::kTet, rubber());
    Motion motion;
    motion.translation = TranslationKeys{{0.0, 1.0}, {Vector3::Zero(), Vector3(1, 0, 0)}};
    definition.supports.push_back(
        {"x = 0", vertices_where(definition.elastic->mesh(), [](const Vector3& x) { return x.x() == 0.0; }),
         motion});
    StepSettings settings;
    settings.newton_iterations = iterations;
    auto model = make_full_model(std::move(definition), settings).value();
    VectorX v = zeros(*model);
    for (Index i = 0; i < v.size(); i += 3) v[i] = 1.0;
    ASSERT_TRUE(model->start(0.0, zeros(*model), v).healthy());
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(model->step(1e-3 * i, 1e-3).healthy());
    EXPECT_LT(model->energies().strain, 1e-20) << iterations;
    EXPECT_NEAR(model->displacements()[3 * 4], 0.05, 1e-12);
  }
}

TEST(FullModel, StiffBodiesThatHardlyDeformConverge) {
  // steel under its weight: strains of 1e-7, where 1 + H would have rounded nine digits away
  for (const Law law :
       {Law::kLinear, Law::kCorotational, Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean})
    for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex})
      for (const Integrator integrator : {Integrator::kStatic, Integrator::kNewmark}) {
        Material steel;
        steel.law = law;
        steel.young = 2.1e11;
        steel.density = 7800.0;
        BodyDefinition definition;
        definition.elastic = box({0.2, 0.05, 0.05}, {8, 2, 2}, kind, steel);
        definition.supports.push_back(
            {"x = 0",
             vertices_where(definition.elastic->mesh(), [](const Vector3& x) { return x.x() == 0.0; }),
             {}});
        definition.loads.gravity = {0, 0, -9.81};
        StepSettings settings;
        settings.integrator = integrator;
        auto model = make_full_model(std::move(definition), settings).value();
        ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
        const StepReport report =
            integrator == Integrator::kStatic ? model->step_static(0.0, 1.0) : model->step(0.0, 1e-3);
        EXPECT_TRUE(report.healthy()) << law_name(law) << " residual " << report.residual;
      }
}

TEST(FullModel, DragHoldsAFallingPlateAtItsTerminalSpeed) {
  // ½ ρ c A v² = m g, with one Newton iteration and with many
  for (const int iterations : {1, 20}) {
    Material material = rubber();
    material.density = 10.0;
    BodyDefinition definition;
    definition.elastic = box({1.0, 1.0, 0.1}, {2, 2, 1}, ElementKind::kHex, material);
    Wind air;
    for (const BoundaryFace& face : boundary_faces(definition.elastic->mesh())) {
      bool low = true;
      for (const VertexId v : face.vertices)
        low = low && definition.elastic->mesh().vertices[to_size(v)].z() == 0.0;
      if (low) air.faces.push_back(face);
    }
    definition.loads.loads.push_back({"below", air, {}});
    definition.loads.gravity = {0, 0, -9.81};
    StepSettings settings;
    settings.newton_iterations = iterations;
    auto model = make_full_model(std::move(definition), settings).value();
    ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(model->step(0.01 * i, 0.01).healthy());
    const Momenta momenta = model->momenta();
    const double terminal = std::sqrt(momenta.mass * 9.81 / (0.5 * 1.225));
    EXPECT_NEAR(momenta.linear.z() / momenta.mass, -terminal, 0.01 * terminal) << iterations;
  }
}

TEST(FullModel, LoadsBeyondAllBoundsAreNotHealthy) {
  BodyDefinition definition = cantilever(rubber());
  definition.loads.gravity = {0, 0, -1e200};
  auto model = make_full_model(std::move(definition), {}).value();
  EXPECT_FALSE(model->start(0.0, zeros(*model), zeros(*model)).healthy() && model->step(0.0, 0.01).healthy());
}

TEST(FullModel, AFailedStepKeepsTheLastGoodState) {
  Material material = rubber();
  material.law = Law::kNeoHookean;
  StepSettings settings;
  settings.newton_iterations = 2;  // far too few for this step
  auto model = make_full_model(cantilever(material), settings).value();
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  ASSERT_TRUE(model->step(0.0, 1e-3).healthy());
  const VectorX u = model->displacements();
  const VectorX v = model->velocities();
  const StepReport report = model->step(1e-3, 2.0);
  EXPECT_EQ(report.trouble, StepTrouble::kNotConverged);
  EXPECT_TRUE(model->displacements() == u);
  EXPECT_TRUE(model->velocities() == v);
}

TEST(FullModel, SaveAndRestoreGoOnBitByBit) {
  auto first = make_full_model(cantilever(rubber()), {}).value();
  auto second = make_full_model(cantilever(rubber()), {}).value();
  ASSERT_TRUE(first->start(0.0, zeros(*first), zeros(*first)).healthy());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(first->step(0.01 * i, 0.01).healthy());
  ASSERT_TRUE(second->restore(first->save()).ok());
  for (int i = 5; i < 10; ++i) {
    ASSERT_TRUE(first->step(0.01 * i, 0.01).healthy());
    ASSERT_TRUE(second->step(0.01 * i, 0.01).healthy());
  }
  EXPECT_TRUE(first->displacements() == second->displacements());
  EXPECT_TRUE(first->velocities() == second->velocities());
  StateArrays broken = first->save();
  broken["u"].pop_back();
  EXPECT_FALSE(second->restore(broken).ok());
}

TEST(FullModel, ReactionsBalanceGravityAndInertia) {
  auto model = make_full_model(cantilever(rubber()), {}).value();
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  Vector3 before = model->momenta().linear;
  for (int i = 0; i < 20; ++i) {
    const Vector3 old_reaction = model->reactions()[0].force;
    ASSERT_TRUE(model->step(0.002 * i, 0.002).healthy());
    const Vector3 now = model->momenta().linear;
    const Vector3 weight = model->momenta().mass * Vector3(0, 0, -9.81);
    // the trapezoidal rule conserves this balance exactly: Δp = dt (mean reaction + weight)
    const Vector3 impulse = 0.002 * (0.5 * (old_reaction + model->reactions()[0].force) + weight);
    EXPECT_LT((now - before - impulse).norm(), 1e-7 * weight.norm() * 0.002 * 1e3);
    before = now;
  }
}

TEST(FullModel, UnusedVerticesStayAndHeldBodiesAreRefused) {
  VolumeMesh mesh = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet);
  mesh.vertices.emplace_back(9, 9, 9);
  BodyDefinition definition;
  definition.elastic = std::make_shared<ElasticBody>(mesh, MaterialMap{{rubber()}, {}});
  definition.loads.gravity = {0, 0, -1};
  auto model = make_full_model(definition, {}).value();
  EXPECT_EQ(model->dof_count(), 24);
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  ASSERT_TRUE(model->step(0.0, 0.1).healthy());
  EXPECT_EQ(model->displacements().tail<3>().norm(), 0.0);
  EXPECT_NEAR(model->displacements()[2], -0.5 * 0.01, 1e-12);  // free fall, exact for the trapezoidal rule

  definition.supports.push_back({"all", vertices_where(mesh, [](const Vector3&) { return true; }), {}});
  EXPECT_FALSE(make_full_model(definition, {}).ok());
  definition.supports = {{"bad", {77}, {}}};
  EXPECT_EQ(make_full_model(definition, {}).error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace pliant
