// apps/cli/examples.hpp — where the examples are.
#pragma once

#include <filesystem>

namespace pliant::cli {

/// The folder of the examples: of the installed program PREFIX/share/pliant/examples, of a build folder the
/// examples of its sources, else ./examples. Empty: there is none.
[[nodiscard]] std::filesystem::path find_examples();

}  // namespace pliant::cli
