// `blended` against `full`: the figures of docs/theory/blended.md.
#include "blended_case.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::BlendedCase;

double mass_norm(const ElasticBody& body, const VectorX& u) {
  VectorX momentum(u.size());
  body.apply_mass(u, momentum);
  return std::sqrt(u.dot(momentum));
}

VectorX static_shape(Model& model) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  EXPECT_TRUE(model.start(0.0, zero, zero).healthy());
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(model.step_static(i / 8.0, (i + 1) / 8.0).healthy());
  return model.displacements();
}

const VectorX& true_shape() {
  static const VectorX shape = [] {
    const BlendedCase body = test::blended_beam(test::seeded({0.5}), 9.81);
    return static_shape(*body.full(test::steps_by(Integrator::kStatic)));
  }();
  return shape;
}

/// Static error under its weight, in the mass norm.
double static_error(const BlendedSpec& spec) {
  const BlendedCase body = test::blended_beam(spec, 9.81);
  const VectorX reduced = static_shape(*body.blended(test::steps_by(Integrator::kStatic)));
  return mass_norm(*body.elastic, reduced - true_shape()) / mass_norm(*body.elastic, true_shape());
}

TEST(BlendedBeam, StaticErrorUnderItsWeight) {
  const double two = static_error(test::seeded({0.25, 0.75}));
  const double four = static_error(test::seeded({0.15, 0.4, 0.65, 0.9}));
  BlendedSpec affine = test::seeded({0.25, 0.75});
  affine.coordinates = {DomainCoordinates::kAffine};
  const double two_affine = static_error(affine);
  RecordProperty("two", std::to_string(two));
  RecordProperty("four", std::to_string(four));
  RecordProperty("affine", std::to_string(two_affine));
  EXPECT_LT(two, 0.06);
  EXPECT_LT(four, 0.025);
  EXPECT_GT(two_affine, 4.0 * two);
}

std::vector<double> frequencies(const Model& model, Index count) {
  return model.natural_frequencies(count).value().hz;
}

TEST(BlendedBeam, FrequenciesAreThoseOfASubspace) {
  const BlendedCase two = test::blended_beam(test::seeded({0.25, 0.75}), 0.0);
  const BlendedCase four = test::blended_beam(test::seeded({0.15, 0.4, 0.65, 0.9}), 0.0);
  const std::vector<double> truth = frequencies(*two.full({}), 5);
  const std::vector<double> coarse = frequencies(*two.blended({}), 5),
                            fine = frequencies(*four.blended({}), 5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_GE(coarse[i], truth[i] * (1.0 - 1e-9));
    EXPECT_GE(fine[i], truth[i] * (1.0 - 1e-9));
    EXPECT_LE(fine[i], coarse[i]);
  }
  EXPECT_LT(coarse[0] / truth[0], 1.04);
  EXPECT_LT(fine[0] / truth[0], 1.015);
}

/// Divided by their sum, many local domains do not lock.
TEST(BlendedBeam, ManyLocalDomainsDoNotLock) {
  std::vector<double> places;
  for (int i = 0; i < 10; ++i) places.push_back(0.05 + 0.1 * i);
  const BlendedCase body = test::blended_beam(test::seeded(places), 0.0);
  const std::vector<double> truth = frequencies(*body.full({}), 1);
  EXPECT_LT(frequencies(*body.blended({}), 1)[0] / truth[0], 1.015);
  EXPECT_LT(static_error(test::seeded(places)), 0.02);
}

struct Swing {
  double most = 0.0, rms = 0.0;  // of the tip's error over its peak
};

TEST(BlendedBeam, SwingsWithFull) {
  const BlendedCase two = test::blended_beam(test::seeded({0.25, 0.75}), 9.81);
  const BlendedCase four = test::blended_beam(test::seeded({0.125, 0.375, 0.625, 0.875}), 9.81);
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(two.full({}));
  models.push_back(two.blended({}));
  models.push_back(four.blended({}));
  for (const auto& model : models) EXPECT_TRUE(model->start(0.0, two.zero(), two.zero()).healthy());
  const VertexId tip = two.near({1.0, 0.1, 0.05});
  const double dt = 0.01;
  const int steps = test::kSanitized ? 10 : 100;
  std::vector<Swing> found(3);
  double peak = 0.0;
  for (int i = 0; i < steps; ++i) {
    for (const auto& model : models) EXPECT_TRUE(model->step(i * dt, dt).healthy());
    peak = std::max(peak, models[0]->displacement(tip).norm());
    for (std::size_t m = 1; m < 3; ++m) {
      const double error = (models[m]->displacement(tip) - models[0]->displacement(tip)).norm();
      found[m].most = std::max(found[m].most, error);
      found[m].rms += error * error / steps;
    }
  }
  EXPECT_TRUE(test::kSanitized || peak > 1.0) << peak;
  RecordProperty("two", std::to_string(found[1].most / peak));
  RecordProperty("four", std::to_string(found[2].most / peak));
  EXPECT_LT(found[1].most / peak, 0.15);
  EXPECT_LT(std::sqrt(found[1].rms) / peak, 0.07);
  EXPECT_LT(found[2].most / peak, 0.06);
  EXPECT_LT(std::sqrt(found[2].rms) / peak, 0.03);
}

/// One domain per vertex of a tiny body: the basis is complete, and the model is `full`.
TEST(BlendedBeam, ACompleteBasisIsFull) {
  VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {2, 1, 1}, ElementKind::kTet);
  const std::vector<Support> supports = test::clamped(mesh);
  BlendedSpec spec;
  for (const Vector3& x : mesh.vertices)
    if (x.x() > 1e-6) spec.seeds.push_back(x);
  spec.weights = WeightKind::kHarmonic;
  BlendedCase body(std::move(mesh), {{Material{}}, {}}, supports, spec);
  body.loads.gravity = Vector3(0.0, 0.0, -9.81);
  EXPECT_EQ(body.body->reduced->size(), 3 * 8);
  auto full = body.full({});
  auto blended = body.blended({});
  EXPECT_TRUE(full->start(0.0, body.zero(), body.zero()).healthy());
  EXPECT_TRUE(blended->start(0.0, body.zero(), body.zero()).healthy());
  const double dt = 0.005;
  for (int i = 0; i < 40; ++i) {
    EXPECT_TRUE(full->step(i * dt, dt).healthy());
    EXPECT_TRUE(blended->step(i * dt, dt).healthy());
  }
  EXPECT_GT(full->displacements().norm(), 0.01);
  EXPECT_LT((blended->displacements() - full->displacements()).norm(), 1e-7 * full->displacements().norm());
}

}  // namespace
}  // namespace pliant
