// A manufactured static solution: the error falls with order 2 in L² and 1 in the energy norm, for tet4 and
// hex8.
#include "fem/bodies.hpp"
#include "pliant/fem/batch.hpp"
#include "pliant/material/point.hpp"
#include "pliant/model/full/full_model.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

/// u(X) = a s(x) s(y) s(z) d, s(t) = sin πt: zero on the boundary of the unit cube.
struct Solution {
  double amplitude = 0.1;
  Vector3 direction{1.0, -0.5, 0.8};
  Vector3 u(const Vector3& X) const {
    return amplitude * std::sin(kPi * X.x()) * std::sin(kPi * X.y()) * std::sin(kPi * X.z()) * direction;
  }
  Matrix3 gradient(const Vector3& X) const {
    const Vector3 s(std::sin(kPi * X.x()), std::sin(kPi * X.y()), std::sin(kPi * X.z()));
    const Vector3 c(std::cos(kPi * X.x()), std::cos(kPi * X.y()), std::cos(kPi * X.z()));
    const Vector3 g(c.x() * s.y() * s.z(), s.x() * c.y() * s.z(), s.x() * s.y() * c.z());
    return amplitude * kPi * direction * g.transpose();
  }
};

/// Integration points of an element in the rest shape: place, weight, shape values.
template <class Body>
void integrate(const VolumeMesh& mesh, const Body& body) {
  // tets: the 4-point rule of degree 2 is too weak to judge order 2; split each tet's integral by a 3×3×3
  // Gauss rule on the collapsed cube
  const auto run = [&](const auto& element, const std::array<Vector3, 8>& corners, bool tet) {
    for (const HexPoint& point : hex_points()) {
      Vector3 X = Vector3::Zero();
      Matrix3 J = Matrix3::Zero();
      for (std::size_t a = 0; a < 8; ++a) {
        X += point.shape[a] * corners[a];
        J +=
            corners[a] * Eigen::RowVector3d(point.gradient[a][0], point.gradient[a][1], point.gradient[a][2]);
      }
      body(element, X, std::abs(J.determinant()) * point.weight, tet);
    }
  };
  const auto at = [&](VertexId v) { return mesh.vertices[to_size(v)]; };
  for (const Tet& t : mesh.tets) {
    const Vector3 a = at(t[0]);
    const Vector3 b = at(t[1]);
    const Vector3 c = at(t[2]);
    const Vector3 d = at(t[3]);
    run(t, {a, b, c, c, d, d, d, d}, true);  // a hex collapsed onto the tet
  }
  for (const Hex& h : mesh.hexes)
    run(h, {at(h[0]), at(h[1]), at(h[2]), at(h[3]), at(h[4]), at(h[5]), at(h[6]), at(h[7])}, false);
}

/// Shape values and gradients of a tet, or of a hex that is an axis-parallel box.
template <std::size_t N>
void shapes(const VolumeMesh& mesh, const std::array<VertexId, N>& element, const Vector3& X, VectorX& value,
            MatrixX& gradient) {
  const auto at = [&](std::size_t a) { return mesh.vertices[to_size(element[a])]; };
  value.resize(N);
  gradient.resize(N, 3);
  if constexpr (N == 4) {
    Matrix3 D;
    for (std::size_t a = 1; a < 4; ++a) D.col(static_cast<Index>(a) - 1) = at(a) - at(0);
    const Matrix3 inverse = D.inverse();
    value.tail<3>() = inverse * (X - at(0));
    value[0] = 1.0 - value.tail<3>().sum();
    gradient.bottomRows<3>() = inverse;
    gradient.row(0) = -inverse.colwise().sum();
  } else {
    const Vector3 size = at(6) - at(0);
    const Vector3 t = (X - at(0)).cwiseQuotient(size);
    for (std::size_t a = 0; a < 8; ++a) {
      Vector3 factor;
      Vector3 slope;
      for (Index k = 0; k < 3; ++k) {
        const bool high = at(a)[k] > at(0)[k] + 0.5 * size[k];
        factor[k] = high ? t[k] : 1.0 - t[k];
        slope[k] = (high ? 1.0 : -1.0) / size[k];
      }
      value[static_cast<Index>(a)] = factor.prod();
      gradient.row(static_cast<Index>(a)) << slope[0] * factor[1] * factor[2],
          factor[0] * slope[1] * factor[2], factor[0] * factor[1] * slope[2];
    }
  }
}

