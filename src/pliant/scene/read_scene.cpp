#include "pliant/base/atomic_file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/scene/access.hpp"
#include "pliant/scene/description.hpp"
#include "pliant/scene/read_assembly.hpp"
#include "pliant/scene/read_training.hpp"
#include "pliant/scene/read_tree.hpp"
#include "pliant/scene/schema.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace pliant {
namespace {

using namespace access;  // NOLINT(google-build-using-namespace)

std::string indexed(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

/// Turns the checked tree into a description, and reports problems that concern several keys at once.
class Reader {
 public:
  Reader(std::string file, const Overrides& overrides) : file_(std::move(file)), overrides_(overrides) {}

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
  }

  Diagnostics problems;

 private:
  void add(ErrorCode code, Location where, std::string what, std::string remedy) {
    problems.push_back({code, std::move(where), std::move(what), std::move(remedy)});
  }
  [[nodiscard]] Location place(const Value& value, std::string path) const {
    return {file_, value.line, value.column, std::move(path)};
  }
  /// The place of a member if the user wrote it, or else of the table that should contain it.
  [[nodiscard]] Location place(const Value& table, const std::string& path, std::string_view key) const {
    const Value* value = table.find(key);
    return place(value != nullptr && value->line > 0 ? *value : table, path + "." + std::string(key));
  }

  void simulation(const Value& table, SceneDescription& scene) {
    StepSettings& step = scene.step;
    step.integrator = integrator_of(word(table, "integrator"));
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

  SelectionText selection(const Value& table, const std::string& path, std::string_view numbers_key) {
    SelectionText text;
    const Value* expression = table.find("where");
    const Value* list = table.find(numbers_key);
    if (list != nullptr) {
      text.numbers = integers(*list);
      text.by_number = true;
      text.where = place(*list, path + "." + std::string(numbers_key));
    } else {
      text.where = place(expression != nullptr ? *expression : table, path + ".where");
      if (expression != nullptr) text.expression = expression->text;
    }
    if (expression != nullptr && list != nullptr)
      add(ErrorCode::kInconsistent, text.where, "stands beside `where`", "keep one of the two");
    if (expression != nullptr && list == nullptr && expression->text.empty() &&
        expression->kind == Value::Kind::kText)
      add(ErrorCode::kSyntax, text.where, "is empty", "e.g. \"x < 1e-6\"");
    return text;
  }
  /// Reports a missing selection.
  void need_selection(const Value& table, const std::string& path, std::string_view numbers_key) {
    if (table.find("where") != nullptr || table.find(numbers_key) != nullptr) return;
    add(ErrorCode::kMissing, place(table, path + ".where"), "is missing",
        "e.g. where = \"x > 0.99\", or " + std::string(numbers_key) + " = [1, 5, 9]");
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
        table, path, file_,
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
      body.regions.push_back(std::move(region));
    }
    fixed(table, path, body);
    model(table, path, body);
    if (const Value* start = table.find("initial")) body.initial = initial(*start, path + ".initial");
    const auto& motions = tables(table, "motion");
    for (std::size_t i = 0; i < motions.size(); ++i)
      body.motions.push_back(motion(motions[i], indexed(path + ".motion", i)));
    const auto& loads = tables(table, "load");
    for (std::size_t i = 0; i < loads.size(); ++i) load(loads[i], indexed(path + ".load", i), body);
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
                                             : Location{file_, 0, 0, path + ".model"};
    }
    const auto& known = known_models();
    const auto& available = available_models();
    const bool is_known = std::find(known.begin(), known.end(), body.model_type) != known.end();
    if (is_known && std::find(available.begin(), available.end(), body.model_type) == available.end())
      add(ErrorCode::kUnsupported, body.model_where,
          "\"" + body.model_type + "\" is not available in this version", "take type = \"full\"");
    if (body.model_type == "modal") modal(body.model, path + ".model", body.modal);
    if (body.model_type == "tree") body.tree = read_tree(body.model, path + ".model", file_, problems);
    const auto& domains = tables(table, "domain");
    for (std::size_t i = 0; i < domains.size(); ++i)
      body.domains.push_back(read_domain(domains[i], indexed(path + ".domain", i), file_, problems));
    if (body.model_type == "tree") check_domains(body, problems);
  }

