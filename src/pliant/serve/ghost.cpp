#include "pliant/serve/ghost.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/store/frames.hpp"
#include "pliant/subspace/tear.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>

namespace pliant::view {
namespace {

/// The point of a body that lies nearest to a place at rest.
std::uint32_t nearest_point(const std::vector<float>& rest, const float* place) {
  std::uint32_t best = 0;
  float least = std::numeric_limits<float>::max();
  for (std::size_t i = 0; 3 * i + 2 < rest.size(); ++i) {
    float distance = 0.0F;
    for (std::size_t c = 0; c < 3; ++c) {
      const float d = rest[3 * i + c] - place[c];
      distance += d * d;
    }
    if (distance >= least) continue;
    least = distance;
    best = static_cast<std::uint32_t>(i);
  }
  return best;
}

class LiveGhost final : public Ghost {
 public:
  explicit LiveGhost(std::unique_ptr<Simulation> simulation) : simulation_(std::move(simulation)) {}

  Status follow(double time, const Progress& progress) override {
    const double slack = simulation_->is_static() ? 1e-9 : 0.5 * simulation_->dt();
    while (simulation_->time() < time - slack) {
      if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
      if (simulation_->advance(progress)) continue;
      if (simulation_->healthy()) break;
      return Diagnostic{ErrorCode::kNumerical, {}, "the ghost stays behind: " + simulation_->trouble(), ""};
    }
    return Done{};
  }

  void execute(const PageMessage& message, const Simulation& scene) override {
    PageMessage mine = message;
    if (auto* pull = std::get_if<PullSpring>(&mine)) {
      if (!locate(pull->body, pull->point, scene)) return;
    } else if (auto* force = std::get_if<PullForce>(&mine)) {
      if (!locate(force->body, force->point, scene)) return;
    }
    (void)simulation_->execute(mine);  // errors are not reported: the scene itself has accepted the message
  }

  Status renew(std::unique_ptr<Simulation> fresh) override {
    if (Status taken = fresh->take_over(*simulation_, Simulation::Succession::kEdit); !taken) return taken;
    simulation_ = std::move(fresh);
    last_body_ = ~0U;
    return Done{};
  }

  std::vector<BodyInfo> infos() const override { return simulation_->hello().bodies; }
  std::vector<Geometry> geometry() const override {
    std::vector<Geometry> list;
    for (std::size_t b = 0; b < simulation_->scene().world->bodies().size(); ++b)
      list.push_back(simulation_->drawn(b).geometry());
    return list;
  }
  std::uint32_t revision() const override { return simulation_->geometry_revision(); }
  std::vector<BodyState> states() const override { return simulation_->state().bodies; }
  const Simulation* simulation() const override { return simulation_.get(); }
  std::vector<float> positions(std::size_t body) const override {
    return simulation_->positions(static_cast<std::uint32_t>(body)).value();
  }

 private:
  /// Replaces the number of a point of the scene by that of the nearest point here: the surfaces of other
  /// models may list their points in another order.
  bool locate(std::uint32_t body, std::uint32_t& point, const Simulation& scene) {
    if (body >= scene.scene().world->bodies().size()) return false;
    const std::vector<float>& rest = scene.drawn(body).geometry().rest;
    if (3 * to_size(point) + 2 >= rest.size()) return false;
    if (body != last_body_ || point != last_point_) {
      last_body_ = body;
      last_point_ = point;
      found_ = nearest_point(simulation_->drawn(body).geometry().rest, rest.data() + 3 * std::size_t{point});
    }
    point = found_;
    return true;
  }

