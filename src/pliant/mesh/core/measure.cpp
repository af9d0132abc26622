#include "pliant/mesh/core/measure.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

template <std::size_t N>
std::array<Vector3, N> scaled_to_one(const std::array<Vector3, N>& x) {
  Vector3 low = x[0];
  Vector3 high = x[0];
  for (const Vector3& p : x) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double size = (high - low).maxCoeff();
  std::array<Vector3, N> scaled;
  for (std::size_t i = 0; i < N; ++i)
    scaled[i] = size > 0.0 ? Vector3((x[i] - x[0]) / size) : Vector3::Zero();
  return scaled;
}

double determinant(const Vector3& a, const Vector3& b, const Vector3& c) { return a.cross(b).dot(c); }

/// Angle along `edge` between the half planes towards a and b, degrees.
double dihedral(const Vector3& edge, const Vector3& a, const Vector3& b) {
  const Vector3 n = edge.cross(a);
  const Vector3 m = edge.cross(b);
  // atan2 is accurate near 0° and 180°, where acos would lose half of the digits.
  return std::atan2(n.cross(m).norm(), n.dot(m)) * (180.0 / std::numbers::pi);
}

void widen(std::array<double, 2>& range, double value) {
  range[0] = std::min(range[0], value);
  range[1] = std::max(range[1], value);
}

constexpr std::array<double, 2> kNoRange{std::numeric_limits<double>::infinity(),
                                         -std::numeric_limits<double>::infinity()};

/// Union–find over vertices, with path halving.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  VertexId root(VertexId v) {
    while (at(v) != v) {
      at(v) = at(at(v));
      v = at(v);
    }
    return v;
  }
  void join(VertexId a, VertexId b) {
    a = root(a);
    b = root(b);
    at(std::max(a, b)) = std::min(a, b);
  }

 private:
  VertexId& at(VertexId v) { return parent_[to_size(v)]; }
  std::vector<VertexId> parent_;
};

std::vector<bool> used_vertices(const VolumeMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for_each_element(mesh, [&](Index, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) used[to_size(v)] = true;
  });
  return used;
}

}  // namespace

std::array<Vector3, 4> corners(const VolumeMesh& mesh, const Tet& tet) {
  std::array<Vector3, 4> x;
  for (std::size_t i = 0; i < 4; ++i) x[i] = mesh.vertices[to_size(tet[i])];
  return x;
}

std::array<Vector3, 8> corners(const VolumeMesh& mesh, const Hex& hex) {
  std::array<Vector3, 8> x;
  for (std::size_t i = 0; i < 8; ++i) x[i] = mesh.vertices[to_size(hex[i])];
  return x;
}

std::array<Vector3, 4> unit_size(const std::array<Vector3, 4>& x) { return scaled_to_one(x); }
std::array<Vector3, 8> unit_size(const std::array<Vector3, 8>& x) { return scaled_to_one(x); }

double tet_volume(const std::array<Vector3, 4>& x) {
  return determinant(x[1] - x[0], x[2] - x[0], x[3] - x[0]) / 6.0;
}

Matrix3 hex_jacobian(const std::array<Vector3, 8>& x, const Vector3& xi) {
  // N_i = (1 + s_i ξ)(1 + t_i η)(1 + u_i ζ) / 8 with the corner signs s, t, u
  static constexpr std::array<std::array<double, 3>, 8> kSigns{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
  Matrix3 jacobian = Matrix3::Zero();
  for (std::size_t i = 0; i < 8; ++i) {
    const auto& s = kSigns[i];
    const Vector3 factor(1 + s[0] * xi[0], 1 + s[1] * xi[1], 1 + s[2] * xi[2]);
    const Vector3 gradient(s[0] * factor[1] * factor[2], s[1] * factor[0] * factor[2],
                           s[2] * factor[0] * factor[1]);
    jacobian += x[i] * (gradient.transpose() / 8.0);
  }
  return jacobian;
}

double hex_volume(const std::array<Vector3, 8>& x) {
  // det J is quadratic in each of ξ, η, ζ: two Gauss points per axis, of weight 1, integrate it exactly.
  const double g = 1.0 / std::sqrt(3.0);
  std::array<Vector3, 8> local;
  for (std::size_t i = 0; i < 8; ++i) local[i] = x[i] - x[0];
  double volume = 0.0;
  for (const double a : {-g, g})
    for (const double b : {-g, g})
      for (const double c : {-g, g}) volume += hex_jacobian(local, Vector3(a, b, c)).determinant();
  return volume;
}

double tet_quality(const std::array<Vector3, 4>& x) {
  const auto y = unit_size(x);
  double squares = 0.0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) squares += (y[i] - y[j]).squaredNorm();
  const double rms = std::sqrt(squares / 6.0);
  // 1 for the regular tet, V = a³/(6√2).
  return rms > 0.0 ? 6.0 * std::numbers::sqrt2 * tet_volume(y) / (rms * rms * rms) : 0.0;
}

