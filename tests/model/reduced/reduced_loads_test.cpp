#include "pliant/model/reduced/reduced_loads.hpp"

#include "model/modal/bodies.hpp"
#include "pliant/base/parallel.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Windy {
  test::Pair pair = test::beam({16, 4, 2}, Vector3::Zero(), 4, 8);
  Wind wind;

  Windy() {
    wind.faces = boundary_faces(pair.elastic->mesh());
    wind.velocity = {2.0, 8.0, 1.0};
    wind.gust = 0.5;
  }
  [[nodiscard]] const std::vector<Vector3>& vertices() const { return pair.elastic->mesh().vertices; }
  [[nodiscard]] std::vector<Load> loads() const {
    return {{"wind", wind, {{0.0, 1.0}, {0.0, 1.0}}}, {"tip", VertexForce{{3}, {1.0}, {0.0, 0.0, 2.0}}, {}}};
  }
};

TEST(LoadPlans, AreSharedByCopiesWithTheSameLoads) {
  Windy body;
  LoadPlans plans;
  const auto first = plans.plan(body.loads(), body.vertices(), *body.pair.reduced);
  EXPECT_EQ(first->winds.size(), 1U);
  EXPECT_EQ(first->touched, std::vector<VertexId>{3});             // of the rest only what the force needs
  for (BoundaryFace& face : body.wind.faces) face.element += 100;  // a copy has other elements in the body
  EXPECT_EQ(plans.plan(body.loads(), body.vertices(), *body.pair.reduced), first);
  const ReducedBody other = *body.pair.reduced;
  EXPECT_NE(plans.plan(body.loads(), body.vertices(), other), first);
  body.wind.faces.pop_back();
  EXPECT_NE(plans.plan(body.loads(), body.vertices(), *body.pair.reduced), first);
}

TEST(LoadPlans, LeaveWindsWithoutToleranceExact) {
  Windy body;
  body.wind.tolerance = 0.0;
  LoadPlans plans;
  const auto plan = plans.plan(body.loads(), body.vertices(), *body.pair.reduced);
  EXPECT_TRUE(plan->winds.empty());
  ReducedLoads shared(plan);
  ReducedLoads own(body.loads(), body.vertices(), *body.pair.reduced);
  const VectorX q = VectorX::Constant(own.plan().shapes.cols(), 0.02);
  VectorX f = VectorX::Zero(q.size()), g = f;
  Vector6 w = Vector6::Zero(), v = w;
  shared.add_forces(0.7, LoadForces::Clock::kTime, {}, q, q, f, w);
  own.add_forces(0.7, LoadForces::Clock::kTime, {}, q, q, g, v);
  EXPECT_GT(f.norm(), 0.0);
  EXPECT_EQ(f, g);
  EXPECT_EQ(w, v);
}

TEST(ReducedLoads, OfCopiesAreTheSameWithOneThreadAndTwo) {
  const Windy body;
  LoadPlans plans;
  const auto plan = plans.plan(body.loads(), body.vertices(), *body.pair.reduced);
  const Index copies = 40, r = body.pair.reduced->size();
  MatrixX forces[2];
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    MatrixX& f = forces[threads - 1];
    f = MatrixX::Zero(r, copies);
    parallel_blocks(copies, 4, [&](Index, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        ReducedLoads loads(plan);
        RigidFrame frame;
        frame.position.x() = 0.1 * static_cast<double>(i);
        Vector6 wrench = Vector6::Zero();
        const VectorX q = VectorX::Constant(r, 0.001 * static_cast<double>(i));
        loads.add_forces(0.7, LoadForces::Clock::kTime, frame, q, q, f.col(i), wrench);
      }
    });
  }
  EXPECT_GT(forces[0].norm(), 0.0);
  EXPECT_EQ(forces[0], forces[1]);
}

}  // namespace
}  // namespace pliant
