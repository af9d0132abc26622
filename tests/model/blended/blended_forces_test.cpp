// Forces of `blended`: derivatives of their energy, the same as those of the elements, blind to rotation.
#include "blended_case.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/dense.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::BlendedCase;

BlendedCase small_beam(ElementKind element, const Material& material, BlendedGradients gradients,
                       bool held = true) {
  BlendedSpec spec = test::seeded({0.25, 0.75});
  spec.gradients = gradients;
  return test::blended_beam(spec, 0.0, held, {8, 2, 2}, element, material);
}

Material of_law(Law law, bool invertible = false) {
  Material material;
  material.law = law;
  material.invertible = invertible;
  return material;
}

/// A shape with strains of some 10 %.
VectorX random_shape(const BlendedCase& body, std::uint64_t seed) {
  Rng rng(seed);
  VectorX u(body.elastic->dof_count());
  const Matrix3 A = test::random_matrix(rng);
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = body.elastic->rest_positions().segment<3>(i);
    u.segment<3>(i) = 0.1 * (A * x) + 0.2 * x[0] * x[0] * Vector3(0.1, 0.3, 1.0);
  }
  const MatrixX& U = body.body->reduced->basis.shapes;
  VectorX momentum(u.size());
  body.elastic->apply_mass(u, momentum);
  return U.transpose() * momentum;
}

class EveryLaw : public testing::TestWithParam<std::tuple<Law, bool, BlendedGradients>> {};

TEST_P(EveryLaw, ForceAndStiffnessAreDerivatives) {
  const auto [law, invertible, gradients] = GetParam();
  const BlendedCase body = small_beam(ElementKind::kTet, of_law(law, invertible), gradients);
  const auto forces = body.forces();
  const Index r = body.body->reduced->size();
  const VectorX q = random_shape(body, 3);
  VectorX f(r), other(r);
  MatrixX K(r, r);
  const double energy = forces->evaluate(q, f, K);
  EXPECT_GT(energy, 0.0);
  const double step = 1e-5 * q.norm();
  const VectorX gradient =
      test::gradient([&](const VectorX& x) { return forces->evaluate(x, other); }, q, step);
  EXPECT_LT(test::relative_error(gradient, f), 1e-7);
  const MatrixX slope = test::jacobian(
      [&](const VectorX& x) {
        forces->evaluate(x, other);
        return other;
      },
      q, step);
  if (!invertible) {
    EXPECT_LT(test::relative_error(slope, K), 1e-6);
  } else {
    EXPECT_GT(symmetric_eigenvalues(K)[0], -1e-9 * K.norm());  // projected point by point
    EXPECT_LT(test::relative_error(slope, K), 0.05);
  }
  EXPECT_LT(test::relative_error(MatrixX(K.transpose()), K), 1e-13);
  EXPECT_GT(test::relative_error(VectorX(1.01 * gradient), f), 1e-3);  // control
}

TEST_P(EveryLaw, MeanForceDoesTheWork) {
  const auto [law, invertible, gradients] = GetParam();
  const BlendedCase body = small_beam(ElementKind::kTet, of_law(law, invertible), gradients);
  const auto forces = body.forces();
  const Index r = body.body->reduced->size();
  const VectorX q0 = random_shape(body, 3), q1 = random_shape(body, 4);
  VectorX f(r), other(r);
  MatrixX K(r, r);
  const double after = forces->mean_force(q0, q1, f, K);
  const double before = forces->evaluate(q0, other);
  EXPECT_NEAR(forces->evaluate(q1, other), after, 1e-12 * after);
  const double scale = std::abs(after) + std::abs(before);
  // `linear` is not objective and takes the plain mean, which is exact for a quadratic energy.
  EXPECT_NEAR(f.dot(q1 - q0), after - before, 1e-9 * scale);
}

INSTANTIATE_TEST_SUITE_P(
    Blended, EveryLaw,
    testing::Combine(testing::Values(Law::kLinear, Law::kCorotational, Law::kStvk, Law::kStableNeoHookean),
                     testing::Values(false),
                     testing::Values(BlendedGradients::kNodal, BlendedGradients::kSmooth)));
