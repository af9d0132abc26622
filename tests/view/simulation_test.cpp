// What the page is told is where the body is; what the page asks for happens; what it must not ask is
// refused.
#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant::view {
namespace {

using test::beam_scene;
using test::distance;
using test::simulate;

constexpr double kSize = 0.93;  // of the beam, m

/// Places of the drawn points by the model's own displacements.
std::vector<float> places(const Simulation& simulation) {
  const DrawnBody& drawn = simulation.drawn(0);
  std::vector<float> list;
  for (Index i = 0; i < drawn.point_count(); ++i) {
    const Vector3 x = drawn.place(*simulation.scene().world->bodies()[0].model, i);
    for (Index c = 0; c < 3; ++c) list.push_back(static_cast<float>(x[c]));
  }
  return list;
}

Index tip_point(const Simulation& simulation) {
  const std::vector<float>& rest = simulation.drawn(0).geometry().rest;
  Index tip = 0;
  for (Index i = 0; i < simulation.drawn(0).point_count(); ++i)
    if (rest[to_size(3 * i)] + rest[to_size(3 * i + 2)] > rest[to_size(3 * tip)] + rest[to_size(3 * tip + 2)])
      tip = i;
  return tip;
}

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.advance()) << simulation.trouble();
}

TEST(DrawnBody, NumbersForThePageAreThePlacesOfTheModel) {
  for (const std::string type : {"modal", "full", "coupled"})
    for (const bool held : {true, false}) {
      SCOPED_TRACE(type + (held ? " held" : " free"));
      const auto simulation = simulate(beam_scene(type, held));
      EXPECT_LT(distance(simulation->positions(0).value(), simulation->drawn(0).geometry().rest),
                1e-6 * kSize);
      run(*simulation, 30);
      const std::vector<float> moved = simulation->positions(0).value();
      EXPECT_GT(distance(moved, simulation->drawn(0).geometry().rest), 0.02 * kSize);
      EXPECT_LT(distance(moved, places(*simulation)), 1e-6 * kSize);
    }
}

/// Points away from joints are those of the model; near joints the blend moves them by no more than the gap
/// between domains, small in so smooth a motion.
TEST(DrawnBody, TreesAreBlendedNearJointsOnly) {
  const auto simulation = simulate(beam_scene("tree"));
  run(*simulation, 30);
  const Geometry& geometry = simulation->drawn(0).geometry();
  EXPECT_EQ(geometry.part_tables.size(), 3U);
  ASSERT_FALSE(geometry.blended.empty());
  std::vector<float> moved = simulation->positions(0).value();
  std::vector<float> model = places(*simulation);
  EXPECT_GT(distance(moved, geometry.rest), 0.02 * kSize);
  EXPECT_LT(distance(moved, model), 0.01 * kSize);
  for (const std::uint32_t point : geometry.blended)
    for (std::size_t c = 0; c < 3; ++c) moved[3 * point + c] = model[3 * point + c] = 0.0F;
  EXPECT_LT(distance(moved, model), 1e-6 * kSize);
}

TEST(DrawnBody, HalfFloatsCostThreeDigits) {
  const auto fine = simulate(beam_scene("modal"));
  const auto coarse = simulate(beam_scene("modal"), TableNumbers::kHalf);
  run(*fine, 30);
  run(*coarse, 30);
  EXPECT_EQ(fine->positions(0).value(), coarse->positions(0).value());  // what is sent changes no motion
  const DrawnBody& drawn = coarse->drawn(0);
  const BodyState state = drawn.state(*coarse->scene().world->bodies()[0].model);
  const double error = distance(fine->positions(0).value(), drawn.positions(state, true));
  EXPECT_LT(error, 1e-3 * kSize);
  EXPECT_GT(error, 0.0);
  EXPECT_LT(coarse->geometry()[0]->size(), fine->geometry()[0]->size());
}

