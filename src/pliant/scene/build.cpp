#include "pliant/scene/build.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/flexibility.hpp"
#include "pliant/build/tree.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/carry_faces.hpp"
#include "pliant/model/cuttable.hpp"
#include "pliant/scene/assembly.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/contact_scene.hpp"
#include "pliant/scene/decompose.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/scene/modal_spec.hpp"
#include "pliant/scene/read_blended.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>

namespace pliant {
namespace {

Result<StartSpec> make_start(const SceneDescription& scene, const InitialText& text, Index vertices) {
  StartSpec start{text.velocity, text.angular_velocity, text.stretch, {}, {}, text.mode, text.speed};
  if (!text.file) return start;
  const std::filesystem::path path = scene.resolve(*text.file);
  const Result<std::string> bytes = read_file(path);
  if (!bytes) {
    Diagnostic problem = bytes.error();
    return Diagnostic{problem.code, text.where, path.string() + ": " + problem.what, problem.remedy};
  }
  Result<VertexState> state = read_state(bytes.value(), path.string(), vertices);
  if (!state) return state.errors();
  start.displacements = std::move(state.value().displacements);
  start.velocities = std::move(state.value().velocities);
  return start;
}

void hash_mesh(const VolumeMesh& mesh, Hasher& hasher) {
  for (const Vector3& x : mesh.vertices) hasher.add(x.data(), 3 * sizeof(double));
  hasher.add(mesh.tets.data(), mesh.tets.size() * sizeof(Tet));
  hasher.add(mesh.hexes.data(), mesh.hexes.size() * sizeof(Hex));
  hasher.add(mesh.tet10s.data(), mesh.tet10s.size() * sizeof(Tet10));
  hasher.add(mesh.tet_labels.data(), mesh.tet_labels.size() * sizeof(Label));
  hasher.add(mesh.hex_labels.data(), mesh.hex_labels.size() * sizeof(Label));
  hasher.add(mesh.tet10_labels.data(), mesh.tet10_labels.size() * sizeof(Label));
}

/// Warns when a surface lies outside its body by more than a tenth of the size: most likely the wrong file.
void check_carried(const CarriedSurface& carried, const BodyText& body, const VolumeMesh& mesh,
                   Diagnostics& notes) {
  const auto [low, high] = body_box(mesh);
  const double distance = carried.embedding.largest_distance();
  if (distance > 0.1 * (high - low).norm())
    notes.push_back({ErrorCode::kInconsistent, body.surface_where,
                     "lies up to " + pliant::text(distance) + " m outside of the volume mesh",
                     "do both files use the same units and place?"});
}

/// The nearest vertex that an element uses; the first of several at the same distance.
VertexId nearest_vertex(const Vector3& place, const VolumeMesh& mesh, const std::vector<bool>& used) {
  std::size_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < used.size(); ++v) {
    const double distance = (mesh.vertices[v] - place).squaredNorm();
    if (!used[v] || distance >= least) continue;
    least = distance;
    nearest = v;
  }
  return static_cast<VertexId>(nearest);
}

/// Builds body after body into one scene.
class Builder {
 public:
  Builder(const SceneDescription& scene, Progress& progress, const BuildOptions& options)
      : scene_(scene), progress_(progress), options_(options) {
    hasher_.add(scene.source);
  }

