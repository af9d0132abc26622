#include "pliant/edit/written_scene.hpp"

#include "pliant/edit/scene_text.hpp"
#include "pliant/file/surface_file.hpp"

#include <algorithm>
#include <regex>

namespace pliant::view {
namespace {

Value tree_of(const Value* before, const BodyText& body) {
  Value tree;
  if (before != nullptr && before->find("type") != nullptr && before->find("type")->text == "tree")
    tree = *before;
  for (const char* gone : {"modes_total", "distribution", "root", "merge_cycles"}) drop_member(tree, gone);
  set_member(tree, "type", text_value("tree"));
  set_member(tree, "linear_modes", integer_value(body.tree.linear_modes));
  Value labels;
  set_member(labels, "from", text_value("labels"));
  set_member(tree, "domains", std::move(labels));
  return tree;
}

void change_material(Value& owner, const Material& material) {
  Value* table = find_member(owner, "material");
  if (table == nullptr) {
    set_member(owner, "material", Value{});
    table = find_member(owner, "material");
  }
  set_member(*table, "young", number_value(material.young));
  set_member(*table, "density", number_value(material.density));
}

/// Writes edited materials. Groups are the body's own material, its regions, then classes with their own one.
void change_materials(Value& table, const BodyText& body, const std::vector<Material>& before,
                      const std::vector<Material>& after) {
  Value* regions = find_member(table, "region");
  Value* classes = find_member(table, "class");
  for (std::size_t g = 0; g < std::min(before.size(), after.size()); ++g) {
    if (before[g].young == after[g].young && before[g].density == after[g].density) continue;
    if (g == 0) {
      change_material(table, after[g]);
    } else if (g <= body.regions.size()) {
      if (regions != nullptr && g - 1 < regions->items.size())
        change_material(regions->items[g - 1], after[g]);
    } else if (classes != nullptr) {
      for (std::size_t c = 0; c < std::min(classes->items.size(), body.assembly.classes.size()); ++c)
        if (body.assembly.classes[c].material == before[g]) change_material(classes->items[c], after[g]);
    }
  }
}

void change_tuning(Value& table, const std::vector<std::pair<std::string, DomainTuning>>& tuning) {
  if (find_member(table, "domain") == nullptr) {
    Value empty;
    empty.kind = Value::Kind::kArray;
    set_member(table, "domain", std::move(empty));
  }
  std::vector<Value>& list = find_member(table, "domain")->items;
  for (const auto& edit : tuning) {
    const std::string& name = edit.first;
    const DomainTuning& values = edit.second;
    auto found = std::find_if(list.begin(), list.end(), [&](const Value& item) {
      return item.find("name") != nullptr && item.find("name")->text == name;
    });
    const bool damped = values.mass_damping || values.stiffness_damping;
    if (found == list.end()) {
      if (values.frequency_scale == 1.0 && !damped) continue;
      Value one;
      set_member(one, "name", text_value(name));
      found = list.insert(list.end(), std::move(one));
    }
    if (found->find("frequency_scale") != nullptr || values.frequency_scale != 1.0)
      set_member(*found, "frequency_scale", number_value(values.frequency_scale));
    drop_member(*found, "damping");
    if (!damped) continue;
    Value damping;
    if (values.mass_damping) set_member(damping, "mass", number_value(*values.mass_damping));
    if (values.stiffness_damping) set_member(damping, "stiffness", number_value(*values.stiffness_damping));
    set_member(*found, "damping", std::move(damping));
  }
  if (list.empty()) drop_member(table, "domain");
}

const Wind* wind_in(const BodyText& body) {
  for (const LoadText& load : body.loads)
    if (const auto* wind = std::get_if<Wind>(&load.what)) return wind;
  return nullptr;
}

void change_wind(Value& table, const BodyText& before, const BodyText& after) {
  const Wind* old = wind_in(before);
  const Wind* now = wind_in(after);
  const bool same_tables =
      std::equal(before.loads.begin(), before.loads.end(), after.loads.begin(), after.loads.end(),
                 [](const LoadText& a, const LoadText& b) { return a.table.t == b.table.t; });
  if (old == now || (old != nullptr && now != nullptr && old->velocity == now->velocity &&
                     old->gust == now->gust && old->gust_period == now->gust_period && same_tables))
    return;
  Value* loads = find_member(table, "load");
  if (now == nullptr) {
    std::erase_if(loads->items, [](const Value& load) { return load.find("wind") != nullptr; });
    if (loads->items.empty()) drop_member(table, "load");
    return;
  }
  if (loads == nullptr) {
    Value empty;
    empty.kind = Value::Kind::kArray;
    set_member(table, "load", std::move(empty));
    loads = find_member(table, "load");
  }
  if (old == nullptr) {
    Value load;
    set_member(load, "wind", Value{});
    loads->items.push_back(std::move(load));
  }
  for (Value& load : loads->items) {
    Value* wind = find_member(load, "wind");
    if (wind == nullptr) continue;
    set_member(*wind, "velocity", vector_value(now->velocity));
    if (wind->find("gust") != nullptr || now->gust > 0.0) set_member(*wind, "gust", number_value(now->gust));
    if (wind->find("gust_period") != nullptr || now->gust_period != Wind{}.gust_period)
      set_member(*wind, "gust_period", number_value(now->gust_period));
    drop_member(load, "table");
  }
}

void change_simulation(Value& root, const SceneChanges& changes) {
  Value* simulation = find_member(root, "simulation");
  if (simulation == nullptr) return;
  if (changes.dt) set_member(*simulation, "dt", number_value(*changes.dt));
  if (changes.gravity) set_member(*simulation, "gravity", vector_value(*changes.gravity));
  if (!changes.damping) return;
  if (find_member(*simulation, "damping") == nullptr) set_member(*simulation, "damping", Value{});
  Value* damping = find_member(*simulation, "damping");
  set_member(*damping, "mass", number_value(changes.damping->first));
  set_member(*damping, "stiffness", number_value(changes.damping->second));
}

/// Writes detachments by the user as events at the time when they happened.
void add_detachments(Value& root, const SceneDescription& scene, const std::vector<Detachment>& detached) {
  for (const Detachment& one : detached) {
    if (one.body >= scene.bodies.size() || scene.bodies[one.body].tree.map) continue;
    if (find_member(root, "event") == nullptr) {
      Value empty;
      empty.kind = Value::Kind::kArray;
      set_member(root, "event", std::move(empty));
    }
    Value event;
    set_member(event, "t", number_value(one.time));
    if (scene.bodies.size() > 1) set_member(event, "body", text_value(scene.bodies[one.body].name));
    set_member(event, "detach", text_value(one.domain));
    find_member(root, "event")->items.push_back(std::move(event));
  }
}

bool names_files(const Member& member) {
  return member.name == "mesh" || member.name == "surface" || member.name == "file" ||
         member.name == "sketch" || member.name == "instances" || member.name == "shapes";
}

/// Whether any text in the value that may be a selection mentions `label`.
bool selects_by_label(const Value& value) {
  static const std::regex asks(R"(\blabel\b)");
  if (value.kind == Value::Kind::kText && std::regex_search(value.text, asks)) return true;
  return std::any_of(value.items.begin(), value.items.end(), selects_by_label) ||
         std::any_of(value.members.begin(), value.members.end(), [](const Member& member) {
           return !names_files(member) && member.name != "name" && member.name != "domain" &&
                  member.name != "model" && selects_by_label(member.value);
         });
}

/// Rewrites relative paths in a table from one folder to another.
void move_paths(Value& value, const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto move = [&](Value& path) {
    if (path.kind != Value::Kind::kText || std::filesystem::path(path.text).is_absolute()) return;
    path.text = (from / path.text).lexically_normal().lexically_relative(to).generic_string();
  };
  for (Member& member : value.members) {
    if (names_files(member)) {
      move(member.value);
      if (member.name == "shapes")
        for (Value& item : member.value.items) move(item);
    }
    move_paths(member.value, from, to);
  }
  for (Value& item : value.items) move_paths(item, from, to);
}

}  // namespace

Result<WrittenScene> write_edited_scene(const SceneDescription& scene, const SceneChanges& changes,
                                        const std::filesystem::path& file) {
  const Result<Value> parsed = parse_toml(scene.source, scene.file.string());
  if (!parsed) return parsed.errors();
  const Result<SceneDescription> described = read_scene(scene.source, scene.file);
  if (!described) return described.errors();
  Value root = parsed.value();
  change_simulation(root, changes);
  add_detachments(root, scene, changes.detached);
  WrittenScene written;
  Value* bodies = find_member(root, "body");
  for (std::size_t b = 0; bodies != nullptr && b < std::min(bodies->items.size(), scene.bodies.size()); ++b) {
    Value& table = bodies->items[b];
    const BodyText& body = scene.bodies[b];
    const BodyText& before = described.value().bodies[b];
    if (body.tree.map || body.modal.pulls) {
      written.left_out = true;
    } else if (body.model_type != before.model_type) {
      Value model;
      set_member(model, "type", text_value(body.model_type));
      set_member(table, "model", std::move(model));
    }
    if (b < changes.materials.size()) change_materials(table, body, changes.before[b], changes.materials[b]);
    if (b < changes.tuning.size() && !body.tree.map) change_tuning(table, changes.tuning[b]);
    change_wind(table, before, body);
    if (body.modal.modes_used == before.modal.modes_used || body.modal.pulls) continue;
    if (Value* model = find_member(table, "model")) {
      drop_member(*model, "modes_used");
      if (body.modal.modes_used) set_member(*model, "modes_used", integer_value(*body.modal.modes_used));
    }
  }
  const auto folder = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).parent_path().lexically_normal();
  };
  if (folder(file) != folder(scene.file)) move_paths(root, folder(scene.file), folder(file));
  written.text = edit_toml(scene.source, parsed.value(), root);
  // The result must be a valid scene.
  const Result<SceneDescription> back = read_scene(written.text, file);
  if (!back) return back.errors();
  return written;
}

