#include "pliant/reduce/body_cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/subspace/cubature_forces.hpp"
#include "reduce/held_body.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr std::array kLaws{Law::kLinear, Law::kCorotational, Law::kStvk, Law::kNeoHookean,
                           Law::kStableNeoHookean};

/// A body of two materials, in a random subspace.
struct RandomBody {
  std::shared_ptr<const ElasticBody> elastic;
  std::shared_ptr<ReducedBody> reduced = std::make_shared<ReducedBody>();
};

RandomBody random_body(test::BodyKind kind, Law law, Index r) {
  RandomBody result;
  VolumeMesh mesh = test::distorted_body(kind, {2, 2, 1}, 3);
  MaterialMap map{{test::material_of(law), test::material_of(Law::kCorotational)}, {}};
  map.materials[1].young *= 3.0;
  for (Index e = 0; e < mesh.element_count(); ++e) map.of_element.push_back(e % 3 / 2);
  result.elastic = std::make_shared<const ElasticBody>(std::move(mesh), std::move(map));
  Rng rng(8);
  result.reduced->basis.shapes.resize(result.elastic->dof_count(), r);
  for (Index l = 0; l < r; ++l)
    result.reduced->basis.shapes.col(l) = test::random_vector(result.elastic->dof_count(), rng);
  result.reduced->basis.strength = VectorX::Ones(r);
  result.reduced->cubature = every_point(*result.elastic, *result.reduced);
  return result;
}

TEST(BodyCubature, WithAllPointsIsExact) {
  for (const test::BodyKind kind : test::kBodyKinds)
    for (const Law law : kLaws)
      for (const Index r : {1, 6, 13}) {
        const RandomBody body = random_body(kind, law, r);
        const auto exact = make_element_loops(body.elastic)->forces(body.reduced);
        const auto cubature = cubature_forces(body.reduced, body.elastic->materials().materials);
        Rng rng(9);
        const VectorX q = 0.01 * test::random_vector(r, rng), q1 = 0.01 * test::random_vector(r, rng);
        VectorX f(r), exact_force(r);
        MatrixX K(r, r), exact_stiffness(r, r);
        const double expected = exact->evaluate(q, exact_force, exact_stiffness);
        ASSERT_GT(exact_force.norm(), 0.0);
        EXPECT_NEAR(cubature->evaluate(q, f, K), expected, 1e-12 * expected);
        EXPECT_LT((f - exact_force).norm(), 1e-12 * exact_force.norm()) << law_name(law);
        EXPECT_LT((K - exact_stiffness).norm(), 1e-12 * exact_stiffness.norm()) << law_name(law);
        EXPECT_EQ(K, MatrixX(K.transpose()));
        f.setZero();
        EXPECT_NEAR(cubature->evaluate(q, f), expected, 1e-12 * expected);
        EXPECT_LT((f - exact_force).norm(), 1e-12 * exact_force.norm());
        EXPECT_TRUE(cubature->force(q, f));
        EXPECT_LT((f - exact_force).norm(), 1e-12 * exact_force.norm());
        const double end = exact->mean_force(q, q1, exact_force, exact_stiffness);
        EXPECT_NEAR(cubature->mean_force(q, q1, f, K), end, 1e-12 * end);
        EXPECT_LT((f - exact_force).norm(), 1e-11 * exact_force.norm()) << law_name(law);
        EXPECT_LT((K - exact_stiffness).norm(), 1e-11 * exact_stiffness.norm()) << law_name(law);
        EXPECT_LT(test::relative_error(MatrixX(body.reduced->head(1).cubature->gradients),
                                       MatrixX(body.reduced->cubature->gradients.leftCols(1))),
                  1e-15);
      }
}

/// Weights that nothing justifies: force and stiffness are derivatives of the energy all the same.
TEST(BodyCubature, HasAnEnergy) {
  for (const Law law : kLaws) {
    const Index r = 7;
    RandomBody body = random_body(test::BodyKind::kTet, law, r);
    CubaturePoints& points = *body.reduced->cubature;
    Rng rng(10);
    points.weights.array() *= 1.5 + test::random_vector(points.count(), rng).array();
    const auto forces = cubature_forces(body.reduced, body.elastic->materials().materials);
    const VectorX q = 0.02 * test::random_vector(r, rng), q1 = 0.02 * test::random_vector(r, rng);
    VectorX f(r), unused(r);
    MatrixX K(r, r);
    const double start = forces->evaluate(q, f, K);
    const VectorX slope =
        test::gradient([&](const VectorX& x) { return forces->evaluate(x, unused); }, q, 1e-4);
    EXPECT_LT((f - slope).norm(), 1e-7 * f.norm()) << law_name(law);
    const MatrixX change = test::jacobian(
        [&](const VectorX& x) {
          (void)forces->evaluate(x, unused);
          return unused;
        },
        q, 1e-4);
    EXPECT_LT((K - change).norm(), 1e-7 * K.norm()) << law_name(law);
    const double end = forces->mean_force(q, q1, f, K);
    EXPECT_NEAR(f.dot(q1 - q), end - start, 1e-11 * (end + start)) << law_name(law);
  }
}

TEST(BodyCubature, AllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
  for (const Law law : kLaws) {
    const RandomBody body = random_body(test::BodyKind::kHex, law, 13);
    const auto forces = cubature_forces(body.reduced, body.elastic->materials().materials);
    const VectorX q = VectorX::Constant(13, 0.001), q1 = VectorX::Constant(13, 0.002);
    VectorX f(13);
    MatrixX K(13, 13);
    const std::size_t before = test::allocation_count();
    (void)forces->evaluate(q, f, K);
    (void)forces->evaluate(q, f);
    (void)forces->force(q, f);
    (void)forces->mean_force(q, q1, f, K);
    EXPECT_EQ(test::allocation_count() - before, 0U) << law_name(law);
  }
}

