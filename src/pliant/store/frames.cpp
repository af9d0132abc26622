#include "pliant/store/frames.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/sim/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {
namespace {

constexpr std::size_t kWaiting = 2;  // frames in memory that wait to be written
constexpr double kFloor = 3.0;       // half the width of a shown plane over the size of the bodies

/// The tuples of `rows`, `components` numbers each.
template <class Row>
std::vector<double> gather(const VectorX& values, Index components, const std::vector<Row>& rows) {
  std::vector<double> list;
  list.reserve(to_size(components) * rows.size());
  for (const Row row : rows)
    list.insert(list.end(), values.data() + components * row, values.data() + components * (row + 1));
  return list;
}

/// Whether an event detaches a domain of body `b`, or cuts it.
bool comes_apart(const World& world, std::size_t b) {
  const std::vector<Event>& events = world.events();
  return std::any_of(events.begin(), events.end(), [&](const Event& event) {
    return (event.detach || event.cut) && (!event.body || to_size(*event.body) == b);
  });
}

}  // namespace

struct FrameWriter::Shown {
  VolumeMesh mesh;  // at rest
  FrameGrid grid;

  [[nodiscard]] bool is_that_of(const VolumeMesh& other) const {
    return mesh.vertices == other.vertices && mesh.tets == other.tets && mesh.hexes == other.hexes &&
           mesh.tet10s == other.tet10s && mesh.tet_labels == other.tet_labels &&
           mesh.hex_labels == other.hex_labels && mesh.tet10_labels == other.tet10_labels;
  }
};

std::string file_stem(const std::string& name) {
  std::string stem = name;
  for (char& c : stem) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  return stem;
}

std::vector<std::string> file_stems(const std::vector<Body>& bodies, std::string_view reserved) {
  std::vector<std::string> stems;
  stems.reserve(bodies.size());
  const auto taken = [&](const std::string& stem) {
    return stem == reserved || std::find(stems.begin(), stems.end(), stem) != stems.end();
  };
  for (const Body& body : bodies) {
    std::string stem = file_stem(body.name);
    for (int copy = 2; taken(stem); ++copy) stem = file_stem(body.name) + "-" + std::to_string(copy);
    stems.push_back(std::move(stem));
  }
  return stems;
}

FrameWriter::FrameWriter(std::filesystem::path folder, const World& world,
                         std::vector<const CarriedSurface*> surfaces, FrameContent content)
    : folder_(std::move(folder)), content_(content), writing_(kWaiting) {
  surfaces.resize(world.bodies().size(), nullptr);
  const std::vector<std::string> stems = file_stems(world.bodies(), "scene");
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    const Body& body = world.bodies()[b];
    Track track;
    track.surface = surfaces[b];
    track.stem = stems[b];
    track.whole = comes_apart(world, b);
    const SurfaceMesh surface = new_surface(body, track).value_or(SurfaceMesh{});
    animation_.add_body(body.name, surface.triangles, surface.vertices);
    tracks_.push_back(std::move(track));
  }
  add_obstacles(world);
}

/// Obstacles become further surfaces of the animation. Of a plane a part is shown that is a few bodies wide.
void FrameWriter::add_obstacles(const World& world) {
  if (world.contacts() == nullptr) return;
  Eigen::AlignedBox3d box;
  for (const Body& body : world.bodies())
    for (const Vector3& x : body.model->mesh().vertices) box.extend(x);
  for (const Obstacle& obstacle : world.contacts()->obstacles()) {
    const SurfaceMesh own = surface_of(obstacle.shape, kFloor * box.diagonal().norm());
    const Pose pose = obstacle.at(0.0);
    ObstacleTrack track{own.vertices, {}, VectorX(3 * own.vertex_count())};
    for (const Vector3& x : own.vertices) track.rest.push_back(pose.to_world(x));
    animation_.add_body(obstacle.name, own.triangles, track.rest);
    obstacles_.push_back(std::move(track));
  }
}

void FrameWriter::move_obstacles(const World& world, double t, std::vector<std::span<const double>>& shapes) {
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    ObstacleTrack& track = obstacles_[o];
    const Pose pose = world.contacts()->place(o, t);
    for (std::size_t i = 0; i < track.own.size(); ++i)
      track.moved.segment<3>(3 * static_cast<Index>(i)) = pose.to_world(track.own[i]) - track.rest[i];
    shapes.emplace_back(track.moved.data(), to_size(track.moved.size()));
  }
}

/// A changed surface, such as a torn one, is recognised by its number of vertices.
std::optional<SurfaceMesh> FrameWriter::new_surface(const Body& body, Track& track) {
  const VolumeMesh& mesh = body.model->mesh();
  const SurfaceMesh* drawn = body.model->drawn_surface();
  const SurfaceMesh* surface = drawn == nullptr && track.surface != nullptr ? &track.surface->rest : drawn;
  if (drawn == nullptr) track.drawn.clear();
  const Index vertices = surface != nullptr ? surface->vertex_count() : mesh.vertex_count();
  if (vertices == track.vertices) return std::nullopt;
  track.vertices = vertices;
  if (surface == nullptr) return SurfaceMesh{mesh.vertices, boundary_triangles(boundary_faces(mesh))};
  track.carried.resize(3 * vertices);
  track.drawn.resize(drawn != nullptr ? to_size(3 * vertices) : 0);
  return *surface;
}

