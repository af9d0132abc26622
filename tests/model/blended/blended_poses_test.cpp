// Given poses: as shapes of their own the body takes them exactly; as envelopes their residual falls in every
// pass (Eq. 13 to 16).
#include "blended_case.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

/// Bends the beam about an arc by this angle.
VectorX bent(const ElasticBody& elastic, double angle) {
  VectorX u(elastic.dof_count());
  const double radius = 1.0 / angle;
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = elastic.rest_positions().segment<3>(i);
    const double phi = x[0] * angle, r = radius - (x[2] - 0.05);
    u.segment<3>(i) = Vector3(r * std::sin(phi), x[1], radius + 0.05 - r * std::cos(phi)) - x;
  }
  return u;
}

std::shared_ptr<const ElasticBody> beam() {
  return std::make_shared<const ElasticBody>(generate_box({1.0, 0.2, 0.1}, {16, 2, 2}, ElementKind::kTet),
                                             MaterialMap{{Material{}}, {}});
}

BlendedOutcome made_of(const std::shared_ptr<const ElasticBody>& elastic, const std::vector<VectorX>& poses,
                       PosesAs as, bool held = true) {
  BlendedSpec spec = test::seeded({0.5});
  spec.poses = {poses, as, {}};
  const std::vector<Support> supports = held ? test::clamped(elastic->mesh()) : std::vector<Support>{};
  Result<BlendedOutcome> made = make_blended_body(spec, elastic, "beam", supports, {}, no_progress());
  EXPECT_TRUE(made) << made.error().what;
  return std::move(made).value();
}

/// How far the body is from a shape at best, over the shape, in the mass norm.
double distance(const BlendedOutcome& made, const ElasticBody& elastic, const VectorX& u) {
  const MatrixX& U = made.body->reduced->basis.shapes;
  VectorX weighted(u.size());
  elastic.apply_mass(u, weighted);
  VectorX rest = u - U * (U.transpose() * weighted);
  VectorX left(u.size());
  elastic.apply_mass(rest, left);
  return std::sqrt(rest.dot(left) / u.dot(weighted));
}

TEST(BlendedPoses, AsVectorsTheyAreTakenExactly) {
  const auto elastic = beam();
  const std::vector<VectorX> poses{bent(*elastic, 2.0), bent(*elastic, 4.0), bent(*elastic, 6.0)};
  for (const bool held : {true, false}) {
    const BlendedOutcome plain = made_of(elastic, {}, PosesAs::kVectors, held);
    const BlendedOutcome made = made_of(elastic, poses, PosesAs::kVectors, held);
    EXPECT_EQ(made.body->reduced->size(), plain.body->reduced->size() + 3);
    EXPECT_TRUE(made.pose_residuals.empty());
    for (const VectorX& pose : poses) {
      VectorX u = pose;
      for (VertexId v : held ? test::clamped(elastic->mesh())[0].vertices : std::vector<VertexId>{})
        u.segment<3>(3 * Index{v}).setZero();
      EXPECT_GT(distance(plain, *elastic, u), 0.003);
      EXPECT_LT(distance(made, *elastic, u), 1e-6);
    }
    // What the body could take without them it still can: here a field of its own functions.
    const MatrixX& old = plain.body->reduced->basis.shapes;
    VectorX q = VectorX::LinSpaced(old.cols(), -1.0, 1.0);
    EXPECT_LT(distance(made, *elastic, old * q), 1e-6);
  }
}

TEST(BlendedPoses, FreeBodiesStillTurnWithoutEnergy) {
  const auto elastic = beam();
  const BlendedOutcome made = made_of(elastic, {bent(*elastic, 3.0)}, PosesAs::kVectors, false);
  VectorX u(elastic->dof_count());
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = elastic->rest_positions().segment<3>(i);
    u.segment<3>(i) = Vector3(-x[1], x[0], x[2]) - x;  // by 90 degrees
  }
  const MatrixX& U = made.body->reduced->basis.shapes;
  VectorX weighted(u.size()), f(U.cols());
  elastic->apply_mass(u, weighted);
  const VectorX q = U.transpose() * weighted;
  const double energy = blended_forces(made.body, elastic->materials().materials)->evaluate(q, f);
  EXPECT_GT(q.norm(), 1.0);
  EXPECT_LT(energy, 1e-20 * 1e6 * elastic->volume());
}

TEST(BlendedPoses, EnvelopesComeNearer) {
  const auto elastic = beam();
  const std::vector<VectorX> poses{bent(*elastic, 2.0), bent(*elastic, 4.0)};
  const BlendedOutcome made = made_of(elastic, poses, PosesAs::kEnvelopes);
  EXPECT_EQ(made.body->reduced->size(), 30);
  ASSERT_GE(made.pose_residuals.size(), 3U);
  for (std::size_t i = 1; i < made.pose_residuals.size(); ++i)
    EXPECT_LE(made.pose_residuals[i], made.pose_residuals[i - 1] * (1.0 + 1e-9));
  EXPECT_LT(made.pose_residuals.back(), 0.5 * made.pose_residuals.front());
  // What is held stays so.
  const std::vector<Support> supports = test::clamped(elastic->mesh());
  for (const VertexId v : supports[0].vertices)
    EXPECT_EQ(made.body->reduced->basis.shapes.middleRows<3>(3 * Index{v}).norm(), 0.0);
}

}  // namespace
}  // namespace pliant
