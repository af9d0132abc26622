#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/reduce/make_inertia.hpp"
#include "pliant/subspace/mass.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr Index kSize = 7;  // not a multiple of the four columns that evaluate() takes at once

/// A distorted body of two materials, a random basis and a random state of motion. The basis is not
/// orthonormal and holds rigid parts, so that no term vanishes by chance.
struct SampledMotion {
  explicit SampledMotion(ElementKind kind, std::uint64_t seed)
      : body(test::distorted_box(kind, {3, 2, 2}, seed), two_materials(kind)) {
    Rng rng(seed);
    U.resize(body.dof_count(), kSize);
    for (Index l = 0; l < kSize; ++l) U.col(l) = test::random_vector(body.dof_count(), rng);
    q = test::random_vector(kSize, rng);
    qd = test::random_vector(kSize, rng);
    qdd = test::random_vector(kSize, rng);
    v = test::random_vector(3, rng);
    w = test::random_vector(3, rng);
    a = test::random_vector(3, rng);
    wd = test::random_vector(3, rng);
    origin = test::random_vector(3, rng);
    integrals = InertiaIntegrals::zero(kSize);
    const std::vector<InertiaIntegrals> groups = make_inertia(body, U, origin);
    for (std::size_t g = 0; g < groups.size(); ++g)
      integrals.add(body.materials().materials[g].density, groups[g]);
    y.resize(body.dof_count());
    for (Index i = 0; i < body.mesh().vertex_count(); ++i)
      y.segment<3>(3 * i) = body.rest_positions().segment<3>(3 * i) - origin;
    y += U * q;
  }

  static MaterialMap two_materials(ElementKind kind) {
    MaterialMap map{{test::material_of(Law::kStvk), test::material_of(Law::kLinear)}, {}};
    map.materials[1].density = 5.0;
    map.of_element.resize(to_size(test::distorted_box(kind, {3, 2, 2}, 1).element_count()));
    for (std::size_t e = 0; e < map.of_element.size(); ++e) map.of_element[e] = e % 3 == 0 ? 1 : 0;
    return map;
  }

  /// A field from its value at each vertex, as a function of y and U q̇ there.
  template <class Function>
  VectorX field(Function&& function) const {
    const VectorX yd = U * qd;
    VectorX values(y.size());
    for (Index i = 0; i < y.size(); i += 3)
      values.segment<3>(i) = function(Vector3(y.segment<3>(i)), Vector3(yd.segment<3>(i)));
    return values;
  }

  /// The six rigid fields e_k and e_k × y as columns.
  MatrixX rigid_fields() const {
    MatrixX fields(y.size(), 6);
    for (Index k = 0; k < 3; ++k) {
      fields.col(k) = field([&](const Vector3&, const Vector3&) { return Vector3(Vector3::Unit(k)); });
      fields.col(k + 3) =
          field([&](const Vector3& at, const Vector3&) { return Vector3(Vector3::Unit(k).cross(at)); });
    }
    return fields;
  }

  MatrixX times_mass(const MatrixX& fields) const {
    MatrixX product(fields.rows(), fields.cols());
    for (Index k = 0; k < fields.cols(); ++k) body.apply_mass(fields.col(k), product.col(k));
    return product;
  }

  ElasticBody body;
  MatrixX U;
  VectorX q, qd, qdd, y;
  Vector3 v, w, a, wd, origin;
  InertiaIntegrals integrals;
};

class Inertia : public testing::TestWithParam<ElementKind> {};

/// Matrices of the kinetic energy against products of whole fields with the body's own mass matrix.
TEST_P(Inertia, MatricesAreThoseOfTheWholeBody) {
  const SampledMotion motion(GetParam(), 11);
  FrameInertia inertia(kSize);
  inertia.evaluate(motion.integrals, motion.q, motion.qd, motion.w);
  const MatrixX rigid = motion.rigid_fields();
  const MatrixX mass_rigid = motion.times_mass(rigid);

  EXPECT_LT(test::relative_error(inertia.rr, rigid.transpose() * mass_rigid), 1e-13);
  EXPECT_LT(test::relative_error(inertia.rq, mass_rigid.transpose() * motion.U), 1e-13);
  EXPECT_LT(
      test::relative_error(motion.integrals.shape_mass, motion.U.transpose() * motion.times_mass(motion.U)),
      1e-13);
  EXPECT_NEAR(motion.integrals.mass, motion.body.total_mass(), 1e-13 * motion.body.total_mass());
  EXPECT_EQ(inertia.rr, inertia.rr.transpose());

  // and the energy that they make
  const VectorX velocity = motion.field(
      [&](const Vector3& y, const Vector3& yd) { return Vector3(motion.v + motion.w.cross(y) + yd); });
  VectorX momentum(velocity.size());
  motion.body.apply_mass(velocity, momentum);
  Vector6 V;
  V << motion.v, motion.w;
  const double energy = 0.5 * V.dot(inertia.rr * V) + V.dot(inertia.rq * motion.qd) +
                        0.5 * motion.qd.dot(motion.integrals.shape_mass * motion.qd);
  EXPECT_NEAR(energy, 0.5 * velocity.dot(momentum), 1e-13 * energy);
}

