// mesh/validate_volume.hpp — is this volume mesh fit for simulation, and if not, where is it wrong?
//
// Errors: no vertices or elements, a label list of another length, a coordinate that is not finite or beyond
// kLargestCoordinate, a vertex number out of range, a vertex twice in an element, an element without volume,
// a hex whose Jacobian is not positive at every point at which it is integrated (3×3×3 Gauss).
// Notes: elements turned inside out (mended here, counted), hexes folded at a corner only (usable, but
// inexact there), labelled faces without area, duplicate and unused vertices, several components.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/volume_mesh.hpp"

#include <functional>

namespace pliant {

/// Coordinates beyond it are refused: volumes of elements, as cubes of them, must fit into a double.
inline constexpr double kLargestCoordinate = 1e100;

/// Elements flatter than this (|quality|, see mesh/measure.hpp) have no volume: what is left is rounding.
inline constexpr double kFlatQuality = 1e-10;

enum class MeshPart { kMesh, kVertex, kTet, kHex, kTriangle, kQuad };

/// Where part number i stands in its file; the default names the part only.
using LocatePart = std::function<Location(MeshPart, Index)>;
[[nodiscard]] LocatePart default_location(const VolumeMesh& mesh);

struct Validation {
  Diagnostics notes;
  Index reoriented = 0;
};

/// Judges the mesh and reorients inverted elements so that each has positive volume.
Result<Validation> validate_volume(VolumeMesh& mesh, const LocatePart& locate);

}  // namespace pliant
