#include "pliant/subspace/quartic_form.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(QuarticForm, CountsAndPlacesNumberTheSortedTuplesWithoutGaps) {
  const Index r = 7;
  Index place = 0;
  for (Index l = 0; l < r; ++l)
    for (Index k = 0; k <= l; ++k)
      for (Index j = 0; j <= k; ++j)
        for (Index i = 0; i <= j; ++i) ASSERT_EQ(quadruple_place(i, j, k, l), place++);
  EXPECT_EQ(place, quadruple_count(r));
}

TEST(QuarticForm, HeadIsTheFormWithTheOtherCoordinatesZero) {
  QuarticForm form = QuarticForm::zero(5);
  form.second.setRandom();
  form.third.setRandom();
  form.fourth.setRandom();
  VectorX q = VectorX::Zero(5);
  q.head(3) << 0.3, -1.2, 0.7;
  EXPECT_NE(form.energy(q), 0.0);
  EXPECT_DOUBLE_EQ(form.head(3).energy(q.head(3)), form.energy(q));
}

TEST(QuarticForm, EnergyCountsEachOrderOfATupleOnce) {
  // all coefficients 1: ½ s² + ⅙ s³ + 1/24 s⁴ with s the sum of the coordinates
  QuarticForm form = QuarticForm::zero(4);
  form.second.setOnes();
  form.third.setOnes();
  form.fourth.setOnes();
  const Eigen::Vector4d q(0.5, -0.25, 1.5, 0.75);
  const double s = q.sum();
  EXPECT_NEAR(form.energy(q), s * s / 2 + s * s * s / 6 + s * s * s * s / 24, 1e-14);
}

}  // namespace
}  // namespace pliant
