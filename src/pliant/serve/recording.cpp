#include "pliant/serve/recording.hpp"

namespace pliant::view {
namespace {

constexpr double kBetweenFrames = 1.0 / 30.0;  // s of simulated time; for statics a load factor

/// All triangles of a body, copies of patches included.
std::vector<Triangle> triangles_of(const Geometry& geometry) {
  std::vector<Triangle> list;
  for (const Patch& patch : geometry.patches)
    for (const std::uint32_t base : patch.bases)
      for (std::size_t t = 0; t + 2 < patch.triangles.size(); t += 3) {
        Triangle triangle;
        for (std::size_t k = 0; k < 3; ++k)
          triangle[k] = static_cast<VertexId>(base + patch.triangles[t + k]);
        list.push_back(triangle);
      }
  return list;
}

std::vector<Vector3> rest_of(const Geometry& geometry) {
  std::vector<Vector3> rest;
  rest.reserve(geometry.rest.size() / 3);
  for (std::size_t i = 0; i + 2 < geometry.rest.size(); i += 3)
    rest.emplace_back(geometry.rest[i], geometry.rest[i + 1], geometry.rest[i + 2]);
  return rest;
}

}  // namespace

Result<Recording> Recording::begin(const Simulation& simulation) {
  Recording made(simulation.time());
  if (Status drawn = made.draw(simulation); !drawn) return drawn.errors();
  const std::vector<Body>& bodies = simulation.scene().world->bodies();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Geometry& geometry = made.surfaces_[b].geometry();
    made.animation_.add_body(bodies[b].name, triangles_of(geometry), rest_of(geometry));
    made.displacements_.emplace_back(geometry.rest.size());
  }
  made.take(simulation);
  return made;
}

Status Recording::draw(const Simulation& simulation) {
  std::vector<DrawnBody> surfaces;
  for (std::size_t b = 0; b < simulation.scene().world->bodies().size(); ++b) {
    Result<DrawnBody> surface = simulation.surface(b);
    if (!surface) return surface.errors();
    surfaces.push_back(std::move(surface).value());
  }
  surfaces_ = std::move(surfaces);
  revision_ = simulation.surface_revision();
  return Done{};
}

void Recording::add(const Simulation& simulation) {
  if (simulation.time() >= next_) take(simulation);
}

void Recording::jump(const Simulation& simulation) {
  start_ += simulation.time() - last_ - kBetweenFrames;
  take(simulation);
}

void Recording::take(const Simulation& simulation) {
  const bool drawn_anew = simulation.surface_revision() != revision_;
  if (drawn_anew && !draw(simulation)) return;
  std::vector<std::span<const double>> spans;
  for (std::size_t b = 0; b < displacements_.size(); ++b) {
    const Geometry& geometry = surfaces_[b].geometry();
    const std::vector<float> points = simulation.positions(b, surfaces_[b]);
    displacements_[b].resize(geometry.rest.size());
    for (std::size_t i = 0; i < geometry.rest.size(); ++i)
      displacements_[b][i] = static_cast<double>(points[i]) - static_cast<double>(geometry.rest[i]);
    spans.emplace_back(displacements_[b]);
    if (drawn_anew) animation_.change_body(b, triangles_of(geometry), rest_of(geometry), spans.back());
  }
  animation_.add_frame(simulation.time() - start_, spans);
  last_ = simulation.time();
  next_ = last_ + kBetweenFrames;
}

}  // namespace pliant::view
