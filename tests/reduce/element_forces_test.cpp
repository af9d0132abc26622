// The elements of a body behind the interface for reduced models: force against energy, stiffness against
// force, the mean force's work and balance, other constants, shapes where a law is not defined.
#include "pliant/reduce/element_forces.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::relative_error;
using test::symmetric;

std::shared_ptr<const ElasticBody> make_body(Law law, ElementKind kind) {
  return std::make_shared<const ElasticBody>(test::distorted_box(kind, {2, 1, 1}, 5),
                                             MaterialMap{{test::material_of(law)}, {}});
}

TEST(ElementForces, EnergyForceAndStiffnessBelongTogether) {
  for (const Law law : {Law::kCorotational, Law::kStvk, Law::kNeoHookean})
    for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10}) {
      SCOPED_TRACE(std::string(law_name(law)) + " " + test::element_name(kind));
      const auto body = make_body(law, kind);
      const std::shared_ptr<const ElementForces> forces = make_element_forces(body);
      const double size = kind == ElementKind::kTet10 ? 0.3 : 1.0;
      const VectorX u = test::random_displacements(*body, 0.06 * size, 3);
      VectorX f(forces->dof_count());
      ASSERT_TRUE(forces->force(u, f));
      const auto energy = [&](const VectorX& x) { return forces->energy(x); };
      EXPECT_LT(relative_error(f, test::gradient(energy, u, 1e-3 * size)), 1e-8);
      SparseMatrix K = forces->make_matrix();
      ASSERT_TRUE(forces->stiffness(u, false, K));
      const auto force = [&](const VectorX& x) {
        VectorX y(x.size());
        EXPECT_TRUE(forces->force(x, y));
        return y;
      };
      EXPECT_LT(relative_error(symmetric(K), test::jacobian(force, u, 1e-3 * size)), 1e-8);
      SparseMatrix projected = forces->make_matrix();
      ASSERT_TRUE(forces->stiffness(2.0 * u, true, projected));
      VectorX rest(forces->dof_count());
      SparseMatrix expected = body->make_matrix();
      body->force_and_tangent(2.0 * u, TangentKind::kProjected, rest, expected);
      EXPECT_EQ(relative_error(MatrixX(projected), MatrixX(expected)), 0.0);
    }
}

TEST(ElementForces, MeanForceDoesTheWorkOfTheEnergy) {
  const auto body = make_body(Law::kStableNeoHookean, ElementKind::kHex);
  const auto forces = make_element_forces(body);
  const VectorX u0 = test::random_displacements(*body, 0.06, 3);
  const VectorX u1 = test::random_displacements(*body, 0.06, 4);
  VectorX f(forces->dof_count());
  ASSERT_TRUE(forces->mean_force(u0, u1, f));
  EXPECT_NEAR(f.dot(u1 - u0), forces->energy(u1) - forces->energy(u0), 1e-13 * forces->energy(u1));
  Vector3 resultant = Vector3::Zero();
  Vector3 moment = Vector3::Zero();
  for (Index i = 0; i < f.size(); i += 3) {
    const Vector3 x = body->rest_positions().segment<3>(i) + 0.5 * (u0 + u1).segment<3>(i);
    resultant += f.segment<3>(i);
    moment += x.cross(Vector3(f.segment<3>(i)));
  }
  EXPECT_LT(resultant.norm(), 1e-13 * f.norm());
  EXPECT_LT(moment.norm(), 1e-13 * f.norm());
}

TEST(ElementForces, OtherConstantsAndUndefinedShapes) {
  const auto body = make_body(Law::kNeoHookean, ElementKind::kTet);
  const auto forces = make_element_forces(body);
  std::vector<Material> stiffer = forces->materials();
  stiffer[0].young *= 2.0;
  const auto other = forces->with_materials(stiffer, {});
  const VectorX u = test::random_displacements(*body, 0.05, 3);
  EXPECT_NEAR(other->energy(u), 2.0 * forces->energy(u), 1e-14);
  EXPECT_EQ(other->materials()[0].young, stiffer[0].young);
  EXPECT_EQ(other->von_mises(u).size(), body->mesh().element_count());

  VectorX mirrored = VectorX::Zero(body->dof_count());
  for (Index i = 0; i < mirrored.size(); i += 3) mirrored[i] = -2.0 * body->rest_positions()[i];
  VectorX f(forces->dof_count());
  SparseMatrix K = forces->make_matrix();
  EXPECT_EQ(forces->energy(mirrored), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(forces->force(mirrored, f));
  EXPECT_FALSE(forces->mean_force(u, mirrored, f));
  EXPECT_FALSE(forces->stiffness(mirrored, false, K));
  EXPECT_FALSE(forces->force(VectorX::Constant(u.size(), NAN), f));
}

}  // namespace
}  // namespace pliant
