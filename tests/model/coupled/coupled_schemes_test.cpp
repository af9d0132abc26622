// Steps of coupled domains beside `full` with a complete basis, under wild pulls, by the published schemes,
// and with springs in place of the elements between domains.
#include "model/coupled/coupled_case.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/reduce/interface_springs.hpp"
#include "support/point_laws.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::coupled_beam;
using test::CoupledCase;
using test::steps_by;

const Vector3 kTip(1.0, 0.2, 0.1);

/// All shapes of each domain. The elements between domains have no mass to speak of, so that C1 is the
/// consistent mass.
CoupledCase complete_beam(const std::function<bool(const Vector3&)>& held, double young = 1e6) {
  DomainBasisSettings settings;
  settings.kind = DomainBasis::kModes;
  settings.modes = 1000;
  settings.linear_modes = 1000;
  CoupledSource source = test::beam_source(2, settings, false, {6, 1, 1});
  const VolumeMesh mesh = source.elastic->mesh();
  MaterialMap materials{{test::soft(), test::soft()}, {}};
  for (Material& material : materials.materials) material.young = young;
  materials.materials[1].density = 1e-9;
  for_each_element(mesh, [&](Index, std::span<const VertexId> vertices) {
    bool couples = false;
    for (const VertexId v : vertices)
      couples = couples || source.domain_of[to_size(v)] != source.domain_of[to_size(vertices[0])];
    materials.of_element.push_back(couples ? 1 : 0);
  });
  source.held = test::vertices_where(mesh, held);
  source.elastic = std::make_shared<const ElasticBody>(mesh, materials);
  return CoupledCase(std::move(source));
}

bool at_the_end(const Vector3& x) { return x.x() < 1e-9; }
/// Along one edge and at another corner: each domain is anchored.
bool along_an_edge(const Vector3& x) {
  return x.y() < 1e-9 && (x.z() < 1e-9 || x.x() < 1e-9 || x.x() > 0.99);
}

TEST(CoupledComplete, HasTheUnknownsOfFull) {
  for (const auto& held : {at_the_end, along_an_edge}) {
    const CoupledCase body = complete_beam(held);
    const StepSettings settings = steps_by(Integrator::kMidpoint);
    EXPECT_EQ(body.coupled(settings)->dof_count(), body.full(settings)->dof_count());
  }
}

TEST(CoupledComplete, SagsAsFull) {
  CoupledCase body = complete_beam(at_the_end);
  body.loads.gravity = Vector3(0.0, 0.0, -9.81);
  const std::unique_ptr<Model> coupled = body.coupled(steps_by(Integrator::kStatic, 1e-12));
  const std::unique_ptr<Model> full = body.full(steps_by(Integrator::kStatic, 1e-12));
  for (Model* model : {coupled.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < 4; ++n) ASSERT_TRUE(model->step_static(0.25 * n, 0.25 * (n + 1)).healthy());
  }
  EXPECT_LT(test::relative_error(coupled->displacements(), full->displacements()), 1e-9);
}

TEST(CoupledComplete, HasTheFrequenciesOfFull) {
  const CoupledCase body = complete_beam(at_the_end);
  const Model::Frequencies ours =
      body.coupled(steps_by(Integrator::kMidpoint))->natural_frequencies(10).value();
  const Model::Frequencies truth =
      body.full(steps_by(Integrator::kMidpoint))->natural_frequencies(10).value();
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(ours.hz[i] / truth.hz[i], 1.0, 1e-9);
}

/// Without frames the steps are the same, too: forces in the middle, at both ends, at the end.
TEST(CoupledComplete, StepsAsFull) {
  CoupledCase body = complete_beam(along_an_edge);
  body.loads.gravity = Vector3(0.0, 300.0, -200.0);
  for (const Integrator integrator :
       {Integrator::kMidpoint, Integrator::kNewmark, Integrator::kBackwardEuler}) {
    const std::unique_ptr<Model> coupled = body.coupled(steps_by(integrator, 1e-12));
    const std::unique_ptr<Model> full = body.full(steps_by(integrator, 1e-12));
    double error = 0.0, peak = 0.0;
    for (Model* model : {coupled.get(), full.get()})
      ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < 40; ++n) {
      for (Model* model : {coupled.get(), full.get()}) ASSERT_TRUE(model->step(n * 0.004, 0.004).healthy());
      error = std::max(error, (coupled->displacements() - full->displacements()).cwiseAbs().maxCoeff());
      peak = std::max(peak, full->displacements().cwiseAbs().maxCoeff());
    }
    EXPECT_GT(peak, 0.005);
    EXPECT_LT(error, 1e-9 * peak) << static_cast<int>(integrator);
  }
}

