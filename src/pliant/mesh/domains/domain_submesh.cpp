#include "pliant/mesh/domains/domain_submesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

std::vector<SubMesh> extract_domains(const VolumeMesh& mesh, const DomainMap& map) {
  std::vector<std::vector<Index>> elements(map.names.size());
  for (std::size_t e = 0; e < map.of_element.size(); ++e)
    elements[to_size(map.of_element[e])].push_back(static_cast<Index>(e));
  std::vector<SubMesh> parts;
  parts.reserve(elements.size());
  for (auto& list : elements) parts.push_back(extract_elements(mesh, std::move(list)));
  return parts;
}

std::vector<Index> share_modes(std::span<const Index> sizes, Index total, Distribution distribution) {
  const auto count = std::ssize(sizes);
  std::vector<Index> shares(sizes.size(), total >= count ? 1 : 0);
  if (sizes.empty()) return shares;
  const Index left = total >= count ? total - count : total;
  std::vector<double> weights;
  weights.reserve(sizes.size());
  for (const Index size : sizes)
    weights.push_back(distribution == Distribution::kProportional ? static_cast<double>(size)
                                                                  : std::log1p(static_cast<double>(size)));
  // Each domain has one mode already. The rest brings each as near as possible to its share of the total.
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> wanted;
  double wanted_sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double part = sum > 0.0 ? static_cast<double>(total) * weights[i] / sum
                                  : static_cast<double>(total) / static_cast<double>(count);
    wanted.push_back(std::max(0.0, part - static_cast<double>(shares[i])));
    wanted_sum += wanted.back();
  }
  Index given = 0;
  // Whole parts first, then one more for the largest remainders until all are given.
  for (std::size_t i = 0; i < shares.size(); ++i) {
    wanted[i] *= wanted_sum > 0.0 ? static_cast<double>(left) / wanted_sum : 0.0;
    const auto whole = static_cast<Index>(std::floor(wanted[i]));
    shares[i] += whole;
    given += whole;
    wanted[i] -= static_cast<double>(whole);
  }
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] > wanted[b]; });
  for (std::size_t i = 0; given < left; ++i, ++given) ++shares[order[i % order.size()]];
  return shares;
}

}  // namespace pliant
