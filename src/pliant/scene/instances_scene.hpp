// scene/instances_scene.hpp — turns a surface of many parts into a scene, with one class for all copies of a
// part.
#pragma once

#include "pliant/mesh/assembly/part_tree.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// The files of a scene with their names; all belong in one folder.
struct InstancesScene {
  std::string toml;
  std::string instances_name;
  std::string instances;
  std::vector<std::pair<std::string, std::string>> surfaces;  // one .obj per class
};

/// `stem` begins the names of all files. The class of the root is held at its lower end, along the axis in
/// which it is longest.
[[nodiscard]] InstancesScene instances_scene(const SurfaceMesh& surface, const Congruence& copies,
                                             const PartTree& tree, const std::string& stem);

}  // namespace pliant