/// With frames both move alike up to a difference of even powers of the step, as in every symmetric scheme;
/// taken to Δt = 0 (Richardson), nothing of it is left.
TEST(CoupledComplete, MovesAsFullWithFrames) {
  CoupledCase body = complete_beam(at_the_end, 1e4);
  body.loads.gravity = Vector3(0.0, 0.0, -9.81);
  std::vector<VectorX> coupled, full;  // at the end, by the number of halvings
  for (int halvings = 0; halvings < 5; ++halvings) {
    const int steps = 50 << halvings;
    for (auto& [list, model] : {std::pair(&coupled, body.coupled(steps_by(Integrator::kMidpoint, 1e-13))),
                                std::pair(&full, body.full(steps_by(Integrator::kMidpoint, 1e-13)))}) {
      ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
      for (int n = 0; n < steps; ++n) ASSERT_TRUE(model->step(n * 0.2 / steps, 0.2 / steps).healthy());
      list->push_back(model->displacements());
    }
  }
  const auto difference = [&](std::size_t i) { return test::relative_error(coupled[i], full[i]); };
  EXPECT_NEAR(difference(3) / difference(4), 4.0, 0.1);
  for (std::vector<VectorX>* list : {&coupled, &full})
    for (double power = 4.0; list->size() > 1; power *= 4.0) {
      for (std::size_t i = 0; i + 1 < list->size(); ++i)
        (*list)[i] = (power * (*list)[i + 1] - (*list)[i]) / (power - 1.0);
      list->pop_back();
    }
  EXPECT_LT(difference(0), 1e-9);
}

/// Lets a beam pulled by its end go, and tells how much of its energy is left.
double energy_left(const CoupledCase& body, CoupledScheme scheme, double rate, double seconds) {
  const std::unique_ptr<Model> statics = body.coupled(steps_by(Integrator::kStatic));
  EXPECT_TRUE(statics->start(0.0, body.zero(), body.zero()).healthy());
  EXPECT_TRUE(statics->step_static(0.0, 1.0).healthy());
  const std::unique_ptr<Model> model =
      make_coupled_model({body.body, body.supports, {}, {}, scheme}, steps_by(Integrator::kBackwardEuler))
          .value();
  EXPECT_TRUE(model->start(0.0, statics->displacements(), body.zero()).healthy());
  const double before = test::total(model->energies());
  const int steps = static_cast<int>(std::lround(seconds * rate));
  for (int n = 0; n < steps; ++n) EXPECT_TRUE(model->step(n / rate, 1.0 / rate).healthy());
  return test::total(model->energies()) / before;
}

/// A study of the same schemes with another basis, before this code was written: 0.900 and 0.958 by one step,
/// 0.651 and 0.408 by two. The two-step scheme gets worse with smaller steps.
TEST(CoupledPublished, LosesEnergyAsReported) {
  const CoupledCase body = coupled_beam(2, 20, 3.0);
  const double coarse = energy_left(body, CoupledScheme::kOneStep, 90.0, 0.5);
  const double fine = energy_left(body, CoupledScheme::kOneStep, 240.0, 0.5);
  EXPECT_NEAR(coarse, 0.90, 0.03);
  EXPECT_NEAR(fine, 0.958, 0.015);
  const double two = energy_left(body, CoupledScheme::kTwoStep, 90.0, 0.5);
  EXPECT_LT(two, 0.8);
  EXPECT_LT(energy_left(body, CoupledScheme::kTwoStep, 240.0, 0.5), two);
}

/// Both are of first order: the difference from the default halves with the step.
TEST(CoupledPublished, ConvergesToTheDefault) {
  const CoupledCase body = coupled_beam(3, 8, 3.0, true, {9, 2, 2});
  const VertexId tip = body.near(kTip);
  const auto end = [&](CoupledScheme scheme, int steps) {
    const Integrator integrator =
        scheme == CoupledScheme::kNewton ? Integrator::kEnergyMomentum : Integrator::kBackwardEuler;
    const std::unique_ptr<Model> model =
        make_coupled_model({body.body, body.supports, body.loads, {}, scheme}, steps_by(integrator, 1e-11))
            .value();
    EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int n = 0; n < steps; ++n) EXPECT_TRUE(model->step(0.1 * n / steps, 0.1 / steps).healthy());
    return model->displacement(tip);
  };
  const Vector3 exact = end(CoupledScheme::kNewton, 800);
  const double coarse = (end(CoupledScheme::kOneStep, 800) - exact).norm();
  EXPECT_NEAR(coarse / (end(CoupledScheme::kOneStep, 1600) - exact).norm(), 2.0, 0.2);
}

