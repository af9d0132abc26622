// The assembled system: each force against its energy, each tangent against its force, and what symmetry
// demands.
#include "pliant/fem/elastic_body.hpp"

#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/material/point.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::relative_error;
using test::symmetric;

class EveryLaw : public testing::TestWithParam<test::LawCase> {
 protected:
  [[nodiscard]] static ElasticBody make_body(const std::array<Index, 3>& cells) {
    return {test::distorted_body(GetParam().kind, cells, 7),
            {{test::material_of(GetParam().law, GetParam().invertible)}, {}}};
  }
  /// Vertices of quadratic elements are twice as close, so as large a strain needs smaller displacements.
  [[nodiscard]] static double scaled(const ElasticBody& body, double size) {
    return body.mesh().tet10s.empty() ? size : 0.3 * size;
  }
  [[nodiscard]] static VectorX displacements(const ElasticBody& body, double size, std::uint64_t seed) {
    return test::random_displacements(body, scaled(body, size), seed);
  }
};

TEST_P(EveryLaw, ForceIsTheGradientOfEnergy) {
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u = displacements(body, 0.06, 11);
  VectorX f = VectorX::Constant(body.dof_count(), NAN);
  body.internal_force(u, f);
  const VectorX fd = test::gradient([&](const VectorX& x) { return body.energy(x); }, u, scaled(body, 1e-3));
  ASSERT_GT(f.norm(), 1e-3);
  // Richardson's O(h⁴) with h = 1e-3 of a unit body, and 1e-16/h of rounding: measured below 1e-9
  EXPECT_LT(relative_error(f, fd), 1e-8);
  VectorX elsewhere(body.dof_count());
  body.internal_force(1.01 * u, elsewhere);
  EXPECT_GT(relative_error(elsewhere, fd), 1e-4);  // control
}

TEST_P(EveryLaw, TangentIsTheDerivativeOfForce) {
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u = displacements(body, 0.06, 12);
  VectorX f(body.dof_count());
  SparseMatrix K = body.make_matrix();
  body.force_and_tangent(u, TangentKind::kExact, f, K);
  const auto force = [&](const VectorX& x) {
    VectorX y(x.size());
    body.internal_force(x, y);
    return y;
  };
  EXPECT_LT(relative_error(f, force(u)), 1e-13);
  const MatrixX fd = test::jacobian(force, u, scaled(body, 1e-3));
  const MatrixX dense = symmetric(K);
  ASSERT_GT(dense.norm(), 1e-2);
  EXPECT_LT(relative_error(dense, fd), 1e-8);
  if (GetParam().law != Law::kLinear) {
    body.force_and_tangent(1.02 * u, TangentKind::kExact, f, K);
    EXPECT_GT(relative_error(symmetric(K), fd), 1e-5);  // control
  }
  Rng rng(3);
  const VectorX v = test::random_vector(body.dof_count(), rng);
  VectorX product = VectorX::Constant(body.dof_count(), NAN);
  body.apply_tangent(u, v, product);
  EXPECT_LT(relative_error(product, dense * v), 1e-12);
}

TEST_P(EveryLaw, ProjectedTangentIsSemidefiniteAndEqualWhereItMayBe) {
  const ElasticBody body = make_body({2, 2, 1});
  VectorX f(body.dof_count());
  SparseMatrix K = body.make_matrix();
  SparseMatrix projected = body.make_matrix();
  const VectorX u = displacements(body, 0.12, 5);
  body.force_and_tangent(u, TangentKind::kProjected, f, projected);
  const VectorX spectrum = symmetric_eigenvalues(MatrixX(symmetric(projected)));
  EXPECT_GT(spectrum[0], -1e-12 * spectrum.maxCoeff());
  // at rest every law is stable: nothing to project
  const VectorX zero = VectorX::Zero(body.dof_count());
  body.force_and_tangent(zero, TangentKind::kExact, f, K);
  body.force_and_tangent(zero, TangentKind::kProjected, f, projected);
  EXPECT_LT(relative_error(MatrixX(projected), MatrixX(K)), 1e-10);
}

TEST_P(EveryLaw, RigidMotionCostsNothing) {
  const ElasticBody body = make_body({2, 2, 1});
  Rng rng(4);
  const bool linear = GetParam().law == Law::kLinear;
  const Matrix3 R = linear ? Matrix3(Matrix3::Identity() + cross_matrix({0.1, -0.2, 0.3}))  // infinitesimal
                           : test::random_rotation(rng);
  VectorX u(body.dof_count());
  for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
    const Vector3& x = body.mesh().vertices[to_size(v)];
    u.segment<3>(3 * v) = R * x + Vector3(0.3, -2.0, 5.0) - x;
  }
  VectorX f(body.dof_count());
  body.internal_force(u, f);
  const double scale = body.material(0).young * body.volume();
  EXPECT_LT(std::abs(body.energy(u)), 1e-14 * scale);
  EXPECT_LT(f.cwiseAbs().maxCoeff(), 1e-13 * scale);
  u[0] += 0.05;  // control: one vertex pulled does cost
  EXPECT_GT(body.energy(u), 1e-8 * scale);
}

