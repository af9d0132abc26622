// tests/support/scenes.hpp — the text of the scene that most tests of scenes and of the program begin with.
#pragma once

#include <string>

namespace pliant::test {

/// A soft beam of 1 × 0.2 × 0.1 m that is held at x = 0. `simulation`: the lines of that section (and of
/// others before the body); `cells`: what follows the size, e.g. "cells = [8, 2, 2], element = \"hex\"".
/// Whatever is added goes on within the body.
inline std::string beam_scene(const std::string& simulation, const std::string& cells) {
  return "[simulation]\n" + simulation +
         "[[body]]\nname = \"beam\"\n"
         "generate = { shape = \"box\", size = [1, 0.2, 0.1], " +
         cells +
         " }\n"
         "material = { young = 1e6, poisson = 0.3, density = 1000 }\n"
         "fixed = [\"x < 1e-6\"]\n";
}

/// Two bars in a row; a third class is there to become what the outer one is not.
inline std::string row_scene(double duration) {
  return "[simulation]\ndt = 0.01\ngravity = [0, 0, -3]\nduration = " + std::to_string(duration) + R"(
[[body]]
name = "row"
material = { young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "tree", linear_modes = 4, modes = 12 }
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
)";
}

}  // namespace pliant::test
