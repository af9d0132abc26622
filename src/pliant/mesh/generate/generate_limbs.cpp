#include "pliant/mesh/generate/generate_limbs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace pliant {
namespace {

/// Elements as lists of vertices, tets first, with the limbs to which they belong.
struct Cells {
  std::vector<std::vector<VertexId>> vertices;
  std::vector<Index> labels;
};

Cells cells_of(const VolumeMesh& mesh) {
  Cells cells;
  for (const Tet& tet : mesh.tets) cells.vertices.emplace_back(tet.begin(), tet.end());
  for (const Hex& hex : mesh.hexes) cells.vertices.emplace_back(hex.begin(), hex.end());
  return cells;
}

/// The first limb that contains x and claims it there; if there is none, the nearest.
Index claimed_by(const std::vector<Limb>& limbs, const Vector3& x) {
  Index nearest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t l = 0; l < limbs.size(); ++l) {
    const double away = limbs[l].distance(x);
    if (away <= 0 && !(limbs[l].beyond && limbs[l].beyond(x))) return static_cast<Index>(l);
    if (away >= smallest) continue;
    smallest = away;
    nearest = static_cast<Index>(l);
  }
  return nearest;
}

/// Labels of elements as a tree: gives elements at wrong contacts to parents until only limbs and their
/// parents touch.
class LabelTree {
 public:
  LabelTree(const std::vector<Limb>& limbs, const VolumeMesh& mesh, Cells& cells)
      : limbs_(limbs), cells_(cells), around_(mesh.vertices.size()) {
    level_.reserve(limbs.size());
    for (const Limb& limb : limbs) level_.push_back(limb.parent < 0 ? 0 : level_[to_size(limb.parent)] + 1);
    for (std::size_t e = 0; e < cells.vertices.size(); ++e)
      for (const VertexId v : cells.vertices[e]) around_[to_size(v)].push_back(static_cast<Index>(e));
    find_neighbours(mesh);
  }

  /// Every change moves elements towards the root, so the loop ends.
  void tidy() {
    keep_largest(true);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t v = 0; v < around_.size(); ++v) changed = part_strangers(v) || changed;
      changed = keep_largest(false) || changed;
    }
  }

  /// The number of face-connected parts of each label.
  [[nodiscard]] std::vector<Index> part_counts() const {
    std::vector<Index> counts(limbs_.size(), 0);
    for (const std::vector<Index>& part : parts()) ++counts[to_size(cells_.labels[to_size(part.front())])];
    return counts;
  }

 private:
  /// Neighbours across faces, found by matching sorted vertices.
  void find_neighbours(const VolumeMesh& mesh) {
    neighbours_.resize(cells_.vertices.size());
    std::map<std::vector<VertexId>, Index> open;
    const auto add = [&](Index element, std::vector<VertexId> face) {
      std::sort(face.begin(), face.end());
      const auto [other, first] = open.emplace(std::move(face), element);
      if (first) return;
      neighbours_[to_size(element)].push_back(other->second);
      neighbours_[to_size(other->second)].push_back(element);
    };
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      for (const auto& face : kTetFaces) {
        std::vector<VertexId> corners;
        for (const int c : face) corners.push_back(mesh.tets[t][to_size(c)]);
        add(static_cast<Index>(t), std::move(corners));
      }
    for (std::size_t h = 0; h < mesh.hexes.size(); ++h)
      for (const auto& face : kHexFaces) {
        std::vector<VertexId> corners;
        for (const int c : face) corners.push_back(mesh.hexes[h][to_size(c)]);
        add(static_cast<Index>(mesh.tets.size() + h), std::move(corners));
      }
  }

  /// Parts of equal label that are connected through faces.
  [[nodiscard]] std::vector<std::vector<Index>> parts() const {
    std::vector<char> seen(cells_.labels.size(), 0);
    std::vector<std::vector<Index>> found;
    for (std::size_t first = 0; first < seen.size(); ++first) {
      if (seen[first] != 0) continue;
      seen[first] = 1;
      std::vector<Index> part{static_cast<Index>(first)};
      for (std::size_t next = 0; next < part.size(); ++next)
        for (const Index e : neighbours_[to_size(part[next])]) {
          if (seen[to_size(e)] != 0 || cells_.labels[to_size(e)] != cells_.labels[first]) continue;
          seen[to_size(e)] = 1;
          part.push_back(e);
        }
      found.push_back(std::move(part));
    }
    return found;
  }

  /// Gives all parts of a label but the largest to its parent, or (`anywhere`) to the label that they touch
  /// most.
  bool keep_largest(bool anywhere) {
    const std::vector<std::vector<Index>> all = parts();
    std::vector<std::size_t> largest(limbs_.size(), all.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
      std::size_t& best = largest[to_size(cells_.labels[to_size(all[p].front())])];
      if (best == all.size() || all[p].size() > all[best].size()) best = p;
    }
    bool changed = false;
    for (std::size_t p = 0; p < all.size(); ++p) {
      const Index label = cells_.labels[to_size(all[p].front())];
      if (largest[to_size(label)] == p) continue;
      const Index to = anywhere ? most_touched(all[p], label) : limbs_[to_size(label)].parent;
      if (to < 0) continue;
      for (const Index e : all[p]) cells_.labels[to_size(e)] = to;
      changed = true;
    }
    return changed;
  }

  [[nodiscard]] Index most_touched(const std::vector<Index>& part, Index own) const {
    std::map<Index, Index> faces;
    for (const Index e : part)
      for (const Index other : neighbours_[to_size(e)])
        if (cells_.labels[to_size(other)] != own) ++faces[cells_.labels[to_size(other)]];
    Index best = -1;
    Index count = 0;
    for (const auto& [label, n] : faces) {
      if (n <= count) continue;
      best = label;
      count = n;
    }
    return best;
  }

  /// At a vertex only a limb and its parent may meet; otherwise the deepest labels there give way to their
  /// parents.
  bool part_strangers(std::size_t v) {
    bool changed = false;
    while (true) {
      Index deepest = -1;
      Index other = -1;
      bool strangers = false;
      for (const Index e : around_[v]) {
        const Index label = cells_.labels[to_size(e)];
        if (deepest < 0 || level_[to_size(label)] > level_[to_size(deepest)]) deepest = label;
      }
      for (const Index e : around_[v]) {
        const Index label = cells_.labels[to_size(e)];
        if (label == deepest) continue;
        strangers = strangers || label != limbs_[to_size(deepest)].parent;
        other = label;
      }
      if (other < 0 || !strangers) return changed;
      const Index level = level_[to_size(deepest)];
      for (const Index e : around_[v]) {
        Index& label = cells_.labels[to_size(e)];
        if (level_[to_size(label)] == level && level > 0) label = limbs_[to_size(label)].parent;
      }
      changed = true;
    }
  }

  const std::vector<Limb>& limbs_;
  Cells& cells_;
  std::vector<Index> level_;                    // level of each limb in the tree
  std::vector<std::vector<Index>> around_;      // elements of each vertex
  std::vector<std::vector<Index>> neighbours_;  // of each element, by faces
};

