#include "pliant/mesh/core/tet10.hpp"

#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pliant {
namespace {

using Jacobians = std::array<Matrix3, 4>;  // ∂X/∂ξ at the four corners; linear in between

constexpr int kMostHalvings = 12;
constexpr double kMargin =
    1e-10;  // of barycentric coordinates: points on a common face are inside of both tets

/// Barycentric coordinates of the ten vertices.
constexpr std::array<std::array<double, 4>, 10> kPlaces{{{1, 0, 0, 0},
                                                         {0, 1, 0, 0},
                                                         {0, 0, 1, 0},
                                                         {0, 0, 0, 1},
                                                         {0.5, 0.5, 0, 0},
                                                         {0, 0.5, 0.5, 0},
                                                         {0.5, 0, 0.5, 0},
                                                         {0.5, 0, 0, 0.5},
                                                         {0, 0.5, 0, 0.5},
                                                         {0, 0, 0.5, 0.5}}};

std::array<double, 4> corner(std::size_t i) {
  std::array<double, 4> L{};
  L[i] = 1.0;
  return L;
}

Jacobians corner_jacobians(const Tet10Corners& x) {
  Tet10Corners local;
  for (std::size_t a = 0; a < 10; ++a) local[a] = x[a] - x[0];  // nothing cancels far from the origin
  Jacobians J;
  for (std::size_t i = 0; i < 4; ++i) J[i] = tet10_jacobian(local, corner(i));
  return J;
}

/// The 20 Bernstein coefficients of det Σ L_i J_i: of the triple (i, j, k) the mean over its orders of the
/// determinant of column 0 of J_i, column 1 of J_j and column 2 of J_k.
std::array<double, 20> bernstein(const Jacobians& J) {
  std::array<double, 20> coefficients{};
  std::size_t next = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i; j < 4; ++j)
      for (std::size_t k = j; k < 4; ++k) {
        const std::array<std::array<std::size_t, 3>, 6> orders{
            {{i, j, k}, {i, k, j}, {j, i, k}, {j, k, i}, {k, i, j}, {k, j, i}}};
        double sum = 0.0;
        for (const auto& [a, b, c] : orders) sum += J[a].col(0).cross(J[b].col(1)).dot(J[c].col(2));
        coefficients[next++] = sum / 6.0;
      }
  return coefficients;
}

/// Halves the tet of J across one edge after the other while the sign of the lower bound is open.
JacobianBounds bounds_of(const Jacobians& J, int halvings) {
  const std::array<double, 20> b = bernstein(J);
  const auto [low, high] = std::minmax_element(b.begin(), b.end());
  double at_corners = J[0].determinant();
  for (std::size_t i = 1; i < 4; ++i) at_corners = std::min(at_corners, J[i].determinant());
  const bool certain = *low > 0.0 || at_corners <= 0.0 || at_corners - *low <= 0.01 * *high;
  if (certain || halvings == kMostHalvings) return {*low, *high};
  const auto& [a, c] = kTet10Edges[to_size(halvings % 6)];
  Jacobians first = J, second = J;
  first[to_size(a)] = second[to_size(c)] = 0.5 * (J[to_size(a)] + J[to_size(c)]);
  const JacobianBounds one = bounds_of(first, halvings + 1);
  const JacobianBounds two = bounds_of(second, halvings + 1);
  return {std::min(one.low, two.low), std::max(one.high, two.high)};
}

using Edge = std::pair<VertexId, VertexId>;  // ascending
Edge edge_of(const Tet10& tet, std::size_t i) {
  return std::minmax(tet[to_size(kTet10Edges[i][0])], tet[to_size(kTet10Edges[i][1])]);
}

}  // namespace

std::array<double, 10> tet10_weights(const std::array<double, 4>& L) {
  std::array<double, 10> N{};
  for (std::size_t i = 0; i < 4; ++i) N[i] = L[i] * (2.0 * L[i] - 1.0);
  for (std::size_t i = 0; i < 6; ++i)
    N[4 + i] = 4.0 * L[to_size(kTet10Edges[i][0])] * L[to_size(kTet10Edges[i][1])];
  return N;
}

