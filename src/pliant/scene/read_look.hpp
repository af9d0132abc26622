// scene/read_look.hpp — how things are drawn: `look = { ... }`.
#pragma once

#include "pliant/scene/description.hpp"

namespace pliant {

/// The `look` of a table; neutral without one. Reports a colour that is none, where it was typed.
[[nodiscard]] LookText read_look(const Value& table, const std::string& path, const std::string& file,
                                 Diagnostics& problems);

}  // namespace pliant
