// Bodies other than beams: frequencies and sag of `blended` beside `full`.
#include "blended_case.hpp"
#include "pliant/file/volume_file.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// A scan, held where z is smallest.
void compare(const std::filesystem::path& file, double part, double young, double& frequencies, double& sag) {
  Result<VolumeFile> read = read_volume_file(file);
  ASSERT_TRUE(read) << to_string(read.error());
  VolumeMesh mesh = std::move(read.value().mesh);
  double low = 1e300, high = -1e300;
  for (const Vector3& x : mesh.vertices) {
    low = std::min(low, x.z());
    high = std::max(high, x.z());
  }
  Support support{"end", {}, {}};
  for (VertexId v = 0; v < mesh.vertex_count(); ++v)
    if (mesh.vertices[to_size(v)].z() < low + part * (high - low)) support.vertices.push_back(v);
  Material material = soft();
  material.young = young;
  BlendedCase body(std::move(mesh), {{material}, {}}, {support}, automatic(6));
  frequencies = frequency_error(body, 2);
  body.loads.gravity = Vector3(0.0, -1.0, 0.0);
  VectorX shapes[2];
  for (const bool reduced : {false, true}) {
    const auto model = reduced ? body.blended(test::steps_by(Integrator::kStatic))
                               : body.full(test::steps_by(Integrator::kStatic));
    ASSERT_TRUE(model->start(0.0, body.zero(), body.zero()).healthy());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(model->step_static(i / 4.0, (i + 1) / 4.0).healthy());
    shapes[reduced ? 1 : 0] = model->displacements();
  }
  sag = (shapes[1] - shapes[0]).norm() / shapes[0].norm();
}

/// Six domains show how an octopus sags and sways as a whole. Each of its eight arms also swings by itself,
/// which takes as many domains as there are arms (docs/theory/blended.md).
TEST(BlendedBodies, Octopus) {
  PLIANT_SHARED_OR_SKIP(shared);
  double frequencies = 1.0, sag = 1.0;
  compare(shared / "meshes/derived-tet/octopus_tets.mesh", 0.15, 1e6, frequencies, sag);
  RecordProperty("frequencies", std::to_string(frequencies));
  RecordProperty("sag", std::to_string(sag));
  EXPECT_LT(frequencies, 0.1);
  EXPECT_LT(sag, 0.15);
}

}  // namespace
}  // namespace pliant
