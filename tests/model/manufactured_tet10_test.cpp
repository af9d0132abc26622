// Manufactured static solutions with quadratic tets: the error falls with order 3 in L² and 2 in the energy
// norm, on straight elements, on curved ones, and on a body with a round surface.
#include "fem/bodies.hpp"
#include "pliant/material/point.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/model/full/full_model.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

/// A smooth displacement that vanishes on the boundary, and its gradient.
struct SmoothField {
  std::function<Vector3(const Vector3&)> u;
  std::function<Matrix3(const Vector3&)> gradient;
};

const Vector3 kDirection(1.0, -0.5, 0.8);

/// On the unit cube: a s(x) s(y) s(z) d, s(t) = sin πt. With a = 0.1 StVK is no longer elliptic at the faces'
/// centres, and fine meshes find other equilibria.
SmoothField cube_field() {
  constexpr double kPi3 = std::numbers::pi;
  const double amplitude = 0.05;
  return {[=](const Vector3& X) -> Vector3 {
            const Vector3 s = (kPi3 * X).array().sin();
            return amplitude * s.prod() * kDirection;
          },
          [=](const Vector3& X) -> Matrix3 {
            const Vector3 s = (kPi3 * X).array().sin(), c = (kPi3 * X).array().cos();
            const Vector3 g(c.x() * s.y() * s.z(), s.x() * c.y() * s.z(), s.x() * s.y() * c.z());
            return amplitude * kPi3 * kDirection * g.transpose();
          }};
}

/// On the ball of radius ½: a (1 − 4 r²) sin(2x + y) d.
SmoothField ball_field() {
  const double amplitude = 0.05;
  const Vector3 wave(2.0, 1.0, 0.0);
  return {[=](const Vector3& X) -> Vector3 {
            return amplitude * (1.0 - 4.0 * X.squaredNorm()) * std::sin(wave.dot(X)) * kDirection;
          },
          [=](const Vector3& X) -> Matrix3 {
            const Vector3 g = -8.0 * std::sin(wave.dot(X)) * X +
                              (1.0 - 4.0 * X.squaredNorm()) * std::cos(wave.dot(X)) * wave;
            return amplitude * kDirection * g.transpose();
          }};
}

struct CollapsedPoint {
  std::array<double, 4> place;  // barycentric
  double weight;                // they sum to 1/6
};

/// Gauss points of a cube that is collapsed onto the tet, 4 per axis: exact for degree 5. No point is one of
/// the solver's own.
const std::vector<CollapsedPoint>& collapsed_points() {
  static const std::vector<CollapsedPoint> points = [] {
    const double a = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(1.2));
    const double b = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(1.2));
    const double inner = (18.0 + std::sqrt(30.0)) / 72.0, outer = (18.0 - std::sqrt(30.0)) / 72.0;
    const std::array<double, 4> at{0.5 - 0.5 * b, 0.5 - 0.5 * a, 0.5 + 0.5 * a, 0.5 + 0.5 * b};
    const std::array<double, 4> share{outer, inner, inner, outer};
    std::vector<CollapsedPoint> list;
    for (std::size_t p = 0; p < 64; ++p) {
      const std::size_t i = p % 4, j = p / 4 % 4, k = p / 16;
      const double z = at[k], y = at[j] * (1.0 - z), x = at[i] * (1.0 - at[j]) * (1.0 - z);
      list.push_back({{1.0 - x - y - z, x, y, z},
                      share[i] * share[j] * share[k] * (1.0 - at[j]) * (1.0 - z) * (1.0 - z)});
    }
    return list;
  }();
  return points;
}

/// visit(element, place, weight, values, gradients) at all points of all elements.
template <class Visit>
void at_points(const VolumeMesh& mesh, const Visit& visit) {
  for (const Tet10& tet : mesh.tet10s) {
    const Tet10Corners x = corners(mesh, tet);
    for (const CollapsedPoint& point : collapsed_points()) {
      const Matrix3 J = tet10_jacobian(x, point.place);
      const Matrix3 back = J.inverse().transpose();
      const auto values = tet10_weights(point.place);
      const auto slopes = tet10_gradients(point.place);
      Vector3 X = Vector3::Zero();
      std::array<Vector3, 10> gradients;
      for (std::size_t a = 0; a < 10; ++a) {
        X += values[a] * x[a];
        gradients[a] = back * Eigen::Map<const Vector3>(slopes[a].data());
      }
      visit(tet, X, point.weight * J.determinant(), values, gradients);
    }
  }
}

struct FieldErrors {
  double l2 = 0.0;
  double energy = 0.0;
};

