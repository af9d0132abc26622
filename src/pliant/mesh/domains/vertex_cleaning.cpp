#include "pliant/mesh/domains/vertex_cleaning.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/domain_claims.hpp"

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

class Cleaner {
 public:
  Cleaner(const VolumeMesh& mesh, const ElementGraph& graph, const std::vector<std::string>& names,
          HeldLists held, Scraps scraps, std::vector<Index>& of)
      : mesh_(mesh),
        graph_(graph),
        names_(names),
        scraps_(scraps),
        corners_(mesh),
        of_(of),
        left_(of.size()),
        bound_(of.size(), 0),
        held_(of.size(), 0) {
    for (const auto& list : held)
      for (const VertexId v : list) held_[to_size(v)] = 1;
  }

  /// A move takes a vertex out of a domain for good, and there are only so many second chances: this ends.
  Diagnostics run() {
    if (Diagnostics problems = check_inside(); !problems.empty()) return problems;
    for (;;) {
      if (Diagnostics problems = settle(); !problems.empty()) return problems;
      const std::vector<VertexId> scraps = find_scraps();
      if (!problems_.empty()) return std::move(problems_);
      if (!scraps.empty()) {
        if (!give_away(scraps) && !(second_chance(scraps) && give_away(scraps)))
          return stuck(scraps, "cannot be joined to the rest of its domain");
      } else if (!move_strays()) {
        return {};
      }
    }
  }

 private:
  /// What a vertex finds in a domain next to it.
  struct Offer {
    Index domain;
    Index elements = 0;  // that would be inner ones with this vertex
    Index vertices = 0;  // of its elements, counted once for each element
  };

  /// Where a user asks for it, every domain has an element of its own.
  [[nodiscard]] Diagnostics check_inside() const {
    if (scraps_ == Scraps::kAll) return {};
    std::vector<char> found(names_.size(), 0);
    for (Index e = 0; e < mesh_.element_count(); ++e)
      if (const Index domain = inner_domain(mesh_, of_, e); domain >= 0) found[to_size(domain)] = 1;
    std::vector<Index> count(names_.size(), 0);
    std::vector<VertexId> first(names_.size(), -1);
    for (auto v = static_cast<VertexId>(mesh_.vertex_count()); v-- > 0;) {
      if (corners_.at(v).empty()) continue;
      ++count[to_size(of_[to_size(v)])];
      first[to_size(of_[to_size(v)])] = static_cast<VertexId>(v);
    }
    Diagnostics problems;
    for (std::size_t d = 0; d < names_.size(); ++d) {
      if (found[d] != 0) continue;
      const std::string where =
          first[d] < 0 ? "" : ", the first at " + point_text(mesh_.vertices[to_size(first[d])]);
      problems.push_back({ErrorCode::kInconsistent,
                          {"", 0, 0, "domain " + names_[d]},
                          "has " + text(count[d]) + " vertices" + where +
                              ", but no element with all of its vertices among them",
                          "make it thicker than an element, or refine the mesh"});
    }
    return problems;
  }

  [[nodiscard]] bool has_inner(VertexId v) const {
    const auto elements = corners_.at(v);
    return std::any_of(elements.begin(), elements.end(),
                       [&](Index e) { return inner_domain(mesh_, of_, e) >= 0; });
  }

  /// The best domain next to a vertex that it has not yet belonged to: of those where it gets an inner
  /// element, or else of all, the one that most vertices of its elements belong to. domain −1: there is none.
  [[nodiscard]] Offer best_offer(VertexId v) const {
    std::vector<Offer> offers;
    const auto offer_of = [&](Index domain) -> Offer& {
      for (Offer& offer : offers)
        if (offer.domain == domain) return offer;
      return offers.emplace_back(Offer{domain});
    };
    for (const Index element : corners_.at(v)) {
      Index only = -1;  // the domain of all other corners, −2 if they have several
      for (const VertexId other : mesh_.element_corners(element)) {
        if (other == v) continue;
        const Index domain = of_[to_size(other)];
        ++offer_of(domain).vertices;
        only = only == -1 || only == domain ? domain : -2;
      }
      if (only >= 0) ++offer_of(only).elements;
    }
    Offer best{-1, 0, 0};
    for (const Offer& offer : offers) {
      if (offer.domain == of_[to_size(v)] || has_left(v, offer.domain)) continue;
      const auto rank = [](const Offer& o) { return std::tuple(o.elements > 0, o.vertices, -o.domain); };
      if (best.domain < 0 || rank(offer) > rank(best)) best = offer;
    }
    return best;
  }