  void modal(const Value& table, const std::string& path, ModalText& modal) {
    modal.linear_modes = optional_integer(table, "linear_modes").value_or(modal.linear_modes);
    modal.modes = optional_integer(table, "modes").value_or(modal.modes);
    modal.energy = optional_number(table, "energy");
    if (const Value* flag = table.find("derivatives")) modal.derivatives = flag->boolean;
    modal.modes_used = optional_integer(table, "modes_used");
    if (const Value* shapes = table.find("shapes"))
      for (const Value& item : shapes->items) modal.shapes.push_back(item.text);
    modal.sketch = optional_word(table, "sketch");
    modal.separation = number(table, "separation", modal.separation);
    modal.exact = word(table, "forces") == "exact";
    modal.train = read_training(
        table, path, file_, {"shapes", "sketch", "patch", "energy", "linear_modes", "derivatives"}, problems);
    modal.float_storage = word(table, "storage") == "float";
    if (modal.modes < 1)
      add(ErrorCode::kOutOfRange, place(table, path, "modes"), "must be at least 1", "e.g. modes = 20");
    if (table.has("shapes") && modal.shapes.empty())
      add(ErrorCode::kMissing, place(table, path, "shapes"), "is empty",
          "name files of shapes, or leave it out");
    if (table.has("shapes") && table.has("sketch"))
      add(ErrorCode::kInconsistent, place(table, path, "sketch"), "stands beside `shapes`",
          "keep one of the two");
    if (modal.exact && modal.float_storage)
      add(ErrorCode::kInconsistent, place(table, path, "storage"),
          "is that of a polynomial, and forces are exact", "leave it out");
    const auto& patches = tables(table, "patch");
    for (std::size_t i = 0; i < patches.size(); ++i) {
      const std::string at = indexed(path + ".patch", i);
      need_selection(patches[i], at, "vertices");
      modal.patches.push_back({word(patches[i], "name"), selection(patches[i], at, "vertices")});
    }
    if (!patches.empty() && (table.has("shapes") || table.has("sketch")))
      add(ErrorCode::kInconsistent, place(patches.front(), path + ".patch"),
          "belongs to a basis of natural modes", "leave out `shapes` and `sketch`, or the patches");
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

  /// Checks that times ascend and that there is one value for each.
  void check_times(const Value& table, const std::string& path, std::string_view values_key) {
    const Value* t = table.find("t");
    const Value* values = table.find(values_key);
    if (t == nullptr || values == nullptr || t->kind != Value::Kind::kArray ||
        values->kind != Value::Kind::kArray)
      return;
    if (t->items.empty())
      return add(ErrorCode::kMissing, place(*t, path + ".t"), "is empty", "give at least one time");
    if (t->items.size() != values->items.size())
      add(ErrorCode::kInconsistent, place(*values, path + "." + std::string(values_key)),
          "has " + text(std::ssize(values->items)) + " entries for " + text(std::ssize(t->items)) + " times",
          "give one per time");
    for (std::size_t i = 1; i < t->items.size(); ++i) {
      if (t->items[i].number > t->items[i - 1].number) continue;
      add(ErrorCode::kOutOfRange, place(t->items[i], indexed(path + ".t", i)),
          "does not come after the time before it", "times must ascend");
      break;
    }
  }

  MotionText motion(const Value& table, const std::string& path) {
    MotionText text;
    text.vertices = selection(table, path, "vertices");
    need_selection(table, path, "vertices");
    if (const Value* rotate = table.find("rotate")) {
      check_times(*rotate, path + ".rotate", "degrees");
      RotationKeys keys{vector(*rotate, "axis"), vector(*rotate, "center"), numbers(*rotate, "t"),
                        numbers(*rotate, "degrees")};
      for (double& angle : keys.radians) angle *= std::numbers::pi / 180.0;
      if (rotate->has("axis") && !(keys.axis.norm() > 0.0))
        add(ErrorCode::kOutOfRange, place(*rotate, path + ".rotate", "axis"), "has no length",
            "e.g. [1, 0, 0]");
      text.motion.rotation = std::move(keys);
    }
    if (const Value* translate = table.find("translate")) {
      check_times(*translate, path + ".translate", "by");
      text.motion.translation = TranslationKeys{numbers(*translate, "t"), vectors(*translate, "by")};
    }
    if (const Value* shake = table.find("oscillate"))
      text.motion.oscillation = Oscillation{vector(*shake, "amplitude"), number(*shake, "frequency")};
    if (!text.motion.rotation && !text.motion.translation && !text.motion.oscillation)
      add(ErrorCode::kMissing, place(table, path), "says no motion",
          "give rotate, translate or oscillate; or use fixed");
    return text;
  }

  void load(const Value& table, const std::string& path, BodyText& body) {
    const int kinds = static_cast<int>(table.has("force")) + static_cast<int>(table.has("pressure")) +
                      static_cast<int>(table.has("wind"));
    if (kinds != 1)
      return add(kinds == 0 ? ErrorCode::kMissing : ErrorCode::kInconsistent, place(table, path),
                 kinds == 0 ? "says no load" : "says several loads", "give one of force, pressure and wind");
    LoadText text;
    text.where = place(table, path);
    text.selection = selection(table, path, "vertices");
    if (table.has("force")) {
      force(table, path, text);
    } else {
      for (const std::string_view key : {"vertices", "points", "spread"}) {
        if (table.has(key))
          add(ErrorCode::kInconsistent, place(table, path, key), "belongs to a force", "leave it out");
      }
      if (table.has("pressure")) {
        text.what = PressureText{number(table, "pressure")};
        need_selection(table, path, "vertices");
      } else {
        text.what = wind(*table.find("wind"));
      }
    }
    if (const Value* scale = table.find("table")) {
      check_times(*scale, path + ".table", "scale");
      text.table = TimeTable{numbers(*scale, "t"), numbers(*scale, "scale")};
    }
    body.loads.push_back(std::move(text));
  }

  void force(const Value& table, const std::string& path, LoadText& text) {
    ForceText force{vector(table, "force"), vectors(table, "points"), word(table, "spread") == "area"};
    if (table.has("points")) {
      if (table.has("where") || table.has("vertices") || force.by_area)
        add(ErrorCode::kInconsistent, place(table, path, "points"),
            "stands beside another selection or spread", "points are a selection of their own");
      if (force.points.empty())
        add(ErrorCode::kMissing, place(table, path, "points"), "is empty", "give a place [x, y, z]");
    } else {
      need_selection(table, path, "vertices");
    }
    text.what = std::move(force);
  }

  static Wind wind(const Value& table) {
    Wind wind;
    wind.velocity = vector(table, "velocity");
    wind.gust = number(table, "gust", wind.gust);
    wind.gust_period = number(table, "gust_period", wind.gust_period);
    wind.drag = number(table, "drag", wind.drag);
    wind.air_density = number(table, "air_density", wind.air_density);
    wind.tolerance = number(table, "tolerance", wind.tolerance);
    wind.seed = static_cast<std::uint64_t>(optional_integer(table, "seed").value_or(1));
    return wind;
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
    read_domain_event(table, path, file_, text, problems);
    text.region = optional_integer(table, "region");
    if (text.region) check_region(*text.region, table, path, text, scene);
    if (!table.has("gravity") && !table.has("set") && !table.has("detach") && !table.has("replace"))
      add(ErrorCode::kMissing, place(table, path), "says nothing that changes",
          "give gravity = [x, y, z] or set = { young = ... }");
    if (scene.step.integrator == Integrator::kStatic)
      add(ErrorCode::kInconsistent, place(table, path), "has no meaning in a static scene", "leave it out");
    scene.events.push_back(std::move(text));
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

  std::string file_;
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
