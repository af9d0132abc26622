// Anderson's mixing on iterations whose limit is known.
#include "pliant/model/tree/mixing.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// x ← x + δ(x) with δ(x) = −(1 − λ) x on each axis: alone it falls by the largest |λ| per iteration.
int iterations(const VectorX& factors, bool mixed, double tolerance) {
  Mixing mixing;
  mixing.begin(VectorX::Ones(factors.size()));
  VectorX x = VectorX::Ones(factors.size()), step;
  for (int i = 0; i < 1000; ++i) {
    if (x.norm() < tolerance) return i;
    step = -((1.0 - factors.array()) * x.array()).matrix();
    if (mixed) mixing.mix(step);
    x += step;
    mixing.take(1.0);
  }
  return 1000;
}

TEST(Mixing, FindsTheFewSlowDirectionsOfAnIteration) {
  VectorX factors = VectorX::Zero(20);
  factors[3] = 0.9;
  factors[7] = -0.8;
  EXPECT_GT(iterations(factors, false, 1e-9), 150);
  EXPECT_LE(iterations(factors, true, 1e-9), 5);
  factors[11] = 1.5;  // and of one that runs away
  EXPECT_EQ(iterations(factors, false, 1e-9), 1000);
  EXPECT_LE(iterations(factors, true, 1e-9), 8);
}

TEST(Mixing, KnowsHowMuchOfAStepWasTaken) {
  Mixing mixing;
  mixing.begin(VectorX::Ones(1));
  VectorX x = VectorX::Ones(1), step(1);
  step[0] = -0.25 * x[0];  // λ = 3/4
  mixing.mix(step);
  x += 0.5 * step;
  mixing.take(0.5);
  step[0] = -0.25 * x[0];
  mixing.mix(step);
  EXPECT_NEAR(x[0] + step[0], 0.0, 1e-12);
}

TEST(Mixing, AProposalOfNothingMovesNothing) {
  Mixing mixing;
  mixing.begin(VectorX::Ones(2));
  VectorX step = VectorX::Ones(2);
  mixing.mix(step);
  mixing.take(1.0);
  for (int i = 0; i < 3; ++i) {
    step.setZero();
    mixing.mix(step);
    mixing.take(1.0);
    EXPECT_LT(step.norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant
