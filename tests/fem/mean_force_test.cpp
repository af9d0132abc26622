// The force between two shapes does exactly the work of the energy's change, has neither resultant nor
// moment, and tends to the internal force as the shapes meet; its tangent is good enough for Newton's method.
#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::relative_error;
using test::symmetric;

class MeanForce : public testing::TestWithParam<test::LawCase> {
 protected:
  [[nodiscard]] static ElasticBody make_body(const std::array<Index, 3>& cells) {
    return {test::distorted_body(GetParam().kind, cells, 7),
            {{test::material_of(GetParam().law, GetParam().invertible)}, {}}};
  }
  [[nodiscard]] static VectorX displacements(const ElasticBody& body, double size, std::uint64_t seed) {
    return test::random_displacements(body, body.mesh().tet10s.empty() ? size : 0.3 * size, seed);
  }
  /// The shape u, turned and moved.
  [[nodiscard]] static VectorX moved(const ElasticBody& body, const VectorX& u, const Vector3& turn) {
    const Matrix3 R = rotation_from_vector(turn);
    VectorX result = u;
    for (Index i = 0; i < u.size(); i += 3) {
      const Vector3 x = body.rest_positions().segment<3>(i) + u.segment<3>(i);
      result.segment<3>(i) = R * x + Vector3(0.2, -0.1, 0.3) - body.rest_positions().segment<3>(i);
    }
    return result;
  }
  /// Work, resultant and moment of the force between two shapes.
  static void check(const ElasticBody& body, const VectorX& u0, const VectorX& u1, bool turns = false) {
    VectorX f = VectorX::Constant(body.dof_count(), NAN);
    body.mean_force(u0, u1, f);
    const VectorX way = u1 - u0;
    const double before = body.energy(u0);
    const double after = body.energy(u1);
    double lengths = 0.0;
    for (Index i = 0; i < way.size(); ++i) lengths += std::abs(f[i] * way[i]);
    // The energies are sums of about a hundred terms, whose first orders cancel near rest; the laws with an
    // SVD round like stress × the 1 in F.
    const double rounding = 1e-14 * (before + after) + 1e-13 * lengths +
                            1e-15 * std::sqrt(body.material(0).young * (before + after)) +
                            (GetParam().invertible || GetParam().law == Law::kCorotational
                                 ? 2e-14 * body.material(0).young * std::sqrt(after + before)
                                 : 0.0);
    EXPECT_NEAR(f.dot(way), after - before, rounding);
    Vector3 resultant = Vector3::Zero();
    Vector3 moment = Vector3::Zero();
    double forces = 0.0;
    double moments = 0.0;
    for (Index i = 0; i < f.size(); i += 3) {
      const bool linear = GetParam().law == Law::kLinear;
      const Vector3 mean = 0.5 * (u0.segment<3>(i) + u1.segment<3>(i));
      const Vector3 x = body.rest_positions().segment<3>(i) + (linear ? Vector3(Vector3::Zero()) : mean);
      const Vector3 force = f.segment<3>(i);
      resultant += force;
      moment += x.cross(force);
      forces += force.norm();
      moments += x.norm() * force.norm();
    }
    ASSERT_GT(forces, 1e-3 * std::sqrt(before + after));
    EXPECT_LT(resultant.norm(), 1e-12 * forces);
    if (!turns) {
      EXPECT_LT(moment.norm(), 1e-12 * moments);
    }
  }
};

TEST_P(MeanForce, DoesTheWorkOfTheEnergyAndHasNoMoment) {
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u0 = displacements(body, 0.06, 11);
  const VectorX change = displacements(body, 0.06, 12);
  for (const double size : {1.0, 1e-2, 1e-5, 1e-8, 1e-12}) {
    SCOPED_TRACE(size);
    check(body, u0, u0 + size * change);
  }
  check(body, 1e-6 * u0, 1e-6 * change);  // near rest
  if (GetParam().law == Law::kLinear) return;
  for (const double turn : {0.1, 1.0}) {
    SCOPED_TRACE(turn);
    check(body, u0, moved(body, u0 + 0.3 * change, {0.0, -turn, 0.4 * turn}));
    check(body, u0, moved(body, u0, {turn, 0.0, 0.0}));
  }
}

