#include "pliant/reduce/sketch.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::HeldBody;

VertexId far_vertex(const ElasticBody& body) {
  VertexId best = 0;
  for (std::size_t v = 0; v < body.mesh().vertices.size(); ++v)
    if (body.mesh().vertices[v].sum() > body.mesh().vertices[to_size(best)].sum())
      best = static_cast<VertexId>(v);
  return best;
}

RestSystem system_of(const HeldBody& held) {
  return RestSystem::make(*held.body, held.free, no_progress()).value();
}

PullLoad load_of(double time, VertexId vertex, const Vector3& force) {
  return {time, {{time, vertex, force}}};
}

std::vector<Support> supports_of(const HeldBody& held) { return {{"held", held.vertices, {}}}; }

TEST(Sketch, SamplesAScriptOnItsGridAndAtItsKeys) {
  const PullTrack one{{3}, {0.0, 0.25, 1.0}, {Vector3(0, 0, 0), Vector3(0, 0, 1), Vector3(0, 0, 4)}};
  const PullTrack two{{3, 5}, {0.5, 1.0}, {Vector3(2, 0, 0), Vector3(2, 0, 0)}};
  const auto pulls = sample_pulls({one, two}, 0.1, 6).value();
  const auto at = [&](double time, VertexId vertex) {
    for (const Pull& pull : pulls)
      if (std::abs(pull.time - time) < 1e-9 && pull.vertex == vertex) return pull.force;
    return Vector3::Zero().eval();
  };
  EXPECT_EQ(pulls.front().time, 0.1);  // no force at 0
  EXPECT_LT((at(0.1, 3) - Vector3(0, 0, 0.4)).norm(), 1e-14);
  EXPECT_EQ(at(0.25, 3), Vector3(0, 0, 1));                    // a key off the grid
  EXPECT_LT((at(0.7, 3) - Vector3(1, 0, 2.8)).norm(), 1e-12);  // both pulls
  EXPECT_EQ(at(0.7, 5), Vector3(1, 0, 0));
  EXPECT_EQ(at(0.4, 5), Vector3(0, 0, 0));
  const auto loads = group_by_time(pulls);
  EXPECT_EQ(loads.size(), 11U);
  for (std::size_t i = 1; i < loads.size(); ++i) EXPECT_GT(loads[i].time, loads[i - 1].time + 0.01);
}

TEST(Sketch, RefusesScriptsThatMakeNoSense) {
  const auto code = [](const PullTrack& track, double interval) {
    const auto result = sample_pulls({track}, interval, 6);
    EXPECT_FALSE(result.ok());
    return result.ok() ? ErrorCode::kUsage : result.error().code;
  };
  const std::vector<Vector3> two{Vector3::UnitX(), Vector3::UnitX()};
  EXPECT_EQ(code({{}, {0, 1}, two}, 0.1), ErrorCode::kMissing);
  EXPECT_EQ(code({{6}, {0, 1}, two}, 0.1), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({{1}, {0}, two}, 0.1), ErrorCode::kInconsistent);
  EXPECT_EQ(code({{1}, {1, 0}, two}, 0.1), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({{1}, {0, std::nan("")}, two}, 0.1), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({{1}, {0, 1}, two}, 0.0), ErrorCode::kOutOfRange);
  EXPECT_EQ(code({{1}, {0, 1}, two}, 1e-300), ErrorCode::kLimit);
  EXPECT_EQ(sample_pulls({}, 0.1, 6).error().code, ErrorCode::kMissing);
}

TEST(Sketch, ThinsLoadsByTheirResponses) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const RestSystem system = system_of(held);
  const VertexId tip = far_vertex(*held.body);
  std::vector<PullLoad> loads;
  for (int i = 0; i <= 20; ++i)  // up and down again
    loads.push_back(load_of(i, tip, {0, 0, 0.1 * (i <= 10 ? i : 20 - i)}));
  loads.push_back(load_of(21, tip, {0, 0, -1.0}));
  loads.push_back(load_of(22, held.vertices[0], {0, 0, 100.0}));  // held: does nothing
  const auto kept = thin_loads(system, loads, 0.25, no_progress()).value();
  // 0.3, 0.6, 0.9 of the largest on the way up, nothing new on the way down, the other direction
  EXPECT_EQ(kept, (std::vector<Index>{3, 6, 9, 21}));
  for (PullLoad& load : loads)  // units do not matter
    for (Pull& pull : load.pulls) pull.force *= 1e6;
  EXPECT_EQ(thin_loads(system, loads, 0.25, no_progress()).value(), kept);
  EXPECT_EQ(thin_loads(system, loads, 0.0, no_progress()).value().size(),
            20U);  // all but the three that are nothing
}

