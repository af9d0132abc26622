#include "pliant/mesh/domains/domain_graph.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/graph_cycles.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace pliant {
namespace {

/// Area, patches, vertices and their weights of an interface whose faces are known.
void weigh(const VolumeMesh& mesh, const ElementGraph& elements, DomainInterface& interface) {
  std::map<VertexId, double> share;
  for (const Index f : interface.faces) {
    const auto& vertices = elements.faces[to_size(f)].vertices;
    const auto& midsides = elements.faces[to_size(f)].midsides;
    const FaceShares part = face_shares(mesh, vertices);
    interface.area += part.area;
    // A quadratic face counts as the four triangles between its vertices: all weights are positive.
    const bool quadratic = midsides[0] >= 0;
    for (std::size_t i = 0; i < 4 && vertices[i] >= 0; ++i)
      share[vertices[i]] += quadratic ? part.area / 12.0 : part.shares[i];
    for (std::size_t i = 0; i < 3 && quadratic; ++i) share[midsides[i]] += part.area / 4.0;
  }
  interface.patches = count_patches(elements, interface.faces);
  for (const auto& [vertex, area] : share) {
    interface.vertices.push_back(vertex);
    interface.weights.push_back(interface.area > 0.0 ? area / interface.area
                                                     : 1.0 / static_cast<double>(share.size()));
  }
}

/// The domains of each vertex, ascending.
std::vector<std::vector<Index>> domains_of_vertices(const VolumeMesh& mesh, const DomainMap& map) {
  std::vector<std::vector<Index>> domains(mesh.vertices.size());
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (const VertexId v : element_vertices(mesh, e))
      domains[to_size(v)].push_back(map.of_element[to_size(e)]);
  for (auto& list : domains) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return domains;
}

std::vector<std::array<Index, 2>> edges_of(const DomainGraph& graph) {
  std::vector<std::array<Index, 2>> edges;
  edges.reserve(graph.interfaces.size());
  for (const DomainInterface& interface : graph.interfaces) edges.push_back(interface.domains);
  return edges;
}

Diagnostic problem(const std::string& name, std::string what, std::string remedy) {
  return {ErrorCode::kInconsistent, {"", 0, 0, "domain " + name}, std::move(what), std::move(remedy)};
}

Diagnostics report_cycles(const DomainMap& map, const std::vector<std::vector<Index>>& cycles) {
  constexpr std::size_t kMostNames = 8;
  Diagnostics problems;
  for (const auto& cycle : cycles) {
    std::string list;
    for (std::size_t i = 0; i < cycle.size() && i < kMostNames; ++i)
      list += (i > 0 ? ", " : "") + map.names[to_size(cycle[i])];
    if (cycle.size() > kMostNames) list += ", ... (" + text(std::ssize(cycle)) + " domains)";
    problems.push_back(problem(map.names[to_size(cycle.front())], "forms a cycle: " + list,
                               "the domains must form a tree: cut elsewhere, or set merge_cycles = true"));
  }
  return problems;
}

/// Breadth-first search from `root`; domains that it does not reach keep level −1.
DomainTree hang(const DomainGraph& graph, Index domains, Index root) {
  std::vector<std::vector<std::pair<Index, Index>>> neighbours(to_size(domains));  // domain, interface
  for (std::size_t i = 0; i < graph.interfaces.size(); ++i) {
    const auto [a, b] = graph.interfaces[i].domains;
    neighbours[to_size(a)].emplace_back(b, static_cast<Index>(i));
    neighbours[to_size(b)].emplace_back(a, static_cast<Index>(i));
  }
  DomainTree tree;
  tree.root = root;
  tree.parent.assign(to_size(domains), -1);
  tree.interface.assign(to_size(domains), -1);
  tree.level.assign(to_size(domains), -1);
  tree.level[to_size(root)] = 0;
  std::vector<Index> present{root};
  while (!present.empty()) {
    std::sort(present.begin(), present.end());
    tree.order.insert(tree.order.end(), present.begin(), present.end());
    tree.depth = tree.level[to_size(present.front())];
    std::vector<Index> next;
    for (const Index domain : present) {
      for (const auto& [other, interface] : neighbours[to_size(domain)]) {
        if (tree.level[to_size(other)] >= 0) continue;
        tree.level[to_size(other)] = tree.level[to_size(domain)] + 1;
        tree.parent[to_size(other)] = domain;
        tree.interface[to_size(other)] = interface;
        next.push_back(other);
      }
    }
    present = std::move(next);
  }
  return tree;
}

/// The centre of a tree is the middle of a longest path: one domain, or the larger of two. Two searches find
/// such a path: the farthest domain from any one is an end of it.
Index shallowest(const DomainMap& map, const DomainGraph& graph) {
  const Index n = map.count();
  const Index end = hang(graph, n, 0).order.back();
  const DomainTree tree = hang(graph, n, end);
  Index middle = tree.order.back();
  const Index length = tree.level[to_size(middle)];
  for (Index step = 0; step < length / 2; ++step) middle = tree.parent[to_size(middle)];
  if (length % 2 == 0) return middle;
  const std::vector<Index> sizes = map.sizes();
  const Index other = tree.parent[to_size(middle)];
  if (sizes[to_size(other)] != sizes[to_size(middle)])
    return sizes[to_size(other)] > sizes[to_size(middle)] ? other : middle;
  return std::min(other, middle);
}

/// The domain with most held vertices; of several, the one with most elements.
Index with_most(const std::vector<std::vector<Index>>& domains_of_vertex, std::span<const VertexId> held,
                const std::vector<Index>& sizes) {
  std::vector<std::pair<Index, Index>> count;  // held vertices, elements
  count.reserve(sizes.size());
  for (const Index size : sizes) count.emplace_back(0, size);
  for (const VertexId v : held)
    for (const Index domain : domains_of_vertex[to_size(v)]) ++count[to_size(domain)].first;
  return static_cast<Index>(std::max_element(count.begin(), count.end()) - count.begin());
}

Diagnostics check_held(const DomainMap& map, const std::vector<std::vector<Index>>& domains_of_vertex,
                       std::span<const VertexId> held, Index root) {
  std::map<Index, Index> outside;  // held vertices by the domain that has them
  for (const VertexId v : held) {
    const auto& domains = domains_of_vertex[to_size(v)];
    if (domains.empty() || std::binary_search(domains.begin(), domains.end(), root)) continue;
    ++outside[domains.front()];
  }
  Diagnostics problems;
  for (const auto& [domain, count] : outside)
    problems.push_back(
        problem(map.names[to_size(domain)],
                "has " + text(count) + " held vertices, but the root is \"" + map.names[to_size(root)] + "\"",
                "only the root of a tree can be held: choose the domains so that one has all "
                "held vertices"));
  return problems;
}

}  // namespace

