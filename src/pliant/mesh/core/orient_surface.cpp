#include "pliant/mesh/core/orient_surface.hpp"

#include "pliant/mesh/core/winding_number.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

/// For each vertex, the first one at the same place.
std::vector<VertexId> welded(const std::vector<Vector3>& vertices) {
  std::vector<VertexId> order(vertices.size());
  std::iota(order.begin(), order.end(), VertexId{0});
  const auto key = [&](VertexId v) {
    const Vector3& x = vertices[v];
    return std::array{x[0], x[1], x[2]};
  };
  std::sort(order.begin(), order.end(),
            [&](VertexId v, VertexId w) { return key(v) != key(w) ? key(v) < key(w) : v < w; });
  std::vector<VertexId> result(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    result[order[i]] = same ? result[order[i - 1]] : order[i];
  }
  return result;
}

/// An edge of a triangle, its ends sorted.
struct Edge {
  VertexId low, high;
  Index triangle;
  bool forward;  // the triangle runs along it from low to high
};

struct Neighbour {
  Index triangle = -1;
  bool agrees = true;  // the two run along their edge in opposite directions
};

struct Adjacency {
  std::vector<std::array<Neighbour, 3>> of;  // across edges of exactly two triangles
  std::vector<int> count;                    // how many of the three entries are used
  std::vector<bool> rim;                     // has an edge that is not shared by exactly two
  Index open_edges = 0;
};

/// Sorts all edges; an edge that stands there exactly twice connects two triangles.
Adjacency adjacency(const std::vector<Triangle>& triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId v = triangles[t][i];
      const VertexId w = triangles[t][(i + 1) % 3];
      edges.push_back({std::min(v, w), std::max(v, w), static_cast<Index>(t), v < w});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& f) {
    return std::tie(e.low, e.high, e.triangle) < std::tie(f.low, f.high, f.triangle);
  });
  Adjacency result{std::vector<std::array<Neighbour, 3>>(triangles.size()),
                   std::vector<int>(triangles.size(), 0), std::vector<bool>(triangles.size(), false), 0};
  for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
    while (j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high) ++j;
    if (j - i == 1) ++result.open_edges;
    if (j - i != 2) {
      for (std::size_t k = i; k < j; ++k) result.rim[edges[k].triangle] = true;
      continue;
    }
    const Edge& e = edges[i];
    const Edge& f = edges[i + 1];
    const bool agrees = e.forward != f.forward;
    result.of[e.triangle][result.count[e.triangle]++] = {f.triangle, agrees};
    result.of[f.triangle][result.count[f.triangle]++] = {e.triangle, agrees};
  }
  return result;
}

struct Patch {
  std::vector<Index> triangles;
  bool closed = true;
};

