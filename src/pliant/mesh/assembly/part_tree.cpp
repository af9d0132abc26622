#include "pliant/mesh/assembly/part_tree.hpp"

#include "pliant/mesh/core/winding_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pliant {
namespace {

constexpr double kReach = 0.12;  // of a base, relative to the diameter of its part
constexpr double kTouch = 0.02;  // distance, relative to the diameter of a part, up to which it touches

/// A part with the structures that distances to it need.
struct Part {
  SurfaceMesh surface;
  std::shared_ptr<const TriangleTree> tree;
  double diameter = 0.0;

  explicit Part(SurfaceMesh own)
      : surface(std::move(own)),
        tree(std::make_shared<const TriangleTree>(surface)),
        diameter(tree->bounds().diagonal().norm()),
        winding_(tree) {}

  /// Distance from a point, 0 inside.
  [[nodiscard]] double distance(const Vector3& x) const {
    if (tree->bounds().contains(x) && winding_.inside(x)) return 0;
    return std::sqrt(tree->nearest(x).squared_distance);
  }

 private:
  WindingNumber winding_;
};

struct Contact {
  double distance = std::numeric_limits<double>::infinity();  // of the nearest vertex
  Vector3 middle = Vector3::Zero();                           // of the vertices that touch
};

/// Where `child` touches `parent`: the mean of its vertices that are inside, or nearly as near as the nearest
/// one.
Contact contact(const Part& child, const Part& parent) {
  std::vector<double> distances;
  Contact found;
  for (const Vector3& x : child.surface.vertices) {
    distances.push_back(parent.distance(x));
    found.distance = std::min(found.distance, distances.back());
  }
  const double limit = found.distance + kTouch * child.diameter;
  double count = 0;
  for (std::size_t v = 0; v < distances.size(); ++v) {
    if (distances[v] > limit) continue;
    found.middle += child.surface.vertices[v];
    count += 1;
  }
  found.middle /= count;
  return found;
}

/// Grows the tree of parts like Prim's algorithm: always attaches the part that is nearest to what is
/// attached already.
class Hanger {
 public:
  Hanger(const SurfaceMesh& surface, const Congruence& copies) {
    for (const SurfacePart& part : copies.parts) parts_.emplace_back(extract_part(surface, part));
    make_classes(copies);
    tree_.parent.assign(parts_.size(), -1);
    for (std::size_t p = 1; p < parts_.size(); ++p)
      if (parts_[p].diameter > parts_[to_size(tree_.root)].diameter) tree_.root = static_cast<Index>(p);
  }

  PartTree hang() {
    links_.resize(parts_.size());
    hung_ = {tree_.root};
    std::vector<char> done(parts_.size(), 0);
    done[to_size(tree_.root)] = 1;
    while (hung_.size() < parts_.size()) {
      Index next = -1;
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        if (done[p] != 0) continue;
        consider(p, hung_.back());
        if (next < 0 || comes_before(p, to_size(next))) next = static_cast<Index>(p);
      }
      done[to_size(next)] = 1;
      tree_.parent[to_size(next)] = links_[to_size(next)].parent;
      if (fix_base(next)) measure_again(tree_.class_of[to_size(next)], done);
      hung_.push_back(next);
    }
    return std::move(tree_);
  }

 private:
  struct Link {
    Index parent = -1;
    double distance = std::numeric_limits<double>::infinity();
    double size = 0.0;
  };

  /// The part that is nearest relative to its size; among those that touch, the largest. So filaments that
  /// pass close to a twig wait until the blossom to which they belong is attached.
  [[nodiscard]] bool comes_before(std::size_t a, std::size_t b) const {
    constexpr double kPoint = std::numeric_limits<double>::min();
    const double size_a = std::max(parts_[a].diameter, kPoint), size_b = std::max(parts_[b].diameter, kPoint);
    return std::pair(links_[a].distance / size_a, -size_a) < std::pair(links_[b].distance / size_b, -size_b);
  }

  /// Among parents at the same distance (all that touch count as equally near) the largest wins.
  void consider(std::size_t part, Index parent) {
    double away = distance(static_cast<Index>(part), parent);
    if (away <= kTouch * parts_[part].diameter) away = 0;
    const double size = parts_[to_size(parent)].diameter;
    Link& link = links_[part];
    if (std::pair(away, -size) < std::pair(link.distance, -link.size)) link = {parent, away, size};
  }
  /// The base of a class has become known: distances of its other copies are measured from there.
  void measure_again(Index of_class, const std::vector<char>& done) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (done[p] != 0 || tree_.class_of[p] != of_class) continue;
      links_[p] = {};
      for (const Index parent : hung_) consider(p, parent);
    }
  }

  /// A mirror image is a class of its own, and its first part is its original.
  void make_classes(const Congruence& copies) {
    std::map<std::pair<Index, bool>, Index> known;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const PartCopy& copy = copies.copies[p];
      const auto [place, added] =
          known.emplace(std::pair(copy.class_index, copy.mirrored), std::ssize(tree_.classes));
      if (added) {
        tree_.classes.push_back({static_cast<Index>(p), Vector3::Zero(), 0.0, 0});
        has_base_.push_back(0);
      }
      PartClass& own = tree_.classes[to_size(place->second)];
      ++own.copies;
      tree_.class_of.push_back(place->second);
      // Both copies are placed from the same shape, by A and B. So B A⁻¹ leads from the first to the second.
      const Placement& first = copies.copies[to_size(own.original)].placement;
      const Placement& second = copy.placement;
      Placement between;
      between.scale = second.scale / first.scale;
      between.rotation = second.rotation * first.rotation.transpose();
      between.translation = second.translation - between.scale * (between.rotation * first.translation);
      tree_.placements.push_back(between);
    }
  }

  /// From the base of the class if it is known, otherwise from the nearest vertex.
  [[nodiscard]] double distance(Index child, Index parent) const {
    const Index own = tree_.class_of[to_size(child)];
    if (has_base_[to_size(own)] == 0)
      return contact(parts_[to_size(child)], parts_[to_size(parent)]).distance;
    return parts_[to_size(parent)].distance(
        tree_.placements[to_size(child)].place(tree_.classes[to_size(own)].base));
  }

  /// The first copy that is attached determines the base of its class; true if it was not known before.
  bool fix_base(Index part) {
    const Index own = tree_.class_of[to_size(part)];
    if (has_base_[to_size(own)] != 0) return false;
    has_base_[to_size(own)] = 1;
    const Placement& placed = tree_.placements[to_size(part)];
    const Contact touch = contact(parts_[to_size(part)], parts_[to_size(tree_.parent[to_size(part)])]);
    tree_.classes[to_size(own)].base = placed.unplace(touch.middle);
    tree_.classes[to_size(own)].reach = kReach * parts_[to_size(part)].diameter / placed.scale;
    return true;
  }

  std::vector<Part> parts_;
  std::vector<char> has_base_;  // of the classes
  std::vector<Link> links_;     // of the parts, to what hangs already
  std::vector<Index> hung_;
  PartTree tree_;
};

}  // namespace

Result<PartTree> hang_parts(const SurfaceMesh& surface, const Congruence& copies) {
  if (copies.parts.empty()) return Diagnostic{ErrorCode::kMissing, {}, "has no triangles", ""};
  return Hanger(surface, copies).hang();
}

}  // namespace pliant
