// mesh/generate_limbs.hpp — bodies with limbs, one label each, whose labels touch only along the tree.
//
// A limb lies in space by its signed distance and claims what is within; parents come first and claim first,
// so that a limb begins at the skin of its parent. Meshing blurs that by a cell: afterwards, wherever labels
// meet that are not parent and child, the elements there are given up to the parents, until the label graph
// is the tree of the limbs, at vertices too.
#pragma once

#include "pliant/mesh/generate_solid.hpp"

#include <optional>

namespace pliant {

struct Limb {
  std::string name;
  Index parent;                                          // a lower number; -1: the first limb
  std::function<double(const Vector3&)> distance;        // negative inside, slope at most 1
  std::function<bool(const Vector3&)> beyond = nullptr;  // true where it claims nothing (behind flat ends)
};

/// A chain of rods through points; flat at both ends as far as claims go.
[[nodiscard]] Limb rod_limb(std::string name, Index parent, std::vector<Vector3> points,
                            std::vector<double> radii);

/// An ellipsoid with its centre and orthogonal half axes (any lengths > 0).
[[nodiscard]] Limb blob_limb(std::string name, Index parent, const Vector3& centre, const Matrix3& half_axes);

/// Two limbs in one; the first one's planes hold for both.
[[nodiscard]] Limb joined(Limb limb, const Limb& other);

/// The union of the limbs within the box, filled, cut below z = floor when that is given; label n (from 1) is
/// the n-th limb's. Errors: those of the mesher; kInconsistent (key "resolution") when a limb is lost or in
/// pieces, as happens when the lattice is too coarse.
[[nodiscard]] Result<VolumeMesh> fill_limbs(const std::vector<Limb>& limbs, const Box3& box, Index resolution,
                                            ElementKind kind, Progress& progress,
                                            std::optional<double> floor = std::nullopt);

}  // namespace pliant
