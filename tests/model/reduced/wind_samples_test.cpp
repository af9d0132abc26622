#include "pliant/model/reduced/wind_samples.hpp"

#include "model/modal/bodies.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/rotation.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

Vector3 random_vector(Rng& rng) { return {rng.normal(), rng.normal(), rng.normal()}; }

/// What the wind does to a reduced body: forces on its coordinates and on its frame.
struct Effect {
  VectorX force;
  Vector6 wrench = Vector6::Zero();
};

/// Where a body is and how it moves.
struct State {
  RigidFrame frame;
  VectorX q, qd;
  double time = 0.0;
};

constexpr std::array<Index, 3> kCells{16, 4, 2};

struct Sampled {
  test::Pair pair = test::beam(kCells, Vector3::Zero(), 4, 8);
  std::vector<WeightedTriangle> faces = weighted_triangles(boundary_faces(pair.elastic->mesh()));

  [[nodiscard]] const std::vector<Vector3>& vertices() const { return pair.elastic->mesh().vertices; }
  [[nodiscard]] const ReducedBody& body() const { return *pair.reduced; }
  [[nodiscard]] WindSamples all() const { return {faces, vertices(), body()}; }
  [[nodiscard]] std::optional<WindSamples> fit(double tolerance) const {
    return WindSamples::fit(faces, vertices(), body(), tolerance);
  }

  /// Tips move by up to 0.3 of the length, at up to a third of the wind; the frame has a scale.
  [[nodiscard]] State random_state(Rng& rng, double scale = 1.0) const {
    State state;
    state.frame.rotation = scale * rotation_from_vector(3.0 * random_vector(rng));
    state.frame.position = random_vector(rng);
    state.frame.twist << random_vector(rng), random_vector(rng);
    state.q.resize(body().size());
    state.qd.resize(body().size());
    for (Index l = 0; l < state.q.size(); ++l) {
      state.q[l] = rng.normal() * body().basis.strength[l];
      state.qd[l] = rng.normal() * body().basis.strength[l];
    }
    const MatrixX& U = body().basis.shapes;
    state.q *= 0.3 * rng.uniform() / (U * state.q).cwiseAbs().maxCoeff();
    state.qd *= 3.0 * rng.uniform() / (U * state.qd).cwiseAbs().maxCoeff();
    state.time = rng.uniform(0.0, 10.0);
    return state;
  }

  /// By the law itself, face by face in the world.
  [[nodiscard]] Effect exact(const Wind& wind, const State& state) const {
    const MatrixX& U = body().basis.shapes;
    const VectorX shape = U * state.q, rate = U * state.qd;
    VectorX x(shape.size()), v(shape.size()), f = VectorX::Zero(shape.size()), y(shape.size());
    const Vector3 drift = state.frame.twist.head<3>(), spin = state.frame.twist.tail<3>();
    for (Index i = 0; i < x.size(); i += 3) {
      const Vector3 place = vertices()[to_size(i / 3)] - body().origin + shape.segment<3>(i);
      y.segment<3>(i) = place;
      x.segment<3>(i) = state.frame.position + state.frame.rotation * place;
      v.segment<3>(i) = state.frame.rotation * (drift + spin.cross(place) + rate.segment<3>(i));
    }
    LoadForces({{"wind", wind, {}}}).add_forces(state.time, LoadForces::Clock::kTime, x, v, f);
    Effect effect;
    for (Index i = 0; i < x.size(); i += 3) {
      const Vector3 own = state.frame.rotation.transpose() * f.segment<3>(i);
      f.segment<3>(i) = own;
      effect.wrench.head<3>() += own;
      effect.wrench.tail<3>() += Vector3(y.segment<3>(i)).cross(own);
    }
    effect.force = U.transpose() * f;
    return effect;
  }
};

Effect effect_of(const WindSamples& samples, const Wind& wind, const State& state) {
  Effect effect;
  effect.force = VectorX::Zero(state.q.size());
  const Gusts gusts(wind);
  samples.add_forces({wind, gusts, 1.0, state.time}, state.frame, state.q, state.qd, effect.force,
                     effect.wrench);
  return effect;
}

Wind gusty(const Sampled& body) {
  Wind wind;
  wind.faces = boundary_faces(body.pair.elastic->mesh());
  wind.velocity = {9.0, 3.0, -2.0};
  wind.gust = 0.6;
  wind.gust_period = 1.5;
  return wind;
}

TEST(WindSamples, AllFacesGiveTheLawItselfAtAnyScale) {
  const Sampled body;
  const WindSamples all = body.all();
  Rng rng(1);
  for (const double scale : {1.0, 0.4}) {
    for (int i = 0; i < 5; ++i) {
      Wind wind = gusty(body);
      wind.gust = 0.0;
      const State state = body.random_state(rng, scale);
      const Effect exact = body.exact(wind, state), sampled = effect_of(all, wind, state);
      EXPECT_LT((sampled.force - exact.force).norm(), 1e-12 * exact.force.norm());
      EXPECT_LT((sampled.wrench - exact.wrench).norm(), 1e-12 * exact.wrench.norm());
      // gusts slow enough that a parabola stands for them: what it leaves out is the next term of the series,
      // (ωτ)³/6 < 0.021 of the fastest gust, which is a tenth of all, and counts twice in the square of speed
      wind.gust = 0.6;
      const Effect gusts = body.exact(wind, state), expanded = effect_of(all, wind, state);
      EXPECT_LT((expanded.force - gusts.force).norm(), 2.0 * 0.021 * 0.11 * gusts.force.norm());
      // gusts that are shorter than the body are evaluated at each face
      wind.gust_period = 0.01;
      const Effect quick = body.exact(wind, state), each = effect_of(all, wind, state);
      EXPECT_LT((each.force - quick.force).norm(), 1e-10 * quick.force.norm());
    }
  }
}

