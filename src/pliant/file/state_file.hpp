// file/state_file.hpp — displacements and velocities of all vertices as text.
//
// One row `vertex ux uy uz vx vy vz` per vertex, in any order, with `#` comments; vertices count from 0.
// Numbers are written with 17 digits, so that they read back to the same bits.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/math/types.hpp"

#include <string>
#include <string_view>

namespace pliant {

struct VertexState {
  VectorX displacements;  // (3n)  m
  VectorX velocities;     // (3n)  m/s
};

/// Reads the state of a body with `vertex_count` vertices; every vertex must have exactly one row.
Result<VertexState> read_state(std::string_view bytes, std::string_view file, Index vertex_count);

/// Rows in the order of the vertices.
[[nodiscard]] std::string write_state(const VertexState& state);

}  // namespace pliant