  void body(const BodyText& text) {
    Result<BodyShape> shape = load_shape(scene_, text, progress_);
    if (!shape) return fail(shape.errors());
    Diagnostics& notes = shape.value().notes;
    built->notes.insert(built->notes.end(), notes.begin(), notes.end());
    VolumeMesh& mesh = shape.value().mesh;
    hasher_.add(text.model_type);
    hash_mesh(mesh, hasher_);

    Diagnostics found;
    MaterialMap materials = make_materials(text, mesh, found);
    if (shape.value().assembly) use_class_materials(*shape.value().assembly, text, mesh, materials);
    std::vector<Support> supports = make_supports(text, mesh, found, built->notes);
    Loads loads = make_loads(text, scene_.gravity, mesh, found);
    BodyLooks looks = make_looks(text, mesh, materials, shape.value().assembly.get());
    if (!found.empty()) return fail(found);
    std::shared_ptr<const CarriedSurface> carried = carry(text, shape.value(), mesh);
    const std::shared_ptr<const CarriedSurface> drawn = drawn_by_tree(text, shape.value(), mesh, carried);
    if (!problems.empty()) return;  // the scene cannot be built: skip the expensive part

    BodySpec spec;
    spec.name = text.name;
    spec.step = scene_.step;
    spec.dt = scene_.dt.value_or(0.0) / static_cast<double>(scene_.substeps);
    if (!scene_.integrator_given && text.model_type == "coupled")
      spec.step.integrator =
          text.coupled.scheme == "newton" ? Integrator::kEnergyMomentum : Integrator::kBackwardEuler;
    if (scene_.contact.given && !scene_.integrator_given)
      spec.step.integrator = contact_integrator(text.model_type);
    touching_.push_back(nullptr);
    if (scene_.contact.given && text.contact.enabled.value_or(true))
      touching_.back() = drawn     ? drawn
                         : carried ? carried
                                   : std::make_shared<const CarriedSurface>(carried_boundary(mesh));
    Result<StartSpec> start = make_start(scene_, text.initial, mesh.vertex_count());
    if (!start) return fail(start.errors());
    spec.start = std::move(start).value();
    if (Status set = set_model(text, shape.value(), supports, spec); !set)
      return fail(located(set.errors(), text.where));
    spec.mesh = std::move(mesh);
    spec.validated = true;
    spec.materials = std::move(materials);
    spec.supports = std::move(supports);
    spec.loads = std::move(loads);
    spec.surface = drawn;
    Result<BuiltBody> made = build_body(std::move(spec), options_, progress_);
    if (!made) return fail(placed(made.errors(), text));
    take(std::move(made).value(), text);
    built->surfaces.push_back(std::move(carried));
    built->looks.push_back(std::move(looks));
  }

  void finish() {
    for (const ProbeText& text : scene_.probes) probe(text);
    if (!problems.empty()) return;
    RunSettings settings;
    settings.integrator = scene_.step.integrator;
    settings.dt = scene_.dt.value_or(0.0);
    settings.duration = scene_.duration.value_or(0.0);
    settings.substeps = scene_.substeps;
    std::vector<EventText> texts = scene_.events;
    std::stable_sort(texts.begin(), texts.end(),
                     [](const EventText& a, const EventText& b) { return a.t < b.t; });
    check_domain_events(texts);
    check_insertions(texts);
    check_cut_events(texts);
    if (!problems.empty()) return;
    std::vector<Event> events = make_events(texts);
    built->world =
        std::make_unique<World>(std::move(bodies_), std::move(probes_), settings, std::move(events));
    built->input_hash = hasher_.hex();
    built->frame_every = frame_every(settings);
    if (scene_.output.volume) built->frame_content = FrameContent::kVolume;
    // Events at t = 0 belong to the initial settings of the scene.
    if (const Status applied = built->world->apply_events(); !applied) fail(applied.errors());
    if (scene_.contact.given) contact();
  }

  std::unique_ptr<BuiltScene> built = std::make_unique<BuiltScene>();
  Diagnostics problems;

 private:
  void contact() {
    std::vector<std::shared_ptr<Flexibility>> flexibilities;
    for (std::size_t b = 0; scene_.contact.flexibility && b < touching_.size(); ++b)
      flexibilities.push_back(
          make_flexibility(built->elastic[b], *built->world->bodies()[b].model, touching_[b]));
    Result<ContactScene> made = make_contact_scene(scene_, std::move(touching_));
    if (!made) return fail(made.errors());
    made.value().flexibilities = std::move(flexibilities);
    const Status set = built->world->set_contacts(std::move(made).value());
    if (set) return;
    Diagnostics found = set.errors();
    for (Diagnostic& problem : found)
      for (const BodyText& body : scene_.bodies)
        if (body.name == problem.where.key) problem.where = body.where;
    for (Diagnostic& problem : found)
      for (const ObstacleText& obstacle : scene_.obstacles)
        if (obstacle.name == problem.where.key) problem.where = obstacle.where;
    fail(found);
  }

  void fail(const Diagnostics& list) { problems.insert(problems.end(), list.begin(), list.end()); }

