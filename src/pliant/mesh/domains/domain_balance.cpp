#include "pliant/mesh/domains/domain_balance.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace pliant {
namespace {

/// Domains are numbered with parents first, so of two neighbours the one with the lower number is the parent.
class Balancer {
 public:
  Balancer(const ElementGraph& graph, const std::vector<double>& distances, const std::vector<char>& pinned,
           Index domains, std::vector<Index>& of)
      : graph_(graph),
        distances_(distances),
        pinned_(pinned),
        of_(of),
        elements_(to_size(domains)),
        cuts_(to_size(domains)),
        seen_(of.size(), 0) {
    for (std::size_t e = 0; e < of.size(); ++e) elements_[to_size(of[e])].push_back(static_cast<Index>(e));
    mean_ = static_cast<double>(of.size()) / static_cast<double>(domains);
    for (const InnerFace& face : graph.faces) {
      const auto [parent, child] = std::minmax(of[to_size(face.elements[0])], of[to_size(face.elements[1])]);
      if (parent == child) continue;
      cuts_[to_size(child)].parent = parent;
      cuts_[to_size(child)].first_area += face.area;
    }
  }

  void run() {
    constexpr int kMostSweeps = 20;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      bool moved = false;
      const std::vector<double> more = excess();
      for (std::size_t child = cuts_.size(); child-- > 1;)
        moved = shift(static_cast<Index>(child), more[child]) || moved;
      if (!moved) return;
    }
  }

 private:
  struct CutAbove {  // between a domain and its parent
    Index parent = 0;
    double first_area = 0.0;  // area of the cut at the start: an upper bound
  };
  struct Entry {
    double key;
    Index element;
    // Std::priority_queue pops the largest: reversed, so that the least key comes first.
    bool operator<(const Entry& other) const {
      return key != other.key ? key > other.key : element > other.element;
    }
  };

  [[nodiscard]] double size(Index domain) const {
    return static_cast<double>(elements_[to_size(domain)].size());
  }

  /// By how many elements the domains below each cut exceed their share. Moving one cut does not change it
  /// for the others.
  [[nodiscard]] std::vector<double> excess() const {
    std::vector<double> sum(cuts_.size());
    for (std::size_t d = cuts_.size(); d-- > 0;) {
      sum[d] += size(static_cast<Index>(d)) - mean_;
      if (d > 0) sum[to_size(cuts_[d].parent)] += sum[d];
    }
    return sum;
  }

  /// Moves the cut above `child` if the domains below it are more than 2 % of a mean domain off their share.
  bool shift(Index child, double more) {
    if (std::abs(more) < 0.02 * mean_) return false;
    const Index parent = cuts_[to_size(child)].parent;
    return more > 0.0 ? grow(parent, child, child, more) : grow(child, parent, child, -more);
  }

  /// Calls visit(face, element of a) for each face between two domains.
  template <class Visit>
  void between(Index a, Index b, const Visit& visit) const {
    for (const Index element : elements_[to_size(a)])
      for (const Index face : graph_.faces_of(element))
        if (of_[to_size(graph_.across(face, element))] == b) visit(face, element);
  }

  /// Area of an element's faces to either domain, and whether it touches a third one.
  struct Contact {
    double to_grower = 0.0, to_giver = 0.0;
    bool touches_others = false;
  };
  [[nodiscard]] Contact contact(Index element, Index grower, Index giver) const {
    Contact found;
    for (const Index face : graph_.faces_of(element)) {
      const Index domain = of_[to_size(graph_.across(face, element))];
      const double area = graph_.faces[to_size(face)].area;
      if (domain == grower) {
        found.to_grower += area;
      } else if (domain == giver) {
        found.to_giver += area;
      } else {
        found.touches_others = true;
      }
    }
    return found;
  }