TEST(Sketch, MeasuresLoadsByTheMassNormOfTheirResponses) {
  const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  const RestSystem system = system_of(held);
  const VertexId tip = far_vertex(*held.body);
  const auto response = [&](VertexId vertex, const Vector3& force) {
    MatrixX u = MatrixX::Zero(held.body->dof_count(), 1);
    u.block<3, 1>(3 * static_cast<Index>(vertex), 0) = force;
    system.solve(u);
    return u;
  };
  const Vector3 a(0.3, -0.2, 1.0);
  const Vector3 b(0.1, 0.4, 0.2);
  const VertexId other = tip - 1;
  const double large = mass_norms(*held.body, response(tip, a))[0];
  const double distance = mass_norms(*held.body, response(tip, a) - response(other, b))[0];
  const double ratio = std::min(mass_norms(*held.body, response(other, b))[0], distance) / large;
  ASSERT_LT(ratio, 0.99);
  const std::vector<PullLoad> loads{load_of(0, tip, a), load_of(1, other, b)};
  EXPECT_EQ(thin_loads(system, loads, ratio * 1.001, no_progress()).value().size(), 1U);
  EXPECT_EQ(thin_loads(system, loads, ratio * 0.999, no_progress()).value().size(), 2U);
}

TEST(Sketch, NeedsAHeldBodyAndPullsThatMoveIt) {
  const HeldBody unheld = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const auto floating = thin_loads(system_of(unheld), {load_of(0, 3, {0, 0, 1})}, 0.1, no_progress());
  ASSERT_FALSE(floating.ok());
  EXPECT_EQ(floating.error().code, ErrorCode::kUnsupported);
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  for (const auto& loads : {std::vector<PullLoad>{}, {load_of(0, held.vertices[0], {0, 0, 1})}}) {
    const auto still = thin_loads(system_of(held), loads, 0.1, no_progress());
    ASSERT_FALSE(still.ok());
    EXPECT_EQ(still.error().code, ErrorCode::kDegenerate);
  }
}

TEST(Sketch, ThinsShapesByTheirMassDistance) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const MatrixX modes = natural_modes(*held.body, held.free, 2).value().shapes;  // of norm 1, orthogonal
  MatrixX shapes(modes.rows(), 6);
  shapes << 0.04 * modes.col(0), modes.col(0), 0.97 * modes.col(0), modes.col(0) + 0.06 * modes.col(1),
      0.5 * modes.col(1), 0.0 * modes.col(1);
  EXPECT_EQ(thin_shapes(*held.body, shapes, 0.05), (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(thin_shapes(*held.body, MatrixX(modes.rows(), 0), 0.05).size(), 0U);
}

TEST(StaticShapes, BalanceTheirLoads) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const VertexId tip = far_vertex(*held.body);
  PullLoad both = load_of(1, tip, {0, 0, 0.01});
  both.pulls.push_back({1, tip - 1, {0.01, 0, 0}});
  const std::vector<PullLoad> loads{load_of(0, tip, {0, 0.005, 0.02}), both};
  const StaticShapes found = static_shapes(held.body, supports_of(held), loads, no_progress()).value();
  ASSERT_EQ(found.found, (std::vector<Index>{0, 1}));
  EXPECT_TRUE(found.notes.empty());
  for (std::size_t i = 0; i < 2; ++i) {
    VectorX f(held.body->dof_count());
    held.body->internal_force(found.shapes.col(static_cast<Index>(i)), f);
    VectorX load = VectorX::Zero(f.size());
    for (const Pull& pull : loads[i].pulls)
      load.segment<3>(3 * static_cast<Index>(pull.vertex)) += pull.force;
    EXPECT_LT(test::free_part(held.free, f - load).norm(), 1e-8 * load.norm());
  }
}

