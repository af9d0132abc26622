#include "pliant/mesh/core/triangle_tree.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kLeafSize = 6;
constexpr int kStackSize = 128;  // median splits: the depth is at most log₂ of the number of triangles

/// Möller–Trumbore for both sides of a triangle. The small tolerance ensures that a segment through a shared
/// edge hits at least one of the two triangles.
bool pierce_triangle(const Vector3& origin, const Vector3& direction, const TriangleTree::Corners& triangle,
                     double& t) {
  constexpr double kSlack = 1e-10;
  const Vector3 e1 = triangle.b - triangle.a;
  const Vector3 e2 = triangle.c - triangle.a;
  // Cramer's rule for origin + t direction = a + u e1 + v e2.
  const Vector3 h = direction.cross(e2);
  const double det = e1.dot(h);
  if (!(std::abs(det) > 1e-14 * e1.norm() * e2.norm() * direction.norm())) return false;
  const Vector3 s = origin - triangle.a;
  const double u = s.dot(h) / det;
  if (u < -kSlack || u > 1 + kSlack) return false;
  const Vector3 q = s.cross(e1);
  const double v = direction.dot(q) / det;
  if (v < -kSlack || u + v > 1 + kSlack) return false;
  t = e2.dot(q) / det;
  return t >= 0 && t <= 1;
}

}  // namespace

/// Finds the Voronoi region of the triangle (vertex, edge or face) in which p lies.
Vector3 closest_point_on_triangle(const Vector3& p, const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 ab = b - a;
  const Vector3 ac = c - a;
  const Vector3 ap = p - a;
  const double d1 = ab.dot(ap);
  const double d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return a;  // region of vertex a
  const Vector3 bp = p - b;
  const double d3 = ab.dot(bp);
  const double d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return b;  // region of vertex b
  const double vc = d1 * d4 - d3 * d2;
  // Region of edge ab.
  if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return a + d1 / (d1 - d3) * ab;
  const Vector3 cp = p - c;
  const double d5 = ab.dot(cp);
  const double d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return c;  // region of vertex c
  const double vb = d5 * d2 - d1 * d6;
  // Region of edge ac.
  if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return a + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4;
  // Region of edge bc.
  if (va <= 0 && d4 >= d3 && d5 >= d6 && (d4 - d3) + (d5 - d6) > 0)
    return b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
  const double sum = va + vb + vc;
  if (!(sum > 0)) return a;  // a triangle without area
  // Region of the face.
  return a + (vb / sum) * ab + (vc / sum) * ac;
}

TriangleTree::TriangleTree(const SurfaceMesh& surface) {
  const auto count = std::ssize(surface.triangles);
  if (count == 0) return;
  std::vector<Vector3> centroids(surface.triangles.size());
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    const auto& [a, b, c] = surface.triangles[i];
    centroids[i] = (surface.vertices[a] + surface.vertices[b] + surface.vertices[c]) / 3;
  }
  order_.resize(surface.triangles.size());
  std::iota(order_.begin(), order_.end(), Index{0});
  nodes_.reserve(2 * surface.triangles.size() / kLeafSize + 2);
  // Boxes are set afterwards, from the leaves to the root.
  build(0, count, centroids);
  corners_.reserve(order_.size());
  for (const Index i : order_) {
    const auto& [a, b, c] = surface.triangles[i];
    corners_.push_back({surface.vertices[a], surface.vertices[b], surface.vertices[c]});
  }
  for (std::size_t n = nodes_.size(); n-- > 0;) {  // children have higher numbers than their parents
    Node& node = nodes_[n];
    if (!node.leaf()) {
      node.box = nodes_[n + 1].box.merged(nodes_[node.right].box);
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i)
      node.box.extend(corners_[i].a).extend(corners_[i].b).extend(corners_[i].c);
  }
}

void TriangleTree::build(Index first, Index count, std::vector<Vector3>& centroids) {
  const std::size_t self = nodes_.size();
  nodes_.push_back({Box3(), first, count, -1});
  if (count <= kLeafSize) return;
  Box3 box;
  for (Index i = first; i < first + count; ++i) box.extend(centroids[order_[i]]);
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  const Index half = count / 2;
  const auto begin = order_.begin() + first;
  // Ties by number: the tree depends only on the surface, not on the library's selection algorithm.
  std::nth_element(begin, begin + half, begin + count, [&](Index i, Index j) {
    return centroids[i][axis] != centroids[j][axis] ? centroids[i][axis] < centroids[j][axis] : i < j;
  });
  std::sort(begin, begin + half);
  std::sort(begin + half, begin + count);
  build(first, half, centroids);
  nodes_[self].right = std::ssize(nodes_);
  build(first + half, count - half, centroids);
}

TriangleTree::Nearest TriangleTree::nearest(const Vector3& p, double radius) const {
  Nearest best;
  if (nodes_.empty()) return best;
  double bound = radius * radius;
  std::array<std::pair<Index, double>, kStackSize> stack;
  int top = 0;
  stack[top++] = {0, nodes_.front().box.squaredExteriorDistance(p)};
  while (top > 0) {
    const auto [n, distance] = stack[--top];
    if (distance > bound) continue;
    const Node& node = nodes_[n];
    if (!node.leaf()) {
      std::pair<Index, double> near{n + 1, nodes_[n + 1].box.squaredExteriorDistance(p)};
      std::pair<Index, double> far{node.right, nodes_[node.right].box.squaredExteriorDistance(p)};
      if (far.second < near.second) std::swap(near, far);
      stack[top++] = far;
      stack[top++] = near;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      const auto& [a, b, c] = corners_[i];
      const Vector3 point = closest_point_on_triangle(p, a, b, c);
      const double squared = (point - p).squaredNorm();
      if (squared > bound || squared >= best.squared_distance) continue;
      bound = squared;
      best = {order_[i], point, squared};
    }
  }
  return best;
}

void TriangleTree::pierce(const Vector3& a, const Vector3& b, std::vector<double>& t) const {
  t.clear();
  if (nodes_.empty()) return;
  const Vector3 direction = b - a;
  const Box3 segment = Box3(a.cwiseMin(b), a.cwiseMax(b));
  std::array<Index, kStackSize> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Index n = stack[--top];
    const Node& node = nodes_[n];
    if (!node.box.intersects(segment)) continue;
    if (!node.leaf()) {
      stack[top++] = node.right;
      stack[top++] = n + 1;
      continue;
    }
    double hit = 0;
    for (Index i = node.first; i < node.first + node.count; ++i)
      if (pierce_triangle(a, direction, corners_[i], hit)) t.push_back(hit);
  }
  std::sort(t.begin(), t.end());
  t.erase(std::unique(t.begin(), t.end(), [](double x, double y) { return y - x < 1e-9; }), t.end());
}

}  // namespace pliant