Result<std::string> write_cut_scene(const std::string& text, const std::filesystem::path& file, std::size_t b,
                                    const BodyText& body, const std::string& mesh_file) {
  const Result<Value> parsed = parse_toml(text, file.string());
  if (!parsed) return parsed.errors();
  Value root = parsed.value();
  Value* bodies = find_member(root, "body");
  if (bodies == nullptr || b >= bodies->items.size())
    return Diagnostic{ErrorCode::kNotFound, {}, "the scene file does not list this body", ""};
  Value& table = bodies->items[b];
  if (selects_by_label(table))
    return Diagnostic{ErrorCode::kUnsupported,
                      {},
                      "the scene selects parts of this body by their label, and labels would be domains then",
                      "select by place (x, y, z) instead, then write the cut"};
  // The surface from which the body was filled is still drawn.
  if (body.mesh && is_surface_file(*body.mesh) && table.find("surface") == nullptr)
    set_member(table, "surface", text_value(*body.mesh));
  set_member(table, "model", tree_of(table.find("model"), body));
  for (const char* gone : {"mesh", "generate", "mesher", "domain"}) drop_member(table, gone);
  set_member(table, "mesh", text_value(mesh_file));
  Value domains;
  domains.kind = Value::Kind::kArray;
  for (const DomainText& domain : body.domains) {
    Value one;
    set_member(one, "name", text_value(domain.name));
    if (domain.modes) set_member(one, "modes", integer_value(*domain.modes));
    domains.items.push_back(std::move(one));
  }
  set_member(table, "domain", std::move(domains));
  std::vector<std::pair<std::string, DomainTuning>> tuning;
  tuning.reserve(body.domains.size());
  for (const DomainText& domain : body.domains)
    tuning.emplace_back(domain.name,
                        DomainTuning{domain.frequency_scale, domain.mass_damping, domain.stiffness_damping});
  change_tuning(table, tuning);
  std::string written = edit_toml(text, parsed.value(), root);
  const Result<SceneDescription> back = read_scene(written, file);
  if (!back) return back.errors();
  for (const EventText& event : back.value().events) {
    if (!event.domain || (event.body ? *event.body != body.name : back.value().bodies.size() > 1)) continue;
    if (std::none_of(body.domains.begin(), body.domains.end(),
                     [&](const DomainText& domain) { return domain.name == *event.domain; }))
      return Diagnostic{
          ErrorCode::kInconsistent,
          {},
          "an event of the scene is of domain \"" + *event.domain + "\", which this cut does not have",
          "give a domain of the cut that name, or take the event out of the scene"};
  }
  return written;
}

}  // namespace pliant::view
