// Stress is the derivative of the energy, the tangent that of the stress; rotations before and after.
#include "material/samples.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::all_materials;
using test::deformations;
using test::describe;

constexpr double kStep = 1e-3;    // differences of fourth order: 1e-12 times the fifth derivative
constexpr double kMargin = 5e-3;  // > 2 steps, so that no difference straddles a kink

TEST(Consistency, StressIsTheDerivativeOfTheEnergy) {
  Rng rng(1);
  for (const double poisson : {0.3, 0.49, -0.6})
    for (const Material& material : all_materials(poisson)) {
      int checked = 0;
      for (const Matrix3& F : deformations(rng)) {
        if (!test::smooth_around(material, F, kMargin)) continue;
        SCOPED_TRACE(::testing::Message() << describe(material) << "\n" << F);
        ++checked;
        const VectorX P = test::vec(stress(material, F));
        const double scale = std::max(P.norm(), material.mu());
        // ln J at stretches of 0.15 has a fifth derivative of 1e5·λ: 1e-7 is the truncation, not a bug.
        EXPECT_LT((P - test::stress_by_differences(material, F, kStep)).norm(), 1e-6 * scale);
        EXPECT_GT((1.001 * P - test::stress_by_differences(material, F, kStep)).norm(), 5e-4 * P.norm());
      }
      EXPECT_GT(checked, 12) << describe(material);
    }
}

TEST(Consistency, TangentIsTheDerivativeOfTheStress) {
  Rng rng(2);
  for (const double poisson : {0.3, 0.49, -0.6})
    for (const Material& material : all_materials(poisson))
      for (const Matrix3& F : deformations(rng)) {
        if (!test::smooth_around(material, F, kMargin)) continue;
        SCOPED_TRACE(::testing::Message() << describe(material) << "\n" << F);
        const Matrix9 A = tangent(material, F);
        const MatrixX reference = test::tangent_by_differences(material, F, kStep);
        EXPECT_GT(A.norm(), 0.1 * material.mu());
        EXPECT_LT(test::relative_error(A, reference), 2e-6);
        EXPECT_LT(test::relative_error(A, A.transpose()), 1e-14);
        if (material.law != Law::kLinear) {
          EXPECT_GT(test::relative_error(tangent(material, 1.01 * F), reference), 1e-4);  // control
        }
      }
}

TEST(Consistency, DifferencesConverge) {
  // Plain central differences at h, h/2, h/4: the error must fall by 4 each time, so that no constant
  // offset hides below a tolerance. One inverted state for the laws that allow it.
  Rng rng(3);
  for (const Material& material : all_materials()) {
    if (material.law == Law::kLinear) continue;  // no error at any step
    const bool inverts = material.law != Law::kNeoHookean || material.invertible;
    const Matrix3 F = test::with_stretches(inverts ? Vector3(1.3, 0.9, -0.4) : Vector3(1.3, 0.9, 0.5), rng);
    const Matrix3 D = test::random_matrix(rng);
    const Matrix9 A = tangent(material, F);
    const VectorX exact = A * test::vec(D);
    const double work = test::vec(stress(material, F)).dot(test::vec(D));
    double last_stress = 0.0;
    double last_energy = 0.0;
    for (const double h : {0.02, 0.01, 0.005}) {
      const VectorX dP = test::vec(stress(material, F + h * D) - stress(material, F - h * D)) / (2.0 * h);
      const double stress_error = (dP - exact).norm();
      const double energy_error = std::abs(
          (energy_density(material, F + h * D) - energy_density(material, F - h * D)) / (2.0 * h) - work);
      if (last_stress > 0.0) {
        EXPECT_NEAR(last_stress / stress_error, 4.0, 0.2) << describe(material) << " h " << h;
        EXPECT_NEAR(last_energy / energy_error, 4.0, 0.2) << describe(material) << " h " << h;
      }
      last_stress = stress_error;
      last_energy = energy_error;
    }
    EXPECT_GT(last_stress, 1e-8) << describe(material);  // truncation, not rounding, was seen
  }
}

TEST(Consistency, EnergyIsBlindToRotationStressTurnsWithIt) {
  Rng rng(4);
  for (const Material& material : all_materials()) {
    for (const Matrix3& F : deformations(rng)) {
      if (!test::smooth_around(material, F, 0.0)) continue;
      SCOPED_TRACE(::testing::Message() << describe(material) << "\n" << F);
      const Matrix3 R = test::random_rotation(rng);
      const Matrix3 P = stress(material, F);
      const double energy = energy_density(material, F);
      if (material.law == Law::kLinear) {
        EXPECT_GT(std::abs(energy_density(material, R * F) - energy),
                  1e-6);  // the control: linear does see it
        continue;
      }
      const double scale = std::max(P.norm(), material.mu());
      EXPECT_NEAR(energy_density(material, R * F), energy, 1e-13 * std::max(energy, 1.0));
      EXPECT_LT((stress(material, R * F) - R * P).norm(), 1e-12 * scale);
      // Isotropy: turning the body before deforming it.
      EXPECT_NEAR(energy_density(material, F * R), energy, 1e-13 * std::max(energy, 1.0));
      EXPECT_LT((stress(material, F * R) - P * R).norm(), 1e-12 * scale);
    }
  }
}

TEST(Consistency, OneCallGivesTheSameAsTwo) {
  Rng rng(5);
  for (const Material& material : all_materials())
    for (const Matrix3& F : deformations(rng)) {
      if (!test::smooth_around(material, F, 0.0)) continue;
      Matrix3 P = Matrix3::Constant(NAN);
      Matrix9 A = Matrix9::Constant(NAN);
      stress_and_tangent(material, F, true, P, A);
      // The projected route takes the SVD also for the smooth laws: equal up to rounding, not in bits.
      EXPECT_LT((P - stress(material, F)).norm(), 1e-12 * std::max(P.norm(), 1.0)) << describe(material);
      EXPECT_EQ((A - tangent_projected(material, F)).norm(), 0.0) << describe(material);
    }
}

}  // namespace
}  // namespace pliant
