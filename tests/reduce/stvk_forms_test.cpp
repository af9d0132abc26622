#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduce/make_stvk_forms.hpp"
#include "pliant/reduce/stvk_rows.hpp"
#include "pliant/subspace/quartic_step.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

MatrixX random_basis(const ElasticBody& body, Index r, std::uint64_t seed) {
  Rng rng(seed);
  MatrixX U(body.dof_count(), r);
  for (Index l = 0; l < r; ++l) U.col(l) = test::random_vector(body.dof_count(), rng);
  return U;
}

/// Two boxes of hexes and one of tets, apart from each other: forms add up whatever the elements share.
VolumeMesh mixed_mesh() {
  VolumeMesh mesh = test::distorted_box(ElementKind::kTet, {2, 1, 1}, 5);
  for (const auto& other : {test::distorted_box(ElementKind::kHex, {2, 1, 1}, 6),
                            generate_box({1, 2, 0.7}, {1, 2, 2}, ElementKind::kHex)})
    test::append(mesh, other, Vector3::Zero());
  return mesh;
}

/// Boxes turned in space, their corners beginning at any of the eight: still boxes.
VolumeMesh turned_boxes() {
  VolumeMesh mesh = generate_box({1.0, 0.7, 0.5}, {2, 2, 1}, ElementKind::kHex);
  Rng rng(3);
  const Matrix3 R = test::random_rotation(rng);
  for (Vector3& x : mesh.vertices) x = R * x + Vector3(0.3, -2, 1);
  Hex& hex = mesh.hexes[1];
  hex = {hex[1], hex[2], hex[3], hex[0], hex[5], hex[6], hex[7], hex[4]};
  return mesh;
}

struct Case {
  const char* name;
  VolumeMesh mesh;
  std::vector<Material> materials;
};

Material material(Law law, double young, double poisson) {
  Material m = test::material_of(law);
  m.young = young;
  m.poisson = poisson;
  return m;
}

std::vector<Case> cases() {
  const Material soft = material(Law::kStvk, 3.0, 0.3);
  const Material hard = material(Law::kStvk, 50.0, 0.45);
  const Material light = material(Law::kStvk, 5.0, -0.2);
  const Material linear = material(Law::kLinear, 20.0, 0.1);
  Material coarse = soft;
  coarse.quadrature = 4;
  const VolumeMesh straight = test::distorted_body(test::BodyKind::kStraightTet10, {2, 1, 1}, 1);
  const VolumeMesh curved = test::distorted_body(test::BodyKind::kCurvedTet10, {2, 1, 1}, 1);
  const VolumeMesh all = test::distorted_body(test::BodyKind::kMixed, {2, 1, 1}, 1);
  return {{"Tets", test::distorted_box(ElementKind::kTet, {3, 2, 2}, 1), {soft}},
          {"TetsOfThreeMaterials", test::distorted_box(ElementKind::kTet, {3, 2, 2}, 2), {soft, hard, light}},
          {"Hexes", test::distorted_box(ElementKind::kHex, {2, 2, 1}, 1), {soft}},
          {"Boxes", generate_box({1.0, 0.7, 0.5}, {3, 2, 1}, ElementKind::kHex), {soft, hard}},
          {"TurnedBoxes", turned_boxes(), {hard}},
          {"Mixed", mixed_mesh(), {soft, hard}},
          {"Linear", mixed_mesh(), {linear}},
          {"LinearAndStvk", mixed_mesh(), {linear, soft}},
          {"StraightTet10s", straight, {soft, hard}},
          {"StraightTet10sOfFourPoints", straight, {coarse}},
          {"CurvedTet10s", curved, {soft}},
          {"CurvedTet10sOfFourPoints", curved, {coarse}},
          {"LinearTet10s", straight, {linear}},
          {"LinearCurvedTet10s", curved, {linear}},
          {"AllKinds", all, {soft, linear, coarse}}};
}

