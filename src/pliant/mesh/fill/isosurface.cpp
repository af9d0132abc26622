#include "pliant/mesh/fill/isosurface.hpp"

#include "pliant/base/parallel.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace pliant {
namespace {

using Place = std::array<Index, 3>;

constexpr Index kBlock = 8;   // nodes along a side of what is skipped at once
constexpr Index kMargin = 2;  // cells around the box
constexpr Index kPointsPerBlock = 512;
constexpr double kReach = 0.5;       // cells: how far a point may be moved
constexpr double kDifference = 0.2;  // cells: for the gradient

/// The lattice and the function's values at its nodes.
class Lattice {
 public:
  Lattice(const ImplicitSolid& solid, Index resolution)
      : solid_(solid),
        cell_(solid.bounds().sizes().maxCoeff() / static_cast<double>(resolution)),
        origin_(solid.bounds().min() - Vector3::Constant(kMargin * cell_)) {
    for (std::size_t d = 0; d < 3; ++d)
      nodes_[d] = static_cast<Index>(std::ceil(solid.bounds().sizes()[static_cast<Index>(d)] / cell_)) +
                  2 * kMargin + 1;
    values_.resize(to_size(nodes_[0] * nodes_[1] * nodes_[2]));
    sample();
  }

  [[nodiscard]] const Place& nodes() const { return nodes_; }
  [[nodiscard]] double cell() const { return cell_; }
  [[nodiscard]] std::size_t number(const Place& p) const {
    return to_size((p[2] * nodes_[1] + p[1]) * nodes_[0] + p[0]);
  }
  [[nodiscard]] double value(const Place& p) const { return values_[number(p)]; }
  [[nodiscard]] bool inside(const Place& p) const { return value(p) < 0.0; }
  [[nodiscard]] Vector3 position(const Place& p) const {
    return origin_ +
           cell_ * Vector3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
  }

 private:
  /// Blocks that the border certainly does not pass get the value at their middle: |f| is at most the
  /// distance to the border.
  void sample() {
    Place blocks{};
    for (std::size_t d = 0; d < 3; ++d) blocks[d] = block_count(nodes_[d], kBlock);
    const double half = 0.5 * std::sqrt(3.0) * static_cast<double>(kBlock) * cell_;
    parallel_tasks(blocks[1] * blocks[2], [&](Index row) {
      for (Index i = 0; i < blocks[0]; ++i) {
        const Place first{kBlock * i, kBlock * (row % blocks[1]), kBlock * (row / blocks[1])};
        const Vector3 middle = position(first) + Vector3::Constant(0.5 * (kBlock - 1) * cell_);
        const double there = solid_.value(middle);
        sample_block(first, std::abs(there) > half ? &there : nullptr);
      }
    });
  }
  void sample_block(const Place& first, const double* all) {
    Place p{};
    for (p[2] = first[2]; p[2] < std::min(first[2] + kBlock, nodes_[2]); ++p[2])
      for (p[1] = first[1]; p[1] < std::min(first[1] + kBlock, nodes_[1]); ++p[1])
        for (p[0] = first[0]; p[0] < std::min(first[0] + kBlock, nodes_[0]); ++p[0])
          values_[number(p)] = static_cast<float>(all != nullptr ? *all : solid_.value(position(p)));
  }

