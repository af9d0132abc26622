// Impulses on a rigid square plate with four corners: rigid mass matrix, exact answers.
#include "pliant/contact/impact.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/math/rotation.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Plate {
  std::vector<Vector3> corners{{0.1, 0.1, 0.0}, {-0.1, 0.1, 0.0}, {-0.1, -0.1, 0.0}, {0.1, -0.1, 0.0}};
  double mass = 2.0;
  Matrix3 inertia = Vector3(0.005, 0.005, 0.01).asDiagonal();

  [[nodiscard]] MatrixX rows() const {
    MatrixX J(12, 6);
    for (Index i = 0; i < 4; ++i)
      J.middleRows<3>(3 * i) << Matrix3::Identity(), -cross_matrix(corners[to_size(i)]);
    return J;
  }
  [[nodiscard]] Matrix6 inverse() const {
    Matrix6 M = Matrix6::Zero();
    M.topLeftCorner<3, 3>() = Matrix3::Identity() / mass;
    M.bottomRightCorner<3, 3>() = inertia.inverse();
    return M;
  }
  [[nodiscard]] MatrixX response() const { return rows() * inverse() * rows().transpose(); }
  [[nodiscard]] double energy(const Vector6& twist) const {
    return 0.5 * twist.dot(inverse().inverse() * twist);
  }
  [[nodiscard]] Vector6 after(const Vector6& twist, const std::vector<Vector3>& impulses) const {
    VectorX p(12);
    for (Index i = 0; i < 4; ++i) p.segment<3>(3 * i) = impulses[to_size(i)];
    return twist + inverse() * rows().transpose() * p;
  }
  [[nodiscard]] std::vector<ImpactRow> touching(const Vector6& twist, double friction, double e) const {
    std::vector<ImpactRow> list(4);
    const VectorX v = rows() * twist;
    for (Index i = 0; i < 4; ++i) {
      list[to_size(i)].velocity = v.segment<3>(3 * i);
      list[to_size(i)].friction = friction;
      list[to_size(i)].restitution = e;
    }
    return list;
  }
};

TEST(Impact, AFlatPlateStopsOrBouncesWithItsRestitution) {
  const Plate plate;
  const Vector6 falling = (Vector6() << 0.0, 0.0, -2.0, 0.0, 0.0, 0.0).finished();
  for (const double e : {0.0, 0.3, 0.5, 1.0}) {
    const Vector6 after =
        plate.after(falling, impact_impulses(plate.response(), plate.touching(falling, 0.5, e), 0.01));
    EXPECT_NEAR(after[2], 2.0 * e, 1e-8);
    EXPECT_LT(after.tail<3>().norm(), 1e-8);
  }
}

TEST(Impact, FrictionSlowsByItsCoefficientAtMost) {
  const Plate plate;
  const Vector6 skidding = (Vector6() << 3.0, 0.0, -2.0, 0.0, 0.0, 0.0).finished();
  const Vector6 after =
      plate.after(skidding, impact_impulses(plate.response(), plate.touching(skidding, 0.5, 0.0), 0.01));
  EXPECT_NEAR(after[0], 3.0 - 0.5 * 2.0, 1e-6);
  EXPECT_NEAR(after[2], 0.0, 1e-8);
}

TEST(Impact, EnergyNeverGrowsAndNothingGoesIn) {
  const Plate plate;
  Rng rng(11);
  for (int i = 0; i < 500; ++i) {
    Vector6 twist;
    for (Index k = 0; k < 6; ++k) twist[k] = (k < 3 ? 2.0 : 20.0) * (2.0 * rng.uniform() - 1.0);
    const double friction = 1.5 * rng.uniform(), e = rng.uniform();
    const std::vector<ImpactRow> rows = plate.touching(twist, friction, e);
    const std::vector<Vector3> impulses = impact_impulses(plate.response(), rows, 0.01);
    const Vector6 after = plate.after(twist, impulses);
    EXPECT_LE(plate.energy(after), plate.energy(twist) * (1.0 + 1e-9));
    const VectorX v = plate.rows() * after;
    for (Index k = 0; k < 4; ++k) {
      EXPECT_GT(v[3 * k + 2], -1e-7);
      EXPECT_GE(impulses[to_size(k)][2], 0.0);
    }
  }
}

}  // namespace
}  // namespace pliant