  void move(VertexId v, Index domain) {
    bound_[to_size(v)] = 0;
    left_[to_size(v)].push_back(of_[to_size(v)]);
    of_[to_size(v)] = domain;
  }

  /// Moves the vertices to their best domains. `sure`: only those that get an inner element there.
  bool move_all(const std::vector<VertexId>& vertices, bool sure, bool only_offenders) {
    bool moved = false;
    for (const VertexId v : vertices) {
      if (only_offenders && has_inner(v)) continue;  // a move before this one helped
      const Offer offer = best_offer(v);
      if (offer.domain < 0 || (sure && offer.elements == 0)) continue;
      move(v, offer.domain);
      moved = true;
    }
    return moved;
  }

  /// Unites the corners of an element at a vertex that has no other way: of the elements and domains for
  /// which it is possible, the first with fewest moves.
  bool pull(VertexId vertex) {
    Index best = -1, into = -1;
    std::ptrdiff_t fewest = 0;
    for (const Index element : corners_.at(vertex)) {
      const auto corners = mesh_.element_corners(element);
      for (const VertexId candidate : corners) {
        const Index domain = of_[to_size(candidate)];
        const auto stays = [&](VertexId v) { return of_[to_size(v)] == domain; };
        const auto may = [&](VertexId v) {
          return stays(v) || ((v == vertex || bound_[to_size(v)] == 0) && !has_left(v, domain));
        };
        if (!std::all_of(corners.begin(), corners.end(), may)) continue;
        const auto moves = std::ssize(corners) - std::count_if(corners.begin(), corners.end(), stays);
        if (best >= 0 && moves >= fewest) continue;
        best = element;
        into = domain;
        fewest = moves;
      }
    }
    if (best < 0) return false;
    for (const VertexId v : mesh_.element_corners(best)) {
      if (of_[to_size(v)] != into) move(v, into);
      bound_[to_size(v)] = 1;
    }
    return true;
  }

  /// Forgets which domains these vertices and those next to them have left.
  bool second_chance(std::span<const VertexId> vertices) {
    constexpr int kMost = 200;
    if (chances_++ >= kMost) return false;
    for (const VertexId v : vertices)
      for (const Index element : corners_.at(v))
        for (const VertexId other : mesh_.element_corners(element)) left_[to_size(other)].clear();
    return true;
  }

  [[nodiscard]] bool has_left(VertexId v, Index domain) const {
    const auto& left = left_[to_size(v)];
    return std::find(left.begin(), left.end(), domain) != left.end();
  }

  [[nodiscard]] std::vector<VertexId> all_corners() const {
    std::vector<VertexId> corners;
    for (VertexId v = 0; v < mesh_.vertex_count(); ++v)
      if (!corners_.at(v).empty()) corners.push_back(v);
    return corners;
  }

  /// Gives every corner an inner element. Moving a vertex without one takes none from others.
  Diagnostics settle() {
    std::vector<VertexId> offenders = all_corners();
    for (;;) {
      std::erase_if(offenders, [&](VertexId v) { return has_inner(v); });
      if (offenders.empty()) return {};
      if (move_all(offenders, true, true) || move_all(offenders, false, true)) continue;
      if (!pull(offenders.front())) {
        if (!second_chance(std::span(offenders).first(1)))
          return stuck(offenders, "has no element within a domain");
        if (!move_all(offenders, true, true)) pull(offenders.front());
      }
      offenders = all_corners();  // a pull may take an inner element from others
    }
  }