std::array<std::array<double, 3>, 10> tet10_gradients(const std::array<double, 4>& L) {
  // ∂L_0/∂ξ_k = −1, ∂L_i/∂ξ_k = 1 if i = k + 1.
  const auto slope = [](std::size_t i, std::size_t k) { return i == 0 ? -1.0 : (i == k + 1 ? 1.0 : 0.0); };
  std::array<std::array<double, 3>, 10> gradients{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 4; ++i) gradients[i][k] = (4.0 * L[i] - 1.0) * slope(i, k);
    for (std::size_t e = 0; e < 6; ++e) {
      const auto i = to_size(kTet10Edges[e][0]), j = to_size(kTet10Edges[e][1]);
      gradients[4 + e][k] = 4.0 * (L[i] * slope(j, k) + L[j] * slope(i, k));
    }
  }
  return gradients;
}

Tet10Corners corners(const VolumeMesh& mesh, const Tet10& tet) {
  Tet10Corners x;
  for (std::size_t a = 0; a < 10; ++a) x[a] = mesh.vertices[to_size(tet[a])];
  return x;
}

std::array<VertexId, 3> face_midsides(const Tet10& tet, const std::array<VertexId, 3>& face) {
  std::array<VertexId, 3> midsides{-1, -1, -1};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t e = 0; e < 6; ++e)
      if (edge_of(tet, e) == Edge(std::minmax(face[i], face[(i + 1) % 3]))) midsides[i] = tet[4 + e];
  return midsides;
}

Matrix3 tet10_jacobian(const Tet10Corners& x, const std::array<double, 4>& barycentric) {
  const auto gradients = tet10_gradients(barycentric);
  Matrix3 J = Matrix3::Zero();
  for (std::size_t a = 0; a < 10; ++a) J += x[a] * Eigen::Map<const Eigen::RowVector3d>(gradients[a].data());
  return J;
}

double tet10_volume(const Tet10Corners& x) {
  // Every Bernstein polynomial has the same integral, so the mean of det J is that of its coefficients.
  double sum = 0.0;
  for (const double b : bernstein(corner_jacobians(x))) sum += b;
  return sum / 20.0 / 6.0;
}

std::array<double, 4> closest_on_tet10(const Tet10Corners& x, const Vector3& p) {
  std::array<double, 4> best{};
  double least = std::numeric_limits<double>::infinity();
  for (const auto& face : kTet10Faces) {
    // the four flat triangles of a face, by local vertices
    const std::array<std::array<int, 3>, 4> flat{{{face[0], face[3], face[5]},
                                                  {face[3], face[1], face[4]},
                                                  {face[5], face[4], face[2]},
                                                  {face[3], face[4], face[5]}}};
    for (const auto& t : flat) {
      const auto at = [&](std::size_t i) -> const Vector3& { return x[to_size(t[i])]; };
      const Vector3 q = closest_point_on_triangle(p, at(0), at(1), at(2));
      const double distance = (q - p).squaredNorm();
      if (!(distance < least)) continue;
      least = distance;
      // q = at(0) + s (at(1) − at(0)) + t (at(2) − at(0)), in the least-squares sense
      Eigen::Matrix<double, 3, 2> sides;
      sides << at(1) - at(0), at(2) - at(0);
      const Eigen::Vector2d st = (sides.transpose() * sides).inverse() * (sides.transpose() * (q - at(0)));
      best = {};
      const std::array<double, 3> share{1.0 - st.sum(), st[0], st[1]};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 4; ++k) best[k] += share[i] * kPlaces[to_size(t[i])][k];
    }
  }
  return best;
}

std::optional<std::array<double, 4>> invert_tet10(const Tet10Corners& x, const Vector3& p) {
  Tet10Corners local;
  double size = 0.0;
  for (std::size_t a = 0; a < 10; ++a) {
    local[a] = x[a] - p;
    size = std::max(size, (x[a] - x[0]).norm());
  }
  Vector3 xi = Vector3::Constant(0.25);
  std::array<double, 4> L{};
  double distance = size;
  // Newton's steps are kept short: far outside the map may fold. Rounding ends them at about 1e-16 size.
  for (int i = 0; i < 30 && distance > 1e-15 * size && xi.cwiseAbs().maxCoeff() < 3.0; ++i) {
    L = {1.0 - xi.sum(), xi[0], xi[1], xi[2]};
    const auto weights = tet10_weights(L);
    Vector3 offset = Vector3::Zero();
    for (std::size_t a = 0; a < 10; ++a) offset += weights[a] * local[a];
    distance = offset.norm();
    const Vector3 step = tet10_jacobian(local, L).partialPivLu().solve(offset);
    if (!step.allFinite()) return std::nullopt;
    if (step.norm() < 1e-15) break;
    xi -= std::min(1.0, 0.5 / step.norm()) * step;
  }
  const bool inside = distance <= 1e-12 * size && *std::min_element(L.begin(), L.end()) >= -kMargin;
  return inside ? std::optional(L) : std::nullopt;
}

