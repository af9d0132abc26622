#include "pliant/mesh/domains/edge_graph.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>

namespace pliant {
namespace {

constexpr std::array<std::array<std::size_t, 2>, 6> kTetEdges{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr std::array<std::array<std::size_t, 2>, 12> kHexEdges{
    {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

}  // namespace

EdgeGraph::EdgeGraph(const VolumeMesh& mesh) : mesh_(mesh), neighbours_(mesh.vertices.size()) {
  for (const Tet& tet : mesh.tets)
    for (const auto& [a, b] : kTetEdges) add(tet[a], tet[b]);
  for (const Hex& hex : mesh.hexes)
    for (const auto& [a, b] : kHexEdges) add(hex[a], hex[b]);
  for (const Tet10& tet : mesh.tet10s)
    for (std::size_t e = 0; e < 6; ++e) {  // an edge in two halves
      add(tet[to_size(kTet10Edges[e][0])], tet[4 + e]);
      add(tet[4 + e], tet[to_size(kTet10Edges[e][1])]);
    }
  for (auto& list : neighbours_) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

void EdgeGraph::add(VertexId a, VertexId b) {
  neighbours_[to_size(a)].push_back(b);
  neighbours_[to_size(b)].push_back(a);
}

double EdgeGraph::mean_length() const {
  double sum = 0.0;
  Index count = 0;
  for (std::size_t v = 0; v < neighbours_.size(); ++v) {
    for (const VertexId other : neighbours_[v]) sum += length(static_cast<VertexId>(v), other);
    count += std::ssize(neighbours_[v]);
  }
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

std::vector<double> EdgeGraph::distances(std::span<const VertexId> seeds) const {
  std::vector<double> distances(neighbours_.size(), std::numeric_limits<double>::infinity());
  lower(distances, seeds);
  return distances;
}

void EdgeGraph::lower(std::vector<double>& distances, std::span<const VertexId> seeds) const {
  using Entry = std::pair<double, VertexId>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const VertexId seed : seeds) {
    distances[to_size(seed)] = 0.0;
    queue.emplace(0.0, seed);
  }
  while (!queue.empty()) {
    const auto [d, vertex] = queue.top();
    queue.pop();
    if (d > distances[to_size(vertex)]) continue;
    for (const VertexId other : neighbours_[to_size(vertex)]) {
      const double longer = d + length(vertex, other);
      if (longer >= distances[to_size(other)]) continue;
      distances[to_size(other)] = longer;
      queue.emplace(longer, other);
    }
  }
}

VertexId farthest(const std::vector<double>& distances) {
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t v = 0; v < distances.size(); ++v) {
    if (!std::isfinite(distances[v]) || distances[v] <= most) continue;
    most = distances[v];
    best = v;
  }
  return static_cast<VertexId>(best);
}

}  // namespace pliant
