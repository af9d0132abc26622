#include "pliant/mesh/domains/vertex_cells.hpp"

#include "pliant/mesh/domains/vertex_cleaning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>

namespace pliant {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Each cell grows from a seed of its own.
class Cells {
 public:
  Cells(const VolumeMesh& mesh, const EdgeGraph& graph, std::span<const double> weights,
        std::vector<VertexId> seeds)
      : mesh_(mesh), graph_(graph), weights_(weights), seeds_(std::move(seeds)), shift_(seeds_.size(), 0.0) {
    centers_.reserve(seeds_.size());
    for (const VertexId seed : seeds_) centers_.push_back(mesh.vertices[to_size(seed)]);
    target_ = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(seeds_.size());
  }

  std::vector<Index> run() {
    constexpr int kPasses = 80;
    std::vector<Index> best;
    double least = kFar;
    for (int pass = 0; pass < kPasses; ++pass) {
      grow();
      const double cost = measure();
      if (cost < least) {
        least = cost;
        best = of_;
      }
      advance();
      if (pass % 10 == 9 && pass + 10 < kPasses) split_largest();
    }
    return best;
  }

 private:
  [[nodiscard]] double key(Index cell, VertexId v) const {
    return (mesh_.vertices[to_size(v)] - centers_[to_size(cell)]).squaredNorm() - shift_[to_size(cell)];
  }

  /// Vertices join in the order of their power distance, each next to one that has joined before.
  void grow() {
    using Entry = std::tuple<double, VertexId, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    of_.assign(mesh_.vertices.size(), -1);
    offered_.assign(mesh_.vertices.size(), kFar);
    for (std::size_t c = 0; c < seeds_.size(); ++c) queue.emplace(-kFar, seeds_[c], static_cast<Index>(c));
    while (!queue.empty()) {
      const auto [distance, v, cell] = queue.top();
      queue.pop();
      if (of_[to_size(v)] >= 0) continue;
      of_[to_size(v)] = cell;
      for (const VertexId other : graph_.neighbours(v)) {
        if (of_[to_size(other)] >= 0) continue;
        const double offer = key(cell, other);
        if (offer >= offered_[to_size(other)]) continue;
        offered_[to_size(other)] = offer;
        queue.emplace(offer, other, cell);
      }
    }
  }

  /// Sizes, centroids, and a cost: what is cut, with a penalty for imbalance.
  double measure() {
    size_.assign(seeds_.size(), 0.0);
    std::vector<Vector3> sum(seeds_.size(), Vector3::Zero());
    Index cut = 0;
    for (std::size_t v = 0; v < of_.size(); ++v) {
      if (of_[v] < 0) continue;
      size_[to_size(of_[v])] += weights_[v];
      sum[to_size(of_[v])] += weights_[v] * mesh_.vertices[v];
      for (const VertexId other : graph_.neighbours(static_cast<VertexId>(v)))
        if (of_[to_size(other)] != of_[v]) ++cut;
    }
    for (std::size_t c = 0; c < size_.size(); ++c)
      if (size_[c] > 0.0) centers_[c] = sum[c] / size_[c];
    const double worst = *std::max_element(size_.begin(), size_.end()) / target_;
    return static_cast<double>(cut) * std::pow(std::max(worst, 1.03), 4.0);
  }

