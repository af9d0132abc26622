// mesh/generate/generate_limbs.hpp — bodies with limbs, one label each, whose labels touch only along the
// tree of limbs.
//
// A limb occupies the inside of its signed distance. Parents come first and claim their elements first, so
// that a limb begins at the skin of its parent. Meshing blurs that by a cell. So afterwards, wherever labels
// meet that are not parent and child, the elements there are given to the parents, until the graph of labels
// is the tree of the limbs, also at vertices.
#pragma once

#include "pliant/mesh/generate/generate_solid.hpp"

#include <optional>

namespace pliant {

struct Limb {
  std::string name;
  Index parent;                                          // a lower number; −1: the first limb
  std::function<double(const Vector3&)> distance;        // negative inside, slope at most 1
  std::function<bool(const Vector3&)> beyond = nullptr;  // true where it claims nothing (beyond flat ends)
};

/// A chain of rods through points; it claims nothing beyond its two ends.
[[nodiscard]] Limb rod_limb(std::string name, Index parent, std::vector<Vector3> points,
                            std::vector<double> radii);

/// An ellipsoid with its centre and orthogonal half axes (any lengths > 0).
[[nodiscard]] Limb blob_limb(std::string name, Index parent, const Vector3& centre, const Matrix3& half_axes);

/// Two limbs as one; the end planes of the first one hold for both.
[[nodiscard]] Limb joined(Limb limb, const Limb& other);

/// The union of the limbs within the box, filled, and cut off below z = floor if that is given. Label n (from
/// 1) is that of the n-th limb. Errors: those of the mesher; kInconsistent (key "resolution") if a limb is
/// lost or in pieces because the lattice is too coarse.
[[nodiscard]] Result<VolumeMesh> fill_limbs(const std::vector<Limb>& limbs, const Box3& box, Index resolution,
                                            const MeshWish& wish, Progress& progress,
                                            std::optional<double> floor = std::nullopt);

/// The mesh and the surface beside it, enlarged by a factor.
[[nodiscard]] Result<VolumeMesh> scaled(Result<VolumeMesh> made, const MeshWish& wish, double factor);

}  // namespace pliant
