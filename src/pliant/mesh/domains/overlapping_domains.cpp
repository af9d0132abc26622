#include "pliant/mesh/domains/overlapping_domains.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/domains/edge_graph.hpp"
#include "pliant/mesh/domains/element_graph.hpp"
#include "pliant/mesh/domains/vertex_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pliant {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

Diagnostic problem(ErrorCode code, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "domains"}, std::move(what), std::move(remedy)};
}

/// One flag per vertex: an element uses it and nothing holds it.
std::vector<char> possible_seeds(const VolumeMesh& mesh, std::span<const VertexId> held) {
  std::vector<char> possible(mesh.vertices.size(), 0);
  for_each_element(mesh, [&](Index /*element*/, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) possible[to_size(v)] = 1;
  });
  for (const VertexId v : held) possible[to_size(v)] = 0;
  return possible;
}

/// The nearest of them; the first of several at the same distance, −1 if there is none.
VertexId nearest(const VolumeMesh& mesh, const std::vector<char>& possible, const Vector3& place) {
  VertexId best = -1;
  double least = kFar;
  for (std::size_t v = 0; v < possible.size(); ++v) {
    const double distance = (mesh.vertices[v] - place).squaredNorm();
    if (possible[v] == 0 || !(distance < least)) continue;
    least = distance;
    best = static_cast<VertexId>(v);
  }
  return best;
}

std::string place_text(const Vector3& x) {
  return "(" + text(x[0]) + ", " + text(x[1]) + ", " + text(x[2]) + ")";
}

/// Vertices belong to the nearest seed along edges; of several, to the first.
void make_segments(const VolumeMesh& mesh, OverlappingDomains& domains) {
  const EdgeGraph graph(mesh);
  std::vector<double> least(mesh.vertices.size(), kFar);
  domains.segment_of.assign(mesh.vertices.size(), -1);
  for (std::size_t s = 0; s < domains.seeds.size(); ++s) {
    const std::vector<double> distance = graph.distances(std::span(&domains.seeds[s], 1));
    for (std::size_t v = 0; v < least.size(); ++v) {
      if (!(distance[v] < least[v])) continue;
      least[v] = distance[v];
      domains.segment_of[v] = static_cast<Index>(s);
    }
  }
}

void make_neighbours(const VolumeMesh& mesh, OverlappingDomains& domains) {
  std::vector<std::set<Index>> found(domains.seeds.size());
  for_each_element(mesh, [&](Index /*element*/, std::span<const VertexId> vertices) {
    for (const VertexId a : vertices)
      for (const VertexId b : vertices) {
        const Index i = domains.segment_of[to_size(a)], j = domains.segment_of[to_size(b)];
        if (i != j && i >= 0 && j >= 0) found[to_size(i)].insert(j);
      }
  });
  for (const std::set<Index>& list : found) domains.neighbours.emplace_back(list.begin(), list.end());
}

void make_reach(OverlappingDomains& domains, Index rings) {
  const Index count = domains.count();
  for (Index d = 0; d < count; ++d) {
    std::set<Index> reach{d};
    if (count <= kGlobalDomains) {
      for (Index s = 0; s < count; ++s) reach.insert(s);
    } else {
      for (Index ring = 0; ring < rings; ++ring) {
        const std::set<Index> before = reach;
        for (const Index s : before)
          reach.insert(domains.neighbours[to_size(s)].begin(), domains.neighbours[to_size(s)].end());
      }
    }
    domains.reach.emplace_back(reach.begin(), reach.end());
  }
}

Result<OverlappingDomains> finished(const VolumeMesh& mesh, OverlappingDomains domains, Index rings) {
  make_segments(mesh, domains);
  const std::vector<char> used = possible_seeds(mesh, {});
  for (std::size_t v = 0; v < used.size(); ++v)
    if (used[v] != 0 && domains.segment_of[v] < 0)
      return problem(ErrorCode::kUnsupported,
                     "no domain reaches the part of the mesh at " + place_text(mesh.vertices[v]),
                     "give each separate part a seed, or make a body of each");
  make_neighbours(mesh, domains);
  make_reach(domains, rings);
  return domains;
}

