// scene/read_blended.hpp — reads the settings of a model of overlapping domains.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/scene/reading.hpp"

namespace pliant {

/// The settings of `model = { type = "blended", ... }`; `path` is the key of the table.
[[nodiscard]] BlendedText read_blended(const Value& table, const std::string& path, Reading& reading);

/// What the scene says about a model of overlapping domains, with the poses in its files.
[[nodiscard]] Result<BlendedSpec> blended_spec(const SceneDescription& scene, const BodyText& body,
                                               Index vertices);

}  // namespace pliant
