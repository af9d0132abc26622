#include "pliant/subspace/quartic_step.hpp"

#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QuarticForm random_form(Index r, Rng& rng) {
  return {r, test::random_vector(pair_count(r), rng), test::random_vector(triple_count(r), rng),
          test::random_vector(quadruple_count(r), rng)};
}

/// Five-point differences have no truncation error up to degree four, so the step may be wide: what is left
/// is rounding.
template <class Function>
auto derivative(const Function& f, const VectorX& q, Index k, double step) -> decltype(f(q)) {
  const auto at = [&](double h) {
    VectorX x = q;
    x[k] += h * step;
    return f(x);
  };
  return ((at(-2.0) - at(2.0)) + 8.0 * (at(1.0) - at(-1.0))) / (12.0 * step);
}

class QuarticStepSizes : public testing::TestWithParam<Index> {};

TEST_P(QuarticStepSizes, StiffnessIsTheDerivativeOfForceAndForceThatOfEnergy) {
  const Index r = GetParam();
  Rng rng(static_cast<std::uint64_t>(r) + 1);
  const QuarticForm form = random_form(r, rng);
  QuarticStep<double> step(r);
  step.assign(form);
  const VectorX q = test::random_vector(r, rng);
  VectorX f = VectorX::Constant(r, kNan);
  MatrixX K = MatrixX::Constant(r, r, kNan);
  const double energy = step.evaluate(q, f, K);
  const double scale = std::max({form.second.norm(), form.third.norm(), form.fourth.norm()});
  EXPECT_NEAR(energy, form.energy(q), 1e-13 * scale);

  VectorX other = f;
  const auto energy_of = [&](const VectorX& x) { return step.evaluate(x, other); };
  const auto force_of = [&](const VectorX& x) -> VectorX {
    step.evaluate(x, other);
    return other;
  };
  VectorX gradient(r);
  MatrixX jacobian(r, r);
  for (Index k = 0; k < r; ++k) {
    gradient[k] = derivative(energy_of, q, k, 0.25);
    jacobian.col(k) = derivative(force_of, q, k, 0.25);
  }
  ASSERT_GT(K.norm(), 0.0);
  EXPECT_LT(test::relative_error(f, gradient), 1e-12);
  EXPECT_LT(test::relative_error(K, jacobian), 1e-12);
  EXPECT_EQ(K, K.transpose());
  step.evaluate(1.01 * q, f, K);
  EXPECT_GT(test::relative_error(K, jacobian), 1e-5);  // the comparison can fail
}

TEST_P(QuarticStepSizes, FloatStorageCostsFloatPrecisionOnly) {
  const Index r = GetParam();
  Rng rng(static_cast<std::uint64_t>(r) + 2);
  const QuarticForm form = random_form(r, rng);
  QuarticStep<double> exact(r);
  QuarticStep<float> step(r);
  exact.assign(form);
  step.assign(form);
  VectorX f(r), f_float(r);
  MatrixX K(r, r), K_float(r, r);
  const VectorX q = test::random_vector(r, rng);
  exact.evaluate(q, f, K);
  step.evaluate(q, f_float, K_float);
  const double error_f = test::relative_error(f_float, f);
  const double error_K = test::relative_error(K_float, K);
  RecordProperty("force_error", std::to_string(error_f));
  RecordProperty("stiffness_error", std::to_string(error_K));
  EXPECT_LT(error_f, 1e-5);
  EXPECT_LT(error_K, 1e-5);
}

TEST_P(QuarticStepSizes, AllocatesNothingAfterConstruction) {
  if (!test::counts_allocations()) GTEST_SKIP() << "no counter in this build: allocations are NOT counted";
  const Index r = GetParam();
  Rng rng(7);
  const QuarticForm form = random_form(r, rng);
  QuarticStep<double> step(r);
  QuarticStep<float> step_float(r);
  const VectorX q = test::random_vector(r, rng);
  VectorX f(r);
  MatrixX K(r, r);
  const std::size_t before = test::allocation_count();
  step.assign(form);
  step.evaluate(q, f, K);
  step.evaluate(q, f);
  step_float.assign(form);
  step_float.evaluate(q, f, K);
  step_float.evaluate(q, f);
  EXPECT_EQ(test::allocation_count(), before);
  const MatrixX copy = K;
  EXPECT_EQ(test::allocation_count(), before + 1) << copy.norm();  // the counter counts
}

TEST_P(QuarticStepSizes, WritesIntoBlocksAndForgetsTheFormBefore) {
  const Index r = GetParam();
  Rng rng(8);
  const QuarticForm first = random_form(r, rng);
  const QuarticForm second = random_form(r, rng);
  const VectorX q = test::random_vector(r, rng);
  QuarticStep<double> reused(r);
  QuarticStep<double> fresh(r);
  VectorX f(r), expected(r);
  MatrixX K(r, r), wide = MatrixX::Constant(r + 3, r + 2, 5.0);
  reused.assign(first);
  reused.evaluate(q, f, K);
  reused.assign(second);
  fresh.assign(second);
  const double energy = fresh.evaluate(q, expected, K);
  EXPECT_EQ(reused.evaluate(q, f, wide.block(1, 1, r, r)), energy);
  EXPECT_EQ(f, expected);
  EXPECT_EQ(wide.block(1, 1, r, r), K);
  EXPECT_EQ(wide.row(0).minCoeff(), 5.0);
  EXPECT_EQ(wide.bottomRows(2).minCoeff(), 5.0);
  const double energy_only = reused.evaluate(q, f);
  EXPECT_NEAR(energy_only, energy, 1e-13 * second.fourth.norm());
  EXPECT_LT(test::relative_error(f, expected), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Sizes, QuarticStepSizes, testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 12, 30));

}  // namespace
}  // namespace pliant
