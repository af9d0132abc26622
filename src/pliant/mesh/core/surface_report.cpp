#include "pliant/mesh/core/surface_report.hpp"

#include "pliant/mesh/core/self_intersection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace pliant {
namespace {

const Vector3& corner(const SurfaceMesh& mesh, const Triangle& t, std::size_t i) {
  return mesh.vertices[to_size(t[i])];
}

/// Union–find.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

 private:
  std::vector<std::size_t> parent_;
};

/// A triangle that uses a vertex twice is a line and connects nothing.
bool is_line(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

/// An edge as seen from one triangle, its ends in ascending order.
struct EdgeSide {
  VertexId low, high;
  std::size_t triangle;
  bool forward;  // the triangle runs from low to high
};

std::vector<EdgeSide> sorted_sides(const SurfaceMesh& mesh) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (is_line(mesh.triangles[t])) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId a = mesh.triangles[t][i];
      const VertexId b = mesh.triangles[t][(i + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const EdgeSide& a, const EdgeSide& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return sides;
}

/// visit(begin, end) for the sides of each edge.
template <class Visit>
void for_each_edge(const std::vector<EdgeSide>& sides, Visit visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i + 1;
    while (j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high) ++j;
    visit(i, j);
    i = j;
  }
}

void count_edges(const std::vector<EdgeSide>& sides, SurfaceReport& result) {
  for_each_edge(sides, [&](std::size_t begin, std::size_t end) {
    if (end - begin == 1) ++result.open_edges;
    if (end - begin > 2) ++result.nonmanifold_edges;
    if (end - begin == 2 && sides[begin].forward == sides[begin + 1].forward) ++result.misoriented_edges;
  });
}

/// The corner of triangle t at vertex v; corners are the members of the sets below.
std::size_t corner_of(const SurfaceMesh& mesh, std::size_t t, VertexId v) {
  const Triangle& triangle = mesh.triangles[t];
  return 3 * t + (triangle[0] == v ? 0U : triangle[1] == v ? 1U : 2U);
}

/// Corners at a vertex are connected if their triangles share an edge there. A vertex with two clusters is
/// pinched.
Index count_pinched_vertices(const SurfaceMesh& mesh, const std::vector<EdgeSide>& sides) {
  DisjointSets linked(3 * mesh.triangles.size());
  for_each_edge(sides, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i < end; ++i)
      for (const VertexId v : {sides[i].low, sides[i].high})
        linked.join(corner_of(mesh, sides[begin].triangle, v), corner_of(mesh, sides[i].triangle, v));
  });
  constexpr auto kNone = to_size(-1);
  std::vector<std::size_t> cluster(mesh.vertices.size(), kNone);
  std::vector<char> pinched(mesh.vertices.size(), 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (is_line(mesh.triangles[t])) continue;
    for (const VertexId v : mesh.triangles[t]) {
      const auto vertex = to_size(v);
      const std::size_t root = linked.root(corner_of(mesh, t, v));
      if (cluster[vertex] == kNone) cluster[vertex] = root;
      if (cluster[vertex] != root) pinched[vertex] = 1;
    }
  }
  return std::count(pinched.begin(), pinched.end(), 1);
}

void count_parts(const SurfaceMesh& mesh, SurfaceReport& result) {
  DisjointSets parts(mesh.vertices.size());
  std::vector<char> used(mesh.vertices.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (const VertexId v : t) used[to_size(v)] = 1;
    parts.join(to_size(t[0]), to_size(t[1]));
    parts.join(to_size(t[1]), to_size(t[2]));
  }
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v] == 0) ++result.unused_vertices;
    if (used[v] != 0 && parts.root(v) == v) ++result.components;
  }
}

Index count_duplicates(std::vector<Vector3> vertices) {
  std::sort(vertices.begin(), vertices.end(), [](const Vector3& a, const Vector3& b) {
    return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
  });
  return vertices.end() - std::unique(vertices.begin(), vertices.end());
}

void measure(const SurfaceMesh& mesh, SurfaceReport& result) {
  if (mesh.vertices.empty()) return;
  result.low = result.high = mesh.vertices.front();
  for (const Vector3& v : mesh.vertices) {
    result.low = result.low.cwiseMin(v);
    result.high = result.high.cwiseMax(v);
  }
  // About the centre, volumes lose the fewest digits.
  const Vector3 center = 0.5 * result.low + 0.5 * result.high;
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = corner(mesh, t, 0) - center;
    const Vector3 b = corner(mesh, t, 1) - center;
    const Vector3 c = corner(mesh, t, 2) - center;
    result.area += 0.5 * (b - a).cross(c - a).norm();
    result.volume += a.dot(b.cross(c)) / 6.0;
  }
}

}  // namespace

Index zero_area_triangles(const SurfaceMesh& mesh) {
  constexpr double kFlat = 1e-12;  // relative to the longest edge: doubles carry no more
  Index count = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vector3 u = corner(mesh, t, 1) - corner(mesh, t, 0);
    const Vector3 v = corner(mesh, t, 2) - corner(mesh, t, 0);
    const double longest = std::max({u.stableNorm(), v.stableNorm(), (u - v).stableNorm()});
    if (!(longest > 0.0) || !((u / longest).cross(v / longest).norm() > kFlat)) ++count;
  }
  return count;
}

SurfaceReport report(const SurfaceMesh& mesh, Progress& progress) {
  SurfaceReport result;
  result.vertices = mesh.vertex_count();
  result.triangles = std::ssize(mesh.triangles);
  const std::vector<EdgeSide> sides = sorted_sides(mesh);
  count_edges(sides, result);
  count_parts(mesh, result);
  measure(mesh, result);
  result.nonmanifold_vertices = count_pinched_vertices(mesh, sides);
  result.watertight = result.triangles > 0 && result.open_edges == 0 && result.nonmanifold_edges == 0;
  result.manifold = result.nonmanifold_edges == 0 && result.nonmanifold_vertices == 0;
  result.zero_area_triangles = zero_area_triangles(mesh);
  result.duplicate_vertices = count_duplicates(mesh.vertices);
  result.self_intersections = find_self_intersections(mesh, 0, progress).count;
  return result;
}

}  // namespace pliant
