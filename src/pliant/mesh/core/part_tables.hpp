// mesh/core/part_tables.hpp — the drawn surface of a body in parts, as tables that do not change while it
// moves.
//
//     point of a part = position + turn (x + U q)
//
// `position`, `turn` and q are a part's pose and coordinates of the moment; x and the rows of U stand in its
// table. Parts with equal surfaces share one table. Where parts meet, their points do not agree exactly; a
// blend replaces those near the joint by a fixed combination of themselves and of a few *samples*, points of
// the parts on either side:
//
//     point ← keep · point + Σ weight · sample
//
// Everything here is plain arrays, ready to be sent elsewhere.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"

#include <cstdint>
#include <vector>

namespace pliant {

/// Point i has rest[3i…] and, for each of its coordinates, r numbers of shapes.
struct PartTable {
  Index points = 0;
  Index size = 0;                   // r
  std::vector<float> rest;          // 3n, from the frame's origin
  std::vector<float> shapes;        // 3n × r, row by row
  std::vector<Triangle> triangles;  // of its own points; none when the surface runs across parts
};

/// Points of parts that blends refer to, in the order of the parts.
struct BlendSamples {
  std::vector<Index> starts;        // of each part, and the end
  std::vector<Index> shape_starts;  // of each part, in shapes
  std::vector<float> rest;          // 3 per sample
  std::vector<float> shapes;        // 3 × r per sample, r that of its part
  [[nodiscard]] Index count() const { return starts.empty() ? 0 : starts.back(); }
};

/// Points that are blended, in the order of the parts.
struct BlendRows {
  std::vector<Index> part_starts;     // rows of each part, and the end
  std::vector<std::int32_t> points;   // of each row: point of its part
  std::vector<float> keep;            // of each row
  std::vector<Index> starts{0};       // entries of each row
  std::vector<std::int32_t> samples;  // of each entry
  std::vector<float> weights;         // likewise
  [[nodiscard]] Index count() const { return std::ssize(points); }
};

struct PartTables {
  SurfaceMesh surface;           // at rest in the world; the points of each part together
  std::vector<Index> origin;     // of each point: its number in the surface that was given
  std::vector<Index> starts;     // first point of each part, and the end
  std::vector<Index> tables_of;  // of each part: place in `tables`
  std::vector<double> scales;    // of each part: size in the world over size in its table
  std::vector<PartTable> tables;
  bool across = false;  // triangles run across parts
  BlendSamples samples;
  BlendRows rows;

  [[nodiscard]] Index point_count() const { return starts.back(); }
};

}  // namespace pliant
