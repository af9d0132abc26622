// What is found out about surfaces: exact signs, intersections, defects and measures of known shapes.
#include "pliant/mesh/core/surface_report.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/box_tree.hpp"
#include "pliant/mesh/core/orientation.hpp"
#include "pliant/mesh/core/self_intersection.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

__extension__ using Int128 = __int128;
using Whole = std::array<std::int64_t, 3>;

Vector3 real(const Whole& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

int exact_sign(const Whole& a, const Whole& b, const Whole& c, const Whole& d) {
  std::array<std::array<Int128, 3>, 3> m{};
  for (std::size_t k = 0; k < 3; ++k) {
    m[0][k] = Int128{b[k]} - a[k];
    m[1][k] = Int128{c[k]} - a[k];
    m[2][k] = Int128{d[k]} - a[k];
  }
  const Int128 det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                     m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                     m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return (det > 0 ? 1 : 0) - (det < 0 ? 1 : 0);
}

/// Whole coordinates up to 2³⁹: 120 bits hold the determinant, a double's 53 do not.
TEST(Orientation, SignsAreThoseOfWholeNumbers) {
  Rng rng(1);
  const auto whole = [&](std::int64_t size) {
    const auto span = static_cast<std::uint64_t>(2 * size);
    return Whole{static_cast<std::int64_t>(rng.below(span)) - size,
                 static_cast<std::int64_t>(rng.below(span)) - size,
                 static_cast<std::int64_t>(rng.below(span)) - size};
  };
  Index wrong_by_rounding = 0;
  std::array<Index, 3> seen{};
  for (int i = 0; i < 20000; ++i) {
    const Whole a = whole(std::int64_t{1} << 35);
    const Whole b = whole(std::int64_t{1} << 35);
    const Whole c = whole(std::int64_t{1} << 35);
    const auto s = static_cast<std::int64_t>(rng.below(5)) - 2;
    const auto t = static_cast<std::int64_t>(rng.below(5)) - 2;
    Whole d{};
    for (std::size_t k = 0; k < 3; ++k) d[k] = a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]);
    d[rng.below(3)] += static_cast<std::int64_t>(rng.below(3)) - 1;  // in the plane, or just off it
    const int sign = orient3d(real(a), real(b), real(c), real(d));
    EXPECT_EQ(sign, exact_sign(a, b, c, d));
    ++seen[to_size(sign + 1)];
    Matrix3 m;
    m << real(b) - real(a), real(c) - real(a), real(d) - real(a);
    const double rounded = m.determinant();
    wrong_by_rounding += ((rounded > 0) - (rounded < 0)) != sign ? 1 : 0;
  }
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 1000);  // all three answers occur
  EXPECT_GT(wrong_by_rounding, 1000);                            // plain doubles would fail this test
}

TEST(Orientation, FlatSignsAreExact) {
  const Vector2 a(0.5, 0.5);
  const Vector2 b(12, 12);
  const double ulp = std::ldexp(1.0, -53);
  EXPECT_EQ(orient2d(a, b, Vector2(24, 24)), 0);
  EXPECT_EQ(orient2d(a, b, Vector2(24, 24 + 64 * ulp)), 1);
  EXPECT_EQ(orient2d(a, b, Vector2(24 + 64 * ulp, 24)), -1);
  EXPECT_EQ(orient2d(Vector2(0.5 + ulp, 0.5), b, Vector2(24, 24)), -1);
}

