#include "decompose_vertices.hpp"

#include "pliant/file/vtu.hpp"
#include "pliant/solve/block/block_cholesky.hpp"
#include "pliant/store/block_pattern_svg.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace pliant::cli {
namespace {

using Json = nlohmann::ordered_json;

double volume_of(const VertexDomains& cut) {
  double volume = 0.0;
  for (const VertexDomain& domain : cut.domains) volume += domain.volume;
  return volume;
}

/// Coupling elements by the number of domains that they touch.
std::map<Index, Index> by_domains(const VertexDomains& cut) {
  std::map<Index, Index> count;
  for (Index i = 0; i < std::ssize(cut.coupling); ++i) ++count[std::ssize(cut.domains_of(i))];
  return count;
}

std::string names_of(const VertexDomains& cut, const std::vector<Index>& domains) {
  std::string list;
  for (const Index d : domains) list += (list.empty() ? "" : ", ") + cut.domains[to_size(d)].name;
  return list;
}

}  // namespace

Json vertex_domains_json(const VolumeMesh& mesh, const VertexDomains& cut, const std::vector<Index>& modes) {
  const double volume = volume_of(cut);
  Json domains = Json::array();
  for (std::size_t i = 0; i < cut.domains.size(); ++i) {
    const VertexDomain& domain = cut.domains[i];
    Json neighbours = Json::array();
    for (const Index d : domain.neighbours) neighbours.push_back(cut.domains[to_size(d)].name);
    domains.push_back({{"name", domain.name},
                       {"vertices", domain.vertices.size()},
                       {"elements", domain.elements.size()},
                       {"volume", domain.volume},
                       {"share", domain.volume / volume},
                       {"anchored", domain.anchored()},
                       {"held", domain.held.size()},
                       {"modes", modes[i]},
                       {"neighbours", std::move(neighbours)}});
  }
  Json coupling = Json::object();
  for (const auto& [touched, count] : by_domains(cut)) coupling[std::to_string(touched)] = count;
  Json pairs = Json::array();
  for (const DomainPair& pair : cut.pairs)
    pairs.push_back(
        {{"domains",
          {cut.domains[to_size(pair.domains[0])].name, cut.domains[to_size(pair.domains[1])].name}},
         {"elements", pair.coupling.size()}});
  return {{"vertices", mesh.vertex_count()},
          {"elements", mesh.element_count()},
          {"moved", cut.moved},
          {"domains", std::move(domains)},
          {"coupling", {{"elements", cut.coupling.size()}, {"by_domains", std::move(coupling)}}},
          {"pairs", std::move(pairs)}};
}

std::string vertex_domains_text(const std::string& name, const VolumeMesh& mesh, const VertexDomains& cut,
                                const std::vector<Index>& modes) {
  std::size_t width = 6;
  for (const VertexDomain& domain : cut.domains) width = std::max(width, domain.name.size());
  width = std::min<std::size_t>(width, 48);
  const double volume = volume_of(cut);
  std::string text =
      fmt::format("{}: {} domains of vertices, {} coupled pairs\n", name, cut.count(), cut.pairs.size());
  text += fmt::format("  {:<{}} {:>9} {:>9} {:>12} {:>7} {:>6}  {:<8}  {}\n", "domain", width, "vertices",
                      "inside", "volume / m³", "share", "modes", "", "coupled with");
  for (std::size_t i = 0; i < cut.domains.size(); ++i) {
    const VertexDomain& domain = cut.domains[i];
    text += fmt::format("  {:<{}} {:>9} {:>9} {:>12.5g} {:>5.1f} % {:>6}  {:<8}  {}\n", domain.name, width,
                        domain.vertices.size(), domain.elements.size(), domain.volume,
                        100.0 * domain.volume / volume, modes[i] > 0 ? fmt::format("{}", modes[i]) : "rigid",
                        domain.anchored() ? "anchored" : "free", names_of(cut, domain.neighbours));
  }
  text += fmt::format("  coupling elements: {} of {}", cut.coupling.size(), mesh.element_count());
  std::string separator = ": ";
  for (const auto& [touched, count] : by_domains(cut)) {
    text += fmt::format("{}{} of {} domains", separator, count, touched);
    separator = ", ";
  }
  text += "\n";
  if (cut.moved > 0)
    text += fmt::format("  moved to another domain, since they had no element in their own: {} vertices\n",
                        cut.moved);
  return text;
}

std::string step_matrix_svg(const VertexDomains& cut, const std::vector<Index>& modes) {
  std::vector<Index> sizes;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < cut.domains.size(); ++i) {
    sizes.push_back((cut.domains[i].anchored() ? 0 : 6) + modes[i]);
    names.push_back(cut.domains[i].name);
  }
  std::vector<BlockPair> pairs;
  pairs.reserve(cut.pairs.size());
  for (const DomainPair& pair : cut.pairs) pairs.push_back(pair.domains);
  return block_pattern_svg(BlockCholesky(sizes, pairs).pattern(), names);
}

std::string vertex_domains_vtu(const VolumeMesh& mesh, const VertexDomains& cut) {
  VolumeMesh labelled = mesh;
  labelled.region_names.clear();
  for (Index d = 0; d < cut.count(); ++d)
    labelled.region_names[static_cast<Label>(d + 1)] = cut.domains[to_size(d)].name;
  Index element = 0;
  for_each_kind(labelled, [&](const auto& list, std::vector<Label>& labels) {
    for (std::size_t i = 0; i < list.size(); ++i)
      labels[i] = static_cast<Label>(cut.of_element[to_size(element++)] + 1);
  });
  NamedArray domain{"domain", 1, {}};
  for (const Index d : cut.of_vertex) domain.values.push_back(static_cast<double>(d + 1));
  NamedArray touched{"domains", 1, std::vector<double>(to_size(mesh.element_count()), 1.0)};
  for (Index i = 0; i < std::ssize(cut.coupling); ++i)
    touched.values[to_size(cut.coupling[to_size(i)])] = static_cast<double>(cut.domains_of(i).size());
  return write_vtu(labelled, {{std::move(domain)}, {std::move(touched)}});
}

}  // namespace pliant::cli