  /// Takes elements from the giver in the order of the distance: outwards if a parent grows, inwards if a
  /// child does.
  bool grow(Index grower, Index giver, Index child, double amount) {
    const double sign = grower == child ? -1.0 : 1.0;
    std::priority_queue<Entry> queue;
    std::vector<Index> queued;
    const auto offer = [&](Index element) {
      if (of_[to_size(element)] != giver || seen_[to_size(element)] != 0) return;
      seen_[to_size(element)] = 1;
      queued.push_back(element);
      queue.push({sign * distances_[to_size(element)], element});
    };
    double area = 0.0;
    // All elements of the giver at the cut are candidates.
    between(grower, giver, [&](Index face, Index element) {
      area += graph_.faces[to_size(face)].area;
      offer(graph_.across(face, element));
    });
    const double limit = 1.02 * cuts_[to_size(child)].first_area;
    std::vector<Index> taken;
    std::size_t best = 0;
    while (!queue.empty() && static_cast<double>(taken.size()) < 1.5 * amount) {
      const Index element = queue.top().element;
      queue.pop();
      const Contact sides = contact(element, grower, giver);
      // Elements at a third domain stay, so that no new neighbours arise.
      if (sides.touches_others || pinned_[to_size(element)] != 0) break;
      // The cut moves behind the element: faces to the giver join it, those to the grower leave it.
      area += sides.to_giver - sides.to_grower;
      of_[to_size(element)] = grower;
      taken.push_back(element);
      for (const Index face : graph_.faces_of(element)) offer(graph_.across(face, element));
      const auto miss = [&](std::size_t count) { return std::abs(static_cast<double>(count) - amount); };
      if (area <= limit && miss(taken.size()) < miss(best) && not_worse(grower, giver, taken.size()))
        best = taken.size();
    }
    for (const Index element : queued) seen_[to_size(element)] = 0;
    return settle(taken, best, grower, giver);
  }

  /// A move must not make the two domains more uneven: Σ (size − mean)² must not grow.
  [[nodiscard]] bool not_worse(Index grower, Index giver, std::size_t taken) const {
    const double a = size(grower) - mean_;
    const double b = size(giver) - mean_;
    const auto moved = static_cast<double>(taken);
    const double after = (a + moved) * (a + moved) + (b - moved) * (b - moved);
    return after <= a * a + b * b + 1e-9 * mean_ * mean_;
  }

  /// Keeps the first `best` of the taken elements if the giver stays connected and the cut stays in one
  /// piece. Otherwise undoes the move.
  bool settle(const std::vector<Index>& taken, std::size_t best, Index grower, Index giver) {
    for (std::size_t i = best; i < taken.size(); ++i) of_[to_size(taken[i])] = giver;
    if (best == 0) return false;
    std::vector<Index> left;
    for (const Index element : elements_[to_size(giver)])
      if (of_[to_size(element)] == giver) left.push_back(element);
    std::vector<Index> grown = elements_[to_size(grower)];
    grown.insert(grown.end(), taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(best));
    elements_[to_size(giver)].swap(left);
    elements_[to_size(grower)].swap(grown);
    if (connected(giver) && in_one_place(giver, grower)) return true;
    elements_[to_size(giver)].swap(left);
    elements_[to_size(grower)].swap(grown);
    for (std::size_t i = 0; i < best; ++i) of_[to_size(taken[i])] = giver;
    return false;
  }

  [[nodiscard]] bool connected(Index domain) {
    const std::vector<Index>& own = elements_[to_size(domain)];
    if (own.empty()) return false;
    std::vector<Index> reached{own.front()};
    seen_[to_size(reached[0])] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const Index face : graph_.faces_of(reached[i])) {
        const Index other = graph_.across(face, reached[i]);
        if (of_[to_size(other)] != domain || seen_[to_size(other)] != 0) continue;
        seen_[to_size(other)] = 1;
        reached.push_back(other);
      }
    }
    for (const Index element : reached) seen_[to_size(element)] = 0;
    return reached.size() == own.size();
  }

  [[nodiscard]] bool in_one_place(Index a, Index b) const {
    std::vector<Index> faces;
    between(a, b, [&](Index face, Index) { faces.push_back(face); });
    return count_patches(graph_, faces) == 1;
  }

  const ElementGraph& graph_;
  const std::vector<double>& distances_;
  const std::vector<char>& pinned_;
  std::vector<Index>& of_;
  std::vector<std::vector<Index>> elements_;  // of each domain
  std::vector<CutAbove> cuts_;
  std::vector<char> seen_;  // all zero between uses
  double mean_ = 0.0;
};

}  // namespace

void balance_domains(const ElementGraph& graph, const std::vector<double>& distances,
                     const std::vector<char>& pinned, Index domains, std::vector<Index>& of_element) {
  Balancer(graph, distances, pinned, domains, of_element).run();
}

}  // namespace pliant
