#include "pliant/reduce/attachment_modes.hpp"

#include "pliant/fem/natural_modes.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::HeldBody;

Patch far_end(const ElasticBody& body) {
  Patch patch{"end", {}, {}};
  for (std::size_t v = 0; v < body.mesh().vertices.size(); ++v)
    if (body.mesh().vertices[v].x() > 0.95) patch.vertices.push_back(static_cast<VertexId>(v));
  return patch;
}

/// Σ f and Σ (x − center) × f of nodal loads.
Vector6 resultant(const ElasticBody& body, const VectorX& load, const Vector3& center) {
  Vector6 sum = Vector6::Zero();
  for (Index v = 0; v < body.mesh().vertex_count(); ++v) {
    const Vector3 f = load.segment<3>(3 * v);
    sum.head<3>() += f;
    sum.tail<3>() += (body.mesh().vertices[static_cast<std::size_t>(v)] - center).cross(f);
  }
  return sum;
}

TEST(AttachmentModes, LoadsAreForcesAndMoments) {
  const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  Patch patch = far_end(*held.body);
  ASSERT_GT(patch.vertices.size(), 4U);
  patch.weights.assign(patch.vertices.size(), 1.0);
  patch.weights[0] = 3.0;
  Vector3 center = Vector3::Zero();
  double sum = 0.0;
  for (std::size_t i = 0; i < patch.vertices.size(); ++i) {
    center += patch.weights[i] * held.body->mesh().vertices[static_cast<std::size_t>(patch.vertices[i])];
    sum += patch.weights[i];
  }
  center /= sum;
  const MatrixX loads = patch_loads(*held.body, patch).value();
  for (Index k = 0; k < 3; ++k) {
    const Vector6 force = resultant(*held.body, loads.col(k), center);
    EXPECT_LT((force.head<3>() - Vector3::Unit(k)).norm(), 1e-14);
    EXPECT_LT(force.tail<3>().norm(), 1e-14);
    const Vector6 moment = resultant(*held.body, loads.col(3 + k), center);
    EXPECT_LT(moment.head<3>().norm(), 1e-13);
    EXPECT_GT(moment[3 + k], 0.01);
  }
}

TEST(AttachmentModes, AreStaticResponses) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const Patch patch = far_end(*held.body);
  const MatrixX modes = attachment_modes(system, {patch}, no_progress()).value();
  const MatrixX loads = patch_loads(*held.body, patch).value();
  for (Index k = 0; k < 6; ++k) {
    // the internal force of a small multiple balances the load
    VectorX f(held.body->dof_count());
    held.body->internal_force(1e-7 * modes.col(k), f);
    EXPECT_LT(test::relative_error(test::free_part(held.free, 1e7 * f), loads.col(k)), 1e-4) << k;
    for (Index i = 0; i < modes.rows(); ++i)
      if (held.free[static_cast<std::size_t>(i)] == 0) {
        EXPECT_EQ(modes(i, k), 0.0);
      }
  }
}

TEST(AttachmentModes, OfUnheldBodiesAreBalancedByInertia) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const Patch patch = far_end(*held.body);
  const MatrixX modes = attachment_modes(system, {patch}, no_progress()).value();
  const MatrixX loads = patch_loads(*held.body, patch).value();
  const MatrixX mass_rigid = mass_times(*held.body, system.rigid());
  EXPECT_LT((mass_rigid.transpose() * modes).cwiseAbs().maxCoeff(),
            1e-12 * mass_norms(*held.body, modes).maxCoeff());
  const MatrixX balanced = loads - mass_rigid * (system.rigid().transpose() * loads);
  EXPECT_LT(test::relative_error(system.stiffness_times(modes), balanced), 1e-10);
}

TEST(AttachmentModes, RitzPairsDiagonaliseBothMatrices) {
  const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const NaturalModes modes = natural_modes(*held.body, held.free, 10).value();
  const MatrixX attachments = attachment_modes(system, {far_end(*held.body)}, no_progress()).value();
  MatrixX columns(attachments.rows(), 10);
  columns << modes.shapes.leftCols(4), attachments;
  const RitzPairs ritz = ritz_pairs(system, columns);
  ASSERT_EQ(ritz.values.size(), 10);
  EXPECT_LT(test::orthonormality_error(*held.body, ritz.vectors), 1e-12);
  const MatrixX K = ritz.vectors.transpose() * system.stiffness_times(ritz.vectors);
  EXPECT_LT((K - MatrixX(ritz.values.asDiagonal())).cwiseAbs().maxCoeff(), 1e-10 * ritz.values[9]);
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(ritz.values[i], modes.squared[i], 1e-8 * modes.squared[i]);
  for (Index i = 4; i < 10; ++i) EXPECT_GE(ritz.values[i], modes.squared[i] * (1 - 1e-9));  // from above
}

TEST(AttachmentModes, OfAVertexOrALineAreFewer) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const Patch end = far_end(*held.body);
  const Patch vertex{"vertex", {end.vertices[0]}, {}};
  const Patch line{"line", {end.vertices[0], end.vertices[1]}, {}};
  EXPECT_EQ(ritz_pairs(system, attachment_modes(system, {vertex}, no_progress()).value()).values.size(), 3);
  EXPECT_EQ(ritz_pairs(system, attachment_modes(system, {line}, no_progress()).value()).values.size(), 5);
}

TEST(AttachmentModes, NameThePatchThatIsWrong) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const Patch empty{"empty", {}, {}};
  const Patch beyond{"beyond", {100000}, {}};
  const Patch fixed{"fixed", held.vertices, {}};
  Patch weights = far_end(*held.body);
  weights.name = "weights";
  weights.weights = {1.0};
  Patch negative = far_end(*held.body);
  negative.name = "negative";
  negative.weights.assign(negative.vertices.size(), -1.0);
  const auto result = attachment_modes(system, {empty, beyond, fixed, weights, negative}, no_progress());
  ASSERT_FALSE(result.ok());
  ASSERT_EQ(result.errors().size(), 5U);
  const std::array codes{ErrorCode::kMissing, ErrorCode::kOutOfRange, ErrorCode::kInconsistent,
                         ErrorCode::kInconsistent, ErrorCode::kOutOfRange};
  const std::array keys{"patch 'empty'", "patch 'beyond'", "patch 'fixed'", "patch 'weights'",
                        "patch 'negative'"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(result.errors()[i].code, codes[i]) << i;
    EXPECT_EQ(result.errors()[i].where.key, keys[i]);
  }
}

}  // namespace
}  // namespace pliant
