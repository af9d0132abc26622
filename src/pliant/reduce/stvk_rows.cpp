#include "pliant/reduce/stvk_rows.hpp"

#include "pliant/reduce/field_rows.hpp"
#include "pliant/reduce/tet10_rows.hpp"
#include "pliant/subspace/hex_points.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace pliant {
namespace {

using std::numbers::inv_sqrt3;
const double kRootHalf = std::sqrt(0.5);
// Legendre polynomials of mean square one over the edge ξ ∈ [−1, 1]: φ₀ = 1, φ₁ = √3 ξ, φ₂ = √5 (3ξ² − 1)/2.
// They are orthonormal, so the squares of the coefficients of a strain add up to its mean square; and φ₁² = 1
// + kSquare φ₂.
const double kSquare = 2.0 / std::sqrt(5.0);

/// A row of the trace is the sum of rows of the strain that belong to the same polynomial.
void sum_rows(std::span<const Index> numbers, Index columns, const double* strain, double* trace) {
  Eigen::Map<VectorX> sum(trace, columns);
  sum = Eigen::Map<const VectorX>(strain + numbers[0] * columns, columns);
  for (const Index number : numbers.subspan(1))
    sum += Eigen::Map<const VectorX>(strain + number * columns, columns);
}

/// One integration point. Field a is ∂U/∂X_a times scale = (2 weight)^¼, so products of two fields (and
/// fields times scale) carry √(2 weight), and squares of rows 2 weight. Rows: xx yy zz xy yz zx; shear rows
/// hold √2 E_ab, since E:E contains each of them twice.
void write_point(const FieldRows& rows, double scale, double* trace) {
  for (Index a = 0; a < 3; ++a) {
    const Index b = (a + 1) % 3;
    rows.clear(a);
    rows.add(a, a, a, scale);
    rows.multiply(a, std::array{Term{a, a}}, 1.0);
    rows.clear(3 + a);
    rows.add(3 + a, a, b, kRootHalf * scale);
    rows.add(3 + a, b, a, kRootHalf * scale);
    rows.multiply(3 + a, std::array{Term{a, b}, Term{b, a}}, kRootHalf);
  }
  sum_rows(std::array<Index, 3>{0, 1, 2}, rows.columns, rows.strain, trace);
}

/// Displacements at the vertices to fields of a point: factors of the product (r × 3N) · (3N × 9).
template <int N>
MatrixX point_weights(const Eigen::Matrix<double, N, 3>& gradients, double scale) {
  MatrixX weights = MatrixX::Zero(3 * N, 9);
  for (Index v = 0; v < N; ++v)
    for (Index a = 0; a < 3; ++a)
      for (Index c = 0; c < 3; ++c) weights(3 * v + c, 3 * a + c) = scale * gradients(v, a);
  return weights;
}

/// Corners of a hex by their positions along its three edges.
constexpr std::array<std::array<int, 3>, 8> kCorners{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};

/// The edges of a box that leave corner 0, as columns.
Matrix3 edges(const VolumeMesh& mesh, const Hex& hex) {
  const auto x = [&](std::size_t corner) { return mesh.vertices[to_size(hex[corner])]; };
  Matrix3 D;
  D << x(1) - x(0), x(3) - x(0), x(4) - x(0);
  return D;
}

/// Number of the field (a, m, n) of a box: the part of ∂U/∂x_a with degree m along the next axis and n along
/// the one after that. Along a itself the derivative is constant.
constexpr Index box_field(Index a, Index m, Index n) { return 4 * a + 2 * m + n; }

/// Displacements at the vertices to fields of a box, in the axes of the box (also the components of the
/// displacements: a rotation changes neither E:E nor tr E).
MatrixX box_weights(const Matrix3& edge, double scale) {
  const Vector3 length = edge.colwise().norm();
  const Matrix3 axes = edge * length.cwiseInverse().asDiagonal();
  MatrixX weights(24, 36);
  for (std::size_t v = 0; v < 8; ++v)
    for (Index a = 0; a < 3; ++a) {
      const auto side = [&](Index axis) { return kCorners[v][to_size(axis % 3)] == 1 ? 1.0 : -1.0; };
      // Along one axis, (1 ± ξ)/2 = ½ φ₀ ± φ₁/(2√3).
      const double slope[2] = {0.5, 0.5 * inv_sqrt3};
      for (Index m = 0; m < 2; ++m)
        for (Index n = 0; n < 2; ++n) {
          const double factor = scale * side(a) / length[a] * slope[m] * (m == 1 ? side(a + 1) : 1.0) *
                                slope[n] * (n == 1 ? side(a + 2) : 1.0);
          weights.block<3, 3>(3 * static_cast<Index>(v), 3 * box_field(a, m, n)) = factor * axes;
        }
    }
  return weights;
}

/// Which products of degrees (0 or 1 each) contribute to degree 0, 1, 2 of one coordinate, and their factor:
/// φ₀φ₀ and φ₁φ₁ to φ₀, φ₀φ₁ and φ₁φ₀ to φ₁, φ₁φ₁ to φ₂ (times kSquare).
struct Degrees {
  std::array<Term, 2> pairs;
  std::size_t count;
  double factor;
};
const std::array<Degrees, 3> kDegrees{
    {{{{{0, 0}, {1, 1}}}, 2, 1.0}, {{{{0, 1}, {1, 0}}}, 2, 1.0}, {{{{1, 1}, {}}}, 1, kSquare}}};

/// E_aa: row 9a + 3M + N has degree M along the next axis and N along the one after it.
void write_box_diagonal(const FieldRows& rows, Index a, double scale) {
  for (Index M = 0; M < 3; ++M)
    for (Index N = 0; N < 3; ++N) {
      const Degrees& first = kDegrees[to_size(M)];
      const Degrees& second = kDegrees[to_size(N)];
      std::array<Term, 4> terms;
      std::size_t count = 0;
      for (std::size_t m = 0; m < first.count; ++m)
        for (std::size_t n = 0; n < second.count; ++n)
          terms[count++] = {box_field(a, first.pairs[m].a, second.pairs[n].a),
                            box_field(a, first.pairs[m].b, second.pairs[n].b)};
      const Index number = 9 * a + 3 * M + N;
      rows.clear(number);
      if (M < 2 && N < 2) rows.add(number, box_field(a, M, N), a, scale);
      rows.multiply(number, std::span(terms).first(count), first.factor * second.factor);
    }
}

/// √2 E_ab, b the axis after a: row 27 + 12a + 6p + 3m + k has degree p along a, m along b and k along the
/// third axis.
void write_box_shear(const FieldRows& rows, Index a, double scale) {
  const Index b = (a + 1) % 3;
  for (Index p = 0; p < 2; ++p)
    for (Index m = 0; m < 2; ++m)
      for (Index k = 0; k < 3; ++k) {
        const Degrees& third = kDegrees[to_size(k)];
        std::array<Term, 4> terms;
        std::size_t count = 0;
        for (std::size_t n = 0; n < third.count; ++n) {
          const Index x = box_field(a, m, third.pairs[n].a);
          const Index y = box_field(b, third.pairs[n].b, p);
          terms[count++] = {x, y};
          terms[count++] = {y, x};
        }
        const Index number = 27 + 12 * a + 6 * p + 3 * m + k;
        rows.clear(number);
        if (p == 0 && k < 2) rows.add(number, box_field(a, m, k), b, kRootHalf * scale);
        if (m == 0 && k < 2) rows.add(number, box_field(b, k, p), a, kRootHalf * scale);
        rows.multiply(number, std::span(terms).first(count), kRootHalf * third.factor);
      }
}

/// Rows of the trace: 1 constant, 6 that depend on one coordinate (two of the three E_aa contribute to each),
/// 12 that depend on two (one E_aa each).
void write_box_trace(const FieldRows& rows, double* trace) {
  const auto sum = [&](std::span<const Index> numbers) {
    sum_rows(numbers, rows.columns, rows.strain, trace);
    trace += rows.columns;
  };
  sum(std::array<Index, 3>{0, 9, 18});
  for (Index axis = 0; axis < 3; ++axis)
    for (Index degree = 1; degree < 3; ++degree)
      sum(std::array<Index, 2>{9 * ((axis + 2) % 3) + 3 * degree, 9 * ((axis + 1) % 3) + degree});
  for (Index a = 0; a < 3; ++a)
    for (Index M = 1; M < 3; ++M)
      for (Index N = 1; N < 3; ++N) sum(std::array<Index, 1>{9 * a + 3 * M + N});
}

/// Modes at the vertices of an element, r × 3N.
template <std::size_t N>
MatrixX gather(const MatrixX& shapes, const std::array<VertexId, N>& vertices) {
  MatrixX u(shapes.rows(), 3 * static_cast<Index>(N));
  for (std::size_t v = 0; v < N; ++v)
    u.middleCols<3>(3 * static_cast<Index>(v)) = shapes.middleCols<3>(3 * Index{vertices[v]});
  return u;
}

}  // namespace

