// mesh/generate/generate_sweep.hpp — plane quadrilateral sections, swept along a line into hexes.
#pragma once

#include "pliant/mesh/fill/curve.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <functional>

namespace pliant {

/// A plane mesh of quadrilaterals, counter-clockwise.
struct Section {
  std::vector<Vector2> points;
  std::vector<Quad> quads;
};

/// How many cells the core and the ring of a disc or ball get, if its diameter has `across` cells.
struct OGrid {
  Index core;    // cells along the core's side
  Index layers;  // cells between core and rim
  explicit OGrid(Index across);
};

/// The unit disc: a bulged square in the middle with layers around it (an o-grid), so that no quadrilateral
/// has an angle of 180° at the rim.
[[nodiscard]] Section disc_section(const OGrid& grid);
/// Ring 1 ≤ |p| ≤ 2.
[[nodiscard]] Section ring_section(Index around, Index layers);

/// Hexes between stations 0…stations; place(p, k) is the position of section point p at station k. The
/// section's x and y axes and the direction of the sweep must be right-handed. Closed: the last station is
/// the first one.
[[nodiscard]] VolumeMesh sweep(const Section& section, Index stations, bool closed,
                               const std::function<Vector3(const Vector2&, Index)>& place);

/// Hexes, or the tets into which split_any_hexes() splits them. If these are quadratic, `midside` says where
/// the midside vertices of boundary edges belong.
[[nodiscard]] VolumeMesh with_elements(VolumeMesh hexes, ElementKind kind, const MidsidePlace& midside);

}  // namespace pliant
