// file/polygon_soup.hpp — what surface readers gather: checked vertices, polygons, and the problems found.
//
// Faces may come before the vertices they use (PLY allows it), so indices are checked and polygons cut into
// triangles when the file has been read to its end.
#pragma once

#include "pliant/file/surface_file.hpp"
#include "pliant/file/token_scanner.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace pliant {

/// Largest absolute coordinate that surface readers accept: squared lengths stay finite.
inline constexpr double kLargestSurfaceCoordinate = 1e150;

class PolygonSoup {
 public:
  explicit PolygonSoup(std::string_view file) : file_(file) {}

  /// Non-finite or huge coordinates are recorded as errors.
  void add_vertex(const Vector3& position, Index line = 0);
  /// Corners are vertex numbers from 0; they are checked by finish().
  void add_polygon(std::span<const Index> corners, Index line = 0);

  /// `key` may be empty; `line` 0 when unknown.
  void fail(ErrorCode code, Index line, std::string key, std::string what, std::string remedy = {});
  void fail(Diagnostic problem);
  void note(Diagnostic note) { result_.notes.push_back(std::move(note)); }
  /// Enough problems: reading on is of no use.
  [[nodiscard]] bool hopeless() const { return errors_.size() >= 10; }
  [[nodiscard]] bool failed() const { return !errors_.empty(); }

  [[nodiscard]] Index vertex_count() const { return result_.mesh.vertex_count(); }
  [[nodiscard]] Index polygon_count() const { return std::ssize(ends_); }

  /// The surface, or everything that is wrong with it. Empties the soup.
  Result<SurfaceFile> finish();

 private:
  void check_corners(Index polygon, std::span<const Index> corners);
  void note_zero_areas();

  std::string_view file_;
  SurfaceFile result_;
  Diagnostics errors_;
  std::vector<Index> corners_;  // of all polygons, one after the other
  std::vector<Index> ends_;     // of polygon i in corners_
  std::vector<Index> lines_;
};

}  // namespace pliant