  Status set_model(const BodyText& text, const BodyShape& shape, const std::vector<Support>& supports,
                   BodySpec& spec) {
    if (text.model_type == "tree") {
      if (!shape.assembly) {
        Result<TreeSpec> tree = tree_spec(text, shape.mesh);
        if (!tree) return tree.errors();
        spec.model = std::move(tree).value();
        return Done{};
      }
      return set_assembly(text, *shape.assembly, held_vertices(supports), spec);
    }
    if (text.model_type == "coupled") {
      Result<CoupledSpec> coupled = coupled_spec(text, shape.mesh);
      if (!coupled) return coupled.errors();
      spec.model = std::move(coupled).value();
      return Done{};
    }
    if (text.model_type == "blended") {
      Result<BlendedSpec> blended = blended_spec(scene_, text, shape.mesh.vertex_count());
      if (!blended) return blended.errors();
      spec.model = std::move(blended).value();
      return Done{};
    }
    if (text.model_type == "full") return Done{};
    Result<ModalSpec> modal = modal_spec(scene_, text, shape.mesh);
    if (!modal) return modal.errors();
    spec.model = std::move(modal).value();
    return Done{};
  }

  /// The model of placed parts, which are the domains of the tree.
  static Status set_assembly(const BodyText& text, const AssemblyShape& shape,
                             const std::vector<VertexId>& held, BodySpec& spec) {
    Result<TreePlan> plan = make_assembly_plan(shape, text, held);
    if (!plan) return plan.errors();
    TreeSpec tree = tree_settings(text);
    tree.plan = std::make_shared<const TreePlan>(std::move(plan).value());
    spec.model = std::move(tree);
    return Done{};
  }

  void take(BuiltBody made, const BodyText& text) {
    for (Diagnostic& note : placed(std::move(made.notes), text)) built->notes.push_back(std::move(note));
    for (const VectorX* start : {&made.body.initial_displacements, &made.body.initial_velocities})
      hasher_.add(std::span<const double>(start->data(), to_size(start->size())));
    bodies_.push_back(std::move(made.body));
    built->elastic.push_back(std::move(made.elastic));
    built->reports.push_back(std::move(made.report));
    built->subspaces.push_back(std::move(made.subspace));
  }

  std::shared_ptr<const CarriedSurface> carry(const BodyText& text, BodyShape& shape,
                                              const VolumeMesh& mesh) {
    if (shape.assembly) {
      const auto& classes = shape.assembly->assembly.classes;
      const bool none = std::all_of(classes.begin(), classes.end(),
                                    [](const auto& part) { return part.surface.triangles.empty(); });
      return text.model_type != "tree" || none ? nullptr : carry_parts(text, *shape.assembly);
    }
    if (!shape.surface) return nullptr;
    Result<Embedding> embedding = embed(mesh, shape.surface->vertices, progress_);
    if (!embedding) {
      fail(located(embedding.errors(), text.surface_where));
      return nullptr;
    }
    CarriedSurface carried{std::move(*shape.surface), std::move(embedding).value()};
    if (text.surface)
      check_carried(carried, text, mesh, built->notes);  // otherwise the mesh was made from it
    return std::make_shared<const CarriedSurface>(std::move(carried));
  }

  /// Surfaces of parts follow their own domains. A part without a surface shows its boundary.
  std::shared_ptr<const CarriedSurface> carry_parts(const BodyText& text, const AssemblyShape& shape) {
    Result<AssembledSurface> surface = assembled_surface(shape.assembly, shape.body, progress_);
    if (surface)
      return std::make_shared<const CarriedSurface>(
          CarriedSurface{std::move(surface.value().surface), std::move(surface.value().embedding)});
    fail(located(surface.errors(), text.where));
    return nullptr;
  }

  /// The surface that a tree draws itself. Without one it is the boundary of the mesh; with blend "c0" none
  /// is needed, since the averaged displacements of the vertices give the same.
  std::shared_ptr<const CarriedSurface> drawn_by_tree(const BodyText& text, const BodyShape& shape,
                                                      const VolumeMesh& mesh,
                                                      std::shared_ptr<const CarriedSurface> carried) {
    if (text.model_type != "tree") return nullptr;
    if (carried) return carried;
    if (shape.assembly) return carry_parts(text, *shape.assembly);
    if (text.tree.blend == "c0") return nullptr;
    SurfaceMesh boundary = boundary_surface(mesh).surface;
    Result<Embedding> embedding = embed(mesh, boundary.vertices, progress_);
    if (embedding)
      return std::make_shared<const CarriedSurface>(
          CarriedSurface{std::move(boundary), std::move(embedding).value()});
    fail(located(embedding.errors(), text.where));
    return nullptr;
  }

