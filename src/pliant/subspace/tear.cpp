#include "pliant/subspace/tear.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace pliant {
namespace {

/// The vertices of an element, to be renumbered.
std::span<VertexId> vertices_of(VolumeMesh& mesh, Index element) {
  if (element < mesh.first_hex()) return mesh.tets[to_size(element)];
  if (element < mesh.first_tet10()) return mesh.hexes[to_size(element - mesh.first_hex())];
  return mesh.tet10s[to_size(element - mesh.first_tet10())];
}

/// The elements of some domains as a mesh over all vertices, and their numbers in the body.
struct Extract {
  VolumeMesh mesh;
  std::vector<Index> elements;
};
Extract extract(const TreeBody& body, const std::set<Index>& domains) {
  Extract made;
  made.mesh.vertices = body.mesh.vertices;
  Index first = 0;  // number of the first element of a kind
  const auto take = [&](const auto& all, auto& taken) {
    for (const Index d : domains)
      for (const Index e : body.domains[to_size(d)].elements) {
        if (e < first || e >= first + std::ssize(all)) continue;
        made.elements.push_back(e);
        taken.push_back(all[to_size(e - first)]);
      }
    first += std::ssize(all);
  };
  // Kind by kind, which is the order of elements in a mesh.
  take(body.mesh.tets, made.mesh.tets);
  take(body.mesh.hexes, made.mesh.hexes);
  take(body.mesh.tet10s, made.mesh.tet10s);
  return made;
}

constexpr int kHalvings = 12;  // finds a crossing to 1/4096 of the edge's length

/// Tears one surface; run() does the steps in order.
class SurfaceTear {
 public:
  SurfaceTear(const CarriedSurface& surface, const TreeBody& whole, const TreeBody& torn,
              const std::vector<char>& cut)
      : whole_(whole), torn_(torn), old_(surface), pieces_(pieces_of(whole, cut)) {
    domain_of_element_.assign(to_size(whole.mesh.element_count()), 0);
    for (std::size_t d = 0; d < whole.domains.size(); ++d)
      for (const Index e : whole.domains[d].elements) domain_of_element_[to_size(e)] = static_cast<Index>(d);
  }

  Result<CarriedSurface> run() {
    made_.rest.vertices = old_.rest.vertices;
    renumber();
    if (Status found = find_crossings(); !found) return found.errors();
    for (const Triangle& triangle : old_.rest.triangles) take_apart(triangle);
    close();
    if (Status embedded = embed_strays(); !embedded) return embedded.errors();
    made_.embedding.vertices = transposed(made_.embedding.points, torn_.mesh.vertex_count());
    return std::move(made_);
  }

 private:
  [[nodiscard]] Index domain_of(VertexId point) const {
    return domain_of_element_[to_size(old_.embedding.elements[to_size(point)])];
  }
  [[nodiscard]] Index piece_of(VertexId point) const { return pieces_[to_size(domain_of(point))]; }

  /// Moves the embedding from the whole to the torn mesh: the vertices of each element correspond one by one.
  void renumber() {
    made_.embedding = old_.embedding;
    WeightRows& rows = made_.embedding.points;
    for (Index i = 0; i < rows.row_count(); ++i) {
      const Index element = made_.embedding.elements[to_size(i)];
      const std::span<const VertexId> before = whole_.mesh.element_vertices(element);
      const std::span<const VertexId> after = torn_.mesh.element_vertices(element);
      for (Index e = rows.starts[to_size(i)]; e < rows.starts[to_size(i) + 1]; ++e) {
        const auto k = std::find(before.begin(), before.end(), rows.columns[to_size(e)]) - before.begin();
        rows.columns[to_size(e)] = after[to_size(k)];
      }
    }
  }

  /// A new point of the surface, which will be embedded in an element of `domain`.
  VertexId add_stray(const Vector3& place, Index domain) {
    strays_[domain].push_back(static_cast<VertexId>(made_.rest.vertices.size()));
    made_.rest.vertices.push_back(place);
    return strays_[domain].back();
  }

  /// Where an edge between points of two pieces (the lower vertex number first) passes from one piece to the
  /// other.
  struct Crossing {
    double from = 0.0, to = 1.0;   // bounds of the crossing, as fractions of the edge
    VertexId low = -1, high = -1;  // the new point, once for each of the two pieces
  };
  using Edge = std::pair<VertexId, VertexId>;

  [[nodiscard]] Vector3 along(const Edge& edge, double t) const {
    return (1.0 - t) * old_.rest.vertices[to_size(edge.first)] + t * old_.rest.vertices[to_size(edge.second)];
  }