  /// New seeds, and shifts that move the borders towards equal sizes: a border between centres at distance D
  /// moves by δ/2D when a shift grows by δ, so δ = 2 D² (relative error) would do between two slabs.
  void advance() {
    std::vector<double> spacing(seeds_.size(), kFar);  // squared distance to the nearest neighbour
    for (std::size_t v = 0; v < of_.size(); ++v)
      for (const VertexId other : graph_.neighbours(static_cast<VertexId>(v))) {
        const Index a = of_[v], b = of_[to_size(other)];
        if (a < 0 || b < 0 || a == b) continue;
        spacing[to_size(a)] =
            std::min(spacing[to_size(a)], (centers_[to_size(a)] - centers_[to_size(b)]).squaredNorm());
      }
    const double least = 0.25 * std::pow(target_, 2.0 / 3.0);
    for (std::size_t c = 0; c < seeds_.size(); ++c) {
      if (!std::isfinite(spacing[c])) continue;
      const double error = std::clamp((target_ - size_[c]) / target_, -0.5, 0.5);
      shift_[c] += 0.2 * error * std::max(spacing[c], least);  // one cell may lie around another
    }
    std::vector<double> nearest(seeds_.size(), kFar);
    for (std::size_t v = 0; v < of_.size(); ++v) {
      if (of_[v] < 0) continue;
      const auto c = to_size(of_[v]);
      const double distance = (mesh_.vertices[v] - centers_[c]).squaredNorm();
      if (distance >= nearest[c]) continue;
      nearest[c] = distance;
      seeds_[c] = static_cast<VertexId>(v);
    }
  }

  /// A cell that neighbours have choked begins anew, at the far end of the largest cell.
  void split_largest() {
    const auto small = static_cast<std::size_t>(std::min_element(size_.begin(), size_.end()) - size_.begin());
    const auto large = static_cast<std::size_t>(std::max_element(size_.begin(), size_.end()) - size_.begin());
    if (size_[small] > 0.5 * target_ || size_[large] < 1.2 * target_) return;
    double most = 0.0;
    for (std::size_t v = 0; v < of_.size(); ++v) {
      if (of_[v] != static_cast<Index>(large)) continue;
      const double distance = (mesh_.vertices[v] - centers_[large]).squaredNorm();
      if (distance <= most) continue;
      most = distance;
      seeds_[small] = static_cast<VertexId>(v);
    }
    centers_[small] = mesh_.vertices[to_size(seeds_[small])];
    shift_[small] = shift_[large];
  }

  const VolumeMesh& mesh_;
  const EdgeGraph& graph_;
  std::span<const double> weights_;
  std::vector<VertexId> seeds_;
  std::vector<Vector3> centers_;
  std::vector<double> shift_, size_, offered_;
  std::vector<Index> of_;
  double target_ = 0.0;
};

/// Moves single vertices where that lowers the volume of cut elements plus a penalty for imbalance.
class Smoother {
 public:
  Smoother(const VolumeMesh& mesh, const CornerElements& corners, std::span<const double> weights,
           Index count, std::vector<Index>& of)
      : mesh_(mesh), corners_(corners), weights_(weights), of_(of), size_(to_size(count), 0.0) {
    double sum = 0.0;
    for (std::size_t v = 0; v < of.size(); ++v) {
      if (of[v] < 0) continue;
      size_[to_size(of[v])] += weights[v];
      sum += weights[v];
    }
    target_ = sum / static_cast<double>(count);
    for (Index e = 0; e < mesh.element_count(); ++e) volume_.push_back(std::abs(element_volume(mesh, e)));
  }

  void run() {
    constexpr int kPasses = 30;
    for (int pass = 0; pass < kPasses; ++pass) {
      bool moved = false;
      for (VertexId v = 0; v < mesh_.vertex_count(); ++v) moved = improve(v) || moved;
      if (!moved) return;
    }
  }

 private:
  bool improve(VertexId v) {
    candidates_.clear();
    for (const Index element : corners_.at(v))
      for (const VertexId other : mesh_.element_corners(element)) {
        const Index domain = of_[to_size(other)];
        if (domain != of_[to_size(v)] &&
            std::find(candidates_.begin(), candidates_.end(), domain) == candidates_.end())
          candidates_.push_back(domain);
      }
    Index best = -1;
    double least = -1e-9;
    for (const Index domain : candidates_) {
      const double change = cost_change(v, domain);
      if (change >= least) continue;
      least = change;
      best = domain;
    }
    if (best < 0) return false;
    size_[to_size(of_[to_size(v)])] -= weights_[to_size(v)];
    size_[to_size(best)] += weights_[to_size(v)];
    of_[to_size(v)] = best;
    return true;
  }

