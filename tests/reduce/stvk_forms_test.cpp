#include "pliant/reduce/stvk_forms.hpp"

#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/reduce/quartic_step.hpp"

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
                            generate_box({1, 2, 0.7}, {1, 2, 2}, ElementKind::kHex)}) {
    const auto shift = static_cast<VertexId>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (Hex hex : other.hexes) {
      for (VertexId& v : hex) v += shift;
      mesh.hexes.push_back(hex);
      mesh.hex_labels.push_back(0);
    }
  }
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
  return {{"Tets", test::distorted_box(ElementKind::kTet, {3, 2, 2}, 1), {soft}},
          {"TetsOfThreeMaterials", test::distorted_box(ElementKind::kTet, {3, 2, 2}, 2), {soft, hard, light}},
          {"Hexes", test::distorted_box(ElementKind::kHex, {2, 2, 1}, 1), {soft}},
          {"Boxes", generate_box({1.0, 0.7, 0.5}, {3, 2, 1}, ElementKind::kHex), {soft, hard}},
          {"TurnedBoxes", turned_boxes(), {hard}},
          {"Mixed", mixed_mesh(), {soft, hard}},
          {"Linear", mixed_mesh(), {linear}},
          {"LinearAndStvk", mixed_mesh(), {linear, soft}}};
}

MaterialMap map_of(const Case& c) {
  MaterialMap map{c.materials, {}};
  if (c.materials.size() > 1)
    for (Index e = 0; e < c.mesh.element_count(); ++e)
      map.of_element.push_back((e * e + e / 3) % static_cast<Index>(c.materials.size()));
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

INSTANTIATE_TEST_SUITE_P(Bodies, StvkFormsOf, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace pliant
