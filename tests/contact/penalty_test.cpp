// The force of a contact against its energy, the stiffness against the force, by finite differences.
#include "pliant/contact/penalty.hpp"

#include "pliant/base/rng.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct At {
  double gap;
  Vector3 stretch;
};

TEST(Penalty, ForcesAreGradientsAndStiffnessTheirs) {
  Rng rng(3);
  int slipping = 0;
  for (int i = 0; i < 200; ++i) {
    const Vector3 normal =
        Vector3(rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5).normalized();
    const ContactSpring spring{50.0 + 100.0 * rng.uniform(), 2.0 * rng.uniform()};
    const Vector3 anchor(rng.uniform(), rng.uniform(), rng.uniform());
    const double offset = normal.dot(anchor) + 0.02 + 0.02 * rng.uniform();
    const Vector3 x = anchor + 0.02 * Vector3(rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5);
    const auto at = [&](const Vector3& y) { return At{normal.dot(y) - offset, y - anchor}; };
    const auto force = [&](const Vector3& y) {
      return contact_force(spring, at(y).gap, normal, at(y).stretch);
    };
    const ContactForce here = force(x);
    ASSERT_GT(here.normal, 0.0);
    slipping += here.slips ? 1 : 0;
    if (here.slips)
      EXPECT_NEAR(here.tangential.norm(), spring.bound, 1e-12);
    else
      EXPECT_LE(here.tangential.norm(), spring.bound);
    const double h = 1e-7;
    for (Index axis = 0; axis < 3; ++axis) {
      const Vector3 step = h * Vector3::Unit(axis);
      const At up = at(x + step), down = at(x - step);
      const double slope = (contact_energy(spring, up.gap, normal, up.stretch) -
                            contact_energy(spring, down.gap, normal, down.stretch)) /
                           (2.0 * h);
      EXPECT_NEAR(-slope, here.force[axis], 1e-6);
      const Vector3 column = (force(x + step).force - force(x - step).force) / (2.0 * h);
      EXPECT_LT((column + here.stiffness.col(axis)).norm(), 1e-4 * spring.stiffness);
    }
    EXPECT_LT((here.stiffness - here.stiffness.transpose()).norm(), 1e-12 * spring.stiffness);
  }
  EXPECT_GT(slipping, 20);
  EXPECT_LT(slipping, 180);
}

TEST(Penalty, NothingPullsAcrossAGap) {
  const ContactForce none = contact_force({100.0, 0.0}, 1e-9, Vector3::UnitZ(), Vector3(0.1, 0.0, 0.0));
  EXPECT_EQ(none.force, Vector3::Zero());
  EXPECT_EQ(none.stiffness, Matrix3::Zero());
}

TEST(Penalty, WithoutFrictionTheForceIsNormal) {
  const ContactForce force = contact_force({100.0, 0.0}, -0.1, Vector3::UnitZ(), Vector3(0.3, 0.2, 0.0));
  EXPECT_LT((force.force - Vector3(0.0, 0.0, 10.0)).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant
