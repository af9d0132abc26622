// scene/read_assembly.hpp — what a scene says about bodies made of placed parts.
#pragma once

#include "pliant/scene/description.hpp"

#include <functional>
#include <string>

namespace pliant {

/// What a class has in common with a body is read in the same way.
struct PartReaders {
  std::function<void(const Value&, const std::string& path, BodyText&)> shape;
  std::function<Material(const Value&, const std::string& path)> material;
};

/// Whether the table of a body says `assembly`, `class`, `instance` or `instances`.
[[nodiscard]] bool has_assembly(const Value& body);

/// Those keys of a body.
[[nodiscard]] AssemblyText read_assembly(const Value& body, const std::string& path, const std::string& file,
                                         const PartReaders& readers, Diagnostics& problems);

}  // namespace pliant
