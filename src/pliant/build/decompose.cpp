#include "pliant/build/decompose.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domains/domain_submesh.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kFewestVertices = 8;  // that move by themselves, in a domain found automatically
constexpr double kWide = 1.0;         // width of a joint over the length of its domain

/// Problems that name no domain are of the domains together.
Diagnostics of_domains(Diagnostics list) {
  for (Diagnostic& problem : list)
    if (!problem.where.key.starts_with("domain "))
      problem.where.key = "domains" + (problem.where.key.empty() ? "" : ": " + problem.where.key);
  return list;
}

std::string pair_text(const DomainMap& map, const std::array<Index, 2>& pair) {
  return "\"" + map.names[to_size(pair[0])] + "\" and \"" + map.names[to_size(pair[1])] + "\"";
}

void merge(const VolumeMesh& mesh, Decomposition& cut) {
  const auto cycles = domain_cycles(cut.graph, cut.map.count());
  if (cycles.empty()) return;
  const Index before = cut.map.count();
  cut.map = merge_cycles(cut.map, cycles);
  cut.graph = domain_graph(mesh, cut.elements, cut.map);
  cut.notes.push_back({ErrorCode::kInconsistent,
                       {"", 0, 0, "merge_cycles"},
                       text(before) + " domains became " + text(cut.map.count()) + ", as some form rings",
                       ""});
}

/// What works, but perhaps not as its author thought.
void note_contacts(Decomposition& cut) {
  for (const DomainInterface& interface : cut.graph.interfaces)
    if (interface.patches > 1)
      cut.notes.push_back({ErrorCode::kInconsistent,
                           {},
                           pair_text(cut.map, interface.domains) + " meet in " + text(interface.patches) +
                               " separate places, which will move as one",
                           "cut elsewhere, or make them one domain"});
  if (cut.graph.touching.empty()) return;
  cut.notes.push_back(
      {ErrorCode::kInconsistent,
       {},
       pair_text(cut.map, cut.graph.touching.front()) +
           (cut.graph.touching.size() > 1 ? " and " + text(std::ssize(cut.graph.touching) - 1) +
                                                " more pairs touch in edges or vertices only"
                                          : " touch in an edge or a vertex only"),
       "they do not hold one another there"});
}

/// `before`: domains that were there before some became one.
Diagnostics check_names(const TreeSpec& spec, const DomainMap& map, const std::vector<std::string>& before) {
  Diagnostics problems;
  std::vector<std::string_view> names(map.names.begin(), map.names.end());
  const auto check = [&](const std::string& name, std::string key) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string near = nearest_word(name, names);
    problems.push_back({ErrorCode::kNotFound,
                        {{}, 0, 0, std::move(key)},
                        "there is no domain \"" + name + "\"",
                        near.empty() ? "pliant decompose lists them" : "did you mean \"" + near + "\"?"});
  };
  if (spec.root) check(*spec.root, "root");
  names.insert(names.end(), before.begin(), before.end());
  for (const DomainSpec& domain : spec.settings) check(domain.name, "domain " + domain.name);
  return problems;
}

Result<Decomposition> decompose_once(const VolumeMesh& mesh, const TreeSpec& spec,
                                     std::span<const VertexId> held) {
  Decomposition cut;
  cut.elements = element_graph(mesh);
  if (spec.domains) {
    cut.map = *spec.domains;
  } else {
    Result<AutomaticDomains> found = automatic_domains(mesh, cut.elements, spec.automatic, held);
    if (!found) return of_domains(found.errors());
    cut.map = std::move(found.value().map);
    cut.notes = std::move(found.value().notes);
  }
  Diagnostics problems = check_connected(mesh, cut.elements, cut.map);
  if (!problems.empty()) return of_domains(problems);
  cut.graph = domain_graph(mesh, cut.elements, cut.map);
  const std::vector<std::string> before = cut.map.names;
  if (spec.merge_cycles) merge(mesh, cut);
  problems = check_names(spec, cut.map, before);
  if (!problems.empty()) return problems;
  std::optional<Index> root;
  if (spec.root)
    root = std::find(cut.map.names.begin(), cut.map.names.end(), *spec.root) - cut.map.names.begin();
  Result<DomainTree> tree = domain_tree(mesh, cut.map, cut.graph, held, root);
  if (!tree) return of_domains(tree.errors());
  cut.tree = std::move(tree).value();
  note_contacts(cut);
  cut.notes = of_domains(std::move(cut.notes));
  return cut;
}

