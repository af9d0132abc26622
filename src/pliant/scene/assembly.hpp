// scene/assembly.hpp — a body of placed parts: from the scene's text to meshes, materials and the plan of a
// tree.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/reduce/tree_plan.hpp"
#include "pliant/scene/description.hpp"

#include <span>

namespace pliant {

/// The parts of an assembly and the body made of them, at rest and after the body's transform.
struct AssemblyShape {
  Assembly assembly;
  AssembledBody body;
  std::vector<Index> settings;  // of each class: index in AssemblyText::classes; -1: none
  Diagnostics notes;
};

/// Generates or loads the classes, reads the instances, and puts them together. Problems are located where
/// they were typed.
Result<AssemblyShape> load_assembly(const SceneDescription& scene, const BodyText& text, Progress& progress);

/// Gives elements with the body's own material that of their class, if the class has one. `mesh` has the
/// labels of the assembled body.
void use_class_materials(const AssemblyShape& shape, const BodyText& text, const VolumeMesh& mesh,
                         MaterialMap& materials);

/// The plan of the tree, with one class for each class of the assembly. If other instances share the root's
/// class, the root gets a class of its own, since supports hold it elsewhere. `held`: the vertices of the
/// whole mesh that supports hold or move; they must belong to the root.
Result<TreePlan> make_assembly_plan(const AssemblyShape& shape, const BodyText& text,
                                    std::span<const VertexId> held);

}  // namespace pliant
