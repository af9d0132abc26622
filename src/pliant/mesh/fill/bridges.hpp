// mesh/fill/bridges.hpp — keeps together what a coarse lattice would tear apart.
//
// A neck or a plate thinner than a cell may contain no lattice point. Its ends then become separate parts,
// although the shape is in one piece. A finer grid still sees the way from one part to another; the lattice
// points along it become inside points, which makes the mesh about a cell thick there.
#pragma once

#include "pliant/mesh/fill/stuff_lattice.hpp"

namespace pliant {

struct Bridges {
  std::vector<Index> points;    // lattice points that have to be inside
  std::vector<Vector3> places;  // the middle of each bridge, m
  Index fineness = 1;           // points per cell and axis of the grid that saw them all
};

/// Ways inside the solid between the parts of a mesh. `part`: of each lattice point; -1: in none. Parts
/// between which even an eighth of a cell finds no way are left alone.
[[nodiscard]] Bridges find_bridges(const Solid& solid, const stuffing::Lattice& lattice,
                                   const std::vector<Index>& part);

}  // namespace pliant
