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

}  // namespace pliant::test
