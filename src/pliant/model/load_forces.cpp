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

/// Adds a block (row, column) of a symmetric matrix to its lower triangle. Callers pass every ordered pair
/// once; the half above the diagonal is skipped here.
void add_block(SparseMatrix& K, VertexId row, VertexId column, const Matrix3& block) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      const Index i = 3 * static_cast<Index>(row) + r;
      const Index j = 3 * static_cast<Index>(column) + c;
      if (i >= j) K.coeffRef(i, j) += block(r, c);
    }
}

/// Of a quadratic face, numbers of three vertices (0 to 2 corners, 3 to 5 midside vertices) and their weight.
struct FaceTriangle {
  std::array<std::size_t, 3> of;
  double weight;
};

/// The volume under a quadratic face, ⅓ ∫ x·(x_s × x_t), as a sum over det(x_a, x_b, x_c)/6: the weight of
/// (a, b, c) is 2 ∫ N_a (N_b,s N_c,t − N_c,s N_b,t), summed over the three cyclic orders.
constexpr std::array<FaceTriangle, 20> kVolumeTriangles{{
    {{0, 1, 2}, 2.0 / 15.0}, {{3, 4, 5}, 16.0 / 15.0}, {{0, 3, 5}, 8.0 / 5.0},  {{1, 4, 3}, 8.0 / 5.0},
    {{2, 5, 4}, 8.0 / 5.0},  {{0, 1, 3}, 1.0 / 5.0},   {{1, 2, 4}, 1.0 / 5.0},  {{2, 0, 5}, 1.0 / 5.0},
    {{0, 3, 4}, 4.0 / 15.0}, {{0, 4, 5}, 4.0 / 15.0},  {{1, 4, 5}, 4.0 / 15.0}, {{1, 5, 3}, 4.0 / 15.0},
    {{2, 5, 3}, 4.0 / 15.0}, {{2, 3, 4}, 4.0 / 15.0},  {{0, 1, 4}, -1.0 / 3.0}, {{0, 1, 5}, -1.0 / 3.0},
    {{1, 2, 5}, -1.0 / 3.0}, {{1, 2, 3}, -1.0 / 3.0},  {{2, 0, 3}, -1.0 / 3.0}, {{2, 0, 4}, -1.0 / 3.0},
}};

/// Triangles of faces; what a quadratic face is split into, the caller says.
template <class AddQuadratic>
std::vector<WeightedTriangle> triangles_of(const std::vector<BoundaryFace>& faces,
                                           const AddQuadratic& add_quadratic) {
  std::vector<WeightedTriangle> triangles;
  triangles.reserve(4 * faces.size());
  for (const BoundaryFace& face : faces) {
    const auto& v = face.vertices;
    if (face.is_quadratic()) {
      add_quadratic(face, triangles);
    } else if (face.size() == 3) {
      triangles.push_back({{v[0], v[1], v[2]}, 1.0});
    } else {
      for (const Triangle& t : {Triangle{v[0], v[1], v[2]}, Triangle{v[0], v[2], v[3]},
                                Triangle{v[0], v[1], v[3]}, Triangle{v[1], v[2], v[3]}})
        triangles.push_back({t, 0.5});
    }
  }
  triangles.shrink_to_fit();
  return triangles;
}

}  // namespace

std::vector<WeightedTriangle> weighted_triangles(const std::vector<BoundaryFace>& faces) {
  return triangles_of(faces, [](const BoundaryFace& face, std::vector<WeightedTriangle>& triangles) {
    for (const Triangle& t : boundary_triangles({face})) triangles.push_back({t, 1.0});
  });
}

std::vector<WeightedTriangle> pressure_triangles(const std::vector<BoundaryFace>& faces) {
  return triangles_of(faces, [](const BoundaryFace& face, std::vector<WeightedTriangle>& triangles) {
    const auto vertex = [&](std::size_t i) { return i < 3 ? face.vertices[i] : face.midsides[i - 3]; };
    for (const auto& [of, weight] : kVolumeTriangles)
      triangles.push_back({{vertex(of[0]), vertex(of[1]), vertex(of[2])}, weight});
  });
}