double hex_quality(const std::array<Vector3, 8>& x) {
  const auto y = unit_size(x);
  double smallest = 1.0;
  for (std::size_t i = 0; i < 8; ++i) {
    std::array<Vector3, 3> edge;
    double product = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      edge[k] = y[to_size(kHexCorners[i][k])] - y[i];
      product *= edge[k].norm();
    }
    if (!(product > 0.0)) return 0.0;
    smallest = std::min(smallest, determinant(edge[0], edge[1], edge[2]) / product);
  }
  return smallest;
}

std::array<double, 2> tet_dihedral_deg(const std::array<Vector3, 4>& x) {
  // The edge (i, j) and the two vertices opposite to it, k and l.
  static constexpr std::array<std::array<std::size_t, 4>, 6> kEdges{
      {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}};
  const auto y = unit_size(x);
  std::array<double, 2> range = kNoRange;
  for (const auto& [i, j, k, l] : kEdges) widen(range, dihedral(y[j] - y[i], y[k] - y[i], y[l] - y[i]));
  return range;
}

std::array<double, 2> hex_dihedral_deg(const std::array<Vector3, 8>& x) {
  const auto y = unit_size(x);
  std::array<double, 2> range = kNoRange;
  for (std::size_t i = 0; i < 8; ++i) {
    std::array<Vector3, 3> edge;
    for (std::size_t k = 0; k < 3; ++k) edge[k] = y[to_size(kHexCorners[i][k])] - y[i];
    for (std::size_t k = 0; k < 3; ++k) widen(range, dihedral(edge[k], edge[(k + 1) % 3], edge[(k + 2) % 3]));
  }
  return range;
}

namespace {

Components join_elements(const VolumeMesh& mesh) {
  Components components(mesh.vertices.size());
  for_each_element(mesh, [&](Index, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices.subspan(1)) components.join(vertices[0], v);
  });
  return components;
}

}  // namespace

MeshParts find_parts(const VolumeMesh& mesh) {
  Components components = join_elements(mesh);
  const std::size_t n = mesh.vertices.size();
  std::vector<Index> elements(n, 0);
  for_each_element(mesh, [&](Index, std::span<const VertexId> vertices) {
    ++elements[to_size(components.root(vertices[0]))];
  });
  std::vector<std::size_t> order;
  for (std::size_t v = 0; v < n; ++v)
    if (elements[v] > 0) order.push_back(v);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return elements[a] > elements[b]; });
  std::vector<Index> number(n, -1);
  MeshParts found;
  for (const std::size_t v : order) {
    number[v] = std::ssize(found.parts);
    found.parts.push_back({elements[v], Vector3::Zero()});
  }
  std::vector<Index> counts(found.parts.size(), 0);
  for (std::size_t v = 0; v < n; ++v) {
    const Index part = number[to_size(components.root(static_cast<VertexId>(v)))];
    found.of_vertex.push_back(part);
    if (part < 0) continue;
    // a running mean: no sum that could overflow
    found.parts[to_size(part)].center +=
        (mesh.vertices[v] - found.parts[to_size(part)].center) / static_cast<double>(++counts[to_size(part)]);
  }
  return found;
}