  /// Finds the crossing of each edge by bisection; a point belongs to the piece of the element nearest to it.
  /// All edges are halved together, since embedding many points at once is cheaper.
  Status find_crossings() {
    std::set<Index> domains;
    for (const Triangle& triangle : old_.rest.triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const Edge edge = std::minmax(triangle[k], triangle[(k + 1) % 3]);
        if (piece_of(edge.first) == piece_of(edge.second)) continue;
        crossings_[edge];
        domains.insert({domain_of(edge.first), domain_of(edge.second)});
      }
    if (crossings_.empty()) return Done{};
    const Extract near = extract(whole_, domains);
    std::vector<Vector3> middles(crossings_.size());
    for (int halving = 0; halving < kHalvings; ++halving) {
      std::size_t i = 0;
      for (const auto& [edge, crossing] : crossings_)
        middles[i++] = along(edge, 0.5 * (crossing.from + crossing.to));
      const Result<Embedding> found = embed(near.mesh, middles);
      if (!found) return found.errors();
      i = 0;
      for (auto& [edge, crossing] : crossings_) {
        const Index element = near.elements[to_size(found.value().elements[i++])];
        const bool still = pieces_[to_size(domain_of_element_[to_size(element)])] == piece_of(edge.first);
        (still ? crossing.from : crossing.to) = 0.5 * (crossing.from + crossing.to);
      }
    }
    for (auto& [edge, crossing] : crossings_) {
      const Vector3 place = along(edge, 0.5 * (crossing.from + crossing.to));
      crossing.low = add_stray(place, domain_of(edge.first));
      crossing.high = add_stray(place, domain_of(edge.second));
    }
    return Done{};
  }

  /// The new point on the edge from a to b, in the copy of a's piece.
  [[nodiscard]] VertexId cut_point(VertexId a, VertexId b) const {
    const Crossing& crossing = crossings_.at(std::minmax(a, b));
    return a < b ? crossing.low : crossing.high;
  }

  /// An edge along the tear, in the direction of the triangle it belongs to.
  struct Side {
    VertexId from, to;  // in the torn surface
    Index domain;
  };

  /// A triangle with corners in two pieces becomes three triangles. One with corners in three pieces is
  /// dropped.
  void take_apart(const Triangle& triangle) {
    const std::array<Index, 3> pieces{piece_of(triangle[0]), piece_of(triangle[1]), piece_of(triangle[2])};
    std::vector<Triangle>& triangles = made_.rest.triangles;
    if (pieces[0] == pieces[1] && pieces[1] == pieces[2]) return triangles.push_back(triangle);
    for (std::size_t k = 0; k < 3; ++k) {
      if (pieces[(k + 1) % 3] != pieces[(k + 2) % 3]) continue;
      const VertexId apex = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
      // The piece of the apex gets one triangle, the other piece a quadrilateral, split into two.
      triangles.push_back({apex, cut_point(apex, b), cut_point(apex, c)});
      triangles.push_back({b, c, cut_point(c, apex)});
      triangles.push_back({b, cut_point(c, apex), cut_point(b, apex)});
      rims_.push_back({cut_point(apex, b), cut_point(apex, c), domain_of(apex)});
      rims_.push_back({cut_point(c, apex), cut_point(b, apex), domain_of(b)});
    }
  }

  /// Closes each rim by a fan of triangles from the middle of the rim.
  void close() {
    std::vector<VertexId> rim(made_.rest.vertices.size());  // union–find: a point that stands for its rim
    std::iota(rim.begin(), rim.end(), VertexId{0});
    const auto root = [&](VertexId v) {
      while (rim[to_size(v)] != v) v = rim[to_size(v)] = rim[to_size(rim[to_size(v)])];
      return v;
    };
    // Sides that share a point belong to the same rim.
    for (const Side& side : rims_) rim[to_size(root(side.from))] = root(side.to);
    struct Middle {
      Vector3 sum = Vector3::Zero();
      double count = 0.0;
      VertexId point = -1;
    };
    std::map<VertexId, Middle> middles;
    for (const Side& side : rims_) {
      Middle& middle = middles[root(side.from)];
      middle.sum += made_.rest.vertices[to_size(side.from)] + made_.rest.vertices[to_size(side.to)];
      middle.count += 2.0;
    }
    for (const Side& side : rims_) {
      Middle& middle = middles[root(side.from)];
      if (middle.point < 0) middle.point = add_stray(middle.sum / middle.count, side.domain);
      made_.rest.triangles.push_back({side.to, side.from, middle.point});
    }
  }

