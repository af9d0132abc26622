// Balls contain their points for any coordinates.
#include "pliant/contact/surface_tree.hpp"

#include "pliant/base/rng.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

/// A grid of points on a bent sheet, with smooth shapes.
PartTable sheet(Index side, Index r) {
  PartTable table;
  table.points = side * side;
  table.size = r;
  for (Index j = 0; j < side; ++j)
    for (Index i = 0; i < side; ++i) {
      const double x = static_cast<double>(i) / static_cast<double>(side - 1);
      const double y = static_cast<double>(j) / static_cast<double>(side - 1);
      for (const double c : {x, 0.3 * y, 0.1 * x * y}) table.rest.push_back(static_cast<float>(c));
      for (Index c = 0; c < 3; ++c)
        for (Index l = 0; l < r; ++l)
          table.shapes.push_back(static_cast<float>(
              std::cos((static_cast<double>(l) + 1.0) * (x + 0.7 * y) + static_cast<double>(c))));
    }
  return table;
}

Vector3 place(const PartTable& table, Index point, const VectorX& q) {
  Vector3 x;
  for (Index c = 0; c < 3; ++c) {
    x[c] = table.rest[to_size(3 * point + c)];
    for (Index l = 0; l < table.size; ++l)
      x[c] += q[l] * static_cast<double>(table.shapes[to_size((3 * point + c) * table.size + l)]);
  }
  return x;
}

TEST(SurfaceTree, BallsContainTheirPoints) {
  const PartTable table = sheet(24, 6);
  const SurfaceTree tree(table);
  Rng rng(5);
  for (int pose = 0; pose < 300; ++pose) {
    VectorX q(table.size);
    for (Index l = 0; l < q.size(); ++l) q[l] = 0.4 * (2.0 * rng.uniform() - 1.0);
    const Index node = static_cast<Index>(rng.uniform() * static_cast<double>(tree.node_count()));
    const SurfaceTree::Ball ball = tree.ball(node, q.data());
    for (const Index point : tree.points(node))
      ASSERT_LE((place(table, point, q) - ball.center).norm(), ball.radius);
  }
}

TEST(SurfaceTree, AQueryFindsWhatAllPointsWouldFind) {
  const PartTable table = sheet(30, 5);
  const SurfaceTree tree(table);
  Rng rng(6);
  for (int pose = 0; pose < 50; ++pose) {
    VectorX q(table.size);
    for (Index l = 0; l < q.size(); ++l) q[l] = 0.1 * (2.0 * rng.uniform() - 1.0);
    const Vector3 center = place(table, static_cast<Index>(rng.uniform() * 900.0), q);
    const double reach = 0.05;
    std::vector<char> found(to_size(table.points), 0);
    Index visited = 0;
    tree.query(
        q.data(), [&](const SurfaceTree::Ball& b) { return (b.center - center).norm() - b.radius < reach; },
        [&](Index point, const Vector3& x) {
          ++visited;
          EXPECT_LT((x - place(table, point, q)).norm(), 1e-6);
          found[to_size(point)] = 1;
        });
    EXPECT_LT(visited, table.points / 2);
    for (Index i = 0; i < table.points; ++i)
      if ((place(table, i, q) - center).norm() < reach) {
        EXPECT_EQ(found[to_size(i)], 1);
      }
  }
}

TEST(SurfaceTree, SpeedIsABound) {
  const PartTable table = sheet(12, 4);
  const SurfaceTree tree(table);
  const VectorX rates = (VectorX(4) << 0.3, -0.2, 0.5, 0.1).finished();
  const double bound = tree.speed(rates.data());
  for (Index i = 0; i < table.points; ++i)
    EXPECT_LE((place(table, i, rates) - place(table, i, VectorX::Zero(4))).norm(), bound);
}

}  // namespace
}  // namespace pliant
