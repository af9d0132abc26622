// Events of trees as a scene file has them: parts that come off, parts that become others.
#include "pliant/scene/build.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

std::unique_ptr<BuiltScene> run(const std::string& text) {
  const Result<SceneDescription> scene = read_scene(text, "events.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  World& world = *built.value()->world;
  EXPECT_TRUE(world.start());
  world.run(no_progress());
  EXPECT_TRUE(world.record().healthy) << world.record().failure_reason;
  return std::move(built).value();
}

/// Three domains that tumble; the last comes off after 0.1 s, the middle one later.
constexpr const char* kFlying = R"([simulation]
dt = 0.005
duration = 0.4
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [9, 2, 2], element = "hex" }
material = { young = 1e6, poisson = 0.3, density = 1000 }
initial = { velocity = [0.3, -0.2, 0.5], angular_velocity = [0.5, 1, 3] }
model = { type = "tree", linear_modes = 3, modes = 8, root = "stem" }
[[body.domain]]
name = "stem"
where = "x < 0.34"
[[body.domain]]
name = "middle"
where = "x < 0.67"
[[body.domain]]
name = "tip"
where = "true"
[[event]]
t = 0.1
detach = "tip"
[[event]]
t = 0.25
detach = "middle"
)";

/// Nothing pulls: all rows have the momenta of the first, those about the moments of coming off too.
TEST(TreeEventScene, DetachingKeepsTheMomenta) {
  const auto built = run(kFlying);
  ASSERT_TRUE(built);
  const std::vector<Momenta>& rows = built->world->record().bodies[0].momentum;
  ASSERT_EQ(rows.size(), 81U);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT((rows[i].linear - rows[i - 1].linear).norm(), 1e-12 * rows[0].linear.norm()) << i;
    EXPECT_LT((rows[i].angular - rows[i - 1].angular).norm(), 1e-12 * rows[0].angular.norm()) << i;
  }
  // in three pieces that turned by 0.25 to 0.4 s · 3 rad/s, it is not what it would be in one
  std::string whole = kFlying;
  whole.resize(whole.find("[[event]]"));
  const auto other = run(whole);
  ASSERT_TRUE(other);
  const VectorX& u = built->world->bodies()[0].model->displacements();
  EXPECT_GT((u - other->world->bodies()[0].model->displacements()).cwiseAbs().maxCoeff(), 0.05);
}

const std::string kRow = test::row_scene(0.3);

TEST(TreeEventScene, ReplacedPartWeighsWhatItsNewClassDoes) {
  const std::string event = "[[event]]\nt = 0.1\nreplace = { domain = \"outer\", class = ";
  const auto plain = run(kRow), same = run(kRow + event + "\"bar\" }\n"),
             other = run(kRow + event + "\"heavy bar\" }\n");
  ASSERT_TRUE(plain && same && other);
  const auto model = [](const auto& built) -> const Model& { return *built->world->bodies()[0].model; };
  const VectorX& u = model(plain).displacements();
  EXPECT_LT((model(same).displacements() - u).norm(), 1e-6 * u.norm());
  EXPECT_GT((model(other).displacements() - u).norm(), 0.05 * u.norm());
  EXPECT_NEAR(model(plain).momenta().mass, 80.0, 1e-9);
  EXPECT_NEAR(model(other).momenta().mass, 160.0, 1e-9);
}

TEST(TreeEventScene, PartsToReplaceAndTheirClassesMustBeThere) {
  for (const char* names : {"domain = \"upper\", class = \"bar\"", "domain = \"outer\", class = \"beam\""}) {
    const std::string event = "[[event]]\nt = 0.1\nreplace = { " + std::string(names) + " }\n";
    const Result<SceneDescription> scene = read_scene(kRow + event, "events.toml");
    ASSERT_TRUE(scene.ok());
    const auto built = build_scene(scene.value(), no_progress());
    ASSERT_FALSE(built.ok()) << names;
    EXPECT_EQ(built.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(built.error().where.line, 29);
  }
}

}  // namespace
}  // namespace pliant