  std::unique_ptr<Simulation> simulation_;
  std::uint32_t last_body_ = ~0U, last_point_ = 0, found_ = 0;
};

/// A body of a recorded run: a list of frame files, two of which are in memory.
class RecordedBody {
 public:
  static Result<RecordedBody> open(const std::filesystem::path& folder, const std::string& name,
                                   const BuiltScene& scene, std::size_t b) {
    const std::filesystem::path collection = folder / name;
    pugi::xml_document document;
    if (!document.load_file(collection.c_str()))
      return Diagnostic{ErrorCode::kNotFound,
                        {collection.string(), 0, 0, ""},
                        "is not there, or is no .pvd file",
                        "record one: pliant run SCENE --out " + folder.string()};
    RecordedBody body;
    for (const pugi::xml_node& entry : document.child("VTKFile").child("Collection").children("DataSet")) {
      // Only the file name is used: frames lie in the folder of their list.
      const std::filesystem::path file =
          std::filesystem::path(entry.attribute("file").as_string()).filename();
      body.frames_.emplace_back(entry.attribute("timestep").as_double(), folder / file);
    }
    if (body.frames_.empty())
      return Diagnostic{ErrorCode::kMissing, {collection.string(), 0, 0, ""}, "lists no frames", ""};
    std::sort(body.frames_.begin(), body.frames_.end());
    body.rest_ = scene.world->bodies()[b].model->mesh().vertices;
    const std::vector<char> cut = body.take_tears(scene, b);
    Result<DrawnBody> drawn = DrawnBody::make(scene, b, TableNumbers::kFloat, cut, true);
    if (!drawn) return drawn.errors();
    body.drawn_ = std::move(drawn).value();
    body.needed_.resize(body.rest_.size());
    for (Index i = 0; i < body.drawn_.point_count(); ++i) {
      body.carriers_.push_back(body.drawn_.carriers(i));
      for (const auto& [vertex, weight] : body.carriers_.back()) body.needed_[to_size(vertex)] = 1;
    }
    if (Status moved = body.move_to(0.0); !moved) return moved.errors();
    return body;
  }

  Status move_to(double time) {
    std::size_t next = 0;
    while (next + 1 < frames_.size() && frames_[next].first < time) ++next;
    const std::size_t before = next > 0 && frames_[next].first > time ? next - 1 : next;
    if (Status loaded = load(before, next); !loaded) return loaded;
    if (Status loaded = load(next, before); !loaded) return loaded;
    const double span = frames_[next].first - frames_[before].first;
    const double share = span > 0.0 ? (time - frames_[before].first) / span : 0.0;
    const std::vector<Vector3>& a = find(before);
    const std::vector<Vector3>& b = find(next);
    state_.positions.clear();
    const std::vector<float>& rest = drawn_.geometry().rest;
    for (std::size_t i = 0; i < carriers_.size(); ++i) {
      Vector3 x(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]);
      for (const auto& [vertex, weight] : carriers_[i]) {
        const auto v = to_size(vertex);
        x += weight * ((1.0 - share) * a[v] + share * b[v] - rest_[v]);
      }
      for (Index c = 0; c < 3; ++c) state_.positions.push_back(static_cast<float>(x[c]));
    }
    return Done{};
  }

  [[nodiscard]] const DrawnBody& drawn() const { return drawn_; }
  [[nodiscard]] const BodyState& state() const { return state_; }

 private:
  /// How vertices are numbered in frames after some domains have come off.
  struct Tear {
    std::size_t vertices;          // number of vertices in these frames
    std::vector<VertexId> number;  // for each drawn vertex, its number in these frames
  };

  /// Prepares the numberings of all stages. The body is drawn in its final pieces from the start. Returns the
  /// domains that come off.
  std::vector<char> take_tears(const BuiltScene& scene, std::size_t b) {
    const Domains* domains = scene.world->bodies()[b].model->domains();
    if (domains == nullptr) return {};
    const std::vector<std::string> names = domains->names();
    std::vector<std::vector<char>> stages{std::vector<char>(names.size(), 0)};
    for (const Event& event : scene.world->events()) {
      if (!event.detach || (event.body && to_size(*event.body) != b)) continue;
      stages.push_back(stages.back());
      for (std::size_t d = 0; d < names.size(); ++d)
        if (event.domain == names[d]) stages.back()[d] = 1;
    }
    const Pieces last = domains->pieces(stages.back());
    rest_ = last.mesh->vertices;
    for (const std::vector<char>& cut : stages) {
      const Pieces then = domains->pieces(cut);
      Tear one{then.mesh->vertices.size(), std::vector<VertexId>(rest_.size())};
      std::iota(one.number.begin(), one.number.end(), VertexId{0});
      for (std::size_t d = 0; d < names.size(); ++d)
        for (std::size_t i = 0; i < last.vertices[d].size(); ++i)
          one.number[to_size(last.vertices[d][i])] = then.vertices[d][i];
      tears_.push_back(std::move(one));
    }
    return stages.back();
  }

