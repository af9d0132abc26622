// The gallery of a folder, scenes that are built while the server answers, and looks that scenes ask for.
#include "pliant/serve/gallery.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/serve/scene_loader.hpp"
#include "support/support.hpp"
#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

std::filesystem::path folder_of(const std::string& name) {
  std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "pictures");
  return folder;
}

TEST(Gallery, ListsScenesInTheOrderOfItsListThenByName) {
  const std::filesystem::path folder = folder_of("gallery_order");
  for (const char* name : {"a", "b", "c"})
    ASSERT_TRUE(
        write_file(folder / (std::string(name) + ".toml"),
                   "# Scene " + std::string(name) + ", as in\n# Fig. 2 of a book. More of it.\n#\n# Text.\n")
            .ok());
  ASSERT_TRUE(write_file(folder / "gallery.txt", "# first of all\nc\n").ok());
  ASSERT_TRUE(write_file(folder / "notes.csv", "1,2\n").ok());
  ASSERT_TRUE(write_file(folder / "pictures/a.jpg", "picture").ok());
  const std::vector<GalleryScene> scenes = read_gallery(folder);
  ASSERT_EQ(scenes.size(), 3U);
  EXPECT_EQ(scenes[0].name, "c");
  EXPECT_EQ(scenes[1].name, "a");
  EXPECT_EQ(scenes[1].about, "Scene a, as in Fig. 2 of a book.");
  EXPECT_EQ(scenes[1].picture, "picture");
  EXPECT_TRUE(scenes[2].picture.empty());
  EXPECT_TRUE(read_gallery(folder / "nothing").empty());
}

/// A loader whose builds wait until they are let go or cancelled.
struct SlowLoader {
  std::atomic<int> begun{0};
  std::atomic<bool> go{false};
  SceneLoader loader{[this](const SceneWish& wish, Progress& progress) -> Result<std::unique_ptr<Session>> {
                       progress.begin("waiting", 10);
                       ++begun;
                       while (!go && !progress.cancelled()) std::this_thread::sleep_for(1ms);
                       if (progress.cancelled())
                         return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
                       if (wish.model == "bad")
                         return Diagnostic{ErrorCode::kOutOfRange, {}, "no such model", ""};
                       return std::make_unique<Session>(test::simulate(test::beam_scene("modal")),
                                                        Session::Options{});
                     },
                     {}};
};

TEST(SceneLoader, TellsHowFarItIsAndHandsOutWhatItHasBuilt) {
  SlowLoader slow;
  EXPECT_EQ(slow.loader.progress().running, 0);
  slow.loader.open(SceneWish{"folder/beam.toml", ""});
  ASSERT_TRUE(soon([&] { return slow.begun == 1; }));
  const Building now = slow.loader.progress();
  EXPECT_EQ(now.running, 1);
  EXPECT_EQ(now.scene, "beam");
  EXPECT_EQ(now.stage, "waiting");
  EXPECT_EQ(slow.loader.take(), nullptr);
  slow.go = true;
  std::unique_ptr<Session> made;
  ASSERT_TRUE(soon([&] { return (made = slow.loader.take()) != nullptr; }));
  EXPECT_EQ(slow.loader.progress().running, 0);
  EXPECT_EQ(slow.loader.progress().failed, 0);
  EXPECT_EQ(slow.loader.take(), nullptr) << "each is handed out once";
}

TEST(SceneLoader, ANewerWishOrACancelEndsTheBuild) {
  SlowLoader slow;
  slow.loader.open(SceneWish{"first.toml", ""});
  ASSERT_TRUE(soon([&] { return slow.begun == 1; }));
  slow.loader.open(SceneWish{"second.toml", ""});
  ASSERT_TRUE(soon([&] { return slow.begun == 2; })) << "the first has given up";
  EXPECT_EQ(slow.loader.progress().scene, "second");
  slow.loader.cancel();
  ASSERT_TRUE(soon([&] { return slow.loader.progress().running == 0; }));
  EXPECT_EQ(slow.loader.progress().failed, 0) << "what was not wanted has not failed";
  EXPECT_EQ(slow.loader.take(), nullptr);
  slow.loader.open(SceneWish{"third.toml", "bad"});
  slow.go = true;
  ASSERT_TRUE(soon([&] { return slow.loader.progress().failed == 1; }));
  EXPECT_NE(slow.loader.progress().stage.find("no such model"), std::string::npos);
  EXPECT_EQ(slow.loader.failure().size(), 1U);
  // and a loader that is destroyed in the middle of a build does not wait for its end
  slow.go = false;
  slow.loader.open(SceneWish{"fourth.toml", ""});
  ASSERT_TRUE(soon([&] { return slow.begun == 4; }));
}