INSTANTIATE_TEST_SUITE_P(Invertible, EveryLaw,
                         testing::Values(std::tuple(Law::kStvk, true, BlendedGradients::kNodal),
                                         std::tuple(Law::kNeoHookean, false, BlendedGradients::kNodal)));

/// Uᵀ f of the elements themselves, for each kind of them.
TEST(BlendedForces, AreThoseOfTheElements) {
  for (const ElementKind element : {ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10}) {
    const BlendedCase body = small_beam(element, of_law(Law::kStvk), BlendedGradients::kNodal);
    const MatrixX& U = body.body->reduced->basis.shapes;
    const VectorX q = random_shape(body, 5), u = U * q;
    VectorX f(q.size()), whole(u.size());
    MatrixX K(q.size(), q.size());
    const double energy = body.forces()->evaluate(q, f, K);
    EXPECT_NEAR(body.elastic->energy(u), energy, 1e-11 * energy);
    body.elastic->internal_force(u, whole);
    EXPECT_LT(test::relative_error(VectorX(U.transpose() * whole), f), 1e-10);
    SparseMatrix tangent = body.elastic->make_matrix();
    body.elastic->tangent(u, TangentKind::kExact, tangent);
    const MatrixX projected = U.transpose() * (tangent.selfadjointView<Eigen::Lower>() * U);
    EXPECT_LT(test::relative_error(projected, K), 1e-10);
  }
}

/// With smooth gradients the first frequency is near that of beam theory, even where linear tets are coarse.
TEST(BlendedForces, SmoothGradientsDoNotLock) {
  const BlendedCase nodal = small_beam(ElementKind::kTet, of_law(Law::kStvk), BlendedGradients::kNodal);
  const BlendedCase smooth = small_beam(ElementKind::kTet, of_law(Law::kStvk), BlendedGradients::kSmooth);
  EXPECT_EQ(nodal.body->points.count() * 4, smooth.body->points.count());
  EXPECT_NEAR(nodal.body->points.weights.sum(), 0.02, 1e-15);
  EXPECT_NEAR(smooth.body->points.weights.sum(), 0.02, 1e-15);
  const double a = nodal.blended({})->natural_frequencies(1).value().hz[0];
  const double b = smooth.blended({})->natural_frequencies(1).value().hz[0];
  EXPECT_LT(b, 0.8 * a);                  // linear tets lock
  const double theory = 0.511;            // Hz, of a slender beam
  EXPECT_NEAR(b, theory, 0.06 * theory);  // two domains are 3 % too stiff, the beam is not slender
}

/// Any rigid motion of a free body lies in its basis and costs nothing: relative to E V.
TEST(BlendedForces, RigidMotionCostsNothing) {
  for (const auto& kind : {WeightKind::kBiharmonic, WeightKind::kPrincipal, WeightKind::kHarmonic})
    for (const auto& places : {std::vector<double>{0.5}, {0.25, 0.75}, {0.15, 0.4, 0.65, 0.9}})
      for (const BlendedGradients gradients : {BlendedGradients::kNodal, BlendedGradients::kSmooth}) {
        BlendedSpec spec = test::seeded(places);
        spec.weights = kind;
        spec.gradients = gradients;
        const BlendedCase body = test::blended_beam(spec, 0.0, false, {10, 3, 2});
        Rng rng(7);
        const Matrix3 R = Eigen::AngleAxisd(0.5 * 3.14159265358979323846, Vector3(1.0, 2.0, 3.0).normalized())
                              .toRotationMatrix();
        VectorX u(body.elastic->dof_count());
        for (Index i = 0; i < u.size(); i += 3) {
          const Vector3 x = body.elastic->rest_positions().segment<3>(i);
          u.segment<3>(i) = R * x - x + Vector3(1.0, -2.0, 0.5);
        }
        VectorX momentum(u.size());
        body.elastic->apply_mass(u, momentum);
        const MatrixX& U = body.body->reduced->basis.shapes;
        const VectorX q = U.transpose() * momentum;
        EXPECT_LT((U * q - u).cwiseAbs().maxCoeff(), 1e-11);
        VectorX f(q.size());
        EXPECT_LT(body.forces()->evaluate(q, f) / (1e6 * 0.02), 1e-20)
            << weight_name(kind) << " " << places.size() << " " << (gradients == BlendedGradients::kSmooth);
      }
}

