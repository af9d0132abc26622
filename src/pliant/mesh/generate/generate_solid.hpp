// mesh/generate/generate_solid.hpp — what the generators of free shapes share: parts given by signed
// distances are united into one solid and filled by a mesher, and each element is labelled by the part that
// contains it.
#pragma once

#include "pliant/mesh/fill/solid.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/mesh/generate/round_cone.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pliant {

/// Polynomial smooth minimum: rounds the seam over a width k. Its slope does not exceed those of a and b.
[[nodiscard]] double smooth_min(double a, double b, double k);

/// Signed distance to the box around the origin that reaches to ±half.
[[nodiscard]] double block_distance(const Vector3& x, const Vector3& half);

/// A union of rods.
class Rods {
 public:
  void add(const RoundCone& rod);
  /// A rod of constant diameter.
  void add(const Vector3& a, const Vector3& b, double diameter);
  /// Signed distance, negative inside; exact outside.
  [[nodiscard]] double distance(const Vector3& x) const;

 private:
  std::vector<RoundCone> rods_;
  std::vector<Box3> boxes_;
};

/// A part of a solid: negative inside, slope at most 1 (see mesh/fill/solid.hpp).
struct SolidPart {
  std::string name;  // of the region
  std::function<double(const Vector3&)> distance;
};

/// The box, extended in x and y about its centre until it measures whole cells: then the lattice has the
/// symmetries of a shape that is symmetric about its middle planes.
[[nodiscard]] Box3 whole_cells(const Box3& box, Index resolution);

/// Error (kOutOfRange, "resolution") unless `thinnest`, the thickness of a member called `name`, measures two
/// cells: a rod of that diameter always contains a chain of lattice points or cell centres.
[[nodiscard]] Status check_thickness(const Box3& box, Index resolution, double thinnest,
                                     const std::string& name);

/// Labels the elements of a mesh of linear tets or hexes.
using LabelElements = std::function<Status(VolumeMesh&)>;

/// Tets by stuffing, hexes by voxelising. Quadratic tets are made of the linear ones when these have their
/// labels. The surface that `wish` may ask for is made of the solid itself.
[[nodiscard]] Result<VolumeMesh> fill_solid(const ImplicitSolid& solid, Index resolution,
                                            const MeshWish& wish, Progress& progress,
                                            const LabelElements& label = {});

/// The union of the parts within the box, filled. Label n (from 1) is that of the n-th part, with its name in
/// `region_names`. Where parts overlap, an element belongs to the one in which it lies deepest.
[[nodiscard]] Result<VolumeMesh> fill_parts(const std::vector<SolidPart>& parts, const Box3& box,
                                            Index resolution, const MeshWish& wish, Progress& progress);

}  // namespace pliant
