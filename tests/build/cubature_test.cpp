// Bodies whose elastic forces come from few points: modal ones, the insides of domains, the elements between
// them.
#include "pliant/build/cubature.hpp"

#include "model/coupled/coupled_case.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/build/interfaces.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/scene/build.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>

namespace pliant {
namespace {

std::unique_ptr<BuiltScene> build(const std::string& toml, const BuildOptions& options = {}) {
  const Result<SceneDescription> scene = read_scene(toml, "beam.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  auto built = build_scene(scene.value(), no_progress(), options);
  if (built) return std::move(built).value();
  ADD_FAILURE() << to_string(built.error());
  return nullptr;
}

/// Displacement of the vertex with the largest x in every step.
MatrixX swing(BuiltScene& scene, int steps) {
  World& world = *scene.world;
  EXPECT_TRUE(world.start());
  const Model& model = *world.bodies()[0].model;
  const auto tip = std::max_element(model.mesh().vertices.begin(), model.mesh().vertices.end(),
                                    [](const Vector3& a, const Vector3& b) { return a.x() < b.x(); });
  MatrixX path(3, steps);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(world.advance()) << world.record().failure_reason;
    path.col(i) = model.displacement(static_cast<VertexId>(tip - model.mesh().vertices.begin()));
  }
  return path;
}

/// RMS of the distance over the largest displacement.
double difference(const MatrixX& a, const MatrixX& b) {
  return std::sqrt((a - b).squaredNorm() / static_cast<double>(b.cols())) / b.colwise().norm().maxCoeff();
}

std::string beam(const std::string& law, const std::string& model) {
  return "[simulation]\ndt = 0.01\nduration = 1\ngravity = [0, 0, -3]\n[[body]]\nname = \"beam\"\n"
         "generate = { shape = \"box\", size = [1, 0.2, 0.1], cells = [12, 3, 2] }\n"
         "fixed = [\"x < 1e-6\"]\nmaterial = { law = \"" +
         law + "\", young = 1e6, poisson = 0.3, density = 1000 }\n" + model;
}

TEST(Cubature, DrivesModalBodiesOfEveryLaw) {
  for (const std::string law : {"stvk", "neohookean", "corotational", "stable-neohookean"}) {
    const std::string model = "model = { type = \"modal\", linear_modes = 6, modes = 12, ";
    const auto exact = build(beam(law, model + "forces = \"exact\" }"));
    const auto few = build(beam(law, model + "cubature = { interior = \"cubature\" } }"));
    ASSERT_TRUE(exact && few);
    ASSERT_EQ(few->reports[0].cubature.size(), 1U);
    const CubatureReport& report = few->reports[0].cubature[0].second;
    EXPECT_TRUE(report.kept);
    EXPECT_LE(report.error, 0.02);
    EXPECT_LT(report.points, 200);
    EXPECT_GT(report.curve.cols(), 3);
    const double error = difference(swing(*few, 60), swing(*exact, 60));
    EXPECT_LT(error, 0.02) << law;
    EXPECT_GT(error, 0.0);
  }
}

TEST(Cubature, IsUsedByItselfWhereThereIsNoPolynomial) {
  const std::string model = "model = { type = \"modal\", linear_modes = 4, modes = 8";
  const auto stvk = build(beam("stvk", model + " }"));
  const auto neo = build(beam("neohookean", model + " }"));
  const auto exact = build(beam("neohookean", model + ", forces = \"exact\" }"));
  ASSERT_TRUE(stvk && neo && exact);
  EXPECT_TRUE(stvk->reports[0].cubature.empty());
  ASSERT_EQ(neo->reports[0].cubature.size(), 1U);
  EXPECT_TRUE(neo->reports[0].cubature[0].second.kept);
  EXPECT_TRUE(exact->reports[0].cubature.empty());
}

/// A domain whose vertices are all held deforms only in the elements that it shares.
TEST(Cubature, IsNotForDomainsWithoutShapes) {
  const std::string held =
      "model = { type = \"coupled\", modes = 6 }\n[[body.domain]]\nname = \"wall\"\n"
      "where = \"x < 1e-6\"\n[[body.domain]]\nname = \"rest\"\nwhere = \"true\"\n";
  std::string scene = beam("neohookean", held);
  scene.replace(scene.find("x < 1e-6"), 8, "x < 0.26");
  scene.replace(scene.find("where = \"x < 1e-6"), 17, "where = \"x < 0.26");
  const auto built = build(scene);
  ASSERT_TRUE(built);
  EXPECT_EQ(built->reports[0].cubature.size(), 1U);  // of the other domain
}

TEST(Cubature, LeavesPolynomialsThatAreFaster) {
  const std::string model = "model = { type = \"modal\", linear_modes = 3, modes = 5, cubature = { } }";
  const auto built = build(beam("stvk", model));
  ASSERT_TRUE(built);
  EXPECT_TRUE(built->reports[0].basis->polynomial);
}

TEST(Cubature, ComesFromTheCache) {
  const test::TemporaryFolder folder;
  const BuildOptions options{folder.path()};
  const std::string toml = beam(
      "neohookean", "model = { type = \"modal\", linear_modes = 4, modes = 8, cubature = { error = 0.05 } }");
  const auto first = build(toml, options), second = build(toml, options);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->reports[0].cubature[0].second.from_cache);
  EXPECT_TRUE(second->reports[0].cubature[0].second.from_cache);
  EXPECT_EQ(swing(*first, 5), swing(*second, 5));
  EXPECT_EQ(first->reports[0].cubature[0].second.curve, second->reports[0].cubature[0].second.curve);
}

std::vector<std::filesystem::path> files_with(const std::filesystem::path& folder, const char* extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  return found;
}

/// Times differ from run to run, so what was faster is decided once and kept beside the cache's bodies.
TEST(Cubature, AutoKeepsToWhatWasFasterAtFirst) {
  const test::TemporaryFolder folder;
  const BuildOptions options{folder.path()};
  const auto scene = [](const std::string& error) {
    return beam("stvk",
                "model = { type = \"modal\", linear_modes = 4, modes = 8, cubature = { interior = \"auto\", "
                "error = " +
                    error + " } }");
  };
  ASSERT_TRUE(build(scene("0.05"), options));
  const auto words = files_with(folder.path(), ".forces");
  ASSERT_EQ(words.size(), 1U);
  for (const bool points : {true, false, true}) {
    ASSERT_TRUE(write_file(words.front(), points ? "points\n" : "polynomial\n"));
    const auto built = build(scene("0.05"), options);
    ASSERT_TRUE(built);
    EXPECT_EQ(built->reports[0].basis->polynomial, !points);
    if (!points) continue;
    const CubatureReport& report = built->reports[0].cubature[0].second;
    EXPECT_TRUE(report.kept);
    EXPECT_LE(report.error, 0.05);
    EXPECT_GT(report.polynomial_us, 0.0);
    EXPECT_GT(report.cubature_us, 0.0);
  }
  ASSERT_TRUE(write_file(words.front(), "neither\n"));  // decided anew
  ASSERT_TRUE(build(scene("0.05"), options));
  const Result<std::string> word = read_file(words.front());
  ASSERT_TRUE(word);
  EXPECT_TRUE(word.value() == "points\n" || word.value() == "polynomial\n");
}

/// Cancels as soon as some points are chosen.
class Impatient final : public Progress {
 public:
  Impatient() : Progress(&flag_) {}
  void begin(std::string_view stage, Index /*total*/) override { choosing_ = stage == "cubature points"; }
  void update(Index done) override { flag_ = flag_ || (choosing_ && done >= 8); }

