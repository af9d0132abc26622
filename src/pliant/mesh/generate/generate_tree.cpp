#include "pliant/base/text.hpp"
#include "pliant/mesh/generate/generate_solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr Index kMaxBranches = 5000;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

struct Branch {
  RoundCone rod;
  Index parent;      // -1 for the trunk
  Matrix3 frame;     // third column: its direction
  double joint = 0;  // elements within this distance of its end belong to it, even if a child is nearer
};

/// Number of branches, capped against overflow: levels and branches come from users.
Index branch_count(const TreeShape& shape) {
  Index total = 0;
  Index level = 1;
  for (Index l = 0; l < shape.levels && total <= kMaxBranches; ++l) {
    total += level;
    level = std::min(kMaxBranches + 1, level * shape.branches);
  }
  return total;
}

/// Level by level; each child is tilted by `angle` and turned about its parent's axis.
std::vector<Branch> grow(const TreeShape& shape) {
  std::vector<Branch> tree;
  const RoundCone trunk{Vector3::Zero(), shape.length * Vector3::UnitZ(), shape.radius,
                        shape.radius * shape.radius_ratio};
  tree.push_back({trunk, -1, Matrix3::Identity()});
  std::size_t begin = 0;
  for (Index level = 1; level < shape.levels; ++level) {
    const std::size_t end = tree.size();
    for (std::size_t p = begin; p < end; ++p)
      for (Index b = 0; b < shape.branches; ++b) {
        const Branch parent = tree[p];
        const double turn =
            2 * std::numbers::pi * static_cast<double>(b) / static_cast<double>(shape.branches) +
            radians(shape.twist);
        const Matrix3 frame = parent.frame * (Eigen::AngleAxisd(turn, Vector3::UnitZ()) *
                                              Eigen::AngleAxisd(radians(shape.angle), Vector3::UnitY()))
                                                 .toRotationMatrix();
        const double length = shape.length_ratio * (parent.rod.b - parent.rod.a).norm();
        const RoundCone rod{parent.rod.b, parent.rod.b + length * frame.col(2), parent.rod.radius_b,
                            parent.rod.radius_b * shape.radius_ratio};
        tree.push_back({rod, static_cast<Index>(p), frame});
      }
    begin = end;
  }
  return tree;
}

/// The children of a branch overlap up to a distance from their joint that follows from the angle between
/// them. Within that distance (and slightly more than a cell) everything belongs to the parent, so that
/// siblings do not touch.
void place_joints(const TreeShape& shape, double cell, std::vector<Branch>& tree) {
  if (shape.branches < 2) return;
  const double c = std::cos(radians(shape.angle));
  const double s = std::sin(radians(shape.angle));
  const double between = std::acos(std::clamp(
      c * c + s * s * std::cos(2 * std::numbers::pi / static_cast<double>(shape.branches)), -1.0, 1.0));
  for (Branch& branch : tree) {
    const double r = branch.rod.radius_b;
    const double child_length = shape.length_ratio * (branch.rod.b - branch.rod.a).norm();
    branch.joint = std::min(0.7 * child_length, std::hypot(r / std::tan(between / 2), r) + 1.5 * cell);
  }
}

/// The nearest branch; near a fork its parent.
Label label_at(const std::vector<Branch>& tree, const Vector3& x) {
  std::size_t nearest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < tree.size(); ++b) {
    const double f = tree[b].rod.distance(x);
    if (f >= smallest) continue;
    smallest = f;
    nearest = b;
  }
  const Index parent = tree[nearest].parent;
  if (parent >= 0 && (x - tree[parent].rod.b).norm() < tree[parent].joint) nearest = to_size(parent);
  return static_cast<Label>(nearest + 1);
}

void label_elements(const std::vector<Branch>& tree, VolumeMesh& mesh) {
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    Vector3 sum = Vector3::Zero();
    for (const VertexId v : mesh.tets[t]) sum += mesh.vertices[v];
    mesh.tet_labels[t] = label_at(tree, sum / 4);
  }
  for (std::size_t h = 0; h < mesh.hexes.size(); ++h) {
    Vector3 sum = Vector3::Zero();
    for (const VertexId v : mesh.hexes[h]) sum += mesh.vertices[v];
    mesh.hex_labels[h] = label_at(tree, sum / 8);
  }
  for (std::size_t b = 0; b < tree.size(); ++b)
    mesh.region_names[static_cast<Label>(b + 1)] = b == 0 ? "trunk" : "branch " + text(static_cast<Index>(b));
}

}  // namespace

Result<VolumeMesh> generate_tree(const TreeShape& shape, const MeshWish& wish, Progress& progress) {
  if (branch_count(shape) > kMaxBranches)
    return Diagnostic{ErrorCode::kLimit,
                      {"", 0, 0, "levels"},
                      "gives more than " + text(kMaxBranches) + " branches",
                      "lower levels or branches"};
  std::vector<Branch> tree = grow(shape);
  Rods rods;
  Box3 box;
  double thinnest = shape.radius;
  for (const Branch& branch : tree) {
    rods.add(branch.rod);
    box.extend(branch.rod.bounds());
    thinnest = std::min(thinnest, branch.rod.radius_b);
  }
  box.min().z() = 0;
  if (const Status thick = check_thickness(box, shape.resolution, 2 * thinnest, "thinnest twig"); !thick)
    return thick.errors();
  const double cell = box.sizes().maxCoeff() / static_cast<double>(shape.resolution);
  place_joints(shape, cell, tree);
  const ImplicitSolid solid(
      [&rods](const Vector3& x) { return std::max(rods.distance(x), -x.z()); },  // flat at the ground
      box);
  return fill_solid(solid, shape.resolution, wish, progress, [&tree](VolumeMesh& mesh) -> Status {
    label_elements(tree, mesh);
    return Done{};
  });
}

}  // namespace pliant