bool is_straight(const Tet10Corners& x) {
  double size = 0.0;
  for (std::size_t i = 1; i < 4; ++i) size = std::max(size, (x[i] - x[0]).norm());
  // Far above the rounding of coordinates, far below any error that integration would show.
  const double tolerance = 1e-10 * size;
  for (std::size_t e = 0; e < 6; ++e) {
    const Vector3& a = x[to_size(kTet10Edges[e][0])];
    const Vector3& b = x[to_size(kTet10Edges[e][1])];
    if ((x[4 + e] - 0.5 * (a + b)).norm() > tolerance) return false;
  }
  return true;
}

JacobianBounds tet10_jacobian_bounds(const Tet10Corners& x) { return bounds_of(corner_jacobians(x), 0); }

double tet10_quality(const Tet10Corners& x) {
  const JacobianBounds bounds = tet10_jacobian_bounds(x);
  const double largest = std::max(std::abs(bounds.low), std::abs(bounds.high));
  if (!(largest > 0.0)) return 0.0;
  const double linear = std::abs(tet_quality({x[0], x[1], x[2], x[3]}));
  return linear * bounds.low / largest;
}

VolumeMesh make_quadratic(VolumeMesh mesh) {
  std::map<Edge, VertexId> middles;
  for (const Tet10& tet : mesh.tet10s)
    for (std::size_t e = 0; e < 6; ++e) middles.emplace(edge_of(tet, e), tet[4 + e]);
  mesh.tet10s.reserve(mesh.tet10s.size() + mesh.tets.size());
  for (const Tet& corners_of : mesh.tets) {
    Tet10 tet{};
    std::copy(corners_of.begin(), corners_of.end(), tet.begin());
    for (std::size_t e = 0; e < 6; ++e) {
      const Edge edge = edge_of(tet, e);
      const auto [found, added] = middles.emplace(edge, static_cast<VertexId>(mesh.vertices.size()));
      if (added)
        mesh.vertices.emplace_back(
            0.5 * (mesh.vertices[to_size(edge.first)] + mesh.vertices[to_size(edge.second)]));
      tet[4 + e] = found->second;
    }
    mesh.tet10s.push_back(tet);
  }
  mesh.tet10_labels.insert(mesh.tet10_labels.end(), mesh.tet_labels.begin(), mesh.tet_labels.end());
  mesh.tets.clear();
  mesh.tet_labels.clear();
  return mesh;
}

LinearMesh make_linear(const VolumeMesh& mesh) {
  LinearMesh result{mesh, {}};
  VolumeMesh& linear = result.mesh;
  std::vector<char> dropped(mesh.vertices.size(), 0);
  for (const Tet10& tet : mesh.tet10s) {
    linear.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
    for (std::size_t a = 4; a < 10; ++a) dropped[to_size(tet[a])] = 1;
  }
  linear.tet_labels.insert(linear.tet_labels.end(), mesh.tet10_labels.begin(), mesh.tet10_labels.end());
  linear.tet10s.clear();
  linear.tet10_labels.clear();
  for_each_element(linear, [&](Index, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) dropped[to_size(v)] = 0;
  });
  std::vector<VertexId> number(mesh.vertices.size(), -1);
  linear.vertices.clear();
  for (std::size_t v = 0; v < dropped.size(); ++v) {
    if (dropped[v] != 0) continue;
    number[v] = static_cast<VertexId>(result.kept.size());
    result.kept.push_back(static_cast<VertexId>(v));
    linear.vertices.push_back(mesh.vertices[v]);
  }
  const auto renumber = [&](auto& list) {
    for (auto& vertices : list)
      for (VertexId& v : vertices) v = number[to_size(v)];
  };
  // A labelled face at a dropped vertex was no face of an element, since faces are known by their corners.
  const auto drop_faces = [&](auto& faces, std::vector<Label>& labels) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      if (std::any_of(faces[i].begin(), faces[i].end(), [&](VertexId v) { return dropped[to_size(v)] != 0; }))
        continue;
      faces[kept] = faces[i];
      labels[kept++] = labels[i];
    }
    faces.resize(kept);
    labels.resize(kept);
  };
  drop_faces(linear.triangles, linear.triangle_labels);
  drop_faces(linear.quads, linear.quad_labels);
  renumber(linear.tets);
  renumber(linear.hexes);
  renumber(linear.triangles);
  renumber(linear.quads);
  return result;
}

}  // namespace pliant
