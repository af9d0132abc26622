#include "pliant/contact/approach.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

Distance gap(const ContactShape& shape, const Vector3& from, const Vector3& to) {
  return gap_after(shape, from, distance_to(shape, from), to);
}

TEST(Approach, APointDoesNotPassAThinPlate) {
  const ContactShape plate = ContactBox{{1.0, 1.0, 5e-4}};
  const Vector3 from(0.1, 0.2, 0.05);
  for (const double below : {0.001, 0.01, 1.0, 100.0}) {
    const Distance d = gap(plate, from, Vector3(0.1, 0.2, -below));
    EXPECT_NEAR(d.gap, -below - 5e-4, 1e-4 * below + 1e-9);
    EXPECT_GT(d.normal[2], 0.999);
  }
}

TEST(Approach, AFreeWayEndsWithTheDistanceThere) {
  const ContactShape ball = ContactSphere{0.5};
  const Vector3 from(-2.0, 0.0, 0.7), to(2.0, 0.0, 0.7);
  EXPECT_NEAR(gap(ball, from, to).gap, distance_to(ball, to).gap, 1e-15);
}

TEST(Approach, AShallowHitHasTheSolidsOwnDistance) {
  const ContactShape ball = ContactSphere{0.5};
  const Vector3 to(0.0, 0.01, 0.499);
  const Distance d = gap(ball, Vector3(0.0, 0.0, 0.6), to);
  EXPECT_NEAR(d.gap, distance_to(ball, to).gap, 1e-15);
}

/// Its way cuts the ball's flank, but on the same side.
TEST(Approach, APointThatSweepsAlongABallEndsFree) {
  const ContactShape ball = ContactSphere{0.5};
  const Vector3 to(0.2, 0.0, 0.47);
  EXPECT_NEAR(gap(ball, Vector3(-0.2, 0.0, 0.47), to).gap, distance_to(ball, to).gap, 1e-15);
}

TEST(Approach, TheDepthAlongTheOldNormalIsThatOfTheOldFace) {
  const ContactShape box = ContactBox{{1.0, 1.0, 1.0}};
  const auto depth = depth_along(box, Vector3(0.999, 0.0, 0.997), Vector3::UnitZ());
  ASSERT_TRUE(depth);
  EXPECT_NEAR(depth->gap, -0.003, 1e-8);
}

TEST(Approach, ASideThatIsKnownIsKept) {
  TouchedSide side;
  Distance free{0.1, Vector3::UnitX()};
  side.keep(Vector3::Zero(), false, free);
  EXPECT_FALSE(side.known);
  Distance first{-0.1, Vector3::UnitZ()}, other{-0.05, Vector3::UnitX()};
  side.keep(Vector3::Zero(), false, first);
  side.keep(Vector3(0.3, 0.0, 0.02), false, other);
  EXPECT_NEAR(other.gap, -0.08, 1e-15);
  EXPECT_EQ(other.normal, Vector3::UnitZ());
}

TEST(Approach, ATouchingPointStaysOnItsSide) {
  const ContactShape plate = ContactBox{{1.0, 1.0, 5e-4}};
  const Distance start{-4e-4, Vector3::UnitZ()};
  const Distance d = gap_after(plate, Vector3(0.0, 0.0, 1e-4), start, Vector3(0.0, 0.0, -4e-4));
  EXPECT_GT(d.normal[2], 0.999);
  EXPECT_LT(d.gap, -8e-4);
}

}  // namespace
}  // namespace pliant
