#include "pliant/file/polygon_soup.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/polygon.hpp"
#include "pliant/mesh/core/surface_report.hpp"

#include <cmath>
#include <limits>

namespace pliant {

void PolygonSoup::fail(Diagnostic problem) { errors_.push_back(std::move(problem)); }

void PolygonSoup::fail(ErrorCode code, Index line, std::string key, std::string what, std::string remedy) {
  fail({code, {std::string(file_), line, 0, std::move(key)}, std::move(what), std::move(remedy)});
}

void PolygonSoup::add_vertex(const Vector3& position, Index line) {
  if (!position.allFinite())
    fail(ErrorCode::kNonFinite, line, "vertex " + text(vertex_count()), "coordinate is not finite");
  else if (position.cwiseAbs().maxCoeff() > kLargestSurfaceCoordinate)
    fail(ErrorCode::kOutOfRange, line, "vertex " + text(vertex_count()),
         "coordinate " + text(position.cwiseAbs().maxCoeff()) + " is too large", "keep below 1e150");
  result_.mesh.vertices.push_back(position);
}

void PolygonSoup::add_polygon(std::span<const Index> corners, Index line) {
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  ends_.push_back(std::ssize(corners_));
  lines_.push_back(line);
}

void PolygonSoup::check_corners(Index polygon, std::span<const Index> corners) {
  const Index line = lines_[to_size(polygon)];
  const std::string key = "face " + text(polygon);
  if (corners.size() < 3)
    fail(ErrorCode::kOutOfRange, line, key, "has " + text(std::ssize(corners)) + " corners",
         "a face needs three or more");
  for (const Index corner : corners) {
    if (corner >= 0 && corner < vertex_count()) continue;
    fail(ErrorCode::kOutOfRange, line, key,
         "vertex " + text(corner) + " (counted from 0) does not exist; there are " + text(vertex_count()));
    return;
  }
}

void PolygonSoup::note_zero_areas() {
  const Index count = zero_area_triangles(result_.mesh);
  if (count > 0)
    note({ErrorCode::kDegenerate, {std::string(file_), 0, 0, {}}, text(count) + " faces have no area", {}});
}

Result<SurfaceFile> PolygonSoup::finish() {
  if (!failed() && ends_.empty())
    fail(ErrorCode::kMissing, 0, {}, "has no faces", "a surface needs at least one triangle");
  if (vertex_count() > std::numeric_limits<VertexId>::max())
    fail(ErrorCode::kLimit, 0, {}, text(vertex_count()) + " vertices are more than can be numbered");
  // Indices are checked for all polygons; triangulation stops at the first problem.
  Index begin = 0;
  std::vector<VertexId> polygon;
  for (std::size_t i = 0; i < ends_.size() && !hopeless(); ++i) {
    const std::span<const Index> corners(corners_.data() + begin, to_size(ends_[i] - begin));
    begin = ends_[i];
    check_corners(static_cast<Index>(i), corners);
    if (failed()) continue;
    polygon.clear();
    for (const Index corner : corners) polygon.push_back(static_cast<VertexId>(corner));
    if (!triangulate_polygon(result_.mesh.vertices, polygon, result_.mesh.triangles))
      fail(ErrorCode::kLimit, lines_[i], "face " + text(static_cast<Index>(i)),
           "non-convex polygon of " + text(std::ssize(polygon)) + " corners is too large",
           "cut it into smaller faces");
  }
  if (failed()) return std::move(errors_);
  note_zero_areas();
  return std::move(result_);
}

}  // namespace pliant