TEST(WindSamples, KeepTheirToleranceInStatesThatWereNotFitted) {
  const Sampled body;
  for (const double tolerance : {0.05, 0.01}) {
    const std::optional<WindSamples> samples = body.fit(tolerance);
    ASSERT_TRUE(samples);
    EXPECT_LE(samples->error(), tolerance);
    EXPECT_LT(samples->count(), std::ssize(body.faces) / 4);
    const Wind wind = gusty(body);
    Rng rng(2);
    Vector3 miss = Vector3::Zero(), whole = Vector3::Zero();
    for (int i = 0; i < 200; ++i) {
      const State state = body.random_state(rng);
      const Effect exact = body.exact(wind, state), sampled = effect_of(*samples, wind, state);
      const Vector6 apart = sampled.wrench - exact.wrench;
      miss += Vector3((sampled.force - exact.force).squaredNorm(), apart.head<3>().squaredNorm(),
                      apart.tail<3>().squaredNorm());
      whole += Vector3(exact.force.squaredNorm(), exact.wrench.head<3>().squaredNorm(),
                       exact.wrench.tail<3>().squaredNorm());
    }
    // half as much again: these states come from another distribution than those that judged the fit
    for (Index part = 0; part < 3; ++part)
      EXPECT_LT(std::sqrt(miss[part] / whole[part]), 1.5 * tolerance) << part;
  }
}

TEST(WindSamples, PushARigidBoxRightly) {
  const Sampled body;
  const std::optional<WindSamples> samples = body.fit(0.05);
  ASSERT_TRUE(samples);
  State state;
  state.q = state.qd = VectorX::Zero(body.body().size());
  Rng rng(3);
  for (int i = 0; i < 20; ++i) {
    Wind wind = gusty(body);
    wind.gust = 0.0;
    wind.velocity = random_vector(rng);
    const Vector3 exact = body.exact(wind, state).wrench.head<3>();
    const Vector3 sampled = effect_of(*samples, wind, state).wrench.head<3>();
    // moments of the normals of degree 4 settle the areas of a box's three directions. They are rows of the
    // fit of weight 30 beside the others, so they hold better than these (0.05) by 30²
    EXPECT_LT((sampled - exact).norm(), 2.0 * 0.05 / 900.0 * exact.norm());
  }
}

TEST(WindSamples, OnlyDampInStillAir) {
  const Sampled body;
  const std::optional<WindSamples> samples = body.fit(0.05);
  ASSERT_TRUE(samples);
  Wind still = gusty(body);
  still.velocity.setZero();
  Rng rng(4);
  for (int i = 0; i < 50; ++i) {
    const State state = body.random_state(rng);
    const Effect drag = effect_of(*samples, still, state);
    EXPECT_LT(drag.force.dot(state.qd) + drag.wrench.dot(state.frame.twist), 0.0);
  }
}

TEST(WindSamples, TangentIsTheDerivativeByTheRates) {
  const Sampled body;
  const std::optional<WindSamples> samples = body.fit(0.05);
  ASSERT_TRUE(samples);
  const Wind wind = gusty(body);
  const Gusts gusts(wind);
  Rng rng(5);
  State state = body.random_state(rng, 0.7);
  const Index r = state.q.size();
  VectorX normals = VectorX::Zero(4 * samples->size()), force = VectorX::Zero(r);
  Vector6 wrench;
  samples->add_forces({wind, gusts, 1.0, state.time}, state.frame, state.q, state.qd, force, wrench,
                      normals.data());
  MatrixX K = MatrixX::Zero(r, r), differences(r, r);
  samples->add_tangent(normals.data(), 2.0, K);
  const State middle = state;
  for (Index l = 0; l < r; ++l) {
    const double h = 1e-4;
    state = middle;
    state.qd[l] += h;
    differences.col(l) = effect_of(*samples, wind, state).force;
    state.qd[l] -= 2.0 * h;
    differences.col(l) -= effect_of(*samples, wind, state).force;
    differences.col(l) *= -2.0 / (2.0 * h);
  }
  EXPECT_LT((K - differences).norm(), 1e-6 * K.norm());
}

TEST(WindSamples, AreNotTakenWhereTheyWouldNotPay) {
  const Sampled body;
  EXPECT_FALSE(body.fit(0.0));    // every face was asked for
  EXPECT_FALSE(body.fit(1e-12));  // no half of the faces can do that
  Sampled small;
  small.faces.resize(4 * to_size(small.body().size() + 6) - 1);
  EXPECT_FALSE(small.fit(0.05));
}

TEST(WindSamples, AreTheSameEachTimeAndAllocateNothing) {
  const Sampled body;
  const std::optional<WindSamples> one = body.fit(0.02), other = body.fit(0.02);
  ASSERT_TRUE(one && other);
  const Wind wind = gusty(body);
  const Gusts gusts(wind);
  Rng rng(6);
  const State state = body.random_state(rng);
  EXPECT_EQ(effect_of(*one, wind, state).force, effect_of(*other, wind, state).force);
  if (!test::counts_allocations()) GTEST_SKIP() << "the heap belongs to a sanitizer";
  VectorX force = VectorX::Zero(state.q.size());
  Vector6 wrench = Vector6::Zero();
  const std::size_t before = test::allocation_count();
  one->add_forces({wind, gusts, 1.0, 0.0}, state.frame, state.q, state.qd, force, wrench);
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace pliant