DomainGraph domain_graph(const VolumeMesh& mesh, const ElementGraph& elements, const DomainMap& map) {
  std::map<std::array<Index, 2>, DomainInterface> found;
  for (std::size_t f = 0; f < elements.faces.size(); ++f) {
    const auto& sides = elements.faces[f].elements;
    const Index a = map.of_element[to_size(sides[0])];
    const Index b = map.of_element[to_size(sides[1])];
    if (a == b) continue;
    const std::array<Index, 2> pair{std::min(a, b), std::max(a, b)};
    DomainInterface& interface = found[pair];
    interface.domains = pair;
    interface.faces.push_back(static_cast<Index>(f));
  }
  // Pairs of domains that share a vertex but no face.
  std::set<std::array<Index, 2>> touching;
  for (const auto& domains : domains_of_vertices(mesh, map)) {
    for (std::size_t i = 0; i < domains.size(); ++i)
      for (std::size_t j = i + 1; j < domains.size(); ++j)
        if (found.count({domains[i], domains[j]}) == 0) touching.insert({domains[i], domains[j]});
  }
  DomainGraph graph;
  graph.touching.assign(touching.begin(), touching.end());
  graph.interfaces.reserve(found.size());
  for (auto& [pair, interface] : found) {
    weigh(mesh, elements, interface);
    graph.interfaces.push_back(std::move(interface));
  }
  return graph;
}

std::vector<std::vector<Index>> domain_cycles(const DomainGraph& graph, Index domains) {
  return cyclic_blocks(domains, edges_of(graph));
}

DomainMap merge_cycles(const DomainMap& map, const std::vector<std::vector<Index>>& cycles) {
  const std::vector<Index> first = joined_groups(map.count(), cycles);
  std::vector<Index> number(first.size(), -1);
  DomainMap merged;
  for (std::size_t d = 0; d < first.size(); ++d) {
    if (to_size(first[d]) == d) {
      number[d] = merged.count();
      merged.names.push_back(map.names[d]);
    } else {
      number[d] = number[to_size(first[d])];
      merged.names[to_size(number[d])] += "+" + map.names[d];
    }
  }
  merged.of_element.reserve(map.of_element.size());
  for (const Index domain : map.of_element) merged.of_element.push_back(number[to_size(domain)]);
  return merged;
}

Result<DomainTree> domain_tree(const VolumeMesh& mesh, const DomainMap& map, const DomainGraph& graph,
                               std::span<const VertexId> held, std::optional<Index> root) {
  const auto cycles = domain_cycles(graph, map.count());
  if (!cycles.empty()) return report_cycles(map, cycles);
  // A first search, to see whether all domains are connected.
  const DomainTree reached = hang(graph, map.count(), root.value_or(0));
  if (reached.order.size() < map.names.size()) {
    Diagnostics problems;
    for (Index d = 0; d < map.count(); ++d)
      if (reached.level[to_size(d)] < 0)
        problems.push_back(
            problem(map.names[to_size(d)],
                    "no chain of shared faces leads to it from \"" + map.names[to_size(reached.root)] + "\"",
                    "a tree needs one connected body; make separate bodies of its parts"));
    return problems;
  }
  const auto domains_of_vertex = domains_of_vertices(mesh, map);
  if (!root && !held.empty()) root = with_most(domains_of_vertex, held, map.sizes());
  if (!root) root = shallowest(map, graph);
  Diagnostics problems = check_held(map, domains_of_vertex, held, *root);
  if (!problems.empty()) return problems;
  return hang(graph, map.count(), *root);
}

}  // namespace pliant
