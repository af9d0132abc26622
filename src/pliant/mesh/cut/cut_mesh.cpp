#include "pliant/mesh/cut/cut_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

using Edge = std::array<VertexId, 2>;

Edge edge_of(VertexId a, VertexId b) { return {std::min(a, b), std::max(a, b)}; }

bool crosses(double a, double b) { return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0); }

constexpr std::array<std::array<std::size_t, 2>, 6> kEdges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// Levels of the vertices: their distances from the cut, exactly zero where it goes through them.
class Levels {
 public:
  Levels(const VolumeMesh& mesh, std::span<const Vector3> places, std::span<const char> cuttable,
         const CutSurface& cut)
      : mesh_(mesh), places_(places), cuttable_(cuttable), cut_(cut), level_(mesh.vertices.size(), 0.0) {
    for (std::size_t v = 0; v < level_.size(); ++v) level_[v] = cut.normal.dot(places[v] - cut.point);
    first_ = level_;
    choose();
    keep_fixed_edges();
    snap();
  }

  [[nodiscard]] double at(VertexId v) const { return level_[to_size(v)]; }
  /// The cut may split this tet.
  [[nodiscard]] bool chosen(Index tet) const { return chosen_[to_size(tet)] != 0; }
  /// The cut goes through this tet, but not here: it has no side.
  [[nodiscard]] bool straddles(Index tet) const { return straddles_[to_size(tet)] != 0; }
  [[nodiscard]] Index refused() const { return refused_; }
  /// The side of a tet that is not split: −1 or 1.
  [[nodiscard]] int side(const Tet& tet) const {
    double sum = 0.0, first = 0.0;
    for (const VertexId v : tet) {
      sum += at(v);
      first += first_[to_size(v)];
    }
    return (sum != 0.0 ? sum : first) < 0.0 ? -1 : 1;
  }

 private:
  /// Tets that the surface of the cut meets: the middle of its part within them is on it.
  void choose() {
    chosen_.assign(mesh_.tets.size(), 0);
    straddles_.assign(mesh_.tets.size(), 0);
    for_each_element(mesh_, [&](Index e, std::span<const VertexId> vertices) {
      double low = at(vertices[0]), high = low;
      for (const VertexId v : vertices) {
        low = std::min(low, at(v));
        high = std::max(high, at(v));
      }
      if (low > 0.0 || high < 0.0) return;
      const bool met = meets(vertices);
      const bool mine = cuttable_[to_size(e)] != 0 && e < mesh_.first_hex();
      if (!mine) refused_ += met && low < 0.0 && high > 0.0 ? 1 : 0;
      if (e >= mesh_.first_hex()) return;
      chosen_[to_size(e)] = met && mine ? 1 : 0;
      straddles_[to_size(e)] = !(met && mine) && low < 0.0 && high > 0.0 ? 1 : 0;
    });
  }

  [[nodiscard]] bool meets(std::span<const VertexId> vertices) const {
    if (!cut_.sweep) return true;
    Vector3 sum = Vector3::Zero();
    int count = 0;
    const auto place = [&](VertexId v) -> const Vector3& { return places_[to_size(v)]; };
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const double a = at(vertices[i]);
      if (a == 0.0) sum += place(vertices[i]), ++count;
      for (std::size_t k = i + 1; k < vertices.size(); ++k) {
        const double b = at(vertices[k]);
        if (!crosses(a, b)) continue;
        sum += (b * place(vertices[i]) - a * place(vertices[k])) / (b - a);
        ++count;
      }
    }
    if (count == 0) return false;
    const Vector3 &first = cut_.sweep->first, &second = cut_.sweep->second;
    const Vector3 arm = sum / count - cut_.point;
    const double ff = first.squaredNorm(), fs = first.dot(second), ss = second.squaredNorm();
    const double area = ff * ss - fs * fs;
    const double s = (ss * first.dot(arm) - fs * second.dot(arm)) / area;
    const double t = (ff * second.dot(arm) - fs * first.dot(arm)) / area;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
  }

  /// An edge of an element that is not cut must not be split: the cut goes through its nearer end.
  void keep_fixed_edges() {
    std::vector<char> mine(level_.size(), 0);
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e)
      for (const VertexId v : mesh_.tets[e])
        if (chosen_[e] != 0) mine[to_size(v)] = 1;
    for_each_element(mesh_, [&](Index e, std::span<const VertexId> vertices) {
      if (e < mesh_.first_hex() && chosen_[to_size(e)] != 0) return;
      for (std::size_t i = 0; i < vertices.size(); ++i)
        for (std::size_t k = i + 1; k < vertices.size(); ++k) {
          const auto a = to_size(vertices[i]), b = to_size(vertices[k]);
          if (mine[a] == 0 || mine[b] == 0 || !crosses(level_[a], level_[b])) continue;
          level_[std::abs(level_[a]) <= std::abs(level_[b]) ? a : b] = 0.0;
        }
    });
  }

  void snap() {
    std::vector<VertexId> taken;
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
      if (chosen_[e] == 0) continue;
      for (const auto& [i, k] : kEdges) {
        const VertexId a = mesh_.tets[e][i], b = mesh_.tets[e][k];
        if (!crosses(at(a), at(b))) continue;
        const double t = at(a) / (at(a) - at(b));
        if (t < kSnap) taken.push_back(a);
        if (t > 1.0 - kSnap) taken.push_back(b);
      }
    }
    for (const VertexId v : taken) level_[to_size(v)] = 0.0;
  }

  const VolumeMesh& mesh_;
  std::span<const Vector3> places_;
  std::span<const char> cuttable_;
  const CutSurface& cut_;
  std::vector<double> level_, first_;  // first_: before any was taken to zero
  std::vector<char> chosen_, straddles_;
  Index refused_ = 0;
};