/// The acceleration of every vertex by the full kinematics, times the mass, projected on rigid motions and
/// shapes, is what the equations of motion say.
TEST_P(Inertia, EquationsOfMotionHoldWithEveryCoupling) {
  const SampledMotion motion(GetParam(), 12);
  FrameInertia inertia(kSize);
  inertia.evaluate(motion.integrals, motion.q, motion.qd, motion.w);
  const Vector3 w = motion.w;
  const VectorX acceleration = motion.field([&](const Vector3& y, const Vector3& yd) {
    return Vector3(motion.a + motion.wd.cross(y) + w.cross(w.cross(y)) + 2.0 * w.cross(yd));
  }) + motion.U * motion.qdd;
  VectorX force(acceleration.size());
  motion.body.apply_mass(acceleration, force);

  Vector6 Vd;
  Vd << motion.a, motion.wd;
  const Vector6 wrench = inertia.rr * Vd + inertia.rq * motion.qdd + inertia.bias_r;
  const VectorX generalized =
      inertia.rq.transpose() * Vd + motion.integrals.shape_mass * motion.qdd + inertia.bias_q;
  EXPECT_LT(test::relative_error(wrench, motion.rigid_fields().transpose() * force), 1e-13);
  EXPECT_LT(test::relative_error(generalized, motion.U.transpose() * force), 1e-13);
  EXPECT_GT(inertia.bias_r.norm(), 0.01 * wrench.norm());  // the terms in question matter
  EXPECT_GT(inertia.bias_q.norm(), 0.01 * generalized.norm());
}

/// The kinematics above, checked in turn: differentiates the motion of points in space twice by differences.
TEST_P(Inertia, BiasIsTheSecondDerivativeOfTheMotionInSpace) {
  const SampledMotion motion(GetParam(), 13);
  FrameInertia inertia(kSize);
  inertia.evaluate(motion.integrals, motion.q, motion.qd, motion.w);
  const VectorX X = motion.y - motion.U * motion.q;
  // Q(t) = exp(t w + ½ t² ẇ) has the angular velocity w and its rate ẇ at t = 0, both in either axes
  const auto positions = [&](double t) {
    const Matrix3 Q = rotation_from_vector(t * motion.w + 0.5 * t * t * motion.wd);
    VectorX x = X + motion.U * (motion.q + t * motion.qd + 0.5 * t * t * motion.qdd);
    for (Index i = 0; i < x.size(); i += 3)
      x.segment<3>(i) = (t * motion.v + 0.5 * t * t * motion.a + Q * x.segment<3>(i)).eval();
    return x;
  };
  const double h = 2e-3;  // fourth-order differences: about h⁴ ≈ 1e-11 and 1e-16 / h² ≈ 1e-10
  const VectorX acceleration = (-positions(2.0 * h) + 16.0 * positions(h) - 30.0 * positions(0.0) +
                                16.0 * positions(-h) - positions(-2.0 * h)) /
                               (12.0 * h * h);
  VectorX force(acceleration.size());
  motion.body.apply_mass(acceleration, force);
  Vector6 Vd;
  Vd << motion.a, motion.wd;
  const Vector6 wrench = inertia.rr * Vd + inertia.rq * motion.qdd + inertia.bias_r;
  const VectorX generalized =
      inertia.rq.transpose() * Vd + motion.integrals.shape_mass * motion.qdd + inertia.bias_q;
  EXPECT_LT(test::relative_error(wrench, motion.rigid_fields().transpose() * force), 1e-8);
  EXPECT_LT(test::relative_error(generalized, motion.U.transpose() * force), 1e-8);
}