 private:
  std::atomic<bool> flag_ = false;
  bool choosing_ = false;
};

TEST(Cubature, OfABuildGoesOnWhereItWasCancelled) {
  const test::TemporaryFolder folder;
  const BuildOptions options{folder.path()};
  const std::string toml = beam(
      "neohookean", "model = { type = \"modal\", linear_modes = 4, modes = 8, cubature = { error = 0.02 } }");
  const auto whole = build(toml);
  const Result<SceneDescription> scene = read_scene(toml, "beam.toml");
  ASSERT_TRUE(whole && scene);
  Impatient impatient;
  const auto cut = build_scene(scene.value(), impatient, options);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(files_with(folder.path(), ".points").size(), 1U);
  const auto resumed = build(toml, options);
  ASSERT_TRUE(resumed);
  const CubatureReport &all = whole->reports[0].cubature[0].second,
                       &rest = resumed->reports[0].cubature[0].second;
  EXPECT_FALSE(rest.from_cache);
  EXPECT_LE(rest.error, 0.02);
  EXPECT_LT(rest.curve.cols(), all.curve.cols());  // it did not begin anew
  EXPECT_GE(rest.curve(0, 0), 8.0);
  EXPECT_TRUE(files_with(folder.path(), ".points").empty());
}

TEST(Cubature, LearnsFromTheFullModelToo) {
  const std::string model = "model = { type = \"modal\", linear_modes = 4, modes = 8, ";
  const auto exact = build(beam("neohookean", model + "forces = \"exact\" }"));
  const auto few = build(beam("neohookean", model + "cubature = { poses = \"full\" } }"));
  ASSERT_TRUE(exact && few);
  EXPECT_LE(few->reports[0].cubature[0].second.error, 0.02);
  EXPECT_LT(difference(swing(*few, 60), swing(*exact, 60)), 0.02);
}

TEST(Cubature, MistakesAreShownWhereTheyWereTyped) {
  const auto problem = [](const std::string& model) {
    const Result<SceneDescription> scene = read_scene(beam("neohookean", model), "beam.toml");
    if (!scene) return scene.error();
    const auto built = build_scene(scene.value(), no_progress());
    return built ? Diagnostic{} : built.error();
  };
  const std::string modal = "model = { type = \"modal\", modes = 4, linear_modes = 2, ";
  EXPECT_EQ(problem(modal + "cubature = { interior = \"polynomial\" } }").code, ErrorCode::kUnsupported);
  EXPECT_EQ(problem(modal + "cubature = { interface = \"uniform\" } }").code, ErrorCode::kInconsistent);
  EXPECT_EQ(problem(modal + "forces = \"exact\", cubature = { } }").code, ErrorCode::kInconsistent);
  EXPECT_EQ(problem(modal + "cubature = { error = -1 } }").code, ErrorCode::kOutOfRange);
}

/// All elements between the domains with weight one, in another object.
CoupledBody all_of(const CoupledBody& body, const ElasticBody& whole, bool by_kind) {
  std::vector<Index> places(body.coupling_elements.size());
  std::iota(places.begin(), places.end(), Index{0});
  const KindWeights ones{std::vector<double>(body.domains.size(), 1.0)};
  return with_coupling(body, whole, places, std::vector<double>(places.size(), 1.0),
                       std::vector<KindWeights>(by_kind ? places.size() : 0, ones));
}

class AllElements : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(ByKind, AllElements, ::testing::Bool());

TEST_P(AllElements, AreExact) {
  test::CoupledCase exact = test::coupled_beam(3, 8, 3.0, true, {12, 3, 2});
  test::CoupledCase same = exact;
  same.body = std::make_shared<const CoupledBody>(all_of(*exact.body, *exact.elastic, GetParam()));
  const StepSettings settings = test::steps_by(Integrator::kEnergyMomentum);
  const auto a = exact.coupled(settings), b = same.coupled(settings);
  ASSERT_TRUE(a->start(0.0, exact.zero(), exact.zero()).healthy());
  ASSERT_TRUE(b->start(0.0, exact.zero(), exact.zero()).healthy());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(a->step(0.01 * i, 0.01).healthy());
    ASSERT_TRUE(b->step(0.01 * i, 0.01).healthy());
  }
  ASSERT_GT(a->displacements().norm(), 0.1);
  // By kind another factorisation leads to other last iterates, within the tolerance.
  EXPECT_LT((a->displacements() - b->displacements()).norm(),
            (GetParam() ? 1e-9 : 1e-12) * a->displacements().norm());
  EXPECT_LT((a->von_mises() - b->von_mises()).norm(), 1e-9 * a->von_mises().norm());
}