FieldErrors errors_on(const VolumeMesh& mesh, const SmoothField& field, Law law) {
  const Material material = test::material_of(law);
  BodyDefinition definition;
  definition.elastic = std::make_shared<ElasticBody>(mesh, MaterialMap{{material}, {}});
  std::vector<char> outer(mesh.vertices.size(), 0);
  for (const BoundaryFace& face : boundary_faces(mesh))
    for (std::size_t i = 0; i < 3; ++i)
      outer[to_size(face.vertices[i])] = outer[to_size(face.midsides[i])] = 1;
  Support boundary{"boundary", {}, {}};
  for (std::size_t v = 0; v < outer.size(); ++v)
    if (outer[v] != 0) boundary.vertices.push_back(static_cast<VertexId>(v));
  definition.supports.push_back(boundary);
  // The weak form of the body force: f_a = ∫ P(1 + ∇u) ∇N_a.
  Eigen::Matrix3Xd f = Eigen::Matrix3Xd::Zero(3, mesh.vertex_count());
  at_points(mesh, [&](const Tet10& tet, const Vector3& X, double w, const auto&, const auto& gradients) {
    const Matrix3 P = w * stress(material, Matrix3::Identity() + field.gradient(X));
    for (std::size_t a = 0; a < 10; ++a) f.col(tet[a]) += P * gradients[a];
  });
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    definition.loads.loads.push_back({"", VertexForce{{static_cast<VertexId>(v)}, {1.0}, f.col(v)}, {}});
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  settings.newton_tolerance = 1e-10;
  auto model = make_full_model(std::move(definition), settings).value();
  const VectorX zero = VectorX::Zero(3 * mesh.vertex_count());
  EXPECT_TRUE(model->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(model->step_static(0.0, 1.0).healthy());
  const VectorX& u = model->displacements();
  FieldErrors errors;
  at_points(mesh,
            [&](const Tet10& tet, const Vector3& X, double w, const auto& values, const auto& gradients) {
              Vector3 difference = -field.u(X);
              Matrix3 slope = -field.gradient(X);
              for (std::size_t a = 0; a < 10; ++a) {
                const Vector3 own = u.segment<3>(3 * static_cast<Index>(tet[a]));
                difference += values[a] * own;
                slope += own * gradients[a].transpose();
              }
              const Matrix3 strain = 0.5 * (slope + slope.transpose());
              errors.l2 += w * difference.squaredNorm();
              errors.energy += w * (2.0 * material.mu() * strain.squaredNorm() +
                                    material.lambda() * strain.trace() * strain.trace());
            });
  return {std::sqrt(errors.l2), std::sqrt(errors.energy)};
}

struct Orders {
  double l2, energy;
};

Orders orders(const FieldErrors& coarse, const FieldErrors& fine) {
  const Orders found{std::log2(coarse.l2 / fine.l2), std::log2(coarse.energy / fine.energy)};
  std::printf("order: L2 %.3f, energy %.3f; error: L2 %.2e, energy %.2e\n", found.l2, found.energy, fine.l2,
              fine.energy);
  return found;
}

VolumeMesh cube(Index cells) { return generate_box({1, 1, 1}, {cells, cells, cells}, ElementKind::kTet10); }

/// Every vertex moved by a smooth map of the cube onto itself: no edge stays straight but those of the cube.
VolumeMesh bent_cube(Index cells) {
  VolumeMesh mesh = cube(cells);
  for (Vector3& x : mesh.vertices) {
    const Vector3 s = (std::numbers::pi * x).array().sin(), c = (std::numbers::pi * x).array().cos();
    x += 0.06 * Vector3(s.x() * c.y() * c.z(), -s.y() * c.z() * c.x(), s.z() * c.x() * c.y());
  }
  return mesh;
}

class ManufacturedTet10 : public testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Laws, ManufacturedTet10, testing::Values(Law::kStvk, Law::kNeoHookean),
                         [](const auto& test) { return test.param == Law::kStvk ? "Stvk" : "NeoHookean"; });

TEST_P(ManufacturedTet10, ConvergesWithTheOrderOfQuadraticElements) {
  const SmoothField field = cube_field();
  const Orders found = orders(errors_on(cube(5), field, GetParam()), errors_on(cube(10), field, GetParam()));
  EXPECT_NEAR(found.l2, 3.0, 0.15);
  EXPECT_NEAR(found.energy, 2.0, 0.1);
}

TEST(ManufacturedTet10Curved, ConvergesAsOnStraightOnes) {
  const SmoothField field = cube_field();
  const VolumeMesh fine = bent_cube(10);
  EXPECT_FALSE(is_straight(corners(fine, fine.tet10s[17])));
  const Orders found = orders(errors_on(bent_cube(5), field, Law::kStvk), errors_on(fine, field, Law::kStvk));
  EXPECT_NEAR(found.l2, 3.0, 0.15);
  EXPECT_NEAR(found.energy, 2.0, 0.1);
}

TEST(ManufacturedTet10Curved, RoundSurfacesNeedMidsideVerticesOnThem) {
  const SmoothField field = ball_field();
  const auto ball = [](Index across) { return generate_sphere({0.5, across}, ElementKind::kTet10); };
  const auto straight = [](Index across) {
    return make_quadratic(generate_sphere({0.5, across}, ElementKind::kTet));
  };
  const Orders curved = orders(errors_on(ball(4), field, Law::kStvk), errors_on(ball(8), field, Law::kStvk));
  const Orders flat =
      orders(errors_on(straight(4), field, Law::kStvk), errors_on(straight(8), field, Law::kStvk));
  EXPECT_GT(curved.l2, 2.7);
  EXPECT_GT(curved.energy, 1.8);
  // A surface of flat triangles leaves an error of order 2, and 3/2 in the energy norm.
  EXPECT_LT(flat.l2, 2.3);
  EXPECT_LT(flat.energy, 1.7);
}

}  // namespace
}  // namespace pliant