std::string painted_scene(const std::string& body, const std::string& rest = "") {
  return R"(
[simulation]
dt = 0.01
duration = 0.1
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [8, 2, 1] }
material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }
)" + body +
         "\n" + rest;
}

TEST(Looks, OfABodyAndItsRegionsReachTheirPoints) {
  const auto simulation = test::simulate(painted_scene("look = { color = \"#c0392b\", roughness = 0.25 }", R"(
[[body.region]]
where = "x > 0.5"
material = { law = "stvk", young = 1e5, poisson = 0.3, density = 1000 }
look = { color = "#38f" }
)"));
  const Hello hello = simulation->hello();
  ASSERT_EQ(hello.bodies[0].looks.size(), 2U);
  EXPECT_EQ(hello.bodies[0].looks[0].color, 0xc0392bU);
  EXPECT_EQ(hello.bodies[0].looks[0].roughness, 0.25F);
  EXPECT_EQ(hello.bodies[0].looks[1].color, 0x3388ffU);
  EXPECT_EQ(hello.bodies[0].looks[1].roughness, 0.25F) << "what a region does not name is the body's";
  const Geometry& geometry = simulation->drawn(0).geometry();
  ASSERT_EQ(3 * geometry.point_looks.size(), geometry.rest.size());
  for (std::size_t i = 0; i < geometry.point_looks.size(); ++i) {
    const float x = geometry.rest[3 * i];
    if (std::abs(x - 0.5F) > 0.01F) {
      EXPECT_EQ(geometry.point_looks[i], x > 0.5F ? 1 : 0) << x;
    }
  }
  EXPECT_TRUE(test::simulate(painted_scene(""))->hello().bodies[0].looks.empty());
}

TEST(Looks, OfADomainWin) {
  const auto simulation = test::simulate(painted_scene(R"(fixed = ["x < 1e-6"]
look = { color = "#111111" }
model = { type = "tree", linear_modes = 2, modes = 3 }
)",
                                                       R"(
[[body.domain]]
name = "root"
where = "x < 0.5"
[[body.domain]]
name = "tip"
where = "x >= 0.5"
look = { color = "#222222" }
)"));
  const Geometry& geometry = simulation->drawn(0).geometry();
  const Hello hello = simulation->hello();
  ASSERT_EQ(geometry.point_looks.size(), geometry.point_domains.size());
  for (std::size_t i = 0; i < geometry.point_looks.size(); ++i)
    EXPECT_EQ(hello.bodies[0].looks[geometry.point_looks[i]].color,
              geometry.point_domains[i] == 1 ? 0x222222U : 0x111111U);
}

TEST(Looks, ABadColourIsLocated) {
  for (const char* color : {"red", "#12345", "#1234567", "#12345g", ""}) {
    const std::string toml = painted_scene("look = { color = \"" + std::string(color) + "\" }");
    const auto scene = read_scene(toml, "beam.toml");
    ASSERT_FALSE(scene.ok()) << color;
    EXPECT_EQ(scene.error().where.key, "body[0].look.color");
    EXPECT_EQ(scene.error().where.line, 9);
  }
  const auto scene = read_scene(painted_scene("look = { roughness = 1.5 }"), "beam.toml");
  ASSERT_FALSE(scene.ok());
  EXPECT_EQ(scene.error().code, ErrorCode::kOutOfRange);
}

}  // namespace
}  // namespace pliant::view