namespace {

constexpr std::size_t kNamed = 3;  // so many are told, the others only counted

template <class List, class Describe>
std::string describe_some(const List& list, const Describe& describe) {
  std::string words;
  for (std::size_t i = 0; i < std::min(kNamed, list.size()); ++i)
    words += (i == 0 ? "" : ", ") + describe(list[i]);
  if (list.size() > kNamed) words += " and " + text(std::ssize(list) - static_cast<Index>(kNamed)) + " more";
  return words;
}

std::string describe_place(const Vector3& x) {
  return "(" + short_text(x[0]) + ", " + short_text(x[1]) + ", " + short_text(x[2]) + ")";
}

}  // namespace

std::string describe_parts(std::span<const MeshParts::Part> parts) {
  return describe_some(parts, [](const MeshParts::Part& part) {
    return text(part.elements) + " elements about " + describe_place(part.center);
  });
}

std::string describe_places(std::span<const Vector3> places) { return describe_some(places, describe_place); }

Index count_components(const VolumeMesh& mesh) { return std::ssize(find_parts(mesh).parts); }

std::vector<Index> largest_component(const VolumeMesh& mesh) {
  const MeshParts parts = find_parts(mesh);
  std::vector<Index> elements;
  for_each_element(mesh, [&](Index element, std::span<const VertexId> vertices) {
    if (parts.of_vertex[to_size(vertices[0])] == 0) elements.push_back(element);
  });
  return elements;
}

Index count_duplicate_vertices(const VolumeMesh& mesh) {
  std::vector<Vector3> sorted = mesh.vertices;
  std::sort(sorted.begin(), sorted.end(), [](const Vector3& a, const Vector3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  });
  Index count = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) count += sorted[i] == sorted[i - 1] ? 1 : 0;
  return count;
}

Index count_unused_vertices(const VolumeMesh& mesh) {
  const std::vector<bool> used = used_vertices(mesh);
  return std::count(used.begin(), used.end(), false);
}

MeshReport measure(const VolumeMesh& mesh) {
  MeshReport report;
  report.vertices = mesh.vertex_count();
  report.tets = std::ssize(mesh.tets);
  report.hexes = std::ssize(mesh.hexes);
  report.tet10s = std::ssize(mesh.tet10s);
  if (!mesh.vertices.empty()) report.low = report.high = mesh.vertices.front();
  for (const Vector3& p : mesh.vertices) {
    report.low = report.low.cwiseMin(p);
    report.high = report.high.cwiseMax(p);
  }
  std::array<double, 2> angles = kNoRange;
  double quality = std::numeric_limits<double>::infinity();
  const auto add = [&](double volume, double q, const std::array<double, 2>& range) {
    report.volume += volume;
    report.inverted += volume < 0.0 ? 1 : 0;
    quality = std::min(quality, q);
    widen(angles, range[0]);
    widen(angles, range[1]);
  };
  for (const Tet& tet : mesh.tets) {
    const auto x = corners(mesh, tet);
    add(tet_volume(x), tet_quality(x), tet_dihedral_deg(x));
  }
  for (const Hex& hex : mesh.hexes) {
    const auto x = corners(mesh, hex);
    add(hex_volume(x), hex_quality(x), hex_dihedral_deg(x));
  }
  for (const Tet10& tet : mesh.tet10s) {
    const auto x = corners(mesh, tet);
    const double volume = tet10_volume(x);
    const double q = tet10_quality(x);
    add(volume, q, tet_dihedral_deg({x[0], x[1], x[2], x[3]}));
    report.inverted += volume >= 0.0 && q < 0.0 ? 1 : 0;  // folded, though its volume is positive
  }
  if (mesh.element_count() > 0) {
    report.min_quality = quality;
    report.dihedral_deg = angles;
  }
  report.components = count_components(mesh);
  report.duplicate_vertices = count_duplicate_vertices(mesh);
  report.unused_vertices = count_unused_vertices(mesh);
  report.boundary_triangles = std::ssize(boundary_triangles(boundary_faces(mesh)));
  return report;
}

}  // namespace pliant
