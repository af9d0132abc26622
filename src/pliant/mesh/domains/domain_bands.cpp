#include "pliant/mesh/domains/domain_bands.hpp"

#include "pliant/mesh/domains/edge_graph.hpp"
#include "pliant/mesh/domains/graph_cycles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>

namespace pliant {
namespace {

/// A level at which the distance may be cut, and the area of that cut.
struct Cut {
  double level;
  double area;
};

/// One cut between any two successive distances of elements. Its area is that of the faces whose elements lie
/// on different sides of it, summed by a sweep over the levels.
std::vector<Cut> possible_cuts(const ElementGraph& graph, const std::vector<double>& distances) {
  std::vector<double> levels = distances;
  std::sort(levels.begin(), levels.end());
  const double step = 1e-9 * (levels.back() - levels.front());  // closer levels differ only by rounding
  std::vector<Cut> cuts;
  for (std::size_t i = 1; i < levels.size(); ++i)
    if (levels[i] - levels[i - 1] > step) cuts.push_back({0.5 * (levels[i] + levels[i - 1]), 0.0});
  std::vector<double> change(cuts.size() + 1, 0.0);
  // The first cut above a level.
  const auto place = [&](double level) {
    return to_size(std::lower_bound(cuts.begin(), cuts.end(), level,
                                    [](const Cut& cut, double value) { return cut.level < value; }) -
                   cuts.begin());
  };
  for (const InnerFace& face : graph.faces) {
    const auto [low, high] =
        std::minmax(distances[to_size(face.elements[0])], distances[to_size(face.elements[1])]);
    change[place(low)] += face.area;
    change[place(high)] -= face.area;
  }
  double area = 0.0;
  for (std::size_t i = 0; i < cuts.size(); ++i) cuts[i].area = area += change[i];
  return cuts;
}

/// Greedily, the cuts of least area that are at least `spacing` apart, ascending.
std::vector<double> chosen_levels(std::vector<Cut> cuts, double spacing) {
  double largest = 0.0;
  for (const Cut& cut : cuts) largest = std::max(largest, cut.area);
  if (largest > 0.0)  // areas that differ only by rounding count as equal: the lower level goes first
    for (Cut& cut : cuts) cut.area = std::round(cut.area / largest * 1e6);
  std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.area < b.area; });
  std::set<double> levels;
  for (const Cut& cut : cuts) {
    const auto above = levels.lower_bound(cut.level);
    if (above != levels.end() && *above - cut.level < spacing) continue;
    if (above != levels.begin() && cut.level - *std::prev(above) < spacing) continue;
    levels.insert(cut.level);
  }
  return {levels.begin(), levels.end()};
}

/// The largest difference of distance between neighbouring elements.
double largest_jump(const ElementGraph& graph, const std::vector<double>& distances) {
  double jump = 0.0;
  for (const InnerFace& face : graph.faces)
    jump =
        std::max(jump, std::abs(distances[to_size(face.elements[0])] - distances[to_size(face.elements[1])]));
  return jump;
}

/// The faces between any two nodes.
using Contacts = std::map<std::array<Index, 2>, std::vector<Index>>;
Contacts contacts_between(const ElementGraph& graph, const std::vector<Index>& of) {
  Contacts contacts;
  for (std::size_t f = 0; f < graph.faces.size(); ++f) {
    const auto& elements = graph.faces[f].elements;
    const auto [a, b] = std::minmax(of[to_size(elements[0])], of[to_size(elements[1])]);
    if (a != b) contacts[{a, b}].push_back(static_cast<Index>(f));
  }
  return contacts;
}
std::vector<std::array<Index, 2>> edges_between(const ElementGraph& graph, const std::vector<Index>& of) {
  std::vector<std::array<Index, 2>> edges;
  for (const auto& [pair, faces] : contacts_between(graph, of)) edges.push_back(pair);
  return edges;
}

/// Nodes on cycles, and pairs of nodes that meet in several separate places.
std::vector<std::vector<Index>> loops(const ElementGraph& graph, const std::vector<Index>& of, Index nodes) {
  std::vector<std::array<Index, 2>> edges;
  std::vector<std::vector<Index>> twofold;
  for (const auto& [pair, faces] : contacts_between(graph, of)) {
    edges.push_back(pair);
    if (count_patches(graph, faces) > 1) twofold.push_back({pair[0], pair[1]});
  }
  std::vector<std::vector<Index>> all = cyclic_blocks(nodes, edges);
  all.insert(all.end(), twofold.begin(), twofold.end());
  return all;
}

/// A tree with a given root: nodes in breadth-first order, and their parents.
struct Hung {
  std::vector<Index> order, parent;
};
Hung hang(Index nodes, const std::vector<std::array<Index, 2>>& edges, Index root) {
  std::vector<std::vector<Index>> neighbours(to_size(nodes));
  for (const auto& [a, b] : edges) {
    neighbours[to_size(a)].push_back(b);
    neighbours[to_size(b)].push_back(a);
  }
  Hung hung{{root}, std::vector<Index>(to_size(nodes), -1)};
  for (std::size_t i = 0; i < hung.order.size(); ++i) {
    const Index node = hung.order[i];
    for (const Index other : neighbours[to_size(node)]) {
      if (other == hung.parent[to_size(node)]) continue;
      hung.parent[to_size(other)] = node;
      hung.order.push_back(other);
    }
  }
  return hung;
}

void relabel(std::vector<Index>& of, const std::vector<Index>& number) {
  for (Index& node : of) node = number[to_size(node)];
}

