#include "pliant/model/load_forces.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Loaded {
  VolumeMesh mesh;
  VectorX x;
};

Loaded loaded_box(ElementKind kind) {
  Loaded body{test::distorted_box(kind, {3, 2, 2}, 5), {}};
  body.x.resize(3 * body.mesh.vertex_count());
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    body.x.segment<3>(3 * v) = body.mesh.vertices[to_size(v)];
  return body;
}

Vector3 resultant(const VectorX& f) {
  return Eigen::Map<const Eigen::Matrix3Xd>(f.data(), 3, f.size() / 3).rowwise().sum();
}

TEST(LoadForces, ClosedPressureHasNoResultantNorMoment) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const Loaded body = loaded_box(kind);
    const LoadForces loads({{"all", Pressure{boundary_faces(body.mesh), 7.0}, {}}});
    VectorX f = VectorX::Zero(body.x.size());
    loads.add_forces(0.0, LoadForces::Clock::kTime, body.x, VectorX::Zero(body.x.size()), f);
    ASSERT_GT(f.norm(), 0.1);
    EXPECT_LT(resultant(f).norm(), 1e-13);
    Vector3 moment = Vector3::Zero();
    for (Index v = 0; v < body.mesh.vertex_count(); ++v)
      moment += Vector3(body.x.segment<3>(3 * v)).cross(Vector3(f.segment<3>(3 * v)));
    // planar triangles carry their force at the vertices as at the centroid: no moment either
    EXPECT_LT(moment.norm(), 1e-13);
    EXPECT_LT(f.dot(body.x), 0.0);  // it compresses
    EXPECT_NEAR(
        f.dot(body.x),
        -3.0 * 7.0 *
            [&] {  // −∮ p n·x = −3 p V for triangles
              double volume = 0.0;
              for (const BoundaryFace& face : boundary_faces(body.mesh)) {
                const auto at = [&](int i) { return body.mesh.vertices[to_size(face.vertices[to_size(i)])]; };
                if (face.size() == 3) {
                  volume += at(0).cross(at(1)).dot(at(2)) / 6.0;
                } else {
                  volume += 0.5 *
                            (at(0).cross(at(1)).dot(at(2)) + at(0).cross(at(2)).dot(at(3)) +
                             at(0).cross(at(1)).dot(at(3)) + at(1).cross(at(2)).dot(at(3))) /
                            6.0;
                }
              }
              return volume;
            }(),
        1e-12);
  }
}

/// The tangent of closed uniform pressure is symmetric, so its symmetric part is all of it.
TEST(LoadForces, PressureTangentIsTheDerivative) {
  const Loaded body = loaded_box(ElementKind::kHex);
  const ElasticBody elastic(body.mesh, {{test::material_of(Law::kStvk)}, {}});
  const LoadForces loads({{"all", Pressure{boundary_faces(body.mesh), 7.0}, {}}});
  const VectorX v = VectorX::Zero(body.x.size());
  SparseMatrix K = elastic.make_matrix();
  loads.add_tangent(0.0, LoadForces::Clock::kTime, body.x, v, 0.0, K);
  const auto minus_force = [&](const VectorX& x) {
    VectorX f = VectorX::Zero(x.size());
    loads.add_forces(0.0, LoadForces::Clock::kTime, x, v, f);
    return VectorX(-f);
  };
  const MatrixX fd = test::jacobian(minus_force, body.x, 1e-3);
  const MatrixX lower = K;
  const MatrixX full = lower + MatrixX(lower.triangularView<Eigen::StrictlyLower>()).transpose();
  ASSERT_GT(full.norm(), 0.1);
  EXPECT_LT(test::relative_error(full, fd), 1e-9);
}

TEST(LoadForces, WindPushesAFlatFaceByItsDragAndDampsIt) {
  const VolumeMesh mesh = generate_box({1, 1, 0.1}, {2, 2, 1}, ElementKind::kHex);
  const ElasticBody elastic(mesh, {{test::material_of(Law::kStvk)}, {}});
  Wind wind;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    bool top = true;
    for (const VertexId v : face.vertices) top = top && mesh.vertices[to_size(v)].z() > 0.09;
    if (top) wind.faces.push_back(face);
  }
  wind.velocity = {3.0, 0.0, -4.0};
  wind.drag = 1.2;
  const LoadForces loads({{"top", wind, {}}});
  VectorX v = VectorX::Zero(elastic.dof_count());
  VectorX f = VectorX::Zero(elastic.dof_count());
  loads.add_forces(0.0, LoadForces::Clock::kTime, elastic.rest_positions(), v, f);
  EXPECT_LT((resultant(f) - Vector3(0, 0, -0.5 * 1.225 * 1.2 * 16.0)).norm(), 1e-12);
  // velocity tangent
  SparseMatrix K = elastic.make_matrix();
  loads.add_tangent(0.0, LoadForces::Clock::kTime, elastic.rest_positions(), v, 1.0, K);
  const auto minus_force = [&](const VectorX& velocity) {
    VectorX g = VectorX::Zero(velocity.size());
    loads.add_forces(0.0, LoadForces::Clock::kTime, elastic.rest_positions(), velocity, g);
    return VectorX(-g);
  };
  const MatrixX fd = test::jacobian(minus_force, v, 1e-3);
  const MatrixX lower = K;
  EXPECT_LT(
      test::relative_error(lower + MatrixX(lower.triangularView<Eigen::StrictlyLower>()).transpose(), fd),
      1e-8);
}

TEST(Wind, GustsStayWithinTheirStrengthAndTravel) {
  Wind wind;
  wind.velocity = {10, 0, 0};
  wind.gust = 0.5;
  double low = 1e9;
  double high = -1e9;
  for (int i = 0; i < 2000; ++i) {
    const double t = 0.01 * i;
    const double w = wind.at({0, 0, 0}, t).x();
    low = std::min(low, w);
    high = std::max(high, w);
    EXPECT_NEAR(wind.at({5, 0, 0}, t + 0.5).x(), w, 1e-9);  // carried along at 10 m/s
  }
  EXPECT_GE(low, 5.0);
  EXPECT_LE(high, 15.0);
  EXPECT_GT(high - low, 3.0);
  wind.gust = 0.0;
  EXPECT_EQ(wind.at({1, 2, 3}, 4.0), wind.velocity);
}

}  // namespace
}  // namespace pliant