/// Applies the three rules of orient_surface.hpp. Connectivity is that of vertices merged by position.
class Orienter {
 public:
  explicit Orienter(const SurfaceMesh& surface) : weld_(welded(surface.vertices)) {
    result_.surface.vertices = surface.vertices;
    for (const Triangle& t : surface.triangles) {
      const Triangle w{weld_[t[0]], weld_[t[1]], weld_[t[2]]};
      if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) {
        ++result_.dropped;
        continue;
      }
      result_.surface.triangles.push_back(t);
      welded_triangles_.push_back(w);
    }
  }

  OrientedSurface run() {
    const Adjacency neighbours = adjacency(welded_triangles_);
    result_.open_edges = neighbours.open_edges;
    turned_.assign(welded_triangles_.size(), false);
    make_patches(neighbours);
    result_.patches = std::ssize(patches_);
    apply();
    // Rule 2.
    if (enclosed_volume(result_.surface) < 0)
      for (const Patch& patch : patches_) turn(patch);
    turn_inverted_patches();
    result_.flipped = std::count(turned_.begin(), turned_.end(), true);
    return std::move(result_);
  }

 private:
  Vector3 area_vector(Index t) const {
    const auto& [a, b, c] = result_.surface.triangles[t];
    const auto& x = result_.surface.vertices;
    return 0.5 * (x[b] - x[a]).cross(x[c] - x[a]);
  }

  /// Rule 1: spreads the orientation of a seed over its patch; if that turns more area than it keeps, turns
  /// all back.
  void make_patches(const Adjacency& neighbours) {
    std::vector<bool> seen(welded_triangles_.size(), false);
    for (Index seed = 0; seed < std::ssize(seen); ++seed) {
      if (seen[seed]) continue;
      Patch patch;
      patch.triangles.push_back(seed);
      seen[seed] = true;
      double kept = 0;
      double flipped = 0;
      for (std::size_t i = 0; i < patch.triangles.size(); ++i) {
        const Index t = patch.triangles[i];
        (turned_[t] ? flipped : kept) += area_vector(t).norm();
        if (neighbours.rim[t]) patch.closed = false;
        for (int k = 0; k < neighbours.count[t]; ++k) {
          const Neighbour& next = neighbours.of[t][k];
          if (seen[next.triangle]) continue;
          seen[next.triangle] = true;
          turned_[next.triangle] = next.agrees == turned_[t];  // agreeing neighbours are turned alike
          patch.triangles.push_back(next.triangle);
        }
      }
      if (flipped > kept)
        for (const Index t : patch.triangles) turned_[t] = !turned_[t];
      patches_.push_back(std::move(patch));
    }
  }

  void apply() {
    for (std::size_t t = 0; t < turned_.size(); ++t)
      if (turned_[t]) std::swap(result_.surface.triangles[t][1], result_.surface.triangles[t][2]);
  }

  void turn(const Patch& patch) {
    for (const Index t : patch.triangles) {
      turned_[t] = !turned_[t];
      std::swap(result_.surface.triangles[t][1], result_.surface.triangles[t][2]);
    }
  }

  double patch_volume(const Patch& patch) const {
    const auto& x = result_.surface.vertices;
    const Vector3 origin = x[result_.surface.triangles[patch.triangles.front()][0]];
    double sum = 0;
    for (const Index t : patch.triangles) {
      const auto& [a, b, c] = result_.surface.triangles[t];
      sum += (x[a] - origin).dot((x[b] - origin).cross(x[c] - origin));
    }
    return sum / 6;
  }

  /// Rule 3.
  void turn_inverted_patches() {
    if (patches_.size() < 2) return;
    std::vector<const Patch*> inverted;
    for (const Patch& patch : patches_)
      if (patch.closed && patch_volume(patch) < 0) inverted.push_back(&patch);
    if (inverted.empty()) return;
    const WindingNumber winding(result_.surface);
    std::vector<const Patch*> wrong;
    for (const Patch* patch : inverted)
      if (winding(just_outside(*patch)) < 0.5) wrong.push_back(patch);
    for (const Patch* patch : wrong) turn(*patch);
  }

  /// A point slightly outside of an inverted patch, beside its largest triangle. There the patch itself
  /// contributes nothing to the winding number; only parts that surround it do.
  Vector3 just_outside(const Patch& patch) const {
    const Index largest = *std::max_element(
        patch.triangles.begin(), patch.triangles.end(),
        [&](Index s, Index t) { return area_vector(s).squaredNorm() < area_vector(t).squaredNorm(); });
    const auto& [a, b, c] = result_.surface.triangles[largest];
    const auto& x = result_.surface.vertices;
    const Vector3 normal = area_vector(largest);
    const double step = 1e-4 * std::sqrt(normal.norm());
    // The normal of an inverted patch points inwards.
    return (x[a] + x[b] + x[c]) / 3 - step * normal.normalized();
  }

  std::vector<VertexId> weld_;
  std::vector<Triangle> welded_triangles_;
  std::vector<bool> turned_;
  std::vector<Patch> patches_;
  OrientedSurface result_;
};

}  // namespace

OrientedSurface orient_surface(const SurfaceMesh& surface) { return Orienter(surface).run(); }

}  // namespace pliant
