// Edits while running, states to go back to, steps that allocate nothing, requests that cannot be met.
#include "model/modal/bodies.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::Pair;

/// Two materials, held or free.
Pair two_groups(bool held) {
  Pair pair;
  const VolumeMesh mesh = generate_box({0.6, 0.2, 0.2}, {6, 2, 2}, ElementKind::kHex);
  MaterialMap map;
  map.materials.resize(2);
  map.materials[0].young = 3e4;
  map.materials[1].young = 9e4;
  map.materials[1].poisson = 0.4;
  map.materials[1].density = 700.0;
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) map.of_element.push_back(e % 3 == 0 ? 1 : 0);
  pair.elastic = std::make_shared<ElasticBody>(mesh, map);
  if (held)
    pair.supports = {
        {"root",
         test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-6; }),
         {}}};
  pair.loads.gravity = {0.0, 0.0, -4.0};
  BasisSettings settings;
  settings.linear_modes = 5;
  settings.modes = 14;
  test::reduce(pair, settings);
  return pair;
}

std::vector<Material> edited(const Pair& pair) {
  std::vector<Material> materials = pair.elastic->materials().materials;
  materials[0].young *= 2.0;
  materials[0].poisson = 0.2;
  materials[1].density *= 1.7;
  return materials;
}

VectorX start_velocity(const Pair& pair) {
  VectorX v(pair.elastic->dof_count());
  for (Index i = 0; i < v.size(); i += 3)
    v.segment<3>(i) =
        Vector3(0.2, 0.1, 0.0) + Vector3(1.0, -1.0, 2.0).cross(pair.elastic->rest_positions().segment<3>(i));
  return v;
}

TEST(ModalEdit, EqualsARebuildOfPolynomialsAndMassOnTheSameBasis) {
  for (const bool held : {true, false}) {
    const Pair pair = two_groups(held);
    Pair rebuilt = pair;
    MaterialMap map = pair.elastic->materials();
    map.materials = edited(pair);
    rebuilt.elastic = std::make_shared<ElasticBody>(pair.elastic->mesh(), map);
    auto again = reduce_body(*rebuilt.elastic, pair.reduced->basis, no_progress());
    ASSERT_TRUE(again.ok());
    if (!held) again.value().origin = pair.reduced->origin;
    rebuilt.reduced = std::make_shared<const ReducedBody>(std::move(again).value());
    if (!held) continue;  // another origin: compared below by its motion
    auto a = pair.modal({});
    auto b = rebuilt.modal({});
    ASSERT_TRUE(a->set_materials(edited(pair)).ok());
    const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
    const VectorX v = start_velocity(pair);
    for (Model* model : {a.get(), b.get()}) {
      ASSERT_TRUE(model->start(0.0, zero, v).healthy());
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(model->step(i * 0.002, 0.002).healthy());
    }
    EXPECT_LT(test::relative_error(a->coordinates(), b->coordinates()), 1e-12);
    EXPECT_NEAR(a->energies().strain, b->energies().strain, 1e-12 * b->energies().strain);
    EXPECT_NEAR(a->momenta().mass, b->momenta().mass, 1e-12 * b->momenta().mass);
    // and the edit matters
    auto untouched = pair.modal({});
    ASSERT_TRUE(untouched->start(0.0, zero, v).healthy());
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(untouched->step(i * 0.002, 0.002).healthy());
    EXPECT_GT(test::relative_error(untouched->coordinates(), b->coordinates()), 1e-2);
  }
}