TEST(InterfaceCubature, KeepsFrequenciesForcesAndMomenta) {
  test::CoupledCase exact = test::coupled_beam(3, 12, 0.0, false, {24, 4, 3});
  const Result<KickedPoses> poses = kicked_poses(exact.body, {}, 1, no_progress());
  ASSERT_TRUE(poses);
  ASSERT_GT(poses.value().poses.size(), 60U);
  CubatureSettings settings;
  settings.points = 24;
  settings.error = 0.0;
  const Result<std::vector<InterfaceChoice>> choices = choose_interfaces(
      *exact.elastic, *exact.body, poses.value().poses, poses.value().held_out, settings, no_progress());
  ASSERT_TRUE(choices);
  ASSERT_EQ(choices.value().size(), 2U);
  std::vector<Index> places;
  std::vector<double> weights;
  for (const InterfaceChoice& one : choices.value()) {
    ASSERT_EQ(one.interface.elements.size(), 72U);
    EXPECT_LE(one.choice.points.size(), 24U);
    const std::vector<CoupledPose> others(poses.value().poses.end() - poses.value().held_out,
                                          poses.value().poses.end());
    EXPECT_LT(published_error(*exact.elastic, *exact.body, one, others), 0.04);
    EXPECT_LT(one.choice.error(), 0.15);  // in the norm of the work, which is stricter
    for (std::size_t i = 0; i < one.choice.points.size(); ++i) {
      places.push_back(one.interface.elements[to_size(one.choice.points[i])]);
      weights.push_back(one.choice.weights[static_cast<Index>(i)]);
    }
  }
  test::CoupledCase few = exact;
  few.body = std::make_shared<const CoupledBody>(with_coupling(*exact.body, *exact.elastic, places, weights));
  const StepSettings em = test::steps_by(Integrator::kEnergyMomentum, 1e-10);
  const auto a = exact.coupled(em), b = few.coupled(em);
  const auto expected = a->natural_frequencies(6, no_progress()),
             found = b->natural_frequencies(6, no_progress());
  ASSERT_TRUE(expected && found);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(found.value().hz[i] / expected.value().hz[i], 1.0, 0.002) << i;
  const VectorX v = test::tumbling(*exact.elastic, {0.5, 0.1, 0.05}, 4.6, 1.0);
  ASSERT_TRUE(b->start(0.0, exact.zero(), v).healthy());
  const Momenta before = b->momenta();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(b->step(i / 240.0, 1.0 / 240.0).healthy());
  const Momenta after = b->momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-8 * before.angular.norm());
}