TEST(Hand, SpringHoldsThePointInBalance) {
  for (const std::string type : {"modal", "tree", "full", "coupled"})
    for (const double strength : {0.1, 1.0, 10.0}) {
      if (type == "full" && strength > 1.0) continue;  // would tear a single vertex out of its elements
      SCOPED_TRACE(type + " " + std::to_string(strength));
      const auto simulation = simulate(beam_scene(type));
      const Index tip = tip_point(*simulation);
      const Model& model = *simulation->scene().world->bodies()[0].model;
      const Vector3 target = simulation->drawn(0).place(model, tip) + Vector3(0.0, 0.1, 0.15);
      const PullSpring pull{
          0,
          static_cast<std::uint32_t>(tip),
          {static_cast<float>(target.x()), static_cast<float>(target.y()), static_cast<float>(target.z())},
          strength};
      ASSERT_TRUE(simulation->execute(PageMessage(pull)).ok());
      ASSERT_TRUE(simulation->execute(PageMessage(SetDamping{4.0, 0.02})).ok());
      run(*simulation, 400);
      const Vector3 x = simulation->drawn(0).place(model, tip);
      const Vector3 force = simulation->world().hand().force();
      // at rest the spring pulls by k (target − x); what still moves after 2 s is small
      const Vector3 spring = simulation->world().hand().stiffness() * (target - x);
      EXPECT_LT((force - spring).norm(), 0.05 * spring.norm());
      EXPECT_GT(force.norm(), 1e-3);
      if (strength == 10.0) {
        EXPECT_LT((x - target).norm(), 0.05);
      }
      ASSERT_TRUE(simulation->execute(PageMessage(Release{})).ok());
      EXPECT_FALSE(simulation->world().hand().active());
      const auto left_alone = simulate(beam_scene(type));
      ASSERT_TRUE(left_alone->execute(PageMessage(SetDamping{4.0, 0.02})).ok());
      run(*simulation, 800);
      run(*left_alone, 1200);
      // both hang still under their own weight
      EXPECT_LT(distance(simulation->positions(0).value(), left_alone->positions(0).value()), 0.01 * kSize);
    }
}

TEST(Simulation, ConstantForceMovesThePoint) {
  const auto pulled = simulate(beam_scene("modal"));
  const auto left = simulate(beam_scene("modal"));
  const auto tip = static_cast<std::uint32_t>(tip_point(*pulled));
  ASSERT_TRUE(pulled->execute(PageMessage(PullForce{0, tip, {0.0F, 30.0F, 0.0F}})).ok());
  run(*pulled, 40);
  run(*left, 40);
  const float moved = pulled->positions(0).value()[3 * tip + 1] - left->positions(0).value()[3 * tip + 1];
  EXPECT_GT(moved, 0.005F);
}

TEST(Simulation, EditsChangeTheRunAndSurviveAReset) {
  const auto simulation = simulate(beam_scene("modal"));
  run(*simulation, 40);
  const std::vector<float> plain = simulation->positions(0).value();
  for (const PageMessage& edit :
       {PageMessage(SetGravity{{0.0F, 3.0F, -9.81F}}), PageMessage(SetMaterial{0, 0, 3e6, 1000.0}),
        PageMessage(SetMaterial{0, 0, 1e6, 2000.0}), PageMessage(SetDamping{8.0, 0.01})}) {
    const auto edited = simulate(beam_scene("modal"));
    ASSERT_TRUE(edited->execute(edit).ok());
    ASSERT_TRUE(edited->execute(PageMessage(Reset{})).ok());  // an edit and a start in balance with it
    run(*edited, 40);
    const std::vector<float> once = edited->positions(0).value();
    EXPECT_GT(distance(once, plain), 1e-3 * kSize);
    ASSERT_TRUE(edited->execute(PageMessage(Reset{})).ok());
    EXPECT_EQ(edited->step_index(), 0);
    run(*edited, 40);
    EXPECT_LT(distance(edited->positions(0).value(), once), 1e-6 * kSize);
  }
}

TEST(Simulation, KeptStateComesBack) {
  const auto simulation = simulate(beam_scene("tree"));
  run(*simulation, 20);
  EXPECT_FALSE(simulation->execute(PageMessage(LoadState{})).ok());
  ASSERT_TRUE(simulation->execute(PageMessage(SaveState{})).ok());
  const std::vector<float> kept = simulation->positions(0).value();
  ASSERT_TRUE(simulation->execute(PageMessage(Detach{0, 2})).ok());
  run(*simulation, 20);
  EXPECT_GT(simulation->positions(0).value().size(), kept.size());  // torn: more points than before
  ASSERT_TRUE(simulation->execute(PageMessage(LoadState{})).ok());
  EXPECT_EQ(simulation->step_index(), 20);
  EXPECT_LT(distance(simulation->positions(0).value(), kept), 1e-6 * kSize);
}

