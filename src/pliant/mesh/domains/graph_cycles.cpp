#include "pliant/mesh/domains/graph_cycles.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

/// Depth-first search that keeps a stack of edges; when it leaves a subtree that reaches no higher than its
/// parent, the edges since then form a block [HopcroftTarjan1973].
class BlockFinder {
 public:
  BlockFinder(Index nodes, std::span<const std::array<Index, 2>> edges)
      : edges_(edges),
        edges_of_(to_size(nodes)),
        order_(edges_of_.size(), -1),
        low_(edges_of_.size(), -1),
        marked_(edges_of_.size(), -1) {
    for (std::size_t e = 0; e < edges.size(); ++e)
      for (const Index node : edges[e]) edges_of_[to_size(node)].push_back(static_cast<Index>(e));
  }

  std::vector<std::vector<Index>> find() {
    for (std::size_t node = 0; node < order_.size(); ++node)
      if (order_[node] < 0) visit(static_cast<Index>(node));
    return std::move(blocks_);
  }

 private:
  struct Frame {
    Index node;
    Index entry;  // the edge through which it was reached, −1 at the start
    std::size_t next = 0;
  };
  void enter(Index node, Index entry) {
    order_[to_size(node)] = low_[to_size(node)] = count_++;
    frames_.push_back({node, entry});
  }

  void visit(Index start) {
    enter(start, -1);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const Index node = frame.node;
      if (frame.next == edges_of_[to_size(node)].size()) {
        leave();
        continue;
      }
      const Index edge = edges_of_[to_size(node)][frame.next++];
      if (edge == frame.entry) continue;
      const auto& ends = edges_[to_size(edge)];
      const Index other = ends[0] == node ? ends[1] : ends[0];
      if (order_[to_size(other)] < 0) {
        open_.push_back(edge);
        enter(other, edge);
      } else if (order_[to_size(other)] < order_[to_size(node)]) {  // a back edge to an ancestor
        open_.push_back(edge);
        low_[to_size(node)] = std::min(low_[to_size(node)], order_[to_size(other)]);
      }
    }
  }

  void leave() {
    const Frame done = frames_.back();
    frames_.pop_back();
    if (frames_.empty()) return;
    const Index above = frames_.back().node;
    low_[to_size(above)] = std::min(low_[to_size(above)], low_[to_size(done.node)]);
    if (low_[to_size(done.node)] < order_[to_size(above)]) return;
    // Nothing below reaches above `above`, so it separates a block: its edges are the last ones that were
    // opened.
    std::vector<Index> block;
    do {
      block.push_back(open_.back());
      open_.pop_back();
    } while (block.back() != done.entry);
    if (block.size() > 1) blocks_.push_back(nodes_of(block));
  }

  std::vector<Index> nodes_of(const std::vector<Index>& block) {
    std::vector<Index> nodes;
    for (const Index edge : block) {
      for (const Index node : edges_[to_size(edge)]) {
        if (marked_[to_size(node)] == block.front()) continue;
        marked_[to_size(node)] = block.front();
        nodes.push_back(node);
      }
    }
    std::sort(nodes.begin(), nodes.end());
    if (nodes.size() == block.size()) around(block, nodes);
    return nodes;
  }

  /// A block with as many edges as nodes is a simple cycle: lists it from its least node towards the lesser
  /// neighbour.
  void around(const std::vector<Index>& block, std::vector<Index>& nodes) const {
    std::vector<std::array<Index, 2>> steps;
    for (const Index edge : block) {
      const auto& ends = edges_[to_size(edge)];
      steps.push_back({ends[0], ends[1]});
      steps.push_back({ends[1], ends[0]});
    }
    std::sort(steps.begin(), steps.end());
    Index before = -1;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      auto step = std::lower_bound(steps.begin(), steps.end(), std::array<Index, 2>{nodes[i], -1});
      if ((*step)[1] == before) ++step;
      before = nodes[i];
      nodes[i + 1] = (*step)[1];
    }
  }

  std::span<const std::array<Index, 2>> edges_;
  std::vector<std::vector<Index>> edges_of_;
  std::vector<Index> order_;   // order of the visit, −1: not yet visited
  std::vector<Index> low_;     // earliest node that the subtree reaches through one back edge
  std::vector<Index> marked_;  // the block that counted each node last
  std::vector<Index> open_;    // edges of unfinished blocks
  std::vector<Frame> frames_;
  std::vector<std::vector<Index>> blocks_;
  Index count_ = 0;
};

}  // namespace

std::vector<std::vector<Index>> cyclic_blocks(Index nodes, std::span<const std::array<Index, 2>> edges) {
  return BlockFinder(nodes, edges).find();
}

std::vector<Index> joined_groups(Index nodes, const std::vector<std::vector<Index>>& groups) {
  std::vector<Index> of(to_size(nodes));
  std::iota(of.begin(), of.end(), Index{0});
  const auto find = [&](Index node) {
    while (of[to_size(node)] != node) node = of[to_size(node)];
    return node;
  };
  for (const auto& group : groups) {
    for (const Index node : group) {
      const Index a = find(group.front());
      const Index b = find(node);
      of[to_size(std::max(a, b))] = std::min(a, b);
    }
  }
  for (std::size_t node = 0; node < of.size(); ++node) of[node] = find(static_cast<Index>(node));
  return of;
}

}  // namespace pliant
