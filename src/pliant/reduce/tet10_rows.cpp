#include "pliant/reduce/tet10_rows.hpp"

#include "pliant/math/svd3.hpp"
#include "pliant/reduce/field_rows.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

using Matrix36 = Eigen::Matrix<double, 3, 6>;

const double kRootHalf = std::sqrt(0.5);
const double kRootSixth = std::sqrt(1.0 / 6.0);

/// Pairs of axes: xx yy zz xy yz zx.
constexpr std::array<std::array<Index, 2>, 6> kPairs{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
constexpr Index pair_of(Index a, Index b) { return a == b ? a : (a + b == 1 ? 3 : (a + b == 3 ? 4 : 5)); }
/// How often a pair occurs in a sum over both axes.
constexpr double times(Index pair) { return pair < 3 ? 1.0 : 2.0; }

// Fields: g_a, then S_ac. Coefficients of the strain: degree 0, degree 1 along each axis, T.
constexpr Index kFields = 9;
constexpr Index kCoefficients = 45;
constexpr int kSlice = 64;  // columns at a time: all rows of a slice fit into the first cache
constexpr Index curvature(Index a, Index c) { return 3 + pair_of(a, c); }
constexpr Index first_degree(Index pair, Index axis) { return 6 + 6 * axis + pair; }
/// Where T_pq = T_qp stands. T_xx,xx is the last: deviator_factor() says why.
constexpr Index kSecond = 24;  // before T
constexpr Index kTerms = 21;   // of T
constexpr Index term(Index p, Index q) {
  const Index place = p >= q ? p * (p + 1) / 2 + q : q * (q + 1) / 2 + p;
  return place == 0 ? kTerms - 1 : place - 1;
}
constexpr Index second_degree(Index p, Index q) { return kSecond + term(p, q); }

/// Principal axes of a tet, and the moments of φ_c = x_c/σ_c over it, of which mean and covariance are 0 and
/// 1.
struct Frame {
  Matrix3 axes;   // columns
  Vector3 sigma;  // root mean squares of x
  double volume;
  Matrix36 third;  // mean of φ_z φ_cφ_d
  Matrix6 fourth;  // means of p_cd p_ef, p_cd = φ_cφ_d less its projection on degrees 0 and 1
};

Frame frame_of(const Tet10Corners& x) {
  // The tet is the image A y + c of the regular one with corners y_i, whose covariance is 1.
  Eigen::Matrix<double, 3, 4> regular;
  regular << 1, -1, -1, 1,  //
      1, -1, 1, -1,         //
      1, 1, -1, -1;
  regular *= std::sqrt(5.0);
  Matrix3 A = Matrix3::Zero();
  for (Index i = 0; i < 4; ++i) A += (x[to_size(i)] - x[0]) * regular.col(i).transpose() / 20.0;
  const Svd3 svd = svd_rotations(A);
  Frame frame;
  frame.axes = svd.U;
  frame.sigma = svd.sigma;
  frame.volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6.0;
  frame.third.setZero();
  frame.fourth.setZero();
  for (const Tet10Point& point : tet10_points(Tet10Rule::k14)) {  // degree 5: exact
    Eigen::Vector4d L = Eigen::Map<const Eigen::Vector4d>(point.shape);
    for (std::size_t e = 0; e < 6; ++e)
      for (const int corner : kTet10Edges[e]) L[corner] += 0.5 * point.shape[4 + e];
    const Vector3 phi = svd.V.transpose() * (regular * L);
    Vector6 products;
    for (std::size_t p = 0; p < 6; ++p)
      products[static_cast<Index>(p)] = phi[kPairs[p][0]] * phi[kPairs[p][1]];
    frame.third += 6.0 * point.weight * phi * products.transpose();
    frame.fourth += 6.0 * point.weight * products * products.transpose();
  }
  frame.fourth -= frame.third.transpose() * frame.third;
  frame.fourth.topLeftCorner<3, 3>().array() -= 1.0;
  return frame;
}

/// The first `rows` rows of C, upper triangular, with G = CᵀC: ‖C v‖² = vᵀG v. Of graded matrices, too, each
/// entry is accurate.
template <int N>
Eigen::Matrix<double, N, N> upper_factor(Eigen::Matrix<double, N, N> G, Index rows = N) {
  for (Index k = 0; k < rows; ++k) {
    G.row(k).tail(N - k) /= std::sqrt(G(k, k));
    for (Index i = k + 1; i < N; ++i) G.row(i).tail(N - i) -= G(k, i) * G.row(k).tail(N - i);
  }
  return G;
}

/// Displacements at the vertices to the fields times `scale`, in the frame's axes (components, too).
MatrixX field_weights(const Tet10Corners& x, const Matrix3& axes, double scale) {
  Matrix3 D;
  for (Index i = 0; i < 3; ++i) D.row(i) = (x[to_size(i) + 1] - x[0]).transpose() * axes;
  Eigen::Matrix<double, 3, 4> slopes;  // ∂L_i/∂x
  slopes.rightCols<3>() = D.inverse();
  slopes.col(0) = -slopes.rightCols<3>().rowwise().sum();
  MatrixX weights(30, 3 * kFields);
  const auto set = [&](Index vertex, Index field, double factor) {
    weights.block<3, 3>(3 * vertex, 3 * field) = scale * factor * axes;
  };
  for (Index v = 0; v < 10; ++v) {
    // N = 2L_i² − L_i, and 4 L_i L_j: at the centroid L = 1/4
    const Index i = v < 4 ? v : kTet10Edges[to_size(v) - 4][0];
    const Index j = v < 4 ? v : kTet10Edges[to_size(v) - 4][1];
    for (Index a = 0; a < 3; ++a) {
      set(v, a, v < 4 ? 0.0 : slopes(a, i) + slopes(a, j));
      for (Index c = 0; c <= a; ++c)
        set(v, curvature(a, c),
            (v < 4 ? 2.0 : 4.0) * (slopes(a, i) * slopes(c, j) + slopes(c, i) * slopes(a, j)));
    }
  }
  return weights;
}

/// Degrees 0 and 1, in multiples of φ_c; shear rows hold √2 E_ab, since E:E contains each of them twice.
void write_low_degrees(const FieldRows& rows, const Vector3& sigma, double scale) {
  const auto add = [&](Index number, Index field, Index component, double factor) {
    rows.add(number, field, component, factor * scale);
  };
  for (std::size_t p = 0; p < 6; ++p) {
    const auto ab = static_cast<Index>(p);
    const auto& [a, b] = kPairs[p];
    rows.clear(ab);
    if (a == b) {
      add(ab, a, a, 1.0);
      rows.multiply(ab, std::array{Term{a, a}}, 1.0);
    } else {
      add(ab, a, b, kRootHalf);
      add(ab, b, a, kRootHalf);
      rows.multiply(ab, std::array{Term{a, b}, Term{b, a}}, kRootHalf);
    }
    for (Index c = 0; c < 3; ++c) {
      const Index number = first_degree(ab, c), ac = curvature(a, c), bc = curvature(b, c);
      rows.clear(number);
      if (a == b) {
        add(number, ac, a, sigma[c]);
        rows.multiply(number, std::array{Term{a, ac}, Term{ac, a}}, sigma[c]);
      } else {
        add(number, ac, b, kRootHalf * sigma[c]);
        add(number, bc, a, kRootHalf * sigma[c]);
        rows.multiply(number, std::array{Term{a, bc}, Term{bc, a}, Term{b, ac}, Term{ac, b}},
                      kRootHalf * sigma[c]);
      }
    }
  }
}

/// T_ab,cd. It has no part that is linear in U.
void write_second_degree(const FieldRows& rows) {
  for (std::size_t p = 0; p < 6; ++p)
    for (std::size_t q = 0; q <= p; ++q) {
      const auto& [a, b] = kPairs[p];
      const auto& [c, d] = kPairs[q];
      const Index ac = curvature(a, c), bd = curvature(b, d), ad = curvature(a, d), bc = curvature(b, c);
      const Index number = second_degree(static_cast<Index>(p), static_cast<Index>(q));
      rows.clear(number);
      if (a == b && c == d)
        rows.multiply(number, std::array{Term{ac, ac}}, 1.0);
      else if (a == b || c == d)
        rows.multiply(number, std::array{Term{ac, bd}, Term{bd, ac}}, 0.5);
      else
        rows.multiply(number, std::array{Term{ac, bd}, Term{bd, ac}, Term{ad, bc}, Term{bc, ad}}, 0.25);
    }
}

using MatrixTerms = Eigen::Matrix<double, kTerms, kTerms>;

/// What makes rows whose squares add up to integrals of the coefficients above.
struct Integrals {
  Matrix36 to_first;     // multiples of φ_z in Σ T_ab,cd x_c x_d, by pairs cd
  Vector6 to_mean;       // its mean
  Matrix6 trace;         // coefficients by pairs cd to rows of the trace
  MatrixTerms deviator;  // T to rows of the deviator: all but the last row
};

/// ∫ dev E:dev E of degree two is tr(W T N T) − tᵀN t/3 with W = diag(1 1 1 2 2 2) and t_cd = Σ_a T_aa,cd. As
/// a form on the terms of T (ones at pq and qp) it has rank 20: it vanishes where T_ab,cd = δ_ab δ_cd. The
/// largest entry of this T, in the units of each term, is that of the longest axis; so this term is
/// eliminated last, and what remains of it is zero.
MatrixTerms deviator_factor(const Matrix6& N) {
  MatrixTerms G = MatrixTerms::Zero();
  for (Index a = 0; a < 6; ++a)
    for (Index c = 0; c < 6; ++c)
      for (Index b = 0; b < 6; ++b) {
        G(term(a, b), term(b, c)) += times(b) * N(c, a);
        for (Index d = 0; b < 3 && d < 3; ++d) G(term(a, b), term(d, c)) -= N(c, a) / 3.0;
      }
  return upper_factor<int{kTerms}>(G, kTerms - 1);
}

Integrals integrals_of(const Frame& frame) {
  Vector6 scale;  // of p_cd in Σ_cd x_c x_d
  for (std::size_t p = 0; p < 6; ++p)
    scale[static_cast<Index>(p)] =
        times(static_cast<Index>(p)) * frame.sigma[kPairs[p][0]] * frame.sigma[kPairs[p][1]];
  Integrals made;
  made.to_first = frame.third * scale.asDiagonal();
  made.to_mean << scale.head<3>(), Vector3::Zero();
  const Matrix6 N = scale.asDiagonal() * frame.fourth * scale.asDiagonal();
  made.trace = upper_factor<6>(N);
  made.deviator = deviator_factor(N);
  return made;
}

/// Rows at some of the columns, side by side.
using Slice = Eigen::Block<Eigen::Map<MatrixX>>;

/// to = Σ_n C(k, n) from_n for the first rows k of an upper triangular C, four terms at a time.
template <class Factor, class From, class To>
void transform(const Factor& C, const From& from, To to) {
  for (Index k = 0; k < to.cols(); ++k) {
    auto row = to.col(k);
    row = C(k, k) * from.col(k);
    Index n = k + 1;
    for (; n + 4 <= C.cols(); n += 4)
      row += C(k, n) * from.col(n) + C(k, n + 1) * from.col(n + 1) + C(k, n + 2) * from.col(n + 2) +
             C(k, n + 3) * from.col(n + 3);
    for (; n < C.cols(); ++n) row += C(k, n) * from.col(n);
  }
}

/// The five numbers of a deviator, and the trace, from the six of a strain.
template <class From, class To, class Trace>
void split(const From& from, To deviator, Trace trace) {
  trace = from.col(0) + from.col(1) + from.col(2);
  deviator.col(0) = kRootHalf * (from.col(0) - from.col(1));
  deviator.col(1) = kRootSixth * (from.col(0) + from.col(1) - 2.0 * from.col(2));
  deviator.rightCols(3) = from.rightCols(3);
}

/// Coefficients of powers of x become those of orthonormal polynomials.
void integrate(const Integrals& by, Slice coefficients, Slice deviator, Slice trace) {
  for (Index ab = 0; ab < 6; ++ab) {
    const double weight = std::sqrt(times(ab));
    const auto T = [&](Index cd) { return coefficients.col(second_degree(ab, cd)); };
    const auto m = [&](Index cd) { return weight * by.to_mean[cd]; };
    coefficients.col(ab) += m(0) * T(0) + m(1) * T(1) + m(2) * T(2);
    for (Index z = 0; z < 3; ++z) {
      const auto f = [&](Index cd) { return weight * by.to_first(z, cd); };
      coefficients.col(first_degree(ab, z)) +=
          f(0) * T(0) + f(1) * T(1) + f(2) * T(2) + f(3) * T(3) + f(4) * T(4) + f(5) * T(5);
    }
  }
  for (Index degree = 0; degree < 4; ++degree)
    split(coefficients.middleCols(6 * degree, 6), deviator.middleCols(5 * degree, 5), trace.col(degree));
  const auto T = coefficients.rightCols(kTerms);
  transform(by.deviator, T, deviator.rightCols(kTerms - 1));
  Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, kSlice, 6> sums(coefficients.rows(), 6);
  for (Index cd = 0; cd < 6; ++cd)
    sums.col(cd) = T.col(term(0, cd)) + T.col(term(1, cd)) + T.col(term(2, cd));
  transform(by.trace, sums, trace.rightCols(6));
}

}  // namespace