  const std::vector<Vector3>& find(std::size_t frame) const {
    return loaded_[0].first == frame ? loaded_[0].second : loaded_[1].second;
  }
  /// Loads a frame in place of the one in memory that is not `other`.
  Status load(std::size_t frame, std::size_t other) {
    if (loaded_[0].first == frame || loaded_[1].first == frame) return Done{};
    const std::string name = frames_[frame].second.string();
    const Result<std::string> bytes = read_file(frames_[frame].second);
    if (!bytes) return bytes.errors();
    const Result<FramePoints> read = read_frame_points(bytes.value(), name);
    if (!read) return read.errors();
    const FramePoints& points = read.value();
    const auto vertices = to_size(points.mesh_vertices);
    const auto torn =
        std::find_if(tears_.begin(), tears_.end(), [&](const Tear& one) { return one.vertices == vertices; });
    if (torn == tears_.end() && vertices != rest_.size())
      return Diagnostic{ErrorCode::kInconsistent,
                        {name, 0, 0, ""},
                        "is of a mesh of " + std::to_string(vertices) + " vertices, the body has " +
                            std::to_string(rest_.size()),
                        "record the run of the same mesh"};
    constexpr std::size_t kMissing = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> point_of(vertices, kMissing);
    for (std::size_t i = 0; i < points.vertices.size(); ++i) point_of[to_size(points.vertices[i])] = i;
    std::vector<Vector3> places = rest_;
    for (std::size_t v = 0; v < places.size(); ++v) {
      if (needed_[v] == 0) continue;
      const std::size_t point = point_of[torn != tears_.end() ? to_size(torn->number[v]) : v];
      if (point == kMissing)
        return Diagnostic{ErrorCode::kInconsistent,
                          {name, 0, 0, ""},
                          "does not have all vertices from which the body is drawn",
                          "record the run of this scene again, or with pliant run --frames volume"};
      places[v] = points.places[point];
    }
    loaded_[loaded_[0].first == other ? 1 : 0] = {frame, std::move(places)};
    return Done{};
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max() - 1;
  std::vector<std::pair<double, std::filesystem::path>> frames_;
  std::array<std::pair<std::size_t, std::vector<Vector3>>, 2> loaded_{{{kNone, {}}, {kNone, {}}}};
  std::vector<Vector3> rest_;
  std::vector<char> needed_;  // for each vertex, whether it carries drawn points
  std::vector<Tear> tears_;   // of a body with domains: whole, and after each detachment
  std::vector<std::vector<std::pair<VertexId, double>>> carriers_;
  DrawnBody drawn_;
  BodyState state_;
};

class RecordedGhost final : public Ghost {
 public:
  RecordedGhost(std::vector<RecordedBody> bodies, std::vector<BodyInfo> infos)
      : bodies_(std::move(bodies)), infos_(std::move(infos)) {}

  Status follow(double time, const Progress& /*progress*/) override {
    for (RecordedBody& body : bodies_)
      if (Status moved = body.move_to(time); !moved) return moved;
    return Done{};
  }
  void execute(const PageMessage& /*message*/, const Simulation& /*scene*/) override {}
  std::vector<BodyInfo> infos() const override { return infos_; }
  std::vector<Geometry> geometry() const override {
    std::vector<Geometry> list;
    list.reserve(bodies_.size());
    for (const RecordedBody& body : bodies_) list.push_back(body.drawn().geometry());
    return list;
  }
  std::uint32_t revision() const override { return 1; }
  std::vector<BodyState> states() const override {
    std::vector<BodyState> list;
    list.reserve(bodies_.size());
    for (const RecordedBody& body : bodies_) list.push_back(body.state());
    return list;
  }
  std::vector<float> positions(std::size_t body) const override { return bodies_[body].state().positions; }

 private:
  std::vector<RecordedBody> bodies_;
  std::vector<BodyInfo> infos_;
};

}  // namespace

std::unique_ptr<Ghost> Ghost::live(std::unique_ptr<Simulation> simulation) {
  return std::make_unique<LiveGhost>(std::move(simulation));
}

Result<std::unique_ptr<Ghost>> Ghost::recorded(const std::filesystem::path& folder, const BuiltScene& scene) {
  const std::vector<Body>& bodies = scene.world->bodies();
  const std::vector<std::string> stems = file_stems(bodies, "scene");
  std::vector<RecordedBody> list;
  std::vector<BodyInfo> infos;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Result<RecordedBody> body =
        RecordedBody::open(folder, (bodies.size() == 1 ? "scene" : stems[b]) + ".pvd", scene, b);
    if (!body) return body.errors();
    BodyInfo info;
    info.name = bodies[b].name;
    info.model = "recorded";
    info.points = static_cast<std::uint32_t>(body.value().drawn().point_count());
    info.triangles = static_cast<std::uint32_t>(body.value().drawn().triangle_count());
    infos.push_back(std::move(info));
    list.push_back(std::move(body).value());
  }
  return std::unique_ptr<Ghost>(std::make_unique<RecordedGhost>(std::move(list), std::move(infos)));
}

}  // namespace pliant::view
