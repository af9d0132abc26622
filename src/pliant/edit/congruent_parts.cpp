#include "pliant/edit/congruent_parts.hpp"

#include "pliant/mesh/core/boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace pliant::view {
namespace {

constexpr double kSame = 0.02;  // relative to an element's size: tolerance of sizes and positions
constexpr std::size_t kMostTries = 4000000;  // pairs and triples that are tried

/// Size and outer faces of all elements, and a grid that finds an element by its centre.
class Elements {
 public:
  explicit Elements(const VolumeMesh& mesh) {
    const Index count = mesh.element_count();
    centers_.reserve(to_size(count));
    sizes_.reserve(to_size(count));
    outer_.assign(to_size(count), 0);
    for (Index e = 0; e < count; ++e) {
      centers_.push_back(element_centroid(mesh, e));
      double spread = 0.0;
      const auto vertices = element_vertices(mesh, e);
      for (const VertexId v : vertices) spread += (mesh.vertices[to_size(v)] - centers_.back()).squaredNorm();
      sizes_.push_back(std::sqrt(spread / static_cast<double>(vertices.size())));
      largest_ = std::max(largest_, sizes_.back());
    }
    for (const BoundaryFace& face : boundary_faces(mesh)) ++outer_[to_size(face.element)];
    for (Index e = 0; e < count; ++e) grid_[cell(centers_[to_size(e)])].push_back(e);
  }

  [[nodiscard]] const Vector3& center(Index e) const { return centers_[to_size(e)]; }
  [[nodiscard]] double tolerance(Index e) const { return kSame * sizes_[to_size(e)]; }
  [[nodiscard]] bool alike(Index a, Index b) const {
    return outer_[to_size(a)] == outer_[to_size(b)] &&
           std::abs(sizes_[to_size(a)] - sizes_[to_size(b)]) <= kSame * sizes_[to_size(a)];
  }
  /// The element that looks like `e` and has its centre at `place`.
  [[nodiscard]] std::optional<Index> like(Index e, const Vector3& place) const {
    const auto [i, j, k] = key(place);
    for (int n = 0; n < 27; ++n) {
      const auto found = grid_.find(hash({i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1}));
      if (found == grid_.end()) continue;
      for (const Index other : found->second)
        if ((center(other) - place).norm() <= 2.0 * tolerance(e) && alike(e, other)) return other;
    }
    return std::nullopt;
  }
  /// All free elements that look like `e`, ascending.
  [[nodiscard]] std::vector<Index> all_like(Index e, const std::vector<char>& free) const {
    std::vector<Index> list;
    for (std::size_t other = 0; other < centers_.size(); ++other)
      if (free[other] != 0 && alike(e, static_cast<Index>(other))) list.push_back(static_cast<Index>(other));
    return list;
  }

 private:
  using Key = std::array<long, 3>;
  [[nodiscard]] Key key(const Vector3& x) const {
    return {std::lround(x.x() / largest_), std::lround(x.y() / largest_), std::lround(x.z() / largest_)};
  }
  [[nodiscard]] static std::size_t hash(const Key& k) {
    return to_size(k[0]) * 73856093U ^ to_size(k[1]) * 19349663U ^ to_size(k[2]) * 83492791U;
  }
  [[nodiscard]] std::size_t cell(const Vector3& x) const { return hash(key(x)); }

