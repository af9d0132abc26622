#include "pliant/mesh/fill/voxelise.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <bitset>

namespace pliant {
namespace {

using Cell = std::array<Index, 3>;

/// For each pattern of the 8 cells around a vertex: whether kept and empty cells are both connected through
/// faces.
std::array<bool, 256> make_good_patterns() {
  std::array<bool, 256> good{};
  const auto connected = [](unsigned cells) {
    if (cells == 0) return true;
    unsigned reached = cells & (~cells + 1);  // start from the lowest one
    for (unsigned last = 0; last != reached;) {
      last = reached;
      for (unsigned i = 0; i < 8; ++i)
        if ((reached >> i & 1U) != 0)
          // Neighbours differ in one bit.
          for (const unsigned step : {1U, 2U, 4U}) reached |= cells & (1U << (i ^ step));
    }
    return reached == cells;
  };
  for (unsigned pattern = 0; pattern < 256; ++pattern)
    good[pattern] = connected(pattern) && connected(~pattern & 255U);
  return good;
}

/// Samples the cells, fills hinges and builds the mesh.
class Voxeliser {
 public:
  Voxeliser(const Solid& solid, const CellGrid& grid, bool cover, Progress& progress)
      : solid_(solid), grid_(grid), cover_(cover), progress_(progress) {}

  Result<MesherOutput> run(Index resolution) {
    if (const Status done = sample(); !done) return done.errors();
    const Index filled = repair();
    const Index count = std::count(kept_.begin(), kept_.end(), 1);
    if (count == 0) return nothing_inside(resolution);
    const Location where{"", 0, 0, "resolution"};
    if (count > kMaxGeneratedElements)
      return Diagnostic{
          ErrorCode::kLimit, where,
          "gives " + text(count) + " hexes, at most " + text(kMaxGeneratedElements) + " are allowed",
          "lower the resolution"};
    MesherOutput output{make_mesh(), {}};
    if (filled > 0)
      output.notes.push_back({ErrorCode::kDegenerate, where,
                              text(filled) + " cells were filled where parts met only in an edge or a vertex",
                              ""});
    return output;
  }

 private:
  [[nodiscard]] Index number(const Cell& c) const {
    return c[0] + grid_.cells[0] * (c[1] + grid_.cells[1] * c[2]);
  }
  [[nodiscard]] Cell cell(Index number) const {
    return {number % grid_.cells[0], number / grid_.cells[0] % grid_.cells[1],
            number / (grid_.cells[0] * grid_.cells[1])};
  }
  [[nodiscard]] bool is_rim(const Cell& c) const {
    for (int d = 0; d < 3; ++d)
      if (c[d] == 0 || c[d] == grid_.cells[d] - 1) return true;
    return false;
  }
  [[nodiscard]] Box3 box(const Cell& begin, const Cell& end) const {
    const auto at = [&](const Cell& c) {
      return grid_.point(static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2]));
    };
    return {at(begin), at(end)};
  }

  /// Decides for each cell by its centre; blocks of cells on one side of the surface are decided at once.
  Status sample() {
    kept_.assign(to_size(grid_.cells[0] * grid_.cells[1] * grid_.cells[2]), 0);
    return for_each_block(
        grid_, "sampling the shape", progress_, [&](Index, const Cell& begin, const Cell& end) {
          Side side{};
          const bool uniform = solid_.uniform(box(begin, end), side);
          for (Index k = begin[2]; k < end[2]; ++k)
            for (Index j = begin[1]; j < end[1]; ++j)
              for (Index i = begin[0]; i < end[0]; ++i) {
                const Cell c{i, j, k};
                if (is_rim(c)) continue;
                const Box3 own = box(c, {i + 1, j + 1, k + 1});
                const bool keep = uniform ? side == Side::kInside
                                          : solid_.inside(own.center()) || (cover_ && solid_.touches(own));
                kept_[number(c)] = keep ? 1 : 0;
              }
        });
  }

  /// Which of the 8 cells around an inner grid vertex are kept. Cell i lies at +1 along the axes of the bits
  /// that i has set.
  [[nodiscard]] unsigned pattern(const Cell& vertex) const {
    unsigned bits = 0;
    for (unsigned i = 0; i < 8; ++i)
      if (kept_[number(around(vertex, i))] != 0) bits |= 1U << i;
    return bits;
  }
  static Cell around(const Cell& vertex, unsigned i) {
    return {vertex[0] - 1 + (i & 1U), vertex[1] - 1 + (i >> 1 & 1U), vertex[2] - 1 + (i >> 2 & 1U)};
  }

