#include "pliant/contact/surface_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kLeaf = 16;         // points
constexpr double kRounding = 1e-5;  // relative: numbers of the tables are floats

Vector3 rest_of(const PartTable& table, Index point) {
  const float* x = table.rest.data() + 3 * point;
  return {x[0], x[1], x[2]};
}

/// Column l of a point's rows of U.
Vector3 column_of(const PartTable& table, Index point, Index l) {
  const float* rows = table.shapes.data() + 3 * point * table.size;
  return {rows[l], rows[table.size + l], rows[2 * table.size + l]};
}

}  // namespace

SurfaceTree::SurfaceTree(const PartTable& table) : r_(table.size), order_(to_size(table.points)) {
  std::iota(order_.begin(), order_.end(), Index{0});
  if (table.points > 0) build(table, 0, table.points);
  for (const Index point : order_) {
    const Vector3 x = rest_of(table, point);
    for (Index c = 0; c < 3; ++c) rest_.push_back(static_cast<float>(x[c]));
    for (Index l = 0; l < r_; ++l)
      for (Index c = 0; c < 3; ++c) shapes_.push_back(static_cast<float>(column_of(table, point, l)[c]));
  }
}

/// Splits the points at the middle of the longest side of their box.
void SurfaceTree::build(const PartTable& table, Index first, Index count) {
  const auto number = nodes_.size();
  Node node;
  node.first = first;
  node.count = count;
  node.leaf = count <= kLeaf;
  bound(table, node);
  nodes_.push_back(node);
  if (!node.leaf) {
    const auto begin = order_.begin() + first;
    Vector3 low = rest_of(table, *begin), high = low;
    for (auto it = begin; it != begin + count; ++it) {
      low = low.cwiseMin(rest_of(table, *it));
      high = high.cwiseMax(rest_of(table, *it));
    }
    Index axis = 0;
    (high - low).maxCoeff(&axis);
    const Index half = count / 2;
    std::nth_element(begin, begin + half, begin + count, [&](Index a, Index b) {
      const double xa = rest_of(table, a)[axis], xb = rest_of(table, b)[axis];
      return xa != xb ? xa < xb : a < b;
    });
    build(table, first, half);
    build(table, first + half, count - half);
  }
  nodes_[number].next = std::ssize(nodes_);
}

void SurfaceTree::bound(const PartTable& table, Node& node) {
  const auto each = [&](const auto& visit) {
    for (Index i = node.first; i < node.first + node.count; ++i) visit(order_[to_size(i)]);
  };
  Vector3 low = rest_of(table, order_[to_size(node.first)]), high = low;
  each([&](Index point) {
    low = low.cwiseMin(rest_of(table, point));
    high = high.cwiseMax(rest_of(table, point));
  });
  node.center = 0.5 * (low + high);
  each([&](Index point) {
    node.radius = std::max(node.radius, (rest_of(table, point) - node.center).norm());
  });
  node.radius *= 1.0 + kRounding;
  for (Index l = 0; l < r_; ++l) {
    Vector3 mean = Vector3::Zero();
    each([&](Index point) { mean += column_of(table, point, l); });
    mean /= static_cast<double>(node.count);
    double spread = 0.0;
    each([&](Index point) { spread = std::max(spread, (column_of(table, point, l) - mean).norm()); });
    for (Index c = 0; c < 3; ++c) means_.push_back(static_cast<float>(mean[c]));
    spreads_.push_back(static_cast<float>((1.0 + kRounding) * spread + 1e-7 * mean.norm()));
  }
}

SurfaceTree::Ball SurfaceTree::ball(Index node, const double* q) const {
  const Node& own = nodes_[to_size(node)];
  const float* mean = means_.data() + 3 * r_ * node;
  const float* spread = spreads_.data() + r_ * node;
  Ball ball{own.center, own.radius};
  for (Index l = 0; l < r_; ++l) {
    ball.center += q[l] * Vector3(mean[3 * l], mean[3 * l + 1], mean[3 * l + 2]);
    ball.radius += std::abs(q[l]) * static_cast<double>(spread[l]);
  }
  return ball;
}

Vector3 SurfaceTree::place(Index i, const double* q) const {
  const float* x = rest_.data() + 3 * i;
  const float* rows = shapes_.data() + 3 * r_ * i;
  double a = x[0], b = x[1], c = x[2];
  for (Index l = 0; l < r_; ++l) {
    a += q[l] * static_cast<double>(rows[3 * l]);
    b += q[l] * static_cast<double>(rows[3 * l + 1]);
    c += q[l] * static_cast<double>(rows[3 * l + 2]);
  }
  return {a, b, c};
}

double SurfaceTree::speed(const double* qd) const {
  if (nodes_.empty()) return 0.0;
  const float* spread = spreads_.data();
  Vector3 mean = Vector3::Zero();
  double bound = 0.0;
  for (Index l = 0; l < r_; ++l) {
    mean += qd[l] * Vector3(means_[to_size(3 * l)], means_[to_size(3 * l + 1)], means_[to_size(3 * l + 2)]);
    bound += std::abs(qd[l]) * static_cast<double>(spread[l]);
  }
  return bound + mean.norm();
}

}  // namespace pliant