std::filesystem::path FrameWriter::pvd_path(const Track& track) const {
  return folder_ / (tracks_.size() == 1 ? std::string("scene.pvd") : track.stem + ".pvd");
}

std::shared_ptr<const FrameWriter::Shown> FrameWriter::what_is_shown(const VolumeMesh& mesh,
                                                                     const Track& track) const {
  if (content_ == FrameContent::kVolume) return std::make_shared<Shown>(Shown{mesh, volume_grid(mesh)});
  std::vector<char> also(mesh.vertices.size(), track.whole ? 1 : 0);
  if (track.surface != nullptr) {
    for (const Index element : track.surface->embedding.elements)
      for (const VertexId v : mesh.element_vertices(element)) also[to_size(v)] = 1;
  }
  return std::make_shared<Shown>(Shown{mesh, surface_grid(mesh, also)});
}

Status FrameWriter::write_body(const Body& body, Track& track, Index frame, double t) {
  const Model& model = *body.model;
  if (!track.shown || !track.shown->is_that_of(model.mesh()))
    track.shown = what_is_shown(model.mesh(), track);
  const FrameGrid& grid = track.shown->grid;
  VtuData data;
  data.point.push_back({"displacement", 3, gather(model.displacements(), 3, grid.vertices)});
  data.point.push_back({"velocity", 3, gather(model.velocities(), 3, grid.vertices)});
  data.cell.push_back({"von_mises", 1, gather(model.von_mises(), 1, grid.elements)});
  const std::string name = fmt::format("{}_{:04}.vtu", track.stem, frame);
  track.files.emplace_back(t, name);
  std::vector<PvdEntry> entries;
  entries.reserve(track.files.size());
  for (const auto& [time, file] : track.files) entries.push_back({time, file});
  return writing_.add([shown = track.shown, data = std::move(data), file = folder_ / name,
                       pvd = pvd_path(track), entries = std::move(entries)] {
    std::vector<Vector3> places;
    places.reserve(shown->grid.vertices.size());
    const double* u = data.point[0].values.data();
    for (const VertexId v : shown->grid.vertices) {
      places.push_back(shown->mesh.vertices[to_size(v)] + Vector3(u[0], u[1], u[2]));
      u += 3;
    }
    if (Status written = write_file(file, write_frame(shown->grid, places, data)); !written) return written;
    return write_file(pvd, write_pvd(entries));
  });
}

/// A surface drawn by the model first, then a carried one, then the vertices of the volume.
std::span<const double> FrameWriter::shape_of(const Body& body, Track& track) {
  const VectorX& u = body.model->displacements();
  if (!track.drawn.empty()) {
    body.model->draw(track.drawn, {});
    const std::vector<Vector3>& rest = body.model->drawn_surface()->vertices;
    for (std::size_t i = 0; i < track.drawn.size(); ++i)
      track.carried[static_cast<Index>(i)] =
          static_cast<double>(track.drawn[i]) - rest[i / 3][static_cast<Index>(i % 3)];
  } else if (track.surface != nullptr) {
    interpolate(track.surface->embedding, u, track.carried);
  } else {
    return {u.data(), to_size(u.size())};
  }
  return {track.carried.data(), to_size(track.carried.size())};
}

Status FrameWriter::add(const World& world, Index frame, double t) {
  std::vector<std::span<const double>> shapes;
  for (std::size_t b = 0; b < tracks_.size(); ++b) {
    const Body& body = world.bodies()[b];
    Track& track = tracks_[b];
    if (Status written = write_body(body, track, frame, t); !written) return written;
    const std::optional<SurfaceMesh> torn = new_surface(body, track);
    shapes.push_back(shape_of(body, track));
    if (torn) animation_.change_body(b, torn->triangles, torn->vertices, shapes.back());
  }
  move_obstacles(world, t, shapes);
  animation_.add_frame(t, shapes);
  ++frames_;
  return Done{};
}

void FrameWriter::take_up(Index frame, double t) {
  for (Track& track : tracks_) {
    const std::string name = fmt::format("{}_{:04}.vtu", track.stem, frame);
    std::error_code error;
    if (std::filesystem::exists(folder_ / name, error)) track.files.emplace_back(t, name);
  }
}

Status FrameWriter::finish() {
  if (Status written = writing_.finish(); !written) return written;
  const Result<std::string> bytes = animation_.write("animation.glb");
  if (!bytes) return bytes.errors();
  Status written = write_file(folder_ / "animation.glb", bytes.value());
  finished_ = written.ok();
  return written;
}

std::vector<std::filesystem::path> FrameWriter::entry_points() const {
  std::vector<std::filesystem::path> paths;
  for (const Track& track : tracks_) {
    if (!track.files.empty()) paths.push_back(pvd_path(track));
  }
  if (finished_) paths.push_back(folder_ / "animation.glb");
  return paths;
}

}  // namespace pliant
