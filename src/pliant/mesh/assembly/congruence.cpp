#include "pliant/mesh/assembly/congruence.hpp"

#include "pliant/math/polar.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace pliant {
namespace {

// Relative rounding of coordinates in files of single precision or six digits.
constexpr double kFloatRounding = 1e-6;
constexpr double kGoodFit = 0.05;  // in units of the tolerance: so good that no better fit is sought

/// A part relative to its mean, divided by its size. Vertices in the same place are one point.
struct Shape {
  Vector3 mean = Vector3::Zero();
  double size = 0.0;       // m
  double tolerance = 0.0;  // distance of points that counts as zero, relative to the size
  std::vector<Vector3> points;
  std::vector<double> radii;         // of the points
  std::vector<double> sorted_radii;  // ascending
  std::vector<Index> by_x;           // points sorted by their x coordinate, for nearest()
  std::size_t triangles = 0;
};

const Vector3& point(const Shape& shape, Index i) { return shape.points[to_size(i)]; }

void sort_points(Shape& shape) {
  shape.by_x.resize(shape.points.size());
  std::iota(shape.by_x.begin(), shape.by_x.end(), Index{0});
  std::stable_sort(shape.by_x.begin(), shape.by_x.end(),
                   [&](Index i, Index j) { return point(shape, i).x() < point(shape, j).x(); });
}

void normalise(Shape& shape, double tolerance) {
  const auto count = static_cast<double>(shape.points.size());
  double largest = 0;
  for (const Vector3& x : shape.points) {
    shape.mean += x / count;
    largest = std::max(largest, x.cwiseAbs().maxCoeff());
  }
  double squares = 0;
  for (Vector3& x : shape.points) {
    x -= shape.mean;
    squares += x.squaredNorm() / count;
  }
  shape.size = std::sqrt(squares);
  if (!(shape.size > 0) || !std::isfinite(shape.size)) return;
  for (Vector3& x : shape.points) {
    x /= shape.size;
    shape.radii.push_back(x.norm());
  }
  shape.sorted_radii = shape.radii;
  std::sort(shape.sorted_radii.begin(), shape.sorted_radii.end());
  // The tolerance counts in diameters, twice the largest radius; coordinates may be rounded to single
  // precision.
  shape.tolerance = 2 * tolerance * shape.sorted_radii.back() + kFloatRounding * largest / shape.size;
  sort_points(shape);
}

Shape make_shape(const SurfaceMesh& surface, const SurfacePart& part, double tolerance) {
  Shape shape;
  std::set<std::array<double, 3>> places;
  for (const VertexId v : part.vertices) {
    const Vector3& x = surface.vertices[to_size(v)];
    if (places.insert({x.x(), x.y(), x.z()}).second) shape.points.push_back(x);
  }
  shape.triangles = part.triangles.size();
  normalise(shape, tolerance);
  return shape;
}

Shape mirrored(Shape shape) {
  for (Vector3& x : shape.points) x.x() = -x.x();
  sort_points(shape);
  return shape;
}

using Pair = std::pair<Index, Index>;

/// Among the points whose `lever` is at least 0.3 of the largest, the one whose radius is rarest; −1 if all
/// levers are tiny.
template <class Lever>
Index peculiar_point(const Shape& shape, const Lever& lever) {
  double longest = 0;
  for (const Vector3& x : shape.points) longest = std::max(longest, lever(x));
  if (longest <= 10 * shape.tolerance) return -1;
  Index best = -1;
  std::pair<Index, double> measure;
  for (std::size_t i = 0; i < shape.points.size(); ++i) {
    const double arm = lever(shape.points[i]);
    if (arm < 0.3 * longest) continue;
    const auto low = std::lower_bound(shape.sorted_radii.begin(), shape.sorted_radii.end(),
                                      // How many points have the same radius within the tolerance: few make
                                      // the point distinctive.
                                      shape.radii[i] - 2 * shape.tolerance);
    const auto high = std::upper_bound(low, shape.sorted_radii.end(), shape.radii[i] + 2 * shape.tolerance);
    const std::pair<Index, double> own{static_cast<Index>(high - low), -arm};
    if (best >= 0 && own >= measure) continue;
    best = static_cast<Index>(i);
    measure = own;
  }
  return best;
}

/// Two points that determine a rotation well; none if all points lie on a line.
std::optional<Pair> peculiar_pair(const Shape& shape) {
  if (shape.radii.empty()) return std::nullopt;
  const Index first = peculiar_point(shape, [](const Vector3& x) { return x.norm(); });
  if (first < 0) return std::nullopt;
  const Vector3 axis = point(shape, first).normalized();
  const Index second = peculiar_point(shape, [&](const Vector3& x) { return axis.cross(x).norm(); });
  if (second < 0) return std::nullopt;
  return Pair{first, second};
}

/// Orthonormal axes: the first along a, the second towards b.
Matrix3 frame(const Vector3& a, const Vector3& b) {
  Matrix3 axes;
  axes.col(0) = a.normalized();
  axes.col(2) = a.cross(b).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

/// The point of `shape` nearest to x within `reach`, −1 if there is none. Points already `taken` do not
/// count.
Index nearest(const Shape& shape, const Vector3& x, double reach, const std::vector<char>& taken) {
  auto place = std::lower_bound(shape.by_x.begin(), shape.by_x.end(), x.x() - reach,
                                [&](Index i, double value) { return point(shape, i).x() < value; });
  Index found = -1;
  double smallest = reach * reach;
  for (; place != shape.by_x.end() && point(shape, *place).x() <= x.x() + reach; ++place) {
    const double away = (point(shape, *place) - x).squaredNorm();
    if (taken[to_size(*place)] != 0 || away > smallest) continue;
    smallest = away;
    found = *place;
  }
  return found;
}

/// For each point of `from` its image in `to` under a rotation; empty unless all are found.
std::vector<Index> match_points(const Shape& from, const Shape& to, const Matrix3& rotation, double reach,
                                bool one_to_one) {
  std::vector<Index> images;
  images.reserve(from.points.size());
  std::vector<char> taken(to.points.size(), 0);
  for (const Vector3& x : from.points) {
    const Index image = nearest(to, rotation * x, reach, taken);
    if (image < 0) return {};
    if (one_to_one) taken[to_size(image)] = 1;
    images.push_back(image);
  }
  return images;
}

/// The rotation that brings the points nearest to their images (least squares): the polar factor of Σ image ·
/// pointᵀ.
Matrix3 fit(const Shape& from, const Shape& to, const std::vector<Index>& images) {
  Matrix3 covariance = Matrix3::Zero();
  for (std::size_t i = 0; i < images.size(); ++i)
    covariance += point(to, images[i]) * from.points[i].transpose();
  return polar_rotation(covariance);
}

struct Fit {
  Matrix3 rotation;
  double error;  // relative to the size
};

/// Improves a guess under which all points lie within `reach` of their images, and checks the result.
std::optional<Fit> refine(const Shape& from, const Shape& to, const Matrix3& guess, double reach,
                          double tolerance) {
  // A first fit to the nearest points, then one to images that are assigned one to one.
  const std::vector<Index> near = match_points(from, to, guess, reach, false);
  if (near.empty()) return std::nullopt;
  const std::vector<Index> images = match_points(from, to, fit(from, to, near), 2 * tolerance, true);
  if (images.empty()) return std::nullopt;
  Fit found{fit(from, to, images), 0.0};
  for (std::size_t i = 0; i < images.size(); ++i)
    found.error = std::max(found.error, (found.rotation * from.points[i] - point(to, images[i])).norm());
  if (found.error > tolerance) return std::nullopt;
  return found;
}

/// Necessary conditions that are cheap to test: numbers of points and triangles, and the sorted radii.
bool alike(const Shape& a, const Shape& b, double tolerance) {
  if (a.points.size() != b.points.size() || a.triangles != b.triangles) return false;
  for (std::size_t i = 0; i < a.sorted_radii.size(); ++i) {
    if (std::abs(a.sorted_radii[i] - b.sorted_radii[i]) > tolerance) return false;
  }
  return true;
}

/// The rotation that carries `from` to `to`.
std::optional<Fit> find_rotation(const Shape& from, const Pair& pair, const Shape& to) {
  const double tolerance = std::max(from.tolerance, to.tolerance);
  const Vector3& a = point(from, pair.first);
  const Vector3& b = point(from, pair.second);
  const Matrix3 inverse = frame(a, b).transpose();
  // If two points are off by the tolerance, the whole is turned by tolerance / lever, and the farthest point
  // moves most.
  const double lever = std::min(a.norm(), a.cross(b).norm() / a.norm());
  const double reach = tolerance * (1 + 2 * from.sorted_radii.back() / lever);
  const auto same = [&](double u, double v) { return std::abs(u - v) <= 2 * tolerance; };
  std::optional<Fit> best;
  for (std::size_t i = 0; i < to.points.size(); ++i) {
    if (!same(to.radii[i], a.norm())) continue;
    for (std::size_t j = 0; j < to.points.size(); ++j) {
      if (!same(to.radii[j], b.norm()) || !same((to.points[i] - to.points[j]).norm(), (a - b).norm()))
        continue;
      const Matrix3 guess = frame(to.points[i], to.points[j]) * inverse;
      const std::optional<Fit> found = refine(from, to, guess, reach, tolerance);
      if (found && (!best || found->error < best->error)) best = found;
      // A nearly symmetric part also has poorer fits besides the true one, so the search goes on until one is
      // good.
      if (best && best->error <= kGoodFit * tolerance) return best;
    }
  }
  return best;
}

struct ShapeClass {
  Shape shape;
  std::optional<Pair> pair;
};

/// The part as a copy of the class, mirrored if need be; empty if it is none.
std::optional<PartCopy> copy_of(const ShapeClass& original, const Shape& shape) {
  const Shape& from = original.shape;
  if (!original.pair || !alike(from, shape, 2 * std::max(from.tolerance, shape.tolerance)))
    return std::nullopt;
  PartCopy copy;
  Vector3 mean = from.mean;
  std::optional<Fit> fitted = find_rotation(from, *original.pair, shape);
  if (!fitted) {
    fitted = find_rotation(mirrored(from), *original.pair, shape);
    copy.mirrored = true;
    mean.x() = -mean.x();
  }
  if (!fitted) return std::nullopt;
  // x = mean' + scale R (X − mean): the translation collects the constant terms.
  const double scale = shape.size / from.size;
  copy.placement = {fitted->rotation, shape.mean - scale * (fitted->rotation * mean), scale};
  copy.error = fitted->error * shape.size;
  return copy;
}

struct Union {
  explicit Union(std::size_t count) : above(count) { std::iota(above.begin(), above.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    while (above[i] != i) i = above[i] = above[above[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { above[root(i)] = root(j); }
  std::vector<std::size_t> above;
};

}  // namespace

std::vector<SurfacePart> connected_parts(const SurfaceMesh& surface) {
  Union joined(surface.vertices.size());
  for (const Triangle& t : surface.triangles) {
    joined.join(to_size(t[0]), to_size(t[1]));
    joined.join(to_size(t[0]), to_size(t[2]));
  }
  std::vector<SurfacePart> parts;
  std::vector<Index> part_of(surface.vertices.size(), -1);  // for the roots of the union–find structure
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    Index& part = part_of[joined.root(to_size(surface.triangles[t][0]))];
    if (part < 0) {
      part = std::ssize(parts);
      parts.emplace_back();
    }
    parts[to_size(part)].triangles.push_back(static_cast<Index>(t));
  }
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const Index part = part_of[joined.root(v)];
    if (part >= 0) parts[to_size(part)].vertices.push_back(static_cast<VertexId>(v));
  }
  return parts;
}

SurfaceMesh extract_part(const SurfaceMesh& surface, const SurfacePart& part) {
  SurfaceMesh own;
  std::map<VertexId, VertexId> number;
  for (const VertexId v : part.vertices) {
    number[v] = static_cast<VertexId>(own.vertices.size());
    own.vertices.push_back(surface.vertices[to_size(v)]);
  }
  for (const Index t : part.triangles) {
    const Triangle& corners = surface.triangles[to_size(t)];
    own.triangles.push_back({number[corners[0]], number[corners[1]], number[corners[2]]});
  }
  return own;
}

SurfaceMesh mirror_image(SurfaceMesh surface) {
  for (Vector3& x : surface.vertices) x.x() = -x.x();
  for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}

Congruence find_copies(const SurfaceMesh& surface, double tolerance) {
  Congruence found;
  found.parts = connected_parts(surface);
  found.copies.reserve(found.parts.size());
  std::vector<ShapeClass> classes;
  for (std::size_t p = 0; p < found.parts.size(); ++p) {
    Shape shape = make_shape(surface, found.parts[p], tolerance);
    std::optional<PartCopy> copy;
    for (std::size_t c = 0; c < classes.size() && !copy; ++c) {
      copy = copy_of(classes[c], shape);
      if (copy) copy->class_index = static_cast<Index>(c);
    }
    if (!copy) {
      copy.emplace();
      copy->class_index = found.class_count();
      found.originals.push_back(static_cast<Index>(p));
      const std::optional<Pair> pair = peculiar_pair(shape);
      classes.push_back({std::move(shape), pair});
    }
    found.copies.push_back(*copy);
  }
  return found;
}

}  // namespace pliant