/// A polygon of at most four corners.
struct Corners {
  std::array<VertexId, 4> v{};
  std::size_t size = 0;
  void add(VertexId vertex) { v[size++] = vertex; }
  [[nodiscard]] bool has(VertexId vertex) const {
    return std::find(v.begin(), v.begin() + size, vertex) != v.begin() + size;
  }
};

class Cutter {
 public:
  Cutter(const VolumeMesh& mesh, std::span<const Vector3> places, std::span<const char> cuttable,
         const CutSurface& cut)
      : mesh_(mesh), cuttable_(cuttable), levels_(mesh, places, cuttable, cut) {}

  MeshCut make() {
    made_.refused = levels_.refused();
    find_edges();
    split();
    open();
    return std::move(made_);
  }

 private:
  void find_edges() {
    for (std::size_t e = 0; e < mesh_.tets.size(); ++e) {
      if (!levels_.chosen(static_cast<Index>(e))) continue;
      for (const auto& [i, k] : kEdges) {
        const VertexId a = mesh_.tets[e][i], b = mesh_.tets[e][k];
        if (crosses(levels_.at(a), levels_.at(b))) edges_.push_back(edge_of(a, b));
      }
    }
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    for (const Edge& edge : edges_) {
      const double a = levels_.at(edge[0]), b = levels_.at(edge[1]);
      made_.fresh.push_back({edge[0], edge[1], a / (a - b)});
    }
  }

  [[nodiscard]] VertexId point_of(VertexId a, VertexId b) const {
    const auto found = std::lower_bound(edges_.begin(), edges_.end(), edge_of(a, b));
    return static_cast<VertexId>(mesh_.vertex_count() + (found - edges_.begin()));
  }
  [[nodiscard]] bool on_cut(VertexId v) const { return v >= mesh_.vertex_count() || levels_.at(v) == 0.0; }

  void split() {
    made_.tets = mesh_.tets;
    sides_.assign(mesh_.tets.size(), 0);
    made_.parents.resize(mesh_.tets.size());
    std::iota(made_.parents.begin(), made_.parents.end(), Index{0});
    for (Index e = 0; e < mesh_.first_hex(); ++e) {
      const Tet& tet = mesh_.tets[to_size(e)];
      const bool split =
          levels_.chosen(e) && std::any_of(kEdges.begin(), kEdges.end(), [&](const auto& edge) {
            return crosses(levels_.at(tet[edge[0]]), levels_.at(tet[edge[1]]));
          });
      if (!split) {
        if (!levels_.straddles(e)) sides_[to_size(e)] = levels_.side(tet);
        continue;
      }
      ++made_.split;
      first_part_ = true;
      for (const int side : {-1, 1}) add_side(e, tet, side);
    }
  }