  void probe(const ProbeText& text) {
    std::size_t b = 0;
    while (text.body && b < scene_.bodies.size() && scene_.bodies[b].name != *text.body) ++b;
    if (b >= bodies_.size()) return;  // its body could not be built, which has been reported
    const VolumeMesh& mesh = bodies_[b].model->mesh();
    Probe probe{text.name, static_cast<Index>(b), 0, text.every, {}, false};
    if (text.obstacle) {
      const auto found = std::find_if(scene_.obstacles.begin(), scene_.obstacles.end(),
                                      [&](const ObstacleText& one) { return one.name == *text.obstacle; });
      probe.obstacle = found - scene_.obstacles.begin();
      probe.all_bodies = !text.body;
      probes_.push_back(std::move(probe));
      return;
    }
    if (used_.size() <= b) used_.resize(bodies_.size());
    if (used_[b].empty()) used_[b] = vertices_of_elements(mesh);  // once for all probes of the body
    if (!text.vertex) {
      probe.vertex = nearest_vertex(text.near, mesh, used_[b]);
    } else if (*text.vertex < mesh.vertex_count()) {
      probe.vertex = static_cast<VertexId>(*text.vertex);
      if (!used_[b][to_size(probe.vertex)])
        built->notes.push_back(
            {ErrorCode::kInconsistent, text.where,
             "vertex " + pliant::text(*text.vertex) + " belongs to no element, so it stays",
             "near = [x, y, z] finds one that moves"});
    } else {
      return fail({{ErrorCode::kOutOfRange, text.where, "there is no vertex " + pliant::text(*text.vertex),
                    "the mesh has " + pliant::text(mesh.vertex_count()) + ", numbered from 0"}});
    }
    probes_.push_back(std::move(probe));
  }

  /// Whether the list has this name; reports a problem if not.
  bool check_name(const Location& where, const std::string& body, const std::string& what,
                  const std::string& name, const std::vector<std::string>& list) {
    const std::vector<std::string_view> names(list.begin(), list.end());
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    const std::string near = nearest_word(name, names);
    fail({{ErrorCode::kNotFound, where, "body \"" + body + "\" has no " + what + " \"" + name + "\"",
           near.empty() ? "pliant decompose lists them" : "did you mean \"" + near + "\"?"}});
    return false;
  }

  [[nodiscard]] bool concerns(const EventText& event, std::size_t body) const {
    return !event.body || *event.body == bodies_[body].name;
  }

  [[nodiscard]] std::vector<Event> make_events(const std::vector<EventText>& texts) const {
    std::vector<Event> list;
    for (const EventText& text : texts) {
      if (is_idle(text)) continue;
      Event event;
      event.t = text.t;
      for (std::size_t b = 0; text.body && b < bodies_.size(); ++b)
        if (concerns(text, b)) event.body = static_cast<Index>(b);
      event.gravity = text.gravity;
      event.region = text.region;
      event.young = text.young;
      event.poisson = text.poisson;
      event.density = text.density;
      event.domain = text.domain.value_or("");
      event.frequency_scale = text.frequency_scale;
      event.mass_damping = text.mass_damping;
      event.stiffness_damping = text.stiffness_damping;
      event.detach = text.detach;
      event.replace_class = text.replace_class;
      event.insert = text.insert;
      event.remove = text.remove;
      event.fade = text.fade;
      event.cut = text.cut;
      event.where = text.domain ? text.domain_where : text.where;
      if (text.insert || !text.remove.empty()) event.where = text.insert_where;
      list.push_back(std::move(event));
    }
    return list;
  }

  /// Every body with domains that an event concerns must have the named domain. No domain may be detached
  /// twice.
  void check_domain_events(const std::vector<EventText>& texts) {
    std::set<std::pair<std::size_t, std::string>> detached;
    for (const EventText& event : texts) {
      if (!event.domain) continue;
      bool any = false;
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const Domains* domains = bodies_[b].model->domains();
        if (domains == nullptr || !concerns(event, b)) continue;
        any = true;
        const std::string& body = bodies_[b].name;
        if (event.replace_class)
          check_name(event.domain_where, body, "class", *event.replace_class, domains->class_names());
        if (!check_name(event.domain_where, body, "domain", *event.domain, domains->names())) continue;
        if (event.detach && scene_.bodies[b].model_type == "coupled") {
          fail({{ErrorCode::kUnsupported, event.domain_where, "domains of a coupled body do not come off",
                 "take model = { type = \"tree\", ... } for bodies that break"}});
          continue;
        }
        if (event.detach && !detached.emplace(b, *event.domain).second) {
          fail({{ErrorCode::kInconsistent, event.domain_where, "an earlier event has detached it",
                 "leave it out"}});
        }
      }
      if (!any)
        fail({{ErrorCode::kUnsupported, event.domain_where, "needs a body with domains",
               "take model = { type = \"tree\", ... } or \"coupled\""}});
    }
  }

