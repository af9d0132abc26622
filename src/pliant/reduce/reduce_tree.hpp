// reduce/reduce_tree.hpp — from the plan of a tree of domains to reduced classes.
//
// A class is held at its base and carries its children on patches of its surface. Natural modes tell little
// of what a child's weight does to it, so heavy children get attachment shapes: the responses to a force and
// a moment at their joint ("attmd" of docs/theory/tree.md; reduce/make_basis with patches). Light ones, such
// as leaves on a branch, do not: their pull changes hardly anything, and six shapes for each of a thousand
// leaves would cost more than the branch itself.
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
  double heavy = 0.1;  // a child is, when its subtree weighs more than this share of its parent alone
  Index max = 12;      // per class

  [[nodiscard]] bool operator==(const AttachmentSettings&) const = default;
};

/// All problems of the settings.
[[nodiscard]] Diagnostics check(const AttachmentSettings& settings);

/// Mass of each domain with all that hangs on it, kg. A domain of scale s has s³ times the mass of its class.
[[nodiscard]] std::vector<double> subtree_masses(const TreePlan& plan);

/// The recipe of a class's basis: its numbers of modes, and a patch for each joint, on any of its instances,
/// that gets attachment shapes. Joints at one place (centres within 1e-6 of the size of the class) are one
/// patch, as strong as the strongest of them; those on held vertices alone cannot move and are left out. A
/// rigid class (modes = 0) has no patches.
[[nodiscard]] BasisSettings class_settings(const TreePlan& plan, Index class_index,
                                           const AttachmentSettings& attachment);

/// A text that differs whenever the class would be reduced differently though its body and its held vertices
/// are the same: what the key of a cache needs.
[[nodiscard]] std::string class_recipe(const TreePlan& plan, Index class_index,
                                       const AttachmentSettings& attachment);

/// One flag per degree of freedom: not held, and of some element.
[[nodiscard]] std::vector<char> free_dofs(const ClassPlan& plan);

/// Where the frame of a class has its origin: the weighted centre of its base, else its centre of mass.
[[nodiscard]] std::optional<Vector3> class_origin(const ClassPlan& plan);

/// The class of a plan, from a body that is there already (a cache had it).
[[nodiscard]] DomainClass make_class(const ClassPlan& plan, std::shared_ptr<const ReducedBody> reduced);

/// Basis, polynomials and inertia of one class. Errors name it (where.key "class 'name'" or further in).
Result<DomainClass> reduce_class(const TreePlan& plan, Index class_index,
                                 const AttachmentSettings& attachment, Progress& progress);

/// All classes in turn.
Result<TreeBody> reduce_tree(const TreePlan& plan, const AttachmentSettings& attachment, Progress& progress);

}  // namespace pliant