/// Whether a domain has hardly a vertex that can move by itself: the others are held, or move with the joint.
bool has_stiff_domain(const VolumeMesh& mesh, const Decomposition& cut, std::span<const VertexId> held) {
  std::vector<std::vector<VertexId>> moving(cut.map.names.size());
  for (Index e = 0; e < mesh.element_count(); ++e) {
    auto& own = moving[to_size(cut.map.of_element[to_size(e)])];
    const auto vertices = element_vertices(mesh, e);
    own.insert(own.end(), vertices.begin(), vertices.end());
  }
  for (std::size_t d = 0; d < moving.size(); ++d) {
    std::vector<VertexId>& own = moving[d];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    const Index joint = cut.tree.interface[d];
    const std::span<const VertexId> fixed =
        joint < 0 ? held : std::span<const VertexId>(cut.graph.interfaces[to_size(joint)].vertices);
    std::erase_if(own, [&](VertexId v) { return std::binary_search(fixed.begin(), fixed.end(), v); });
    if (std::ssize(own) < kFewestVertices) return true;
  }
  return false;
}

void note_fewer(Index asked, Decomposition& cut) {
  std::erase_if(cut.notes, [](const Diagnostic& note) { return note.where.key == "domains: auto"; });
  cut.notes.push_back({ErrorCode::kInconsistent,
                       {"", 0, 0, "domains: auto"},
                       "only " + text(cut.map.count()) + " of " + text(asked) +
                           " domains: with more, one would have hardly a vertex that can move by itself",
                       "refine the mesh, or choose the domains by selections"});
}

/// A joint holds the face of its child rigid. That makes stubby domains too stiff: where the face is not
/// small beside the length of what hangs on it.
void note_wide_joints(const VolumeMesh& mesh, Decomposition& cut) {
  std::vector<double> volume(cut.map.names.size(), 0.0);
  const VectorX volumes = element_volumes(mesh);
  for (Index e = 0; e < mesh.element_count(); ++e)
    volume[to_size(cut.map.of_element[to_size(e)])] += volumes[e];
  struct Wide {
    std::size_t domain;
    double width, length;
  };
  std::vector<Wide> wide;
  for (std::size_t d = 0; d < volume.size(); ++d) {
    const Index joint = cut.tree.interface[d];
    if (joint < 0) continue;
    const double area = cut.graph.interfaces[to_size(joint)].area;
    const double width = 2.0 * std::sqrt(area / std::numbers::pi), length = volume[d] / area;
    if (width > kWide * length) wide.push_back({d, width, length});
  }
  if (wide.empty()) return;
  const Wide worst = *std::max_element(wide.begin(), wide.end(), [](const Wide& a, const Wide& b) {
    return a.width * b.length < b.width * a.length;
  });
  cut.notes.push_back(
      {ErrorCode::kInconsistent,
       {"", 0, 0, "domains"},
       text(std::ssize(wide)) + " of " + text(cut.map.count() - 1) + " joints are wide: \"" +
           cut.map.names[worst.domain] + "\" is held across " + short_text(worst.width) + " m and is " +
           short_text(worst.length) +
           " m long; a joint keeps its face rigid, so the first frequencies come out some percent too high",
       "use fewer or longer domains, or modal; pliant modes shows the frequencies of each"});
}

}  // namespace

Result<Decomposition> decompose(const VolumeMesh& mesh, const TreeSpec& spec,
                                std::span<const VertexId> held) {
  TreeSpec tried = spec;
  for (;;) {
    Result<Decomposition> found = decompose_once(mesh, tried, held);
    if (!found) return found;
    Decomposition& cut = found.value();
    if (!spec.domains && cut.map.count() > 1 && has_stiff_domain(mesh, cut, held)) {
      tried.automatic = cut.map.count() - 1;
      continue;
    }
    if (tried.automatic < spec.automatic) note_fewer(spec.automatic, cut);
    note_wide_joints(mesh, cut);
    return found;
  }
}

std::vector<Index> modes_of_domains(const Decomposition& cut, const TreeSpec& spec) {
  const std::size_t count = cut.map.names.size();
  std::vector<Index> modes(count, spec.modes);
  std::vector<std::optional<Index>> own(count);
  for (std::size_t d = 0; d < count; ++d)
    if (const DomainSpec* listed = spec.find(cut.map.names[d])) own[d] = listed->modes;
  if (spec.modes_total) {
    // those with a number of their own have it out of the total, the others share what is left
    const std::vector<Index> sizes = cut.map.sizes();
    std::vector<Index> rest;
    Index left = *spec.modes_total;
    for (std::size_t d = 0; d < count; ++d) {
      left -= own[d].value_or(0);
      if (!own[d]) rest.push_back(sizes[d]);
    }
    const std::vector<Index> shares =
        share_modes(rest, std::max<Index>(0, left),
                    spec.logarithmic ? Distribution::kLogarithmic : Distribution::kProportional);
    std::size_t next = 0;
    for (std::size_t d = 0; d < count; ++d)
      if (!own[d]) modes[d] = shares[next++];
  }
  for (std::size_t d = 0; d < count; ++d) modes[d] = own[d].value_or(modes[d]);
  return modes;
}

}  // namespace pliant
