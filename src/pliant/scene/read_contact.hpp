// scene/read_contact.hpp — `[contact]`, `[[obstacle]]` and `body.contact`.
#pragma once

#include "pliant/scene/reading.hpp"

namespace pliant {

/// Reads contact and obstacles of a scene whose bodies have been read.
void read_contact(const Value& root, Reading& reading, SceneDescription& scene);
[[nodiscard]] BodyContactText read_body_contact(const Value& table);
/// Reads an `[[event]]` if it is one of an obstacle. False: it is none.
bool read_obstacle_event(const Value& table, const std::string& path, Reading& reading,
                         SceneDescription& scene);

}  // namespace pliant
