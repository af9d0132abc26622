#include "pliant/mesh/fill/mesher.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/core/orient_surface.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr Index kBlock = 8;

Status check_surface(const SurfaceMesh& surface) {
  if (surface.triangles.empty())
    return Diagnostic{ErrorCode::kMissing, {}, "the surface has no triangles", "give a triangle surface"};
  Diagnostics errors;
  for (Index v = 0; v < surface.vertex_count() && errors.size() < 10; ++v)
    if (!surface.vertices[v].allFinite())
      errors.push_back({ErrorCode::kNonFinite,
                        {"", 0, 0, "vertex " + text(v)},
                        "has a coordinate that is not finite",
                        ""});
  for (Index t = 0; t < std::ssize(surface.triangles) && errors.size() < 10; ++t)
    for (const VertexId v : surface.triangles[t])
      if (v < 0 || v >= surface.vertex_count()) {
        errors.push_back({ErrorCode::kOutOfRange,
                          {"", 0, 0, "triangle " + text(t)},
                          "names vertex " + text(Index{v}) + " of " + text(surface.vertex_count()),
                          ""});
        break;
      }
  if (!errors.empty()) return errors;
  return Done{};
}

}  // namespace

/// Checks, orients and prepares a surface; reports what was turned or ignored.
Result<PreparedSolid> prepare_solid(const SurfaceMesh& surface) {
  if (const Status checked = check_surface(surface); !checked) return checked.errors();
  OrientedSurface oriented = orient_surface(surface);
  if (oriented.surface.triangles.empty())
    return Diagnostic{ErrorCode::kDegenerate,
                      {},
                      "every triangle of the surface names a point twice",
                      "give a surface with area"};
  PreparedSolid result;
  const auto note = [&](ErrorCode code, Index count, const std::string& what) {
    if (count > 0) result.notes.push_back({code, {}, text(count) + what, ""});
  };
  note(ErrorCode::kInconsistent, oriented.flipped, " triangles were turned to face outwards");
  note(ErrorCode::kDegenerate, oriented.dropped, " triangles without area were ignored");
  note(ErrorCode::kInconsistent, oriented.open_edges, " open edges: holes are closed by the winding number");
  result.solid = std::make_unique<SurfaceSolid>(std::move(oriented.surface));
  return result;
}

Result<CellGrid> make_grid(const Solid& solid, Index resolution) {
  const Location where{"", 0, 0, "resolution"};
  if (resolution < 1)
    return Diagnostic{ErrorCode::kOutOfRange, where, "must be at least 1, got " + text(resolution), ""};
  const Box3 box = solid.bounds();
  const double longest = box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
  if (!(longest > 0) || !std::isfinite(longest))
    return Diagnostic{ErrorCode::kDegenerate, {}, "the shape has no extent", "check its coordinates"};
  if (resolution > 100'000)
    return Diagnostic{ErrorCode::kLimit, where, "too fine: " + text(resolution), "use less than 400"};
  CellGrid grid;
  grid.size = longest / static_cast<double>(resolution);
  // Coordinates must resolve a thousandth of a cell.
  if (!(box.min() + Vector3::Constant(1e-3 * grid.size) != box.min()))
    return Diagnostic{ErrorCode::kOutOfRange,
                      {},
                      "the shape is tiny beside its distance from the origin",
                      "move it nearer to the origin"};
  grid.origin = box.min() - Vector3::Constant(grid.size);
  double points = 2;
  for (int d = 0; d < 3; ++d) {
    // The small slack prevents an extra cell by rounding where a side measures exactly N cells.
    grid.cells[d] = std::max<Index>(1, static_cast<Index>(std::ceil(box.sizes()[d] / grid.size - 1e-9))) + 2;
    points *= static_cast<double>(grid.cells[d] + 1);
  }
  if (points > static_cast<double>(kMaxLatticePoints))
    return Diagnostic{
        ErrorCode::kLimit, where,
        "needs " + text(points) + " lattice points, at most " + text(kMaxLatticePoints) + " are allowed",
        "lower the resolution"};
  return grid;
}

Status for_each_block(const CellGrid& grid, std::string_view stage, Progress& progress,
                      const BlockBody& body) {
  std::array<Index, 3> blocks{};
  for (int d = 0; d < 3; ++d) blocks[d] = block_count(grid.cells[d], kBlock);
  const Index count = blocks[0] * blocks[1] * blocks[2];
  constexpr Index kSlice = 256;  // blocks between two checks for cancellation
  progress.begin(stage, count);
  for (Index start = 0; start < count; start += kSlice) {
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    parallel_tasks(std::min(kSlice, count - start), [&](Index i) {
      const Index b = start + i;
      const std::array<Index, 3> begin{kBlock * (b % blocks[0]), kBlock * (b / blocks[0] % blocks[1]),
                                       kBlock * (b / (blocks[0] * blocks[1]))};
      std::array<Index, 3> end{};
      for (int d = 0; d < 3; ++d) end[d] = std::min(begin[d] + kBlock, grid.cells[d]);
      body(b, begin, end);
    });
    progress.update(std::min(count, start + kSlice));
  }
  progress.end();
  return Done{};
}

Diagnostic nothing_inside(Index resolution) {
  return {ErrorCode::kDegenerate,
          {"", 0, 0, "resolution"},
          "nothing is inside the surface at resolution " + text(resolution),
          "raise the resolution if the shape is thin; an open sheet has no inside: give it a thickness"};
}

}  // namespace pliant