  /// The part of a face on one side, counter-clockwise as the face.
  [[nodiscard]] Corners clip(const Tet& tet, const std::array<int, 3>& face, int side) const {
    Corners part;
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId a = tet[to_size(face[i])], b = tet[to_size(face[(i + 1) % 3])];
      if (side * levels_.at(a) >= 0.0) part.add(a);
      if (crosses(levels_.at(a), levels_.at(b))) part.add(point_of(a, b));
    }
    if (part.size < 3) part.size = 0;
    return part;
  }

  /// One side of a tet is convex. Cones from its lowest vertex over faces that are fans from theirs fill it;
  /// neighbours divide a face alike.
  void add_side(Index e, const Tet& tet, int side) {
    std::array<Corners, 5> faces;
    std::array<Edge, 4> rim{};  // directed edges on the cut, as its own face has them
    std::size_t rims = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      faces[f] = clip(tet, kTetFaces[f], side);
      for (std::size_t i = 0; i < faces[f].size; ++i) {
        const VertexId a = faces[f].v[i], b = faces[f].v[(i + 1) % faces[f].size];
        if (on_cut(a) && on_cut(b) && rims < rim.size()) rim[rims++] = {b, a};
      }
    }
    VertexId next = rim[0][0];
    for (std::size_t i = 0; i < rims; ++i) {
      faces[4].add(next);
      const auto found =
          std::find_if(rim.begin(), rim.begin() + rims, [&](const Edge& r) { return r[0] == next; });
      next = (*found)[1];
    }
    VertexId apex = faces[4].v[0];
    for (const Corners& face : faces)
      for (std::size_t i = 0; i < face.size; ++i) apex = std::min(apex, face.v[i]);
    for (const Corners& face : faces) {
      if (face.size == 0 || face.has(apex)) continue;
      const auto low = static_cast<std::size_t>(std::min_element(face.v.begin(), face.v.begin() + face.size) -
                                                face.v.begin());
      const auto at = [&](std::size_t i) { return face.v[(low + i) % face.size]; };
      for (std::size_t i = 1; i + 1 < face.size; ++i) add_part(e, side, {apex, at(0), at(i), at(i + 1)});
    }
  }

  void add_part(Index e, int side, const Tet& part) {
    if (first_part_) {
      made_.tets[to_size(e)] = part;
      sides_[to_size(e)] = side;
      first_part_ = false;
      return;
    }
    made_.tets.push_back(part);
    made_.parents.push_back(e);
    sides_.push_back(side);
  }

  // Opening: corners of tets around a vertex on the cut hang together through faces that are not open.

  struct Face {
    std::array<VertexId, 3> key;
    Index tet;
    int local;
  };

  [[nodiscard]] Index find(Index node) {
    while (parent_[to_size(node)] != node) {
      parent_[to_size(node)] = parent_[to_size(parent_[to_size(node)])];
      node = parent_[to_size(node)];
    }
    return node;
  }
  /// The lowest node stands for all.
  void unite(Index a, Index b) {
    a = find(a);
    b = find(b);
    parent_[to_size(std::max(a, b))] = std::min(a, b);
  }
  [[nodiscard]] Index corner(Index tet, VertexId v) const {
    const Tet& corners = made_.tets[to_size(tet)];
    return first_node_[to_size(tet)] + (std::find(corners.begin(), corners.end(), v) - corners.begin());
  }

  [[nodiscard]] bool is_open(const Face& a, const Face& b) const {
    for (const VertexId v : a.key)
      if (!on_cut(v)) return false;
    const auto chosen = [&](const Face& face) { return levels_.chosen(made_.parents[to_size(face.tet)]); };
    return sides_[to_size(a.tet)] * sides_[to_size(b.tet)] < 0 && (chosen(a) || chosen(b));
  }

  /// Faces of the cuttable tets that have a vertex on the cut, equal ones next to each other.
  [[nodiscard]] std::vector<Face> faces_at_cut() const {
    std::vector<Face> faces;
    for (Index e = 0; e < std::ssize(made_.tets); ++e) {
      if (cuttable_[to_size(made_.parents[to_size(e)])] == 0) continue;
      const Tet& tet = made_.tets[to_size(e)];
      if (std::none_of(tet.begin(), tet.end(), [&](VertexId v) { return on_cut(v); })) continue;
      for (int f = 0; f < 4; ++f) {
        Face face{{}, e, f};
        for (std::size_t i = 0; i < 3; ++i) face.key[i] = tet[to_size(kTetFaces[to_size(f)][i])];
        std::sort(face.key.begin(), face.key.end());
        faces.push_back(face);
      }
    }
    std::sort(faces.begin(), faces.end(),
              [](const Face& a, const Face& b) { return a.key != b.key ? a.key < b.key : a.tet < b.tet; });
    return faces;
  }

  /// Vertices of elements that are not cut.
  [[nodiscard]] std::vector<char> fixed_vertices() const {
    std::vector<char> fixed(mesh_.vertices.size() + edges_.size(), 0);
    for_each_element(mesh_, [&](Index e, std::span<const VertexId> vertices) {
      if (cuttable_[to_size(e)] != 0) return;
      for (const VertexId v : vertices) fixed[to_size(v)] = 1;
    });
    return fixed;
  }

  void open() {
    const std::vector<Face> faces = faces_at_cut();
    const auto vertices = static_cast<Index>(mesh_.vertices.size() + edges_.size());
    // Nodes: the fixed elements around each vertex, then the corners of the tets near the cut.
    first_node_.assign(made_.tets.size(), -1);
    Index nodes = vertices;
    for (const Face& face : faces) first_node_[to_size(face.tet)] = 0;
    for (Index& first : first_node_)
      if (first == 0) {
        first = nodes;
        nodes += 4;
      }
    parent_.resize(to_size(nodes));
    std::iota(parent_.begin(), parent_.end(), Index{0});
    const std::vector<char> fixed = fixed_vertices();
    std::vector<char> torn(to_size(vertices), 0);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const bool shared = i + 1 < faces.size() && faces[i].key == faces[i + 1].key;
      const Face& face = faces[i];
      if (shared && is_open(face, faces[i + 1])) {
        ++made_.opened;
        for (const VertexId v : face.key) torn[to_size(v)] = 1;
      } else if (shared) {
        for (const VertexId v : face.key) unite(corner(face.tet, v), corner(faces[i + 1].tet, v));
      } else if (std::all_of(face.key.begin(), face.key.end(),
                             [&](VertexId v) { return fixed[to_size(v)] != 0; })) {
        for (const VertexId v : face.key) unite(corner(face.tet, v), v);
      }
      if (shared) ++i;
    }
    copy_vertices(torn);
  }

  /// The elements around a torn vertex that hang together share a copy of it. The fixed ones keep the vertex
  /// itself; where there are none, those of the first tet do.
  void copy_vertices(const std::vector<char>& torn) {
    std::vector<std::array<Index, 2>> stars;  // vertex, node of its component
    for (std::size_t e = 0; e < made_.tets.size(); ++e)
      for (const VertexId v : made_.tets[e])
        if (first_node_[e] >= 0 && torn[to_size(v)] != 0)
          stars.push_back({Index{v}, find(corner(static_cast<Index>(e), v))});
    std::sort(stars.begin(), stars.end());
    stars.erase(std::unique(stars.begin(), stars.end()), stars.end());
    const std::vector<char> fixed = fixed_vertices();
    std::vector<VertexId> copy(stars.size());
    for (std::size_t i = 0; i < stars.size(); ++i) {
      const auto v = static_cast<VertexId>(stars[i][0]);
      const bool first = i == 0 || stars[i - 1][0] != stars[i][0];
      const bool keeps = fixed[to_size(v)] != 0 ? stars[i][1] < std::ssize(fixed) : first;
      copy[i] = keeps ? v : static_cast<VertexId>(mesh_.vertex_count() + std::ssize(made_.fresh));
      if (keeps) continue;
      made_.fresh.push_back(v < mesh_.vertex_count() ? CutVertex{v, v, 0.0}
                                                     : made_.fresh[to_size(v - mesh_.vertex_count())]);
    }
    for (std::size_t e = 0; e < made_.tets.size(); ++e) {
      if (first_node_[e] < 0) continue;
      const Tet before = made_.tets[e];
      for (std::size_t i = 0; i < 4; ++i) {
        if (torn[to_size(before[i])] == 0) continue;
        const std::array<Index, 2> star{Index{before[i]}, find(first_node_[e] + static_cast<Index>(i))};
        made_.tets[e][i] = copy[to_size(std::lower_bound(stars.begin(), stars.end(), star) - stars.begin())];
      }
    }
  }

  const VolumeMesh& mesh_;
  std::span<const char> cuttable_;
  Levels levels_;
  std::vector<Edge> edges_;  // that are split, sorted
  std::vector<int> sides_;   // of each tet: −1, 1; 0: the cut goes through it but not here
  std::vector<Index> parent_, first_node_;
  bool first_part_ = false;
  MeshCut made_;
};

}  // namespace

std::optional<CutSurface> plane_cut(const Vector3& point, const Vector3& normal) {
  const double size = normal.norm();
  if (!(size > 0.0) || !std::isfinite(size) || !point.allFinite()) return std::nullopt;
  return CutSurface{point, normal / size, {}};
}

std::optional<CutSurface> blade_cut(const Vector3& from, const Vector3& to, const Vector3& direction,
                                    double length) {
  const double size = direction.norm();
  if (!(size > 0.0)) return std::nullopt;
  const CutSurface::Sweep sweep{to - from, length / size * direction};
  const Vector3 normal = sweep.first.cross(sweep.second);
  const double area = normal.norm();
  if (!std::isfinite(area) || !(area > 1e-12 * sweep.first.norm() * sweep.second.norm())) return std::nullopt;
  return CutSurface{from, normal / area, sweep};
}

MeshCut cut_mesh(const VolumeMesh& mesh, std::span<const Vector3> places, std::span<const char> cuttable,
                 const CutSurface& cut) {
  return Cutter(mesh, places, cuttable, cut).make();
}

}  // namespace pliant
