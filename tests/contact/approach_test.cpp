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

TEST(Approach, ATouchingPointStaysOnItsSide) {
  const ContactShape plate = ContactBox{{1.0, 1.0, 5e-4}};
  const Distance start{-4e-4, Vector3::UnitZ()};
  const Distance d = gap_after(plate, Vector3(0.0, 0.0, 1e-4), start, Vector3(0.0, 0.0, -4e-4));
  EXPECT_GT(d.normal[2], 0.999);
  EXPECT_LT(d.gap, -8e-4);
}

}  // namespace
}  // namespace pliant
