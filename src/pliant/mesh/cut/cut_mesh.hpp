// mesh/cut/cut_mesh.hpp — a cut through the tets of a mesh: elements are split along it, and the two sides
// get vertices of their own.
//
//     levels (distance from the cut) ─► snap ─► split tets ─► open faces on the cut ─► copies of vertices
//
// The cut is placed in the present shape, and new vertices lie on edges at fractions that hold at rest too.
// A vertex that a cut would pass at less than kSnap of an edge is taken into the cut, so that no sliver is
// made. Elements that must not be cut keep their vertices: where the cut comes to them, it runs into the
// nearest vertices, and ends there. docs/theory/cutting.md.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// A cut nearer to a vertex than this part of an edge goes through the vertex.
inline constexpr double kSnap = 0.1;

/// What cuts: a plane, or the part of it that a blade sweeps.
struct CutSurface {
  /// Point + s first + t second, s and t from 0 to 1.
  struct Sweep {
    Vector3 first, second;  // m
  };
  Vector3 point = Vector3::Zero();    // m
  Vector3 normal = Vector3::UnitX();  // unit length
  std::optional<Sweep> sweep;         // none: the whole plane
};

/// None where the normal is zero.
[[nodiscard]] std::optional<CutSurface> plane_cut(const Vector3& point, const Vector3& normal);
/// The blade from `from` to `to` moves by `length` along `direction`. None where it sweeps no area.
[[nodiscard]] std::optional<CutSurface> blade_cut(const Vector3& from, const Vector3& to,
                                                  const Vector3& direction, double length);

/// A vertex that a cut adds, at (1 − t) a + t b; a = b: a copy.
struct CutVertex {
  VertexId a = 0, b = 0;  // of the mesh before the cut
  double t = 0.0;
};

struct MeshCut {
  std::vector<Tet> tets;         // after the cut; the first part of a split one stands where it stood
  std::vector<Index> parents;    // of each tet: its number before
  std::vector<CutVertex> fresh;  // vertices after those of the mesh
  Index split = 0;               // tets that were split
  Index opened = 0;              // faces that were shared before
  Index refused = 0;             // elements that the cut meets but that must not be cut
  [[nodiscard]] bool empty() const { return fresh.empty(); }
};

/// Cuts the tets that are `cuttable` (per element; elements of other kinds must not be). `places`: present
/// positions of the vertices. The same bits whatever the number of threads.
[[nodiscard]] MeshCut cut_mesh(const VolumeMesh& mesh, std::span<const Vector3> places,
                               std::span<const char> cuttable, const CutSurface& cut);

}  // namespace pliant