  std::vector<Vector3> centers_;
  std::vector<double> sizes_;
  std::vector<int> outer_;
  double largest_ = 1e-30;
  std::unordered_map<std::size_t, std::vector<Index>> grid_;
};

/// The orthonormal axes that three points define; none when they lie on a line.
std::optional<Matrix3> axes_of(const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 x = b - a, normal = x.cross(c - a);
  if (!(normal.norm() > 1e-6 * x.squaredNorm())) return std::nullopt;
  Matrix3 axes;
  axes.col(0) = x.normalized();
  axes.col(2) = normal.normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

class Search {
 public:
  Search(const Elements& elements, const std::vector<Index>& part, const std::vector<char>& free)
      : elements_(elements), part_(part), free_(free) {
    choose_triple();
  }

  /// The copies of the part, nearest first. A part whose elements lie on a line can only be shifted.
  std::vector<std::vector<Index>> run() {
    std::vector<Found> found;
    if (const auto axes = axes_of(place(0), place(1), place(2)))
      try_triples(*axes, found);
    else
      for (const Index e : elements_.all_like(triple_[0], free_))
        try_motion(Matrix3::Identity(), elements_.center(e), found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.distance < b.distance; });
    std::vector<std::vector<Index>> list;
    for (Found& one : found) {
      if (!std::all_of(one.elements.begin(), one.elements.end(),
                       [&](Index e) { return free_[to_size(e)] != 0; }))
        continue;  // overlaps a nearer copy
      for (const Index e : one.elements) free_[to_size(e)] = 0;
      list.push_back(std::move(one.elements));
    }
    return list;
  }

 private:
  struct Found {
    std::vector<Index> elements;
    double distance = 0.0;
  };
  [[nodiscard]] const Vector3& place(std::size_t i) const { return elements_.center(triple_[i]); }

  /// Chooses a rare element, the one farthest from it, and the one farthest from the line through both.
  void choose_triple() {
    std::size_t fewest = free_.size() + 1;
    const std::size_t every = std::max<std::size_t>(1, part_.size() / 64);
    for (std::size_t i = 0; i < part_.size(); i += every) {
      const std::size_t like = elements_.all_like(part_[i], free_).size();
      if (like >= fewest) continue;
      fewest = like;
      triple_[0] = part_[i];
    }
    const auto farthest = [&](const auto& measure) {
      return *std::max_element(part_.begin(), part_.end(),
                               [&](Index a, Index b) { return measure(a) < measure(b); });
    };
    triple_[1] = farthest([&](Index e) { return (elements_.center(e) - place(0)).norm(); });
    const Vector3 along = place(1) - place(0);
    triple_[2] = farthest([&](Index e) { return along.cross(elements_.center(e) - place(0)).norm(); });
  }

  void try_triples(const Matrix3& axes, std::vector<Found>& found) {
    const std::vector<Index> firsts = elements_.all_like(triple_[0], free_);
    const std::vector<Index> seconds = elements_.all_like(triple_[1], free_);
    const std::vector<Index> thirds = elements_.all_like(triple_[2], free_);
    const double ab = (place(1) - place(0)).norm(), ac = (place(2) - place(0)).norm(),
                 bc = (place(2) - place(1)).norm();
    const auto apart = [&](Index e, Index f, double distance) {
      return std::abs((elements_.center(e) - elements_.center(f)).norm() - distance) <=
             2.0 * elements_.tolerance(e);
    };
    std::size_t tries = 0;
    for (const Index a : firsts)
      for (const Index b : seconds) {
        if (++tries > kMostTries) return;
        if (!apart(a, b, ab)) continue;
        for (const Index c : thirds) {
          if (++tries > kMostTries) return;
          if (!apart(a, c, ac) || !apart(b, c, bc)) continue;
          const auto there = axes_of(elements_.center(a), elements_.center(b), elements_.center(c));
          if (there) try_motion(*there * axes.transpose(), elements_.center(a), found);
        }
      }
  }

  /// Adds the image of the part under a rigid motion, if it is a copy. The motion rotates by `turn` and moves
  /// the first element of the triple to `to`.
  void try_motion(const Matrix3& turn, const Vector3& to, std::vector<Found>& found) const {
    Found one;
    one.distance = (to - place(0)).norm();
    one.elements.reserve(part_.size());
    for (const Index e : part_) {
      const auto other = elements_.like(e, to + turn * (elements_.center(e) - place(0)));
      if (!other || free_[to_size(*other)] == 0) return;
      one.elements.push_back(*other);
    }
    std::vector<Index> sorted = one.elements;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) found.push_back(std::move(one));
  }

  const Elements& elements_;
  const std::vector<Index>& part_;
  std::vector<char> free_;
  std::array<Index, 3> triple_{};
};

}  // namespace

std::vector<std::vector<Index>> congruent_parts(const VolumeMesh& mesh, const std::vector<Index>& part,
                                                const std::vector<char>& free) {
  if (part.empty()) return {};
  const Elements elements(mesh);
  return Search(elements, part, free).run();
}

}  // namespace pliant::view
