#include "pliant/scene/decompose.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/domain_submesh.hpp"
#include "pliant/scene/body_parts.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

/// Problems of a domain that the scene lists are shown there, others at `model.domains`.
Diagnostics at_domains(Diagnostics list, const BodyText& body) {
  constexpr std::string_view kPrefix = "domain ";
  for (Diagnostic& problem : list) {
    if (!problem.where.file.empty()) continue;
    const std::string inner = problem.where.key;
    const DomainText* listed =
        inner.starts_with(kPrefix) ? listed_domain(body, inner.substr(kPrefix.size())) : nullptr;
    problem.where = listed != nullptr ? listed->where.where : body.tree.domains_where;
    if (listed == nullptr && !inner.empty())
      problem.where.key += (problem.where.key.empty() ? "" : ": ") + inner;
  }
  return list;
}

Result<DomainMap> by_list(const VolumeMesh& mesh, const BodyText& body) {
  Diagnostics problems;
  std::vector<NamedSelection> selections;
  for (const DomainText& domain : body.domains) {
    Result<Selection> parsed = parse_selection(domain.where.expression);
    if (parsed) {
      selections.emplace_back(domain.name, std::move(parsed).value());
      continue;
    }
    for (Diagnostic problem : parsed.errors()) {
      const Index inside = problem.where.column;  // counted from 1 behind the opening quote
      problem.where = domain.where.where;
      if (inside > 0 && problem.where.column > 0) problem.where.column += inside;
      problems.push_back(std::move(problem));
    }
  }
  if (!problems.empty()) return problems;
  return domains_from_selections(mesh, selections);
}

Result<DomainMap> choose(const VolumeMesh& mesh, const ElementGraph& elements, const BodyText& body,
                         std::span<const VertexId> held, Diagnostics& notes) {
  if (body.tree.map) return *body.tree.map;
  if (body.tree.labels) return domains_from_labels(mesh);
  if (!body.tree.automatic) return by_list(mesh, body);
  Result<AutomaticDomains> found = automatic_domains(mesh, elements, *body.tree.automatic, held);
  if (!found) return found.errors();
  notes.insert(notes.end(), found.value().notes.begin(), found.value().notes.end());
  return std::move(found.value().map);
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

Diagnostics check_names(const BodyText& body, const DomainMap& map) {
  Diagnostics problems;
  std::vector<std::string_view> names(map.names.begin(), map.names.end());
  const auto check = [&](const std::string& name, const Location& where) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string near = nearest_word(name, names);
    problems.push_back({ErrorCode::kNotFound, where, "there is no domain \"" + name + "\"",
                        near.empty() ? "pliant decompose lists them" : "did you mean \"" + near + "\"?"});
  };
  if (body.tree.root) check(*body.tree.root, body.tree.root_where);
  if (body.tree.labels || body.tree.automatic || body.tree.map)
    for (const DomainText& domain : body.domains) check(domain.name, domain.name_where);
  return problems;
}

}  // namespace

const DomainText* listed_domain(const BodyText& body, const std::string& name) {
  const auto found = std::find_if(body.domains.begin(), body.domains.end(),
                                  [&](const DomainText& domain) { return domain.name == name; });
  return found != body.domains.end() ? &*found : nullptr;
}

Result<Decomposition> decompose(const VolumeMesh& mesh, const BodyText& body,
                                std::span<const VertexId> held) {
  Decomposition cut;
  cut.elements = element_graph(mesh);
  Result<DomainMap> map = choose(mesh, cut.elements, body, held, cut.notes);
  if (!map) return at_domains(map.errors(), body);
  cut.map = std::move(map).value();
  Diagnostics problems = check_connected(mesh, cut.elements, cut.map);
  if (!problems.empty()) return at_domains(problems, body);
  cut.graph = domain_graph(mesh, cut.elements, cut.map);
  if (body.tree.merge_cycles) merge(mesh, cut);
  problems = check_names(body, cut.map);
  if (!problems.empty()) return problems;
  std::optional<Index> root;
  if (body.tree.root)
    root = std::find(cut.map.names.begin(), cut.map.names.end(), *body.tree.root) - cut.map.names.begin();
  Result<DomainTree> tree = domain_tree(mesh, cut.map, cut.graph, held, root);
  if (!tree) return at_domains(tree.errors(), body);
  cut.tree = std::move(tree).value();
  note_contacts(cut);
  cut.notes = at_domains(std::move(cut.notes), body);
  return cut;
}

std::vector<Index> modes_of_domains(const Decomposition& cut, const BodyText& body) {
  const std::size_t count = cut.map.names.size();
  std::vector<Index> modes(count, body.tree.modes);
  std::vector<std::optional<Index>> own(count);
  for (std::size_t d = 0; d < count; ++d)
    if (const DomainText* listed = listed_domain(body, cut.map.names[d])) own[d] = listed->modes;
  if (body.tree.modes_total) {
    // those with a number of their own have it out of the total, the others share what is left
    const std::vector<Index> sizes = cut.map.sizes();
    std::vector<Index> rest;
    Index left = *body.tree.modes_total;
    for (std::size_t d = 0; d < count; ++d) {
      left -= own[d].value_or(0);
      if (!own[d]) rest.push_back(sizes[d]);
    }
    const std::vector<Index> shares =
        share_modes(rest, std::max<Index>(0, left),
                    body.tree.logarithmic ? Distribution::kLogarithmic : Distribution::kProportional);
    std::size_t next = 0;
    for (std::size_t d = 0; d < count; ++d)
      if (!own[d]) modes[d] = shares[next++];
  }
  for (std::size_t d = 0; d < count; ++d) modes[d] = own[d].value_or(modes[d]);
  return modes;
}

}  // namespace pliant
