// The analytic projection against the eigenvectors of the 9×9 tangent.
#include "material/samples.hpp"
#include "pliant/math/dense.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace pliant {
namespace {

Matrix9 clamp_by_eigenvectors(const Matrix9& A) {
  const SymmetricEigen eigen(0.5 * (A + A.transpose()));
  return eigen.vectors() * eigen.values().cwiseMax(0.0).asDiagonal() * eigen.vectors().transpose();
}

double smallest_eigenvalue(const Matrix9& A) { return symmetric_eigenvalues(MatrixX(A)).minCoeff(); }

TEST(Projection, EqualsTheEigenvalueClamp) {
  Rng rng(1);
  int indefinite = 0;
  for (const double poisson : {0.3, 0.49, -0.6})
    for (const Material& material : test::all_materials(poisson))
      for (const Matrix3& F : test::deformations(rng)) {
        if (!test::smooth_around(material, F, 0.0)) continue;
        SCOPED_TRACE(::testing::Message() << test::describe(material) << "\n" << F);
        const Matrix9 A = tangent(material, F);
        const Matrix9 projected = tangent_projected(material, F);
        const double scale = A.cwiseAbs().maxCoeff();
        EXPECT_LT((projected - clamp_by_eigenvectors(A)).norm(), 1e-10 * scale);
        EXPECT_GE(smallest_eigenvalue(projected), -1e-12 * scale);
        if (smallest_eigenvalue(A) < -1e-3 * scale) {
          ++indefinite;
          EXPECT_GT((projected - A).norm(), 1e-3 * scale);  // control: here the projection does something
        }
      }
  EXPECT_GT(indefinite, 50);
}

TEST(Projection, LeavesADefiniteTangentAlone) {
  Rng rng(2);
  for (const Material& material : test::all_materials()) {
    // Stretched in every direction: no law here buckles.
    const Matrix3 F = test::with_stretches({1.2, 1.15, 1.1}, rng);
    const Matrix9 A = tangent(material, F);
    ASSERT_GE(smallest_eigenvalue(A), -1e-14) << test::describe(material);
    EXPECT_LT(test::relative_error(tangent_projected(material, F), A), 1e-13) << test::describe(material);
  }
}

TEST(Projection, OppositeStretchesAreNoDivisionByZero) {
  // σ₂ = −σ₃ and σ = 0: smooth for stvk and stable-neohookean, where also the exact tangent must agree.
  for (const Vector3& sigma :
       {Vector3(1.2, 0.7, -0.7), Vector3(1, 0, 0), Vector3(0, 0, 0), Vector3(1, 1, -1)})
    for (const Material& material : test::all_materials()) {
      SCOPED_TRACE(::testing::Message() << test::describe(material) << " " << sigma.transpose());
      const Matrix3 F = sigma.asDiagonal();
      if (!admissible(material, F)) continue;
      const Matrix9 projected = tangent_projected(material, F);
      EXPECT_TRUE(projected.allFinite());
      EXPECT_TRUE(tangent(material, F).allFinite());
      if (material.invertible || material.law == Law::kCorotational) continue;
      EXPECT_LT((projected - clamp_by_eigenvectors(tangent(material, F))).norm(), 1e-12);
    }
}

}  // namespace
}  // namespace pliant
