// file/state_file.hpp — displacements and velocities of all vertices as text.
//
// One row `vertex ux uy uz vx vy vz` per vertex, any order, `#` comments; vertices count from 0. Written with
// 17 digits, so that what is read back has the same bits.
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

/// The rows in vertex order.
[[nodiscard]] std::string write_state(const VertexState& state);

}  // namespace pliant
