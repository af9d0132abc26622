#include "pliant/mesh/core/embedding.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/core/box_tree.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/mesh/core/trilinear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pliant {
namespace {

constexpr Index kBlock = 256;
constexpr double kInside = -1e-12;  // tolerance for rounding errors of barycentric coordinates
constexpr double kSmallest = std::numeric_limits<double>::min();

/// Up to ten vertices of one element and their weights.
struct PointWeights {
  Index element = -1;
  double distance = 0.0;
  int count = 0;
  std::array<VertexId, 10> vertices{};
  std::array<double, 10> weights{};
};

using TetCorners = std::array<Vector3, 4>;

/// Barycentric coordinates by a solve with pivoting: the point is reproduced well whatever the shape of the
/// tet. Not finite for a tet without volume.
Eigen::Vector4d barycentric(const TetCorners& x, const Vector3& p) {
  Matrix3 edges;
  edges << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  const Vector3 w = edges.partialPivLu().solve(p - x[0]);
  return {1.0 - w.sum(), w.x(), w.y(), w.z()};
}

/// Finds the element of a point and its weights in it.
class Locator {
 public:
  explicit Locator(const VolumeMesh& mesh) : mesh_(mesh), tree_(boxes(mesh)) {}

  [[nodiscard]] PointWeights locate(const Vector3& p) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    // Most points lie inside. Testing for that first saves the distances to the elements around them.
    BoxTree::Nearest nearest = tree_.nearest(
        p, [&](Index element) { return contains(element, p) ? 0.0 : kInfinity; }, kSmallest);
    if (nearest.item < 0)
      nearest = tree_.nearest(p, [&](Index element) { return squared_distance(element, p); });
    PointWeights result;
    result.element = nearest.item;
    result.distance = std::sqrt(nearest.squared_distance);
    if (is_tet(nearest.item))
      weigh_tet(p, result);
    else if (is_hex(nearest.item))
      weigh_hex(p, result);
    else
      weigh_tet10(p, result);
    return result;
  }

 private:
  static std::vector<Box3> boxes(const VolumeMesh& mesh) {
    std::vector<Box3> result(to_size(mesh.element_count()));
    for_each_element(mesh, [&](Index element, std::span<const VertexId> v) {
      Box3& box = result[to_size(element)];
      const auto at = [&](std::size_t i) -> const Vector3& { return mesh.vertices[to_size(v[i])]; };
      for (std::size_t i = 0; i < v.size(); ++i) box.extend(at(i));
      // A curved edge bulges beyond its midside vertex; its Bézier point 2 x_m − (x_a + x_b)/2 bounds it.
      for (std::size_t i = 4; v.size() == 10 && i < 10; ++i)
        box.extend(Vector3(2.0 * at(i) -
                           0.5 * (at(to_size(kTet10Edges[i - 4][0])) + at(to_size(kTet10Edges[i - 4][1])))));
    });
    return result;
  }

  [[nodiscard]] bool is_tet(Index element) const { return element < std::ssize(mesh_.tets); }
  [[nodiscard]] bool is_hex(Index element) const { return !is_tet(element) && element < mesh_.first_tet10(); }
  [[nodiscard]] Tet10Corners tet10_corners(Index element) const {
    return corners(mesh_, mesh_.tet10s[to_size(element - mesh_.first_tet10())]);
  }
  [[nodiscard]] const Tet& tet(Index element) const { return mesh_.tets[to_size(element)]; }
  [[nodiscard]] const Hex& hex(Index element) const {
    return mesh_.hexes[to_size(element) - mesh_.tets.size()];
  }
  [[nodiscard]] TetCorners tet_corners(Index element) const {
    TetCorners x;
    for (std::size_t i = 0; i < 4; ++i) x[i] = mesh_.vertices[to_size(tet(element)[i])];
    return x;
  }
  [[nodiscard]] HexCorners hex_corners(Index element) const {
    HexCorners x;
    for (std::size_t i = 0; i < 8; ++i) x[i] = mesh_.vertices[to_size(hex(element)[i])];
    return x;
  }

  [[nodiscard]] bool contains(Index element, const Vector3& p) const {
    if (is_tet(element)) return barycentric(tet_corners(element), p).minCoeff() >= kInside;
    if (is_hex(element)) return invert_hex(hex_corners(element), p).has_value();
    return invert_tet10(tet10_corners(element), p).has_value();
  }

  [[nodiscard]] double squared_distance(Index element, const Vector3& p) const {
    if (is_tet(element)) return tet_distance(element, p);
    return is_hex(element) ? hex_distance(element, p) : tet10_distance(element, p);
  }

