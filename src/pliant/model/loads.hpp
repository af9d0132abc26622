// model/loads.hpp — external loads of a body: forces, pressure, wind, gravity. Pure data; models evaluate it.
#pragma once

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/model/motion.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

/// visit(vertex) for the corners and midside vertices of a face, which may be const.
template <class Face, class Visit>
void for_each_vertex(Face& face, const Visit& visit) {
  for (std::size_t i = 0; i < to_size(face.size()); ++i) visit(face.vertices[i]);
  if (!face.is_quadratic()) return;
  for (auto& v : face.midsides) visit(v);
}

/// A dead force at each of the listed vertices: force_i = share_i · total.
struct VertexForce {
  std::vector<VertexId> vertices;
  std::vector<double> shares;  // one per vertex; they sum to 1 when `force` is the total
  Vector3 force;               // N
};

/// Pressure on boundary faces; follows the deformed surface, positive pushes inwards.
struct Pressure {
  std::vector<BoundaryFace> faces;
  double pascal = 0.0;
};

/// Drag of moving air on boundary faces: each face feels ½ ρ c |w·n| (w·n) n times its area,
/// w the air's velocity relative to it.
struct Wind {
  std::vector<BoundaryFace> faces;
  Vector3 velocity = Vector3::Zero();  // m/s, the mean
  double gust = 0.0;                   // relative strength of the gusts, 0: steady
  double gust_period = 2.0;            // s, the slowest of them
  double drag = 1.0;                   // coefficient c
  double air_density = 1.225;          // kg/m³
  std::uint64_t seed = 1;
  double tolerance = 0.01;  // error that a tree may make by sampling the faces; 0: it evaluates them all
  /// Air velocity at a place and time: the gusts are carried along by the mean wind.
  [[nodiscard]] Vector3 at(const Vector3& position, double time) const;
};

/// One load with the table that scales it over time.
struct Load {
  std::string name;  // the selection's text, for messages
  std::variant<VertexForce, Pressure, Wind> what;
  TimeTable table;  // scales a force or a pressure; of wind, the velocity
};

/// Everything that acts on one body.
struct Loads {
  Vector3 gravity = Vector3::Zero();  // m/s²
  std::vector<Load> loads;
};

}  // namespace pliant