MaterialMap map_of(const Case& c) {
  MaterialMap map{c.materials, {}};
  if (c.materials.size() > 1)
    for (Index e = 0; e < c.mesh.element_count(); ++e)
      map.of_element.push_back((e * e + e / 3) % std::ssize(c.materials));
  return map;
}

class StvkFormsOf : public testing::TestWithParam<Case> {};

/// Not only near rest: displacements as large as the body.
TEST_P(StvkFormsOf, EqualTheExactProjection) {
  const ElasticBody body(GetParam().mesh, map_of(GetParam()));
  const Index r = 6;
  const MatrixX U = random_basis(body, r, 8);
  const auto forms = make_stvk_forms(body, U, no_progress());
  ASSERT_TRUE(forms.ok());
  QuarticForm form = QuarticForm::zero(r);
  forms.value().combine(body.materials().materials, form);
  QuarticStep<double> step(r);
  step.assign(form);
  Rng rng(9);
  SparseMatrix K_full = body.make_matrix();
  VectorX f_full(body.dof_count());
  for (const double size : {0.01, 1.0}) {
    const VectorX q = size * test::random_vector(r, rng);
    VectorX f(r);
    MatrixX K(r, r);
    const double energy = step.evaluate(q, f, K);
    const VectorX u = U * q;
    body.force_and_tangent(u, TangentKind::kExact, f_full, K_full);
    const MatrixX KU = K_full.selfadjointView<Eigen::Lower>() * U;
    ASSERT_GT(f.norm(), 0.0);
    EXPECT_NEAR(energy, body.energy(u), 1e-12 * energy);
    EXPECT_LT(test::relative_error(f, U.transpose() * f_full), 1e-12);
    EXPECT_LT(test::relative_error(K, U.transpose() * KU), 1e-12);
  }
}

/// New λ and μ on old forms are the forms of a body made of them.
TEST_P(StvkFormsOf, FollowEditsOfMaterials) {
  MaterialMap map = map_of(GetParam());
  const ElasticBody body(GetParam().mesh, map);
  const MatrixX U = random_basis(body, 5, 8);
  const auto forms = make_stvk_forms(body, U, no_progress());
  for (Material& m : map.materials) {
    m.young *= 7.0;
    m.poisson = 0.4 - m.poisson;
  }
  const ElasticBody edited_body(GetParam().mesh, map);
  const auto rebuilt = make_stvk_forms(edited_body, U, no_progress());
  QuarticForm edited = QuarticForm::zero(5);
  QuarticForm expected = QuarticForm::zero(5);
  QuarticForm old = QuarticForm::zero(5);
  forms.value().combine(map.materials, edited);
  rebuilt.value().combine(map.materials, expected);
  forms.value().combine(body.materials().materials, old);
  EXPECT_LT(test::relative_error(edited.second, expected.second), 1e-12);
  EXPECT_GT(test::relative_error(old.second, expected.second), 0.1);  // the edit matters
  if (expected.fourth.norm() > 0.0) {
    EXPECT_LT(test::relative_error(edited.third, expected.third), 1e-12);
    EXPECT_LT(test::relative_error(edited.fourth, expected.fourth), 1e-12);
  }
}

