#include "pliant/mesh/domains/vertex_domains.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/domain_claims.hpp"
#include "pliant/mesh/domains/local_thickness.hpp"
#include "pliant/mesh/domains/vertex_cells.hpp"
#include "pliant/mesh/domains/vertex_cleaning.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace pliant {
namespace {

Diagnostic no_elements() { return {ErrorCode::kMissing, {}, "the mesh has no elements", ""}; }

/// Corners of elements, ascending.
std::vector<Index> all_corners(const VolumeMesh& mesh) {
  std::vector<char> is_corner(mesh.vertices.size(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const VertexId v : mesh.element_corners(e)) is_corner[to_size(v)] = 1;
  std::vector<Index> corners;
  for (std::size_t v = 0; v < is_corner.size(); ++v)
    if (is_corner[v] != 0) corners.push_back(static_cast<Index>(v));
  return corners;
}

/// Midside vertices go to the smaller domain of their ends.
void set_midsides(const VolumeMesh& mesh, std::vector<Index>& of) {
  for (const Tet10& tet : mesh.tet10s)
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& [a, b] = kTet10Edges[i];
      of[to_size(tet[4 + i])] = std::min(of[to_size(tet[to_size(a)])], of[to_size(tet[to_size(b)])]);
    }
}

void list_elements(const VolumeMesh& mesh, VertexDomains& result) {
  std::map<std::array<Index, 2>, std::vector<Index>> pairs;
  result.of_element.reserve(to_size(mesh.element_count()));
  for (Index e = 0; e < mesh.element_count(); ++e) {
    std::vector<Index> touched;
    for (const VertexId v : mesh.element_vertices(e)) touched.push_back(result.of_vertex[to_size(v)]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const VertexId v : mesh.element_corners(e))
      result.domains[to_size(result.of_vertex[to_size(v)])].volume +=
          element_volume(mesh, e) / static_cast<double>(mesh.element_corners(e).size());
    result.of_element.push_back(touched.size() == 1 ? touched.front() : -1);
    if (touched.size() == 1) {
      result.domains[to_size(touched.front())].elements.push_back(e);
      continue;
    }
    for (std::size_t i = 0; i < touched.size(); ++i)
      for (std::size_t j = i + 1; j < touched.size(); ++j)
        pairs[{touched[i], touched[j]}].push_back(std::ssize(result.coupling));
    result.coupling.push_back(e);
    result.coupling_domains.insert(result.coupling_domains.end(), touched.begin(), touched.end());
    result.coupling_starts.push_back(std::ssize(result.coupling_domains));
  }
  for (auto& [domains, coupling] : pairs) {
    const auto [a, b] = domains;
    result.domains[to_size(a)].neighbours.push_back(b);
    result.domains[to_size(b)].neighbours.push_back(a);
    result.pairs.push_back({domains, std::move(coupling)});
  }
  for (VertexDomain& domain : result.domains) std::sort(domain.neighbours.begin(), domain.neighbours.end());
}

void list_held(const VolumeMesh& mesh, HeldLists held, VertexDomains& result) {
  for (std::size_t s = 0; s < held.size(); ++s)
    for (const VertexId v : held[s]) {
      if (result.of_vertex[to_size(v)] < 0) continue;
      VertexDomain& domain = result.domains[to_size(result.of_vertex[to_size(v)])];
      domain.held.push_back(v);
      if (domain.supports.empty() || domain.supports.back() != static_cast<Index>(s))
        domain.supports.push_back(static_cast<Index>(s));
    }
  for (VertexDomain& domain : result.domains) {
    std::sort(domain.held.begin(), domain.held.end());
    domain.can_turn = !span_a_plane(mesh, domain.held);
    if (!domain.anchored() || !domain.can_turn) continue;
    result.notes.push_back({ErrorCode::kInconsistent,
                            {"", 0, 0, "domain " + domain.name},
                            "is held at " + text(std::ssize(domain.held)) +
                                " vertices that leave it free to turn, one at " +
                                point_text(mesh.vertices[to_size(domain.held.front())]),
                            "hold three or more that are not on a line, or none"});
  }
}

/// Everything that follows from a clean partition.
VertexDomains listed(const VolumeMesh& mesh, std::vector<std::string> names, std::vector<Index> of_vertex,
                     HeldLists held) {
  VertexDomains result;
  result.of_vertex = std::move(of_vertex);
  set_midsides(mesh, result.of_vertex);
  for (std::string& name : names) result.domains.emplace_back().name = std::move(name);
  for (std::size_t v = 0; v < result.of_vertex.size(); ++v)
    if (const Index d = result.of_vertex[v]; d >= 0)
      result.domains[to_size(d)].vertices.push_back(static_cast<VertexId>(v));
  list_elements(mesh, result);
  list_held(mesh, held, result);
  return result;
}

Index differing(std::span<const Index> before, std::span<const Index> after) {
  Index count = 0;
  for (std::size_t v = 0; v < before.size(); ++v)
    if (before[v] >= 0 && before[v] != after[v]) ++count;  // midside vertices have no domain before
  return count;
}

/// Volume next to each corner.
std::vector<double> corner_volumes(const VolumeMesh& mesh) {
  std::vector<double> volumes(mesh.vertices.size(), 0.0);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto corners = mesh.element_corners(e);
    for (const VertexId v : corners)
      volumes[to_size(v)] += std::abs(element_volume(mesh, e)) / static_cast<double>(corners.size());
  }
  return volumes;
}

