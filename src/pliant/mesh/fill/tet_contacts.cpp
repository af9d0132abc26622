#include "pliant/mesh/fill/tet_contacts.hpp"

#include "pliant/base/index.hpp"

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

bool contains(const Tet& tet, VertexId v) { return std::find(tet.begin(), tet.end(), v) != tet.end(); }

/// Repairs a tet mesh in place. Removing tets may create new contacts, so the steps repeat until there are
/// none.
class Repairer {
 public:
  explicit Repairer(VolumeMesh& mesh) : mesh_(mesh) {}

  ContactRepair run(Index crumb) {
    link();
    drop_crumbs(crumb);
    while (drop_edge_fans() || open_pinched_voids()) drop_crumbs(crumb);
    double_vertices();
    remove_unused_vertices();
    return report_;
  }

 private:
  using Links = std::array<Index, 4>;  // tet across each local face, -1 at the boundary

  /// Finds the neighbours across faces, and the tets around each vertex.
  void link() {
    struct SharedFace {
      Triangle sorted;
      Index tet;
      int local;
    };
    std::vector<SharedFace> faces;
    faces.reserve(4 * mesh_.tets.size());
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t)
      for (int f = 0; f < 4; ++f) {
        Triangle v{};
        for (std::size_t i = 0; i < 3; ++i) v[i] = mesh_.tets[t][kTetFaces[f][i]];
        std::sort(v.begin(), v.end());
        faces.push_back({v, static_cast<Index>(t), f});
      }
    std::sort(faces.begin(), faces.end(), [](const SharedFace& a, const SharedFace& b) {
      return std::tie(a.sorted, a.tet) < std::tie(b.sorted, b.tet);
    });
    links_.assign(mesh_.tets.size(), Links{-1, -1, -1, -1});
    for (std::size_t i = 0; i + 1 < faces.size(); ++i)
      if (faces[i].sorted == faces[i + 1].sorted) {
        links_[faces[i].tet][faces[i].local] = faces[i + 1].tet;
        links_[faces[i + 1].tet][faces[i + 1].local] = faces[i].tet;
      }
    star_begin_.assign(mesh_.vertices.size() + 1, 0);
    for (const Tet& tet : mesh_.tets)
      for (const VertexId v : tet) ++star_begin_[v + 1];
    for (std::size_t v = 1; v < star_begin_.size(); ++v) star_begin_[v] += star_begin_[v - 1];
    star_.resize(4 * mesh_.tets.size());
    std::vector<Index> next(star_begin_.begin(), star_begin_.end() - 1);
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t)
      for (const VertexId v : mesh_.tets[t]) star_[next[v]++] = static_cast<Index>(t);
  }

  /// Groups `tets` (ascending, all around one vertex or edge) by common faces; returns the group of each. A
  /// face between two of them contains that vertex or edge.
  std::vector<Index> groups(const std::vector<Index>& tets, Index& count) const {
    std::vector<Index> group(tets.size(), -1);
    const auto place = [&](Index t) {
      const auto found = std::lower_bound(tets.begin(), tets.end(), t);
      return found != tets.end() && *found == t ? found - tets.begin() : Index{-1};
    };
    count = 0;
    std::vector<Index> todo;
    for (std::size_t seed = 0; seed < tets.size(); ++seed) {
      if (group[seed] >= 0) continue;
      group[seed] = count;
      todo.assign(1, static_cast<Index>(seed));
      while (!todo.empty()) {
        const Index here = todo.back();
        todo.pop_back();
        for (int f = 0; f < 4; ++f) {
          const Index other = links_[tets[here]][f];
          if (other < 0) continue;
          const Index there = place(other);
          if (there < 0 || group[there] >= 0) continue;
          group[there] = count;
          todo.push_back(there);
        }
      }
      ++count;
    }
    return group;
  }

  void remove(const std::vector<bool>& removed) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t) {
      if (removed[t]) continue;
      mesh_.tets[kept] = mesh_.tets[t];
      mesh_.tet_labels[kept++] = mesh_.tet_labels[t];
    }
    mesh_.tets.resize(kept);
    mesh_.tet_labels.resize(kept);
    link();
  }

  /// Removes face-connected components of fewer than `crumb` tets, except the largest component.
  void drop_crumbs(Index crumb) {
    std::vector<Index> component(mesh_.tets.size(), -1);
    std::vector<Index> sizes;
    std::vector<Index> todo;
    for (std::size_t seed = 0; seed < component.size(); ++seed) {
      if (component[seed] >= 0) continue;
      const auto number = std::ssize(sizes);
      sizes.push_back(0);
      component[seed] = number;
      todo.assign(1, static_cast<Index>(seed));
      while (!todo.empty()) {
        const Index t = todo.back();
        todo.pop_back();
        ++sizes[number];
        for (const Index other : links_[t]) {
          if (other < 0 || component[other] >= 0) continue;
          component[other] = number;
          todo.push_back(other);
        }
      }
    }
    report_.components = std::ssize(sizes);
    const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    std::vector<bool> removed(mesh_.tets.size(), false);
    Index dropped = 0;
    for (Index c = 0; c < std::ssize(sizes); ++c)
      if (sizes[c] < crumb && c != largest) ++dropped;
    if (dropped == 0) return;
    for (std::size_t t = 0; t < removed.size(); ++t)
      removed[t] = sizes[component[t]] < crumb && component[t] != largest;
    report_.dropped_components += dropped;
    report_.components -= dropped;
    remove(removed);
  }

  using Edge = std::pair<VertexId, VertexId>;

  /// Edges at which more than two boundary faces meet.
  std::vector<Edge> bad_edges() const {
    std::vector<Edge> edges;
    for (std::size_t t = 0; t < mesh_.tets.size(); ++t)
      for (int f = 0; f < 4; ++f) {
        if (links_[t][f] >= 0) continue;
        for (std::size_t i = 0; i < 3; ++i)
          edges.push_back(
              std::minmax(mesh_.tets[t][kTetFaces[f][i]], mesh_.tets[t][kTetFaces[f][(i + 1) % 3]]));
      }
    std::sort(edges.begin(), edges.end());
    std::vector<Edge> bad;
    for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
      while (j < edges.size() && edges[j] == edges[i]) ++j;
      if (j - i > 2) bad.push_back(edges[i]);
    }
    return bad;
  }

  /// Removes all fans of tets but the largest around each bad edge; false if there is none.
  bool drop_edge_fans() {
    const std::vector<Edge> bad = bad_edges();
    if (bad.empty()) return false;
    std::vector<bool> removed(mesh_.tets.size(), false);
    for (const auto& [v, w] : bad) {
      std::vector<Index> around;
      for (Index i = star_begin_[v]; i < star_begin_[v + 1]; ++i)
        if (contains(mesh_.tets[star_[i]], w)) around.push_back(star_[i]);
      Index count = 0;
      const std::vector<Index> fan = groups(around, count);
      std::vector<Index> sizes(to_size(count), 0);
      for (std::size_t i = 0; i < around.size(); ++i)
        if (!removed[around[i]]) ++sizes[fan[i]];
      const Index keep = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
      for (std::size_t i = 0; i < around.size(); ++i)
        if (fan[i] != keep) removed[around[i]] = true;
    }
    report_.dropped_tets += std::count(removed.begin(), removed.end(), true);
    remove(removed);
    return true;
  }

  [[nodiscard]] std::vector<Index> star(VertexId v) const {
    return {star_.begin() + star_begin_[v], star_.begin() + star_begin_[v + 1]};
  }

  /// For each of `tets`, all around v, the number of the boundary fan to which it belongs, or −1. A boundary
  /// fan is a set of boundary faces around v that are connected by edges. A tet with faces of two fans counts
  /// for one of them. Returns the number of fans.
  int boundary_fans(VertexId v, const std::vector<Index>& tets, std::vector<int>& fan) const {
    std::vector<std::pair<VertexId, int>>
        rim;  // vertices on the boundary around v, and the root of their fan
    const auto find = [&](VertexId x) {
      for (std::size_t i = 0; i < rim.size(); ++i)
        if (rim[i].first == x) return static_cast<int>(i);
      rim.emplace_back(x, static_cast<int>(rim.size()));
      return static_cast<int>(rim.size()) - 1;
    };
    const auto root = [&](int i) {
      while (rim[i].second != i) i = rim[i].second;
      return i;
    };
    fan.assign(tets.size(), -1);
    for (std::size_t i = 0; i < tets.size(); ++i)
      for (int f = 0; f < 4; ++f) {
        // Face f is opposite to corner f.
        if (links_[tets[i]][f] >= 0 || mesh_.tets[tets[i]][f] == v) continue;
        int first = -1;
        for (const int corner : kTetFaces[f]) {
          const VertexId x = mesh_.tets[tets[i]][corner];
          if (x == v) continue;
          const int here = root(find(x));
          if (first >= 0) rim[here].second = root(first);
          first = here;
        }
        fan[i] = first;
      }
    int count = 0;
    for (int& f : fan)
      if (f >= 0) f = root(f);
    for (std::size_t i = 0; i < rim.size(); ++i) count += rim[i].second == static_cast<int>(i) ? 1 : 0;
    return count;
  }

  /// Where two voids touch in a vertex, removes the shortest chain of tets between them; false if there are
  /// none.
  bool open_pinched_voids() {
    std::vector<bool> removed(mesh_.tets.size(), false);
    bool any = false;
    std::vector<int> fan;
    for (VertexId v = 0; v < static_cast<VertexId>(mesh_.vertices.size()); ++v) {
      const std::vector<Index> all = star(v);
      Index count = 0;
      const std::vector<Index> group = groups(all, count);
      for (Index g = 0; g < count; ++g) {
        std::vector<Index> part;
        for (std::size_t i = 0; i < all.size(); ++i)
          if (group[i] == g) part.push_back(all[i]);
        if (boundary_fans(v, part, fan) < 2) continue;
        any = true;
        for (const Index t : chain_between_fans(part, fan)) removed[t] = true;
      }
    }
    if (!any) return false;
    report_.dropped_tets += std::count(removed.begin(), removed.end(), true);
    remove(removed);
    return true;
  }

  /// Breadth-first search from the tets of the first fan to one of another fan.
  [[nodiscard]] std::vector<Index> chain_between_fans(const std::vector<Index>& tets,
                                                      const std::vector<int>& fan) const {
    const int start = *std::find_if(fan.begin(), fan.end(), [](int f) { return f >= 0; });
    std::vector<Index> from(tets.size(), -1);
    std::vector<Index> queue;
    for (std::size_t i = 0; i < tets.size(); ++i)
      if (fan[i] == start) {
        from[i] = static_cast<Index>(i);
        queue.push_back(static_cast<Index>(i));
      }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      Index here = queue[next];
      if (fan[here] >= 0 && fan[here] != start) {
        std::vector<Index> chain{tets[here]};
        for (; from[here] != here; here = from[here]) chain.push_back(tets[from[here]]);
        return chain;
      }
      for (const Index other : links_[tets[here]]) {
        const auto found = std::lower_bound(tets.begin(), tets.end(), other);
        if (other < 0 || found == tets.end() || *found != other || from[found - tets.begin()] >= 0) continue;
        from[found - tets.begin()] = here;
        queue.push_back(found - tets.begin());
      }
    }
    return {tets[queue.front()]};  // a single tet has faces of both fans: it alone lies between them
  }

  /// Gives each face-connected part around a vertex a copy of its own.
  void double_vertices() {
    const auto vertex_count = static_cast<VertexId>(mesh_.vertices.size());
    for (VertexId v = 0; v < vertex_count; ++v) {
      const std::vector<Index> around = star(v);
      Index count = 0;
      const auto group = groups(around, count);
      if (count < 2) continue;
      std::vector<VertexId> copy{v};
      for (Index g = 1; g < count; ++g) {
        copy.push_back(static_cast<VertexId>(mesh_.vertices.size()));
        const Vector3 position = mesh_.vertices[v];
        mesh_.vertices.push_back(position);
        ++report_.doubled_vertices;
      }
      for (std::size_t i = 0; i < around.size(); ++i)
        for (VertexId& corner : mesh_.tets[around[i]])
          if (corner == v) corner = copy[group[i]];
    }
  }

  void remove_unused_vertices() {
    std::vector<VertexId> number(mesh_.vertices.size(), -1);
    for (const Tet& tet : mesh_.tets)
      for (const VertexId v : tet) number[v] = 0;
    VertexId used = 0;
    for (std::size_t v = 0; v < number.size(); ++v)
      if (number[v] == 0) {
        mesh_.vertices[used] = mesh_.vertices[v];
        number[v] = used++;
      }
    mesh_.vertices.resize(used);
    for (Tet& tet : mesh_.tets)
      for (VertexId& v : tet) v = number[v];
  }

  VolumeMesh& mesh_;
  ContactRepair report_;
  std::vector<Links> links_;
  std::vector<Index> star_begin_;  // tets around each vertex, ascending
  std::vector<Index> star_;
};

}  // namespace

ContactRepair repair_contacts(VolumeMesh& mesh, Index crumb) {
  if (mesh.tets.empty()) return {};
  return Repairer(mesh).run(crumb);
}

}  // namespace pliant
