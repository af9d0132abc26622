#include "pliant/base/atomic_file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/access.hpp"
#include "pliant/scene/description.hpp"
#include "pliant/scene/read_assembly.hpp"
#include "pliant/scene/read_blended.hpp"
#include "pliant/scene/read_contact.hpp"
#include "pliant/scene/read_coupled.hpp"
#include "pliant/scene/read_loads.hpp"
#include "pliant/scene/read_look.hpp"
#include "pliant/scene/read_modal.hpp"
#include "pliant/scene/read_tree.hpp"
#include "pliant/scene/schema.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

/// Turns the checked tree into a description, and reports problems that concern several keys at once.
class Reader : public Reading {
 public:
  Reader(std::string file, const Overrides& overrides) : Reading(std::move(file)), overrides_(overrides) {}

  void scene(const Value& root, SceneDescription& scene) {
    static const Value none;
    const Value* simulation_table = root.find("simulation");
    simulation(simulation_table != nullptr ? *simulation_table : none, scene);
    if (const Value* output = root.find("output")) {
      scene.output.fps = number(*output, "fps", 30.0);
      scene.output.every = optional_integer(*output, "every");
      scene.output.volume = word(*output, "frames") == "volume";
    }
    const auto& bodies = tables(root, "body");
    for (std::size_t i = 0; i < bodies.size(); ++i)
      scene.bodies.push_back(body(bodies[i], indexed("body", i)));
    unique_names(scene.bodies, "body");
    const auto& events = tables(root, "event");
    for (std::size_t i = 0; i < events.size(); ++i) event(events[i], indexed("event", i), scene);
    const auto& probes = tables(root, "probe");
    for (std::size_t i = 0; i < probes.size(); ++i) probe(probes[i], indexed("probe", i), scene);
    unique_names(scene.probes, "probe");
    read_contact(root, *this, scene);
    unique_names(scene.obstacles, "obstacle");
  }

 private:
  void simulation(const Value& table, SceneDescription& scene) {
    StepSettings& step = scene.step;
    step.integrator = integrator_of(word(table, "integrator"));
    scene.integrator_given = table.has("integrator");
    scene.substeps = optional_integer(table, "substeps").value_or(1);
    if (const Value* newton = table.find("newton")) {
      step.newton_iterations = static_cast<int>(number(*newton, "iterations", 20));
      step.newton_tolerance = number(*newton, "tolerance", 1e-9);
    }
    if (const Value* damping = table.find("damping")) {
      step.mass_damping = number(*damping, "mass");
      step.stiffness_damping = number(*damping, "stiffness");
      step.damping_stiffness =
          word(*damping, "stiffness_at") == "rest" ? DampingStiffness::kRest : DampingStiffness::kTangent;
    }
    scene.gravity = vector(table, "gravity");
    scene.dt = optional_number(table, "dt");
    scene.duration = overrides_.duration ? overrides_.duration : optional_number(table, "duration");
    scene.simulation_where = place(table, "simulation");
    if (!overrides_.needs_time) {
      scene.dt = scene.dt.value_or(1e-3);
      scene.duration = scene.duration.value_or(0.0);
    }
    if (step.integrator == Integrator::kStatic || table.line == 0) return;
    if (!scene.dt)
      add(ErrorCode::kMissing, place(table, "simulation.dt"), "is missing",
          "dynamics needs a time step in s, e.g. dt = 0.004; or integrator = \"static\"");
    if (!scene.duration)
      add(ErrorCode::kMissing, place(table, "simulation.duration"), "is missing",
          "how many seconds to simulate");
    if (scene.dt && scene.duration && *scene.dt > 0.0 && std::isfinite(*scene.duration) &&
        !(*scene.duration / *scene.dt < 1e9))
      add(ErrorCode::kLimit, place(table, "simulation", "duration"), "takes more than 1e9 steps",
          "raise dt or lower duration");
  }