TEST_P(MeanForce, IsTheSameBackwardsAndTheInternalForceInTheLimit) {
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u0 = displacements(body, 0.06, 11);
  const VectorX u1 = displacements(body, 0.06, 12);
  VectorX forth(body.dof_count());
  VectorX back(body.dof_count());
  body.mean_force(u0, u1, forth);
  body.mean_force(u1, u0, back);
  EXPECT_LT(relative_error(forth, back), 1e-11);
  VectorX f(body.dof_count());
  body.internal_force(u0, f);
  body.mean_force(u0, u0, forth);
  EXPECT_LT(relative_error(forth, f), 1e-12);
  // second order in the distance of both shapes from their middle
  const VectorX change = displacements(body, 0.06, 13);
  const auto error = [&](double h) {
    body.mean_force(u0 - h * change, u0 + h * change, forth);
    return relative_error(forth, f);
  };
  if (GetParam().law != Law::kLinear) {
    EXPECT_NEAR(error(0.1) / error(0.05), 4.0, 0.2);
  }
}

TEST_P(MeanForce, TangentIsThatOfTheForceWhereTheShapesMeetAndNearBeyond) {
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u0 = displacements(body, 0.06, 11);
  VectorX f(body.dof_count());
  VectorX g(body.dof_count());
  SparseMatrix K = body.make_matrix();
  SparseMatrix mean = body.make_matrix();
  for (const TangentKind kind : {TangentKind::kExact, TangentKind::kProjected}) {
    body.force_and_tangent(u0, kind, f, K);
    body.mean_force_and_tangent(u0, u0, kind, g, mean);
    EXPECT_LT(relative_error(g, f), 1e-12);
    EXPECT_LT(relative_error(MatrixX(mean), MatrixX(K)), 1e-9);
  }
  const VectorX u1 = moved(body, u0 + 0.1 * displacements(body, 0.06, 12), {0.0, 0.05, -0.03});
  body.mean_force_and_tangent(u0, u1, TangentKind::kExact, f, mean);
  body.mean_force(u0, u1, g);
  EXPECT_TRUE(f == g);
  const auto force = [&](const VectorX& x) {
    VectorX y(x.size());
    body.mean_force(u0, x, y);
    return y;
  };
  const MatrixX fd = 2.0 * test::jacobian(force, u1, 1e-3);
  // It leaves out what is not symmetric, which is of the order of the turn, 0.06.
  EXPECT_LT(relative_error(MatrixX(symmetric(mean)), 0.5 * (fd + fd.transpose())), 0.03);
  EXPECT_LT(relative_error(MatrixX(symmetric(mean)), fd), 0.06);
}

/// Half of the vertices mirrored: some points turn inside out, others stay so.
TEST_P(MeanForce, KeepsTheWorkWhereElementsTurnInsideOut) {
  const bool never = GetParam().law == Law::kNeoHookean && !GetParam().invertible;
  if (never) return;  // its energy is infinite there
  const ElasticBody body = make_body({2, 1, 1});
  const VectorX u0 = displacements(body, 0.06, 11);
  VectorX u1 = displacements(body, 0.06, 12);
  for (Index i = 0; i < u1.size(); i += 3)
    if (body.rest_positions()[i] < 0.6) u1[i] -= 1.6 * body.rest_positions()[i];
  check(body, u0, u1, true);
  check(body, u1, u0, true);
  check(body, u1, u1 + 0.01 * u0);
}

TEST_P(MeanForce, OneAndThreeThreadsAgreeBitByBit) {
  std::vector<VectorX> forces;
  std::vector<VectorX> tangents;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    const ElasticBody body = make_body({6, 5, 5});
    const VectorX u = displacements(body, 0.01, 2);
    VectorX f(body.dof_count());
    SparseMatrix K = body.make_matrix();
    body.mean_force_and_tangent(u, 0.5 * u, TangentKind::kExact, f, K);
    forces.push_back(f);
    tangents.push_back(Eigen::Map<VectorX>(K.valuePtr(), K.nonZeros()));
  }
  EXPECT_TRUE(forces[0] == forces[1]);
  EXPECT_TRUE(tangents[0] == tangents[1]);
}

INSTANTIATE_TEST_SUITE_P(All, MeanForce, testing::ValuesIn(test::law_cases()), test::case_name);

}  // namespace
}  // namespace pliant
