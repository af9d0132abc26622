// Contacts whose points give way together: balance, forces against energies, stiffness against forces.
#include "pliant/sim/dents.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/contact/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

constexpr Index kPoints = 6;

/// Any compliance, on one part that has turned.
class Given final : public Flexibility {
 public:
  explicit Given(MatrixX C) : C_(std::move(C)) {}
  Index part_of(Index /*point*/) const override { return 0; }
  const Matrix3& rest_turn(Index /*part*/) const override { return turn_; }
  void respond(Index on, std::span<const Index> at, std::span<Matrix3> moves) override {
    for (std::size_t i = 0; i < at.size(); ++i) moves[i] = C_.block<3, 3>(3 * at[i], 3 * on);
  }

 private:
  MatrixX C_;
  Matrix3 turn_ = Eigen::AngleAxisd(0.3, Vector3::UnitX()).toRotationMatrix();
};

class DentsOn : public testing::TestWithParam<double> {
 protected:
  DentsOn() {
    MatrixX A(3 * kPoints, 3 * kPoints);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = rng_.uniform() - 0.5;
    C_ = 1e-3 * A * A.transpose();
    dents_.emplace(std::make_shared<Given>(C_));
    std::vector<Index> vertices;
    for (Index i = 0; i < kPoints; ++i) {
      vertices.push_back(i);
      normals_.push_back(
          Vector3(rng_.uniform() - 0.5, rng_.uniform() - 0.5, rng_.uniform() + 0.5).normalized());
      places_.emplace_back(0.02 * rng_.uniform(), 0.02 * rng_.uniform(), -0.03 + 0.05 * rng_.uniform());
    }
    dents_->set_points(vertices);
    PartPose pose;
    pose.turn = 2.0 * Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    dents_->turn({&pose, 1});
  }

  [[nodiscard]] ContactForce contact(std::size_t p, const Vector3& x) const {
    return contact_force({GetParam(), 2.0}, normals_[p].dot(x), normals_[p], x);
  }
  PointTerms settle() {
    PointTerms terms;
    terms.resize(kPoints);
    const auto press = [&](std::span<Vector3> forces, std::span<Matrix3> stiffness) {
      energy_ = 0.0;
      for (std::size_t p = 0; p < forces.size(); ++p) {
        const Vector3 x = places_[p] + dents_->dent(p);
        const ContactForce force = contact(p, x);
        forces[p] = force.force;
        stiffness[p] = force.stiffness;
        energy_ += contact_energy({GetParam(), 2.0}, normals_[p].dot(x), normals_[p], x);
      }
    };
    dents_->settle(std::cref(press), 1.0, terms);
    energy_ += dents_->energy();
    return terms;
  }

  Rng rng_{11};
  MatrixX C_;
  std::optional<Dents> dents_;
  std::vector<Vector3> normals_, places_;
  double energy_ = 0.0;
};

TEST_P(DentsOn, ForcesAreThoseAtTheDentedPlaces) {
  const PointTerms terms = settle();
  double size = 0.0;
  for (const Vector3& force : terms.force) size += force.norm();
  ASSERT_GT(size, 1.0);
  for (std::size_t p = 0; p < kPoints; ++p) {
    EXPECT_LT((contact(p, places_[p] + dents_->dent(p)).force - terms.force[p]).norm(), 1e-8 * size);
    Vector3 dent = Vector3::Zero();
    for (std::size_t q = 0; q < kPoints; ++q) dent += dents_->between(p, q) * terms.force[q];
    EXPECT_LT((dent - dents_->dent(p)).norm(), 1e-9);
    EXPECT_LT((dents_->dent_of(static_cast<Index>(p)) - dent).norm(), 1e-9);
  }
}

TEST_P(DentsOn, ForcesAreGradientsAndTheStiffnessIsTheirs) {
  const PointTerms terms = settle();
  MatrixX K = MatrixX::Zero(3 * kPoints, 3 * kPoints);
  for (Index p = 0; p < kPoints; ++p) K.block<3, 3>(3 * p, 3 * p) = terms.stiffness[to_size(p)];
  const Index rank = terms.shared.rank;
  ASSERT_GT(rank, 0);
  const auto L = terms.shared.rows.leftCols(rank);
  K -= L * terms.shared.compliance.topLeftCorner(rank, rank) * L.transpose();
  EXPECT_LT((K - K.transpose()).norm(), 1e-9 * K.norm());
  const double h = 1e-7;
  for (Index p = 0; p < kPoints; ++p)
    for (Index axis = 0; axis < 3; ++axis) {
      const double kept = places_[to_size(p)][axis];
      places_[to_size(p)][axis] = kept + h;
      const PointTerms up = settle();
      const double high = energy_;
      places_[to_size(p)][axis] = kept - h;
      const PointTerms down = settle();
      EXPECT_NEAR((energy_ - high) / (2.0 * h), terms.force[to_size(p)][axis], 1e-4);
      places_[to_size(p)][axis] = kept;
      for (Index q = 0; q < kPoints; ++q)
        EXPECT_LT(
            ((up.force[to_size(q)] - down.force[to_size(q)]) / (2.0 * h) + K.block<3, 1>(3 * q, 3 * p + axis))
                .norm(),
            1e-4 * K.norm());
    }
}

INSTANTIATE_TEST_SUITE_P(Stiffness, DentsOn, testing::Values(1e3, 1e6));

}  // namespace
}  // namespace pliant
