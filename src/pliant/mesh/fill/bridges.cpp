#include "pliant/mesh/fill/bridges.hpp"

#include "pliant/base/index.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace pliant {
namespace {

using stuffing::Lattice;
using stuffing::Place;

constexpr double kRoom = 1e-3;                   // of a cell, between a way and the border
constexpr std::size_t kMaxVisited = 20'000'000;  // points of the fine grid

/// Floods the solid from all parts at once, over the points of a grid that is `fineness` times as fine as the
/// lattice's cells; where two floods meet there is a bridge. Points near a lattice point of a part belong to
/// it, so that only the skin of the parts and what lies between them is visited.
class Flood {
 public:
  Flood(const Solid& solid, const Lattice& lattice, const std::vector<Index>& part, Index fineness)
      : solid_(solid), lattice_(lattice), part_(part), fineness_(fineness) {
    const Index count = part.empty() ? 0 : *std::max_element(part.begin(), part.end()) + 1;
    joined_.resize(to_size(count));
    std::iota(joined_.begin(), joined_.end(), Index{0});
    separate_ = count;
  }

  void run(Bridges& out) {
    start();
    while (!queue_.empty() && separate_ > 1 && visits_.size() < kMaxVisited) {
      const Key here = queue_.front();
      queue_.pop_front();
      const Place x = place_of(here);
      for (int d = 0; d < 3; ++d)
        for (const Index step : {-1, 1}) {
          Place y = x;
          y[d] += step;
          visit(here, y, out);
        }
    }
  }

  /// Whether all parts hang together now.
  [[nodiscard]] bool done() const { return separate_ < 2; }

 private:
  using Key = std::uint64_t;
  struct Visit {
    Key from;
    Index part;
  };
  static constexpr int kBits = 21;

  static Key key_of(const Place& x) {
    return static_cast<Key>(x[0]) | static_cast<Key>(x[1]) << kBits | static_cast<Key>(x[2]) << (2 * kBits);
  }
  static Place place_of(Key key) {
    constexpr Key kMask = (Key{1} << kBits) - 1;
    return {static_cast<Index>(key & kMask), static_cast<Index>(key >> kBits & kMask),
            static_cast<Index>(key >> (2 * kBits))};
  }
  [[nodiscard]] Vector3 position(const Place& x) const {
    const auto n = static_cast<double>(fineness_);
    return lattice_.grid.point(static_cast<double>(x[0]) / n, static_cast<double>(x[1]) / n,
                               static_cast<double>(x[2]) / n);
  }
  [[nodiscard]] bool within(const Place& x) const {
    for (int d = 0; d < 3; ++d)
      if (x[d] < fineness_ || x[d] > fineness_ * (lattice_.grid.cells[d] - 1)) return false;
    return true;
  }
  /// The lattice point nearest to a point of the fine grid: a corner or a centre of a cell.
  [[nodiscard]] Place nearest(const Place& x) const {
    Place best{};
    double smallest = std::numeric_limits<double>::infinity();
    for (const Index odd : {0, 1}) {
      Place candidate{};
      double distance = 0.0;
      for (int d = 0; d < 3; ++d) {
        const double halves = 2.0 * static_cast<double>(x[d]) / static_cast<double>(fineness_);
        candidate[d] = 2 * std::lround((halves - static_cast<double>(odd)) / 2.0) + odd;
        distance += std::pow(halves - static_cast<double>(candidate[d]), 2);
      }
      if (distance < smallest) {
        smallest = distance;
        best = candidate;
      }
    }
    return best;
  }
  Index root(Index part) {
    while (joined_[to_size(part)] != part)
      part = joined_[to_size(part)] = joined_[to_size(joined_[to_size(part)])];
    return part;
  }

  /// From every lattice point of a part that has a neighbour outside of all parts.
  void start() {
    for (std::size_t p = 0; p < part_.size(); ++p) {
      if (part_[p] < 0) continue;
      const Place x = lattice_.place(static_cast<Index>(p));
      const auto around = Lattice::neighbours(x);
      if (std::all_of(around.begin(), around.end(),
                      [&](const Place& y) { return part_[to_size(lattice_.point(y))] >= 0; }))
        continue;
      const Place fine{x[0] * fineness_ / 2, x[1] * fineness_ / 2, x[2] * fineness_ / 2};
      const Key key = key_of(fine);
      visits_.emplace(key, Visit{key, part_[p]});
      queue_.push_back(key);
    }
  }

  void visit(Key from, const Place& y, Bridges& out) {
    if (!within(y)) return;
    const Index own = visits_.at(from).part;
    const Key key = key_of(y);
    if (const auto met = visits_.find(key); met != visits_.end()) {
      if (root(met->second.part) != root(own)) build(from, key, out);
      return;
    }
    // parts that only touch are no bridge: a way needs some room
    if (solid_.side(position(y), kRoom * lattice_.grid.size) != Side::kInside) return;
    const Index p = lattice_.point(nearest(y));
    const Index other = part_[to_size(p)];
    visits_.emplace(key, Visit{from, other >= 0 ? other : own});
    if (other >= 0 && root(other) != root(own)) {
      visits_.at(key).from = key;  // a part's own ground: the way ends here
      build(from, key, out);
    }
    queue_.push_back(key);
  }

  /// The way between two neighbours that different floods have reached, as lattice points.
  void build(Key a, Key b, Bridges& out) {
    std::vector<Place> way;
    const auto follow = [&](Key key) {
      for (;;) {
        way.push_back(nearest(place_of(key)));
        const Key from = visits_.at(key).from;
        if (from == key) return;
        key = from;
      }
    };
    follow(a);
    std::reverse(way.begin(), way.end());
    follow(b);
    way.erase(std::unique(way.begin(), way.end()), way.end());
    for (std::size_t i = 0; i < way.size(); ++i) {
      out.points.push_back(lattice_.point(way[i]));
      if (i + 1 < way.size() && !adjacent(way[i], way[i + 1])) join(way[i], way[i + 1], out);
    }
    out.places.push_back(position(place_of(a)));
    out.fineness = std::max(out.fineness, fineness_);
    joined_[to_size(root(visits_.at(a).part))] = root(visits_.at(b).part);
    --separate_;
  }

  static bool adjacent(const Place& x, const Place& y) {
    const auto around = Lattice::neighbours(x);
    return std::find(around.begin(), around.end(), y) != around.end();
  }
  /// A fine step may pass through a corner of the cells around lattice points: a common neighbour closes the
  /// gap.
  void join(const Place& x, const Place& y, Bridges& out) {
    for (const Place& between : Lattice::neighbours(x))
      if (adjacent(between, y)) return out.points.push_back(lattice_.point(between));
  }

  const Solid& solid_;
  const Lattice& lattice_;
  const std::vector<Index>& part_;
  Index fineness_;
  std::vector<Index> joined_;  // parts that hang together: the next one on the way to their first
  Index separate_ = 0;
  std::unordered_map<Key, Visit> visits_;  // where each point was reached from, and from which part
  std::deque<Key> queue_;
};

}  // namespace

Bridges find_bridges(const Solid& solid, const Lattice& lattice, const std::vector<Index>& part) {
  Bridges bridges;
  for (const Index fineness : {2, 4, 8}) {
    bridges = {};
    Flood flood(solid, lattice, part, fineness);
    flood.run(bridges);
    if (flood.done()) break;
  }
  return bridges;
}

}  // namespace pliant
