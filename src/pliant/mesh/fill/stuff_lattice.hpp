// mesh/fill/stuff_lattice.hpp — the body-centred cubic lattice of isosurface stuffing.
#pragma once

#include "pliant/mesh/fill/mesher.hpp"

namespace pliant::stuffing {

/// In half-cells: even on sublattice A (corners of cells), odd on B (their centres).
using Place = std::array<Index, 3>;

/// Edges that belong to a point: three long ones; for A points also eight short ones.
inline constexpr Index kDirections = 11;

/// Point numbers, places and edges of the body-centred cubic lattice.
struct Lattice {
  CellGrid grid;
  Place corners{};  // A points per axis

  explicit Lattice(const CellGrid& cells) : grid(cells) {
    for (int d = 0; d < 3; ++d) corners[d] = grid.cells[d] + 1;
  }
  [[nodiscard]] Index size() const { return 2 * corners[0] * corners[1] * corners[2]; }
  /// B points exist only between corners: the last one of each row is never used and stays outside.
  [[nodiscard]] Index point(const Place& x) const {
    return 2 * (x[0] / 2 + corners[0] * (x[1] / 2 + corners[1] * (x[2] / 2))) + x[0] % 2;
  }
  [[nodiscard]] Place place(Index p) const {
    const Index odd = p % 2;
    p /= 2;
    return {2 * (p % corners[0]) + odd, 2 * (p / corners[0] % corners[1]) + odd,
            2 * (p / (corners[0] * corners[1])) + odd};
  }
  [[nodiscard]] Vector3 position(const Place& x) const {
    return grid.point(0.5 * static_cast<double>(x[0]), 0.5 * static_cast<double>(x[1]),
                      0.5 * static_cast<double>(x[2]));
  }
  /// Not on the outermost layer, which lies one cell outside of the shape.
  [[nodiscard]] bool interior(const Place& x) const {
    for (int d = 0; d < 3; ++d)
      if (x[d] < 2 || x[d] > 2 * grid.cells[d] - 2) return false;
    return true;
  }
  /// The neighbour in direction 0–2 (long edge) or 3–10 (short edge, from an A point).
  static Place neighbour(Place x, Index direction) {
    if (direction < 3) {
      x[direction] += 2;
    } else {
      for (int d = 0; d < 3; ++d) x[d] += ((direction - 3) >> d & 1) != 0 ? 1 : -1;
    }
    return x;
  }
  /// All fourteen neighbours of a point: along six long edges and eight short ones.
  static std::array<Place, 14> neighbours(const Place& x) {
    std::array<Place, 14> all{};
    for (std::size_t i = 0; i < 8; ++i) all[i] = neighbour(x, 3 + static_cast<Index>(i));
    for (std::size_t d = 0; d < 3; ++d)
      for (const std::size_t side : {0U, 1U}) {
        all[8 + 2 * d + side] = x;
        all[8 + 2 * d + side][d] += side == 0 ? -2 : 2;
      }
    return all;
  }
  /// The edge between two neighbours, as point × kDirections + direction.
  [[nodiscard]] Index edge(const Place& x, const Place& y) const {
    if ((x[0] + y[0]) % 2 == 0) {
      for (int d = 0; d < 3; ++d)
        if (x[d] != y[d]) return point(x[d] < y[d] ? x : y) * kDirections + d;
    }
    const bool first = x[0] % 2 == 0;
    const Place& a = first ? x : y;
    const Place& b = first ? y : x;
    Index octant = 0;
    for (int d = 0; d < 3; ++d) octant |= (b[d] > a[d] ? Index{1} : Index{0}) << d;
    return point(a) * kDirections + 3 + octant;
  }
};

}  // namespace pliant::stuffing
