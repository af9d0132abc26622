// scene/read_coupled.hpp — reads the settings of a model of coupled domains.
#pragma once

#include "pliant/scene/reading.hpp"

namespace pliant {

/// The settings of `model = { type = "coupled", ... }`; `path` is the key of the table.
[[nodiscard]] CoupledText read_coupled(const Value& table, const std::string& path, Reading& reading);

}  // namespace pliant
