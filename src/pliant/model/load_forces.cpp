#include "pliant/model/load_forces.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

/// Area vector (normal times area) and centroid values of a triangle.
struct TriangleState {
  Vector3 x[3];
  Vector3 area;  // ½ (x1−x0)×(x2−x0)
  Vector3 center;
  Vector3 velocity;  // of the centre
};

TriangleState state_of(const Triangle& t, ConstVectorRef x, ConstVectorRef v) {
  TriangleState s;
  s.velocity.setZero();
  s.center.setZero();
  for (std::size_t a = 0; a < 3; ++a) {
    s.x[a] = x.segment<3>(3 * static_cast<Index>(t[a]));
    s.center += s.x[a] / 3.0;
    s.velocity += v.segment<3>(3 * static_cast<Index>(t[a])) / 3.0;
  }
  s.area = 0.5 * (s.x[1] - s.x[0]).cross(s.x[2] - s.x[0]);
  return s;
}

/// Adds a symmetric matrix's block (row, column) to its lower triangle; both halves of a pair must be offered
/// once.
void add_block(SparseMatrix& K, VertexId row, VertexId column, const Matrix3& block) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const Index i = 3 * static_cast<Index>(row) + r;
      const Index j = 3 * static_cast<Index>(column) + c;
      if (i >= j) K.coeffRef(i, j) += block(r, c);
    }
}

}  // namespace

Vector3 Wind::at(const Vector3& position, double time) const {
  const double speed = velocity.norm();
  if (gust == 0.0 || speed == 0.0) return velocity;
  Rng rng(seed);
  const double delay = position.dot(velocity) / (speed * speed);  // gusts travel with the mean wind
  double strength = 0.0;
  double total = 0.0;
  for (const double pace : {1.0, 1.7, 2.9, 4.3}) {  // no common period, weaker when faster
    const double phase = 2.0 * std::numbers::pi * rng.uniform();
    strength += std::sin(2.0 * std::numbers::pi * pace * (time - delay) / gust_period + phase) / pace;
    total += 1.0 / pace;
  }
  return velocity * (1.0 + gust * strength / total);
}

LoadForces::LoadForces(std::vector<Load> loads) {
  for (Load& load : loads) {
    Prepared prepared{std::move(load), {}};
    const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
      follow_ = true;
      for (const BoundaryFace& face : faces) {
        const auto& v = face.vertices;
        if (face.size() == 3) {
          prepared.triangles.push_back({{v[0], v[1], v[2]}, 1.0});
          continue;
        }
        for (const Triangle& t : {Triangle{v[0], v[1], v[2]}, Triangle{v[0], v[2], v[3]},
                                  Triangle{v[0], v[1], v[3]}, Triangle{v[1], v[2], v[3]}})
          prepared.triangles.push_back({t, 0.5});
      }
    };
    if (const auto* pressure = std::get_if<Pressure>(&prepared.load.what)) add_faces(pressure->faces);
    if (const auto* wind = std::get_if<Wind>(&prepared.load.what)) add_faces(wind->faces);
    loads_.push_back(std::move(prepared));
  }
}

double LoadForces::strength(const Prepared& prepared, double time, Clock clock) {
  const TimeTable& table = prepared.load.table;
  if (table.t.empty()) return clock == Clock::kLoadFactor ? time : 1.0;
  return table.at(time);
}

void LoadForces::add_forces(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, VectorRef f) const {
  for (const Prepared& prepared : loads_) {
    const double scale = strength(prepared, time, clock);
    if (const auto* force = std::get_if<VertexForce>(&prepared.load.what)) {
      for (std::size_t i = 0; i < force->vertices.size(); ++i)
        f.segment<3>(3 * static_cast<Index>(force->vertices[i])) += scale * force->shares[i] * force->force;
      continue;
    }
    const auto* pressure = std::get_if<Pressure>(&prepared.load.what);
    const auto* wind = std::get_if<Wind>(&prepared.load.what);
    for (const WeightedTriangle& t : prepared.triangles) {
      const TriangleState s = state_of(t.vertices, x, v);
      Vector3 force;
      if (pressure != nullptr) {
        force = -scale * pressure->pascal * s.area;
      } else {
        const double area = s.area.norm();
        if (area == 0.0) continue;
        const Vector3 normal = s.area / area;
        const double across = (scale * wind->at(s.center, time) - s.velocity).dot(normal);
        force = 0.5 * wind->air_density * wind->drag * std::abs(across) * across * area * normal;
      }
      for (const VertexId a : t.vertices) f.segment<3>(3 * static_cast<Index>(a)) += t.weight / 3.0 * force;
    }
  }
}

void LoadForces::add_tangent(double time, Clock clock, ConstVectorRef x, ConstVectorRef v,
                             double velocity_factor, SparseMatrix& K) const {
  for (const Prepared& prepared : loads_) {
    const double scale = strength(prepared, time, clock);
    const auto* pressure = std::get_if<Pressure>(&prepared.load.what);
    const auto* wind = std::get_if<Wind>(&prepared.load.what);
    for (const WeightedTriangle& t : prepared.triangles) {
      const TriangleState s = state_of(t.vertices, x, v);
      if (pressure != nullptr) {
        // −∂f_a/∂x_b = −(p/6) w̃_b with w_b = x_{b+1} − x_{b+2}; its symmetric part is −(p/12) (w_b − w_a)~
        const double factor = -scale * pressure->pascal * t.weight / 12.0;
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b) {
            if (a == b) continue;
            const Vector3 wa = s.x[(a + 1) % 3] - s.x[(a + 2) % 3];
            const Vector3 wb = s.x[(b + 1) % 3] - s.x[(b + 2) % 3];
            add_block(K, t.vertices[a], t.vertices[b], factor * cross_matrix(wb - wa));
          }
      } else if (wind != nullptr && s.area.norm() > 0.0) {
        // −∂f_a/∂v_b = ρ c |w·n| A n nᵀ / 9: drag only damps
        const double area = s.area.norm();
        const Vector3 normal = s.area / area;
        const double across = (scale * wind->at(s.center, time) - s.velocity).dot(normal);
        const double factor =
            velocity_factor * wind->air_density * wind->drag * std::abs(across) * area * t.weight / 9.0;
        for (const VertexId a : t.vertices)
          for (const VertexId b : t.vertices) add_block(K, a, b, factor * normal * normal.transpose());
      }
    }
  }
}

}  // namespace pliant
