#include "pliant/mesh/domains/domains.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/domain_claims.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace pliant {
namespace {

Diagnostic no_elements() { return {ErrorCode::kMissing, {}, "the mesh has no elements", ""}; }

std::string label_name(const VolumeMesh& mesh, Label label) {
  const auto found = mesh.region_names.find(label);
  if (found != mesh.region_names.end() && !found->second.empty()) return found->second;
  return "label " + std::to_string(label);
}

/// Two regions of a file may have the same name; domains must not.
void make_unique(std::vector<std::string>& names) {
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    const int before = seen[name]++;
    if (before > 0) name += " (" + std::to_string(before + 1) + ")";
  }
}

}  // namespace

std::vector<Index> DomainMap::sizes() const {
  std::vector<Index> sizes(names.size(), 0);
  for (const Index domain : of_element) ++sizes[to_size(domain)];
  return sizes;
}

Result<DomainMap> domains_from_labels(const VolumeMesh& mesh) {
  if (mesh.element_count() == 0) return no_elements();
  std::map<Label, Index> number;
  for (Index e = 0; e < mesh.element_count(); ++e) number[mesh.element_label(e)] = 0;
  DomainMap map;
  for (auto& [label, domain] : number) {
    domain = map.count();
    map.names.push_back(label_name(mesh, label));
  }
  make_unique(map.names);
  map.of_element.reserve(to_size(mesh.element_count()));
  for (Index e = 0; e < mesh.element_count(); ++e) map.of_element.push_back(number[mesh.element_label(e)]);
  return map;
}

Result<DomainMap> domains_from_selections(const VolumeMesh& mesh,
                                          std::span<const NamedSelection> selections) {
  if (mesh.element_count() == 0) return no_elements();
  std::vector<Index> elements(to_size(mesh.element_count()));
  std::iota(elements.begin(), elements.end(), Index{0});
  Result<Claims> claims = claim(
      selections, elements, mesh.element_count(),
      [&](const Selection& selection) { return select_elements(selection, mesh); },
      [&](Index element) { return element_centroid(mesh, element); },
      {"element", "elements", "conditions are on centroids of elements", "has its centroid at"});
  if (!claims) return claims.errors();
  return DomainMap{std::move(claims.value().names), std::move(claims.value().of)};
}

Diagnostics check_connected(const VolumeMesh& mesh, const ElementGraph& graph, const DomainMap& map) {
  // Parts that are connected within their domain: there must be one per domain.
  const ElementParts parts = connected_parts(graph, map.of_element);
  std::vector<Index> size(to_size(parts.count), 0);
  std::vector<Index> first(size.size(), -1);  // the first element of each part
  for (Index e = 0; e < graph.element_count(); ++e) {
    const auto part = to_size(parts.of_element[to_size(e)]);
    if (size[part]++ == 0) first[part] = e;
  }
  std::vector<std::vector<std::size_t>> of_domain(map.names.size());
  for (std::size_t part = 0; part < size.size(); ++part)
    of_domain[to_size(map.of_element[to_size(first[part])])].push_back(part);
  Diagnostics problems;
  for (std::size_t domain = 0; domain < of_domain.size(); ++domain) {
    const auto& own = of_domain[domain];
    if (own.size() < 2) continue;
    const std::size_t least =
        *std::min_element(own.begin(), own.end(), [&](auto a, auto b) { return size[a] < size[b]; });
    problems.push_back({ErrorCode::kInconsistent,
                        {"", 0, 0, "domain " + map.names[domain]},
                        "is in " + text(std::ssize(own)) + " parts that share no face; the smallest has " +
                            text(size[least]) + " elements, one with its centroid at " +
                            point_text(element_centroid(mesh, first[least])),
                        "give each part a domain of its own"});
  }
  return problems;
}

}  // namespace pliant
