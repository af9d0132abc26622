#include "file/volume_samples.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace pliant::test {
namespace {

void append(VolumeMesh& mesh, const VolumeMesh& more, double shift) {
  const auto first = static_cast<VertexId>(mesh.vertices.size());
  for (const Vector3& p : more.vertices) mesh.vertices.emplace_back(p + Vector3(shift, 0, 0));
  for (Tet tet : more.tets) {
    for (VertexId& v : tet) v += first;
    mesh.tets.push_back(tet);
  }
  for (Hex hex : more.hexes) {
    for (VertexId& v : hex) v += first;
    mesh.hexes.push_back(hex);
  }
  for (Tet10 tet : more.tet10s) {
    for (VertexId& v : tet) v += first;
    mesh.tet10s.push_back(tet);
  }
}

VolumeMesh quadratic_box(bool curved, Rng& rng) {
  VolumeMesh box = generate_box({1, 1, 1}, {1, 2, 1}, ElementKind::kTet);
  for (Vector3& p : box.vertices)
    for (double& x : p) x += 0.05 * rng.uniform();
  const std::size_t corners = box.vertices.size();
  box = make_quadratic(std::move(box));
  for (std::size_t v = corners; curved && v < box.vertices.size(); ++v)
    for (double& x : box.vertices[v]) x += 0.004 * rng.uniform();  // far from folding an element
  return box;
}

void label_faces(VolumeMesh& mesh) {
  Label label = 0;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    label = (label + 4) % 12;
    const auto& v = face.vertices;
    if (face.size() == 3) {
      mesh.triangles.push_back({v[0], v[1], v[2]});
      mesh.triangle_labels.push_back(label);
    } else {
      mesh.quads.push_back(v);
      mesh.quad_labels.push_back(label);
    }
  }
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

VolumeMesh sample_mesh(const SampleParts& parts) {
  VolumeMesh mesh;
  if (parts.tets) append(mesh, generate_box({1, 1, 1}, {2, 2, 1}, ElementKind::kTet), 0.0);
  if (parts.hexes) append(mesh, generate_box({1, 1, 1}, {3, 1, 2}, ElementKind::kHex), 1.5);
  Rng rng(5);
  for (Vector3& p : mesh.vertices)
    for (double& x : p) x = x == 0.0 ? -0.0 : x + 0.05 * rng.uniform();
  if (parts.tet10s) append(mesh, quadratic_box(parts.curved, rng), 3.0);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) mesh.tet_labels.push_back(i % 3 == 0 ? 7 : 3);
  for (std::size_t i = 0; i < mesh.hexes.size(); ++i) mesh.hex_labels.push_back(i % 2 == 0 ? 3 : 0);
  for (std::size_t i = 0; i < mesh.tet10s.size(); ++i) mesh.tet10_labels.push_back(i % 4 == 0 ? 9 : 3);
  if (parts.negative_labels && !mesh.tet10s.empty()) mesh.tet10_labels[1] = -5;
  if (parts.negative_labels && !mesh.tets.empty()) mesh.tet_labels[1] = -2;
  if (parts.negative_labels && !mesh.hexes.empty()) mesh.hex_labels[1] = std::numeric_limits<Label>::min();
  if (parts.faces) label_faces(mesh);
  if (parts.names) {
    mesh.region_names[3] = "bone";
    if (parts.tets) mesh.region_names[7] = "soft_tissue";
    if (parts.faces) mesh.face_names[4] = "skin";
  }
  return mesh;
}

void expect_same(const VolumeMesh& actual, const VolumeMesh& expected) {
  ASSERT_EQ(actual.vertices.size(), expected.vertices.size());
  for (std::size_t v = 0; v < actual.vertices.size(); ++v)
    for (int k = 0; k < 3; ++k)
      ASSERT_TRUE(same_bits(actual.vertices[v][k], expected.vertices[v][k]))
          << "vertex " << v << ", axis " << k << ": " << actual.vertices[v][k] << " "
          << expected.vertices[v][k];
  EXPECT_EQ(actual.tets, expected.tets);
  EXPECT_EQ(actual.hexes, expected.hexes);
  EXPECT_EQ(actual.tet10s, expected.tet10s);
  EXPECT_EQ(actual.triangles, expected.triangles);
  EXPECT_EQ(actual.quads, expected.quads);
  EXPECT_EQ(actual.tet_labels, expected.tet_labels);
  EXPECT_EQ(actual.hex_labels, expected.hex_labels);
  EXPECT_EQ(actual.tet10_labels, expected.tet10_labels);
  EXPECT_EQ(actual.triangle_labels, expected.triangle_labels);
  EXPECT_EQ(actual.quad_labels, expected.quad_labels);
  EXPECT_EQ(actual.region_names, expected.region_names);
  EXPECT_EQ(actual.face_names, expected.face_names);
}

VolumeMesh one_tet(Label label) {
  VolumeMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.tet_labels = {label};
  return mesh;
}

VolumeMesh one_tet10(Label label) {
  VolumeMesh mesh;
  mesh.vertices = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                   {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  mesh.tet10s = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  mesh.tet10_labels = {label};
  return mesh;
}

void expect_error(const Result<VolumeFile>& result, ErrorCode code, Index line, std::string_view key) {
  ASSERT_FALSE(result.ok());
  const Diagnostic& error = result.error();
  EXPECT_EQ(static_cast<int>(error.code), static_cast<int>(code)) << to_string(error);
  EXPECT_EQ(error.where.line, line) << to_string(error);
  EXPECT_EQ(error.where.key, key) << to_string(error);
  EXPECT_FALSE(error.where.file.empty()) << to_string(error);
  EXPECT_FALSE(error.what.empty());
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t size = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (k < size ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= size ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace pliant::test
