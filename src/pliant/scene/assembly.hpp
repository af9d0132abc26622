// scene/assembly.hpp — a body of placed parts: from the scene's text to meshes, materials and the plan of a
// tree.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/reduce/tree_plan.hpp"
#include "pliant/scene/description.hpp"

#include <span>

namespace pliant {

/// Parts and the body put together from them, at rest and after the body's transform.
struct AssemblyShape {
  Assembly assembly;
  AssembledBody body;
  std::vector<Index> settings;  // of each class: place in AssemblyText::classes, -1: none
  Diagnostics notes;
};

/// Generates or loads the classes, reads the instances, and puts them together. Problems are located where
/// they were typed.
Result<AssemblyShape> load_assembly(const SceneDescription& scene, const BodyText& text, Progress& progress);

/// Elements that have the body's own material get that of their class, if it has one. `mesh` has the labels
/// of the assembled body.
void use_class_materials(const AssemblyShape& shape, const BodyText& text, const VolumeMesh& mesh,
                         MaterialMap& materials);

/// One class of the plan per class; the root has one of its own when others hang by the same base. `held`:
/// what supports hold or move, of the whole mesh, all of the root.
Result<TreePlan> make_assembly_plan(const AssemblyShape& shape, const BodyText& text,
                                    std::span<const VertexId> held);

}  // namespace pliant
