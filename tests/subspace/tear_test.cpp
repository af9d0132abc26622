#include "pliant/subspace/tear.hpp"

#include "fem/bodies.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/surface_report.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pliant {
namespace {

const Vector3 kSize(1.0, 0.2, 0.1);

/// Four slabs of a beam; a tear needs no bases.
std::shared_ptr<const TreeBody> beam(ElementKind kind) {
  const bool quadratic = kind == ElementKind::kTet10;
  const TreePlan plan = test::cut_beam({12, 2, 2}, kSize, 4, {Law::kStvk, 1e6, 0.3, 1000.0}, 3, 8, true,
                                       quadratic ? ElementKind::kTet : kind);
  TreeBody body{plan.mesh, {}, plan.domains};
  if (quadratic) {
    body.mesh = make_quadratic(plan.mesh);
    for (TreeDomain& domain : body.domains) {
      std::set<VertexId> own;
      for (const Index e : domain.elements)
        for (const VertexId v : body.mesh.element_vertices(e)) own.insert(v);
      domain.vertices.assign(own.begin(), own.end());
    }
  }
  return std::make_shared<const TreeBody>(std::move(body));
}

class Tear : public testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Elements, Tear,
                         testing::Values(ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10),
                         [](const auto& c) { return test::element_name(c.param); });

TEST_P(Tear, LeavesPiecesThatShareNoVertex) {
  const auto whole = beam(GetParam());
  EXPECT_EQ(tear(whole, {}), whole);
  EXPECT_EQ(tear(whole, {0, 0, 0, 0}), whole);
  const std::vector<char> cut{0, 1, 0, 1};
  EXPECT_EQ(pieces_of(*whole, cut), (std::vector<Index>{0, 1, 1, 3}));
  const auto torn = tear(whole, cut);
  const Index n = whole->mesh.vertex_count();
  const Index joint = GetParam() == ElementKind::kTet10 ? 25 : 9;  // 3 × 3 vertices, or 5 × 5
  EXPECT_EQ(torn->mesh.vertex_count(), n + 2 * joint);
  EXPECT_EQ(count_components(whole->mesh), 1);
  EXPECT_EQ(count_components(torn->mesh), 3);
  // what was there keeps its number and its place
  ASSERT_EQ(torn->mesh.element_count(), whole->mesh.element_count());
  const auto same_corners = [&](const auto& before, const auto& after) {
    for (std::size_t e = 0; e < before.size(); ++e)
      for (std::size_t k = 0; k < before[e].size(); ++k) {
        const auto a = to_size(before[e][k]), b = to_size(after[e][k]);
        EXPECT_EQ(whole->mesh.vertices[a], torn->mesh.vertices[b]);
        EXPECT_TRUE(a == b || b >= to_size(n));
      }
  };
  same_corners(whole->mesh.tets, torn->mesh.tets);
  same_corners(whole->mesh.hexes, torn->mesh.hexes);
  same_corners(whole->mesh.tet10s, torn->mesh.tet10s);
  // domains have the vertices of their elements; two that hang together still share theirs
  std::vector<std::set<VertexId>> own(4);
  for (std::size_t d = 0; d < 4; ++d) {
    for (const Index e : torn->domains[d].elements)
      for (const VertexId v : torn->mesh.element_vertices(e)) own[d].insert(v);
    EXPECT_EQ(own[d], std::set<VertexId>(torn->domains[d].vertices.begin(), torn->domains[d].vertices.end()));
  }
  const auto shared = [&](std::size_t a, std::size_t b) {
    return std::count_if(own[a].begin(), own[a].end(), [&](VertexId v) { return own[b].contains(v); });
  };
  EXPECT_EQ(shared(0, 1), 0);
  EXPECT_EQ(shared(1, 2), joint);
  EXPECT_EQ(shared(2, 3), 0);
}

/// A finer skin around the beam, some of whose triangles lie across each joint.
CarriedSurface skin_of(const TreeBody& body) {
  const VolumeMesh fine = generate_box(kSize, {17, 3, 3}, ElementKind::kHex);
  CarriedSurface skin;
  skin.rest = boundary_surface(fine).surface;
  skin.embedding = embed(body.mesh, skin.rest.vertices).value();
  return skin;
}

TEST_P(Tear, ClosesTheSkinOfEachPiece) {
  const auto whole = beam(GetParam());
  const std::vector<char> cut{0, 1, 0, 1};
  const auto torn = tear(whole, cut);
  const CarriedSurface skin = skin_of(*whole);
  const Result<CarriedSurface> made = tear(skin, *whole, *torn, cut);
  ASSERT_TRUE(made.ok());
  const SurfaceMesh& surface = made.value().rest;
  const SurfaceReport before = report(skin.rest), after = report(surface);
  EXPECT_EQ(before.components, 1);
  EXPECT_EQ(after.components, 3);
  EXPECT_TRUE(after.watertight);
  EXPECT_EQ(after.misoriented_edges, 0);
  EXPECT_NEAR(after.volume, before.volume, 1e-15);        // the caps of a tear are two sides of one
  EXPECT_NEAR(after.area, before.area + 4 * 0.02, 1e-4);  // four of them, plane to 1/4096 of an edge
  // a point is where its weights say, and only vertices of one piece carry the corners of a triangle
  const WeightRows& rows = made.value().embedding.points;
  ASSERT_EQ(rows.row_count(), surface.vertex_count());
  const std::vector<Index> pieces = pieces_of(*whole, cut);
  std::vector<Index> piece_of(torn->mesh.vertices.size(), -1);
  for (std::size_t d = 0; d < 4; ++d)
    for (const VertexId v : torn->domains[d].vertices) piece_of[to_size(v)] = pieces[d];
  for (const Triangle& triangle : surface.triangles) {
    std::set<Index> of_triangle;
    for (const VertexId corner : triangle) {
      const auto i = to_size(corner);
      Vector3 x = Vector3::Zero();
      for (Index e = rows.starts[i]; e < rows.starts[i + 1]; ++e) {
        const auto column = to_size(rows.columns[to_size(e)]);
        of_triangle.insert(piece_of[column]);
        x += rows.weights[to_size(e)] * torn->mesh.vertices[column];
      }
      EXPECT_LT((x - surface.vertices[i]).norm(), 1e-12);
    }
    EXPECT_EQ(of_triangle.size(), 1U);
  }
}

TEST(TearSkin, OfOnePieceStaysAsItIs) {
  const auto whole = beam(ElementKind::kTet);
  const CarriedSurface skin = skin_of(*whole);
  const Result<CarriedSurface> made = tear(skin, *whole, *whole, {});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.value().rest.triangles, skin.rest.triangles);
  EXPECT_EQ(made.value().rest.vertices, skin.rest.vertices);
  EXPECT_EQ(made.value().embedding.points.columns, skin.embedding.points.columns);
}

}  // namespace
}  // namespace pliant
