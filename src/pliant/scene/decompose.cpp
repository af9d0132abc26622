#include "pliant/scene/decompose.hpp"

#include "pliant/base/text.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/read_cubature.hpp"
#include "pliant/scene/read_training.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// The listed domains and their conditions.
Result<std::vector<NamedSelection>> listed_selections(const BodyText& body) {
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
  return selections;
}

Result<DomainMap> by_list(const VolumeMesh& mesh, const BodyText& body) {
  const Result<std::vector<NamedSelection>> selections = listed_selections(body);
  if (!selections) return selections.errors();
  return domains_from_selections(mesh, selections.value());
}

Result<VertexMap> vertices_by_list(const VolumeMesh& mesh, const BodyText& body) {
  const Result<std::vector<NamedSelection>> selections = listed_selections(body);
  if (!selections) return selections.errors();
  return vertex_map_from_selections(mesh, selections.value());
}

/// Problems that name no domain and no place are of the domains together.
Diagnostics of_domains(Diagnostics list) {
  for (Diagnostic& problem : list)
    if (problem.where.file.empty() && !problem.where.key.starts_with("domain "))
      problem.where.key = "domains" + (problem.where.key.empty() ? "" : ": " + problem.where.key);
  return list;
}

/// Domains that have settings must exist.
Diagnostics check_listed(const BodyText& body, const VertexDomains& cut) {
  std::vector<std::string_view> names;
  names.reserve(cut.domains.size());
  for (const VertexDomain& domain : cut.domains) names.push_back(domain.name);
  Diagnostics problems;
  for (const DomainText& domain : body.domains) {
    if (std::find(names.begin(), names.end(), domain.name) != names.end()) continue;
    const std::string near = nearest_word(domain.name, names);
    problems.push_back(
        {ErrorCode::kNotFound, domain.name_where, "there is no domain \"" + domain.name + "\"",
         near.empty() ? "pliant decompose --vertices lists them" : "did you mean \"" + near + "\"?"});
  }
  return problems;
}

AttachmentSettings attachment_settings(const TreeText& tree) {
  using Kind = AttachmentSettings::Kind;
  AttachmentSettings settings;
  if (tree.attachment) settings.kind = *tree.attachment ? Kind::kAll : Kind::kNone;
  settings.max = tree.attachment_max;
  return settings;
}

TreeInertia inertia_of(const TreeText& tree) {
  if (tree.inertia == "L1") return TreeInertia::kL1;
  return tree.inertia == "L2" ? TreeInertia::kL2 : TreeInertia::kL3;
}

SurfaceBlend blend_of(const TreeText& tree) {
  if (tree.blend == "none") return SurfaceBlend::kNone;
  return tree.blend == "c1" ? SurfaceBlend::kC1 : SurfaceBlend::kC0;
}

DomainTuning tuning_of(const DomainText& domain) {
  return {domain.frequency_scale, domain.mass_damping, domain.stiffness_damping};
}

/// "domain NAME: setting" of "domain 'NAME', setting"; other keys as they are.
std::string plain_key(const std::string& key) {
  constexpr std::string_view kBegin = "domain '";
  const auto end = key.rfind('\'');
  if (!key.starts_with(kBegin) || end < kBegin.size()) return key;
  const std::string rest = key.substr(end + 1);
  return "domain " + key.substr(kBegin.size(), end - kBegin.size()) +
         (rest.starts_with(", ") ? ": " + rest.substr(2) : "");
}

/// Where the scene lists a domain: the place of its condition, or else of its name. Null when it does not.
const Location* place_of_domain(const BodyText& body, const std::string& name) {
  const DomainText* listed = listed_domain(body, name);
  if (listed == nullptr) return nullptr;
  return listed->where.expression.empty() ? &listed->name_where : &listed->where.where;
}

}  // namespace

TreeSpec tree_settings(const BodyText& body) {
  const TreeText& tree = body.tree;
  TreeSpec spec;
  spec.automatic = tree.automatic.value_or(kDefaultDomains);
  spec.merge_cycles = tree.merge_cycles;
  spec.root = tree.root;
  spec.linear_modes = tree.linear_modes;
  spec.modes = tree.modes;
  spec.modes_total = tree.modes_total;
  spec.logarithmic = tree.logarithmic;
  spec.attachment = attachment_settings(tree);
  if (tree.train) spec.training = training_spec(*tree.train);
  spec.inertia = inertia_of(tree);
  spec.blend = blend_of(tree);
  for (const DomainText& domain : body.domains)
    spec.settings.push_back({domain.name, domain.modes, tuning_of(domain)});
  return spec;
}

CoupledSpec coupled_settings(const BodyText& body) {
  const CoupledText& coupled = body.coupled;
  CoupledSpec spec;
  spec.automatic = coupled.automatic.value_or(kDefaultDomains);
  if (coupled.basis == "modes") spec.basis.kind = DomainBasis::kModes;
  if (coupled.basis == "attachment") spec.basis.kind = DomainBasis::kAttachment;
  spec.basis.modes = coupled.modes;
  spec.basis.linear_modes = coupled.linear_modes;
  spec.basis.rings = coupled.rings;
  spec.springs = coupled.springs;
  spec.invertible_coupling = coupled.invertible_coupling;
  if (coupled.scheme == "one-step") spec.scheme = CoupledScheme::kOneStep;
  if (coupled.scheme == "two-step") spec.scheme = CoupledScheme::kTwoStep;
  if (coupled.cubature) spec.cubature = cubature_spec(*coupled.cubature);
  for (const DomainText& domain : body.domains)
    spec.settings.push_back({domain.name, domain.modes, {}, {}, {}, tuning_of(domain), domain.full});
  return spec;
}