TEST(CoupledPublished, RefusesOtherIntegratorsAndMovingSupports) {
  CoupledCase body = coupled_beam(2, 4, 0.0, true, {6, 2, 2});
  CoupledDefinition definition{body.body, body.supports, {}, {}, CoupledScheme::kOneStep};
  EXPECT_FALSE(make_coupled_model(definition, steps_by(Integrator::kEnergyMomentum)).ok());
  definition.supports[0].motion = Motion{};
  EXPECT_FALSE(make_coupled_model(definition, steps_by(Integrator::kBackwardEuler)).ok());
}

TEST(InterfaceSprings, HaveAForceAndAStiffness) {
  const CoupledCase body = coupled_beam(3, 4, 0.0, true, {6, 2, 2});
  std::vector<Index> domains;
  SubMesh part = extract_elements(body.elastic->mesh(), body.body->coupling_elements);
  for (const VertexId v : part.vertices) domains.push_back(body.body->domain_of[to_size(v)]);
  const ElasticBody layer(std::move(part.mesh), MaterialMap{{test::soft()}, {}});
  const auto springs = make_interface_springs(layer, domains, 50.0);
  Rng random(3);
  const Index n = springs->dof_count();
  const VectorX u = 0.02 * test::random_vector(n, random), u1 = 0.02 * test::random_vector(n, random);
  VectorX f(n), mean(n);
  SparseMatrix K = springs->make_matrix();
  ASSERT_TRUE(springs->force(u, f) && springs->stiffness(u, false, K));
  const VectorX slope = test::gradient([&](const VectorX& x) { return springs->energy(x); }, u, 1e-4);
  EXPECT_LT(test::relative_error(f, slope), 1e-8);
  const VectorX way = test::random_vector(n, random);
  VectorX ahead(n), behind(n);
  ASSERT_TRUE(springs->force(u + 1e-6 * way, ahead) && springs->force(u - 1e-6 * way, behind));
  EXPECT_LT(test::relative_error(K.selfadjointView<Eigen::Lower>() * way, (ahead - behind) / 2e-6), 1e-6);
  ASSERT_TRUE(springs->mean_force(u, u1, mean));
  EXPECT_NEAR(mean.dot(u1 - u), springs->energy(u1) - springs->energy(u), 1e-12);
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (Index i = 0; i < n; i += 3) {
    force += mean.segment<3>(i);
    moment += Vector3(layer.rest_positions().segment<3>(i) + 0.5 * (u + u1).segment<3>(i))
                  .cross(Vector3(mean.segment<3>(i)));
  }
  EXPECT_LT(force.norm() + moment.norm(), 1e-13 * mean.norm() * static_cast<double>(n));
}

/// Steps by backward Euler keep the linear and the angular momentum of a body in flight.
TEST(CoupledWild, DampedStepsKeepMomenta) {
  const CoupledCase body = coupled_beam(3, 8, 0.0, false, {9, 2, 2});
  StepSettings settings = steps_by(Integrator::kEnergyMomentum, 1e-10);
  settings.newton_iterations = 12;
  const std::unique_ptr<Model> model = body.coupled(settings);
  const VectorX v = test::tumbling(*body.elastic, Vector3(0.5, 0.1, 0.05), 30.0, 60.0);
  ASSERT_TRUE(model->start(0.0, body.zero(), v).healthy());
  const Momenta before = model->momenta();
  int damped = 0;
  for (int n = 0; n < 60; ++n) {
    const StepReport report = model->step(n / 60.0, 1.0 / 60.0);
    ASSERT_TRUE(report.healthy()) << n;
    damped += report.damped_parts > 0 ? 1 : 0;
  }
  const Momenta after = model->momenta();
  EXPECT_GT(damped, 0);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-7 * before.angular.norm());
}

}  // namespace
}  // namespace pliant