StrainWriter::StrainWriter(const VolumeMesh& mesh, const MatrixX& shapes, const Material& material)
    : mesh_(&mesh),
      shapes_(&shapes),
      material_(material),
      quadratic_(material.law != Law::kLinear),
      columns_(shapes.rows() + (quadratic_ ? pair_count(shapes.rows()) : 0)) {}

StrainKind StrainWriter::kind(Index element) const {
  if (element < mesh_->first_hex()) return StrainKind::kTet;
  if (element < mesh_->first_tet10()) return hex_kind(mesh_->hexes[to_size(element - mesh_->first_hex())]);
  const Tet10Corners x = corners(*mesh_, mesh_->tet10s[to_size(element - mesh_->first_tet10())]);
  if (tet10_rule(material_, x) == Tet10Rule::k4) return StrainKind::kTet10Four;
  return is_straight(x) ? StrainKind::kTet10Straight : StrainKind::kTet10;
}

StrainKind StrainWriter::hex_kind(const Hex& hex) const {
  const Matrix3 D = edges(*mesh_, hex);
  // Far above the rounding of coordinates, far below any error that the polynomials would show.
  const double tolerance = 1e-11 * D.norm();
  const Vector3& origin = mesh_->vertices[to_size(hex[0])];
  // A parallelepiped: every corner is a sum of edges from corner 0. A box: these edges are orthogonal, too.
  for (std::size_t v = 0; v < 8; ++v) {
    const Vector3 at(kCorners[v][0], kCorners[v][1], kCorners[v][2]);
    const Vector3 offset = mesh_->vertices[to_size(hex[v])] - origin - D * at;
    if (offset.norm() > tolerance) return StrainKind::kHex;
  }
  const Matrix3 products = D.transpose() * D;
  const double skew =
      std::max({std::abs(products(0, 1)), std::abs(products(1, 2)), std::abs(products(2, 0))});
  return skew <= tolerance * D.colwise().norm().minCoeff() ? StrainKind::kBox : StrainKind::kHex;
}

