// Domains that stay unreduced within `coupled`: forces and stiffness by finite differences, beside `full`,
// momenta, statics, frequencies, reactions, resuming, threads.
#include "pliant/model/coupled/full_domains.hpp"

#include "model/coupled/coupled_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/model/coupled/coupled_state.hpp"
#include "pliant/model/coupled/full_cells.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace pliant::test {
namespace {

constexpr std::array<Index, 3> kCells{12, 3, 2};

/// A beam in slices, some of which are full.
CoupledCase beam_with_full(const std::vector<char>& full, bool held, double g = 9.81, Index r = 20,
                           Law law = Law::kStvk, ElementKind kind = ElementKind::kTet) {
  DomainBasisSettings settings;
  settings.modes = r;
  CoupledSource source = beam_source(std::ssize(full), settings, held, kCells, kind, law);
  source.full = full;
  CoupledCase made(std::move(source));
  made.loads.gravity = Vector3(0.0, 0.0, -g);
  return made;
}

double distance(const VectorX& a, const VectorX& b) { return (a - b).norm() / b.norm(); }

struct LawsAndKinds : testing::TestWithParam<std::pair<Law, ElementKind>> {};

TEST_P(LawsAndKinds, ForcesFollowFromEnergiesAndStiffnessFromForces) {
  const auto [law, kind] = GetParam();
  const CoupledCase made = beam_with_full({0, 1}, true, 0.0, 10, law, kind);
  const std::shared_ptr<const CoupledBody> body = divide_full_domains(made.body);
  const CoupledLayout layout(*body);
  FullDomains full(*body, layout);
  CoupledShape shape = coupled_state_at_rest(*body, layout).shape;
  Rng rng(3);
  VectorX u(made.elastic->dof_count());
  for (double& x : u) x = 2e-3 * rng.normal();
  full.set_displacements(u, shape);
  const auto force = [&](const CoupledShape& at) {
    CoupledTrial trial(layout, at);
    trial.stand(at);
    SiteForces sum{Matrix6X::Zero(6, layout.count()), VectorX::Zero(layout.coordinates())};
    EXPECT_TRUE(full.add_elastic(trial, sum));
    return sum.q;
  };
  std::vector<Index> sizes;
  std::vector<BlockPair> pairs;
  for (Index d = 0; d < layout.count(); ++d)
    sizes.push_back(layout.frame_size[to_size(d)] + layout.size(to_size(d)));
  for (const auto& [a, b] : body->pairs) pairs.push_back({a, b});
  BlockCholesky S(sizes, pairs);
  const std::vector<double> ones(sizes.size(), 1.0);
  const VectorX f = force(shape);
  ASSERT_TRUE(full.add_stiffness(shape, false, ones, S));
  MatrixX K = MatrixX::Zero(layout.unknowns(), layout.unknowns());
  const auto copy = [&](Index i, Index j) {
    K.block(layout.starts[to_size(i)], layout.starts[to_size(j)], sizes[to_size(i)], sizes[to_size(j)]) =
        S.block(i, j);
  };
  for (Index d = 0; d < layout.count(); ++d) copy(d, d);
  for (const auto& [a, b] : body->pairs) copy(b, a);
  const MatrixX symmetric = K.selfadjointView<Eigen::Lower>();
  VectorX change = VectorX::Zero(layout.coordinates());
  const Index cells = layout.q_starts[to_size(layout.reduced)];
  for (Index i = cells; i < change.size(); ++i) change[i] = rng.normal();
  const double h = 1e-5 * shape.q.norm() / change.norm();
  CoupledShape ahead = shape, behind = shape;
  ahead.q += h * change;
  behind.q -= h * change;
  const double slope = (full.elastic_energy(ahead) - full.elastic_energy(behind)) / (2.0 * h);
  EXPECT_NEAR(slope, f.dot(change), 1e-5 * f.norm() * change.norm());
  const VectorX difference = (force(ahead) - force(behind)) / (2.0 * h);
  const Index n = change.size() - cells;
  const VectorX product = symmetric.bottomRightCorner(n, n) * change.tail(n);
  EXPECT_LT((difference.tail(n) - product).norm(), 1e-6 * product.norm());
}

INSTANTIATE_TEST_SUITE_P(FullDomains, LawsAndKinds,
                         testing::Values(std::pair(Law::kStvk, ElementKind::kTet),
                                         std::pair(Law::kNeoHookean, ElementKind::kTet),
                                         std::pair(Law::kCorotational, ElementKind::kHex),
                                         std::pair(Law::kStvk, ElementKind::kTet10)));

/// Damping by the stiffness takes that where the step begins, `full` that of the trial.
TEST(FullDomains, StiffnessDampingIsNearlyThatOfFull) {
  const CoupledCase made = beam_with_full({1, 1}, true, 3.0);
  StepSettings settings = steps_by(Integrator::kMidpoint, 1e-11);
  settings.stiffness_damping = 2e-3;
  const std::unique_ptr<Model> coupled = made.coupled(settings), full = made.full(settings);
  for (Model* model : {coupled.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(model->step(i / 120.0, 1.0 / 120.0).healthy());
  }
  EXPECT_LT(distance(coupled->displacements(), full->displacements()), 1e-3);
}

struct Integrators : testing::TestWithParam<Integrator> {};

TEST_P(Integrators, AllDomainsFullIsFull) {
  for (const bool held : {true, false}) {
    const CoupledCase made = beam_with_full({1, 1, 1}, held);
    StepSettings settings = steps_by(GetParam(), 1e-11);
    settings.mass_damping = 0.3;
    const std::unique_ptr<Model> coupled = made.coupled(settings), full = made.full(settings);
    EXPECT_EQ(coupled->dof_count(), full->dof_count());
    const VectorX v = tumbling(*made.elastic, Vector3(0.5, 0.1, 0.05), held ? 0.0 : 4.0, 1.0);
    ASSERT_TRUE(coupled->start(0.0, made.zero(), v).healthy());
    ASSERT_TRUE(full->start(0.0, made.zero(), v).healthy());
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(coupled->step(i / 120.0, 1.0 / 120.0).healthy());
      ASSERT_TRUE(full->step(i / 120.0, 1.0 / 120.0).healthy());
    }
    EXPECT_LT(distance(coupled->displacements(), full->displacements()), 1e-9);
    EXPECT_LT(distance(coupled->velocities(), full->velocities()), 1e-8);
    EXPECT_NEAR(coupled->energies().kinetic, full->energies().kinetic, 1e-8 * full->energies().kinetic);
    EXPECT_NEAR(coupled->energies().strain, full->energies().strain, 1e-8 * full->energies().strain);
    EXPECT_NEAR(coupled->energies().potential, full->energies().potential,
                1e-8 * std::abs(full->energies().potential));
    EXPECT_LT((coupled->momenta().angular - full->momenta().angular).norm(),
              1e-8 * (1.0 + full->momenta().angular.norm()));
    EXPECT_LT((coupled->von_mises() - full->von_mises()).norm(), 1e-7 * full->von_mises().norm());
  }
}

INSTANTIATE_TEST_SUITE_P(FullDomains, Integrators,
                         testing::Values(Integrator::kEnergyMomentum, Integrator::kMidpoint,
                                         Integrator::kNewmark, Integrator::kBackwardEuler));

TEST(FullDomains, StaticsFrequenciesAndReactionsAreThoseOfFull) {
  const CoupledCase made = beam_with_full({1, 1}, true, 3.0);
  const std::unique_ptr<Model> coupled = made.coupled(steps_by(Integrator::kStatic, 1e-11)),
                               full = made.full(steps_by(Integrator::kStatic, 1e-11));
  for (Model* model : {coupled.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
    ASSERT_TRUE(model->step_static(0.0, 0.5).healthy());
    ASSERT_TRUE(model->step_static(0.5, 1.0).healthy());
  }
  EXPECT_LT(distance(coupled->displacements(), full->displacements()), 1e-9);
  const Reaction ours = coupled->reactions().at(0), theirs = full->reactions().at(0);
  EXPECT_NEAR(ours.force.z(), 3.0 * coupled->momenta().mass, 1e-6 * 3.0 * coupled->momenta().mass);
  EXPECT_LT((ours.force - theirs.force).norm(), 1e-6 * theirs.force.norm());
  EXPECT_LT((ours.moment - theirs.moment).norm(), 1e-6 * theirs.moment.norm());
  const auto a = coupled->natural_frequencies(6).value().hz, b = full->natural_frequencies(6).value().hz;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a[i], b[i], 1e-8 * b[i]);
}

TEST(FullDomains, FreeBodiesHaveSixRigidModes) {
  const CoupledCase made = beam_with_full({0, 1, 0}, false, 0.0, 40);
  const std::unique_ptr<Model> model = made.coupled(steps_by(Integrator::kMidpoint));
  const Model::Frequencies modes = model->natural_frequencies(4).value();
  EXPECT_EQ(modes.rigid, 6);
  // Beside domains that are reduced finely, which have the same mass (Eq. C1).
  const CoupledCase reduced = beam_with_full({0, 0, 0}, false, 0.0, 60);
  const auto theirs = reduced.coupled(steps_by(Integrator::kMidpoint))->natural_frequencies(4).value();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(modes.hz[i], theirs.hz[i], 5e-3 * theirs.hz[i]);
}

TEST(FullDomains, AFullMiddleMovesAsInFull) {
  const CoupledCase made = beam_with_full({0, 1, 0}, true, 3.0, 30);
  const StepSettings settings = steps_by(Integrator::kEnergyMomentum);
  const std::unique_ptr<Model> coupled = made.coupled(settings), full = made.full(settings);
  for (Model* model : {coupled.get(), full.get()})
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
  double worst = 0.0, peak = 0.0;
  for (int i = 0; i < 90; ++i) {
    ASSERT_TRUE(coupled->step(i / 90.0, 1.0 / 90.0).healthy());
    ASSERT_TRUE(full->step(i / 90.0, 1.0 / 90.0).healthy());
    for (const VertexId v : made.body->domains[1].vertices) {
      worst = std::max(worst, (coupled->displacement(v) - full->displacement(v)).norm());
      peak = std::max(peak, full->displacement(v).norm());
    }
  }
  EXPECT_GT(peak, 0.1);
  EXPECT_LT(worst, 0.01 * peak);
}

TEST(FullDomains, AFlightKeepsMomentaAndEnergy) {
  const CoupledCase made = beam_with_full({0, 1, 0, 1}, false, 0.0);
  const std::unique_ptr<Model> model = made.coupled(steps_by(Integrator::kEnergyMomentum, 1e-10));
  const VectorX v = tumbling(*made.elastic, Vector3(0.5, 0.1, 0.05), 4.6, 1.0);
  ASSERT_TRUE(model->start(0.0, made.zero(), v).healthy());
  const Momenta first = model->momenta();
  const Energies before = model->energies();
  for (int i = 0; i < 90; ++i) ASSERT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
  const Momenta last = model->momenta();
  EXPECT_NEAR(last.mass, made.elastic->total_mass(), 1e-10);
  EXPECT_LT((last.linear - first.linear).norm(), 1e-9 * first.linear.norm());
  EXPECT_LT((last.angular - first.angular).norm(), 1e-7 * first.angular.norm());
  EXPECT_NEAR(total(model->energies()), total(before), 5e-4 * total(before));
}

TEST(FullDomains, DampedStepsKeepTheMomenta) {
  const CoupledCase made = beam_with_full({0, 1, 0}, false, 0.0, 8);
  StepSettings settings = steps_by(Integrator::kEnergyMomentum, 1e-10);
  settings.newton_iterations = 12;
  const std::unique_ptr<Model> model = made.coupled(settings);
  const VectorX v = tumbling(*made.elastic, Vector3(0.5, 0.1, 0.05), 30.0, 60.0);
  ASSERT_TRUE(model->start(0.0, made.zero(), v).healthy());
  const Momenta first = model->momenta();
  int damped = 0;
  for (int i = 0; i < 30; ++i) {
    const StepReport report = model->step(i / 60.0, 1.0 / 60.0);
    ASSERT_TRUE(report.healthy()) << i;
    damped += report.damped_parts;
  }
  EXPECT_GT(damped, 0);
  EXPECT_LT((model->momenta().linear - first.linear).norm(), 1e-10 * first.linear.norm());
  EXPECT_LT((model->momenta().angular - first.angular).norm(), 1e-7 * first.angular.norm());
}

TEST(FullDomains, DrivenSupportsMoveAsInFull) {
  CoupledCase made = beam_with_full({1, 1}, true, 3.0);
  Motion motion;
  motion.oscillation = Oscillation{Vector3(0.0, 0.0, 0.02), 2.0};
  made.supports[0].motion = motion;
  const StepSettings settings = steps_by(Integrator::kMidpoint, 1e-11);
  const std::unique_ptr<Model> coupled = made.coupled(settings), full = made.full(settings);
  for (Model* model : {coupled.get(), full.get()})
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
  for (int i = 0; i < 40; ++i)
    for (Model* model : {coupled.get(), full.get()})
      ASSERT_TRUE(model->step(i / 120.0, 1.0 / 120.0).healthy());
  EXPECT_LT(distance(coupled->displacements(), full->displacements()), 2e-3);
}

TEST(FullDomains, PullsActAsInFull) {
  const CoupledCase made = beam_with_full({1, 1}, true, 0.0);
  const StepSettings settings = steps_by(Integrator::kMidpoint, 1e-11);
  const std::unique_ptr<Model> coupled = made.coupled(settings), full = made.full(settings);
  const VertexId tip = made.near(Vector3(1.0, 0.1, 0.05));
  const CarriedPoint point{made.elastic->mesh().vertices[to_size(tip)], {{tip, 1.0}}};
  std::array<Vector3, 2> moves{};
  std::size_t k = 0;
  for (Model* model : {coupled.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
    ASSERT_TRUE(model->set_points({point}));
    const std::array<Vector3, 1> force{Vector3(1.0, 2.0, 3.0)};
    ASSERT_TRUE(model->respond(0.0, 0.01, force, std::span(&moves[k++], 1)));
  }
  EXPECT_LT((moves[0] - moves[1]).norm(), 1e-9 * moves[1].norm());
}

TEST(FullDomains, ResumesBitByBitWithAnyThreads) {
  const CoupledCase made = beam_with_full({0, 1, 1}, true);
  const StepSettings settings = steps_by(Integrator::kEnergyMomentum);
  std::vector<VectorX> ends;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    const std::unique_ptr<Model> model = made.coupled(settings), other = made.coupled(settings);
    ASSERT_TRUE(model->start(0.0, made.zero(), made.zero()).healthy());
    ASSERT_TRUE(other->start(0.0, made.zero(), made.zero()).healthy());
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
    ASSERT_TRUE(other->restore(model->save()));
    for (int i = 5; i < 10; ++i) {
      ASSERT_TRUE(model->step(i / 90.0, 1.0 / 90.0).healthy());
      ASSERT_TRUE(other->step(i / 90.0, 1.0 / 90.0).healthy());
    }
    EXPECT_EQ(model->displacements(), other->displacements());
    EXPECT_EQ(model->velocities(), other->velocities());
    ends.push_back(model->displacements());
  }
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(FullDomains, KeepTheirNames) {
  const CoupledCase made = beam_with_full({0, 1, 1}, true);
  const std::unique_ptr<Model> model = made.coupled(steps_by(Integrator::kMidpoint));
  EXPECT_EQ(model->domains()->names(), (std::vector<std::string>{"part 0", "part 1", "part 2"}));
  DomainTuning tuning;
  tuning.frequency_scale = 1.2;
  EXPECT_TRUE(model->domains()->tune("part 1", tuning));
  EXPECT_EQ(model->domains()->pieces({}).vertices.size(), 3u);
}

}  // namespace
}  // namespace pliant::test