Gusts::Gusts(const Wind& wind) : steady_(wind.gust == 0.0 || wind.velocity.isZero(0.0)) {
  if (steady_) return;
  // Gusts travel with the mean velocity w: they reach x after x·w/|w|² seconds.
  delay_ = wind.velocity / wind.velocity.squaredNorm();
  Rng rng(wind.seed);
  double total = 0.0;
  for (const double pace : kPaces) total += 1.0 / pace;
  for (std::size_t k = 0; k < kPaces.size(); ++k) {  // weaker when faster
    strength_[k] = wind.gust / (kPaces[k] * total);
    rate_[k] = 2.0 * std::numbers::pi * kPaces[k] / wind.gust_period;
    phase_[k] = 2.0 * std::numbers::pi * rng.uniform();
  }
}

double Gusts::at(double clock) const {
  double sum = 1.0;
  if (steady_) return sum;
  for (std::size_t k = 0; k < kPaces.size(); ++k)
    sum += strength_[k] * std::sin(rate_[k] * clock + phase_[k]);
  return sum;
}

Vector3 Gusts::about(double clock) const {
  Vector3 sum = Vector3::UnitX();
  if (steady_) return sum;
  for (std::size_t k = 0; k < kPaces.size(); ++k) {
    const double angle = rate_[k] * clock + phase_[k];
    const double sine = strength_[k] * std::sin(angle);
    sum += Vector3(sine, strength_[k] * rate_[k] * std::cos(angle), -rate_[k] * rate_[k] * sine);
  }
  return sum;
}

Vector3 Wind::at(const Vector3& position, double time) const {
  const Gusts gusts(*this);
  return velocity * gusts.at(time - position.dot(gusts.delay()));
}

LoadForces::LoadForces(std::vector<Load> loads) {
  loads_.reserve(loads.size());
  for (Load& load : loads) {
    Prepared prepared{std::move(load), {}, {}};
    if (const auto* pressure = std::get_if<Pressure>(&prepared.load.what))
      prepared.triangles = pressure_triangles(pressure->faces);
    if (const auto* wind = std::get_if<Wind>(&prepared.load.what)) {
      prepared.triangles = weighted_triangles(wind->faces);
      prepared.gusts.emplace(*wind);
    }
    follow_ = follow_ || !prepared.triangles.empty();
    loads_.push_back(std::move(prepared));
  }
}

double LoadForces::strength(const TimeTable& table, double time, Clock clock) {
  if (table.t.empty()) return clock == Clock::kLoadFactor ? time : 1.0;
  return table.at(time);
}

/// Air velocity at a place. A wind's table scales the velocity, not the force.
struct LoadForces::Air {
  const Wind& wind;
  const Gusts& gusts;
  double scale, time;
  [[nodiscard]] Vector3 operator()(const Vector3& place) const {
    return scale * gusts.at(time - place.dot(gusts.delay())) * wind.velocity;
  }
};

void LoadForces::add_forces(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, VectorRef f) const {
  for (const Prepared& prepared : loads_) {
    const double scale = strength(prepared.load.table, time, clock);
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
        const double across = (Air{*wind, *prepared.gusts, scale, time}(s.center) - s.velocity).dot(normal);
        force = 0.5 * wind->air_density * wind->drag * std::abs(across) * across * area * normal;
      }
      for (const VertexId a : t.vertices) f.segment<3>(3 * static_cast<Index>(a)) += t.weight / 3.0 * force;
    }
  }
}

void LoadForces::add_tangent(double time, Clock clock, ConstVectorRef x, ConstVectorRef v,
                             double velocity_factor, SparseMatrix& K) const {
  for (const Prepared& prepared : loads_) {
    const double scale = strength(prepared.load.table, time, clock);
    const auto* pressure = std::get_if<Pressure>(&prepared.load.what);
    const auto* wind = std::get_if<Wind>(&prepared.load.what);
    for (const WeightedTriangle& t : prepared.triangles) {
      const TriangleState s = state_of(t.vertices, x, v);
      if (pressure != nullptr) {
        // −∂f_a/∂x_b = −(p/6) w_b~ with w_b = x_{b+1} − x_{b+2}; its symmetric part is −(p/12) (w_b − w_a)~
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
        const double across = (Air{*wind, *prepared.gusts, scale, time}(s.center) - s.velocity).dot(normal);
        const double factor =
            velocity_factor * wind->air_density * wind->drag * std::abs(across) * area * t.weight / 9.0;
        for (const VertexId a : t.vertices)
          for (const VertexId b : t.vertices) add_block(K, a, b, factor * normal * normal.transpose());
      }
    }
  }
}

}  // namespace pliant
