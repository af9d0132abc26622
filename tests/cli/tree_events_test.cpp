// Events of trees through the program.
#include "cli/program.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace pliant {
namespace {

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
  const std::string row = test::row_scene(0.1), event = "[[event]]\nt = 0.05\n",
                    replaced = row + event + "replace = { domain = \"outer\", class = \"heavy bar\" }\n",
                    detached = row + event + "detach = \"outer\"\n";
  const double plain = tip(row);
  EXPECT_LT(plain, -0.001);
  EXPECT_GT(std::abs(tip(replaced) / plain - 1), 1e-3);
  EXPECT_GT(std::abs(tip(detached) / plain - 1), 1e-3);
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