  template <class Named>
  void unique_names(const std::vector<Named>& list, const std::string& what) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name.empty()) continue;
      const auto [known, is_new] = first.try_emplace(list[i].name, i);
      if (is_new) continue;
      add(ErrorCode::kInconsistent, list[i].name_where,
          "\"" + list[i].name + "\" is also the name of " + indexed(what, known->second),
          "give each " + what + " its own name");
    }
  }
  std::string name(const Value& table, const std::string& path) {
    const Value* value = table.find("name");
    if (value != nullptr && value->kind == Value::Kind::kText && value->text.empty())
      add(ErrorCode::kOutOfRange, place(*value, path + ".name"), "must not be empty", "e.g. name = \"beam\"");
    return value != nullptr ? value->text : std::string();
  }

  Material material(const Value& table, const std::string& path) {
    Material m;
    const Result<Law> law = parse_law(word(table, "law"));
    if (law) m.law = law.value();
    m.young = number(table, "young", m.young);
    m.poisson = number(table, "poisson", m.poisson);
    m.density = number(table, "density", m.density);
    const Value* invertible = table.find("invertible");
    m.invertible = invertible != nullptr && invertible->boolean;
    m.inversion_threshold = number(table, "inversion_threshold");
    m.quadrature = static_cast<int>(optional_integer(table, "quadrature").value_or(0));
    for (Diagnostic problem : check(m)) {
      const std::string key = problem.where.key;
      if (schema_reported(table, key)) continue;
      if (key == "quadrature")  // 0 is not a value that a scene can give
        problem = {problem.code,
                   {},
                   "must be 4 or 14, got " + pliant::text(Index{m.quadrature}),
                   "leave it out to take as many as the law needs"};
      problem.where = place(table, path, key);
      problems.push_back(std::move(problem));
    }
    return m;
  }
  /// Whether the schema has already checked the range of this key: the material's check would repeat it.
  [[nodiscard]] static bool schema_reported(const Value& table, const std::string& key) {
    if (key == "quadrature") {
      const Value* points = table.find(key);
      return points != nullptr && !(points->number >= 4 && points->number <= 14);
    }
    return (key == "young" || key == "poisson" || key == "density") && table.find(key) != nullptr;
  }

  BodyText body(const Value& table, const std::string& path) {
    BodyText body;
    body.where = place(table, path);
    body.name = name(table, path);
    body.name_where = place(table, path, "name");
    shape(table, path, body);
    body.assembly = read_assembly(
        table, path, file(),
        {[this](const Value& part, const std::string& at, BodyText& out) { shape(part, at, out); },
         [this](const Value& part, const std::string& at) { return material(part, at); }},
        problems);
    if (const Value* m = table.find("material")) body.material = material(*m, path + ".material");
    const auto& regions = tables(table, "region");
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const std::string at = indexed(path + ".region", i);
      RegionText region;
      region.elements = selection(regions[i], at, "elements");
      need_selection(regions[i], at, "elements");
      if (const Value* m = regions[i].find("material")) region.material = material(*m, at + ".material");
      region.look = read_look(regions[i], at, file(), problems);
      body.regions.push_back(std::move(region));
    }
    fixed(table, path, body);
    model(table, path, body);
    body.look = read_look(table, path, file(), problems);
    if (const Value* contact = table.find("contact")) body.contact = read_body_contact(*contact);
    if (const Value* start = table.find("initial")) body.initial = initial(*start, path + ".initial");
    const auto& motions = tables(table, "motion");
    for (std::size_t i = 0; i < motions.size(); ++i)
      body.motions.push_back(read_motion(motions[i], indexed(path + ".motion", i), *this));
    const auto& loads = tables(table, "load");
    for (std::size_t i = 0; i < loads.size(); ++i)
      read_load(loads[i], indexed(path + ".load", i), *this, body);
    return body;
  }

  void shape(const Value& table, const std::string& path, BodyText& body) {
    body.mesh = optional_word(table, "mesh");
    body.mesh_where = place(table, path, body.mesh ? "mesh" : "generate");
    if (const Value* generate = table.find("generate"))
      body.generate = GenerateText{word(*generate, "shape"), *generate, place(*generate, path + ".generate")};
    if (body.mesh && body.generate)
      add(ErrorCode::kInconsistent, body.generate->where, "stands beside `mesh`", "keep one of the two");
    if (!body.mesh && !body.generate && !has_assembly(table))
      add(ErrorCode::kMissing, place(table, path + ".mesh"), "is missing",
          "give a mesh file, or generate = { shape = \"box\", ... }");
    if (const Value* mesher = table.find("mesher")) {
      body.mesher.resolution = optional_integer(*mesher, "resolution").value_or(40);
      body.mesher.hexes = word(*mesher, "element") == "hex";
      body.mesher.quadratic = word(*mesher, "element") == "tet10";
      body.mesher.largest = word(*mesher, "keep") == "largest";
      if (!body.mesh)
        add(ErrorCode::kInconsistent, place(*mesher, path + ".mesher"), "needs a surface file as `mesh`",
            "leave it out");
    }
    body.surface = optional_word(table, "surface");
    body.surface_where = place(table, path, "surface");
    if (const Value* transform = table.find("transform")) {
      body.transform.translate = vector(*transform, "translate");
      body.transform.rotate_degrees = vector(*transform, "rotate");
      body.transform.scale = number(*transform, "scale", 1.0);
      body.transform.where = place(*transform, path + ".transform");
    }
  }

  void fixed(const Value& table, const std::string& path, BodyText& body) {
    const Value* list = table.find("fixed");
    if (list == nullptr) return;
    if (list->kind == Value::Kind::kText) {
      body.fixed.push_back(one_fixed(*list, path + ".fixed"));
      return;
    }
    for (std::size_t i = 0; i < list->items.size(); ++i)
      body.fixed.push_back(one_fixed(list->items[i], indexed(path + ".fixed", i)));
  }
  SelectionText one_fixed(const Value& item, const std::string& path) {
    if (item.kind == Value::Kind::kTable) return selection(item, path, "vertices");
    SelectionText text;
    text.expression = item.text;
    text.where = place(item, path);
    if (item.text.empty() && item.kind == Value::Kind::kText)
      add(ErrorCode::kSyntax, text.where, "is empty", "e.g. \"x < 1e-6\"");
    return text;
  }

  void model(const Value& table, const std::string& path, BodyText& body) {
    const Value* own = table.find("model");
    if (own == nullptr) return;
    body.model_type = word(*own, "type");
    body.model = *own;
    body.model_where = place(*own, path + ".model", "type");
    if (overrides_.model && own->line == 0) {  // the file has another model type, or none
      const Value* others = table.find("models");
      const Value* settings = others != nullptr ? others->find(body.model_type) : nullptr;
      if (settings != nullptr) body.model = *settings;
      body.model_where = settings != nullptr ? place(*settings, path + ".models." + body.model_type)
                                             : Location{file(), 0, 0, path + ".model"};
    }
    const auto& known = known_models();
    const auto& available = available_models();
    const bool is_known = std::find(known.begin(), known.end(), body.model_type) != known.end();
    if (is_known && std::find(available.begin(), available.end(), body.model_type) == available.end())
      add(ErrorCode::kUnsupported, body.model_where,
          "\"" + body.model_type + "\" is not available in this version", "take type = \"full\"");
    if (body.model_type == "modal") body.modal = read_modal(body.model, path + ".model", *this);
    if (body.model_type == "tree") body.tree = read_tree(body.model, path + ".model", file(), problems);
    if (body.model_type == "coupled") body.coupled = read_coupled(body.model, path + ".model", *this);
    if (body.model_type == "blended") body.blended = read_blended(body.model, path + ".model", *this);
    const auto& domains = tables(table, "domain");
    for (std::size_t i = 0; i < domains.size(); ++i)
      body.domains.push_back(read_domain(domains[i], indexed(path + ".domain", i), file(), problems));
    if (body.model_type == "tree") check_domains(body, body.tree, "elements by their centroids", problems);
    if (body.model_type == "coupled") check_domains(body, body.coupled, "vertices", problems);
  }

  InitialText initial(const Value& table, const std::string& path) {
    InitialText start;
    start.velocity = vector(table, "velocity");
    start.angular_velocity = vector(table, "angular_velocity");
    start.stretch = vector(table, "stretch", Vector3::Ones());
    start.file = optional_word(table, "file");
    start.mode = optional_integer(table, "mode");
    start.speed = number(table, "speed");
    start.where = place(table, path);
    const bool moved = table.has("velocity") || table.has("angular_velocity") || table.has("stretch");
    if (static_cast<int>(start.file.has_value()) + static_cast<int>(start.mode.has_value()) +
            static_cast<int>(moved) >
        1)
      add(ErrorCode::kInconsistent, start.where, "mixes several kinds of start",
          "take velocities and stretch, or file, or mode and speed");
    if (start.mode.has_value() != table.has("speed"))
      add(ErrorCode::kMissing, place(table, path + (start.mode ? ".speed" : ".mode")), "is missing",
          "mode and speed belong together");
    if (start.file) start.where = place(table, path, "file");
    if (start.mode) start.where = place(table, path, "mode");
    return start;
  }

  void check_body_name(const std::optional<std::string>& name, const Value& table, const std::string& path,
                       const SceneDescription& scene) {
    if (!name) return;
    std::vector<std::string_view> names;
    names.reserve(scene.bodies.size());
    for (const BodyText& body : scene.bodies) names.push_back(body.name);
    if (std::find(names.begin(), names.end(), *name) != names.end()) return;
    const std::string near = nearest_word(*name, names);
    add(ErrorCode::kNotFound, place(table, path, "body"), "there is no body \"" + *name + "\"",
        near.empty() ? "take the name of a [[body]]" : "did you mean \"" + near + "\"?");
  }

  void event(const Value& table, const std::string& path, SceneDescription& scene) {
    if (read_obstacle_event(table, path, *this, scene)) return;
    EventText text;
    text.t = number(table, "t");
    text.body = optional_word(table, "body");
    text.where = place(table, path);
    if (table.has("gravity")) text.gravity = vector(table, "gravity");
    check_body_name(text.body, table, path, scene);
    if (const Value* set = table.find("set")) {
      text.young = optional_number(*set, "young");
      text.poisson = optional_number(*set, "poisson");
      text.density = optional_number(*set, "density");
      if (set->members.empty())
        add(ErrorCode::kMissing, place(table, path, "set"), "is empty", "e.g. set = { young = 2e6 }");
    }
    read_domain_event(table, path, file(), text, problems);
    read_insertion(table, path, text, scene);
    read_cut_event(table, path, file(), text, problems);
    text.region = optional_integer(table, "region");
    if (text.region) check_region(*text.region, table, path, text, scene);
    if (!table.has("gravity") && !table.has("set") && !table.has("detach") && !table.has("replace") &&
        !table.has("insert") && !table.has("remove") && !table.has("cut"))
      add(ErrorCode::kMissing, place(table, path), "says nothing that changes",
          "give gravity = [x, y, z], set = { young = ... }, cut = { ... }, or the obstacle that changes");
    if (scene.step.integrator == Integrator::kStatic)
      add(ErrorCode::kInconsistent, place(table, path), "has no meaning in a static scene", "leave it out");
    scene.events.push_back(std::move(text));
  }

  /// Shapes that a body gets while it runs, or loses.
  void read_insertion(const Value& table, const std::string& path, EventText& text,
                      const SceneDescription& scene) {
    if (const Value* insert = table.find("insert")) {
      Insertion made;
      made.name =
          optional_word(*insert, "name").value_or("inserted " + pliant::text(std::ssize(scene.events) + 1));
      made.at = vector(*insert, "at");
      made.radius = number(*insert, "radius");
      const std::string what = word(*insert, "shapes");
      if (what == "affine") made.what = InsertedShapes::kAffine;
      if (what == "response") made.what = InsertedShapes::kResponse;
      if (insert->has("direction")) {
        made.direction = vector(*insert, "direction");
        if (!(made.direction->norm() > 0.0))
          add(ErrorCode::kOutOfRange, place(*insert, path + ".insert", "direction"), "must not be zero",
              "e.g. the normal of the surface there");
      }
      text.insert = std::move(made);
      text.insert_where = place(table, path, "insert");
    }
    if (table.has("remove")) {
      text.remove = word(table, "remove");
      text.insert_where = place(table, path, "remove");
      if (text.remove.empty())
        add(ErrorCode::kOutOfRange, text.insert_where, "must not be empty", "name what was inserted");
      if (table.has("insert"))
        add(ErrorCode::kInconsistent, text.insert_where, "stands beside `insert`",
            "write an [[event]] for each");
    }
    text.fade = optional_number(table, "fade");
    if (table.has("fade") && !table.has("remove"))
      add(ErrorCode::kInconsistent, place(table, path, "fade"), "stands without `remove`", "leave it out");
  }

  void check_region(Index region, const Value& table, const std::string& path, const EventText& event,
                    const SceneDescription& scene) {
    if (!table.has("set"))
      add(ErrorCode::kInconsistent, place(table, path, "region"), "stands without `set`", "leave it out");
    for (const BodyText& body : scene.bodies) {
      if (event.body && *event.body != body.name) continue;
      const auto regions = std::ssize(body.regions);
      if (region <= regions) continue;
      add(ErrorCode::kOutOfRange, place(table, path, "region"),
          "body \"" + body.name + "\" has " + text(regions) + " regions", "they are counted from 1");
      return;
    }
  }

  void probe(const Value& table, const std::string& path, SceneDescription& scene) {
    ProbeText text;
    text.name = name(table, path);
    text.name_where = place(table, path, "name");
    text.body = optional_word(table, "body");
    text.vertex = optional_integer(table, "vertex");
    text.near = vector(table, "near");
    text.every = optional_integer(table, "every").value_or(1);
    check_body_name(text.body, table, path, scene);
    text.obstacle = optional_word(table, "obstacle");
    if (text.obstacle) {
      text.where = place(table, path, "obstacle");
      if (table.has("vertex") || table.has("near"))
        add(ErrorCode::kInconsistent, place(table, path, table.has("vertex") ? "vertex" : "near"),
            "stands beside `obstacle`", "a probe records a vertex or the force of an obstacle");
      scene.probes.push_back(std::move(text));
      return;
    }
    if (!text.body && scene.bodies.size() > 1)
      add(ErrorCode::kMissing, place(table, path + ".body"), "is missing",
          "there are several bodies: say which");
    if (table.has("vertex") && table.has("near"))
      add(ErrorCode::kInconsistent, place(table, path, "near"), "stands beside `vertex`",
          "keep one of the two");
    if (!table.has("vertex") && !table.has("near"))
      add(ErrorCode::kMissing, place(table, path + ".vertex"), "is missing", "or give near = [x, y, z]");
    text.where = place(table, path, table.has("vertex") ? "vertex" : "near");
    scene.probes.push_back(std::move(text));
  }

  const Overrides& overrides_;
};