  /// Corners that are not in the largest part of their domain. Parts are joined by faces between elements.
  std::vector<VertexId> find_scraps() {
    std::vector<Index> inner;
    inner.reserve(to_size(mesh_.element_count()));
    for (Index e = 0; e < mesh_.element_count(); ++e) inner.push_back(inner_domain(mesh_, of_, e));
    const ElementParts parts = connected_parts(graph_, inner);
    std::vector<Index> size(to_size(parts.count), 0);
    for (const Index part : parts.of_element) ++size[to_size(part)];
    std::vector<Index> main(names_.size(), -1);
    for (std::size_t e = 0; e < inner.size(); ++e) {
      if (inner[e] < 0) continue;
      Index& largest = main[to_size(inner[e])];
      const Index part = parts.of_element[e];
      if (largest < 0 || size[to_size(part)] > size[to_size(largest)]) largest = part;
    }
    std::vector<char> joined(of_.size(), 0);
    for (std::size_t e = 0; e < inner.size(); ++e)
      if (inner[e] >= 0 && parts.of_element[e] == main[to_size(inner[e])])
        for (const VertexId v : mesh_.element_corners(static_cast<Index>(e))) joined[to_size(v)] = 1;
    std::vector<VertexId> scraps;
    for (VertexId v = 0; v < mesh_.vertex_count(); ++v)
      if (!corners_.at(v).empty() && joined[to_size(v)] == 0) scraps.push_back(v);
    if (scraps_ == Scraps::kSmall) refuse_large(parts, inner, scraps);
    return scraps;
  }

  /// A user's domain in several large parts is an error.
  void refuse_large(const ElementParts& parts, const std::vector<Index>& inner,
                    const std::vector<VertexId>& scraps) {
    std::vector<Index> size(names_.size(), 0);
    for (VertexId v = 0; v < mesh_.vertex_count(); ++v)
      if (!corners_.at(v).empty()) ++size[to_size(of_[to_size(v)])];
    std::vector<Index> scrap_size(to_size(parts.count), 0);
    std::vector<VertexId> first(to_size(parts.count), -1);
    for (const VertexId v : scraps) {
      const auto elements = corners_.at(v);
      const auto own =
          std::find_if(elements.begin(), elements.end(), [&](Index e) { return inner[to_size(e)] >= 0; });
      const auto part = to_size(parts.of_element[to_size(*own)]);
      if (scrap_size[part]++ == 0) first[part] = v;
    }
    std::vector<Index> refused(names_.size(), 0);
    std::vector<std::size_t> example(names_.size(), 0);
    for (std::size_t part = 0; part < scrap_size.size(); ++part) {
      if (scrap_size[part] == 0) continue;
      const auto domain = to_size(of_[to_size(first[part])]);
      if (scrap_size[part] <= std::max<Index>(3, size[domain] / 20)) continue;
      if (refused[domain]++ == 0) example[domain] = part;
    }
    for (std::size_t d = 0; d < refused.size(); ++d) {
      if (refused[d] == 0) continue;
      problems_.push_back({ErrorCode::kInconsistent,
                           {"", 0, 0, "domain " + names_[d]},
                           "is in " + text(refused[d] + 1) + " parts that share no face; one has " +
                               text(scrap_size[example[d]]) + " vertices of its own, the first at " +
                               point_text(mesh_.vertices[to_size(first[example[d]])]),
                           "give each part a domain of its own"});
    }
  }

  /// Moves scraps to other domains, those first that get an inner element there.
  bool give_away(const std::vector<VertexId>& scraps) {
    return move_all(scraps, true, false) || move_all(scraps, false, false);
  }