struct Errors {
  double l2 = 0.0;
  double energy = 0.0;
};

Errors solve_on(Index cells, ElementKind kind, Law law) {
  const Solution solution;
  const VolumeMesh mesh = generate_box({1, 1, 1}, {cells, cells, cells}, kind);
  const Material material = test::material_of(law);
  BodyDefinition definition;
  definition.elastic = std::make_shared<ElasticBody>(mesh, MaterialMap{{material}, {}});
  Support boundary{"boundary", {}, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vector3& X = mesh.vertices[v];
    if (X.minCoeff() < 1e-12 || X.maxCoeff() > 1.0 - 1e-12)
      boundary.vertices.push_back(static_cast<VertexId>(v));
  }
  definition.supports.push_back(boundary);
  // weak form of the body force: f_a = ∫ P(1 + ∇u) ∇N_a
  MatrixX f = MatrixX::Zero(3, mesh.vertex_count());
  VectorX value;
  MatrixX gradient;
  integrate(mesh, [&](const auto& element, const Vector3& X, double w, bool) {
    shapes(mesh, element, X, value, gradient);
    const Matrix3 P = stress(material, Matrix3::Identity() + solution.gradient(X));
    for (std::size_t a = 0; a < element.size(); ++a)
      f.col(element[a]) += w * P * gradient.row(static_cast<Index>(a)).transpose();
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

  Errors errors;
  integrate(mesh, [&](const auto& element, const Vector3& X, double w, bool) {
    shapes(mesh, element, X, value, gradient);
    Vector3 uh = Vector3::Zero();
    Matrix3 Hh = Matrix3::Zero();
    for (std::size_t a = 0; a < element.size(); ++a) {
      const Vector3 ua = u.segment<3>(3 * static_cast<Index>(element[a]));
      uh += value[static_cast<Index>(a)] * ua;
      Hh += ua * gradient.row(static_cast<Index>(a));
    }
    errors.l2 += w * (uh - solution.u(X)).squaredNorm();
    const Matrix3 e = Hh - solution.gradient(X);
    const Matrix3 strain = 0.5 * (e + e.transpose());
    errors.energy += w * (2.0 * material.mu() * strain.squaredNorm() +
                          material.lambda() * strain.trace() * strain.trace());
  });
  return {std::sqrt(errors.l2), std::sqrt(errors.energy)};
}

class Manufactured : public testing::TestWithParam<std::tuple<ElementKind, Law>> {};

TEST_P(Manufactured, ConvergesWithTheOrderOfLinearElements) {
  const auto [kind, law] = GetParam();
  const Errors coarse = solve_on(8, kind, law);
  const Errors fine = solve_on(16, kind, law);
  const double l2_order = std::log2(coarse.l2 / fine.l2);
  const double energy_order = std::log2(coarse.energy / fine.energy);
  std::printf("order: L2 %.3f, energy %.3f\n", l2_order, energy_order);
  EXPECT_NEAR(l2_order, 2.0, 0.15);
  EXPECT_NEAR(energy_order, 1.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, Manufactured,
                         testing::Combine(testing::Values(ElementKind::kTet, ElementKind::kHex),
                                          testing::Values(Law::kStvk, Law::kNeoHookean)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param) == ElementKind::kTet ? "Tet" : "Hex") +
                                  (std::get<1>(test.param) == Law::kStvk ? "Stvk" : "NeoHookean");
                         });

}  // namespace
}  // namespace pliant
