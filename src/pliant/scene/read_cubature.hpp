// scene/read_cubature.hpp — the cubature points that `modal` and `coupled` may compute forces from.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/scene/reading.hpp"

#include <optional>
#include <string>

namespace pliant {

/// `cubature = { ... }` of the model `table`; empty if it does not say any.
std::optional<CubatureText> read_cubature(const Value& table, const std::string& path, Reading& reading);

/// Its settings; what it does not say keeps its default.
[[nodiscard]] CubatureSpec cubature_spec(const CubatureText& text);

}  // namespace pliant