/// Of the triangles that are drawn of the first body.
double longest_edge(const Simulation& simulation) {
  const std::vector<float> x = simulation.positions(0).value();
  double longest = 0.0;
  for (const Patch& patch : simulation.drawn(0).geometry().patches)
    for (const std::uint32_t base : patch.bases)
      for (std::size_t t = 0; t < patch.triangles.size(); ++t) {
        const std::size_t a = 3 * (base + patch.triangles[t]),
                          b = 3 * (base + patch.triangles[t % 3 == 2 ? t - 2 : t + 1]);
        longest = std::max(
            longest, static_cast<double>(std::hypot(x[a] - x[b], x[a + 1] - x[b + 1], x[a + 2] - x[b + 2])));
      }
  return longest;
}

TEST(Simulation, DetachedDomainFallsAndResetPutsItBack) {
  const auto simulation = simulate(beam_scene("tree"));
  run(*simulation, 20);
  const std::uint32_t before = simulation->geometry_revision();
  ASSERT_TRUE(simulation->execute(PageMessage(Detach{0, 2})).ok());
  EXPECT_GT(simulation->geometry_revision(), before);  // nothing holds the surfaces together any more
  EXPECT_FALSE(simulation->execute(PageMessage(Detach{0, 2})).ok());
  const double longest = longest_edge(*simulation);
  EXPECT_LT(longest, 0.4 * kSize);
  run(*simulation, 100);
  EXPECT_LT(simulation->positions(0).value()[to_size(3 * tip_point(*simulation) + 2)], -0.5F);
  EXPECT_LT(longest_edge(*simulation), 1.3 * longest);  // no triangle spans the gap
  ASSERT_TRUE(simulation->execute(PageMessage(Reset{})).ok());
  EXPECT_LT(distance(simulation->positions(0).value(), simulation->drawn(0).geometry().rest), 1e-5 * kSize);
  run(*simulation, 100);
  EXPECT_GT(simulation->positions(0).value()[to_size(3 * tip_point(*simulation) + 2)], -0.5F);
}

/// What the hand holds gets other numbers when it comes off: it lets go, and no force stays behind.
TEST(Simulation, DomainsOfVerticesAreListedAndDoNotComeOff) {
  const auto simulation = simulate(beam_scene("coupled"));
  const std::vector<DomainInfo> domains = simulation->hello().bodies[0].domains;
  ASSERT_EQ(domains.size(), 3U);
  for (const DomainInfo& domain : domains) EXPECT_EQ(domain.parent, 0xffffffffU);
  EXPECT_EQ(domains[2].modes, 12U);
  const Status off = simulation->execute(PageMessage(Detach{0, 2}));
  ASSERT_FALSE(off.ok());
  EXPECT_NE(off.error().remedy.find("tree"), std::string::npos);
  run(*simulation, 3);
}

TEST(Simulation, HandLetsGoOfWhatComesOff) {
  const auto torn = simulate(beam_scene("tree")), released = simulate(beam_scene("tree"));
  for (const auto* simulation : {&torn, &released}) {
    run(**simulation, 5);
    ASSERT_TRUE((*simulation)
                    ->execute(PullSpring{
                        0, static_cast<std::uint32_t>(tip_point(**simulation)), {0.5F, 0.4F, 0.6F}, 1.0})
                    .ok());
    run(**simulation, 10);
    EXPECT_EQ((*simulation)->state().pull.active, 1);
  }
  ASSERT_TRUE(released->execute(PageMessage(Release{})).ok());
  for (const auto* simulation : {&torn, &released}) {
    ASSERT_TRUE((*simulation)->execute(PageMessage(Detach{0, 2})).ok());
    EXPECT_EQ((*simulation)->state().pull.active, 0);
    run(**simulation, 40);
  }
  EXPECT_EQ(torn->positions(0).value(), released->positions(0).value());
}

