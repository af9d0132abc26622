#include "pliant/model/coupled/coupled_shape.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

constexpr double kSiteWork = 11.0;  // of a site over that of the polynomial, both over r²: measured

/// What a step takes for each domain, in one unit.
std::vector<double> work_of(const CoupledBody& body) {
  std::vector<double> work;
  work.reserve(body.domains.size());
  const auto square = [&](std::size_t d) {
    const double r = 1.0 + static_cast<double>(body.domains[d].reduced->size());
    return r * r;
  };
  for (std::size_t d = 0; d < body.domains.size(); ++d) work.push_back(square(d) * square(d));
  for (const VertexId v : body.coupling_vertices) {
    const auto d = to_size(body.domain_of[to_size(v)]);
    work[d] += kSiteWork * square(d);
  }
  return work;
}

/// Middles of the domains' shares of the work, in the order in which they lie along the body: threads share
/// the elements between them out alike (fem/mechanics.hpp).
std::vector<double> places_of(const CoupledBody& body) {
  const std::vector<double> work = work_of(body);
  if (work.empty()) return {};
  Vector3 low = body.domains.front().origin(), high = low;
  for (const CoupledDomain& domain : body.domains) {
    low = low.cwiseMin(domain.origin());
    high = high.cwiseMax(domain.origin());
  }
  Index axis = 0;
  (high - low).maxCoeff(&axis);
  std::vector<std::size_t> order(work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return body.domains[a].origin()[axis] < body.domains[b].origin()[axis];
  });
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  std::vector<double> places(work.size());
  double before = 0.0;
  for (const std::size_t d : order) {
    places[d] = (before + 0.5 * work[d]) / all;
    before += work[d];
  }
  return places;
}

}  // namespace

CoupledLayout::CoupledLayout(const CoupledBody& body) : q_starts{0}, starts{0}, places(places_of(body)) {
  for (const CoupledDomain& domain : body.domains) {
    frame_size.push_back(domain.anchored || domain.full ? 0 : 6);
    if (!domain.full) ++reduced;
    q_starts.push_back(q_starts.back() + domain.reduced->size());
    starts.push_back(starts.back() + frame_size.back() + domain.reduced->size());
  }
}

}  // namespace pliant
