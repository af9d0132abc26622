// scene/modes.hpp — natural modes of a mesh file or of the bodies of a scene.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/material/material.hpp"
#include "pliant/model/model.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// The arguments of `pliant modes MESH`.
struct ModesRequest {
  std::filesystem::path mesh;
  Material material;
  std::vector<std::string> fixed;  // selections
  Index count = 10;
};

/// A model with its natural modes.
struct ModesOutcome {
  std::string name;
  std::unique_ptr<Model> model;
  Model::Frequencies modes;
  Diagnostics notes;
};

/// Modes of a volume mesh of one material.
Result<ModesOutcome> mesh_modes(const ModesRequest& request, Progress& progress = no_progress());

/// The mesh with its mode shapes as point data, as .vtu; each shape is scaled so that its largest
/// displacement is 1.
[[nodiscard]] std::string modes_vtu(const ModesOutcome& outcome);

}  // namespace pliant
