#include "pliant/reduce/modal_derivatives.hpp"

#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/subspace/quartic_form.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::HeldBody;

constexpr std::array kLaws{Law::kStvk, Law::kNeoHookean, Law::kStableNeoHookean, Law::kCorotational};

RestSystem system_of(const HeldBody& held) {
  return RestSystem::make(*held.body, held.free, no_progress()).value();
}

NaturalModes modes_of(const HeldBody& held, Index count) {
  return natural_modes(*held.body, held.free, count).value();
}

/// ‖f(u) − s K(ψ₁ + ψ₂)‖ on the free vertices, u along the modes with or without their derivatives.
double imbalance(const HeldBody& held, const RestSystem& system, const NaturalModes& modes,
                 const MatrixX& derivatives, double s, bool curved) {
  const VectorX direction = modes.shapes.col(0) + modes.shapes.col(1);
  VectorX u = s * direction;
  if (curved)
    u += 0.5 * s * s *
         (derivatives.col(pair_place(0, 0)) + 2.0 * derivatives.col(pair_place(0, 1)) +
          derivatives.col(pair_place(1, 1)));
  VectorX f(u.size());
  held.body->internal_force(u, f);
  return test::free_part(held.free, f - s * system.stiffness_times(direction)).norm();
}

TEST(ModalDerivatives, AreTheCurvatureOfTheWayIntoALoad) {
  for (const Law law : kLaws)
    for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
      SCOPED_TRACE(static_cast<int>(law));
      const HeldBody held = test::shaken_box(kind, law, true);
      const RestSystem system = system_of(held);
      const NaturalModes modes = modes_of(held, 2);
      const MatrixX derivatives = static_derivatives(system, modes.shapes, no_progress()).value();
      const double s = 2e-3 / modes.shapes.cwiseAbs().maxCoeff();
      // third order is left: halving the load divides the imbalance by 8; without derivatives by 4
      const auto ratio = [&](bool curved) {
        return imbalance(held, system, modes, derivatives, s, curved) /
               imbalance(held, system, modes, derivatives, 0.5 * s, curved);
      };
      EXPECT_NEAR(ratio(true), 8.0, 0.3);
      EXPECT_NEAR(ratio(false), 4.0, 0.3);
    }
}

TEST(ModalDerivatives, AreTheChangeOfAResponseWithTheShape) {
  // Φ_ij = d/dε K(εψ_j)⁻¹ K ψ_i
  const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  const RestSystem system = system_of(held);
  const NaturalModes modes = modes_of(held, 3);
  const MatrixX derivatives = static_derivatives(system, modes.shapes, no_progress()).value();
  const double step = 1e-4 / modes.shapes.cwiseAbs().maxCoeff();
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i <= j; ++i) {
      const VectorX load = system.stiffness_times(modes.shapes.col(i));
      const auto response = [&](double epsilon) {
        SparseMatrix K = held.body->make_matrix();
        VectorX f(load.size());
        held.body->force_and_tangent(epsilon * modes.shapes.col(j), TangentKind::kExact, f, K);
        ConstrainedSystem constrained(held.free, K);
        EXPECT_TRUE(constrained.factorize(K));
        VectorX x(load.size());
        constrained.solve(load, x);
        return x;
      };
      const VectorX difference = (response(step) - response(-step)) / (2.0 * step);
      EXPECT_LT(test::relative_error(derivatives.col(pair_place(i, j)), difference), 1e-5);
    }
}

TEST(ModalDerivatives, OfUnheldBodiesBalanceTheLoadByInertia) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const RestSystem system = system_of(held);
  ASSERT_TRUE(system.floating());
  const NaturalModes modes = modes_of(held, 4);
  const MatrixX derivatives = static_derivatives(system, modes.shapes, no_progress()).value();
  const MatrixX mass_rigid = mass_times(*held.body, system.rigid());
  EXPECT_LT((mass_rigid.transpose() * derivatives).cwiseAbs().maxCoeff(),
            1e-12 * mass_norms(*held.body, derivatives).maxCoeff());
  VectorX load(held.body->dof_count());
  held.body->force_second_derivative_at_rest(modes.shapes.col(1), modes.shapes.col(3), load);
  const VectorX balanced = load - mass_rigid * (system.rigid().transpose() * load);
  EXPECT_GT((load - balanced).norm(), 1e-3 * load.norm());  // the balance does something
  const VectorX answer = system.stiffness_times(derivatives.col(pair_place(1, 3)));
  EXPECT_LT(test::relative_error(answer, -balanced), 1e-9);
}

