// scene/read_assembly.hpp — reads the keys of a scene that describe bodies made of placed parts.
#pragma once

#include "pliant/scene/description.hpp"

#include <functional>
#include <string>

namespace pliant {

/// The readers of a body's mesh and material, which also read those of a class.
struct PartReaders {
  std::function<void(const Value&, const std::string& path, BodyText&)> shape;
  std::function<Material(const Value&, const std::string& path)> material;
};

/// Whether the table of a body has a key `assembly`, `class`, `instance` or `instances`.
[[nodiscard]] bool has_assembly(const Value& body);

/// Reads these keys of a body.
[[nodiscard]] AssemblyText read_assembly(const Value& body, const std::string& path, const std::string& file,
                                         const PartReaders& readers, Diagnostics& problems);

}  // namespace pliant
