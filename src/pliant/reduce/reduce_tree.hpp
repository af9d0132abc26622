// reduce/reduce_tree.hpp — from the plan of a tree of domains to reduced classes.
//
// A class is held at its base and carries its children on patches of its surface. Natural modes represent
// poorly what the weight of a child does to it, so heavy children get attachment shapes: the responses to
// forces and moments at their joint ("attmd" of docs/theory/tree.md; reduce/make_basis with patches). Light
// ones, such as leaves on a branch, do not: they change hardly anything, and six shapes for each of a
// thousand leaves would cost more than the branch itself.
#pragma once

#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/tree_plan.hpp"

namespace pliant {

/// Which children get attachment shapes in the class that carries them.
struct AttachmentSettings {
  enum class Kind {
    kNone,
    kAll,  // six per child, however many
    kAuto  // six per heavy child, and of all of them the `max` strongest
  };
  Kind kind = Kind::kAuto;
  double heavy = 0.1;  // a child is heavy if its subtree weighs more than this share of its parent
  Index max = 12;      // per class

  [[nodiscard]] bool operator==(const AttachmentSettings&) const = default;
};

/// All problems of the settings.
[[nodiscard]] Diagnostics check(const AttachmentSettings& settings);

/// Mass of each domain with everything that hangs on it, kg. A domain of scale s has s³ times the mass of its
/// class.
[[nodiscard]] std::vector<double> subtree_masses(const TreePlan& plan);

/// The recipe of a class's basis: its numbers of modes, and a patch for each joint (on any of its instances)
/// that gets attachment shapes. Joints at the same place (centres within 1e-6 of the size of the class)
/// become one patch, with the largest force and lever of them. Joints whose vertices are all held cannot move
/// and are left out. A rigid class (modes = 0) has no patches.
[[nodiscard]] BasisSettings class_settings(const TreePlan& plan, Index class_index,
                                           const AttachmentSettings& attachment);

/// A text that differs whenever the class would be reduced differently from the same body with the same held
/// vertices: for the key of a cache.
[[nodiscard]] std::string class_recipe(const TreePlan& plan, Index class_index,
                                       const AttachmentSettings& attachment);

/// One flag per degree of freedom: free if its vertex is not held and belongs to an element.
[[nodiscard]] std::vector<char> free_dofs(const ClassPlan& plan);

/// The origin of the class's frame: the weighted centre of its base. Empty (no base): the centre of mass.
[[nodiscard]] std::optional<Vector3> class_origin(const ClassPlan& plan);

/// The class of a plan, given its reduced body (from a cache, for example).
[[nodiscard]] DomainClass make_class(const ClassPlan& plan, std::shared_ptr<const ReducedBody> reduced);

/// Basis, polynomials and inertia of one class. Errors name the class (where.key is "class 'name'", and what
/// follows).
Result<DomainClass> reduce_class(const TreePlan& plan, Index class_index,
                                 const AttachmentSettings& attachment, Progress& progress);

/// Reduces all classes in turn.
Result<TreeBody> reduce_tree(const TreePlan& plan, const AttachmentSettings& attachment, Progress& progress);

}  // namespace pliant