  /// Fills cells until the pattern at every vertex is good; returns how many. A bad pattern always has an
  /// empty cell that is not on the rim.
  Index repair() {
    static const std::array<bool, 256> kGood = make_good_patterns();
    Index filled = 0;
    std::vector<Cell> todo;
    for (Index k = 1; k < grid_.cells[2]; ++k)
      for (Index j = 1; j < grid_.cells[1]; ++j)
        for (Index i = 1; i < grid_.cells[0]; ++i)
          if (!kGood[pattern({i, j, k})]) todo.push_back({i, j, k});
    while (!todo.empty()) {
      const Cell vertex = todo.back();
      if (kGood[pattern(vertex)]) {
        todo.pop_back();
        continue;
      }
      const Cell chosen = best_candidate(vertex);
      kept_[number(chosen)] = 1;
      ++filled;
      for (unsigned i = 0; i < 8; ++i) {
        const Cell other{chosen[0] + (i & 1U), chosen[1] + (i >> 1 & 1U), chosen[2] + (i >> 2 & 1U)};
        if (!kGood[pattern(other)]) todo.push_back(other);
      }
    }
    return filled;
  }

  /// The empty cell at a vertex, not on the rim, that has most kept neighbours.
  [[nodiscard]] Cell best_candidate(const Cell& vertex) const {
    Cell best{};
    int most = -1;
    for (unsigned i = 0; i < 8; ++i) {
      const Cell c = around(vertex, i);
      if (kept_[number(c)] != 0 || is_rim(c)) continue;
      const int neighbours = neighbours_inside(c);
      if (neighbours <= most) continue;
      most = neighbours;
      best = c;
    }
    PLIANT_ASSERT(most >= 0);
    return best;
  }

  [[nodiscard]] int neighbours_inside(const Cell& c) const {
    int count = 0;
    for (int d = 0; d < 3; ++d)
      for (const Index step : {-1, 1}) {
        Cell other = c;
        other[d] += step;
        count += kept_[number(other)];
      }
    return count;
  }

  /// Numbers the corners of kept cells in the order of the grid.
  [[nodiscard]] VolumeMesh make_mesh() const {
    VolumeMesh mesh;
    const Index row = grid_.cells[0] + 1;
    const Index layer = row * (grid_.cells[1] + 1);
    const std::array<Index, 8> corner{0, 1, 1 + row, row, layer, layer + 1, layer + 1 + row, layer + row};
    std::vector<VertexId> vertex(to_size(layer * (grid_.cells[2] + 1)), -1);
    const auto lowest = [&](const Cell& c) { return c[0] + row * c[1] + layer * c[2]; };
    for (Index n = 0; n < std::ssize(kept_); ++n)
      if (kept_[n] != 0)
        for (const Index c : corner) vertex[lowest(cell(n)) + c] = 0;
    for (Index v = 0; v < std::ssize(vertex); ++v) {
      if (vertex[v] < 0) continue;
      vertex[v] = static_cast<VertexId>(mesh.vertices.size());
      const Cell corner_of{v % row, v / row % (grid_.cells[1] + 1), v / layer};
      mesh.vertices.push_back(box(corner_of, corner_of).min());
    }
    for (Index n = 0; n < std::ssize(kept_); ++n) {
      if (kept_[n] == 0) continue;
      Hex hex{};
      for (std::size_t i = 0; i < 8; ++i) hex[i] = vertex[lowest(cell(n)) + corner[i]];
      mesh.hexes.push_back(hex);
    }
    mesh.hex_labels.assign(mesh.hexes.size(), 0);
    return mesh;
  }

  const Solid& solid_;
  const CellGrid& grid_;
  bool cover_;
  Progress& progress_;
  std::vector<char> kept_;  // by cell
};

}  // namespace

Result<MesherOutput> voxelise(const Solid& solid, const VoxelOptions& options, Progress& progress) {
  const Result<CellGrid> grid = make_grid(solid, options.resolution);
  if (!grid) return grid.errors();
  return Voxeliser(solid, grid.value(), options.cover, progress).run(options.resolution);
}

Result<MesherOutput> voxelise(const SurfaceMesh& surface, const VoxelOptions& options, Progress& progress) {
  Result<PreparedSolid> prepared = prepare_solid(surface);
  if (!prepared) return prepared.errors();
  Result<MesherOutput> result = voxelise(*prepared.value().solid, options, progress);
  if (!result) return result;
  Diagnostics& notes = result.value().notes;
  notes.insert(notes.begin(), prepared.value().notes.begin(), prepared.value().notes.end());
  return result;
}

Result<MesherOutput> voxelise(const SurfaceMesh& surface, Index resolution, Progress& progress) {
  return voxelise(surface, VoxelOptions{resolution, false}, progress);
}

}  // namespace pliant
