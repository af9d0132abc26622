#include "pliant/subspace/domain_surfaces.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/subspace/domain_blend.hpp"

#include <algorithm>
#include <unordered_map>

namespace pliant {
namespace {

/// The points of the surface, sorted by domain.
struct Shares {
  std::vector<Index> starts;     // first place of each domain in `order`, and the end
  std::vector<Index> order;      // points of the surface
  std::vector<Index> domain_of;  // of each point of the surface
};

/// A counting sort of the points by the domain of the element in which each is embedded.
Shares share_out(const TreeBody& body, const Embedding& embedding) {
  std::vector<Index> domain_of(to_size(body.mesh.element_count()), 0);
  for (std::size_t d = 0; d < body.domains.size(); ++d)
    for (const Index e : body.domains[d].elements) domain_of[to_size(e)] = static_cast<Index>(d);
  Shares shares;
  shares.starts.assign(body.domains.size() + 1, 0);
  const Index count = embedding.point_count();
  shares.domain_of.resize(to_size(count));
  for (Index i = 0; i < count; ++i) {
    shares.domain_of[to_size(i)] = domain_of[to_size(embedding.elements[to_size(i)])];
    ++shares.starts[to_size(shares.domain_of[to_size(i)]) + 1];
  }
  for (std::size_t d = 0; d < body.domains.size(); ++d) shares.starts[d + 1] += shares.starts[d];
  shares.order.resize(to_size(count));
  std::vector<Index> next(shares.starts.begin(), shares.starts.end() - 1);
  for (Index i = 0; i < count; ++i) shares.order[to_size(next[to_size(shares.domain_of[to_size(i)])]++)] = i;
  return shares;
}

/// The points of a domain, with vertices numbered as in its class.
std::vector<PointSource> sources_of(const TreeDomain& domain, std::span<const Index> points,
                                    const Embedding& embedding) {
  std::unordered_map<VertexId, VertexId> local;
  for (std::size_t i = 0; i < domain.vertices.size(); ++i)
    local.emplace(domain.vertices[i], static_cast<VertexId>(i));
  std::vector<PointSource> sources;
  sources.reserve(points.size());
  const WeightRows& rows = embedding.points;
  for (const Index point : points) {
    PointSource source;
    for (Index e = rows.starts[to_size(point)]; e < rows.starts[to_size(point) + 1]; ++e) {
      PLIANT_ASSERT(source.count < std::ssize(source.vertices));
      source.vertices[to_size(source.count)] = local.at(rows.columns[to_size(e)]);
      source.weights[to_size(source.count++)] = rows.weights[to_size(e)];
    }
    sources.push_back(source);
  }
  return sources;
}

PartTable make_class(const DomainClass& kind, const std::vector<PointSource>& sources) {
  PartTable made;
  made.points = std::ssize(sources);
  made.size = kind.reduced->size();
  made.rest.resize(3 * sources.size());
  made.shapes.resize(3 * sources.size() * to_size(made.size));
  MatrixX U(3, made.size);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Vector3 X = -kind.reduced->origin;
    U.setZero();
    for (Index k = 0; k < sources[i].count; ++k) {
      const VertexId v = sources[i].vertices[to_size(k)];
      X += sources[i].weights[to_size(k)] * kind.rest->mesh().vertices[to_size(v)];
      U += sources[i].weights[to_size(k)] *
           kind.reduced->basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    }
    for (Index k = 0; k < 3; ++k) {
      made.rest[3 * i + to_size(k)] = static_cast<float>(X[k]);
      for (Index l = 0; l < made.size; ++l)
        made.shapes[(3 * i + to_size(k)) * to_size(made.size) + to_size(l)] = static_cast<float>(U(k, l));
    }
  }
  return made;
}

/// Renumbers the surface and finds out whether its triangles keep to domains.
void take_surface(const SurfaceMesh& surface, const Shares& shares, PartTables& made) {
  std::vector<VertexId> number(shares.order.size());
  made.surface.vertices.reserve(shares.order.size());
  for (std::size_t i = 0; i < shares.order.size(); ++i) {
    number[to_size(shares.order[i])] = static_cast<VertexId>(i);
    made.surface.vertices.push_back(surface.vertices[to_size(shares.order[i])]);
  }
  made.surface.triangles.reserve(surface.triangles.size());
  for (const Triangle& t : surface.triangles) {
    Triangle renumbered{};
    for (std::size_t k = 0; k < 3; ++k) renumbered[k] = number[to_size(t[k])];
    made.surface.triangles.push_back(renumbered);
    const auto domain = [&](std::size_t k) { return shares.domain_of[to_size(t[k])]; };
    made.across = made.across || domain(0) != domain(1) || domain(0) != domain(2);
  }
}

/// Triangles of the first domain of each class, from its first point on.
void take_class_triangles(const std::vector<Index>& first_domain, PartTables& made) {
  std::vector<char> drawn(made.starts.size() - 1, 0);
  for (const Index d : first_domain) drawn[to_size(d)] = 1;
  for (const Triangle& t : made.surface.triangles) {
    const auto after = std::upper_bound(made.starts.begin(), made.starts.end(), Index{t[0]});
    const Index d = static_cast<Index>(after - made.starts.begin()) - 1;
    if (drawn[to_size(d)] == 0) continue;
    const auto first = static_cast<VertexId>(made.starts[to_size(d)]);
    made.tables[to_size(made.tables_of[to_size(d)])].triangles.push_back(
        {t[0] - first, t[1] - first, t[2] - first});
  }
}

}  // namespace

PartTables make_domain_surfaces(const TreeBody& body, const SurfaceMesh& surface, const Embedding& embedding,
                                SurfaceBlend blend, const std::vector<char>& cut, Progress& progress) {
  PLIANT_ASSERT(embedding.point_count() == surface.vertex_count());
  progress.begin("surfaces of domains", 0);
  Shares shares = share_out(body, embedding);
  PartTables made;
  take_surface(surface, shares, made);
  made.starts = shares.starts;
  std::vector<Index> first_domain;                       // of each class surface
  std::vector<std::vector<PointSource>> sources;         // of each class surface
  std::vector<Index> of_class(body.classes.size(), -1);  // class surface of the first domain of each class
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const TreeDomain& domain = body.domains[d];
    made.scales.push_back(domain.rest.scale);
    const std::span<const Index> points(shares.order.data() + shares.starts[d],
                                        to_size(shares.starts[d + 1] - shares.starts[d]));
    std::vector<PointSource> own = sources_of(domain, points, embedding);
    // Copies of a class share one surface if their points lie at the same places in it.
    Index& known = of_class[to_size(domain.class_index)];
    if (known >= 0 && sources[to_size(known)] == own) {
      made.tables_of.push_back(known);
      continue;
    }
    const auto number = std::ssize(sources);
    if (known < 0) known = number;
    made.tables_of.push_back(number);
    made.tables.push_back(make_class(body.class_of(domain), own));
    first_domain.push_back(static_cast<Index>(d));
    sources.push_back(std::move(own));
  }
  made.origin = std::move(shares.order);
  if (!made.across) take_class_triangles(first_domain, made);
  add_blend(body, sources, blend, cut, made);
  progress.end();
  return made;
}

}  // namespace pliant
