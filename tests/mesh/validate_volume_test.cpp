#include "pliant/mesh/core/validate_volume.hpp"

#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

VolumeMesh box(ElementKind kind) { return generate_box({1, 1, 1}, {2, 1, 1}, kind); }

Result<Validation> validate(VolumeMesh& mesh) { return validate_volume(mesh, default_location(mesh)); }

void expect_error(VolumeMesh mesh, ErrorCode code, const char* key) {
  const auto result = validate(mesh);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(static_cast<int>(result.error().code), static_cast<int>(code)) << to_string(result.error());
  EXPECT_EQ(result.error().where.key, key);
}

TEST(ValidateVolume, ABoxHasNothingToSay) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    VolumeMesh mesh = box(kind);
    const auto result = validate(mesh);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result.value().notes.empty());
    EXPECT_EQ(result.value().reoriented, 0);
  }
}

TEST(ValidateVolume, InvertedElementsAreTurnedAndCounted) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    VolumeMesh mesh = box(kind);
    for (Tet& tet : mesh.tets) std::swap(tet[0], tet[1]);
    if (!mesh.hexes.empty()) {  // a mirrored hex, listed bottom up
      Hex& h = mesh.hexes[1];
      h = {h[3], h[2], h[1], h[0], h[7], h[6], h[5], h[4]};
    }
    const double before = measure(mesh).volume;
    const auto result = validate(mesh);
    ASSERT_TRUE(result.ok()) << to_string(result.error());
    EXPECT_EQ(result.value().reoriented, kind == ElementKind::kTet ? 12 : 1);
    EXPECT_EQ(result.value().notes.size(), 1U);
    EXPECT_LT(before, 0.5);
    EXPECT_NEAR(measure(mesh).volume, 1.0, 1e-14);
    EXPECT_EQ(measure(mesh).inverted, 0);
  }
}

TEST(ValidateVolume, ErrorsNameTheFirstPart) {
  const VolumeMesh tets = box(ElementKind::kTet);
  const VolumeMesh hexes = box(ElementKind::kHex);
  expect_error({}, ErrorCode::kMissing, "");
  VolumeMesh mesh = tets;
  mesh.tets.clear();
  mesh.tet_labels.clear();
  expect_error(mesh, ErrorCode::kMissing, "");
  mesh = tets;
  mesh.tet_labels.pop_back();
  expect_error(mesh, ErrorCode::kInconsistent, "");
  mesh = tets;
  mesh.vertices[3].y() = std::numeric_limits<double>::quiet_NaN();
  expect_error(mesh, ErrorCode::kNonFinite, "vertex 3");
  mesh.vertices[3].y() = 1e101;
  expect_error(mesh, ErrorCode::kOutOfRange, "vertex 3");
  mesh = tets;
  mesh.tets[4][2] = 12;
  expect_error(mesh, ErrorCode::kOutOfRange, "element 4");
  mesh.tets[4][2] = -1;
  expect_error(mesh, ErrorCode::kOutOfRange, "element 4");
  mesh = hexes;
  mesh.hexes[1][2] = mesh.hexes[1][3];
  expect_error(mesh, ErrorCode::kDegenerate, "element 1");
  mesh = tets;
  mesh.triangles = {{0, 1, 99}};
  mesh.triangle_labels = {1};
  expect_error(mesh, ErrorCode::kOutOfRange, "triangle 0");
  mesh = tets;  // all vertices of a plane
  for (Vector3& p : mesh.vertices) p.z() = p.x();
  expect_error(mesh, ErrorCode::kDegenerate, "element 0");
}

TEST(ValidateVolume, SizeDoesNotMatterUntilVolumesVanish) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex})
    for (const double scale : {1e-100, 1e-30, 1e30, 1e99, 1e-110}) {
      VolumeMesh mesh = box(kind);
      for (Vector3& p : mesh.vertices) p *= scale;
      EXPECT_EQ(validate(mesh).ok(), scale > 1e-105) << scale;
    }
}

TEST(ValidateVolume, FoldedHexes) {
  // vertex 6 of a unit hex moves along its diagonal towards vertex 0: first the Jacobian at the corner turns
  // negative, later that at a point of integration
  VolumeMesh unit = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kHex);
  const auto last = to_size(unit.hexes[0][6]);
  VolumeMesh mesh = unit;
  mesh.vertices[last] = Vector3::Constant(0.6);
  EXPECT_LT(hex_quality(corners(mesh, mesh.hexes[0])), 0.0);
  auto result = validate(mesh);
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  ASSERT_EQ(result.value().notes.size(), 1U);
  EXPECT_EQ(result.value().notes[0].where.key, "element 0");
  mesh.vertices[last] = Vector3::Constant(0.1);
  expect_error(mesh, ErrorCode::kDegenerate, "element 0");
  // the order of another convention: a bow tie
  mesh = unit;
  std::swap(mesh.hexes[0][2], mesh.hexes[0][3]);
  expect_error(mesh, ErrorCode::kDegenerate, "element 0");
}

TEST(ValidateVolume, NotesCount) {
  VolumeMesh mesh = box(ElementKind::kTet);
  const VolumeMesh other = box(ElementKind::kHex);
  const auto n = static_cast<VertexId>(mesh.vertices.size());
  for (const Vector3& p : other.vertices)
    mesh.vertices.emplace_back(p + Vector3(1, 0, 0));  // touches the first
  for (Hex hex : other.hexes) {
    for (VertexId& v : hex) v += n;
    mesh.hexes.push_back(hex);
    mesh.hex_labels.push_back(0);
  }
  mesh.vertices.emplace_back(9, 9, 9);
  mesh.quads = {{0, 0, 1, 2}};
  mesh.quad_labels = {1};
  const auto result = validate(mesh);
  ASSERT_TRUE(result.ok()) << to_string(result.error());
  ASSERT_EQ(result.value().notes.size(), 4U);
  EXPECT_EQ(result.value().notes[0].where.key, "quad 0");
  EXPECT_TRUE(result.value().notes[1].what.starts_with("4 vertices"));
  EXPECT_TRUE(result.value().notes[2].what.starts_with("1 vertices"));
  EXPECT_NE(result.value().notes[3].what.find("2 components"), std::string::npos);
}

}  // namespace
}  // namespace pliant