/// Eigenvector of K(u) nearest to `mode`, by dense algebra.
VectorX dense_mode(const HeldBody& held, const VectorX& u, const VectorX& mode) {
  SparseMatrix K = held.body->make_matrix();
  VectorX f(u.size());
  held.body->force_and_tangent(u, TangentKind::kExact, f, K);
  const SparseMatrix M = held.body->mass_matrix();
  ConstrainedSystem stiffness(held.free, K);
  ConstrainedSystem mass(held.free, M);
  const DenseEigen solver =
      generalized_eigen(MatrixX(stiffness.extract(K)), MatrixX(mass.extract(M))).value();
  VectorX reference(stiffness.free_count());
  for (Index i = 0; i < reference.size(); ++i) reference[i] = mode[stiffness.free_dofs()[to_size(i)]];
  const MatrixX full_mass = MatrixX(mass.extract(M)).selfadjointView<Eigen::Lower>();
  const VectorX overlap = solver.vectors.transpose() * (full_mass * reference);
  Index best = 0;
  overlap.cwiseAbs().maxCoeff(&best);
  VectorX result = VectorX::Zero(u.size());
  for (Index i = 0; i < reference.size(); ++i)
    result[stiffness.free_dofs()[to_size(i)]] = std::copysign(1.0, overlap[best]) * solver.vectors(i, best);
  return result;
}

TEST(ModalDerivatives, OfEigenvectorsAreTheirFiniteDifferences) {
  for (const bool is_held : {true, false}) {
    SCOPED_TRACE(is_held);
    const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, is_held, {3, 2, 1});
    const RestSystem system = system_of(held);
    const NaturalModes modes = modes_of(held, 6);
    constexpr Index kCount = 3;
    const MatrixX derivatives = eigenvector_derivatives(system, modes, kCount, no_progress()).value();
    const MatrixX mass_rigid = mass_times(*held.body, system.rigid());
    const double step =
        1e-5 / modes.shapes.cwiseAbs().maxCoeff();  // its square over the gaps of λ is the error
    for (Index i = 0; i < kCount; ++i)
      for (Index j = 0; j < kCount; ++j) {
        const VectorX direction = modes.shapes.col(j);
        VectorX difference = (dense_mode(held, step * direction, modes.shapes.col(i)) -
                              dense_mode(held, -step * direction, modes.shapes.col(i))) /
                             (2.0 * step);
        if (!is_held) difference -= system.rigid() * (mass_rigid.transpose() * difference);
        EXPECT_LT(test::relative_error(derivatives.col(i * kCount + j), difference), 1e-5) << i << ' ' << j;
      }
    // symmetric only on average
    const MatrixX symmetric = symmetric_derivatives(derivatives, kCount);
    EXPECT_GT((derivatives.col(1) - derivatives.col(kCount)).norm(), 1e-3 * derivatives.col(1).norm());
    EXPECT_LT(test::relative_error(symmetric.col(pair_place(0, 1)),
                                   0.5 * (derivatives.col(1) + derivatives.col(kCount))),
              1e-15);
  }
}

TEST(ModalDerivatives, OfTheLinearLawAreZero) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kLinear, true);
  const RestSystem system = system_of(held);
  EXPECT_EQ(static_derivatives(system, modes_of(held, 2).shapes, no_progress()).value().norm(), 0.0);
}

TEST(ModalDerivatives, StopWhenAsked) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const RestSystem system = system_of(held);
  const NaturalModes modes = modes_of(held, 2);
  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const Result<MatrixX> result = static_derivatives(system, modes.shapes, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace pliant
