// Events of trees through the program.
#include "cli/program.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

constexpr const char* kScene = R"([simulation]
dt = 0.01
duration = 0.1
gravity = [0, 0, -3]
[[body]]
name = "row"
material = { young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "tree", linear_modes = 3, modes = 6 }
[[body.class]]
name = "bar"
generate = { shape = "box", size = [1, 0.2, 0.2], cells = [4, 2, 2] }
base = "x < 1e-6"
[[body.class]]
name = "heavy bar"
generate = { shape = "box", size = [1, 0.2, 0.2], cells = [4, 2, 2] }
base = "x < 1e-6"
material = { young = 1e6, poisson = 0.3, density = 3000 }
[[body.instance]]
name = "inner"
class = "bar"
[[body.instance]]
name = "outer"
class = "bar"
parent = "inner"
translate = [1, 0, 0]
[[event]]
t = 0.05
replace = { domain = "outer", class = "heavy bar" }
)";

TEST(TreeEventsProgram, ReplacesAndDetaches) {
  const test::TemporaryFolder folder;
  const auto tip = [&](const std::string& scene) {
    test::write_text(folder.path() / "scene.toml",
                     scene + "[[probe]]\nname = \"tip\"\nnear = [2, 0.1, 0.1]\n");
    const test::Outcome outcome =
        test::run_program({"run", "scene.toml", "--json", "--cache", "cache"}, folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    if (outcome.exit_code != 0) return 0.0;
    return nlohmann::json::parse(outcome.out)["probes"]["tip"]["u"].back()[2].get<double>();
  };
  const std::string replaced = kScene;
  const std::size_t event = replaced.find("[[event]]");
  const double plain = tip(replaced.substr(0, event));
  EXPECT_LT(plain, -0.001);
  EXPECT_GT(std::abs(tip(replaced) / plain - 1), 1e-3);
  EXPECT_GT(
      std::abs(tip(replaced.substr(0, event) + "[[event]]\nt = 0.05\ndetach = \"outer\"\n") / plain - 1),
      1e-3);
  std::string wrong = replaced;
  wrong.replace(wrong.rfind("outer"), 5, "upper");
  test::write_text(folder.path() / "scene.toml", wrong);
  const test::Outcome refused = test::run_program({"run", "scene.toml"}, folder.path());
  EXPECT_EQ(refused.exit_code, 2);
  ASSERT_EQ(refused.error_lines().size(), 1U);
  EXPECT_NE(refused.error_lines()[0].find("scene.toml:29:"), std::string::npos) << refused.error_lines()[0];
}

}  // namespace
}  // namespace pliant
