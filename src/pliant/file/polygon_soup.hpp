// file/polygon_soup.hpp — what surface readers collect: vertices, polygons, and the problems that were found.
//
// Faces may come before the vertices that they use (PLY allows it). So indices are checked, and polygons are
// split into triangles, only when the whole file has been read.
#pragma once

#include "pliant/file/surface_file.hpp"
#include "pliant/file/token_scanner.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace pliant {

/// Surface readers accept absolute coordinates up to this: squared lengths stay finite.
inline constexpr double kLargestSurfaceCoordinate = 1e150;

class PolygonSoup {
 public:
  explicit PolygonSoup(std::string_view file) : file_(file) {}

  /// Coordinates that are not finite or too large are recorded as errors.
  void add_vertex(const Vector3& position, Index line = 0);
  /// Corners are vertex numbers from 0; finish() checks them.
  void add_polygon(std::span<const Index> corners, Index line = 0);

  /// `key` may be empty; `line` is 0 if unknown.
  void fail(ErrorCode code, Index line, std::string key, std::string what, std::string remedy = {});
  void fail(Diagnostic problem);
  void note(Diagnostic note) { result_.notes.push_back(std::move(note)); }
  /// So many problems that reading on is of no use.
  [[nodiscard]] bool hopeless() const { return errors_.size() >= 10; }
  [[nodiscard]] bool failed() const { return !errors_.empty(); }

  [[nodiscard]] Index vertex_count() const { return result_.mesh.vertex_count(); }
  [[nodiscard]] Index polygon_count() const { return std::ssize(ends_); }

  /// The surface, or everything that is wrong with it. Leaves the soup empty.
  Result<SurfaceFile> finish();

 private:
  void check_corners(Index polygon, std::span<const Index> corners);
  void note_zero_areas();

  std::string_view file_;
  SurfaceFile result_;
  Diagnostics errors_;
  std::vector<Index> corners_;  // of all polygons, one after the other
  std::vector<Index> ends_;     // end of polygon i in corners_
  std::vector<Index> lines_;
};

}  // namespace pliant