/// All elements, or those on one side; points are where the model has its vertices, and pulls take hold of
/// them.
TEST(Simulation, ShowsElementsAndCutsThemAway) {
  for (const std::string model : {"full", "modal", "tree", "coupled"}) {
    const auto simulation = simulate(beam_scene(model));
    run(*simulation, 10);
    const std::size_t surface = simulation->drawn(0).geometry().rest.size();
    EXPECT_TRUE(simulation->drawn(0).geometry().patches[0].edges.empty());
    ASSERT_TRUE(simulation->execute(SetVolume{1, 0, 1.0}).ok());
    EXPECT_EQ(simulation->drawn(0).geometry().rest.size(), surface);  // no element taken away: the boundary
    EXPECT_FALSE(simulation->drawn(0).geometry().patches[0].edges.empty());
    for (const int axis : {1, 2, 3}) {
      ASSERT_TRUE(simulation->execute(SetVolume{1, static_cast<std::uint8_t>(axis), 1.0}).ok());
      EXPECT_EQ(simulation->drawn(0).geometry().rest.size(), surface);
    }
    const auto high = simulation->hello().high;
    ASSERT_TRUE(simulation->execute(SetVolume{1, 1, 0.5}).ok());
    EXPECT_EQ(simulation->hello().high, high);  // what people look at is the whole
    const DrawnBody& half = simulation->drawn(0);
    EXPECT_LT(half.geometry().rest.size(), surface);
    ASSERT_EQ(half.geometry().patches.size(), 1U);
    for (std::size_t i = 0; i < half.geometry().rest.size(); i += 3)
      EXPECT_LT(half.geometry().rest[i], 0.75 * kSize);
    // a closed surface of triangles would have three edges for each of its points, but for two points: 3n − 6
    const std::vector<std::uint32_t>& edges = half.geometry().patches[0].edges;
    EXPECT_EQ(std::ssize(edges) / 2, 3 * half.point_count() - 6);
    for (const std::uint32_t v : edges) EXPECT_LT(v, half.point_count());
    const std::vector<float> x = simulation->positions(0).value();
    const Model& body = *simulation->scene().world->bodies()[0].model;
    for (Index i = 0; i < half.point_count(); ++i) {
      const Vector3 drawn(x[to_size(3 * i)], x[to_size(3 * i + 1)], x[to_size(3 * i + 2)]);
      EXPECT_LT((half.place(body, i) - drawn).norm(), 1e-5 * kSize);
    }
    ASSERT_TRUE(simulation->execute(PullForce{0, 0, {0.0F, 0.0F, 1.0F}}).ok());
    ASSERT_TRUE(simulation->execute(SetVolume{1, 1, 0.0}).ok());  // something is always left
    EXPECT_GT(simulation->drawn(0).point_count(), 0);
    EXPECT_FALSE(simulation->world().hand().active());
    EXPECT_FALSE(simulation->execute(SetVolume{1, 4, 0.5}).ok());
    EXPECT_FALSE(simulation->execute(SetVolume{1, 1, std::nan("")}).ok());
    ASSERT_TRUE(simulation->execute(SetVolume{}).ok());
    EXPECT_EQ(simulation->drawn(0).geometry().rest.size(), surface);
    run(*simulation, 5);
  }
}

TEST(Simulation, ClockGoesOnWhenTheStepChanges) {
  const auto simulation = simulate(beam_scene("modal"));
  run(*simulation, 10);
  ASSERT_TRUE(simulation->execute(PageMessage(SetClock{0.0025, 1.0})).ok());
  EXPECT_DOUBLE_EQ(simulation->time(), 0.05);
  run(*simulation, 10);
  EXPECT_DOUBLE_EQ(simulation->time(), 0.075);
}

TEST(Simulation, NonsenseIsRefusedAndChangesNothing) {
  const auto simulation = simulate(beam_scene("tree"));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<PageMessage> wrong{PullSpring{1, 0, {}, 1.0},
                                       PullSpring{0, 1000000, {}, 1.0},
                                       PullSpring{0, 0, {nan, 0.0F, 0.0F}, 1.0},
                                       PullSpring{0, 0, {}, infinity},
                                       PullForce{0, 0, {nan, 0.0F, 0.0F}},
                                       PullForce{7, 0, {}},
                                       SetClock{0.0, 1.0},
                                       SetClock{-1.0, 1.0},
                                       SetClock{infinity, 1.0},
                                       SetGravity{{nan, 0.0F, 0.0F}},
                                       SetDamping{-1.0, 0.0},
                                       SetDamping{0.0, infinity},
                                       SetMaterial{0, 0, 0.0, 1.0},
                                       SetMaterial{0, 9, 1e6, 1000.0},
                                       SetMaterial{9, 0, 1e6, 1000.0},
                                       TuneDomain{0, 77, 1.0, -1, -1},
                                       TuneDomain{0, 1, -2.0, -1, -1},
                                       Detach{0, 0},
                                       Detach{0, 99},
                                       Detach{5, 0}};
  for (std::size_t i = 0; i < wrong.size(); ++i) EXPECT_FALSE(simulation->execute(wrong[i]).ok()) << i;
  const auto untouched = simulate(beam_scene("tree"));
  run(*simulation, 10);
  run(*untouched, 10);
  EXPECT_EQ(simulation->positions(0).value(), untouched->positions(0).value());
}

}  // namespace
}  // namespace pliant::view
