#include "pliant/scene/build.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/file/state_file.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/load_mesh.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

struct Start {
  VectorX displacements, velocities;
};

Vector3 center_of_mass(const ElasticBody& elastic) {
  Vector3 sum = Vector3::Zero();
  const VectorX& mass = elastic.lumped_mass();  // row sums: their first moment is the exact one
  for (Index i = 0; i < mass.size(); ++i) sum += mass[i] * elastic.rest_positions().segment<3>(3 * i);
  return sum / mass.sum();
}

Start free_start(const InitialText& text, const ElasticBody& elastic) {
  const Index n = elastic.mesh().vertex_count();
  Start start{VectorX::Zero(3 * n), VectorX::Zero(3 * n)};
  const Vector3 center = center_of_mass(elastic);
  for (Index i = 0; i < n; ++i) {
    if (!(elastic.lumped_mass()[i] > 0.0)) continue;  // of no element: it stays
    const Vector3 arm = elastic.rest_positions().segment<3>(3 * i) - center;
    start.displacements.segment<3>(3 * i) = (text.stretch - Vector3::Ones()).cwiseProduct(arm);
    start.velocities.segment<3>(3 * i) =
        text.velocity + text.angular_velocity.cross(text.stretch.cwiseProduct(arm));
  }
  return start;
}

Result<Start> start_from_file(const std::filesystem::path& path, const InitialText& text,
                              const ElasticBody& elastic) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) {
    Diagnostic problem = bytes.error();
    return Diagnostic{problem.code, text.where, path.string() + ": " + problem.what, problem.remedy};
  }
  Result<VertexState> state = read_state(bytes.value(), path.string(), elastic.mesh().vertex_count());
  if (!state) return state.errors();
  return Start{std::move(state.value().displacements), std::move(state.value().velocities)};
}

/// At rest, with the velocity of a natural mode; the sign makes the largest component positive.
Result<Start> start_in_mode(Index mode, const InitialText& text, const Model& model) {
  const Index n = model.mesh().vertex_count();
  const Result<Model::Frequencies> modes = model.natural_frequencies(mode);
  if (!modes) return Diagnostic{modes.error().code, text.where, modes.error().what, modes.error().remedy};
  if (modes.value().shapes.cols() < mode)
    return Diagnostic{
        ErrorCode::kOutOfRange, text.where,
        "the body has only " + pliant::text(static_cast<Index>(modes.value().shapes.cols())) + " modes",
        "take a lower mode"};
  const VectorX shape = modes.value().shapes.col(mode - 1);
  double fastest = 0.0;
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  for (Index i = 0; i < n; ++i) fastest = std::max(fastest, shape.segment<3>(3 * i).norm());
  const double factor = text.speed / fastest * (shape[largest] < 0.0 ? -1.0 : 1.0);
  return Start{VectorX::Zero(3 * n), factor * shape};
}

Result<Start> make_start(const SceneDescription& scene, const InitialText& text, const ElasticBody& elastic,
                         const Model& model) {
  if (text.file) return start_from_file(scene.resolve(*text.file), text, elastic);
  if (text.mode) return start_in_mode(*text.mode, text, model);
  return free_start(text, elastic);
}

void hash_mesh(const VolumeMesh& mesh, Hasher& hasher) {
  for (const Vector3& x : mesh.vertices) hasher.add(x.data(), 3 * sizeof(double));
  hasher.add(mesh.tets.data(), mesh.tets.size() * sizeof(Tet));
  hasher.add(mesh.hexes.data(), mesh.hexes.size() * sizeof(Hex));
  hasher.add(mesh.tet_labels.data(), mesh.tet_labels.size() * sizeof(Label));
  hasher.add(mesh.hex_labels.data(), mesh.hex_labels.size() * sizeof(Label));
}

/// A surface that leaves its body by more than a tenth of its size is most likely the wrong one.
void check_carried(const CarriedSurface& carried, const BodyText& body, const VolumeMesh& mesh,
                   Diagnostics& notes) {
  const auto [low, high] = body_box(mesh);
  const double distance = carried.embedding.largest_distance();
  if (distance > 0.1 * (high - low).norm())
    notes.push_back({ErrorCode::kInconsistent, body.surface_where,
                     "lies up to " + pliant::text(distance) + " m outside of the volume mesh",
                     "do both files use the same units and place?"});
}

