#include "pliant/scene/read_tree.hpp"

#include "pliant/scene/access.hpp"
#include "pliant/scene/read_look.hpp"
#include "pliant/scene/read_training.hpp"

#include <algorithm>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

/// The place of a member if the user wrote it, or else of the table that should contain it.
Location place(const Value& table, const std::string& path, std::string_view key, const std::string& file) {
  const Value* value = table.find(key);
  const Value& at = value != nullptr && value->line > 0 ? *value : table;
  return {file, at.line, at.column, path + "." + std::string(key)};
}

}  // namespace

DomainSource read_domain_source(const Value& table, const std::string& path, const std::string& file,
                                Diagnostics& problems) {
  DomainSource source;
  source.domains_where = place(table, path, "domains", file);
  const Value* domains = table.find("domains");
  if (domains == nullptr) return source;
  source.labels = word(*domains, "from") == "labels";
  source.automatic = optional_integer(*domains, "auto");
  if (domains->has("from") == domains->has("auto"))
    problems.push_back({ErrorCode::kInconsistent, source.domains_where,
                        domains->has("from") ? "has both `from` and `auto`" : "is empty",
                        "take domains = { from = \"labels\" } or domains = { auto = 8 }"});
  return source;
}

TreeText read_tree(const Value& table, const std::string& path, const std::string& file,
                   Diagnostics& problems) {
  TreeText tree;
  const auto add = [&](std::string_view key, std::string what, std::string remedy) {
    problems.push_back(
        {ErrorCode::kInconsistent, place(table, path, key, file), std::move(what), std::move(remedy)});
  };
  tree.linear_modes = optional_integer(table, "linear_modes").value_or(tree.linear_modes);
  tree.modes = optional_integer(table, "modes").value_or(tree.modes);
  tree.modes_total = optional_integer(table, "modes_total");
  tree.logarithmic = word(table, "distribution") == "log";
  if (const Value* attachment = table.find("attachment"); attachment != nullptr)
    if (attachment->kind != Value::Kind::kText) tree.attachment = attachment->boolean;
  tree.attachment_max = optional_integer(table, "attachment_max").value_or(tree.attachment_max);
  tree.train = read_training(table, path, file, {}, problems);
  if (tree.train && tree.train->error)
    add("train", "has an `error`, but the domains of a tree share no number of shapes to be chosen",
        "leave it out; pliant build prints the error to expect");
  if (table.has("inertia")) tree.inertia = word(table, "inertia");
  if (table.has("blend")) tree.blend = word(table, "blend");
  if (const Value* flag = table.find("merge_cycles")) tree.merge_cycles = flag->boolean;
  tree.root = optional_word(table, "root");
  tree.root_where = place(table, path, "root", file);
  static_cast<DomainSource&>(tree) = read_domain_source(table, path, file, problems);
  if (tree.modes_total && table.has("modes"))
    add("modes_total", "stands beside `modes`", "keep one of the two; a domain may have its own `modes`");
  if (table.has("distribution") && !tree.modes_total)
    add("distribution", "has nothing to share out", "give modes_total, or leave it out");
  return tree;
}

DomainText read_domain(const Value& table, const std::string& path, const std::string& file,
                       Diagnostics& problems) {
  DomainText domain;
  domain.name = word(table, "name");
  domain.name_where = place(table, path, "name", file);
  domain.where.where = place(table, path, "where", file);
  domain.where.expression = word(table, "where");
  domain.modes = optional_integer(table, "modes");
  if (const Value* full = table.find("full")) domain.full = full->boolean;
  domain.full_where = place(table, path, "full", file);
  if (domain.full && domain.modes)
    problems.push_back({ErrorCode::kInconsistent, place(table, path, "modes", file),
                        "counts the shapes of a domain that stays unreduced", "leave it out"});
  domain.frequency_scale = number(table, "frequency_scale", 1.0);
  if (const Value* damping = table.find("damping")) {
    domain.mass_damping = optional_number(*damping, "mass");
    domain.stiffness_damping = optional_number(*damping, "stiffness");
  }
  domain.look = read_look(table, path, file, problems);
  const Value* name = table.find("name");
  if (name != nullptr && name->kind == Value::Kind::kText && name->text.empty())
    problems.push_back(
        {ErrorCode::kOutOfRange, domain.name_where, "must not be empty", "e.g. name = \"stem\""});
  const Value* where = table.find("where");
  if (where != nullptr && where->kind == Value::Kind::kText && where->text.empty())
    problems.push_back({ErrorCode::kSyntax, domain.where.where, "is empty", "e.g. \"x < 0.25\""});
  return domain;
}

