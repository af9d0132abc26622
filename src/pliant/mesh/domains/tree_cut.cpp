#include "pliant/mesh/domains/tree_cut.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kLeast = 4;  // anything lighter is not a limb but an unevenness of the mesh

/// Cuts the edges between some nodes and their parents; the pieces are what remains connected.
class Cutter {
 public:
  Cutter(const WeightedTree& tree, Index pieces)
      : tree_(tree), pieces_(pieces), children_(tree.parent.size()), cut_(tree.parent.size(), 0) {
    for (std::size_t node = 1; node < children_.size(); ++node)
      children_[to_size(tree.parent[node])].push_back(static_cast<Index>(node));
    total_ = std::accumulate(tree.weight.begin(), tree.weight.end(), Index{0});
    least_ = std::max(kLeast, total_ / (10 * pieces));
  }

  /// Bisection for the least bound, then further cuts, then local improvements.
  std::vector<Index> run() {
    Index low = (total_ + pieces_ - 1) / pieces_;  // a lower bound cannot suffice: it is below the mean
    Index high = total_;                           // one piece
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (cut_by(middle) <= pieces_) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    Index count = cut_by(high);
    while (count < pieces_ && split_once()) ++count;
    improve();
    return number();
  }

 private:
  /// Cuts such that pieces weigh at most `bound`, where the nodes allow it; returns the number of pieces.
  Index cut_by(Index bound) {
    std::fill(cut_.begin(), cut_.end(), char{0});
    std::vector<Index> left = tree_.weight;  // weight of what is still attached below each node
    Index count = 1;
    // From the leaves upwards: cut off the heaviest children until the rest is light enough.
    for (std::size_t node = children_.size(); node-- > 0;) {
      std::vector<Index> order = children_[node];
      for (const Index child : order) left[node] += left[to_size(child)];
      std::stable_sort(order.begin(), order.end(),
                       [&](Index a, Index b) { return left[to_size(a)] > left[to_size(b)]; });
      for (const Index child : order) {
        if (left[node] <= bound || left[to_size(child)] < least_) break;
        if (node == 0 && left[node] - left[to_size(child)] < least_) continue;
        left[node] -= left[to_size(child)];
        cut_[to_size(child)] = 1;
        ++count;
      }
    }
    return count;
  }

  /// Makes the one cut whose lighter side is heaviest, over all pieces. False if there is none worth making.
  bool split_once() {
    const std::vector<Index> piece = number();
    std::vector<Index> below = tree_.weight;  // weight below each node within its piece
    for (std::size_t node = below.size(); node-- > 1;)
      if (cut_[node] == 0) below[to_size(tree_.parent[node])] += below[node];
    std::vector<Index> weight(below.size(), 0);  // of each piece
    for (std::size_t node = 0; node < below.size(); ++node)
      if (node == 0 || cut_[node] != 0) weight[to_size(piece[node])] = below[node];
    std::size_t best = 0;
    Index lighter = least_ - 1;
    for (std::size_t node = 1; node < below.size(); ++node) {
      if (cut_[node] != 0) continue;
      const Index side = std::min(below[node], weight[to_size(piece[node])] - below[node]);
      if (side <= lighter) continue;
      lighter = side;
      best = node;
    }
    if (best == 0) return false;
    cut_[best] = 1;
    return true;
  }

  /// Slightly uneven pieces may have much smaller cuts, such as limbs that are cut off where they begin.
  /// Moves nodes between pieces as long as that pays.
  void improve() {
    const std::size_t n = cut_.size();
    std::vector<Index> piece = number();
    std::vector<double> weight(n, 0.0);  // of each piece, over the mean
    const double mean = static_cast<double>(total_) / static_cast<double>(pieces_);
    for (std::size_t node = 0; node < n; ++node)
      weight[to_size(piece[node])] += static_cast<double>(tree_.weight[node]) / mean;
    const double area = std::accumulate(tree_.area.begin(), tree_.area.end(), 0.0) / static_cast<double>(n);
    if (!(area > 0.0)) return;
    constexpr int kMostSweeps = 100;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      bool moved = false;
      for (std::size_t node = 1; node < n; ++node) moved = move(node, mean, area, piece, weight) || moved;
      if (!moved) break;
    }
    for (std::size_t node = 1; node < n; ++node)
      cut_[node] = piece[node] != piece[to_size(tree_.parent[node])];
  }

  /// Moves a node to the piece of a neighbour if that lowers Σ weight² + ¼ Σ area, both relative to their
  /// means.
  [[nodiscard]] bool move(std::size_t node, double mean, double area, std::vector<Index>& piece,
                          std::vector<double>& weight) const {
    const Index own = piece[node];
    const auto area_to = [&](Index which) {
      double sum = piece[to_size(tree_.parent[node])] == which ? tree_.area[node] : 0.0;
      for (const Index child : children_[node])
        if (piece[to_size(child)] == which) sum += tree_.area[to_size(child)];
      return sum;
    };
    std::vector<Index> others{piece[to_size(tree_.parent[node])]};
    for (const Index child : children_[node]) others.push_back(piece[to_size(child)]);
    // With exactly one neighbour in its piece the node is an end of it, so the rest stays connected.
    if (std::count(others.begin(), others.end(), own) != 1) return false;
    const double w = static_cast<double>(tree_.weight[node]) / mean;
    const double left = weight[to_size(own)] - w;
    if (left * mean < static_cast<double>(least_)) return false;
    for (const Index other : others) {
      if (other == own) continue;
      const double even = 2.0 * w * (weight[to_size(other)] - left);  // change of Σ weight²
      const double cuts = 0.25 * (area_to(own) - area_to(other)) / area;
      if (even + cuts >= -1e-9) continue;
      weight[to_size(own)] = left;
      weight[to_size(other)] += w;
      piece[node] = other;
      return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<Index> number() const {
    std::vector<Index> piece(cut_.size(), 0);
    Index count = 1;
    for (std::size_t node = 1; node < cut_.size(); ++node)
      piece[node] = cut_[node] != 0 ? count++ : piece[to_size(tree_.parent[node])];
    return piece;
  }

  const WeightedTree& tree_;
  Index pieces_;
  std::vector<std::vector<Index>> children_;
  std::vector<char> cut_;  // the edge from each node to its parent
  Index total_ = 0;
  Index least_ = 1;
};

}  // namespace

std::vector<Index> cut_tree(const WeightedTree& tree, Index pieces) { return Cutter(tree, pieces).run(); }

}  // namespace pliant