  [[nodiscard]] double tet10_distance(Index element, const Vector3& p) const {
    const Tet10Corners x = tet10_corners(element);
    if (invert_tet10(x, p)) return 0.0;
    const auto weights = tet10_weights(closest_on_tet10(x, p));
    Vector3 offset = Vector3::Zero();
    for (std::size_t i = 0; i < 10; ++i) offset += weights[i] * (x[i] - p);
    return offset.squaredNorm();
  }

  /// If p is outside, its nearest point lies on one of the faces that p is on the outer side of.
  [[nodiscard]] double tet_distance(Index element, const Vector3& p) const {
    const TetCorners x = tet_corners(element);
    const Eigen::Vector4d w = barycentric(x, p);
    if (w.minCoeff() >= kInside) return 0.0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < 4; ++f) {  // face f lies opposite to corner f
      if (w[static_cast<Index>(f)] >= 0.0) continue;
      const auto corner = [&](std::size_t i) { return x[to_size(kTetFaces[f][i])]; };
      best =
          std::min(best, (closest_point_on_triangle(p, corner(0), corner(1), corner(2)) - p).squaredNorm());
    }
    return best;
  }

  [[nodiscard]] double hex_distance(Index element, const Vector3& p) const {
    const HexCorners x = hex_corners(element);
    if (invert_hex(x, p)) return 0.0;
    // Σ N_i (x_i − p): relative to p, so that nothing cancels.
    const HexWeights weights = hex_weights(closest_on_hex(x, p));
    Vector3 offset = Vector3::Zero();
    for (std::size_t i = 0; i < 8; ++i) offset += weights[static_cast<Index>(i)] * (x[i] - p);
    return offset.squaredNorm();
  }

  void weigh_tet(const Vector3& p, PointWeights& result) const {
    const TetCorners x = tet_corners(result.element);
    Eigen::Vector4d w = barycentric(x, p);
    if (!w.allFinite()) {  // a tet without volume: the nearest corner carries the point
      std::size_t nearest = 0;
      for (std::size_t i = 1; i < 4; ++i)
        if ((x[i] - p).squaredNorm() < (x[nearest] - p).squaredNorm()) nearest = i;
      w = Eigen::Vector4d::Unit(static_cast<Index>(nearest));
    }
    result.count = 4;
    for (std::size_t i = 0; i < 4; ++i) {
      result.vertices[i] = tet(result.element)[i];
      result.weights[i] = w[static_cast<Index>(i)];
    }
  }

  /// Trilinear weights. Outside, they are expanded to first order at the nearest point ξ*: N(ξ*) + ∇ₓN(ξ*) ·
  /// (p − x(ξ*)).
  void weigh_hex(const Vector3& p, PointWeights& result) const {
    const HexCorners x = hex_corners(result.element);
    const std::optional<Vector3> inside = invert_hex(x, p);
    const Vector3 xi = inside ? *inside : closest_on_hex(x, p);
    HexWeights weights = hex_weights(xi);
    if (!inside) {
      const HexGradients gradients = hex_gradients(xi);
      Vector3 offset = Vector3::Zero();
      // Solve J dξ = p − x(ξ*); the weights change by ∇N dξ.
      Matrix3 jacobian = Matrix3::Zero();
      for (std::size_t i = 0; i < 8; ++i) {
        const auto k = static_cast<Index>(i);
        offset -= weights[k] * (x[i] - p);
        jacobian += (x[i] - x[0]) * gradients.col(k).transpose();
      }
      const Vector3 step = jacobian.partialPivLu().solve(offset);
      if (step.allFinite()) weights += gradients.transpose() * step;
    }
    result.count = 8;
    for (std::size_t i = 0; i < 8; ++i) {
      result.vertices[i] = hex(result.element)[i];
      result.weights[i] = weights[static_cast<Index>(i)];
    }
  }

  /// Quadratic weights; outside expanded to first order, as for a hex.
  void weigh_tet10(const Vector3& p, PointWeights& result) const {
    const Tet10Corners x = tet10_corners(result.element);
    const auto inside = invert_tet10(x, p);
    const std::array<double, 4> L = inside ? *inside : closest_on_tet10(x, p);
    auto weights = tet10_weights(L);
    if (!inside) {
      Vector3 offset = Vector3::Zero();
      for (std::size_t i = 0; i < 10; ++i) offset -= weights[i] * (x[i] - p);
      const Vector3 step = tet10_jacobian(x, L).partialPivLu().solve(offset);
      const auto gradients = tet10_gradients(L);
      for (std::size_t i = 0; i < 10 && step.allFinite(); ++i)
        weights[i] += Eigen::Map<const Vector3>(gradients[i].data()).dot(step);
    }
    result.count = 10;
    const auto& vertices = mesh_.tet10s[to_size(result.element - mesh_.first_tet10())];
    std::copy(vertices.begin(), vertices.end(), result.vertices.begin());
    std::copy(weights.begin(), weights.end(), result.weights.begin());
  }

  const VolumeMesh& mesh_;
  BoxTree tree_;
};