  /// Bodies of all degrees of freedom can take every shape already: insertions do not concern them.
  [[nodiscard]] bool is_idle(const EventText& event) const {
    if (!event.insert && event.remove.empty()) return false;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (concerns(event, b) && scene_.bodies[b].model_type != "full") return false;
    return true;
  }

  /// Bodies must be able to take insertions. Names are unique while they are in use: what fades may still
  /// be there, so that a name is free again only after a removal.
  void check_insertions(const std::vector<EventText>& texts) {
    std::set<std::pair<std::size_t, std::string>> present;
    for (const EventText& event : texts) {
      const bool inserts = event.insert.has_value();
      if (!inserts && event.remove.empty()) continue;
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (!concerns(event, b) || scene_.bodies[b].model_type == "full") continue;
        const std::string& name = inserts ? event.insert->name : event.remove;
        if (bodies_[b].model->insertions() == nullptr)
          fail({{ErrorCode::kUnsupported, event.insert_where,
                 "body \"" + bodies_[b].name + "\" takes no shapes while it runs",
                 "take model = { type = \"blended\" } with gradients = \"nodal\", or \"modal\""}});
        else if (inserts && !present.emplace(b, name).second)
          fail({{ErrorCode::kInconsistent, event.insert_where, "\"" + name + "\" is there already",
                 "give it another name, or remove the first one before"}});
        else if (!inserts && present.erase({b, name}) == 0)
          fail({{ErrorCode::kNotFound, event.insert_where, "nothing called \"" + name + "\" is there",
                 "an earlier [[event]] inserts it: insert = { name = \"" + name + "\", ... }"}});
      }
    }
  }

  /// A cut needs a body that can be cut.
  void check_cut_events(const std::vector<EventText>& texts) {
    for (const EventText& event : texts) {
      if (!event.cut) continue;
      bool any = false;
      Diagnostics reasons;
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        if (!concerns(event, b)) continue;
        const auto* cuttable = dynamic_cast<const Cuttable*>(bodies_[b].model.get());
        if (cuttable == nullptr) continue;
        Diagnostics why_not;
        if (const Status may = cuttable->may_be_cut(); !may) why_not = may.errors();
        if (built->surfaces[b])
          why_not.push_back(
              {ErrorCode::kUnsupported,
               {},
               "cuts a body whose surface is a file of its own",
               "leave out `surface`: the boundary of its elements is drawn, and cut with them"});
        any = any || why_not.empty();
        for (Diagnostic& reason : why_not) {
          reason.where = event.where;
          reasons.push_back(std::move(reason));
        }
      }
      if (any) continue;
      if (reasons.empty())
        reasons.push_back({ErrorCode::kUnsupported, event.where, "cuts a body without a full domain",
                           "take model = { type = \"coupled\" } and give a [[body.domain]] full = true"});
      fail(reasons);
    }
  }

  [[nodiscard]] Index frame_every(const RunSettings& settings) const {
    if (scene_.output.every) return *scene_.output.every;
    if (settings.integrator == Integrator::kStatic) return 1;
    return std::max<Index>(
        1, static_cast<Index>(std::llround(std::min(1e9, 1.0 / (scene_.output.fps * settings.dt)))));
  }

  const SceneDescription& scene_;
  Progress& progress_;
  const BuildOptions& options_;
  Hasher hasher_;
  std::vector<Body> bodies_;
  std::vector<Probe> probes_;
  std::vector<std::shared_ptr<const CarriedSurface>> touching_;  // per body: the surface that touches
  std::vector<std::vector<bool>> used_;  // by body: which vertices belong to an element
};

}  // namespace

Result<std::unique_ptr<BuiltScene>> build_scene(const SceneDescription& scene, Progress& progress,
                                                const BuildOptions& options) {
  StageTimes stages(progress);
  const auto start = std::chrono::steady_clock::now();
  Builder builder(scene, stages, options);
  for (const BodyText& body : scene.bodies) builder.body(body);
  builder.finish();
  if (!builder.problems.empty()) return builder.problems;
  stages.end();
  builder.built->stages = stages.stages();
  builder.built->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(builder.built);
}

}  // namespace pliant
