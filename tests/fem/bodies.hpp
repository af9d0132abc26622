// tests/fem/bodies.hpp — small bodies of every element and law, and random shapes of them.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant::test {

inline const Vector3 kBoxSize(1.0, 0.7, 0.5);

/// A box whose vertices are shaken, so that no two elements are alike. Midside vertices, too: quadratic tets
/// become curved.
inline VolumeMesh distorted_box(ElementKind kind, const std::array<Index, 3>& cells, std::uint64_t seed) {
  VolumeMesh mesh = generate_box(kBoxSize, cells, kind);
  Rng rng(seed);
  const double step = kind == ElementKind::kTet10 ? 0.05 : 0.1;  // their vertices are twice as close
  const double shake = step / static_cast<double>(std::max({cells[0], cells[1], cells[2]}));
  for (Vector3& x : mesh.vertices)
    for (Index k = 0; k < 3; ++k) x[k] += shake * rng.uniform(-1.0, 1.0);
  return mesh;
}

/// For the names of tests.
inline const char* element_name(ElementKind kind) {
  if (kind == ElementKind::kTet10) return "Tet10";
  return kind == ElementKind::kTet ? "Tet" : "Hex";
}

/// Adds a mesh beside another one; they share no vertex.
inline void append(VolumeMesh& mesh, const VolumeMesh& other, const Vector3& shift) {
  const auto first = static_cast<VertexId>(mesh.vertices.size());
  for (const Vector3& x : other.vertices) mesh.vertices.push_back(x + shift);
  const auto add = [&](const auto& from, auto& to, auto& labels) {
    for (auto element : from) {
      for (VertexId& v : element) v += first;
      to.push_back(element);
      labels.push_back(0);
    }
  };
  add(other.tets, mesh.tets, mesh.tet_labels);
  add(other.hexes, mesh.hexes, mesh.hex_labels);
  add(other.tet10s, mesh.tet10s, mesh.tet10_labels);
}

/// What the elements of a test body are.
enum class BodyKind { kTet, kHex, kStraightTet10, kCurvedTet10, kMixed };
inline constexpr std::array kBodyKinds{BodyKind::kTet, BodyKind::kHex, BodyKind::kStraightTet10,
                                       BodyKind::kCurvedTet10, BodyKind::kMixed};
inline constexpr std::array<const char*, 5> kBodyNames{"Tet", "Hex", "StraightTet10", "CurvedTet10", "Mixed"};

constexpr double kMixedStep = 2.0;  // distance along z between the boxes of a mixed body

/// A distorted box of one kind; kMixed: one box of each kind.
inline VolumeMesh distorted_body(BodyKind kind, const std::array<Index, 3>& cells, std::uint64_t seed) {
  switch (kind) {
    case BodyKind::kTet:
      return distorted_box(ElementKind::kTet, cells, seed);
    case BodyKind::kHex:
      return distorted_box(ElementKind::kHex, cells, seed);
    case BodyKind::kStraightTet10:
      return make_quadratic(distorted_box(ElementKind::kTet, cells, seed));
    case BodyKind::kCurvedTet10:
      return distorted_box(ElementKind::kTet10, cells, seed);
    case BodyKind::kMixed:
      break;
  }
  VolumeMesh mesh = distorted_box(ElementKind::kTet, cells, seed);
  double z = kMixedStep;
  for (const BodyKind other : {BodyKind::kHex, BodyKind::kStraightTet10, BodyKind::kCurvedTet10}) {
    append(mesh, distorted_body(other, cells, ++seed), {0.0, 0.0, z});
    z += kMixedStep;
  }
  return mesh;
}

/// Per vertex of distorted_body(): 1 if it is in the interior of its box.
inline std::vector<char> inner_vertices(BodyKind kind, const std::array<Index, 3>& cells) {
  const auto inner_of = [&](ElementKind element) {
    std::vector<char> inner;
    for (const Vector3& x : generate_box(kBoxSize, cells, element).vertices)
      inner.push_back(((x.array() > 1e-9) && (x.array() < kBoxSize.array() - 1e-9)).all() ? 1 : 0);
    return inner;
  };
  if (kind == BodyKind::kTet) return inner_of(ElementKind::kTet);
  if (kind == BodyKind::kHex) return inner_of(ElementKind::kHex);
  if (kind != BodyKind::kMixed) return inner_of(ElementKind::kTet10);
  std::vector<char> inner;
  for (const auto element : {ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10, ElementKind::kTet10})
    for (const char flag : inner_of(element)) inner.push_back(flag);
  return inner;
}

inline Material material_of(Law law, bool invertible = false) {
  Material material;
  material.law = law;
  material.young = 3.0;
  material.poisson = 0.3;
  material.density = 2.0;
  material.invertible = invertible;
  return material;
}

/// A law on a kind of body.
struct LawCase {
  std::string name;
  Law law;
  bool invertible;
  BodyKind kind;
};

inline void PrintTo(const LawCase& c, std::ostream* out) { *out << c.name; }
inline std::string case_name(const testing::TestParamInfo<LawCase>& info) { return info.param.name; }

/// Every law on every kind of body.
inline std::vector<LawCase> law_cases() {
  std::vector<LawCase> list;
  for (const BodyKind kind : kBodyKinds) {
    const std::string suffix = kBodyNames[to_size(kind)];
    list.push_back({"Linear" + suffix, Law::kLinear, false, kind});
    list.push_back({"Corotational" + suffix, Law::kCorotational, false, kind});
    list.push_back({"Stvk" + suffix, Law::kStvk, false, kind});
    list.push_back({"NeoHookean" + suffix, Law::kNeoHookean, false, kind});
    list.push_back({"StableNeoHookean" + suffix, Law::kStableNeoHookean, false, kind});
    list.push_back({"StvkInvertible" + suffix, Law::kStvk, true, kind});
    list.push_back({"NeoHookeanInvertible" + suffix, Law::kNeoHookean, true, kind});
  }
  return list;
}

/// Random displacements of about `size` that keep every element upright when size is small.
inline VectorX random_displacements(const ElasticBody& body, double size, std::uint64_t seed) {
  Rng rng(seed);
  return size * random_vector(body.dof_count(), rng);
}

/// The whole of a matrix of which the lower triangle is stored.
inline MatrixX symmetric(const SparseMatrix& lower) {
  const MatrixX dense = lower;
  return dense + MatrixX(dense.triangularView<Eigen::StrictlyLower>()).transpose();
}

}  // namespace pliant::test
