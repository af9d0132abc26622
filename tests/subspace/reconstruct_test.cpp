#include "pliant/subspace/reconstruct.hpp"

#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr Index kSize = 5;

/// A body with random shapes in a random frame: 810 vertices, so several tasks and a last panel that is not
/// full.
struct Sample {
  Sample() : mesh(test::distorted_box(ElementKind::kTet, {9, 8, 8}, 5)) {
    Rng rng(6);
    body.basis.shapes.resize(3 * mesh.vertex_count(), kSize);
    for (Index l = 0; l < kSize; ++l)
      body.basis.shapes.col(l) = test::random_vector(3 * mesh.vertex_count(), rng);
    body.origin = {0.3, 0.2, 0.1};
    q = test::random_vector(kSize, rng);
    p = test::random_vector(3, rng);
    Q = test::random_rotation(rng);
  }

  [[nodiscard]] VectorX expected_positions() const {
    VectorX x = body.basis.shapes * q;
    for (Index v = 0; v < mesh.vertex_count(); ++v)
      x.segment<3>(3 * v) = (p + Q * (mesh.vertices[to_size(v)] - body.origin + x.segment<3>(3 * v))).eval();
    return x;
  }

  VolumeMesh mesh;
  ReducedBody body;
  VectorX q;
  Vector3 p;
  Matrix3 Q;
};

template <class Scalar>
VectorX positions(Reconstruction<Scalar>& points, const Sample& sample) {
  std::vector<Scalar> out(to_size(3 * points.point_count()), Scalar(NAN));
  points.positions(sample.q, sample.p, sample.Q, out);
  return Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>(out.data(), Index(out.size()))
      .template cast<double>();
}

template <class Scalar>
VectorX displacements(Reconstruction<Scalar>& points, const VectorX& q) {
  std::vector<Scalar> out(to_size(3 * points.point_count()), Scalar(NAN));
  points.displacements(q, out);
  return Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>(out.data(), Index(out.size()))
      .template cast<double>();
}

TEST(Reconstruction, OfTheVolumeIsTheProductWithTheBasis) {
  const Sample sample;
  auto points = reconstruct_volume<double>(sample.body, sample.mesh);
  ASSERT_EQ(points.point_count(), sample.mesh.vertex_count());
  EXPECT_LT(test::relative_error(displacements(points, sample.q), sample.body.basis.shapes * sample.q),
            1e-15);
  EXPECT_LT(test::relative_error(positions(points, sample), sample.expected_positions()), 1e-15);
}

/// Six roundings to 24 bits or so in sums of terms of order 1.
TEST(Reconstruction, InFloatIsTheSameToItsPrecision) {
  const Sample sample;
  auto points = reconstruct_volume<float>(sample.body, sample.mesh);
  const VectorX u = displacements(points, sample.q);
  EXPECT_LT(test::relative_error(u, sample.body.basis.shapes * sample.q), 5e-7);
  EXPECT_GT(test::relative_error(u, sample.body.basis.shapes * sample.q), 1e-9);  // float indeed
  EXPECT_LT(test::relative_error(positions(points, sample), sample.expected_positions()), 5e-7);
}

TEST(Reconstruction, OfAListHasItsOrder) {
  const Sample sample;
  const std::vector<VertexId> list{700, 0, 33, 33, 808};
  auto points = reconstruct_vertices<double>(sample.body, sample.mesh, list);
  const VectorX x = positions(points, sample);
  ASSERT_EQ(points.point_count(), 5);
  const VectorX all = sample.expected_positions();
  for (std::size_t i = 0; i < list.size(); ++i)
    EXPECT_LT((x.segment<3>(3 * Index(i)) - all.segment<3>(3 * list[i])).norm(), 1e-14);
  auto none = reconstruct_vertices<double>(sample.body, sample.mesh, {});
  EXPECT_EQ(positions(none, sample).size(), 0);
}

/// Interpolating the basis once is the same as interpolating every shape of the volume.
TEST(Reconstruction, OfASurfaceFollowsTheVolume) {
  const Sample sample;
  Rng rng(8);
  std::vector<Vector3> surface;
  for (int i = 0; i < 100; ++i)
    surface.emplace_back(rng.uniform(0.0, 1.0), rng.uniform(0.0, 0.7), rng.uniform(0.0, 0.5));
  const Embedding embedding = embed(sample.mesh, surface).value();
  auto points = reconstruct_embedded<double>(sample.body, embedding, surface);
  VectorX expected(300);
  interpolate(embedding, sample.body.basis.shapes * sample.q, expected);
  EXPECT_LT(test::relative_error(displacements(points, sample.q), expected), 1e-14);
  interpolate(embedding, sample.expected_positions(), expected);
  EXPECT_LT(test::relative_error(positions(points, sample), expected), 1e-13);
}

TEST(Reconstruction, IsTheSameForAnyNumberOfThreads) {
  const Sample sample;
  auto points = reconstruct_volume<double>(sample.body, sample.mesh);
  const auto found = [&](int threads) {
    const ThreadScope scope(threads);
    return VectorX(positions(points, sample));
  };
  EXPECT_EQ(found(1), found(2));
}

TEST(Reconstruction, AllocatesNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "no counter in this build: allocations are NOT counted";
  const Sample sample;
  auto points = reconstruct_volume<double>(sample.body, sample.mesh);
  std::vector<double> out(to_size(3 * points.point_count()));
  const std::size_t before = test::allocation_count();
  points.positions(sample.q, sample.p, sample.Q, out);
  points.displacements(sample.q, out);
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace pliant