  /// New points are carried by the nearest element of their domain.
  Status embed_strays() {
    const std::size_t fresh = made_.rest.vertices.size() - old_.rest.vertices.size();
    if (fresh == 0) return Done{};
    struct Row {
      Index element = 0;
      double distance = 0.0;
      std::vector<std::pair<VertexId, double>> weights;
    };
    std::vector<Row> added(fresh);
    for (const auto& [domain, points] : strays_) {
      std::vector<Vector3> places;
      places.reserve(points.size());
      for (const VertexId point : points) places.push_back(made_.rest.vertices[to_size(point)]);
      const Extract own = extract(torn_, {domain});
      const Result<Embedding> found = embed(own.mesh, places);
      if (!found) return found.errors();
      const WeightRows& rows = found.value().points;
      for (std::size_t i = 0; i < points.size(); ++i) {
        Row& row = added[to_size(points[i]) - old_.rest.vertices.size()];
        row.element = own.elements[to_size(found.value().elements[i])];
        row.distance = found.value().distances[i];
        for (Index e = rows.starts[i]; e < rows.starts[i + 1]; ++e)
          row.weights.emplace_back(rows.columns[to_size(e)], rows.weights[to_size(e)]);
      }
    }
    Embedding& all = made_.embedding;
    for (const Row& row : added) {
      all.elements.push_back(row.element);
      all.distances.push_back(row.distance);
      for (const auto& [vertex, weight] : row.weights) {
        all.points.columns.push_back(vertex);
        all.points.weights.push_back(weight);
      }
      all.points.starts.push_back(std::ssize(all.points.columns));
    }
    return Done{};
  }

  const TreeBody& whole_;
  const TreeBody& torn_;
  const CarriedSurface& old_;
  CarriedSurface made_;
  std::vector<Index> pieces_;  // root of the piece of each domain
  std::vector<Index> domain_of_element_;
  std::map<Edge, Crossing> crossings_;
  std::vector<Side> rims_;                         // edges along the tear, to be closed
  std::map<Index, std::vector<VertexId>> strays_;  // new points by domain
};

}  // namespace

std::vector<Index> pieces_of(const TreeBody& body, const std::vector<char>& cut) {
  std::vector<Index> pieces(body.domains.size());
  for (std::size_t d = 0; d < pieces.size(); ++d) {
    const Index parent = body.domains[d].parent;
    const bool hangs = parent >= 0 && (cut.empty() || cut[d] == 0);
    pieces[d] = hangs ? pieces[to_size(parent)] : static_cast<Index>(d);
  }
  return pieces;
}

/// The piece with the lowest domain keeps a shared vertex; every other piece gets a copy of it.
std::shared_ptr<const TreeBody> tear(std::shared_ptr<const TreeBody> whole, const std::vector<char>& cut) {
  const std::vector<Index> pieces = pieces_of(*whole, cut);
  std::vector<Index> owner(whole->mesh.vertices.size(), -1);  // the piece that keeps the original vertex
  std::map<std::pair<VertexId, Index>, VertexId> copies;
  for (std::size_t d = 0; d < pieces.size(); ++d)
    for (const VertexId v : whole->domains[d].vertices) {
      if (owner[to_size(v)] < 0) owner[to_size(v)] = pieces[d];
      if (owner[to_size(v)] != pieces[d])
        copies.try_emplace({v, pieces[d]}, static_cast<VertexId>(owner.size() + copies.size()));
    }
  if (copies.empty()) return whole;
  auto torn = std::make_shared<TreeBody>(*whole);
  torn->mesh.vertices.resize(owner.size() + copies.size());
  for (const auto& [key, copy] : copies)
    torn->mesh.vertices[to_size(copy)] = whole->mesh.vertices[to_size(key.first)];
  for (std::size_t d = 0; d < pieces.size(); ++d) {
    const auto renumber = [&](VertexId& v) {
      if (owner[to_size(v)] != pieces[d]) v = copies.at({v, pieces[d]});
    };
    TreeDomain& domain = torn->domains[d];
    for (VertexId& v : domain.vertices) renumber(v);
    for (const Index e : domain.elements)
      for (VertexId& v : vertices_of(torn->mesh, e)) renumber(v);
  }
  return torn;
}

Result<CarriedSurface> tear(const CarriedSurface& surface, const TreeBody& whole, const TreeBody& torn,
                            const std::vector<char>& cut) {
  return SurfaceTear(surface, whole, torn, cut).run();
}

}  // namespace pliant
