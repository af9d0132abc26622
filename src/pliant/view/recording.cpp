#include "pliant/view/recording.hpp"

namespace pliant::view {
namespace {

constexpr double kBetweenFrames = 1.0 / 30.0;  // s of the scene; load factors of a static one

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

Recording::Recording(const Simulation& simulation)
    : start_(simulation.time()),
      next_(simulation.time()),
      revision_(simulation.geometry_revision()),
      volume_(simulation.volume()) {
  const std::vector<Body>& bodies = simulation.scene().world->bodies();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Geometry& geometry = simulation.drawn(b).geometry();
    animation_.add_body(bodies[b].name, triangles_of(geometry), rest_of(geometry));
    displacements_.emplace_back(geometry.rest.size());
  }
  take(simulation);
}

void Recording::add(const Simulation& simulation) {
  if (simulation.time() >= next_) take(simulation);
}

void Recording::take(const Simulation& simulation) {
  if (!(simulation.volume() == volume_)) return;  // what is cut away for a while would lose its past
  const bool drawn_anew = simulation.geometry_revision() != revision_;
  revision_ = simulation.geometry_revision();
  std::vector<std::span<const double>> spans;
  for (std::size_t b = 0; b < displacements_.size(); ++b) {
    const Result<std::vector<float>> points = simulation.positions(static_cast<std::uint32_t>(b));
    const Geometry& geometry = simulation.drawn(b).geometry();
    if (!points || points.value().size() != geometry.rest.size()) return;
    displacements_[b].resize(geometry.rest.size());
    for (std::size_t i = 0; i < geometry.rest.size(); ++i)
      displacements_[b][i] = static_cast<double>(points.value()[i]) - static_cast<double>(geometry.rest[i]);
    spans.emplace_back(displacements_[b]);
    if (drawn_anew) animation_.change_body(b, triangles_of(geometry), rest_of(geometry), spans.back());
  }
  animation_.add_frame(simulation.time() - start_, spans);
  next_ = simulation.time() + kBetweenFrames;
}

}  // namespace pliant::view
