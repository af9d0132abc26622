// scene/read_modal.hpp — reads the settings of a model with one basis for the whole body.
#pragma once

#include "pliant/scene/reading.hpp"

namespace pliant {

/// The settings of `model = { type = "modal", ... }`; `path` is the key of the table.
[[nodiscard]] ModalText read_modal(const Value& table, const std::string& path, Reading& reading);

}  // namespace pliant