const DomainText* listed_domain(const BodyText& body, const std::string& name) {
  const auto found = std::find_if(body.domains.begin(), body.domains.end(),
                                  [&](const DomainText& domain) { return domain.name == name; });
  return found != body.domains.end() ? &*found : nullptr;
}

Diagnostics placed(Diagnostics list, const BodyText& body) {
  const Location* domains = &body.tree.domains_where;
  if (body.model_type == "coupled") domains = &body.coupled.domains_where;
  if (body.model_type == "blended") domains = &body.blended.domains_where;
  return placed(std::move(list), body, *domains);
}

Diagnostics placed(Diagnostics list, const BodyText& body, const Location& domains_where) {
  for (Diagnostic& problem : list) {
    if (!problem.where.file.empty()) continue;
    const std::string key = plain_key(problem.where.key);
    const auto split = key.find(": ");
    const std::string part = key.substr(0, split);
    std::string inner = split == std::string::npos ? "" : key.substr(split + 2);
    const auto named = [&](std::string_view kind) { return part.starts_with(kind); };
    const Location* where = &body.where;
    if (part == "auto" || part == "domains") {  // "auto": of automatic domains
      where = &domains_where;
    } else if (part == "start") {
      where = &body.initial.where;
    } else if (part == "model") {
      where = &body.model_where;
    } else if (part == "root") {
      where = &body.tree.root_where;
    } else if (named("domain ")) {
      where = place_of_domain(body, part.substr(7));
      if (where == nullptr) {
        where = &domains_where;
        inner = key;
      }
    } else if (named("class ")) {
      where = place_of_domain(body, part.substr(6));
      if (where == nullptr || where->file.empty()) where = &body.model_where;
    } else {
      inner = key;
    }
    problem.where = *where;
    if (!inner.empty()) problem.where.key += (problem.where.key.empty() ? "" : ": ") + inner;
  }
  return list;
}

Result<TreeSpec> tree_spec(const BodyText& body, const VolumeMesh& mesh) {
  TreeSpec spec = tree_settings(body);
  if (body.tree.map) {
    spec.domains = body.tree.map;
    return spec;
  }
  if (!body.tree.labels && body.tree.automatic) return spec;
  Result<DomainMap> map = body.tree.labels ? domains_from_labels(mesh) : by_list(mesh, body);
  if (!map) {
    return placed(of_domains(map.errors()), body);
  }
  spec.domains = std::make_shared<const DomainMap>(std::move(map).value());
  return spec;
}

Result<Decomposition> decompose(const VolumeMesh& mesh, const BodyText& body,
                                std::span<const VertexId> held) {
  const Result<TreeSpec> spec = tree_spec(body, mesh);
  if (!spec) return spec.errors();
  Result<Decomposition> cut = decompose(mesh, spec.value(), held);
  if (!cut) return placed(cut.errors(), body);
  cut.value().notes = placed(std::move(cut.value().notes), body);
  return cut;
}

Result<VertexDomains> vertex_domains(const VolumeMesh& mesh, const BodyText& body, const DomainSource& source,
                                     HeldLists held) {
  const auto located_here = [&](Diagnostics problems) {
    return placed(of_domains(std::move(problems)), body, source.domains_where);
  };
  const ElementGraph graph = element_graph(mesh);
  const bool listed = std::any_of(body.domains.begin(), body.domains.end(),
                                  [](const DomainText& domain) { return !domain.where.expression.empty(); });
  Result<VertexDomains> cut = [&]() -> Result<VertexDomains> {
    if (!source.labels && (source.automatic || !listed))
      return automatic_vertex_domains(mesh, graph, source.automatic.value_or(kDefaultDomains), held);
    const Result<VertexMap> map = source.labels ? vertex_map_from_labels(mesh) : vertices_by_list(mesh, body);
    if (!map) return map.errors();
    return vertex_domains(mesh, graph, map.value(), held);
  }();
  if (!cut) return located_here(cut.errors());
  if (Diagnostics problems = check_listed(body, cut.value()); !problems.empty()) return problems;
  cut.value().notes = located_here(std::move(cut.value().notes));
  return cut;
}

Result<CoupledSpec> coupled_spec(const BodyText& body, const VolumeMesh& mesh) {
  CoupledSpec spec = coupled_settings(body);
  if (!body.coupled.labels && body.coupled.automatic) return spec;
  Result<VertexMap> map = body.coupled.labels ? vertex_map_from_labels(mesh) : vertices_by_list(mesh, body);
  if (!map) return placed(of_domains(map.errors()), body);
  spec.domains = std::make_shared<const VertexMap>(std::move(map).value());
  return spec;
}

std::vector<Index> modes_of_domains(const VertexDomains& cut, const BodyText& body) {
  std::vector<Index> modes;
  for (const VertexDomain& domain : cut.domains) {
    const DomainText* listed = listed_domain(body, domain.name);
    modes.push_back(listed != nullptr ? listed->modes.value_or(body.coupled.modes) : body.coupled.modes);
  }
  return modes;
}

std::vector<Index> modes_of_domains(const Decomposition& cut, const BodyText& body) {
  return modes_of_domains(cut, tree_settings(body));
}

}  // namespace pliant
