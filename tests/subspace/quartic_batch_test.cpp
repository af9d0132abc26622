#include "pliant/subspace/quartic_batch.hpp"

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

/// Results at n points, with room behind them that must stay as it is.
struct Batch {
  Batch(const QuarticBatch& forms, const MatrixX& q)
      : energy(VectorX::Constant(q.cols() + 1, kNan)),
        f(MatrixX::Constant(q.rows(), q.cols() + 1, kNan)),
        K(MatrixX::Constant(q.rows() * q.rows(), q.cols() + 1, kNan)) {
    auto scratch = forms.make_scratch();
    forms.evaluate(q.data(), q.cols(), energy.data(), f.data(), K.data(), scratch);
  }
  Eigen::Map<const MatrixX> stiffness(Index point) const { return {K.col(point).data(), f.rows(), f.rows()}; }
  VectorX energy;
  MatrixX f, K;
};

MatrixX random_points(Index r, Index n, Rng& rng) {
  MatrixX q(r, n);
  for (Index i = 0; i < n; ++i) q.col(i) = test::random_vector(r, rng);
  return q;
}

class QuarticBatchSizes : public testing::TestWithParam<Index> {};

TEST_P(QuarticBatchSizes, AgreesWithSinglePoints) {
  const Index r = GetParam();
  Rng rng(static_cast<std::uint64_t>(r) + 1);
  const QuarticForm form = random_form(r, rng);
  QuarticBatch forms(r);
  QuarticStep<double> step(r);
  forms.assign(form);
  step.assign(form);
  VectorX f(r);
  MatrixX K(r, r);
  for (Index n = 0; n <= 17; ++n) {
    const MatrixX q = random_points(r, n, rng);
    const Batch batch(forms, q);
    for (Index i = 0; i < n; ++i) {
      const double energy = step.evaluate(q.col(i), f, K);
      const double scale = 1.0 + static_cast<double>(r * r);  // of sums that may cancel
      EXPECT_NEAR(batch.energy[i], energy, 1e-14 * scale) << n;
      if (r == 0) continue;
      EXPECT_LT(test::relative_error(batch.f.col(i), f), 1e-13) << n;
      EXPECT_LT(test::relative_error(batch.stiffness(i), K), 1e-13) << n;
      EXPECT_EQ(batch.stiffness(i), batch.stiffness(i).transpose());
    }
    EXPECT_TRUE(std::isnan(batch.energy[n]));  // nothing behind the last point is touched
    EXPECT_TRUE(batch.f.col(n).array().isNaN().all());
    EXPECT_TRUE(batch.K.col(n).array().isNaN().all());
  }
}

TEST_P(QuarticBatchSizes, StiffnessIsTheDerivativeOfForceAndForceThatOfEnergy) {
  const Index r = GetParam();
  if (r == 0) return;
  Rng rng(static_cast<std::uint64_t>(r) + 2);
  const QuarticForm form = random_form(r, rng);
  QuarticBatch forms(r);
  forms.assign(form);
  // no truncation error up to degree four, so the step may be wide: a batch holds all points of the stencils
  constexpr double kStep = 0.25;
  constexpr std::array<double, 4> kAt{-2.0, -1.0, 1.0, 2.0};
  constexpr std::array<double, 4> kFactor{1.0, -8.0, 8.0, -1.0};
  const VectorX q = test::random_vector(r, rng);
  MatrixX points = q.replicate(1, 1 + 4 * r);
  for (Index k = 0; k < r; ++k)
    for (Index s = 0; s < 4; ++s) points(k, 1 + 4 * k + s) += kStep * kAt[to_size(s)];
  const Batch batch(forms, points);
  VectorX gradient = VectorX::Zero(r);
  MatrixX jacobian = MatrixX::Zero(r, r);
  for (Index k = 0; k < r; ++k)
    for (Index s = 0; s < 4; ++s) {
      const double factor = kFactor[to_size(s)] / (12.0 * kStep);
      gradient[k] += factor * batch.energy[1 + 4 * k + s];
      jacobian.col(k) += factor * batch.f.col(1 + 4 * k + s);
    }
  const double scale = std::max({form.second.norm(), form.third.norm(), form.fourth.norm()});
  EXPECT_NEAR(batch.energy[0], form.energy(q), 1e-13 * scale);
  EXPECT_LT(test::relative_error(batch.f.col(0), gradient), 1e-11);
  EXPECT_LT(test::relative_error(batch.stiffness(0), jacobian), 1e-11);
  EXPECT_GT(test::relative_error(batch.stiffness(1), jacobian), 1e-5);  // the comparison can fail
}

/// The bits of a point are its own, whoever else is there and in which place, among those that go one way.
TEST_P(QuarticBatchSizes, PointsDoNotKnowOfEachOther) {
  const Index r = GetParam();
  Rng rng(static_cast<std::uint64_t>(r) + 3);
  QuarticBatch forms(r);
  forms.assign(random_form(r, rng));
  const MatrixX q = random_points(r, 16, rng);
  const Batch all(forms, q);
  MatrixX f(r, 16), K(r * r, 16);  // each alone
  for (Index i = 0; i < 16; ++i) {
    const Batch single(forms, q.col(i));
    f.col(i) = single.f.col(0);
    K.col(i) = single.K.col(0);
  }
  for (Index n = 1; n <= 16; ++n) {
    MatrixX reversed(r, n);
    for (Index i = 0; i < n; ++i) reversed.col(i) = q.col(n - 1 - i);
    const Batch part(forms, reversed);
    const Index in_groups = n % 8 <= QuarticBatch::alone(r) ? n - n % 8 : n;
    for (Index i = 0; i < n; ++i) {
      const Index other = n - 1 - i;
      EXPECT_EQ(part.f.col(i), (i < in_groups ? all.f : f).col(other)) << n;
      EXPECT_EQ(part.K.col(i), (i < in_groups ? all.K : K).col(other)) << n;
      if (i < in_groups) {
        EXPECT_EQ(part.energy[i], all.energy[other]);
      }
    }
  }
}

TEST_P(QuarticBatchSizes, AllocatesNothingAndForgetsTheFormBefore) {
  const Index r = GetParam();
  Rng rng(8);
  const QuarticForm first = random_form(r, rng), second = random_form(r, rng);
  QuarticBatch reused(r), fresh(r);
  auto scratch = reused.make_scratch();
  fresh.assign(second);
  const MatrixX q = random_points(r, 9, rng);
  Batch expected(fresh, q), found = expected;
  const std::size_t before = test::allocation_count();
  reused.assign(first);
  reused.evaluate(q.data(), 9, found.energy.data(), found.f.data(), found.K.data(), scratch);
  reused.assign(second);
  reused.evaluate(q.data(), 9, found.energy.data(), found.f.data(), found.K.data(), scratch);
  if (test::counts_allocations()) {
    EXPECT_EQ(test::allocation_count(), before);
  }
  EXPECT_EQ(found.f.leftCols(9), expected.f.leftCols(9));
  EXPECT_EQ(found.K.leftCols(9), expected.K.leftCols(9));
  EXPECT_EQ(found.energy.head(9), expected.energy.head(9));
}

INSTANTIATE_TEST_SUITE_P(Sizes, QuarticBatchSizes, testing::ValuesIn([] {
                           std::vector<Index> sizes{33};  // too large for groups
                           for (Index r = 0; r <= 24; ++r) sizes.push_back(r);
                           return sizes;
                         }()));

}  // namespace
}  // namespace pliant
