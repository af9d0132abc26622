// Bodies other than beams: frequencies and sag of `blended` beside `full`.
#include "blended_case.hpp"
#include "pliant/file/volume_file.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace pliant {
namespace {

using test::BlendedCase;

Material soft() {
  Material material;
  material.young = 1e5;
  material.poisson = 0.4;
  return material;
}

BlendedSpec automatic(Index domains) {
  BlendedSpec spec;
  spec.automatic = domains;
  return spec;
}

/// Largest error of the first frequencies; both models count their rigid modes alike.
double frequency_error(const BlendedCase& body, Index count) {
  const auto full = body.full({})->natural_frequencies(count).value();
  const auto blended = body.blended({})->natural_frequencies(count).value();
  EXPECT_EQ(full.rigid, blended.rigid);
  double worst = 0.0;
  for (std::size_t i = 0; i < full.hz.size(); ++i) {
    EXPECT_GE(blended.hz[i], full.hz[i] * (1.0 - 1e-8));
    worst = std::max(worst, blended.hz[i] / full.hz[i] - 1.0);
  }
  return worst;
}

TEST(BlendedBodies, FreeTorus) {
  const BlendedCase body(generate_torus({1.0, 0.3, 4, 24}, ElementKind::kTet), {{soft()}, {}}, {},
                         automatic(6));
  const auto full = body.full({})->natural_frequencies(1).value();
  const auto blended = body.blended({})->natural_frequencies(1).value();
  EXPECT_EQ(blended.rigid, 6);
  RecordProperty("seventh", std::to_string(blended.hz[0] / full.hz[0]));
  EXPECT_GE(blended.hz[0], full.hz[0] * (1.0 - 1e-8));
  EXPECT_LT(blended.hz[0], full.hz[0] * 1.05);
}

/// A scan held at an end, in six automatic domains.
struct Scan {
  Scan(const std::filesystem::path& file, Index axis, Index modes) : body(make(file, axis, modes)) {}

  static BlendedCase make(const std::filesystem::path& file, Index axis, Index modes) {
    Result<VolumeFile> read = read_volume_file(file);
    EXPECT_TRUE(read) << to_string(read.error());
    VolumeMesh mesh = std::move(read.value().mesh);
    double low = 1e300, high = -1e300;
    for (const Vector3& x : mesh.vertices) {
      low = std::min(low, x[axis]);
      high = std::max(high, x[axis]);
    }
    Support support{"end", {}, {}};
    for (VertexId v = 0; v < mesh.vertex_count(); ++v)
      if (mesh.vertices[to_size(v)][axis] < low + 0.15 * (high - low)) support.vertices.push_back(v);
    Material material = soft();
    material.young = 1e6;
    BlendedSpec spec = automatic(6);
    spec.modes = modes;
    return BlendedCase(std::move(mesh), {{material}, {}}, {support}, spec);
  }

  /// Of the static shape under a pull along a direction, in the norm of all vertices.
  [[nodiscard]] double sag_error(const Vector3& gravity) {
    body.loads.gravity = gravity;
    VectorX shapes[2];
    for (const bool reduced : {false, true}) {
      const auto model = reduced ? body.blended(test::steps_by(Integrator::kStatic))
                                 : body.full(test::steps_by(Integrator::kStatic));
      EXPECT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
      EXPECT_TRUE(model->step_static(0.0, 1.0).healthy());
      shapes[reduced ? 1 : 0] = model->displacements();
    }
    return (shapes[1] - shapes[0]).norm() / shapes[0].norm();
  }

  BlendedCase body;
};

/// Polynomials over six domains follow an octopus as a whole. Its eight arms also swing one by one: these
/// modes are coordinates of their own, and so is its shape under its own weight (docs/theory/blended.md).
TEST(BlendedBodies, Octopus) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto file = shared / "meshes/derived-tet/octopus_tets.mesh";
  Scan bare(file, 2, 0), helped(file, 2, 6);
  EXPECT_EQ(bare.body.body->reduced->size(), 180);
  EXPECT_EQ(helped.body.body->reduced->size(), 189);
  EXPECT_LT(frequency_error(bare.body, 2), 0.1);
  EXPECT_GT(frequency_error(bare.body, 6), 0.5);  // why modes are needed
  EXPECT_LT(frequency_error(helped.body, 6), 0.001);
  const Vector3 pull = Vector3(0.3, -1.0, 0.4);
  EXPECT_GT(bare.sag_error(pull), 0.05);
  EXPECT_LT(helped.sag_error(pull), 0.01);
}

TEST(BlendedBodies, Hand) {
  if (std::getenv("PLIANT_LONG_TESTS") == nullptr) GTEST_SKIP() << "takes long: ./dev test --long";
  PLIANT_SHARED_OR_SKIP(shared);
  Scan hand(shared / "meshes/derived-tet/hand_tets.msh", 0, 6);
  const double frequencies = frequency_error(hand.body, 6);
  const double sag = hand.sag_error(Vector3(0.0, -1.0, 0.0));
  RecordProperty("sag", std::to_string(sag));
  EXPECT_LT(frequencies, 0.001);
  EXPECT_LT(sag, 0.05);
}

}  // namespace
}  // namespace pliant