  /// In units of a mean cell: Σ volume (domains − 1) over elements, and kBalance Σ (relative excess)².
  [[nodiscard]] double cost_change(VertexId v, Index domain) const {
    const Index own = of_[to_size(v)];
    double cut = 0.0;
    for (const Index element : corners_.at(v)) {
      bool has_own = false, has_new = false;
      for (const VertexId other : mesh_.element_corners(element)) {
        if (other == v) continue;
        has_own = has_own || of_[to_size(other)] == own;
        has_new = has_new || of_[to_size(other)] == domain;
      }
      cut += volume_[to_size(element)] * (static_cast<double>(has_own) - static_cast<double>(has_new));
    }
    const double weight = weights_[to_size(v)];
    const double balance = 2.0 * weight * (size_[to_size(domain)] - size_[to_size(own)] + weight);
    return cut / target_ + kBalance * balance / (target_ * target_);
  }

  static constexpr double kBalance = 4.0;
  const VolumeMesh& mesh_;
  const CornerElements& corners_;
  std::span<const double> weights_;
  std::vector<Index>& of_;
  std::vector<double> size_, volume_;
  std::vector<Index> candidates_;
  double target_ = 0.0;
};

/// Vertices far from one another. Where there is no path from the earlier ones, a new part begins.
std::vector<VertexId> spread(const EdgeGraph& graph, Index vertices, Index count, VertexId start) {
  std::vector<VertexId> seeds;
  std::vector<double> distances(to_size(vertices), kFar);
  VertexId next = start;
  while (next >= 0 && std::ssize(seeds) < count) {
    seeds.push_back(next);
    graph.lower(distances, std::array{next});
    next = -1;
    double most = 0.0;
    for (VertexId v = 0; v < static_cast<VertexId>(vertices); ++v) {
      if (distances[to_size(v)] <= most || graph.neighbours(v).empty()) continue;
      most = distances[to_size(v)];
      next = v;
    }
  }
  return seeds;
}

/// Numbers the cells by their mean distance.
void order(std::vector<Index>& of, Index count, const std::vector<double>& distances) {
  std::vector<std::pair<double, Index>> mean(to_size(count));
  std::vector<Index> size(to_size(count), 0);
  for (std::size_t c = 0; c < mean.size(); ++c) mean[c] = {0.0, static_cast<Index>(c)};
  for (std::size_t v = 0; v < of.size(); ++v) {
    if (of[v] < 0) continue;
    mean[to_size(of[v])].first += distances[v];
    ++size[to_size(of[v])];
  }
  for (std::size_t c = 0; c < mean.size(); ++c)
    if (size[c] > 0) mean[c].first /= static_cast<double>(size[c]);
  std::sort(mean.begin(), mean.end());
  std::vector<Index> number(mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) number[to_size(mean[i].second)] = static_cast<Index>(i);
  for (Index& cell : of)
    if (cell >= 0) cell = number[to_size(cell)];
}

}  // namespace

std::vector<Index> vertex_cells(const VolumeMesh& mesh, const EdgeGraph& graph,
                                std::span<const double> weights, Index count,
                                std::span<const VertexId> first) {
  VertexId start = first.empty() ? VertexId{0} : first.front();
  for (VertexId v = 0; first.empty() && v < static_cast<VertexId>(mesh.vertex_count()); ++v)
    if (!graph.neighbours(v).empty()) {
      start = v;
      break;
    }
  const VertexId end = farthest(graph.distances(std::array{start}));
  std::vector<VertexId> seeds = spread(graph, mesh.vertex_count(), count, end);
  const Index found = std::ssize(seeds);
  std::vector<Index> of = Cells(mesh, graph, weights, std::move(seeds)).run();
  Smoother(mesh, CornerElements(mesh), weights, found, of).run();
  order(of, found, graph.distances(first.empty() ? std::span<const VertexId>(&end, 1) : first));
  return of;
}

}  // namespace pliant