/// A beam held at one end in its modes and derivatives.
struct Beam {
  std::shared_ptr<const ElasticBody> elastic;
  std::shared_ptr<ReducedBody> reduced;
  MakeForces exact;
};

Beam beam(Law law, ElementKind kind, const std::array<Index, 3>& cells, Index r) {
  Beam result;
  Material material = test::material_of(law);
  material.young = 1e6;
  material.poisson = 0.3;
  material.density = 1000.0;
  result.elastic = std::make_shared<const ElasticBody>(generate_box({1.0, 0.2, 0.1}, cells, kind),
                                                       MaterialMap{{material}, {}});
  std::vector<char> free(to_size(result.elastic->dof_count()), 1);
  for (std::size_t v = 0; v < result.elastic->mesh().vertices.size(); ++v)
    if (result.elastic->mesh().vertices[v].x() < 1e-9)
      for (std::size_t k = 0; k < 3; ++k) free[3 * v + k] = 0;
  BasisSettings settings;
  settings.linear_modes = r / 2;
  settings.modes = r;
  Result<Basis> basis = make_basis(*result.elastic, free, settings, no_progress());
  result.reduced = std::make_shared<ReducedBody>();
  result.reduced->basis = std::move(basis).value();
  const auto loops = make_element_loops(result.elastic);
  const std::shared_ptr<const ReducedBody> shared = result.reduced;
  result.exact = [loops, shared] { return loops->forces(shared); };
  return result;
}

VectorX frequencies_squared(ReducedForces& forces, Index r) {
  VectorX f(r);
  MatrixX K(r, r);
  (void)forces.evaluate(VectorX::Zero(r), f, K);  // the basis is orthonormal in the mass
  return Eigen::SelfAdjointEigenSolver<MatrixX>(K).eigenvalues();
}

TEST(BodyCubature, KeepsForcesAndFrequencies) {
  for (const auto& [law, kind] :
       {std::pair{Law::kStvk, ElementKind::kTet}, std::pair{Law::kNeoHookean, ElementKind::kHex},
        std::pair{Law::kCorotational, ElementKind::kTet}}) {
    const Index r = 10;
    const Beam body = beam(law, kind, {10, 2, 2}, r);
    BodyCubatureSettings settings;
    settings.poses = 16;
    settings.held_out = 6;
    settings.choice.error = 0.05;
    Result<CubaturePoints> points =
        make_cubature(*body.elastic, *body.reduced, body.exact, settings, no_progress());
    ASSERT_TRUE(points);
    EXPECT_LE(points.value().error, 0.05);
    EXPECT_LT(points.value().count(), 150);
    EXPECT_GT(points.value().weights.minCoeff(), 0.0);
    body.reduced->cubature = std::move(points).value();
    const auto cubature = cubature_forces(body.reduced, body.elastic->materials().materials);
    const VectorX exact = frequencies_squared(*body.exact(), r);
    const VectorX few = frequencies_squared(*cubature, r);
    for (Index i = 0; i < 5; ++i) EXPECT_NEAR(std::sqrt(few[i] / exact[i]), 1.0, 0.03) << law_name(law);
  }
}

/// Loops over all elements are for the forces to fit, not for the way to the poses.
TEST(BodyCubature, FindsPosesOfLargeBodiesByFewOfTheirPoints) {
  const Index r = 10;
  Beam body = beam(Law::kNeoHookean, ElementKind::kHex, {20, 6, 5}, r);
  BodyCubatureSettings settings;
  settings.poses = 16;
  settings.held_out = 6;
  settings.choice.error = 0.05;
  Index loops = 0;
  const MakeForces counted = [&] {
    ++loops;
    return body.exact();
  };
  const ThreadScope one(1);
  const Result<CubaturePoints> points =
      make_cubature(*body.elastic, *body.reduced, counted, settings, no_progress());
  ASSERT_TRUE(points);
  EXPECT_LE(loops, 3);
  EXPECT_LE(points.value().error, 0.05);
  EXPECT_LT(points.value().count(), 150);
  const LinearResponse rest(*body.elastic, *body.reduced, *body.exact());
  double largest = 0.0;
  for (const auto pose : points.value().poses.colwise()) largest = std::max(largest, rest.gradient_at(pose));
  EXPECT_GT(largest, 0.3 * settings.largest);
  EXPECT_LT(largest, 4.0 * settings.largest);
  body.reduced->cubature = points.value();
  const auto cubature = cubature_forces(body.reduced, body.elastic->materials().materials);
  const VectorX exact = frequencies_squared(*body.exact(), r), few = frequencies_squared(*cubature, r);
  for (Index i = 0; i < 5; ++i) EXPECT_NEAR(std::sqrt(few[i] / exact[i]), 1.0, 0.03);
}

TEST(BodyCubature, IsTheSameForAnyNumberOfThreads) {
  std::vector<CubaturePoints> found;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    const Beam body = beam(Law::kNeoHookean, ElementKind::kTet, {6, 2, 1}, 6);
    BodyCubatureSettings settings;
    settings.poses = 8;
    settings.held_out = 3;
    Result<CubaturePoints> points =
        make_cubature(*body.elastic, *body.reduced, body.exact, settings, no_progress());
    ASSERT_TRUE(points);
    found.push_back(std::move(points).value());
  }
  EXPECT_EQ(found[0].weights, found[1].weights);
  EXPECT_EQ(found[0].gradients, found[1].gradients);
  EXPECT_EQ(found[0].poses, found[1].poses);
}

}  // namespace
}  // namespace pliant