/// The vertex of a cell that is nearest to its centroid and may be a seed.
VertexId seed_of_cell(const VolumeMesh& mesh, const std::vector<Index>& cells,
                      const std::vector<double>& volumes, const std::vector<char>& possible, Index cell) {
  Vector3 sum = Vector3::Zero();
  double volume = 0.0;
  std::vector<char> own(cells.size(), 0);
  for (std::size_t v = 0; v < cells.size(); ++v) {
    if (cells[v] != cell) continue;
    sum += volumes[v] * mesh.vertices[v];
    volume += volumes[v];
    own[v] = possible[v];
  }
  return volume > 0.0 ? nearest(mesh, own, sum / volume) : -1;
}

}  // namespace

std::vector<char> OverlappingDomains::support(Index domain) const {
  const std::vector<Index>& own = reach[to_size(domain)];
  std::vector<char> inside(segment_of.size(), 0);
  for (std::size_t v = 0; v < inside.size(); ++v)
    inside[v] = std::binary_search(own.begin(), own.end(), segment_of[v]) ? 1 : 0;
  return inside;
}

std::vector<char> OverlappingDomains::support_of_held(std::span<const VertexId> held) const {
  std::set<Index> own;
  for (const VertexId v : held)
    if (const Index segment = segment_of[to_size(v)]; segment >= 0)
      own.insert(reach[to_size(segment)].begin(), reach[to_size(segment)].end());
  std::vector<char> inside(segment_of.size(), 0);
  for (std::size_t v = 0; v < inside.size(); ++v) inside[v] = own.contains(segment_of[v]) ? 1 : 0;
  return inside;
}

Result<OverlappingDomains> domains_about(const VolumeMesh& mesh, std::span<const Vector3> places,
                                         std::span<const VertexId> held, Index rings) {
  if (places.empty())
    return problem(ErrorCode::kMissing, "there is no seed", "give at least one, e.g. seeds = [[0, 0, 0]]");
  const std::vector<char> possible = possible_seeds(mesh, held);
  OverlappingDomains domains;
  for (const Vector3& place : places) {
    const VertexId seed = nearest(mesh, possible, place);
    if (seed < 0)
      return problem(ErrorCode::kInconsistent, "no vertex is free to be a seed", "hold fewer vertices");
    const auto same = std::find(domains.seeds.begin(), domains.seeds.end(), seed);
    if (same != domains.seeds.end())
      return problem(ErrorCode::kInconsistent,
                     "seeds " + text(Index{same - domains.seeds.begin()}) + " and " +
                         text(std::ssize(domains.seeds)) + " fall on the same vertex at " +
                         place_text(mesh.vertices[to_size(seed)]),
                     "move one of them, or take a finer mesh");
    domains.seeds.push_back(seed);
  }
  return finished(mesh, std::move(domains), rings);
}

Result<OverlappingDomains> automatic_overlapping_domains(const VolumeMesh& mesh, Index count,
                                                         std::span<const VertexId> held, Index rings) {
  if (count < 1)
    return problem(ErrorCode::kOutOfRange, "there must be at least one domain",
                   "e.g. domains = { auto = 4 }");
  const std::vector<char> possible = possible_seeds(mesh, held);
  std::vector<double> volumes(mesh.vertices.size(), 0.0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const std::span<const VertexId> vertices = element_vertices(mesh, e);
    for (const VertexId v : vertices)
      volumes[to_size(v)] += element_volume(mesh, e) / static_cast<double>(vertices.size());
  }
  const EdgeGraph graph(mesh);
  const std::vector<Index> cells = vertex_cells(mesh, graph, volumes, count, held);
  const Index found = 1 + *std::max_element(cells.begin(), cells.end());
  OverlappingDomains domains;
  for (Index cell = 0; cell < found; ++cell)
    if (const VertexId seed = seed_of_cell(mesh, cells, volumes, possible, cell); seed >= 0)
      domains.seeds.push_back(seed);
  if (domains.seeds.empty())
    return problem(ErrorCode::kInconsistent, "no vertex is free to be a seed", "hold fewer vertices");
  if (domains.count() < count)
    domains.notes.push_back(
        problem(ErrorCode::kOutOfRange,
                "the mesh has room for " + text(domains.count()) + " domains, not for " + text(count),
                "take a finer mesh for more"));
  return finished(mesh, std::move(domains), rings);
}

}  // namespace pliant
