// mesh/generate/generate_branch.hpp — what assembled plants share: bent branches, leaves, and how they are
// attached.
#pragma once

#include "pliant/mesh/assembly/assembly.hpp"

namespace pliant {

/// A branch: starts at the origin along +x and bends towards +z in a circular arc.
struct Branch {
  double length = 1;        // of the centre line
  double radius = 0.1;      // at its base
  double radius_end = 0.1;  // at its tip
  double bend = 0;          // degrees in all

  /// Middle of the section at `t`, 0 at the base and 1 at the tip.
  [[nodiscard]] Vector3 centre(double t) const;
  /// Columns: along the branch, the y axis, and towards the inside of the bend.
  [[nodiscard]] Matrix3 frame(double t) const;
  [[nodiscard]] double radius_at(double t) const { return radius + (radius_end - radius) * t; }
};

/// Its tets, with the base at x = 0. If `surface` > 0, also a round surface of about 56 surface² vertices.
[[nodiscard]] AssemblyClass branch_class(std::string name, const Branch& branch, Index across, Index along,
                                         Index surface);

/// A leaf along +x that faces up (+z) and droops towards its tip.
struct Leaf {
  double length = 0.14;
  double width = 0.08;
  double stalk = 0.014;  // width at the base
  double thickness = 0.004;
  double droop = 0.02;  // of the tip
  double lobes = 4;     // number of lobes of the surface, on either side
};
/// Its tets, with the base at x = 0. If `surface` > 0, also a surface of 4 surface² vertices.
[[nodiscard]] AssemblyClass leaf_class(std::string name, const Leaf& leaf, Index surface);

/// Where a child grows out of a placed branch: at `t`, `around` degrees about it (0: towards the inside of
/// its bend), `angle` degrees off its direction. The centre of the base lies `depth` radii off the axis of
/// the branch. The child's z axis is turned towards `up` as far as its direction allows.
struct Sprout {
  double t = 0.5;
  double around = 0;
  double angle = 45;
  double depth = 0.5;
  double scale = 1;
  Vector3 up = Vector3::UnitZ();
};
[[nodiscard]] Placement grow(const Branch& branch, const Placement& placed, const Sprout& sprout);

/// All vertices at x = 0.
[[nodiscard]] std::vector<VertexId> base_at_zero(const VolumeMesh& mesh);

}  // namespace pliant
