#include "pliant/model/motion.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

TEST(TimeTable, InterpolatesAndHoldsItsEnds) {
  const TimeTable table{{1.0, 2.0, 4.0}, {0.0, 10.0, 6.0}};
  EXPECT_EQ(table.at(-5.0), 0.0);
  EXPECT_EQ(table.at(1.5), 5.0);
  EXPECT_EQ(table.at(3.0), 8.0);
  EXPECT_EQ(table.at(9.0), 6.0);
  EXPECT_EQ(TimeTable{}.at(0.3), 1.0);
}

TEST(Motion, QuarterTurnAndShift) {
  Motion motion;
  motion.rotation = RotationKeys{{0, 0, 2}, {1, 0, 0}, {0, 1}, {0, std::numbers::pi / 2}};
  motion.translation = TranslationKeys{{0, 2}, {{0, 0, 0}, {0, 0, 4}}};
  EXPECT_LT((motion.place(1.0, {2, 0, 0}) - Vector3(1, 1, 2)).norm(), 1e-14);
}

TEST(Motion, VelocityAndAccelerationAreDerivatives) {
  Motion motion;
  motion.rotation = RotationKeys{{1, 2, -1}, {0.3, 0.1, 0}, {0, 2}, {0.2, 3.0}};
  motion.translation = TranslationKeys{{0, 2}, {{0, 1, 0}, {1, 0, 4}}};
  motion.oscillation = Oscillation{{0.1, -0.2, 0.3}, 1.7};
  const Vector3 X(1.0, -0.5, 0.7);
  const VectorX t = VectorX::Constant(1, 0.8);
  const auto place = [&](const VectorX& time) { return VectorX(motion.place(time[0], X)); };
  const auto speed = [&](const VectorX& time) { return VectorX(motion.at(time[0], X).velocity); };
  const DrivenPoint point = motion.at(0.8, X);
  EXPECT_LT((test::jacobian(place, t, 1e-3) - point.velocity).norm(), 1e-9 * point.velocity.norm());
  EXPECT_LT((test::jacobian(speed, t, 1e-3) - point.acceleration).norm(), 1e-8 * point.acceleration.norm());
  EXPECT_GT(point.acceleration.norm(), 0.1);
}

}  // namespace
}  // namespace pliant