void read_domain_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                       Diagnostics& problems) {
  const auto add = [&](ErrorCode code, std::string_view key, std::string what, std::string remedy) {
    problems.push_back({code, place(table, path, key, file), std::move(what), std::move(remedy)});
  };
  const Value* set = table.find("set");
  if (set != nullptr) {
    event.frequency_scale = optional_number(*set, "frequency_scale");
    if (const Value* damping = set->find("damping")) {
      event.mass_damping = optional_number(*damping, "mass");
      event.stiffness_damping = optional_number(*damping, "stiffness");
    }
  }
  const bool tunes = event.frequency_scale || event.mass_damping || event.stiffness_damping;
  const bool materials = event.young || event.poisson || event.density;
  if (const auto domain = optional_word(table, "domain")) {
    event.domain = domain;
    event.domain_where = place(table, path, "domain", file);
    if (materials || !tunes)
      add(ErrorCode::kInconsistent, "domain", "goes with set = { frequency_scale = ..., damping = ... } only",
          "materials are set per region");
  } else if (tunes) {
    add(ErrorCode::kMissing, "domain", "is missing", "which domain has the new frequency_scale or damping?");
  }
  if (const auto domain = optional_word(table, "detach")) {
    event.detach = true;
    event.domain = domain;
    event.domain_where = place(table, path, "detach", file);
  }
  if (const Value* replace = table.find("replace")) {
    event.domain = word(*replace, "domain");
    event.replace_class = word(*replace, "class");
    event.domain_where = place(*replace, path + ".replace", "domain", file);
  }
  if (static_cast<int>(table.has("domain")) + static_cast<int>(table.has("detach")) +
          static_cast<int>(table.has("replace")) >
      1)
    add(ErrorCode::kInconsistent, table.has("replace") ? "replace" : "detach",
        "is one of several changes of a domain", "write an [[event]] for each");
}

void read_cut_event(const Value& table, const std::string& path, const std::string& file, EventText& event,
                    Diagnostics& problems) {
  const Value* cut = table.find("cut");
  if (cut == nullptr) return;
  const std::string inner = path + ".cut";
  const auto fail = [&](std::string_view key, std::string what, std::string remedy) {
    const bool of_cut = key != "cut";
    problems.push_back({ErrorCode::kInconsistent,
                        of_cut ? place(*cut, inner, key, file) : place(table, path, key, file),
                        std::move(what), std::move(remedy)});
  };
  event.where = place(table, path, "cut", file);
  for (const char* other : {"gravity", "set", "detach", "replace"})
    if (table.has(other))
      fail("cut", "stands beside `" + std::string(other) + "`", "write an [[event]] for each");
  const Value* blade = cut->find("blade");
  const bool plane = cut->has("point") || cut->has("normal");
  if ((blade != nullptr) == plane)
    return fail("cut", "is either a plane or a blade",
                "give point and normal, or blade = { from, to, direction, length }");
  if (blade != nullptr) {
    event.cut = blade_cut(vector(*blade, "from"), vector(*blade, "to"), vector(*blade, "direction"),
                          number(*blade, "length"));
    if (!event.cut)
      fail("blade", "sweeps no area", "its direction must not be along it, nor any length be 0");
    return;
  }
  if (!cut->has("point") || !cut->has("normal"))
    return fail("cut", "needs both `point` and `normal`",
                "e.g. cut = { point = [0.5, 0, 0], normal = [1, 0, 0] }");
  event.cut = plane_cut(vector(*cut, "point"), vector(*cut, "normal"));
  if (!event.cut) fail("normal", "has no direction", "give a vector that is not zero");
}

void check_domains(BodyText& body, DomainSource& source, std::string_view chosen, Diagnostics& problems) {
  const bool found = source.labels || source.automatic;
  const bool listed = std::any_of(body.domains.begin(), body.domains.end(),
                                  [](const DomainText& domain) { return !domain.where.expression.empty(); });
  if (!found && !listed) source.automatic = kDefaultDomains;
  for (std::size_t i = 0; i < body.domains.size(); ++i) {
    const DomainText& domain = body.domains[i];
    if (domain.full && body.model_type != "coupled")
      problems.push_back({ErrorCode::kUnsupported, domain.full_where, "belongs to model = \"coupled\"",
                          "leave it out, or take that model"});
    if (found && !domain.where.expression.empty())
      problems.push_back({ErrorCode::kInconsistent, domain.where.where, "stands beside `model.domains`",
                          "keep one of the two; without `where` the entry has settings for that domain"});
    if (!found && listed && domain.where.expression.empty())
      problems.push_back({ErrorCode::kMissing, domain.where.where, "is missing",
                          "a selection of " + std::string(chosen) + ", e.g. \"x < 0.25\""});
    for (std::size_t j = 0; j < i; ++j) {
      if (domain.name.empty() || domain.name != body.domains[j].name) continue;
      problems.push_back({ErrorCode::kInconsistent, domain.name_where,
                          "\"" + domain.name + "\" is the name of an earlier domain",
                          "give each domain its own name"});
      break;
    }
  }
}

}  // namespace pliant