TEST(ModalEdit, FreeBodyKeepsItsMomentaAfterADensityEdit) {
  Pair pair = two_groups(false);
  pair.loads.gravity.setZero();
  auto model = pair.modal({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  ASSERT_TRUE(model->start(0.0, zero, start_velocity(pair)).healthy());
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(model->step(i * 0.002, 0.002).healthy());
  const VectorX before = model->velocities();
  const VectorX place = model->displacements();
  ASSERT_TRUE(model->set_materials(edited(pair)).ok());
  EXPECT_EQ(test::relative_error(model->velocities(), before), 0.0);  // an edit moves nothing
  EXPECT_EQ(test::relative_error(model->displacements(), place), 0.0);
  const Momenta first = model->momenta();
  for (int i = 50; i < 150; ++i) ASSERT_TRUE(model->step(i * 0.002, 0.002).healthy());
  const Momenta last = model->momenta();
  EXPECT_LT((last.linear - first.linear).norm(), 1e-12 * first.linear.norm());
  EXPECT_LT((last.angular - first.angular).norm(), 1e-11 * first.angular.norm());
  EXPECT_LT((last.center - first.center - 0.2 * first.linear / first.mass).norm(), 1e-12);
}

// What falls goes on falling as fast, however heavy it becomes.
TEST(ModalEdit, FreeBodyFallsOnAfterADensityEdit) {
  const Pair pair = two_groups(false);
  auto model = pair.modal({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(model->step(i * 0.002, 0.002).healthy());
  std::vector<Material> materials = pair.elastic->materials().materials;
  for (Material& material : materials) material.density *= 10.0;
  ASSERT_TRUE(model->set_materials(materials).ok());
  ASSERT_TRUE(model->step(0.02, 0.002).healthy());
  const Momenta m = model->momenta();
  EXPECT_LT((m.linear / m.mass - 0.022 * pair.loads.gravity).norm(), 1e-12);
}

TEST(ModalEdit, FullFollowsTheSameEdit) {
  const Pair pair = two_groups(true);
  auto full = pair.full({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  ASSERT_TRUE(full->start(0.0, zero, zero).healthy());
  ASSERT_TRUE(full->set_materials(edited(pair)).ok());
  Pair rebuilt = pair;
  MaterialMap map = pair.elastic->materials();
  map.materials = edited(pair);
  rebuilt.elastic = std::make_shared<ElasticBody>(pair.elastic->mesh(), map);
  EXPECT_EQ(full->natural_frequencies(3).value().hz, rebuilt.full({})->natural_frequencies(3).value().hz);
}

TEST(ModalState, SavedAndRestoredRunsGoOnBitByBit) {
  for (const bool held : {true, false}) {
    const Pair pair = two_groups(held);
    auto a = pair.modal({});
    auto b = pair.modal({});
    const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
    ASSERT_TRUE(a->start(0.0, zero, start_velocity(pair)).healthy());
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(a->step(i * 0.002, 0.002).healthy());
    ASSERT_TRUE(b->restore(a->save()).ok());
    for (int i = 10; i < 30; ++i) {
      ASSERT_TRUE(a->step(i * 0.002, 0.002).healthy());
      ASSERT_TRUE(b->step(i * 0.002, 0.002).healthy());
    }
    EXPECT_EQ(a->save(), b->save());
    EXPECT_TRUE(a->displacements() == b->displacements());
  }
}

TEST(ModalState, ForeignStatesAreRefusedAndLeaveTheModelAsItWas) {
  const Pair pair = two_groups(true);
  auto model = pair.modal({});
  StateArrays arrays = model->save();
  arrays["q"].pop_back();
  const Status shorter = model->restore(arrays);
  ASSERT_FALSE(shorter.ok());
  EXPECT_EQ(shorter.error().code, ErrorCode::kInconsistent);
  arrays = model->save();
  arrays["qd"][3] = std::nan("");
  EXPECT_FALSE(model->restore(arrays).ok());
  arrays.erase("qd");
  EXPECT_FALSE(model->restore(arrays).ok());
}

TEST(ModalModel, StepsAllocateNothing) {
  if (!test::counts_allocations())
    GTEST_SKIP() << "the heap belongs to a sanitizer: allocations are NOT counted";
  for (const int kind : {0, 1, 2}) {  // standing, driven, free
    Pair pair = two_groups(kind != 2);
    if (kind == 1) {
      Motion motion;
      motion.oscillation = Oscillation{{0.01, 0.0, 0.02}, 2.0};
      pair.supports.front().motion = motion;
    }
    Wind wind;
    wind.faces = boundary_faces(pair.elastic->mesh());
    wind.velocity = {0.0, 5.0, 0.0};
    pair.loads.loads.push_back({"wind", wind, {}});
    for (const int iterations : {1, 20}) {
      StepSettings settings;
      settings.newton_iterations = iterations;
      settings.stiffness_damping = 1e-3;
      auto model = pair.modal(settings);
      const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
      ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
      ASSERT_TRUE(model->step(0.0, 0.002).healthy());
      const std::size_t before = test::allocation_count();
      bool healthy = true;
      for (int i = 1; i < 20; ++i) healthy = model->step(i * 0.002, 0.002).healthy() && healthy;
      EXPECT_EQ(test::allocation_count() - before, 0U) << "frame " << kind << ", iterations " << iterations;
      EXPECT_TRUE(healthy);
    }
  }
}

TEST(ModalModel, RefusesWhatItCannotFollow) {
  Pair pair = two_groups(true);
  Support other{"tip", {6}, Motion{}};
  pair.supports.push_back(other);
  const auto both =
      make_modal_model({pair.reduced, pair.elastic, nullptr, pair.supports, {}, Storage::kDouble, false}, {});
  ASSERT_FALSE(both.ok());
  EXPECT_EQ(both.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(both.error().where.key, "tip");
  const Pair loose = two_groups(false);
  StepSettings statics;
  statics.integrator = Integrator::kStatic;
  EXPECT_FALSE(
      make_modal_model({loose.reduced, loose.elastic, nullptr, {}, {}, Storage::kDouble, false}, statics)
          .ok());
}

// As a program that only runs built models has it.
TEST(ModalModel, DoesWithoutElementsWhatItCan) {
  const Pair pair = two_groups(true);
  const auto definition = [&] {
    return ModalDefinition{pair.reduced, pair.elastic, nullptr, pair.supports, pair.loads};
  };
  const auto alone = make_modal_model(definition(), {}).value(), beside = pair.modal({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  for (Model* model : {alone.get(), beside.get()}) {
    ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(model->step(i * 0.01, 0.01).healthy());
  }
  EXPECT_EQ(alone->displacements(), beside->displacements());
  EXPECT_TRUE(beside->von_mises().allFinite());
  EXPECT_EQ(alone->von_mises().size(), pair.elastic->mesh().element_count());
  EXPECT_TRUE(alone->von_mises().array().isNaN().all());  // nobody can take it for a stress
  ModalDefinition exact = definition();
  exact.exact = true;
  const auto refused = make_modal_model(std::move(exact), {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
}

TEST(ModalModel, ExplicitStepsBeyondTheLimitAreRefused) {
  const Pair pair = two_groups(true);
  StepSettings settings;
  settings.integrator = Integrator::kCentralDifferences;
  auto model = pair.modal(settings);
  const auto modes = model->natural_frequencies(14).value();
  const double limit = 2.0 / (2.0 * 3.14159265358979 * modes.hz.back());
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
  EXPECT_EQ(model->step(0.0, 1.01 * limit).trouble, StepTrouble::kStepTooLong);
  EXPECT_TRUE(model->step(0.0, 0.9 * limit).healthy());
}

// A force that sets in while the body rests is no blow-up: an explicit step has moved nothing yet.
TEST(ModalModel, ExplicitStepsTakeUpAForceFromRest) {
  Pair pair = two_groups(true);
  pair.loads.gravity.setZero();
  StepSettings settings;
  settings.integrator = Integrator::kCentralDifferences;
  auto model = pair.modal(settings);
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
  model->set_gravity({0.0, 0.0, -4.0});
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(model->step(i * 1e-3, 1e-3).healthy());
  EXPECT_LT(model->displacement(6).z(), 0.0);
}

// Lengths in µm: coefficients of degree 4 are about 1e42 there, more than a float holds.
TEST(ModalModel, FloatStorageServesTinyBodies) {
  Pair pair;
  Material material;
  material.young = 1.0;
  pair.elastic = std::make_shared<ElasticBody>(generate_box({1e-6, 2e-7, 2e-7}, {6, 2, 2}, ElementKind::kHex),
                                               MaterialMap{{material}, {}});
  pair.supports = {{"root",
                    test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-9; }),
                    {}}};
  pair.loads.gravity = {0.0, 0.0, -9.81};
  BasisSettings basis;
  basis.linear_modes = 5;
  basis.modes = 10;
  test::reduce(pair, basis);
  const auto wide = pair.modal({});
  const auto narrow = pair.modal({}, Storage::kFloat);
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  for (Model* model : {wide.get(), narrow.get()}) {
    ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(model->step(i * 4e-6, 4e-6).healthy());
  }
  EXPECT_GT(wide->displacements().cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT(test::relative_error(narrow->displacements(), wide->displacements()), 1e-5);
}

}  // namespace
}  // namespace pliant