/// Replaces the numbers in use (each the least of its set) by consecutive ones.
Index compact(std::vector<Index>& of, std::vector<Index> first) {
  Index count = 0;
  std::vector<Index> number(first.size());
  for (std::size_t i = 0; i < first.size(); ++i)
    number[i] = to_size(first[i]) == i ? count++ : number[to_size(first[i])];
  relabel(of, number);
  return count;
}

/// The nodes that have marked elements, and all nodes on the paths from them to the root.
std::vector<Index> ways_between(const ElementGraph& graph, const std::vector<Index>& of, Index nodes,
                                const std::vector<char>& marks, Index root) {
  std::vector<char> marked(to_size(nodes), 0);
  for (std::size_t e = 0; e < of.size(); ++e)
    if (marks[e] != 0) marked[to_size(of[e])] = 1;
  const Hung hung = hang(nodes, edges_between(graph, of), root);
  std::vector<Index> group{root};
  for (std::size_t i = hung.order.size(); i-- > 1;) {
    const Index node = hung.order[i];
    if (marked[to_size(node)] == 0) continue;
    group.push_back(node);
    marked[to_size(hung.parent[to_size(node)])] = 1;
  }
  return group;
}

}  // namespace

std::vector<double> element_distances(const VolumeMesh& mesh, std::span<const VertexId> seeds) {
  const std::vector<double> of_vertex = EdgeGraph(mesh).distances(seeds);
  std::vector<double> of_element;
  of_element.reserve(to_size(mesh.element_count()));
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto vertices = element_vertices(mesh, e);
    double sum = 0.0;
    for (const VertexId v : vertices) sum += of_vertex[to_size(v)];
    of_element.push_back(sum / static_cast<double>(vertices.size()));
  }
  return of_element;
}

std::vector<VertexId> middle_vertices(const VolumeMesh& mesh) {
  const EdgeGraph graph(mesh);
  // The vertex farthest from any vertex is one end of a longest path, the vertex farthest from that one its
  // other end. In the middle, the larger one of both distances is least.
  const VertexId start = element_vertices(mesh, 0).front();
  const VertexId one = farthest(graph.distances(std::array{start}));
  const std::vector<double> from_one = graph.distances(std::array{one});
  const VertexId two = farthest(from_one);
  const std::vector<double> from_two = graph.distances(std::array{two});
  std::size_t middle = to_size(start);
  for (std::size_t v = 0; v < from_one.size(); ++v)
    if (std::max(from_one[v], from_two[v]) < std::max(from_one[middle], from_two[middle])) middle = v;

  // The cross-section: all vertices near the plane through the middle that are connected to it within that
  // plane.
  const Vector3 center = mesh.vertices[middle];
  const Vector3 along = (mesh.vertices[to_size(one)] - mesh.vertices[to_size(two)]).normalized();
  const double near = graph.mean_length();
  std::vector<char> seen(mesh.vertices.size(), 0);
  std::vector<VertexId> found{static_cast<VertexId>(middle)};
  seen[middle] = 1;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const VertexId other : graph.neighbours(found[i])) {
      if (seen[to_size(other)] != 0 || std::abs((mesh.vertices[to_size(other)] - center).dot(along)) > near)
        continue;
      seen[to_size(other)] = 1;
      found.push_back(other);
    }
  }
  return found;
}

BandTree band_tree(const VolumeMesh& mesh, const ElementGraph& graph, const std::vector<double>& distances,
                   const std::vector<char>& together) {
  const double spacing = std::max(1.25 * EdgeGraph(mesh).mean_length(), largest_jump(graph, distances));
  const std::vector<double> levels = chosen_levels(possible_cuts(graph, distances), spacing * (1.0 - 1e-9));
  std::vector<Index> band;
  band.reserve(distances.size());
  for (const double d : distances)
    band.push_back(std::upper_bound(levels.begin(), levels.end(), d) - levels.begin());

  BandTree result;
  ElementParts parts = connected_parts(graph, band);
  std::vector<Index>& of = result.of_element = std::move(parts.of_element);
  // Merge nodes on cycles, then everything between the elements that must stay together.
  Index nodes = compact(of, joined_groups(parts.count, loops(graph, of, parts.count)));
  std::size_t seed = to_size(std::min_element(distances.begin(), distances.end()) - distances.begin());
  if (const auto first = std::find(together.begin(), together.end(), char{1}); first != together.end())
    seed = to_size(first - together.begin());
  nodes = compact(of, joined_groups(nodes, {ways_between(graph, of, nodes, together, of[seed])}));

  const Contacts contacts = contacts_between(graph, of);
  const Hung hung = hang(nodes, edges_between(graph, of), of[seed]);
  std::vector<Index> number(to_size(nodes));
  for (std::size_t i = 0; i < hung.order.size(); ++i) number[to_size(hung.order[i])] = static_cast<Index>(i);
  for (const Index node : hung.order) {
    const Index parent = hung.parent[to_size(node)];
    result.tree.parent.push_back(parent < 0 ? -1 : number[to_size(parent)]);
    double area = 0.0;
    if (parent >= 0)
      for (const Index face : contacts.at({std::min(node, parent), std::max(node, parent)}))
        area += graph.faces[to_size(face)].area;
    result.tree.area.push_back(area);
  }
  relabel(of, number);
  result.tree.weight.assign(to_size(nodes), 0);
  // A hex weighs as much as the six tets that it could be split into, a quadratic tet as eight.
  constexpr Index kTetsPerHex = 6, kTetsPerTet10 = 8;
  for_each_element(mesh, [&](Index e, std::span<const VertexId> vertices) {
    result.tree.weight[to_size(of[to_size(e)])] +=
        vertices.size() == 4 ? 1 : (vertices.size() == 8 ? kTetsPerHex : kTetsPerTet10);
  });
  return result;
}

}  // namespace pliant