TEST(BoxTree, AnswersAreThoseOfALoopOverAllBoxes) {
  Rng rng(2);
  std::vector<Box3> boxes;
  for (int i = 0; i < 500; ++i) {
    const Vector3 center = test::random_vector(3, rng);
    const Vector3 half = 0.3 * test::random_vector(3, rng).cwiseAbs();
    boxes.emplace_back(center - half, center + half);
  }
  const BoxTree tree(boxes);
  Index found_all = 0;
  for (int query = 0; query < 200; ++query) {
    const Vector3 p = 1.2 * test::random_vector(3, rng);
    const Vector3 direction = test::random_vector(3, rng);
    const Box3 box(p, p + direction.cwiseAbs() * 0.3);
    std::vector<Index> overlaps;
    std::vector<Index> hits;
    tree.visit_overlaps(box, [&](Index i) { overlaps.push_back(i); });
    tree.visit_ray(p, direction, 1.0, [&](Index i) { hits.push_back(i); });
    std::sort(overlaps.begin(), overlaps.end());
    std::sort(hits.begin(), hits.end());
    std::vector<Index> expected_overlaps;
    std::vector<Index> expected_hits;
    double nearest = 1e300;
    for (Index i = 0; i < 500; ++i) {
      const Box3& other = boxes[to_size(i)];
      if (box.intersects(other)) expected_overlaps.push_back(i);
      if (BoxTree::ray_meets(other, p, direction, 1.0)) expected_hits.push_back(i);
      nearest = std::min(nearest, other.squaredExteriorDistance(p));
    }
    EXPECT_EQ(overlaps, expected_overlaps);
    EXPECT_EQ(hits, expected_hits);
    const auto distance = [&](Index i) { return boxes[to_size(i)].squaredExteriorDistance(p); };
    EXPECT_EQ(tree.nearest(p, distance).squared_distance, nearest);
    found_all += static_cast<Index>(overlaps.size() + hits.size());
  }
  EXPECT_GT(found_all, 1000);
  EXPECT_EQ(BoxTree({}).nearest(Vector3::Zero(), [](Index) { return 0.0; }).item, -1);
}

/// The surface of a unit cube at `corner`, as 12 triangles.
SurfaceMesh cube_at(const Vector3& corner) {
  SurfaceMesh cube = boundary_surface(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet)).surface;
  for (Vector3& v : cube.vertices) v += corner;
  return cube;
}

SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b) {
  const auto shift = static_cast<VertexId>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return a;
}

SurfaceMesh soup(std::initializer_list<Vector3> vertices, std::initializer_list<Triangle> triangles) {
  return {vertices, triangles};
}