/// bias_q is also what Lagrange's equations say: d/dt ∂T/∂q̇ − ∂T/∂q at rest of V̇ and q̈, in a frame whose
/// v follows the true acceleration (v̇ = a − w × v).
TEST_P(Inertia, BiasIsThatOfLagrange) {
  const SampledMotion motion(GetParam(), 14);
  FrameInertia inertia(kSize);
  Vector6 V;
  V << motion.v, motion.w;
  const auto energy = [&](const VectorX& at) {
    inertia.evaluate(motion.integrals, at, motion.qd, motion.w);
    return 0.5 * V.dot(inertia.rr * V) + V.dot(inertia.rq * motion.qd);
  };
  const auto momentum = [&](const VectorX& at) -> VectorX {
    inertia.evaluate(motion.integrals, at, motion.qd, motion.w);
    return inertia.rq.transpose() * V;
  };
  const VectorX dT = test::gradient(energy, motion.q, 0.1);  // quadratic in q: the step may be wide
  const MatrixX dp = test::jacobian(momentum, motion.q, 0.1);
  inertia.evaluate(motion.integrals, motion.q, motion.qd, motion.w);
  const Vector3 vd = -motion.w.cross(motion.v);  // a = 0
  const VectorX lagrange = dp * motion.qd + inertia.rq.topRows<3>().transpose() * vd - dT;
  EXPECT_LT(test::relative_error(inertia.bias_q, lagrange), 1e-11);
}

TEST_P(Inertia, HeadIsTheInertiaOfTheFirstShapes) {
  const SampledMotion motion(GetParam(), 15);
  const auto whole = make_inertia(motion.body, motion.U, motion.origin);
  const auto part = make_inertia(motion.body, motion.U.leftCols(4), motion.origin);
  ASSERT_EQ(whole.size(), 2U);
  for (std::size_t g = 0; g < 2; ++g) {
    const InertiaIntegrals head = whole[g].head(4);
    EXPECT_NEAR(head.mass, part[g].mass, 1e-14);
    EXPECT_LT(test::relative_error(head.shape_first, part[g].shape_first), 1e-13);
    EXPECT_LT(test::relative_error(head.shape_position, part[g].shape_position), 1e-13);
    EXPECT_LT(test::relative_error(head.shape_shape, part[g].shape_shape), 1e-13);
    EXPECT_LT(test::relative_error(head.shape_mass, part[g].shape_mass), 1e-13);
  }
}

/// Each group has the moments of its own elements.
TEST_P(Inertia, GroupsAreThoseOfTheirElements) {
  const SampledMotion motion(GetParam(), 16);
  const auto groups = make_inertia(motion.body, motion.U, motion.origin);
  const MaterialMap& map = motion.body.materials();
  for (std::size_t g = 0; g < 2; ++g) {
    std::vector<double> density(map.of_element.size());
    for (std::size_t e = 0; e < density.size(); ++e) density[e] = map.of_element[e] == Index(g) ? 1.0 : 0.0;
    const SparseMatrix mass = consistent_mass(motion.body.mesh(), density);
    EXPECT_NEAR(groups[g].mass, mass.sum(), 1e-14);
    MatrixX expected = MatrixX::Zero(3, kSize);
    for (Index k = 0; k < 3; ++k)
      for (Index l = 0; l < kSize; ++l) {
        const VectorX component = motion.U(Eigen::seqN(k, motion.body.mesh().vertex_count(), 3), l);
        expected(k, l) = (mass * component).sum();
      }
    EXPECT_LT(test::relative_error(groups[g].shape_first, expected), 1e-13);
  }
}

TEST_P(Inertia, IsTheSameForAnyNumberOfThreads) {
  const ElasticBody body(test::distorted_box(GetParam(), {14, 14, 14}, 3),
                         {{test::material_of(Law::kStvk)}, {}});  // 3375 vertices: two blocks
  Rng rng(4);
  MatrixX U(body.dof_count(), 3);
  for (Index l = 0; l < 3; ++l) U.col(l) = test::random_vector(body.dof_count(), rng);
  const auto made = [&](int threads) {
    const ThreadScope scope(threads);
    return make_inertia(body, U, Vector3::Zero());
  };
  const auto one = made(1), two = made(2);
  EXPECT_EQ(one[0].shape_shape, two[0].shape_shape);
  EXPECT_EQ(one[0].second, two[0].second);
}

TEST_P(Inertia, AllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "no counter in this build: allocations are NOT counted";
  const SampledMotion motion(GetParam(), 17);
  InertiaIntegrals sum = InertiaIntegrals::zero(kSize);
  FrameInertia inertia(kSize);
  const std::size_t before = test::allocation_count();
  sum.add(2.0, motion.integrals);
  inertia.evaluate(sum, motion.q, motion.qd, motion.w);
  EXPECT_EQ(test::allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Elements, Inertia,
                         testing::Values(ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10),
                         [](const auto& c) { return test::element_name(c.param); });

}  // namespace
}  // namespace pliant
