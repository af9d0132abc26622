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
    sum.tail<3>() += (body.mesh().vertices[to_size(v)] - center).cross(f);
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
    center += patch.weights[i] * held.body->mesh().vertices[to_size(patch.vertices[i])];
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

/// Points between the vertices: their forces go to the vertices with the same resultant, and the loads of
/// points at vertices are those of the vertices.
TEST(AttachmentModes, LoadsOfPointsKeepTheirResultant) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const Patch end = far_end(*held.body);
  Patch points{"points", {}, {}};
  Vector3 center = Vector3::Zero();
  for (std::size_t i = 0; i + 2 < end.vertices.size(); ++i) {  // also one beyond the triangle
    const std::array<double, 3> share{0.7, i == 0 ? -0.2 : 0.2, i == 0 ? 0.5 : 0.1};
    for (std::size_t k = 0; k < 3; ++k) {
      points.points.columns.push_back(end.vertices[i + k]);
      points.points.weights.push_back(share[k]);
      center += share[k] * held.body->mesh().vertices[to_size(end.vertices[i + k])];
    }
    points.points.starts.push_back(std::ssize(points.points.columns));
  }
  center /= static_cast<double>(points.points.row_count());
  const MatrixX loads = patch_loads(*held.body, points).value();
  for (Index k = 0; k < 3; ++k) {
    const Vector6 force = resultant(*held.body, loads.col(k), center);
    EXPECT_LT((force.head<3>() - Vector3::Unit(k)).norm(), 1e-14);
    EXPECT_LT(force.tail<3>().norm(), 1e-14);
    EXPECT_LT(resultant(*held.body, loads.col(3 + k), center).head<3>().norm(), 1e-14);
    EXPECT_GT(resultant(*held.body, loads.col(3 + k), center)[3 + k], 0.01);
  }
  Patch same{"same", {}, {}};
  for (const VertexId v : end.vertices) {
    same.points.columns.push_back(v);
    same.points.weights.push_back(1.0);
    same.points.starts.push_back(std::ssize(same.points.columns));
  }
  EXPECT_EQ(patch_loads(*held.body, same).value(), patch_loads(*held.body, end).value());
}

/// Two patches, five shapes: no other five combinations of the responses leave less energy out.
TEST(AttachmentModes, StrongestResponsesLeaveTheLeastEnergyOut) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const auto system = RestSystem::make(*held.body, held.free, no_progress()).value();
  const NaturalModes modes = natural_modes(*held.body, held.free, 3).value();
  Patch end = far_end(*held.body);
  end.lever = 0.3;
  Patch top{"top", {}, {}};
  for (std::size_t v = 0; v < held.body->mesh().vertices.size(); ++v) {
    const Vector3& x = held.body->mesh().vertices[v];
    if (x.z() > 0.45 && x.x() > 0.4 && x.x() < 0.6) top.vertices.push_back(static_cast<VertexId>(v));
  }
  ASSERT_GE(top.vertices.size(), 3U);
  top.force = 0.5;
  const std::vector<Patch> patches{end, top};
  const auto chosen = [&](Index count) {
    return strongest_responses(system, patches, modes.shapes, modes.squared, count, no_progress()).value();
  };
  const MatrixX all = attachment_modes(system, patches, no_progress()).value();
  EXPECT_EQ(chosen(12), all);
  ASSERT_EQ(chosen(5).cols(), 5);

  // energy of the loads to be expected that a span does not take up
  MatrixX F(held.body->dof_count(), 12);
  for (std::size_t p = 0; p < 2; ++p) {
    const Patch& patch = patches[p];
    MatrixX loads = patch_loads(*held.body, patch).value();
    Vector3 center = Vector3::Zero();
    for (const VertexId v : patch.vertices) center += held.body->mesh().vertices[to_size(v)];
    center /= static_cast<double>(patch.vertices.size());
    double radius = 0.0;
    for (const VertexId v : patch.vertices)
      radius += (held.body->mesh().vertices[to_size(v)] - center).squaredNorm();
    radius = std::sqrt(radius / static_cast<double>(patch.vertices.size()));
    for (Index k = 3; k < 6; ++k)
      loads.col(k) *= (p == 0 ? 0.3 : radius) / resultant(*held.body, loads.col(k), center)[k];
    F.middleCols(6 * static_cast<Index>(p), 6) = patch.force * loads;
  }
  MatrixX X = F;
  system.solve(X);
  const auto left = [&](const MatrixX& more) {
    MatrixX span(F.rows(), 3 + more.cols());
    span << modes.shapes, more;
    const MatrixX K = span.transpose() * system.stiffness_times(span);
    const MatrixX c = span.transpose() * F;
    return (F.transpose() * X - c.transpose() * K.ldlt().solve(c)).trace();
  };
  const double least = left(chosen(5));
  const double none = left(MatrixX(F.rows(), 0));
  EXPECT_LT(least, 0.1 * none);
  EXPECT_LT(std::abs(left(all)), 1e-9 * none);
  Rng rng(3);
  for (int trial = 0; trial < 50; ++trial) {  // others, far and near
    MatrixX mix(12, 5);
    for (Index j = 0; j < 5; ++j) mix.col(j) = test::random_vector(12, rng);
    EXPECT_GE(left(X * mix), least * (1.0 - 1e-9));
    EXPECT_GE(left(chosen(5) + 0.05 * X * mix), least * (1.0 - 1e-9));
  }
  for (Index skip = 0; skip < 8; ++skip) EXPECT_GE(left(all.middleCols(skip, 5)), least * (1.0 - 1e-9));
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
      if (held.free[to_size(i)] == 0) {
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
