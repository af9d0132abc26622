// `modal` in few coordinates against `full`: the figures that the method is known by.
#include "model/modal/bodies.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::Pair;

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

double static_error(double gravity, Index linear_modes, Index modes) {
  const Pair pair = test::beam({20, 5, 4}, {0.0, 0.0, -gravity}, linear_modes, modes);
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  const VectorX truth = static_shape(*pair.full(settings));
  const VectorX reduced = static_shape(*pair.modal(settings));
  EXPECT_GT(truth.cwiseAbs().maxCoeff(), gravity > 5.0 ? 0.6 : 0.25);  // m, of a beam of 1 m
  return mass_norm(*pair.elastic, reduced - truth) / mass_norm(*pair.elastic, truth);
}

TEST(ModalBeam, StaticErrorUnderItsWeight) {
  EXPECT_LT(static_error(9.81, 10, 20), 0.007);
  EXPECT_LT(static_error(9.81, 10, 30), 0.005);
  EXPECT_LT(static_error(3.0, 10, 20), 0.001);
  EXPECT_GT(static_error(9.81, 5, 20), 0.01);  // fewer modes to start from are worse
}

struct Swing {
  double error;  // RMS of the tip over its peak
  double drift;  // of the reduced model's energy
};

Swing swing(double gravity) {
  const Pair pair = test::beam({24, 4, 3}, {0.0, 0.0, -gravity}, 10, 20);
  auto full = pair.full({});
  auto modal = pair.modal({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  EXPECT_TRUE(full->start(0.0, zero, zero).healthy());
  EXPECT_TRUE(modal->start(0.0, zero, zero).healthy());
  const auto tip = static_cast<VertexId>(pair.elastic->mesh().vertex_count() - 1);
  const double dt = 1.0 / 240.0;
  const int steps = test::kSanitized ? 48 : 480;
  double squares = 0.0, peak = 0.0, drift = 0.0, kinetic = 0.0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(full->step(i * dt, dt).healthy());
    EXPECT_TRUE(modal->step(i * dt, dt).healthy());
    squares += (modal->displacement(tip) - full->displacement(tip)).squaredNorm();
    peak = std::max(peak, full->displacement(tip).norm());
    const Energies e = modal->energies();
    drift = std::max(drift, std::abs(e.kinetic + e.strain + e.potential));
    kinetic = std::max(kinetic, e.kinetic);
  }
  EXPECT_TRUE(test::kSanitized || peak > 0.3) << peak;
  return {std::sqrt(squares / steps) / peak, drift / kinetic};
}

TEST(ModalBeam, SwingsWithFullUnderModerateGravity) {
  const Swing s = swing(3.0);
  EXPECT_LT(s.error, 0.005);
  EXPECT_LT(s.drift, 1e-3);
  RecordProperty("rms", std::to_string(s.error));
  RecordProperty("drift", std::to_string(s.drift));
}

TEST(ModalBeam, SwingsWithFullUnderEarthsGravity) {
  const Swing s = swing(9.81);
  EXPECT_LT(s.error, 0.06);
  EXPECT_LT(s.drift, 1e-3);
  RecordProperty("rms", std::to_string(s.error));
  RecordProperty("drift", std::to_string(s.drift));
}

TEST(ModalBeam, FrequenciesAreThoseOfFull) {
  const Pair pair = test::beam({20, 5, 4}, Vector3::Zero(), 10, 30);
  const auto full = pair.full({})->natural_frequencies(4).value();
  const auto modal = pair.modal({})->natural_frequencies(4).value();
  EXPECT_EQ(modal.rigid, 0);
  // the PCA may turn the modes slightly, so that they are no longer in the space exactly
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(modal.hz[i] / full.hz[i], 1.0, 1e-3) << i;
}

TEST(ModalBeam, OtherLawsRunByExactProjection) {
  for (const Law law : {Law::kCorotational, Law::kNeoHookean, Law::kStableNeoHookean}) {
    Pair pair;
    Material material;
    material.law = law;
    pair.elastic = std::make_shared<ElasticBody>(generate_box({1.0, 0.2, 0.1}, {10, 2, 2}, ElementKind::kTet),
                                                 MaterialMap{{material}, {}});
    pair.supports = {
        {"root",
         test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-6; }),
         {}}};
    pair.loads.gravity = {0.0, 0.0, -5.0};
    test::reduce(pair, BasisSettings{});
    EXPECT_FALSE(pair.reduced->forms.has_value());
    StepSettings settings;
    settings.integrator = Integrator::kStatic;
    const VectorX truth = static_shape(*pair.full(settings));
    const VectorX reduced = static_shape(*pair.modal(settings));
    EXPECT_LT(mass_norm(*pair.elastic, reduced - truth) / mass_norm(*pair.elastic, truth), 0.02);
  }
}

TEST(ModalBeam, ExactProjectionAndPolynomialGoTheSameWay) {
  const Pair pair = test::beam({10, 2, 2}, {0.0, 0.0, -9.81}, 5, 12);
  auto polynomial = pair.modal({});
  auto exact = pair.modal({}, Storage::kDouble, true);
  auto single = pair.modal({}, Storage::kFloat);
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  for (Model* model : {polynomial.get(), exact.get(), single.get()}) {
    ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
    for (int i = 0; i < 48; ++i) ASSERT_TRUE(model->step(i / 240.0, 1.0 / 240.0).healthy());
  }
  EXPECT_LT(test::relative_error(exact->displacements(), polynomial->displacements()), 1e-7);
  EXPECT_LT(test::relative_error(single->displacements(), polynomial->displacements()), 1e-3);
  EXPECT_NEAR(exact->von_mises().maxCoeff(), polynomial->von_mises().maxCoeff(),
              1e-6 * exact->von_mises().maxCoeff());
}

}  // namespace
}  // namespace pliant
