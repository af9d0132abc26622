// tests/support/point_laws.hpp — laws of the forces on one point, and what every model owes them.
#pragma once

#include "pliant/model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant::test {

/// The same force on a point wherever it is.
class DeadForce final : public PointLaw {
 public:
  explicit DeadForce(const Vector3& force) : force_(force) {}
  void act(double /*rate*/, PointTerms& points) override {
    points.force[0] = force_;
    points.stiffness[0].setZero();
  }

 private:
  Vector3 force_;
};

/// A spring to a place that stands still.
class Spring final : public PointLaw {
 public:
  Spring(double stiffness, const Vector3& end) : stiffness_(stiffness), end_(end) {}
  void act(double /*rate*/, PointTerms& points) override {
    points.force[0] = stiffness_ * (end_ - points.place[0]);
    points.stiffness[0] = stiffness_ * Matrix3::Identity();
  }

 private:
  double stiffness_;
  Vector3 end_;
};

/// Holds one vertex of a model.
inline void hold(Model& model, VertexId vertex) {
  const Vector3 rest = model.mesh().vertices[to_size(vertex)];
  ASSERT_TRUE(model.set_points({{rest, {{vertex, 1.0}}}}).ok());
}

/// J S⁻¹ Jᵀ of a vertex over a step from `time` on.
inline Matrix3 response(Model& model, double time, double dt) {
  Matrix3 W = Matrix3::Zero();
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3 force = Vector3::Unit(axis);
    Vector3 move = Vector3::Zero();
    EXPECT_TRUE(model.respond(time, dt, {&force, 1}, {&move, 1}));
    W.col(axis) = move;
  }
  return W;
}

/// The response against finite differences of the step itself: relative error. The state stays as it is.
inline double response_error(Model& model, VertexId vertex, double time, double dt, double size) {
  hold(model, vertex);
  const Matrix3 W = response(model, time, dt);
  const StateArrays kept = model.save();
  Matrix3 truth;
  const double push = 1e-5 * size / W.norm();
  for (Index axis = 0; axis < 3; ++axis) {
    std::array<Vector3, 2> x;
    for (const int side : {0, 1}) {
      DeadForce law((side == 0 ? -push : push) * Vector3::Unit(axis));
      EXPECT_TRUE(model.step(time, dt, &law).healthy());
      x[to_size(Index{side})] = model.displacement(vertex);
      EXPECT_TRUE(model.restore(kept).ok());
    }
    truth.col(axis) = (x[1] - x[0]) / (2.0 * push);
  }
  return (W - truth).norm() / truth.norm();
}

/// A spring inside the solve against its own force as a dead one: the largest difference of the places of all
/// vertices, over the way that the spring has pulled its own. The state stays as it is.
inline double spring_error(Model& model, VertexId vertex, double time, double dt, double stiffness,
                           const Vector3& pull) {
  hold(model, vertex);
  const StateArrays kept = model.save();
  EXPECT_TRUE(model.step(time, dt).healthy());
  const Vector3 rest = model.mesh().vertices[to_size(vertex)];
  const Vector3 alone = model.displacement(vertex);
  EXPECT_TRUE(model.restore(kept).ok());
  Spring spring(stiffness, rest + alone + pull);
  const StepReport report = model.step(time, dt, &spring);
  EXPECT_TRUE(report.healthy()) << describe(report.trouble) << " with " << stiffness << " N/m";
  const VectorX pulled = model.displacements();
  const double way = (model.displacement(vertex) - alone).norm();
  EXPECT_TRUE(model.restore(kept).ok());
  DeadForce dead(spring.terms.force[0]);
  EXPECT_TRUE(model.step(time, dt, &dead).healthy());
  const double error = (model.displacements() - pulled).cwiseAbs().maxCoeff();
  EXPECT_TRUE(model.restore(kept).ok());
  return error / way;
}

}  // namespace pliant::test