TEST(StaticShapes, NameLoadsThatHaveNone) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const VertexId tip = far_vertex(*held.body);
  const std::vector<PullLoad> loads{load_of(2.5, tip, {0, 0, 1e200}),  // beyond all numbers
                                    load_of(3, tip, {0, 0, 0.01})};
  const StaticShapes found = static_shapes(held.body, supports_of(held), loads, no_progress()).value();
  EXPECT_EQ(found.found, std::vector<Index>{1});
  EXPECT_EQ(found.shapes.cols(), 1);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes[0].code, ErrorCode::kNumerical);
  EXPECT_EQ(found.notes[0].where.key, "pull at 2.5 s");
}

TEST(StaticShapes, HaveTheSameBitsForAnyNumberOfThreads) {
  std::vector<MatrixX> made;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true, {6, 4, 4});
    const VertexId tip = far_vertex(*held.body);
    std::vector<PullLoad> loads;
    for (int i = 0; i < 5; ++i)
      loads.push_back(load_of(i, tip, {0.002 * i, 0.01 * std::cos(i), 0.01 * std::sin(i)}));
    made.push_back(static_shapes(held.body, supports_of(held), loads, no_progress()).value().shapes);
  }
  EXPECT_GT(made[0].norm(), 0.0);
  EXPECT_EQ(made[0], made[1]);
}

TEST(Sketch, MakesABasisThatHoldsTheSketchedShapes) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const VertexId tip = far_vertex(*held.body);
  const PullTrack track{{tip, tip - 1},
                        {0, 1, 2, 3},
                        {Vector3(0, 0, 0), Vector3(0, 0, 0.03), Vector3(0, 0.03, 0), Vector3(0, 0, -0.03)}};
  const auto pulls = sample_pulls({track}, 0.05, held.body->mesh().vertex_count()).value();
  SketchSettings settings;
  settings.basis.modes = 10;
  MatrixX seen;
  const auto solver = [&](const std::vector<PullLoad>& loads, Progress& progress) {
    auto shapes = static_shapes(held.body, supports_of(held), loads, progress);
    if (shapes) seen = shapes.value().shapes;
    return shapes;
  };
  const SketchedBasis sketched =
      sketch_basis(*held.body, held.free, pulls, settings, solver, no_progress()).value();
  EXPECT_EQ(sketched.loads, 60);
  EXPECT_LT(sketched.solved, 60);
  EXPECT_GT(sketched.solved, 20);
  EXPECT_LE(std::ssize(sketched.times), sketched.solved);
  EXPECT_EQ(sketched.basis.size(), 10);
  EXPECT_LT(test::orthonormality_error(*held.body, sketched.basis.shapes), 1e-12);
  const MatrixX& U = sketched.basis.shapes;
  const MatrixX left = seen - U * (U.transpose() * mass_times(*held.body, seen));
  EXPECT_LT(mass_norms(*held.body, left).maxCoeff(), 0.005 * mass_norms(*held.body, seen).maxCoeff());
}

TEST(Sketch, SaysWhenNoLoadHasAShape) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const std::vector<Pull> pulls{{0.5, far_vertex(*held.body), {0, 0, 1}}};
  const auto hopeless = [](const std::vector<PullLoad>&, Progress&) -> Result<StaticShapes> {
    return StaticShapes{{}, {}, {{ErrorCode::kNumerical, {{}, 0, 0, "pull at 0.5 s"}, "no", ""}}};
  };
  SketchSettings settings;
  const auto result = sketch_basis(*held.body, held.free, pulls, settings, hopeless, no_progress());
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.errors().size(), 2U);
  EXPECT_EQ(result.errors()[0].where.key, "pull at 0.5 s");
  EXPECT_EQ(result.errors()[1].code, ErrorCode::kNumerical);
  settings.load_separation = 1.0;
  settings.shape_separation = -1.0;
  const auto wrong = sketch_basis(*held.body, held.free, pulls, settings, hopeless, no_progress());
  ASSERT_FALSE(wrong.ok());
  ASSERT_EQ(wrong.errors().size(), 2U);
  EXPECT_EQ(wrong.errors()[0].where.key, "load_separation");
  EXPECT_EQ(wrong.errors()[1].where.key, "shape_separation");
}

}  // namespace
}  // namespace pliant
