#include "pliant/mesh/core/self_intersection.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/box_tree.hpp"
#include "pliant/mesh/core/orientation.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using TriangleCorners = std::array<Vector3, 3>;

/// Projects along an axis.
Vector2 drop(const Vector3& p, Index axis) { return {p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

/// An axis along which the projected triangle is not a line; −1 if the triangle itself is one.
Index flat_axis(const TriangleCorners& t) {
  Index axis = 0;
  (t[1] - t[0]).cross(t[2] - t[0]).cwiseAbs().maxCoeff(&axis);
  for (Index i = 0; i < 3; ++i, axis = (axis + 1) % 3)
    if (orient2d(drop(t[0], axis), drop(t[1], axis), drop(t[2], axis)) != 0) return axis;
  return -1;
}

bool in_box(const Vector2& p, const Vector2& a, const Vector2& b) {
  return p.x() >= std::min(a.x(), b.x()) && p.x() <= std::max(a.x(), b.x()) &&
         p.y() >= std::min(a.y(), b.y()) && p.y() <= std::max(a.y(), b.y());
}

/// Whether two closed segments in the plane have a common point.
bool segments_meet(const Vector2& p, const Vector2& q, const Vector2& a, const Vector2& b) {
  const int pa = orient2d(p, q, a);
  const int pb = orient2d(p, q, b);
  const int ap = orient2d(a, b, p);
  const int aq = orient2d(a, b, q);
  // Each separates the ends of the other; or an end lies on the other segment.
  if (pa * pb < 0 && ap * aq < 0) return true;
  return (pa == 0 && in_box(a, p, q)) || (pb == 0 && in_box(b, p, q)) || (ap == 0 && in_box(p, a, b)) ||
         (aq == 0 && in_box(q, a, b));
}

/// Whether p lies in a closed triangle of either orientation.
bool inside(const Vector2& p, const std::array<Vector2, 3>& t) {
  const int a = orient2d(t[0], t[1], p);
  const int b = orient2d(t[1], t[2], p);
  const int c = orient2d(t[2], t[0], p);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/// A segment and a triangle in the same plane.
bool flat_segment_meets(const Vector3& p, const Vector3& q, const TriangleCorners& t) {
  const Index axis = flat_axis(t);
  const std::array<Vector2, 3> flat{drop(t[0], axis), drop(t[1], axis), drop(t[2], axis)};
  const Vector2 from = drop(p, axis);
  const Vector2 to = drop(q, axis);
  if (inside(from, flat) || inside(to, flat)) return true;
  for (std::size_t i = 0; i < 3; ++i)
    if (segments_meet(from, to, flat[i], flat[(i + 1) % 3])) return true;
  return false;
}

/// A closed segment and a closed triangle. `side_p`, `side_q`: on which side of the triangle's plane the ends
/// lie.
bool segment_meets(const Vector3& p, const Vector3& q, int side_p, int side_q, const TriangleCorners& t) {
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return flat_segment_meets(p, q, t);
  // The line pq passes through the triangle if it has all three edges on the same side.
  const int a = orient3d(p, q, t[0], t[1]);
  const int b = orient3d(p, q, t[1], t[2]);
  if (a * b < 0) return false;
  const int c = orient3d(p, q, t[2], t[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

std::array<int, 3> sides(const TriangleCorners& plane, const TriangleCorners& t) {
  return {orient3d(plane[0], plane[1], plane[2], t[0]), orient3d(plane[0], plane[1], plane[2], t[1]),
          orient3d(plane[0], plane[1], plane[2], t[2])};
}

bool all_on_one_side(const std::array<int, 3>& side) {
  return (side[0] > 0 && side[1] > 0 && side[2] > 0) || (side[0] < 0 && side[1] < 0 && side[2] < 0);
}

/// Two closed triangles intersect exactly when an edge of one meets the other.
bool triangles_meet(const TriangleCorners& s, const TriangleCorners& t) {
  const std::array<int, 3> t_sides = sides(s, t);
  if (all_on_one_side(t_sides)) return false;
  const std::array<int, 3> s_sides = sides(t, s);
  if (all_on_one_side(s_sides)) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    if (segment_meets(s[i], s[j], s_sides[i], s_sides[j], t)) return true;
    if (segment_meets(t[i], t[j], t_sides[i], t_sides[j], s)) return true;
  }
  return false;
}

/// Corner 0 is common: does the edge opposite to it, of either triangle, reach the other one?
bool opposite_edges_meet(const TriangleCorners& s, const TriangleCorners& t) {
  const auto reaches = [](const TriangleCorners& from, const TriangleCorners& to) {
    return segment_meets(from[1], from[2], orient3d(to[0], to[1], to[2], from[1]),
                         orient3d(to[0], to[1], to[2], from[2]), to);
  };
  return reaches(s, t) || reaches(t, s);
}

/// TriangleCorners 0 and 1 are common: the triangles overlap if they lie in one plane, on the same side of
/// that edge.
bool folded_flat(const TriangleCorners& s, const TriangleCorners& t) {
  if (orient3d(s[0], s[1], s[2], t[2]) != 0) return false;
  const Index axis = flat_axis(s);
  const Vector2 a = drop(s[0], axis);
  const Vector2 b = drop(s[1], axis);
  return orient2d(a, b, drop(s[2], axis)) * orient2d(a, b, drop(t[2], axis)) > 0;
}

/// Tests pairs of triangles; all coordinates are scaled, so that the exact predicates neither overflow nor
/// underflow.
class Finder {
 public:
  explicit Finder(const SurfaceMesh& mesh) : mesh_(mesh), scale_(scale_of(mesh)) {
    const std::size_t n = mesh.triangles.size();
    proper_.resize(n);
    boxes_.resize(n);
    parallel_blocks(static_cast<Index>(n), 1024, [&](Index, Index begin, Index end) {
      for (auto i = to_size(begin); i < to_size(end); ++i) {
        const TriangleCorners t = corners(mesh.triangles[i]);
        for (const Vector3& corner : t) boxes_[i].extend(corner);
        proper_[i] = flat_axis(t) >= 0;
      }
    });
  }

  [[nodiscard]] const std::vector<Box3>& boxes() const { return boxes_; }
  [[nodiscard]] bool proper(Index i) const { return proper_[to_size(i)] != 0; }

  [[nodiscard]] bool intersect(Index i, Index j) const {
    Triangle s = mesh_.triangles[to_size(i)];
    Triangle t = mesh_.triangles[to_size(j)];
    std::size_t shared = 0;  // common vertices are moved to the front of both
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = shared; b < 3; ++b)
        if (s[a] == t[b]) {
          std::swap(s[a], s[shared]);
          std::swap(t[b], t[shared]);
          ++shared;
          break;
        }
    if (shared == 3) return true;
    if (shared == 2) return folded_flat(corners(s), corners(t));
    if (shared == 1) return opposite_edges_meet(corners(s), corners(t));
    return triangles_meet(corners(s), corners(t));
  }

 private:
  /// A power of two (so nothing is rounded) that scales the largest coordinate to about 1.
  static double scale_of(const SurfaceMesh& mesh) {
    double largest = 0.0;
    for (const Vector3& v : mesh.vertices) largest = std::max(largest, v.cwiseAbs().maxCoeff());
    return largest > 0.0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
  }

  [[nodiscard]] TriangleCorners corners(const Triangle& t) const {
    const auto at = [&](std::size_t i) -> Vector3 { return scale_ * mesh_.vertices[to_size(t[i])]; };
    return {at(0), at(1), at(2)};
  }

  const SurfaceMesh& mesh_;
  double scale_;
  std::vector<char> proper_;
  std::vector<Box3> boxes_;
};

}  // namespace

SelfIntersections find_self_intersections(const SurfaceMesh& mesh, Index most_pairs, Progress& progress) {
  constexpr Index kBlock = 256;
  constexpr Index kRound = 64 * kBlock;  // triangles between two checks for cancellation
  const Finder finder(mesh);
  const BoxTree tree(finder.boxes());
  const auto n = std::ssize(mesh.triangles);
  SelfIntersections result;
  progress.begin("self-intersections", n);
  for (Index start = 0; start < n && !progress.cancelled(); start += kRound) {
    const Index size = std::min(kRound, n - start);
    std::vector<SelfIntersections> parts(to_size(block_count(size, kBlock)));
    parallel_blocks(size, kBlock, [&](Index block, Index begin, Index end) {
      SelfIntersections& part = parts[to_size(block)];
      std::vector<Index> found;
      for (Index i = start + begin; i < start + end; ++i) {
        if (!finder.proper(i)) continue;
        found.clear();
        tree.visit_overlaps(finder.boxes()[to_size(i)], [&](Index j) {
          if (j > i && finder.proper(j) && finder.intersect(i, j)) found.push_back(j);
        });
        part.count += std::ssize(found);
        std::sort(found.begin(), found.end());
        for (const Index j : found)
          if (std::ssize(part.pairs) < most_pairs) part.pairs.emplace_back(i, j);
      }
    });
    for (const SelfIntersections& part : parts) {
      result.count += part.count;
      for (const auto& pair : part.pairs)
        if (std::ssize(result.pairs) < most_pairs) result.pairs.push_back(pair);
    }
    progress.update(start + size);
  }
  progress.end();
  return result;
}

}  // namespace pliant
