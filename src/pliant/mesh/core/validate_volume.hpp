// mesh/core/validate_volume.hpp — whether a volume mesh is fit for simulation, and if not, what is wrong
// where.
//
// Errors: no vertices or elements, a label list of another length, a coordinate that is not finite or beyond
// kLargestCoordinate, a vertex number out of range, a vertex twice in an element, an element without volume,
// a hex whose Jacobian is not positive at every point at which it is integrated (3×3×3 Gauss), a quadratic
// tet whose Jacobian is not positive everywhere (by bounds, mesh/core/tet10.hpp), an edge with two midside
// vertices. Notes: inverted elements (reoriented here, and counted), hexes that are folded only at a corner
// (usable, but inexact there), edges that only one of two elements takes for curved (a gap may open there),
// labelled faces without area, duplicate and unused vertices, several components.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <functional>

namespace pliant {

/// Larger coordinates are refused: volumes grow with their cubes and must fit into a double.
inline constexpr double kLargestCoordinate = 1e100;

/// Elements flatter than this (|quality|, see mesh/core/measure.hpp) have no volume beyond rounding.
inline constexpr double kFlatQuality = 1e-10;

enum class MeshPart { kMesh, kVertex, kTet, kHex, kTet10, kTriangle, kQuad };

/// The location of part number i in its file; the default only names the part.
using LocatePart = std::function<Location(MeshPart, Index)>;
[[nodiscard]] LocatePart default_location(const VolumeMesh& mesh);

struct Validation {
  Diagnostics notes;
  Index reoriented = 0;
};

/// Checks the mesh, and reorients inverted elements so that each has positive volume.
Result<Validation> validate_volume(VolumeMesh& mesh, const LocatePart& locate);

}  // namespace pliant
