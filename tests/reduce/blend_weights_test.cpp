// Weights of overlapping domains: what they are at seeds and supports, and that the material counts.
#include "pliant/reduce/blend_weights.hpp"

#include "pliant/mesh/generate/generate.hpp"
#include "pliant/reduce/blended_columns.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Beam {
  explicit Beam(bool held, ElementKind element = ElementKind::kTet, bool soft_tip = false) {
    VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {12, 3, 2}, element);
    MaterialMap materials{{Material{}}, {}};
    if (soft_tip) {
      materials.materials.push_back(Material{});
      materials.materials.back().young = 1e5;
      for (Index e = 0; e < mesh.element_count(); ++e)
        materials.of_element.push_back(mesh.vertices[to_size(mesh.element_vertices(e)[0])].x() < 0.49 ? 0
                                                                                                      : 1);
    }
    for (VertexId v = 0; held && v < mesh.vertex_count(); ++v)
      if (mesh.vertices[to_size(v)].x() < 1e-6) supports.push_back(v);
    body = std::make_unique<const ElasticBody>(std::move(mesh), std::move(materials));
  }
  [[nodiscard]] OverlappingDomains domains(const std::vector<double>& places) const {
    std::vector<Vector3> seeds;
    for (const double x : places) seeds.emplace_back(x, 0.1, 0.05);
    return domains_about(body->mesh(), seeds, supports).value();
  }
  std::unique_ptr<const ElasticBody> body;
  std::vector<VertexId> supports;
};

constexpr WeightKind kKinds[] = {
    WeightKind::kPrincipal, WeightKind::kBiharmonic, WeightKind::kHarmonic,         WeightKind::kRadial,
    WeightKind::kMeanValue, WeightKind::kPinned,     WeightKind::kBoundedBiharmonic};

TEST(BlendWeights, AreOneAtTheirSeedAndZeroAtTheOthers) {
  for (const bool held : {true, false}) {
    const Beam beam(held);
    const OverlappingDomains domains = beam.domains({0.15, 0.4, 0.65, 0.9});
    for (const WeightKind kind : kKinds) {
      const auto made = blend_weights(*beam.body, domains, beam.supports, kind, no_progress());
      ASSERT_TRUE(made) << weight_name(kind);
      const BlendWeights& w = made.value();
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
          EXPECT_NEAR(w.raw(domains.seeds[to_size(i)], j), i == j ? 1.0 : 0.0, 1e-10) << weight_name(kind);
      for (const VertexId v : beam.supports) {
        EXPECT_NEAR(w.raw.row(v).cwiseAbs().maxCoeff(), 0.0, 1e-10) << weight_name(kind);
        EXPECT_NEAR(w.anchor[v], 1.0, 1e-10);
      }
      for (Index v = 0; v < w.raw.rows(); ++v) EXPECT_NEAR(w.domains.row(v).sum() + w.anchor[v], 1.0, 1e-12);
      if (kind == WeightKind::kBoundedBiharmonic) {
        EXPECT_GE(w.raw.minCoeff(), -1e-12);
        EXPECT_LE(w.raw.maxCoeff(), 1.0 + 1e-12);
      }
    }
  }
}

/// Principal weights need negative values; harmonic and mean value weights have none.
TEST(BlendWeights, SignsAreThoseOfTheirKind) {
  const Beam beam(true);
  const OverlappingDomains domains = beam.domains({0.25, 0.75});
  const auto of = [&](WeightKind kind) {
    return blend_weights(*beam.body, domains, beam.supports, kind, no_progress()).value().raw;
  };
  EXPECT_LT(of(WeightKind::kPrincipal).minCoeff(), -0.05);
  EXPECT_GT(of(WeightKind::kMeanValue).minCoeff(), -1e-10);
  EXPECT_GT(of(WeightKind::kHarmonic).minCoeff(), -0.01);
}

TEST(BlendWeights, PrincipalDirectionIsTheSoftestOne) {
  // 0.1 m thick; tets, all cut along one diagonal, tilt it by 7 degrees
  for (const auto& [element, least] : {std::pair(ElementKind::kHex, 0.9999), {ElementKind::kTet, 0.99}}) {
    const Beam beam(true, element);
    const auto made = blend_weights(*beam.body, beam.domains({0.25, 0.75}), beam.supports,
                                    WeightKind::kPrincipal, no_progress());
    for (const Vector3& p : made.value().directions) EXPECT_GT(std::abs(p.z()), least);
  }
}

TEST(BlendWeights, KnowTheMaterial) {
  const Beam even(true), soft(true, ElementKind::kTet, true);
  for (const auto& [kind, knows] : {std::pair(WeightKind::kPrincipal, true),
                                    {WeightKind::kBiharmonic, true},
                                    {WeightKind::kHarmonic, false},
                                    {WeightKind::kRadial, false}}) {
    const MatrixX a =
        blend_weights(*even.body, even.domains({0.25, 0.75}), even.supports, kind, no_progress()).value().raw;
    const MatrixX b =
        blend_weights(*soft.body, soft.domains({0.25, 0.75}), soft.supports, kind, no_progress()).value().raw;
    EXPECT_EQ((a - b).cwiseAbs().maxCoeff() > 0.02, knows) << weight_name(kind);
  }
}

/// More than eight domains are local: zero beyond the second ring, still a partition of unity.
TEST(BlendWeights, ManyDomainsAreLocal) {
  const Beam beam(true);
  std::vector<double> places;
  for (int i = 0; i < 10; ++i) places.push_back(0.09 + 0.1 * i);
  const OverlappingDomains domains = beam.domains(places);
  EXPECT_EQ(domains.neighbours[5], (std::vector<Index>{4, 6}));
  EXPECT_EQ(domains.reach[5], (std::vector<Index>{3, 4, 5, 6, 7}));
  for (const WeightKind kind : {WeightKind::kPrincipal, WeightKind::kBiharmonic}) {
    const auto made = blend_weights(*beam.body, domains, beam.supports, kind, no_progress());
    ASSERT_TRUE(made);
    EXPECT_EQ(made.value().kind, kind);  // no fallback
    for (Index v = 0; v < made.value().raw.rows(); ++v) {
      const Index segment = domains.segment_of[to_size(v)];
      if (segment < 3 || segment > 7) {
        EXPECT_EQ(made.value().domains(v, 5), 0.0);
      }
    }
  }
}

TEST(BlendWeights, HexesAndQuadraticTets) {
  for (const ElementKind element : {ElementKind::kHex, ElementKind::kTet10}) {
    const Beam beam(true, element);
    for (const WeightKind kind : {WeightKind::kPrincipal, WeightKind::kBiharmonic})
      EXPECT_TRUE(blend_weights(*beam.body, beam.domains({0.25, 0.75}), beam.supports, kind, no_progress()));
  }
  const Beam hexes(true, ElementKind::kHex);
  const auto refused = blend_weights(*hexes.body, hexes.domains({0.25, 0.75}), hexes.supports,
                                     WeightKind::kMeanValue, no_progress());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace pliant
