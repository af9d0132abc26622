// Trees for a long time: nothing drives them after some seconds, and no energy may come from anywhere else.
//
// `./dev test --long` runs them; otherwise they are skipped.
#include "examples/run_example.hpp"
#include "pliant/base/atomic_file.hpp"
#include "pliant/store/run_report.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace pliant {
namespace {

using test::energy_sum;
using test::example;

/// Runs `steps`; from `quiet` seconds on the energy above that of `rest` must not exceed 1.01 of what it was
/// then.
void expect_no_gain(SceneDescription scene, int steps, double quiet, bool rest_at_the_end = false) {
  if (std::getenv("PLIANT_LONG_TESTS") == nullptr) GTEST_SKIP() << "takes long: ./dev test --long";
  const double dt = scene.dt.value_or(0.0);
  scene.duration = steps * dt;
  const auto built = test::run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  const std::vector<Energies> rows = total_energy(record);
  const double rest = rest_at_the_end ? energy_sum(rows.back()) : 0.0;
  const auto first = static_cast<std::size_t>(std::ceil(quiet / dt - 1e-6));
  ASSERT_LT(first, rows.size());
  const double then = energy_sum(rows[first]) - rest;
  double most = 0.0;
  std::size_t when = first;
  for (std::size_t i = first; i < rows.size(); ++i)
    if (energy_sum(rows[i]) - rest > most) {
      most = energy_sum(rows[i]) - rest;
      when = i;
    }
  EXPECT_EQ(rows.size(), to_size(steps) + 1);
  EXPECT_LE(most, 1.01 * then) << "at t = " << static_cast<double>(when) * dt;
  testing::Test::RecordProperty("then", std::to_string(then));
  testing::Test::RecordProperty("most", std::to_string(most / then));
  testing::Test::RecordProperty("end", std::to_string((energy_sum(rows.back()) - rest) / then));
}

TEST(TreeLong, Flower) { expect_no_gain(example("flower"), 100000, 2.0); }

TEST(TreeLong, Letters) { expect_no_gain(example("letters"), 100000, 2.0); }

TEST(TreeLong, Station) { expect_no_gain(example("station"), 100000, 2.0); }

/// Its chest comes to rest within the second second.
TEST(TreeLong, Dragon) {
  const std::filesystem::path file = test::source_folder() / "examples" / "dragon.toml";
  std::string text = read_file(file).value();
  std::string times, places;
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.02 * i;
    const double fading = t < 1.5 ? 1.0 : 0.5 + 0.5 * std::cos(2.0 * std::numbers::pi * (t - 1.5));
    const double z = 0.12 * fading * std::sin(2.0 * std::numbers::pi * 1.1 * t);
    times += (i == 0 ? "" : ", ") + std::to_string(t);
    places += (i == 0 ? "[0, 0, " : ", [0, 0, ") + std::to_string(z) + "]";
  }
  const std::size_t begin = text.find("oscillate = ");
  ASSERT_NE(begin, std::string::npos);
  text.replace(begin, text.find('\n', begin) - begin,
               "translate = { t = [" + times + "], by = [" + places + "] }");
  Result<SceneDescription> scene = read_scene(text, file.string());
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  expect_no_gain(std::move(scene).value(), 100000, 2.0);
}

/// It hangs in gravity, which has no zero: energies are counted from where it comes to rest. Its drag ends
/// at 2.4 s.
TEST(TreeLong, Plant) { expect_no_gain(example("plant"), 100000, 2.4, true); }

/// Its wind is over after 2 s.
TEST(TreeLong, Oak) { expect_no_gain(example("oak"), 10000, 2.0); }

}  // namespace
}  // namespace pliant
