// scene/read_loads.hpp — reads what moves a body from outside: driven vertices, forces, pressures, wind.
#pragma once

#include "pliant/scene/reading.hpp"

namespace pliant {

/// One `[[body.motion]]`.
[[nodiscard]]  /// The keys of a motion, without the selection that follows it.
[[nodiscard]] Motion
read_motion_keys(const Value& table, const std::string& path, Reading& reading);
MotionText read_motion(const Value& table, const std::string& path, Reading& reading);

/// Appends one `[[body.load]]` to those of the body, unless it says none or several.
void read_load(const Value& table, const std::string& path, Reading& reading, BodyText& body);

}  // namespace pliant
