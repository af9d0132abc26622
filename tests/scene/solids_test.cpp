// Obstacles with a density: rigid bodies that fall, are pushed and push back.
#include "pliant/base/parallel.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"
#include "support/support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

/// Solids on or over a floor, beside a soft block that may be far away.
struct Scene {
  double dt = 1.0 / 120, duration = 1.0, young = 1e5, friction = 0.5, restitution = 0.0, damping = 3e-3;
  Vector3 gravity = Vector3(0.0, 0.0, -9.81), place = Vector3(100.0, 0.0, 0.0);
  std::string model = "modal", integrator, obstacles, body;

  [[nodiscard]] std::string text() const {
    const auto list = [](const Vector3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); };
    std::string type = fmt::format("{{ type = \"{}\" }}", model);
    if (model == "modal") type = "{ type = \"modal\", linear_modes = 6, modes = 12 }";
    if (model == "tree") type = "{ type = \"tree\", linear_modes = 4, modes = 10, domains = { auto = 2 } }";
    if (model == "coupled") type = "{ type = \"coupled\", modes = 8, domains = { auto = 2 } }";
    std::string simulation =
        fmt::format("[simulation]\ndt = {}\nduration = {}\ngravity = {}\ndamping = {{ stiffness = {} }}\n",
                    dt, duration, list(gravity), damping);
    if (!integrator.empty()) simulation += "integrator = \"" + integrator + "\"\n";
    return simulation + fmt::format("[contact]\nfriction = {}\nrestitution = {}\n", friction, restitution) +
           obstacles +
           fmt::format(
               "[[body]]\nname = \"block\"\ngenerate = {{ shape = \"box\", size = [0.2, 0.2, 0.1], cells = "
               "[2, 2, "
               "2] }}\ntransform = {{ translate = {} }}\nmaterial = {{ law = \"neohookean\", young = {}, "
               "poisson = 0.3, "
               "density = 1000 }}\nmodel = {}\n{}",
               list(place), young, type, body);
  }
};

const std::string kFloor = "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n";

std::string solid(const std::string& name, const std::string& shape, double density, const Vector3& at,
                  const std::string& more = "") {
  return fmt::format("[[obstacle]]\nname = \"{}\"\n{}\ndensity = {}\nposition = [{}, {}, {}]\n{}\n", name,
                     shape, density, at[0], at[1], at[2], more);
}