Diagnostics bad_points(std::span<const Vector3> points) {
  Diagnostics errors;
  for (std::size_t i = 0; i < points.size() && errors.size() < 10; ++i)
    if (!points[i].allFinite())
      errors.push_back({ErrorCode::kNonFinite,
                        {{}, 0, 0, "vertex " + text(static_cast<Index>(i))},
                        "coordinate is not finite",
                        {}});
  return errors;
}

Embedding assemble(const std::vector<PointWeights>& located, Index vertex_count) {
  Embedding result;
  for (const PointWeights& point : located) {
    result.elements.push_back(point.element);
    result.distances.push_back(point.distance);
    const auto count = to_size(point.count);
    result.points.columns.insert(result.points.columns.end(), point.vertices.begin(),
                                 point.vertices.begin() + point.count);
    result.points.weights.insert(result.points.weights.end(), point.weights.begin(),
                                 point.weights.begin() + point.count);
    result.points.starts.push_back(result.points.starts.back() + static_cast<Index>(count));
  }
  result.vertices = transposed(result.points, vertex_count);
  return result;
}

/// out = rows · in, three numbers at a time.
void apply(const WeightRows& rows, const ConstVectorRef& in, VectorRef& out) {
  PLIANT_ASSERT(out.size() == 3 * rows.row_count());
  parallel_blocks(rows.row_count(), 8 * kBlock, [&](Index, Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Vector3 sum = Vector3::Zero();
      const Index stop = rows.starts[to_size(row) + 1];
      for (Index k = rows.starts[to_size(row)]; k < stop; ++k) {
        const auto entry = to_size(k);
        sum += rows.weights[entry] * in.segment<3>(3 * Index{rows.columns[entry]});
      }
      out.segment<3>(3 * row) = sum;
    }
  });
}

}  // namespace

WeightRows transposed(const WeightRows& rows, Index column_count) {
  WeightRows result;
  result.starts.assign(to_size(column_count) + 1, 0);
  for (const VertexId column : rows.columns) ++result.starts[to_size(column) + 1];
  for (std::size_t i = 1; i < result.starts.size(); ++i) result.starts[i] += result.starts[i - 1];
  result.columns.resize(rows.columns.size());
  result.weights.resize(rows.weights.size());
  std::vector<Index> next(result.starts.begin(), result.starts.end() - 1);
  for (Index row = 0; row < rows.row_count(); ++row)
    for (Index k = rows.starts[to_size(row)]; k < rows.starts[to_size(row) + 1]; ++k) {
      const auto from = to_size(k);
      const auto to = to_size(next[to_size(rows.columns[from])]++);
      result.columns[to] = static_cast<VertexId>(row);
      result.weights[to] = rows.weights[from];
    }
  return result;
}

double Embedding::largest_distance() const {
  return distances.empty() ? 0.0 : *std::max_element(distances.begin(), distances.end());
}

Result<Embedding> embed(const VolumeMesh& mesh, std::span<const Vector3> points, Progress& progress) {
  if (mesh.element_count() == 0)
    return Diagnostic{ErrorCode::kMissing, {}, "the volume mesh has no elements to embed points in", {}};
  if (Diagnostics errors = bad_points(points); !errors.empty()) return errors;
  constexpr Index kRound = 64 * kBlock;  // points between two checks for cancellation
  const Locator locator(mesh);
  const auto count = std::ssize(points);
  std::vector<PointWeights> located(points.size());
  progress.begin("embedding", count);
  for (Index start = 0; start < count && !progress.cancelled(); start += kRound) {
    const Index size = std::min(kRound, count - start);
    parallel_blocks(size, kBlock, [&](Index, Index begin, Index end) {
      for (auto i = to_size(start + begin); i < to_size(start + end); ++i)
        located[i] = locator.locate(points[i]);
    });
    progress.update(start + size);
  }
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "embedding was interrupted", {}};
  return assemble(located, mesh.vertex_count());
}

void interpolate(const Embedding& embedding, ConstVectorRef vertex_values, VectorRef point_values) {
  PLIANT_ASSERT(vertex_values.size() == 3 * embedding.vertex_count());
  apply(embedding.points, vertex_values, point_values);
}

void spread(const Embedding& embedding, ConstVectorRef point_forces, VectorRef vertex_forces) {
  PLIANT_ASSERT(point_forces.size() == 3 * embedding.point_count());
  apply(embedding.vertices, point_forces, vertex_forces);
}

}  // namespace pliant