  const ImplicitSolid& solid_;
  double cell_;
  Vector3 origin_;
  Place nodes_{};
  std::vector<float> values_;
};

/// The corner of a cell: bit d of `corner` says whether it is the far one along axis d.
Place corner_of(const Place& cell, unsigned corner) {
  return {cell[0] + static_cast<Index>(corner & 1U), cell[1] + static_cast<Index>((corner >> 1U) & 1U),
          cell[2] + static_cast<Index>((corner >> 2U) & 1U)};
}

/// The mean of where the border cuts the edges of a cell; false: it does not.
bool middle_of_cuts(const Lattice& lattice, const Place& cell, Vector3& middle) {
  Vector3 sum = Vector3::Zero();
  int count = 0;
  for (unsigned a = 0; a < 8; ++a)
    for (unsigned axis = 0; axis < 3; ++axis) {
      const unsigned b = a | (1U << axis);
      if (b == a) continue;
      const Place p = corner_of(cell, a), q = corner_of(cell, b);
      const double f = lattice.value(p), g = lattice.value(q);
      if ((f < 0.0) == (g < 0.0)) continue;
      sum += lattice.position(p) + f / (f - g) * (lattice.position(q) - lattice.position(p));
      ++count;
    }
  if (count > 0) middle = sum / count;
  return count > 0;
}

/// One step of Newton's method along the gradient, at most kReach cells long.
Vector3 onto_border(const ImplicitSolid& solid, const Vector3& x, double cell) {
  const double step = kDifference * cell;
  Vector3 gradient;
  for (Index d = 0; d < 3; ++d) {
    const Vector3 side = step * Vector3::Unit(d);
    gradient[d] = (solid.value(x + side) - solid.value(x - side)) / (2.0 * step);
  }
  const double slope = gradient.squaredNorm();
  if (!(slope > 1e-6)) return x;
  const Vector3 move = -solid.value(x) / slope * gradient;
  const double length = move.norm();
  return length > kReach * cell ? Vector3(x + kReach * cell / length * move) : Vector3(x + move);
}

/// The quadrilaterals around all cut edges, each as two triangles across its shorter diagonal.
void add_triangles(const Lattice& lattice, const std::vector<std::int32_t>& point_of, SurfaceMesh& surface) {
  const Place& n = lattice.nodes();
  Place p{};
  for (p[2] = 1; p[2] + 1 < n[2]; ++p[2])
    for (p[1] = 1; p[1] + 1 < n[1]; ++p[1])
      for (p[0] = 1; p[0] + 1 < n[0]; ++p[0])
        for (std::size_t axis = 0; axis < 3; ++axis) {
          Place q = p;
          ++q[axis];
          const bool out = lattice.inside(p);
          if (out == lattice.inside(q)) continue;
          const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
          const auto point = [&](Index du, Index dv) {
            Place cell = p;
            cell[u] -= du;
            cell[v] -= dv;
            return static_cast<VertexId>(point_of[lattice.number(cell)]);
          };
          // counter-clockwise as seen from the far end of the edge
          std::array<VertexId, 4> quad{point(1, 1), point(0, 1), point(0, 0), point(1, 0)};
          if (!out) std::swap(quad[1], quad[3]);
          const auto apart = [&](std::size_t a, std::size_t b) {
            return (surface.vertices[to_size(quad[a])] - surface.vertices[to_size(quad[b])]).squaredNorm();
          };
          if (apart(0, 2) <= apart(1, 3)) {
            surface.triangles.push_back({quad[0], quad[1], quad[2]});
            surface.triangles.push_back({quad[0], quad[2], quad[3]});
          } else {
            surface.triangles.push_back({quad[0], quad[1], quad[3]});
            surface.triangles.push_back({quad[1], quad[2], quad[3]});
          }
        }
}

}  // namespace

SurfaceMesh isosurface(const ImplicitSolid& solid, Index resolution) {
  const Lattice lattice(solid, resolution);
  const Place& n = lattice.nodes();
  SurfaceMesh surface;
  std::vector<std::int32_t> point_of(to_size(n[0] * n[1] * n[2]), -1);  // of each cell, by its first node
  Place cell{};
  for (cell[2] = 0; cell[2] + 1 < n[2]; ++cell[2])
    for (cell[1] = 0; cell[1] + 1 < n[1]; ++cell[1])
      for (cell[0] = 0; cell[0] + 1 < n[0]; ++cell[0]) {
        Vector3 middle;
        if (!middle_of_cuts(lattice, cell, middle)) continue;
        point_of[lattice.number(cell)] = static_cast<std::int32_t>(surface.vertices.size());
        surface.vertices.push_back(middle);
      }
  add_triangles(lattice, point_of, surface);
  parallel_blocks(surface.vertex_count(), kPointsPerBlock, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Vector3& x = surface.vertices[to_size(i)];
      x = onto_border(solid, x, lattice.cell());
    }
  });
  return surface;
}

}  // namespace pliant
