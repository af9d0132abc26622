// `pliant haptic`: its JSON, its table, exit codes.
#include "program.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pliant {
namespace {

using Json = nlohmann::json;
using test::Outcome;

const std::string kScene = R"([simulation]
dt = 0.001
duration = 0.3
integrator = "backward-euler"
[contact]
friction = 0.3
[[obstacle]]
name = "finger"
shape = "sphere"
radius = 0.02
position = [0.05, 0.05, 0.085]
[[obstacle]]
name = "floor"
shape = "plane"
position = [0, 0, -1]
[[body]]
name = "block"
generate = { shape = "box", size = [0.1, 0.1, 0.05], cells = [6, 6, 3] }
material = { law = "stvk", young = 2e4, poisson = 0.4, density = 1000 }
fixed = ["z < 1e-6"]
model = { type = "modal", linear_modes = 6, modes = 14 }
)";

class HapticCommand : public testing::Test {
 protected:
  void SetUp() override {
    test::write_text(folder_.path() / "scene.toml", kScene);
    test::write_text(folder_.path() / "hand.csv", "t,x,y,z\n0,0.05,0.05,0.085\n0.2,0.05,0.05,0.06\n");
  }
  Outcome pliant(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"haptic", "scene.toml", "--quiet", "--no-cache"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return test::run_program(all, folder_.path());
  }
  test::TemporaryFolder folder_;
};

TEST_F(HapticCommand, PlaysAScriptAndTellsWhatTheHandFelt) {
  const std::vector<std::string> arguments{"--device", "hand.csv", "--fast", "--json", "--out", "rows.csv"};
  const Outcome outcome = pliant(arguments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json document = Json::parse(outcome.out);
  EXPECT_TRUE(document["healthy"]);
  EXPECT_EQ(document["steps"], 300);
  EXPECT_EQ(document["deadlines"]["periods"], 300);
  EXPECT_NEAR(document["stability"]["limit"].get<double>(), 666.7, 0.1);
  EXPECT_NEAR(document["stability"]["share"].get<double>(), 0.5, 1e-12);
  ASSERT_EQ(document["rows"]["t"].size(), 30U);
  EXPECT_GT(document["rows"]["force"].back()[2].get<double>(), 0.1);  // pushes the hand up
  EXPECT_GT(document["rows"]["count"].back(), 0);
  EXPECT_LT(document["penetration"].get<double>(), 3e-3 * 0.15);
  EXPECT_EQ(Json::parse(pliant(arguments).out)["state_hash"], document["state_hash"]);
  const std::string table = test::read_text(folder_.path() / "rows.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 31);
}

TEST_F(HapticCommand, EndsWithThePipe) {
  const Outcome outcome = pliant({"--pipe", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_LE(Json::parse(outcome.out)["steps"], 300);
}

TEST_F(HapticCommand, BadRequestsAreExplained) {
  test::write_text(folder_.path() / "bad.csv", "t,x,y,z\n0,1,2\n");
  struct Wrong {
    std::vector<std::string> arguments;
    std::string part;
  };
  for (const Wrong& wrong :
       {Wrong{{}, "--device: is missing"},
        Wrong{{"--device", "hand.csv", "--pipe"}, "is not the only device"},
        Wrong{{"--device", "none.csv"}, "cannot be read"}, Wrong{{"--device", "bad.csv"}, "bad.csv:2"},
        Wrong{{"--device", "hand.csv", "--tool", "thumb"}, "take one of: finger"},
        Wrong{{"--device", "hand.csv", "--tool", "floor"}, "a plane is no tool"},
        Wrong{{"--udp", "7", "--fast"}, "--fast"},
        Wrong{{"--device", "hand.csv", "--mass", "0"}, "--mass"}}) {
    const Outcome outcome = pliant(wrong.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << wrong.part << outcome.err;
    EXPECT_NE(outcome.err.find(wrong.part), std::string::npos) << wrong.part << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace pliant
