// mesh/generate_solid.hpp — what the generators of free shapes share: pieces by signed distance, joined into
// one solid, filled by a mesher, each element labelled by the piece that holds it.
#pragma once

#include "pliant/mesh/generate.hpp"
#include "pliant/mesh/round_cone.hpp"
#include "pliant/mesh/solid.hpp"

#include <functional>
#include <string>
#include <vector>

namespace pliant {

/// Polynomial smooth minimum: rounds the seam over a width k; its slope stays within that of a and b.
[[nodiscard]] double smooth_min(double a, double b, double k);

/// Signed distance to the box around the origin that reaches to ±half.
[[nodiscard]] double block_distance(const Vector3& x, const Vector3& half);

/// A union of rods.
class Rods {
 public:
  void add(const RoundCone& rod);
  /// Of one diameter.
  void add(const Vector3& a, const Vector3& b, double diameter);
  /// Signed distance, negative inside; the exact one outside.
  [[nodiscard]] double distance(const Vector3& x) const;

 private:
  std::vector<RoundCone> rods_;
  std::vector<Box3> boxes_;
};

/// A piece of a solid: negative inside, slope at most 1 (solid.hpp).
struct SolidPart {
  std::string name;  // of the region
  std::function<double(const Vector3&)> distance;
};

/// The box about the planes x = middle of x, y = middle of y, grown until it measures whole cells across: the
/// lattice then has the symmetries of a shape that is symmetric about these planes.
[[nodiscard]] Box3 whole_cells(const Box3& box, Index resolution);

/// Error (kOutOfRange, "resolution") unless `thinnest`, of a member called `name`, measures two cells: then a
/// rod of that diameter always holds a chain of lattice points or cell centres.
[[nodiscard]] Status check_thickness(const Box3& box, Index resolution, double thinnest,
                                     const std::string& name);

/// Tets by stuffing, hexes by voxelising.
[[nodiscard]] Result<VolumeMesh> fill_solid(const Solid& solid, Index resolution, ElementKind kind,
                                            Progress& progress);

/// The union of the parts within the box, filled. Label n (from 1) is the n-th part's, as `region_names`
/// say; where parts overlap, an element goes to the one that it lies deepest in.
[[nodiscard]] Result<VolumeMesh> fill_parts(const std::vector<SolidPart>& parts, const Box3& box,
                                            Index resolution, ElementKind kind, Progress& progress);

}  // namespace pliant
