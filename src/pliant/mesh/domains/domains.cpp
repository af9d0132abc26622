#include "pliant/mesh/domains/domains.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <map>

namespace pliant {
namespace {

Diagnostic no_elements() { return {ErrorCode::kMissing, {}, "the mesh has no elements", ""}; }

std::string at(const Vector3& x) { return "(" + text(x[0]) + ", " + text(x[1]) + ", " + text(x[2]) + ")"; }

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

Diagnostic unclaimed(const VolumeMesh& mesh, const std::vector<Index>& of_element) {
  const auto first = std::find(of_element.begin(), of_element.end(), Index{-1});
  const auto missing = static_cast<Index>(std::count(first, of_element.end(), Index{-1}));
  const auto element = static_cast<Index>(first - of_element.begin());
  return {ErrorCode::kMissing,
          {"", 0, 0, "element " + text(element)},
          "no domain claims " + text(missing) + " of " + text(mesh.element_count()) +
              " elements; the first one has its centroid at " + at(element_centroid(mesh, element)),
          "end with a domain that takes the rest: where = \"true\""};
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
  DomainMap map;
  map.of_element.assign(to_size(mesh.element_count()), -1);
  Diagnostics problems;
  for (const auto& [name, selection] : selections) {
    const std::vector<Index> chosen = select_elements(selection, mesh);
    Index claimed = 0;
    for (const Index element : chosen) {
      Index& of = map.of_element[to_size(element)];
      if (of >= 0) continue;
      of = map.count();
      ++claimed;
    }
    map.names.push_back(name);
    if (claimed > 0) continue;
    problems.push_back({ErrorCode::kMissing,
                        {"", 0, 0, "domain " + name},
                        chosen.empty() ? "selects no element" : "earlier domains have all of its elements",
                        chosen.empty() ? "conditions are on centroids of elements" : "the first match wins"});
  }
  const bool all = std::find(map.of_element.begin(), map.of_element.end(), Index{-1}) == map.of_element.end();
  if (!all) problems.push_back(unclaimed(mesh, map.of_element));
  if (!problems.empty()) return problems;
  return map;
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
                            at(element_centroid(mesh, first[least])),
                        "give each part a domain of its own"});
  }
  return problems;
}

}  // namespace pliant
