// What every law must be at rest: Hooke's law with the given E and ν; and the second derivative there.
#include "material/samples.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::all_materials;
using test::describe;

const double kRatios[] = {0.3, 0.0, 0.499, -0.5, -0.95};

Matrix3 apply(const Matrix9& A, const Matrix3& D) { return test::mat(A * test::vec(D)); }

TEST(Rest, NoEnergyNoStress) {
  for (const double poisson : kRatios)
    for (const Material& material : all_materials(poisson)) {
      EXPECT_EQ(energy_density(material, Matrix3::Identity()), 0.0) << describe(material);
      EXPECT_EQ(stress(material, Matrix3::Identity()).norm(), 0.0) << describe(material);
      EXPECT_GT(energy_density(material, 1.01 * Matrix3::Identity()), 0.0) << describe(material);
      EXPECT_TRUE(admissible(material, Matrix3::Identity()));
    }
}

TEST(Rest, TangentIsHookesLaw) {
  Rng rng(1);
  for (const double poisson : kRatios)
    for (const Material& material : all_materials(poisson)) {
      SCOPED_TRACE(describe(material));
      const Matrix9 A = tangent(material, Matrix3::Identity());
      const Matrix3 D = test::random_matrix(rng);
      const Matrix3 strain = 0.5 * (D + D.transpose());
      const Matrix3 hooke =
          2.0 * material.mu() * strain + material.lambda() * strain.trace() * Matrix3::Identity();
      EXPECT_LT(test::relative_error(apply(A, D), hooke), 1e-13);
      EXPECT_LT(apply(A, D - strain).norm(), 1e-14 * A.norm());  // an infinitesimal rotation costs nothing
    }
}

TEST(Rest, YoungAndPoissonAreMeasured) {
  // Pull along x, free sideways: solve the tangent for the two strains of uniaxial stress.
  for (const double poisson : kRatios)
    for (const Material& material : all_materials(poisson)) {
      const Matrix9 A = tangent(material, Matrix3::Identity());
      const double side = -A(4, 0) / (A(4, 4) + A(4, 8));  // P_yy = 0 with ε_yy = ε_zz
      const double young = A(0, 0) + 2.0 * A(0, 4) * side;
      EXPECT_NEAR(-side, poisson, 1e-13) << describe(material);
      EXPECT_NEAR(young / material.young, 1.0, 2e-12) << describe(material);
      if (poisson != 0.0) {  // control: held sideways it is stiffer
        EXPECT_GT(A(0, 0) / material.young - 1.0, 1e-2) << describe(material);
      }
    }
}

TEST(Rest, SmallStrainsKeepTheirDigits) {
  // ε = 1e-9: energies of order 1e-18 would drown in 1e-16 if formed from FᵀF − 1 and ln J.
  Matrix3 H;
  H << 1.0, 0.3, 0.0, 0.2, -0.5, 0.4, 0.1, 0.0, 0.7;
  const Matrix3 F = Matrix3::Identity() + 1e-9 * H;
  const Matrix3 rounded = F - Matrix3::Identity();  // what F really holds
  const Matrix3 strain = 0.5 * (rounded + rounded.transpose());
  for (const Material& material : all_materials()) {
    if (material.law == Law::kCorotational || material.invertible) continue;  // the SVD leaves 1e-16
    const Matrix3 hooke =
        2.0 * material.mu() * strain + material.lambda() * strain.trace() * Matrix3::Identity();
    const double energy = 0.5 * hooke.cwiseProduct(strain).sum();
    EXPECT_LT(test::relative_error(stress(material, F), hooke), 1e-8) << describe(material);
    if (material.law == Law::kLinear || material.law == Law::kStvk) {
      EXPECT_NEAR(energy_density(material, F) / energy, 1.0, 1e-8) << describe(material);
    }
  }
}

TEST(Rest, SecondDerivativeOfTheStress) {
  Rng rng(2);
  for (const double poisson : {0.3, 0.45, -0.4})
    for (const Material& material : all_materials(poisson)) {
      SCOPED_TRACE(describe(material));
      const Matrix3 A = test::random_matrix(rng);
      const Matrix3 B = test::random_matrix(rng);
      const Matrix3 value = stress_second_derivative_at_rest(material, A, B);
      EXPECT_LT((value - stress_second_derivative_at_rest(material, B, A)).norm(), 1e-14);
      EXPECT_LT((stress_second_derivative_at_rest(material, 2.0 * A + B, B) - 2.0 * value -
                 stress_second_derivative_at_rest(material, B, B))
                    .norm(),
                1e-13);
      const auto moved = [&](double t) { return apply(tangent(material, Matrix3::Identity() + t * B), A); };
      const double h = 2e-3;
      const Matrix3 reference = (8.0 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12.0 * h);
      EXPECT_LT((value - reference).norm(), 1e-8);  // h⁴ times a fifth derivative of about 100
      if (material.law == Law::kLinear) {
        EXPECT_EQ(value.norm(), 0.0);
      } else {
        EXPECT_GT(value.norm(), 0.1);
        EXPECT_GT((stress_second_derivative_at_rest(material, A, B.transpose()) - reference).norm(), 1e-2);
      }
    }
}

TEST(Rest, VonMisesOfUniaxialStress) {
  for (const Material& material : all_materials()) {
    double last = 0.0;
    for (const double strain : {1e-3, 5e-4}) {
      Matrix3 F = Matrix3::Identity();
      F.diagonal() += strain * Vector3(1.0, -material.poisson, -material.poisson);
      const double error = std::abs(von_mises(material, F) / (material.young * strain) - 1.0);
      EXPECT_LT(error, 5.0 * strain) << describe(material);  // first order in the strain
      if (material.law == Law::kLinear) {
        EXPECT_LT(error, 1e-12);
      } else if (last > 0.0) {
        EXPECT_NEAR(last / error, 2.0, 0.1) << describe(material);
      }
      last = error;
    }
    // Pressure alone is no shear; control for the above.
    EXPECT_LT(von_mises(material, 1.05 * Matrix3::Identity()), 1e-13) << describe(material);
  }
}

TEST(Rest, VonMisesIsAScalarOfTheTurnedBody) {
  Rng rng(3);
  for (const Material& material : all_materials()) {
    if (material.law == Law::kLinear) continue;
    const Matrix3 F = test::with_stretches({1.3, 1.1, 0.9}, rng);
    const Matrix3 R = test::random_rotation(rng);
    EXPECT_NEAR(von_mises(material, R * F), von_mises(material, F), 1e-12) << describe(material);
    EXPECT_GT(von_mises(material, F), 0.1);
  }
}

}  // namespace
}  // namespace pliant