/// Among the vertices of elements; the first of several equally near ones.
VertexId nearest_vertex(const Vector3& place, const VolumeMesh& mesh) {
  const std::vector<bool> used = vertices_of_elements(mesh);
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
  Builder(const SceneDescription& scene, Progress& progress) : scene_(scene), progress_(progress) {
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
    std::vector<Support> supports = make_supports(text, mesh, found, built->notes);
    Loads loads = make_loads(text, scene_.gravity, mesh, found);
    if (!found.empty()) return fail(found);
    std::optional<CarriedSurface> carried = carry(text, shape.value(), mesh);
    if (!problems.empty()) return;  // assembly would be wasted

    progress_.begin("assemble " + text.name, 0);
    auto elastic = std::make_shared<const ElasticBody>(std::move(mesh), std::move(materials));
    Body body;
    body.name = text.name;
    for (const Support& support : supports) body.support_names.push_back(support.name);
    Result<std::unique_ptr<Model>> model =
        make_full_model({elastic, std::move(supports), std::move(loads)}, scene_.step);
    if (!model) return fail(located(model.errors(), text.where));
    body.model = std::move(model).value();
    Result<Start> start = make_start(scene_, text.initial, *elastic, *body.model);
    if (!start) return fail(start.errors());
    hasher_.add(std::span<const double>(start.value().displacements.data(),
                                        static_cast<std::size_t>(start.value().displacements.size())));
    hasher_.add(std::span<const double>(start.value().velocities.data(),
                                        static_cast<std::size_t>(start.value().velocities.size())));
    body.initial_displacements = std::move(start.value().displacements);
    body.initial_velocities = std::move(start.value().velocities);
    bodies_.push_back(std::move(body));
    built->elastic.push_back(std::move(elastic));
    built->surfaces.push_back(std::move(carried));
  }

  void finish() {
    for (const ProbeText& text : scene_.probes) probe(text);
    if (!problems.empty()) return;
    RunSettings settings;
    settings.integrator = scene_.step.integrator;
    settings.dt = scene_.dt.value_or(0.0);
    settings.duration = scene_.duration.value_or(0.0);
    built->world = std::make_unique<World>(std::move(bodies_), std::move(probes_), settings);
    built->events = scene_.events;
    std::stable_sort(built->events.begin(), built->events.end(),
                     [](const EventText& a, const EventText& b) { return a.t < b.t; });
    built->gravity = scene_.gravity;
    built->input_hash = hasher_.hex();
    built->frame_every = frame_every(settings);
    if (!built->events.empty()) {
      built->apply_events(0.0);  // what changes at once holds for the initial acceleration too
      built->world->observe([scene = built.get()](const World& world) -> Status {
        scene->apply_events(world.time());
        return Done{};
      });
    }
  }

  std::unique_ptr<BuiltScene> built = std::make_unique<BuiltScene>();
  Diagnostics problems;

 private:
  void fail(const Diagnostics& list) { problems.insert(problems.end(), list.begin(), list.end()); }

  /// Problems of a model name no file: they are the body's.
  static Diagnostics located(Diagnostics list, const Location& where) {
    for (Diagnostic& problem : list) {
      if (problem.where.file.empty()) {
        const std::string inner = problem.where.key;
        problem.where = where;
        if (!inner.empty()) problem.where.key += ": " + inner;
      }
    }
    return list;
  }

  std::optional<CarriedSurface> carry(const BodyText& text, BodyShape& shape, const VolumeMesh& mesh) {
    if (!shape.surface) return std::nullopt;
    Result<Embedding> embedding = embed(mesh, shape.surface->vertices, progress_);
    if (!embedding) {
      fail(located(embedding.errors(), text.surface_where));
      return std::nullopt;
    }
    CarriedSurface carried{std::move(*shape.surface), std::move(embedding).value()};
    if (text.surface)
      check_carried(carried, text, mesh, built->notes);  // otherwise the mesh was made from it
    return carried;
  }

  void probe(const ProbeText& text) {
    std::size_t b = 0;
    while (text.body && b < scene_.bodies.size() && scene_.bodies[b].name != *text.body) ++b;
    if (b >= bodies_.size()) return;  // its body has problems of its own
    const VolumeMesh& mesh = bodies_[b].model->mesh();
    Probe probe{text.name, static_cast<Index>(b), 0, text.every};
    if (!text.vertex) {
      probe.vertex = nearest_vertex(text.near, mesh);
    } else if (*text.vertex < mesh.vertex_count()) {
      probe.vertex = static_cast<VertexId>(*text.vertex);
      if (!vertices_of_elements(mesh)[static_cast<std::size_t>(probe.vertex)])
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

  [[nodiscard]] Index frame_every(const RunSettings& settings) const {
    if (scene_.output.every) return *scene_.output.every;
    if (settings.integrator == Integrator::kStatic) return 1;
    return std::max<Index>(
        1, static_cast<Index>(std::llround(std::min(1e9, 1.0 / (scene_.output.fps * settings.dt)))));
  }

  const SceneDescription& scene_;
  Progress& progress_;
  Hasher hasher_;
  std::vector<Body> bodies_;
  std::vector<Probe> probes_;
};

}  // namespace

void BuiltScene::apply_events(double time) const {
  if (events.empty()) return;
  // a step belongs to an event when it begins no more than rounding before it
  const double now = time + 1e-9 * world->settings().dt;
  for (const Body& body : world->bodies()) {
    Vector3 present = gravity;
    for (const EventText& event : events) {
      if (event.t <= now && (!event.body || *event.body == body.name)) present = event.gravity;
    }
    body.model->set_gravity(present);
  }
}

Result<std::unique_ptr<BuiltScene>> build_scene(const SceneDescription& scene, Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Builder builder(scene, progress);
  for (const BodyText& body : scene.bodies) builder.body(body);
  builder.finish();
  if (!builder.problems.empty()) return builder.problems;
  builder.built->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return std::move(builder.built);
}

}  // namespace pliant