void write_straight_tet10(const Tet10Corners& x, const MatrixX& modes, Index columns, bool quadratic,
                          double* deviator, double* trace) {
  const Frame frame = frame_of(x);
  const double scale = std::pow(2.0 * frame.volume, 0.25);  // products of two carry √(2V)
  MatrixX fields;
  fields.noalias() = modes * field_weights(x, frame.axes, scale);
  thread_local std::vector<double> work;  // stays in the second cache from one element to the next
  work.resize(to_size(columns * kCoefficients));
  const FieldRows rows{fields, columns, quadratic, work.data()};
  write_low_degrees(rows, frame.sigma, scale);
  write_second_degree(rows);
  const Integrals integrals = integrals_of(frame);
  Eigen::Map<MatrixX> coefficients(work.data(), columns, kCoefficients);
  Eigen::Map<MatrixX> deviator_rows(deviator, columns, kStraightTet10Rows);
  Eigen::Map<MatrixX> trace_rows(trace, columns, kStraightTet10TraceRows);
  for (Index begin = 0; begin < columns; begin += kSlice) {
    const Index size = std::min<Index>(kSlice, columns - begin);
    integrate(integrals, coefficients.middleRows(begin, size), deviator_rows.middleRows(begin, size),
              trace_rows.middleRows(begin, size));
  }
}

}  // namespace pliant