/// As published: nearer forces, but the angular momentum drifts.
TEST(InterfaceCubature, ByKindHasNearerForces) {
  test::CoupledCase exact = test::coupled_beam(3, 12, 0.0, false, {24, 4, 3});
  const Result<KickedPoses> poses = kicked_poses(exact.body, {}, 1, no_progress());
  ASSERT_TRUE(poses);
  const auto& [all, held_out] = poses.value();
  CubatureSettings settings;
  settings.points = 12;
  settings.error = 0.0;
  auto choices =
      choose_interfaces(*exact.elastic, *exact.body, all, held_out, settings, no_progress()).value();
  // Without the poses along single modes, in which some kinds of force nearly cancel.
  const std::vector<CoupledPose> kicked(all.begin() + 24, all.end() - held_out);
  std::vector<Index> places;
  std::vector<double> weights;
  std::vector<KindWeights> kinds;
  for (InterfaceChoice& one : choices) {
    const double uniform = published_error(*exact.elastic, *exact.body, one, kicked);
    weigh_kinds(*exact.elastic, *exact.body, all, held_out, one);
    EXPECT_LT(published_error(*exact.elastic, *exact.body, one, kicked), uniform);
    for (std::size_t i = 0; i < one.choice.points.size(); ++i) {
      places.push_back(one.interface.elements[to_size(one.choice.points[i])]);
      weights.push_back(one.choice.weights[static_cast<Index>(i)]);
      kinds.push_back(one.kinds[i]);
    }
  }
  test::CoupledCase few = exact;
  few.body =
      std::make_shared<const CoupledBody>(with_coupling(*exact.body, *exact.elastic, places, weights, kinds));
  const auto model = few.coupled(test::steps_by(Integrator::kEnergyMomentum, 1e-10));
  const VectorX v = test::tumbling(*exact.elastic, {0.5, 0.1, 0.05}, 4.6, 1.0);
  ASSERT_TRUE(model->start(0.0, exact.zero(), v).healthy());
  const Momenta before = model->momenta();
  for (int i = 0; i < 30; ++i) {
    const StepReport report = model->step(i / 240.0, 1.0 / 240.0);
    ASSERT_TRUE(report.healthy());
    EXPECT_EQ(report.damped_parts, 0);
    EXPECT_LT(report.iterations, 12);  // the factor is that of this stiffness
  }
  const Momenta after = model->momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  EXPECT_GT((after.angular - before.angular).norm(), 1e-6 * before.angular.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 0.05 * before.angular.norm());
}

TEST(InterfaceCubature, DrivesScenesAndComesFromTheCache) {
  const test::TemporaryFolder folder;
  const BuildOptions options{folder.path()};
  const std::string model = "model = { type = \"coupled\", modes = 12, domains = { auto = 3 }";
  const auto exact = build(beam("stvk", model + " }"));
  const std::string toml = beam("stvk", model + ", cubature = { interface = \"uniform\", error = 0.03 } }");
  const auto few = build(toml, options), again = build(toml, options);
  ASSERT_TRUE(exact && few && again);
  const auto& reports = few->reports[0].cubature;
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_TRUE(again->reports[0].cubature[0].second.from_cache);
  EXPECT_EQ(again->reports[0].cubature[1].second.curve, reports[1].second.curve);
  const MatrixX path = swing(*few, 60);
  EXPECT_EQ(path, swing(*again, 60));
  const MatrixX truth = swing(*exact, 60);
  EXPECT_LT(difference(path, truth), 0.02);
  const std::string by_kind =
      beam("stvk", model + ", cubature = { interface = \"nonuniform\", error = 0.03 } }");
  const auto kinds = build(by_kind, options), kept = build(by_kind, options);
  ASSERT_TRUE(kinds && kept);
  EXPECT_FALSE(kinds->notes.empty());
  const MatrixX other = swing(*kinds, 60);
  EXPECT_EQ(other, swing(*kept, 60));
  EXPECT_NE(other, path);
  EXPECT_LT(difference(other, truth), 0.05);
}

}  // namespace
}  // namespace pliant