/// `--model TYPE`: replaces the model of every body that has another type. Its keys are then not checked.
void choose_model(Value& root, const std::string& type) {
  Value word_value;
  word_value.kind = Value::Kind::kText;
  word_value.text = type;
  Value chosen;
  chosen.members.push_back({"type", std::move(word_value), 0, 0});
  for (Member& list : root.members) {
    if (list.name != "body") continue;
    for (Value& body : list.value.items) {
      const Value* own = body.find("model");
      if (own != nullptr && own->kind == Value::Kind::kTable && word(*own, "type") == type) continue;
      std::erase_if(body.members, [](const Member& member) { return member.name == "model"; });
      if (body.kind == Value::Kind::kTable) body.members.push_back({"model", chosen, 0, 0});
    }
  }
}

/// Collects every text of the scene that names an existing file, or a folder with files.
void add_inputs(const Value& value, SceneDescription& scene) {
  if (value.kind == Value::Kind::kText && !value.text.empty() && value.text.size() < 4096) {
    std::error_code none;
    const std::filesystem::path path = scene.resolve(value.text);
    if (std::filesystem::is_regular_file(path, none)) scene.inputs.push_back(path);
    if (std::filesystem::is_directory(path, none))
      for (std::filesystem::directory_iterator entry(path, none), end; !none && entry != end;
           entry.increment(none))
        if (entry->is_regular_file(none)) scene.inputs.push_back(entry->path());
  }
  for (const Value& item : value.items) add_inputs(item, scene);
  for (const Member& member : value.members) add_inputs(member.value, scene);
}

}  // namespace

Result<SceneDescription> read_scene(std::string_view toml, const std::filesystem::path& file,
                                    const Overrides& overrides) {
  Result<Value> root = parse_toml(toml, file.string());
  if (!root) return root.errors();
  if (overrides.model) choose_model(root.value(), *overrides.model);
  Diagnostics problems = check_and_fill(root.value(), scene_schema(), file.string());
  SceneDescription scene;
  scene.file = file;
  scene.source = std::string(toml);
  scene.inputs.push_back(file);
  add_inputs(root.value(), scene);
  Reader reader(file.string(), overrides);
  reader.scene(root.value(), scene);
  problems.insert(problems.end(), reader.problems.begin(), reader.problems.end());
  std::stable_sort(problems.begin(), problems.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  if (!problems.empty()) return problems;
  return scene;
}

Result<SceneDescription> read_scene_file(const std::filesystem::path& file, const Overrides& overrides) {
  Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  return read_scene(bytes.value(), file, overrides);
}

}  // namespace pliant