std::unique_ptr<BuiltScene> build(const Scene& scene) {
  Result<SceneDescription> read = read_scene(scene.text(), "solids.toml");
  if (!read) {
    ADD_FAILURE() << to_string(read.error()) << scene.text();
    return nullptr;
  }
  Result<std::unique_ptr<BuiltScene>> built = build_scene(read.value(), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  return std::move(built).value();
}

std::unique_ptr<BuiltScene> run(const Scene& scene) {
  std::unique_ptr<BuiltScene> built = build(scene);
  if (!built) return built;
  Progress progress;
  EXPECT_TRUE(built->world->start());
  built->world->run(progress);
  EXPECT_TRUE(built->world->healthy()) << built->world->record().failure_reason << scene.text();
  EXPECT_EQ(built->world->record().rough_steps, 0) << scene.text();
  return built;
}

Vector3 linear(const RunRecord& record, std::size_t row) {
  Vector3 sum = record.bodies[0].momentum[row].linear;
  for (const SolidRow& s : record.contacts[row].solids) sum += s.linear;
  return sum;
}

/// About the origin.
Vector3 angular(const RunRecord& record, std::size_t row) {
  const Momenta& m = record.bodies[0].momentum[row];
  Vector3 sum = m.angular + m.center.cross(m.linear);
  for (const SolidRow& s : record.contacts[row].solids) sum += s.angular + s.center.cross(s.linear);
  return sum;
}

double energy(const RunRecord& record, std::size_t row) {
  const Energies& e = record.bodies[0].energy[row];
  double sum = e.kinetic + e.strain + e.potential + record.contacts[row].stored;
  for (const SolidRow& s : record.contacts[row].solids) sum += s.kinetic + s.potential;
  return sum;
}

class SolidsAnd : public testing::TestWithParam<const char*> {};

/// A spinning ball hits a free block off its centre. Nothing else acts.
TEST_P(SolidsAnd, ABallAndABlockExchangeMomenta) {
  Scene scene;
  scene.model = GetParam();
  scene.gravity.setZero();
  scene.place.setZero();
  scene.duration = 0.4;
  // Stiffness damping of `full` has a moment where the body has turned, contact or not.
  const std::string model = GetParam();
  if (model == "full") scene.damping = 0.0;
  scene.obstacles = solid("ball", "shape = \"sphere\"\nradius = 0.05", 2000, {0.14, 0.08, 0.2},
                          "initial = { velocity = [0.3, 0.2, -1.5], angular_velocity = [0, 20, 5] }");
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  const std::size_t last = record.t.size() - 1;
  const double size = record.contacts[0].solids[0].linear.norm();
  double most = 0.0, grown = 0.0;
  for (std::size_t row = 0; row <= last; ++row) {
    most = std::max(most, (linear(record, row) - linear(record, 0)).norm());
    grown = std::max(grown, energy(record, row) - energy(record, 0));
  }
  EXPECT_GT((record.bodies[0].momentum[last].linear).norm(), 0.3 * size);  // they did touch
  EXPECT_LT(most, 1e-9 * size);
  EXPECT_LT((angular(record, last) - angular(record, 0)).norm(), 1e-9 * size * 0.2);
  EXPECT_LT(grown, 1e-6 * energy(record, 0));
}

/// A plate as heavy as the block comes to rest on it; the floor then carries both.
TEST_P(SolidsAnd, ABlockCarriesAPlate) {
  Scene scene;
  scene.model = GetParam();
  scene.place.setZero();
  scene.young = 3e5;
  scene.obstacles =
      kFloor + solid("plate", "shape = \"box\"\nsize = [0.25, 0.25, 0.05]", 1280, {0.1, 0.1, 0.135});
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  const ContactRow& end = record.contacts.back();
  EXPECT_NEAR(end.force[0][2], 8.0 * 9.81, 0.1);
  EXPECT_NEAR(end.force[1][2], -4.0 * 9.81, 0.1);
  EXPECT_LT(end.solids[0].velocity.norm(), 1e-3);
  EXPECT_LT(end.penetration, 3e-3 * 0.2);
  EXPECT_LT(energy(record, record.t.size() - 1), energy(record, 0));
}

INSTANTIATE_TEST_SUITE_P(Models, SolidsAnd, testing::Values("modal", "tree", "coupled", "full"));

/// Two thirds of the weight accelerate a ball that rolls, all of it but friction a block that slides.
TEST(Solids, ABallRollsAndABoxSlides) {
  const double angle = 0.3;
  Scene scene;
  scene.gravity = 9.81 * Vector3(std::sin(angle), 0.0, -std::cos(angle));
  scene.friction = 0.25;
  scene.duration = 0.5;
  scene.obstacles = kFloor + solid("ball", "shape = \"sphere\"\nradius = 0.1", 1000, {0.0, 0.0, 0.1}) +
                    solid("drum", "shape = \"cylinder\"\nradius = 0.1\nlength = 0.1", 1000, {0.0, 1.0, 0.1},
                          "rotate = [90, 0, 0]") +
                    solid("box", "shape = \"box\"\nsize = [0.2, 0.2, 0.1]", 1000, {0.0, 2.0, 0.05});
  scene.place = Vector3(0.0, 100.0, 0.0);
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  const std::size_t last = record.t.size() - 1, middle = last / 2;
  const double time = record.t[last] - record.t[middle];
  const auto gained = [&](std::size_t s) {
    return (record.contacts[last].solids[s].velocity[0] - record.contacts[middle].solids[s].velocity[0]) /
           time;
  };
  const double down = 9.81 * std::sin(angle);
  EXPECT_NEAR(gained(0), down / 1.4, 0.01 * down);
  EXPECT_NEAR(gained(1), down / 1.5, 0.01 * down);
  EXPECT_NEAR(gained(2), down - 0.25 * 9.81 * std::cos(angle), 0.01 * down);
}

/// Heavy on light.
TEST(Solids, AStackStands) {
  Scene scene;
  scene.duration = 2.0;
  scene.obstacles = kFloor + solid("a", "shape = \"box\"\nsize = [0.2, 0.2, 0.1]", 500, {0.0, 0.0, 0.051}) +
                    solid("b", "shape = \"box\"\nsize = [0.18, 0.18, 0.1]", 1000, {0.01, 0.0, 0.153}) +
                    solid("c", "shape = \"box\"\nsize = [0.18, 0.18, 0.1]", 5000, {0.0, 0.01, 0.255});
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  for (std::size_t s = 0; s < 3; ++s) {
    const SolidRow& row = record.contacts.back().solids[s];
    EXPECT_LT(row.velocity.norm(), 1e-6) << s;
    EXPECT_NEAR(row.center[2], 0.05 + 0.1 * static_cast<double>(s), 1e-3) << s;
    EXPECT_LT((row.rotation - Matrix3::Identity()).norm(), 1e-2) << s;
  }
  double grown = 0.0;
  for (std::size_t row = 0; row < record.t.size(); ++row)
    grown = std::max(grown, energy(record, row) - energy(record, 0));
  EXPECT_LT(grown, 1e-6 * 29.0 * 9.81 * 0.25);
}

TEST(Solids, BallsBounceWithTheirRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    Scene scene;
    scene.gravity.setZero();
    scene.restitution = e;
    scene.dt = 1.0 / 240;
    scene.duration = 0.1;
    scene.obstacles = kFloor +
                      solid("one", "shape = \"sphere\"\nradius = 0.1", 1000, {0.0, 0.0, 0.15},
                            "initial = { velocity = [0, 0, -2] }") +
                      solid("two", "shape = \"sphere\"\nradius = 0.1", 1000, {1.0, 0.0, 0.5},
                            "initial = { velocity = [1, 0, 0] }") +
                      solid("three", "shape = \"sphere\"\nradius = 0.1", 1000, {1.25, 0.0, 0.5},
                            "initial = { velocity = [-1, 0, 0] }");
    const auto built = run(scene);
    ASSERT_TRUE(built);
    const std::vector<SolidRow>& end = built->world->record().contacts.back().solids;
    EXPECT_NEAR(end[0].velocity[2], 2.0 * e, 0.02);
    EXPECT_NEAR(end[1].velocity[0], -e, 0.01);
    EXPECT_NEAR(end[2].velocity[0], e, 0.01);
  }
}