TEST_P(StvkFormsOf, OfTheFirstShapesAreHeads) {
  const ElasticBody body(GetParam().mesh, map_of(GetParam()));
  const MatrixX U = random_basis(body, 6, 8);
  const StvkForms head = make_stvk_forms(body, U, no_progress()).value().head(4);
  const StvkForms small = make_stvk_forms(body, U.leftCols(4), no_progress()).value();
  ASSERT_EQ(head.size(), 4);
  ASSERT_EQ(head.lambda.size(), small.lambda.size());
  for (std::size_t g = 0; g < small.mu.size(); ++g) {
    EXPECT_LT(test::relative_error(head.lambda[g].second, small.lambda[g].second), 1e-13);
    EXPECT_LT(test::relative_error(head.mu[g].second, small.mu[g].second), 1e-13);
    EXPECT_LE((head.mu[g].third - small.mu[g].third).norm(), 1e-13 * small.mu[g].third.norm());
    EXPECT_LE((head.lambda[g].fourth - small.lambda[g].fourth).norm(), 1e-13 * small.lambda[g].fourth.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, StvkFormsOf, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

/// Products of the rows of an element, which are all that matters of them: those of the whole strain, and of
/// its trace.
std::pair<MatrixX, MatrixX> products(const StrainWriter& writer, Index element, StrainKind kind) {
  MatrixX strain(writer.columns(), strain_rows(kind));
  MatrixX trace(writer.columns(), trace_rows(kind));
  writer.write(element, kind, strain.data(), trace.data());
  const MatrixX of_trace = trace * trace.transpose();
  MatrixX whole = strain * strain.transpose();
  if (without_trace(kind)) whole += of_trace / 3.0;
  return {whole, of_trace};
}

/// The compact rows of an element and those of its points are two routes to the same integrals.
void expect_equal_products(const VolumeMesh& mesh, StrainKind compact, StrainKind points) {
  const ElasticBody body(mesh, {{test::material_of(Law::kStvk)}, {}});
  const MatrixX shapes = random_basis(body, 4, 2).transpose();
  const StrainWriter writer(mesh, shapes, body.material(0));
  for (Index e = 0; e < mesh.element_count(); ++e) {
    ASSERT_EQ(writer.kind(e), compact);
    const auto one = products(writer, e, compact);
    const auto other = products(writer, e, points);
    EXPECT_LT(test::relative_error(one.first, other.first), 1e-13);
    EXPECT_LT(test::relative_error(one.second, other.second), 1e-13);
  }
}

TEST(StrainRows, ABoxHasTheProductsOfItsGaussPoints) {
  expect_equal_products(turned_boxes(), StrainKind::kBox, StrainKind::kHex);
}

TEST(StrainRows, AStraightTet10HasTheProductsOfItsPoints) {
  expect_equal_products(test::distorted_body(test::BodyKind::kStraightTet10, {2, 1, 1}, 4),
                        StrainKind::kTet10Straight, StrainKind::kTet10);
}

/// A needle and a leaf: the squares of their extents differ by eight orders of magnitude.
TEST(StrainRows, AThinTet10HasTheProductsOfItsPoints) {
  for (const Vector3& extent :
       {Vector3(1.0, 1e-2, 1e-4), Vector3(1e-4, 1.0, 1.0), Vector3(1.0, 1e-4, 1e-4)}) {
    VolumeMesh mesh = test::distorted_body(test::BodyKind::kStraightTet10, {1, 1, 1}, 4);
    for (Vector3& X : mesh.vertices) X = X.cwiseProduct(extent);
    expect_equal_products(mesh, StrainKind::kTet10Straight, StrainKind::kTet10);
  }
}

TEST(StrainRows, FollowTheRuleOfTheMaterial) {
  const VolumeMesh straight = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet10);
  const VolumeMesh curved = test::distorted_box(ElementKind::kTet10, {1, 1, 1}, 1);
  const auto kind_of = [](const VolumeMesh& mesh, Law law, int quadrature) {
    Material material = test::material_of(law);
    material.quadrature = quadrature;
    const MatrixX shapes = MatrixX::Zero(1, 3 * mesh.vertex_count());
    return StrainWriter(mesh, shapes, material).kind(0);
  };
  EXPECT_EQ(kind_of(straight, Law::kStvk, 0), StrainKind::kTet10Straight);
  EXPECT_EQ(kind_of(straight, Law::kStvk, 14), StrainKind::kTet10Straight);
  EXPECT_EQ(kind_of(straight, Law::kStvk, 4), StrainKind::kTet10Four);
  EXPECT_EQ(kind_of(straight, Law::kLinear, 0), StrainKind::kTet10Four);
  EXPECT_EQ(kind_of(curved, Law::kStvk, 0), StrainKind::kTet10);
  EXPECT_EQ(kind_of(curved, Law::kLinear, 0), StrainKind::kTet10);
  EXPECT_EQ(kind_of(curved, Law::kStvk, 4), StrainKind::kTet10Four);
}

TEST(StrainRows, OnlyTrueBoxesAreBoxes) {
  const auto kind_of = [](const VolumeMesh& mesh) {
    const MatrixX shapes = MatrixX::Zero(1, 3 * mesh.vertex_count());
    return StrainWriter(mesh, shapes, test::material_of(Law::kStvk)).kind(0);
  };
  const VolumeMesh box = generate_box({3.0, 0.1, 0.2}, {1, 1, 1}, ElementKind::kHex);
  EXPECT_EQ(kind_of(box), StrainKind::kBox);
  VolumeMesh far = box;  // what rounding leaves of a box away from the origin
  for (Vector3& x : far.vertices) x += Vector3(17.3, -41.7, 5.1);
  EXPECT_EQ(kind_of(far), StrainKind::kBox);
  VolumeMesh sheared = box;
  for (Vector3& x : sheared.vertices) x.x() += 1e-6 * x.z();
  EXPECT_EQ(kind_of(sheared), StrainKind::kHex);
  VolumeMesh dented = box;
  dented.vertices[6].y() += 1e-8;
  EXPECT_EQ(kind_of(dented), StrainKind::kHex);
  EXPECT_EQ(kind_of(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet)), StrainKind::kTet);
}

/// Several batches and several tiles.
TEST(StvkForms, HaveTheSameBitsForAnyNumberOfThreads) {
  VolumeMesh mesh = test::distorted_box(ElementKind::kTet, {4, 4, 4}, 3);
  test::append(mesh, generate_box({1, 1, 1}, {3, 3, 3}, ElementKind::kHex), Vector3::Zero());
  test::append(mesh, test::distorted_body(test::BodyKind::kMixed, {2, 2, 2}, 3), Vector3::Zero());
  const ElasticBody body(mesh, {{test::material_of(Law::kStvk)}, {}});
  const MatrixX U = random_basis(body, 17, 4);  // 170 columns
  const auto made = [&](int threads) {
    const ThreadScope scope(threads);
    return make_stvk_forms(body, U, no_progress()).value();
  };
  const StvkForms one = made(1), two = made(2);
  EXPECT_EQ(one.lambda[0].fourth, two.lambda[0].fourth);
  EXPECT_EQ(one.mu[0].second, two.mu[0].second);
  EXPECT_EQ(one.mu[0].third, two.mu[0].third);
  EXPECT_EQ(one.mu[0].fourth, two.mu[0].fourth);
}

TEST(StvkForms, AreZeroForAMaterialOfNoElement) {
  const ElasticBody body(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet),
                         {{test::material_of(Law::kStvk), test::material_of(Law::kStvk)}, {}});
  const StvkForms forms = make_stvk_forms(body, random_basis(body, 3, 1), no_progress()).value();
  ASSERT_EQ(forms.mu.size(), 2U);
  EXPECT_GT(forms.mu[0].fourth.norm(), 0.0);
  EXPECT_EQ(forms.mu[1].second.norm() + forms.mu[1].fourth.norm(), 0.0);
}

TEST(StvkForms, StopWhenCancelled) {
  const ElasticBody body(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet),
                         {{test::material_of(Law::kStvk)}, {}});
  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const auto forms = make_stvk_forms(body, random_basis(body, 3, 1), progress);
  ASSERT_FALSE(forms.ok());
  EXPECT_EQ(forms.error().code, ErrorCode::kCancelled);
}

TEST(StvkForms, ExistForStvkAndLinearOnly) {
  EXPECT_TRUE(has_polynomial(test::material_of(Law::kStvk)));
  EXPECT_TRUE(has_polynomial(test::material_of(Law::kLinear)));
  EXPECT_FALSE(has_polynomial(test::material_of(Law::kStvk, true)));
  for (const Law law : {Law::kCorotational, Law::kNeoHookean, Law::kStableNeoHookean})
    EXPECT_FALSE(has_polynomial(test::material_of(law)));
}

}  // namespace
}  // namespace pliant