/// What is shared evenly among domains: volume over the square of the thickness, in units of volume. That is
/// length along limbs: thin ones bend most and hold little volume.
std::vector<double> corner_shares(const VolumeMesh& mesh, const EdgeGraph& edges) {
  std::vector<double> shares = corner_volumes(mesh);
  const std::vector<double> thickness = local_thickness(mesh, edges);
  const double volume = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::size_t v = 0; v < shares.size(); ++v)
    if (thickness[v] > 0.0) shares[v] /= thickness[v] * thickness[v];
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share *= sum > 0.0 ? volume / sum : 1.0;
  return shares;
}

/// Cells as domains, cleaned; empty ones are left out. `problems`: this number cannot be had.
Result<VertexDomains> try_cells(const VolumeMesh& mesh, const ElementGraph& graph, const EdgeGraph& edges,
                                std::span<const double> shares, Index count, HeldLists held) {
  std::vector<VertexId> all_held;
  for (const auto& list : held) all_held.insert(all_held.end(), list.begin(), list.end());
  const std::vector<Index> cells = vertex_cells(mesh, edges, shares, count, all_held);
  std::vector<Index> of(cells.size(), -1);
  for (const Index v : all_corners(mesh)) of[to_size(v)] = cells[to_size(v)];
  const std::vector<Index> before = of;
  std::vector<std::string> names(to_size(*std::max_element(of.begin(), of.end()) + 1));
  if (Diagnostics problems = clean_vertices(mesh, graph, names, held, Scraps::kAll, of); !problems.empty())
    return problems;
  const Index moved = differing(before, of);
  std::vector<Index> number(names.size(), -1);
  for (const Index domain : of)
    if (domain >= 0) number[to_size(domain)] = 0;
  names.clear();
  for (Index& n : number)
    if (n == 0) {
      n = std::ssize(names);
      names.push_back("part " + text(n));
    }
  for (Index& domain : of)
    if (domain >= 0) domain = number[to_size(domain)];
  VertexDomains result = listed(mesh, std::move(names), std::move(of), held);
  result.moved = moved;
  return result;
}

}  // namespace

Result<VertexMap> vertex_map_from_labels(const VolumeMesh& mesh) {
  Result<DomainMap> elements = domains_from_labels(mesh);
  if (!elements) return elements.errors();
  VertexMap map{std::move(elements.value().names), std::vector<Index>(mesh.vertices.size(), -1)};
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Index domain = elements.value().of_element[to_size(e)];  // numbered by ascending label
    for (const VertexId v : mesh.element_corners(e)) {
      Index& of = map.of_vertex[to_size(v)];
      of = of < 0 ? domain : std::min(of, domain);
    }
  }
  return map;
}

Result<VertexMap> vertex_map_from_selections(const VolumeMesh& mesh,
                                             std::span<const NamedSelection> selections) {
  if (mesh.element_count() == 0) return no_elements();
  Result<Claims> claims = claim(
      selections, all_corners(mesh), mesh.vertex_count(),
      [&](const Selection& selection) {
        const std::vector<VertexId> vertices = select_vertices(selection, mesh);
        return std::vector<Index>(vertices.begin(), vertices.end());
      },
      [&](Index vertex) { return mesh.vertices[to_size(vertex)]; },
      {"vertex", "vertices", "conditions are on vertices", "is at"});
  if (!claims) return claims.errors();
  return VertexMap{std::move(claims.value().names), std::move(claims.value().of)};
}

Result<VertexDomains> vertex_domains(const VolumeMesh& mesh, const ElementGraph& graph, const VertexMap& map,
                                     HeldLists held) {
  if (mesh.element_count() == 0) return no_elements();
  std::vector<Index> of(mesh.vertices.size(), -1);
  for (const Index v : all_corners(mesh)) of[to_size(v)] = map.of_vertex[to_size(v)];
  const std::vector<Index> before = of;
  Diagnostics problems = clean_vertices(mesh, graph, map.names, held, Scraps::kSmall, of);
  if (!problems.empty()) return problems;
  VertexDomains result = listed(mesh, map.names, std::move(of), held);
  result.moved = differing(before, result.of_vertex);
  return result;
}

Result<VertexDomains> automatic_vertex_domains(const VolumeMesh& mesh, const ElementGraph& graph, Index count,
                                               HeldLists held) {
  if (mesh.element_count() == 0) return no_elements();
  if (count < 1)
    return Diagnostic{
        ErrorCode::kOutOfRange, {"", 0, 0, "auto"}, "must be at least 1, got " + text(count), ""};
  const Index parts = connected_parts(graph).count;
  if (parts > count)
    return Diagnostic{ErrorCode::kUnsupported,
                      {"", 0, 0, "auto"},
                      "the mesh is in " + text(parts) + " parts that share no face, more than domains",
                      "make separate bodies of its parts, or ask for more domains"};
  const EdgeGraph edges(mesh);
  const std::vector<double> shares = corner_shares(mesh, edges);
  Index tried = std::min(count, mesh.element_count());
  for (;;) {
    Result<VertexDomains> found = try_cells(mesh, graph, edges, shares, tried, held);
    if (!found && tried > parts) {
      tried = std::max(parts, std::min(tried - 1, tried * 9 / 10));
      continue;
    }
    if (found && found.value().count() < count)
      found.value().notes.push_back({ErrorCode::kInconsistent,
                                     {"", 0, 0, "auto"},
                                     "only " + text(found.value().count()) + " of " + text(count) +
                                         " domains: more would be thinner than the elements",
                                     "refine the mesh, or ask for fewer"});
    return found;
  }
}

}  // namespace pliant
