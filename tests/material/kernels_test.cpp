// Four points in one pack give what four single points give.
#include "pliant/material/kernels.hpp"

#include "material/samples.hpp"

#include <gtest/gtest.h>

#include <array>

namespace pliant {
namespace {

constexpr Law kSmooth[] = {Law::kLinear, Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean};

/// Four deformations and moduli that differ from lane to lane.
struct Quad {
  std::array<Matrix3, 4> F;
  std::array<double, 4> lambda{}, mu{};

  explicit Quad(Rng& rng) {
    for (std::size_t i = 0; i < 4; ++i) {
      F[i] = Matrix3::Identity() + 0.3 * test::random_matrix(rng);
      lambda[i] = rng.uniform(-0.3, 5.0);
      mu[i] = rng.uniform(0.5, 2.0);
    }
  }
  void packed(Pack4 out[9]) const {
    for (int e = 0; e < 9; ++e)
      for (int i = 0; i < 4; ++i) set_lane(out[e], i, F[to_size(i)].data()[e]);
  }
};

TEST(Kernels, PackEqualsDoubleLaneByLane) {
  Rng rng(1);
  for (int sample = 0; sample < 20; ++sample)
    for (const Law law : kSmooth) {
      const Quad quad(rng);
      Pack4 F[9];
      Pack4 P[9];
      Pack4 P_alone[9];
      Pack4 A[81];
      quad.packed(F);
      for (int i = 0; i < 9; i += 4) F[i] -= 1.0;  // kernels take F − 1
      Pack4 energy{};
      with_kernel<Pack4>(law, load_pack(quad.lambda.data()), load_pack(quad.mu.data()),
                         [&](const auto& kernel) {
                           energy = kernel.energy(F);
                           kernel.stress(F, P_alone);
                           kernel.stress_tangent(F, P, A);
                         });
      for (int i = 0; i < 4; ++i) {
        SCOPED_TRACE(::testing::Message() << law_name(law) << " lane " << i);
        const auto s = to_size(i);
        Matrix3 P_one = Matrix3::Constant(NAN);
        Matrix9 A_one = Matrix9::Constant(NAN);
        double energy_one = NAN;
        with_kernel<double>(law, quad.lambda[s], quad.mu[s], [&](const auto& kernel) {
          energy_one = kernel.energy(Matrix3(quad.F[s] - Matrix3::Identity()).data());
          kernel.stress_tangent(Matrix3(quad.F[s] - Matrix3::Identity()).data(), P_one.data(), A_one.data());
        });
        // The compiler may contract a multiply-add in one version and not in the other: round-off, not bits.
        EXPECT_NEAR(lane(energy, i), energy_one, 1e-14 * (1.0 + energy_one));
        for (int e = 0; e < 9; ++e) {
          EXPECT_NEAR(lane(P[e], i), P_one.data()[e], 1e-13);
          EXPECT_NEAR(lane(P_alone[e], i), P_one.data()[e], 1e-13);
        }
        const double scale = A_one.cwiseAbs().maxCoeff();
        for (int e = 0; e < 81; ++e) EXPECT_NEAR(lane(A[e], i), A_one.data()[e], 1e-14 * scale);
        EXPECT_GT(std::abs(lane(P[0], (i + 1) % 4) - P_one(0, 0)), 1e-9);  // control: lanes do differ
      }
    }
}

TEST(Kernels, CrushedNeoHookeanIsNotFiniteAndDoesNotTrap) {
  for (const double last : {0.0, -0.5}) {
    const Matrix3 F = Vector3(0.0, 0.1, last - 1.0).asDiagonal();  // F − 1
    const NeoHookeanKernel<double> kernel{1.0, 1.0};
    Matrix3 P;
    Matrix9 A;
    kernel.stress_tangent(F.data(), P.data(), A.data());
    EXPECT_FALSE(std::isfinite(kernel.energy(F.data())));
    EXPECT_FALSE(P.allFinite());
    EXPECT_FALSE(A.allFinite());
  }
  // One crushed lane leaves the others alone.
  Pack4 F[9] = {};
  Pack4 P[9];
  F[8] = Pack4{-2.0, 0.0, 0.2, -0.1};  // F − 1
  NeoHookeanKernel<Pack4>{broadcast<Pack4>(1.0), broadcast<Pack4>(1.0)}.stress(F, P);
  EXPECT_TRUE(std::isnan(lane(P[8], 0)));
  EXPECT_EQ(lane(P[8], 1), 0.0);
  EXPECT_TRUE(std::isfinite(lane(P[8], 2)));
}

TEST(Kernels, StableNeoHookeanIsThePublishedEnergy) {
  // [SmithDeGoesKim2018] Eq. 14 with α as printed; ours differs only by a constant.
  Rng rng(2);
  const Material material{.law = Law::kStableNeoHookean, .young = 2.0, .poisson = 0.4};
  const double shear = 4.0 / 3.0 * material.mu();
  const double bulk = material.lambda() + 5.0 / 6.0 * material.mu();
  const double alpha = 1.0 + shear / bulk - shear / (4.0 * bulk);
  const auto published = [&](const Matrix3& F) {
    const double I = F.squaredNorm();
    const double d = F.determinant() - alpha;
    return 0.5 * shear * (I - 3.0) + 0.5 * bulk * d * d - 0.5 * shear * std::log(I + 1.0);
  };
  const double constant = published(Matrix3::Identity());
  EXPECT_GT(std::abs(constant), 1e-3);  // control: without subtracting it the energies differ
  for (int sample = 0; sample < 50; ++sample) {
    const Matrix3 F = 1.5 * test::random_matrix(rng);
    EXPECT_NEAR(energy_density(material, F), published(F) - constant, 1e-12 * (1.0 + std::abs(published(F))));
  }
}

TEST(Kernels, WhichLawsHaveOne) {
  EXPECT_TRUE(has_kernel(Material{.law = Law::kStvk}));
  EXPECT_FALSE(has_kernel(Material{.law = Law::kStvk, .invertible = true}));
  EXPECT_FALSE(has_kernel(Material{.law = Law::kCorotational}));
}

}  // namespace
}  // namespace pliant