/// Rigid domains know only small turns, so a free body keeps its affine motions beside them.
TEST(BlendedForces, FreeBodiesOfRigidDomainsTurn) {
  BlendedSpec spec = test::seeded({0.15, 0.5, 0.85});
  spec.coordinates = {DomainCoordinates::kRigid, DomainCoordinates::kQuadratic, DomainCoordinates::kAffine};
  const BlendedCase body = test::blended_beam(spec, 0.0, false, {10, 3, 2});
  const MatrixX& U = body.body->reduced->basis.shapes;
  VectorX u(body.elastic->dof_count()), momentum(u.size());
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = body.elastic->rest_positions().segment<3>(i);
    u.segment<3>(i) = Vector3(-x[1] - x[0], x[0] - x[1], 0.0);
  }
  body.elastic->apply_mass(u, momentum);
  const VectorX q = U.transpose() * momentum;
  EXPECT_LT((U * q - u).cwiseAbs().maxCoeff(), 1e-11);
  VectorX f(q.size());
  EXPECT_LT(body.forces()->evaluate(q, f) / (1e6 * 0.02), 1e-20);
}

TEST(BlendedForces, BasisIsOrthonormal) {
  BlendedSpec spec = test::seeded({0.15, 0.5, 0.85});
  spec.coordinates = {DomainCoordinates::kRigid, DomainCoordinates::kQuadratic, DomainCoordinates::kAffine};
  for (const bool held : {true, false}) {
    const BlendedCase mixed = test::blended_beam(spec, 0.0, held, {10, 3, 2});
    const MatrixX& U = mixed.body->reduced->basis.shapes;
    MatrixX MU(U.rows(), U.cols());
    for (Index c = 0; c < U.cols(); ++c) mixed.elastic->apply_mass(U.col(c), MU.col(c));
    EXPECT_LT((U.transpose() * MU - MatrixX::Identity(U.cols(), U.cols())).cwiseAbs().maxCoeff(), 1e-11);
    // Free: 12 more for affine motion, of which the domains have the six rigid ones already.
    EXPECT_EQ(U.cols(), held ? 6 + 30 + 12 : 12 + 6 + 30 + 12 - 6);
  }
}

TEST(BlendedForces, AreTheSameBitsForAnyNumberOfThreads) {
  const BlendedCase body = small_beam(ElementKind::kTet, of_law(Law::kStvk), BlendedGradients::kSmooth);
  const VectorX q = random_shape(body, 8);
  VectorX one(q.size()), two(q.size());
  MatrixX K1(q.size(), q.size()), K2(q.size(), q.size());
  const auto forces = body.forces();
  {
    const ThreadScope scope(1);
    (void)forces->evaluate(q, one, K1);
  }
  {
    const ThreadScope scope(3);
    (void)forces->evaluate(q, two, K2);
  }
  EXPECT_EQ(one, two);
  EXPECT_EQ(K1, K2);
}

TEST(BlendedForces, AllocateNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "the heap cannot be counted here";
  const ThreadScope scope(1);
  const BlendedCase body = small_beam(ElementKind::kTet, of_law(Law::kStvk), BlendedGradients::kNodal);
  const VectorX q = random_shape(body, 9);
  VectorX f(q.size());
  MatrixX K(q.size(), q.size());
  const auto forces = body.forces();
  (void)forces->evaluate(q, f, K);
  const std::size_t before = test::allocation_count();
  (void)forces->evaluate(q, f, K);
  (void)forces->mean_force(q, q, f, K);
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace pliant
