#include "pliant/reduce/domain_surfaces.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/reduce/domain_blend.hpp"

#include <algorithm>
#include <unordered_map>

namespace pliant {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The points of the surface, domain by domain.
struct Shares {
  std::vector<Index> starts;     // of each domain
  std::vector<Index> order;      // points of the surface
  std::vector<Index> domain_of;  // of each point of the surface
};

Shares share_out(const TreeBody& body, const Embedding& embedding) {
  std::vector<Index> domain_of(at(body.mesh.element_count()), 0);
  for (std::size_t d = 0; d < body.domains.size(); ++d)
    for (const Index e : body.domains[d].elements) domain_of[at(e)] = static_cast<Index>(d);
  Shares shares;
  shares.starts.assign(body.domains.size() + 1, 0);
  const Index count = embedding.point_count();
  shares.domain_of.resize(at(count));
  for (Index i = 0; i < count; ++i) {
    shares.domain_of[at(i)] = domain_of[at(embedding.elements[at(i)])];
    ++shares.starts[at(shares.domain_of[at(i)]) + 1];
  }
  for (std::size_t d = 0; d < body.domains.size(); ++d) shares.starts[d + 1] += shares.starts[d];
  shares.order.resize(at(count));
  std::vector<Index> next(shares.starts.begin(), shares.starts.end() - 1);
  for (Index i = 0; i < count; ++i) shares.order[at(next[at(shares.domain_of[at(i)])]++)] = i;
  return shares;
}

/// The points of a domain in the numbers of its class.
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
    for (Index e = rows.starts[at(point)]; e < rows.starts[at(point) + 1]; ++e) {
      PLIANT_ASSERT(source.count < static_cast<Index>(source.vertices.size()));
      source.vertices[at(source.count)] = local.at(rows.columns[at(e)]);
      source.weights[at(source.count++)] = rows.weights[at(e)];
    }
    sources.push_back(source);
  }
  return sources;
}

ClassSurface make_class(const DomainClass& kind, const std::vector<PointSource>& sources) {
  ClassSurface made;
  made.points = static_cast<Index>(sources.size());
  made.size = kind.reduced->size();
  made.rest.resize(3 * sources.size());
  made.shapes.resize(3 * sources.size() * at(made.size));
  MatrixX U(3, made.size);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Vector3 X = -kind.reduced->origin;
    U.setZero();
    for (Index k = 0; k < sources[i].count; ++k) {
      const VertexId v = sources[i].vertices[at(k)];
      X += sources[i].weights[at(k)] * kind.elastic->mesh().vertices[static_cast<std::size_t>(v)];
      U += sources[i].weights[at(k)] * kind.reduced->basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    }
    for (Index k = 0; k < 3; ++k) {
      made.rest[3 * i + at(k)] = static_cast<float>(X[k]);
      for (Index l = 0; l < made.size; ++l)
        made.shapes[(3 * i + at(k)) * at(made.size) + at(l)] = static_cast<float>(U(k, l));
    }
  }
  return made;
}

/// Renumbers the surface and finds out whether its triangles keep to domains.
void take_surface(const SurfaceMesh& surface, const Shares& shares, DomainSurfaces& made) {
  std::vector<VertexId> number(shares.order.size());
  made.surface.vertices.reserve(shares.order.size());
  for (std::size_t i = 0; i < shares.order.size(); ++i) {
    number[at(shares.order[i])] = static_cast<VertexId>(i);
    made.surface.vertices.push_back(surface.vertices[at(shares.order[i])]);
  }
  made.surface.triangles.reserve(surface.triangles.size());
  for (const Triangle& t : surface.triangles) {
    Triangle renumbered{};
    for (std::size_t k = 0; k < 3; ++k) renumbered[k] = number[static_cast<std::size_t>(t[k])];
    made.surface.triangles.push_back(renumbered);
    const auto domain = [&](std::size_t k) { return shares.domain_of[static_cast<std::size_t>(t[k])]; };
    made.across = made.across || domain(0) != domain(1) || domain(0) != domain(2);
  }
}

/// Triangles of the first domain of each class, from its first point on.
void take_class_triangles(const std::vector<Index>& first_domain, DomainSurfaces& made) {
  std::vector<char> drawn(made.starts.size() - 1, 0);
  for (const Index d : first_domain) drawn[at(d)] = 1;
  for (const Triangle& t : made.surface.triangles) {
    const auto after = std::upper_bound(made.starts.begin(), made.starts.end(), Index{t[0]});
    const Index d = static_cast<Index>(after - made.starts.begin()) - 1;
    if (drawn[at(d)] == 0) continue;
    const auto first = static_cast<VertexId>(made.starts[at(d)]);
    made.classes[at(made.classes_of[at(d)])].triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
  }
}

}  // namespace

DomainSurfaces make_domain_surfaces(const TreeBody& body, const SurfaceMesh& surface,
                                    const Embedding& embedding, SurfaceBlend blend,
                                    const std::vector<char>& cut, Progress& progress) {
  PLIANT_ASSERT(embedding.point_count() == surface.vertex_count());
  progress.begin("surfaces of domains", 0);
  Shares shares = share_out(body, embedding);
  DomainSurfaces made;
  take_surface(surface, shares, made);
  made.starts = shares.starts;
  std::vector<Index> first_domain;                       // of each surface
  std::vector<std::vector<PointSource>> sources;         // likewise
  std::vector<Index> of_class(body.classes.size(), -1);  // surface of the class's first domain
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const TreeDomain& domain = body.domains[d];
    const std::span<const Index> points(shares.order.data() + shares.starts[d],
                                        at(shares.starts[d + 1] - shares.starts[d]));
    std::vector<PointSource> own = sources_of(domain, points, embedding);
    Index& known = of_class[at(domain.class_index)];
    if (known >= 0 && sources[at(known)] == own) {
      made.classes_of.push_back(known);
      continue;
    }
    const auto number = static_cast<Index>(sources.size());
    if (known < 0) known = number;
    made.classes_of.push_back(number);
    made.classes.push_back(make_class(body.class_of(domain), own));
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