TEST(SelfIntersection, DependsOnWhatTrianglesShare) {
  const auto count = [](const SurfaceMesh& mesh) { return find_self_intersections(mesh).count; };
  const Vector3 o(0, 0, 0);
  const Vector3 x(1, 0, 0);
  const Vector3 y(0, 1, 0);
  const Vector3 z(0, 0, 1);
  // nothing in common: crossing, touching in a point, coplanar and overlapping, coplanar inside, apart
  EXPECT_EQ(count(soup({o, x, y, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {2, 2, 0.5}}, {{0, 1, 2}, {3, 4, 5}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {0.25, 0.25, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2}, {3, 4, 5}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {0.2, 0.2, 0}, {2, 0.2, 0}, {0.2, 2, 0}}, {{0, 1, 2}, {3, 4, 5}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {0.2, 0.2, 0}, {0.3, 0.2, 0}, {0.2, 0.3, 0}}, {{0, 1, 2}, {3, 4, 5}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {0.2, 0.2, 1e-300}, {2, 0.2, 1}, {0.2, 2, 1}}, {{0, 1, 2}, {3, 4, 5}})), 0);
  EXPECT_EQ(count(soup({o, x, y, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, {{0, 1, 2}, {3, 4, 5}})), 0);
  // a common vertex: only there, through the other triangle, overlapping in the plane
  EXPECT_EQ(count(soup({o, x, y, z, {-1, 0, 1}}, {{0, 1, 2}, {0, 3, 4}})), 0);
  EXPECT_EQ(count(soup({o, x, y, {1, 1, 1}, {1, 1, -1}}, {{0, 1, 2}, {0, 3, 4}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {1, 0.5, 0}, {0.5, 1, 0}}, {{0, 1, 2}, {0, 3, 4}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {-1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {0, 3, 4}})), 0);
  // a common edge: bent, flat, folded back flat
  EXPECT_EQ(count(soup({o, x, y, z}, {{0, 1, 2}, {1, 0, 3}})), 0);
  EXPECT_EQ(count(soup({o, x, y, {0, -1, 0}}, {{0, 1, 2}, {1, 0, 3}})), 0);
  EXPECT_EQ(count(soup({o, x, y, {0.5, 0.7, 0}}, {{0, 1, 2}, {1, 0, 3}})), 1);
  // the same triangle twice; triangles that are lines do not count
  EXPECT_EQ(count(soup({o, x, y}, {{0, 1, 2}, {0, 2, 1}})), 1);
  EXPECT_EQ(count(soup({o, x, y, {0.2, 0.2, -1}, {0.2, 0.2, 0}, {0.2, 0.2, 1}}, {{0, 1, 2}, {3, 4, 5}})), 0);
}

TEST(SelfIntersection, IsBlindToOrderAxesAndScale) {
  Rng rng(4);
  SurfaceMesh mesh;
  for (int i = 0; i < 300; ++i) {  // on a coarse grid, so that touching and coplanar cases are common
    const auto v = static_cast<VertexId>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k)
      mesh.vertices.emplace_back(0.1 * static_cast<double>(rng.below(8)),
                                 0.1 * static_cast<double>(rng.below(8)),
                                 0.1 * static_cast<double>(rng.below(8)));
    mesh.triangles.push_back({v, v + 1, v + 2});
  }
  const Index expected = find_self_intersections(mesh).count;
  EXPECT_GT(expected, 1000);
  for (const double scale : {std::ldexp(1.0, 400), std::ldexp(1.0, -300), 1.0}) {
    SurfaceMesh other = mesh;
    for (Vector3& v : other.vertices) v = (scale * Vector3(v.y(), -v.z(), v.x())).eval();
    std::reverse(other.triangles.begin(), other.triangles.end());
    for (Triangle& t : other.triangles) t = {t[2], t[1], t[0]};
    EXPECT_EQ(find_self_intersections(other).count, expected) << scale;
  }
  const auto found = [&](int threads) {
    const ThreadScope scope(threads);
    return find_self_intersections(mesh, 100);
  };
  const SelfIntersections one = found(1), three = found(3);
  EXPECT_EQ(one.pairs, three.pairs);
  EXPECT_EQ(one.pairs.size(), 100U);
  EXPECT_TRUE(std::is_sorted(one.pairs.begin(), one.pairs.end()));
}

TEST(SurfaceReport, MeasuresACube) {
  const SurfaceReport r = report(cube_at({10, 20, 30}));
  EXPECT_EQ(r.vertices, 8);
  EXPECT_EQ(r.triangles, 12);
  EXPECT_EQ(r.components, 1);
  EXPECT_TRUE(r.watertight);
  EXPECT_TRUE(r.manifold);
  EXPECT_NEAR(r.area, 6.0, 1e-13);
  EXPECT_NEAR(r.volume, 1.0, 1e-13);
  EXPECT_EQ(r.low, Vector3(10, 20, 30));
  EXPECT_EQ(r.high, Vector3(11, 21, 31));
  EXPECT_EQ(r.self_intersections, 0);
  EXPECT_EQ(r.misoriented_edges, 0);
}

TEST(SurfaceReport, CountsEachDefect) {
  const SurfaceMesh cube = cube_at(Vector3::Zero());

  SurfaceMesh open = cube;
  open.triangles.pop_back();
  EXPECT_EQ(report(open).open_edges, 3);
  EXPECT_FALSE(report(open).watertight);
  EXPECT_TRUE(report(open).manifold);

  SurfaceMesh turned = cube;
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_EQ(report(turned).misoriented_edges, 3);
  EXPECT_TRUE(report(turned).watertight);

  SurfaceMesh two = joined(cube, cube_at({0.5, 0.5, 0.5}));
  EXPECT_EQ(report(two).components, 2);
  EXPECT_GT(report(two).self_intersections, 0);
  EXPECT_EQ(report(joined(cube, cube_at({3, 0, 0}))).self_intersections, 0);

  SurfaceMesh twice = joined(cube, cube_at({1, 1, 1}));  // corner on corner, two vertices at one place
  EXPECT_EQ(report(twice).duplicate_vertices, 1);
  EXPECT_TRUE(report(twice).manifold);
  for (Triangle& t : twice.triangles)  // now the same vertex
    for (VertexId& v : t)
      if (twice.vertices[to_size(v)] == Vector3(1, 1, 1)) v = 7;
  EXPECT_EQ(report(twice).nonmanifold_vertices, 1);
  EXPECT_EQ(report(twice).unused_vertices, 1);
  EXPECT_EQ(report(twice).components, 1);
  EXPECT_FALSE(report(twice).manifold);

  SurfaceMesh flat = cube;
  flat.triangles.push_back({0, 0, 1});
  flat.vertices.emplace_back(0.5, 0, 0);
  flat.triangles.push_back({0, 8, 1});
  EXPECT_EQ(report(flat).zero_area_triangles, 2);
  EXPECT_EQ(report(flat).nonmanifold_edges, 1);  // of the second one; the first has no edges

  EXPECT_FALSE(report(SurfaceMesh{}).watertight);
}

}  // namespace
}  // namespace pliant
