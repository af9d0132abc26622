// A slender cantilever (L/h = 20, ν = 0, hex8) against Timoshenko's beam.
#include "fem/bodies.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/sim/world.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kLength = 1.0;
constexpr double kHeight = 0.05;
constexpr double kYoung = 1e7;
constexpr double kDensity = 1000.0;
constexpr double kArea = kHeight * kHeight;
constexpr double kInertia = kHeight * kHeight * kHeight * kHeight / 12.0;
constexpr double kShear = kYoung / 2.0;     // ν = 0
constexpr double kShearFactor = 5.0 / 6.0;  // rectangle

/// Trilinear hexes lock in bending by about (length/height of the element)²: 160 × 4 × 4 keeps that below 1
/// %.
BodyDefinition beam(Law law) {
  BodyDefinition definition;
  VolumeMesh mesh = generate_box({kLength, kHeight, kHeight}, {160, 4, 4}, ElementKind::kHex);
  Support clamp{"x = 0", {}, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].x() == 0.0) clamp.vertices.push_back(static_cast<VertexId>(v));
  Material material;
  material.law = law;
  material.young = kYoung;
  material.poisson = 0.0;
  material.density = kDensity;
  definition.elastic = std::make_shared<ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
  definition.supports.push_back(clamp);
  return definition;
}

TEST(BeamTheory, TipDeflectionUnderAnEndForce) {
  BodyDefinition definition = beam(Law::kLinear);
  VertexForce end;
  const VolumeMesh& mesh = definition.elastic->mesh();
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].x() > kLength - 1e-9) end.vertices.push_back(static_cast<VertexId>(v));
  end.shares.assign(end.vertices.size(), 1.0 / static_cast<double>(end.vertices.size()));
  const double force = 0.01;
  end.force = {0, 0, -force};
  const VertexId tip = end.vertices[end.vertices.size() / 2];
  definition.loads.loads.push_back({"end", end, {}});
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  auto model = make_full_model(std::move(definition), settings).value();
  const VectorX zero = VectorX::Zero(3 * model->mesh().vertex_count());
  ASSERT_TRUE(model->start(0.0, zero, zero).healthy());
  ASSERT_TRUE(model->step_static(0.0, 1.0).healthy());
  const double expected = force * kLength * kLength * kLength / (3.0 * kYoung * kInertia) +
                          force * kLength / (kShearFactor * kShear * kArea);
  EXPECT_NEAR(-model->displacements()[3 * tip + 2], expected, 0.01 * expected);
  EXPECT_LT((model->reactions()[0].force - Vector3(0, 0, force)).norm(), 1e-9 * force * 1e3);
  // the clamp's moment about its centroid balances the end force
  EXPECT_NEAR(model->reactions()[0].moment.y(), -force * kLength, 1e-6 * force);
}

TEST(BeamTheory, FirstFrequency) {
  auto model = make_full_model(beam(Law::kStvk), {}).value();
  const auto modes = model->natural_frequencies(3);
  ASSERT_TRUE(modes.ok());
  // Euler–Bernoulli's first root, lowered by shear and rotary inertia to first order in (h/L)².
  const double beta = 1.8751040687;
  const double euler =
      beta * beta / (2.0 * std::numbers::pi) * std::sqrt(kYoung * kInertia / (kDensity * kArea));
  // Rayleigh's quotient with the exact Euler shape w: stiffness in series with shear, mass with rotation.
  const double sigma = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  double w2 = 0.0;
  double slope2 = 0.0;
  double bend2 = 0.0;
  double shear2 = 0.0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double z = beta * (i + 0.5) / n;
    const double w = std::cosh(z) - std::cos(z) - sigma * (std::sinh(z) - std::sin(z));
    const double d1 = beta * (std::sinh(z) + std::sin(z) - sigma * (std::cosh(z) - std::cos(z)));
    const double d2 = beta * beta * (std::cosh(z) + std::cos(z) - sigma * (std::sinh(z) + std::sin(z)));
    const double d3 =
        beta * beta * beta * (std::sinh(z) - std::sin(z) - sigma * (std::cosh(z) + std::cos(z)));
    w2 += w * w / n;
    slope2 += d1 * d1 / n;
    bend2 += d2 * d2 / n;
    shear2 += d3 * d3 / n;
  }
  const double r2 = kInertia / kArea;  // L = 1
  const double shear_ratio = kYoung * kInertia / (kShearFactor * kShear * kArea);
  // complementary energy adds the shear compliance, mass the rotary inertia (first order in both)
  const double omega2 = (kYoung * kInertia / (kDensity * kArea)) * bend2 / (w2 + r2 * slope2) /
                        (1.0 + shear_ratio * shear2 / bend2);
  const double timoshenko = std::sqrt(omega2) / (2.0 * std::numbers::pi);
  ASSERT_LT(timoshenko, euler);
  ASSERT_GT(timoshenko, 0.98 * euler);
  EXPECT_NEAR(modes.value().hz[0], timoshenko, 0.01 * timoshenko);
  EXPECT_NEAR(modes.value().hz[1], modes.value().hz[0], 1e-6 * timoshenko);  // square section: two equal ones
}

}  // namespace
}  // namespace pliant