TEST(Solids, AFastBallDoesNotPassAThinPlate) {
  Scene scene;
  scene.gravity.setZero();
  scene.duration = 0.05;
  scene.obstacles = "[[obstacle]]\nname = \"plate\"\nshape = \"box\"\nsize = [2, 2, 0.001]\n" +
                    solid("ball", "shape = \"sphere\"\nradius = 0.05", 1000, {0.0, 0.0, 0.2},
                          "initial = { velocity = [1, 0, -10] }");
  const auto built = run(scene);
  ASSERT_TRUE(built);
  for (const ContactRow& row : built->world->record().contacts) EXPECT_GT(row.solids[0].center[2], 0.045);
}

TEST(Solids, ARunThatIsResumedEndsWithTheSameBits) {
  Scene scene;
  scene.place.setZero();
  scene.duration = 0.4;
  scene.obstacles = kFloor + solid("ball", "shape = \"sphere\"\nradius = 0.05", 2000, {0.1, 0.1, 0.17},
                                   "initial = { velocity = [0.4, 0, -1], angular_velocity = [0, 5, 0] }");
  const std::string whole = run(scene)->world->state_hash();
  const auto first = build(scene);
  ASSERT_TRUE(first->world->start());
  for (int i = 0; i < 15; ++i) ASSERT_TRUE(first->world->step());
  ASSERT_LT(first->world->record().contacts.back().force[1][2], 0.0);  // the ball presses on the block
  const auto second = build(scene);
  ASSERT_TRUE(second->world->resume(first->world->snapshot()).ok());
  Progress progress;
  second->world->run(progress);
  EXPECT_EQ(second->world->state_hash(), whole);
  const ThreadScope two(2);
  EXPECT_EQ(run(scene)->world->state_hash(), whole);
}

TEST(Solids, MistakesAreLocated) {
  struct Wrong {
    std::string text, key;
  };
  for (const Wrong& wrong :
       {Wrong{"[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\ndensity = 100\n", "obstacle[0].density"},
        Wrong{"[[obstacle]]\nname = \"b\"\nshape = \"sphere\"\nradius = 1\ninitial = { velocity = [1, 0, 0] "
              "}\n",
              "obstacle[0].initial"},
        Wrong{solid("b", "shape = \"sphere\"\nradius = 1", 10, {0, 0, 0},
                    "[[obstacle.motion]]\ntranslate = { t = [0, 1], by = [[0, 0, 0], [1, 0, 0]] }"),
              "obstacle[0].density"}}) {
    Scene scene;
    scene.obstacles = wrong.text;
    const Result<SceneDescription> read = read_scene(scene.text(), "solids.toml");
    ASSERT_FALSE(read) << wrong.text;
    EXPECT_EQ(read.error().where.key, wrong.key) << to_string(read.error());
  }
  Scene scene;
  scene.obstacles = kFloor + solid("ball", "shape = \"sphere\"\nradius = 0.1", 100, {0, 0, 0.05});
  const Result<SceneDescription> read = read_scene(scene.text(), "solids.toml");
  ASSERT_TRUE(read);
  const auto built = build_scene(read.value(), no_progress());
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().what.find("0.05 m inside of the obstacle \"floor\""), std::string::npos)
      << built.error().what;
  EXPECT_GT(built.error().where.line, 0);
}

}  // namespace
}  // namespace pliant