  /// Held vertices that leave their domain free to turn move to domains that cannot turn, if these take them
  /// at once.
  bool move_strays() {
    std::vector<std::vector<VertexId>> of_domain(names_.size());
    for (VertexId v = 0; v < mesh_.vertex_count(); ++v)
      if (held_[to_size(v)] != 0 && !corners_.at(v).empty()) of_domain[to_size(of_[to_size(v)])].push_back(v);
    std::vector<char> firm(names_.size(), 0);
    for (std::size_t d = 0; d < firm.size(); ++d) firm[d] = span_a_plane(mesh_, of_domain[d]) ? 1 : 0;
    std::vector<Index> inside(names_.size(), 0);
    for (Index e = 0; e < mesh_.element_count(); ++e)
      if (const Index domain = inner_domain(mesh_, of_, e); domain >= 0) ++inside[to_size(domain)];
    bool moved = false;
    for (std::size_t d = 0; d < firm.size(); ++d) {
      if (firm[d] != 0) continue;
      for (const VertexId v : of_domain[d]) {
        const Offer offer = best_offer(v);
        if (offer.domain < 0 || offer.elements == 0 || firm[to_size(offer.domain)] == 0) continue;
        const auto elements = corners_.at(v);
        const auto lost = std::count_if(elements.begin(), elements.end(),
                                        [&](Index e) { return inner_domain(mesh_, of_, e) >= 0; });
        if (2 * lost >= inside[d]) continue;  // hardly more than these vertices: it would disappear
        inside[d] -= lost;
        move(v, offer.domain);
        moved = true;
      }
    }
    return moved;
  }

  [[nodiscard]] Diagnostics stuck(const std::vector<VertexId>& vertices, const std::string& what) const {
    const VertexId first = vertices.front();
    return {{ErrorCode::kInconsistent,
             {"", 0, 0, "vertex " + text(Index{first})},
             "at " + point_text(mesh_.vertices[to_size(first)]) + " " + what +
                 ", and no domain next to it can take it" +
                 (vertices.size() > 1 ? "; so it is with " + text(std::ssize(vertices)) + " vertices" : ""),
             "make the domains thicker than an element there, or refine the mesh"}};
  }

  const VolumeMesh& mesh_;
  const ElementGraph& graph_;
  const std::vector<std::string>& names_;
  Scraps scraps_;
  CornerElements corners_;
  std::vector<Index>& of_;
  std::vector<std::vector<Index>> left_;  // domains that a vertex has left
  std::vector<char> bound_;               // not to be pulled away again
  std::vector<char> held_;
  int chances_ = 0;
  Diagnostics problems_;
};

}  // namespace

CornerElements::CornerElements(const VolumeMesh& mesh) : starts(mesh.vertices.size() + 1, 0) {
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const VertexId v : mesh.element_corners(e)) ++starts[to_size(v) + 1];
  for (std::size_t v = 1; v < starts.size(); ++v) starts[v] += starts[v - 1];
  list.resize(to_size(starts.back()));
  std::vector<Index> next(starts.begin(), starts.end() - 1);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const VertexId v : mesh.element_corners(e)) list[to_size(next[to_size(v)]++)] = e;
}

bool span_a_plane(const VolumeMesh& mesh, std::span<const VertexId> vertices) {
  if (vertices.size() < 3) return false;
  const auto x = [&](VertexId v) { return mesh.vertices[to_size(v)]; };
  const Vector3 first = x(vertices.front());
  Vector3 along = Vector3::Zero();
  for (const VertexId v : vertices)
    if ((x(v) - first).squaredNorm() > along.squaredNorm()) along = x(v) - first;
  double area = 0.0;
  for (const VertexId v : vertices) area = std::max(area, along.cross(x(v) - first).norm());
  return area > 1e-6 * along.squaredNorm();
}

Index inner_domain(const VolumeMesh& mesh, std::span<const Index> of_vertex, Index element) {
  const auto corners = mesh.element_corners(element);
  const Index domain = of_vertex[to_size(corners.front())];
  for (const VertexId v : corners.subspan(1))
    if (of_vertex[to_size(v)] != domain) return -1;
  return domain;
}

Diagnostics clean_vertices(const VolumeMesh& mesh, const ElementGraph& graph,
                           const std::vector<std::string>& names, HeldLists held, Scraps scraps,
                           std::vector<Index>& of_vertex) {
  return Cleaner(mesh, graph, names, held, scraps, of_vertex).run();
}

}  // namespace pliant
