// tests/view/scenes.hpp — small scenes to look at, built in no time.
#pragma once

#include "pliant/edit/simulation.hpp"

#include <string>

namespace pliant::test {

/// A beam along x, held at x = 0 or free, as a model of that type; `tree` and `coupled` have three domains.
[[nodiscard]] std::string beam_scene(const std::string& model, bool held = true);

/// Built and started; aborts the test when the scene is bad.
[[nodiscard]] std::unique_ptr<view::Simulation> simulate(
    const std::string& toml, view::TableNumbers numbers = view::TableNumbers::kFloat);

/// Largest distance between points of two lists.
[[nodiscard]] double distance(const std::vector<float>& a, const std::vector<float>& b);

}  // namespace pliant::test
