#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace pliant::test {

std::string beam_scene(const std::string& model, bool held) {
  std::string text =
      "[simulation]\ndt = 0.005\nduration = 1.0\ngravity = [0, 0, -9.81]\n"
      "damping = { mass = 0.5, stiffness = 0.002 }\n"
      "newton = { iterations = 20, tolerance = 1e-8 }\n"
      "[[body]]\nname = \"beam\"\n"
      "generate = { shape = \"box\", size = [0.9, 0.2, 0.1], cells = [9, 2, 1], element = \"tet\" }\n"
      "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\n";
  if (held) text += "fixed = [\"x < 1e-6\"]\n";
  if (model == "modal") text += "model = { type = \"modal\", linear_modes = 4, modes = 10 }\n";
  if (model == "full") text += "model = { type = \"full\" }\n";
  if (model == "tree")
    text +=
        "model = { type = \"tree\", linear_modes = 3, modes = 8 }\n"
        "[[body.domain]]\nname = \"root\"\nwhere = \"x < 0.3\"\n"
        "[[body.domain]]\nname = \"middle\"\nwhere = \"x < 0.6\"\n"
        "[[body.domain]]\nname = \"tip\"\nwhere = \"x >= 0.6\"\n";
  if (model == "coupled")
    text +=
        "model = { type = \"coupled\", modes = 12 }\n"
        "[[body.domain]]\nname = \"root\"\nwhere = \"x < 0.35\"\n"
        "[[body.domain]]\nname = \"middle\"\nwhere = \"x < 0.65\"\n"
        "[[body.domain]]\nname = \"tip\"\nwhere = \"x >= 0.65\"\n";
  return text + "[[probe]]\nname = \"end\"\nnear = [0.9, 0.2, 0.1]\n";
}

std::unique_ptr<view::Simulation> simulate(const std::string& toml, view::TableNumbers numbers) {
  auto scene = read_scene(toml, "test.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    std::abort();
  }
  const SceneDescription description = std::move(scene).value();
  auto made = view::Simulation::make(
      description, [description] { return build_scene(description, no_progress()); }, numbers);
  if (!made) {
    ADD_FAILURE() << to_string(made.error());
    std::abort();
  }
  return std::move(made).value();
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i + 2 < std::min(a.size(), b.size()); i += 3)
    largest = std::max(largest,
                       std::hypot(static_cast<double>(a[i] - b[i]), static_cast<double>(a[i + 1] - b[i + 1]),
                                  static_cast<double>(a[i + 2] - b[i + 2])));
  return largest;
}

}  // namespace pliant::test