TEST_P(EveryLaw, InternalForcesHaveNoResultantAndNoMoment) {
  const ElasticBody body = make_body({4, 3, 3});
  const VectorX u = displacements(body, 0.03, 21);
  VectorX f(body.dof_count());
  body.internal_force(u, f);
  Vector3 resultant = Vector3::Zero();
  Vector3 moment = Vector3::Zero();
  double forces = 0.0;
  double moments = 0.0;
  for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
    // the linear law turns with the rest shape only
    const Vector3 x =
        body.rest_positions().segment<3>(3 * v) +
        (GetParam().law == Law::kLinear ? Vector3(Vector3::Zero()) : Vector3(u.segment<3>(3 * v)));
    const Vector3 force = f.segment<3>(3 * v);
    resultant += force;
    moment += x.cross(force);
    forces += force.norm();
    moments += x.norm() * force.norm();
  }
  ASSERT_GT(forces, 1e-3);
  EXPECT_LT(resultant.norm(), 1e-12 * forces);
  EXPECT_LT(moment.norm(), 1e-12 * moments);
}

TEST_P(EveryLaw, PatchTestUniformStrainNeedsNoInnerForce) {
  const ElasticBody body = make_body({3, 3, 3});
  Matrix3 gradient;
  gradient << 0.05, 0.02, -0.01, 0.03, -0.04, 0.02, 0.01, -0.02, 0.06;
  VectorX u(body.dof_count());
  for (Index v = 0; v < body.mesh().vertex_count(); ++v)
    u.segment<3>(3 * v) = gradient * body.mesh().vertices[to_size(v)];
  VectorX f(body.dof_count());
  body.internal_force(u, f);
  const std::vector<char> is_inner = test::inner_vertices(GetParam().kind, {3, 3, 3});
  ASSERT_EQ(std::ssize(is_inner), body.mesh().vertex_count());
  double inner = 0.0;
  for (Index v = 0; v < body.mesh().vertex_count(); ++v)
    if (is_inner[to_size(v)] != 0) inner = std::max(inner, f.segment<3>(3 * v).norm());
  ASSERT_GT(f.cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT(inner, 1e-13 * f.cwiseAbs().maxCoeff() * 10);
}

/// Uniform strain: by the textbook's formula from the components of the Cauchy stress.
TEST_P(EveryLaw, VonMisesStressIsThatOfTheCauchyStress) {
  const ElasticBody body = make_body({3, 2, 1});
  const Matrix3 F{{1.1, 0.2, 0.0}, {-0.1, 0.9, 0.15}, {0.05, 0.0, 1.2}};
  VectorX u = body.rest_positions();
  for (Index v = 0; v < body.mesh().vertex_count(); ++v)
    u.segment<3>(3 * v) = (F - Matrix3::Identity()) * u.segment<3>(3 * v);
  const Material material = test::material_of(GetParam().law, GetParam().invertible);
  Matrix3 s = stress(material, F);
  if (GetParam().law != Law::kLinear) s = (s * F.transpose()).eval() / F.determinant();
  const auto square = [](double x) { return x * x; };
  const double expected =
      std::sqrt(0.5 * (square(s(0, 0) - s(1, 1)) + square(s(1, 1) - s(2, 2)) + square(s(2, 2) - s(0, 0))) +
                3.0 * (s(0, 1) * s(1, 0) + s(1, 2) * s(2, 1) + s(2, 0) * s(0, 2)));
  EXPECT_GT(expected, 0.1 * material.young);
  const VectorX found = body.von_mises(u);
  ASSERT_EQ(found.size(), body.mesh().element_count());
  // rounding of F at the points of small elements: measured below 1e-13
  EXPECT_LT((found.array() / expected - 1.0).abs().maxCoeff(), 1e-11);
  // a pressure has none
  VectorX pressed = 0.1 * body.rest_positions();
  EXPECT_LT(body.von_mises(pressed).maxCoeff(), 1e-11 * material.young);
}

TEST_P(EveryLaw, SecondDerivativeAtRestIsTheDerivativeOfTheTangent) {
  const ElasticBody body = make_body({2, 1, 1});
  Rng rng(9);
  const VectorX a = test::random_vector(body.dof_count(), rng);
  const VectorX b = test::random_vector(body.dof_count(), rng);
  VectorX ab = VectorX::Constant(body.dof_count(), NAN);
  VectorX ba(body.dof_count());
  body.force_second_derivative_at_rest(a, b, ab);
  body.force_second_derivative_at_rest(b, a, ba);
  if (GetParam().law == Law::kLinear) {
    EXPECT_EQ(ab.norm(), 0.0);
    return;
  }
  EXPECT_LT(relative_error(ab, ba), 1e-12);
  const auto along = [&](const VectorX& step) {
    VectorX y(body.dof_count());
    body.apply_tangent(step[0] * a, b, y);
    return y;
  };
  const MatrixX fd = test::jacobian(along, VectorX::Zero(1), scaled(body, 1e-3));
  ASSERT_GT(ab.norm(), 1e-2);
  EXPECT_LT(relative_error(ab, fd), 1e-7);
}

TEST_P(EveryLaw, OneAndTwoThreadsAgreeBitByBit) {
  std::vector<VectorX> forces;
  std::vector<VectorX> tangents;
  std::vector<double> energies;
  for (const int threads : {1, 2, 3}) {
    const ThreadScope scope(threads);
    const ElasticBody body = make_body({6, 5, 5});
    const VectorX u = displacements(body, 0.01, 2);
    VectorX f(body.dof_count());
    SparseMatrix K = body.make_matrix();
    body.force_and_tangent(u, TangentKind::kExact, f, K);
    forces.push_back(f);
    tangents.push_back(Eigen::Map<VectorX>(K.valuePtr(), K.nonZeros()));
    energies.push_back(body.energy(u));
  }
  for (std::size_t i : {1, 2}) {
    EXPECT_TRUE(forces[0] == forces[i]);
    EXPECT_TRUE(tangents[0] == tangents[i]);
    EXPECT_EQ(energies[0], energies[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryLaw, testing::ValuesIn(test::law_cases()), test::case_name);

TEST(ElasticBody, MixedElementsAndMaterialsAddUp) {
  // two boxes side by side, one of tets (soft, neo-Hookean), one of hexes (stiff, StVK), not joined
  VolumeMesh mesh = test::distorted_box(ElementKind::kTet, {2, 1, 1}, 1);
  const VolumeMesh hexes = test::distorted_box(ElementKind::kHex, {2, 1, 1}, 2);
  test::append(mesh, hexes, {0, 0, 2});
  Material soft = test::material_of(Law::kNeoHookean);
  Material stiff = test::material_of(Law::kStvk);
  stiff.young = 100.0;
  stiff.density = 7.0;
  MaterialMap map{{soft, stiff}, std::vector<Index>(to_size(mesh.element_count()), 0)};
  for (std::size_t e = mesh.tets.size(); e < map.of_element.size(); ++e) map.of_element[e] = 1;

  const ElasticBody both(mesh, map);
  const ElasticBody first(test::distorted_box(ElementKind::kTet, {2, 1, 1}, 1), {{soft}, {}});
  const ElasticBody second(hexes, {{stiff}, {}});
  const VectorX u = test::random_displacements(both, 0.05, 3);
  const Index split = first.dof_count();
  const VectorX tail = u.tail(second.dof_count());
  EXPECT_NEAR(both.energy(u), first.energy(u.head(split)) + second.energy(tail), 1e-13 * both.energy(u));
  EXPECT_NEAR(both.total_mass(), 2.0 * first.volume() + 7.0 * second.volume(), 1e-12 * both.total_mass());
  VectorX f(both.dof_count());
  VectorX f2(second.dof_count());
  both.internal_force(u, f);
  second.internal_force(tail, f2);
  EXPECT_LT(relative_error(f.tail(second.dof_count()), f2), 1e-13);
}

TEST(ElasticBody, InvertedNeoHookeanIsInadmissible) {
  const ElasticBody body(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet),
                         {{test::material_of(Law::kNeoHookean)}, {}});
  VectorX u = VectorX::Zero(body.dof_count());
  EXPECT_TRUE(body.admissible(u));
  for (Index v = 0; v < 8; ++v) u[3 * v] = -2.0 * body.rest_positions()[3 * v];  // mirrored
  EXPECT_FALSE(body.admissible(u));
  const ElasticBody invertible(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet),
                               {{test::material_of(Law::kNeoHookean, true)}, {}});
  EXPECT_TRUE(invertible.admissible(u));
  EXPECT_TRUE(std::isfinite(invertible.energy(u)));
}

}  // namespace
}  // namespace pliant