void StrainWriter::write_tet(const Tet& tet, double* strain, double* trace) const {
  Matrix3 D;
  for (std::size_t a = 0; a < 3; ++a)
    D.col(static_cast<Index>(a)) = mesh_->vertices[to_size(tet[a + 1])] - mesh_->vertices[to_size(tet[0])];
  Eigen::Matrix<double, 4, 3> gradients;
  gradients.bottomRows<3>() = D.inverse();
  gradients.row(0) = -gradients.bottomRows<3>().colwise().sum();  // Σ_a ∇N_a = 0
  const double scale = std::pow(D.determinant() / 3.0, 0.25);     // 2 V = det D / 3
  MatrixX fields;
  fields.noalias() = gather(*shapes_, tet) * point_weights<4>(gradients, scale);
  write_point({fields, columns_, quadratic_, strain}, scale, trace);
}

void StrainWriter::write_box(const Hex& hex, double* strain, double* trace) const {
  const MatrixX u = gather(*shapes_, hex);
  const Matrix3 edge = edges(*mesh_, hex);
  const double scale = std::pow(2.0 * edge.determinant(), 0.25);
  MatrixX fields;
  fields.noalias() = u * box_weights(edge, scale);
  const FieldRows rows{fields, columns_, quadratic_, strain};
  for (Index a = 0; a < 3; ++a) write_box_diagonal(rows, a, scale);
  for (Index a = 0; a < 3; ++a) write_box_shear(rows, a, scale);
  write_box_trace(rows, trace);
}

template <std::size_t N, class Points>
void StrainWriter::write_points(const std::array<VertexId, N>& vertices, const Points& points, double* strain,
                                double* trace) const {
  const MatrixX u = gather(*shapes_, vertices);
  MatrixX fields;
  for (const auto& point : points) {
    Eigen::Matrix<double, int{N}, 3> gradients;
    Eigen::Matrix<double, 3, int{N}> places;
    for (std::size_t v = 0; v < N; ++v) {
      places.col(static_cast<Index>(v)) = mesh_->vertices[to_size(vertices[v])];
      gradients.row(static_cast<Index>(v)) = Eigen::Map<const Eigen::RowVector3d>(point.gradient[v]);
    }
    const Matrix3 J = places * gradients;
    const double scale = std::pow(2.0 * point.weight * J.determinant(), 0.25);  // 2 w_ξ det G, Eq. F6
    fields.noalias() = u * point_weights<int{N}>(gradients * J.inverse(), scale);
    write_point({fields, columns_, quadratic_, strain}, scale, trace);
    strain += 6 * columns_;
    trace += columns_;
  }
}

void StrainWriter::write(Index element, StrainKind kind, double* strain, double* trace) const {
  const auto hex = [&]() -> const Hex& { return mesh_->hexes[to_size(element - mesh_->first_hex())]; };
  const auto tet10 = [&]() -> const Tet10& { return mesh_->tet10s[to_size(element - mesh_->first_tet10())]; };
  switch (kind) {
    case StrainKind::kTet:
      return write_tet(mesh_->tets[to_size(element)], strain, trace);
    case StrainKind::kBox:
      return write_box(hex(), strain, trace);
    case StrainKind::kHex:
      return write_points(hex(), hex_points(), strain, trace);
    case StrainKind::kTet10:
      return write_points(tet10(), tet10_points(Tet10Rule::k14), strain, trace);
    case StrainKind::kTet10Four:
      return write_points(tet10(), tet10_points(Tet10Rule::k4), strain, trace);
    case StrainKind::kTet10Straight:
      return write_straight_tet10(corners(*mesh_, tet10()), gather(*shapes_, tet10()), columns_, quadratic_,
                                  strain, trace);
  }
}

}  // namespace pliant