/// Labels elements by their centroids, repairs the labels, and refuses limbs that are lost or in pieces.
Status label_elements(const std::vector<Limb>& limbs, VolumeMesh& mesh) {
  Cells cells = cells_of(mesh);
  for (const std::vector<VertexId>& corners : cells.vertices) {
    Vector3 sum = Vector3::Zero();
    for (const VertexId v : corners) sum += mesh.vertices[to_size(v)];
    cells.labels.push_back(claimed_by(limbs, sum / static_cast<double>(corners.size())));
  }
  LabelTree tree(limbs, mesh, cells);
  tree.tidy();
  const std::vector<Index> counts = tree.part_counts();
  for (std::size_t l = 0; l < limbs.size(); ++l) {
    if (counts[l] == 1) continue;
    return Diagnostic{ErrorCode::kInconsistent,
                      {"", 0, 0, "resolution"},
                      "the " + limbs[l].name + (counts[l] == 0 ? " is lost" : " falls into pieces"),
                      "use more"};
  }
  for (std::size_t e = 0; e < cells.labels.size(); ++e) {
    const auto label = static_cast<Label>(cells.labels[e] + 1);
    (e < mesh.tets.size() ? mesh.tet_labels[e] : mesh.hex_labels[e - mesh.tets.size()]) = label;
  }
  for (std::size_t l = 0; l < limbs.size(); ++l) mesh.region_names[static_cast<Label>(l + 1)] = limbs[l].name;
  return Done{};
}

}  // namespace

/// Claims end at planes through the first and the last point, perpendicular to the rod there.
Limb rod_limb(std::string name, Index parent, std::vector<Vector3> points, std::vector<double> radii) {
  Rods rods;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    rods.add(RoundCone{points[i], points[i + 1], radii[i], radii[i + 1]});
  const Vector3 start = points.front();
  const Vector3 end = points.back();
  const Vector3 first = points[1] - points[0];
  const Vector3 last = points[points.size() - 1] - points[points.size() - 2];
  return {std::move(name), parent, [rods](const Vector3& x) { return rods.distance(x); },
          [start, end, first, last](const Vector3& x) {
            return (x - start).dot(first) < 0 || (x - end).dot(last) > 0;
          }};
}

Limb blob_limb(std::string name, Index parent, const Vector3& centre, const Matrix3& half_axes) {
  const Matrix3 inverse = half_axes.inverse();
  const double thinnest = half_axes.colwise().norm().minCoeff();
  // The gauge |A⁻¹(x − c)| has slopes up to one over the shortest half axis; the factor reduces them to 1.
  return {std::move(name), parent, [centre, inverse, thinnest](const Vector3& x) {
            return thinnest * ((inverse * (x - centre)).norm() - 1);
          }};
}

Limb joined(Limb limb, const Limb& other) {
  limb.distance = [a = limb.distance, b = other.distance](const Vector3& x) { return std::min(a(x), b(x)); };
  return limb;
}

Result<VolumeMesh> fill_limbs(const std::vector<Limb>& limbs, const Box3& box, Index resolution,
                              const MeshWish& wish, Progress& progress, std::optional<double> floor) {
  const ImplicitSolid solid(
      [&](const Vector3& x) {
        double smallest = std::numeric_limits<double>::infinity();
        for (const Limb& limb : limbs) smallest = std::min(smallest, limb.distance(x));
        return floor ? std::max(smallest, *floor - x.z()) : smallest;
      },
      box);
  return fill_solid(solid, resolution, wish, progress,
                    [&limbs](VolumeMesh& mesh) { return label_elements(limbs, mesh); });
}

Result<VolumeMesh> scaled(Result<VolumeMesh> made, const MeshWish& wish, double factor) {
  if (!made) return made;
  for (Vector3& x : made.value().vertices) x *= factor;
  if (wish.drawn != nullptr)
    for (Vector3& x : wish.drawn->mesh.vertices) x *= factor;
  return made;
}

}  // namespace pliant
