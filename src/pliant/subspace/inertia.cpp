#include "pliant/subspace/inertia.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/pack.hpp"
#include "pliant/math/rotation.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// A 3×3 matrix, column by column, as two packs of four and one double.
struct Nine {
  Pack4 a{}, b{};
  double c = 0.0;

  static Nine load(const double* x) { return {load_pack(x), load_pack(x + 4), x[8]}; }
  void store(double* x) const {
    store_pack(a, x);
    store_pack(b, x + 4);
    x[8] = c;
  }
  void add(double factor, const Nine& x) {
    a += factor * x.a;
    b += factor * x.b;
    c += factor * x.c;
  }
  [[nodiscard]] Matrix3 matrix() const {
    Matrix3 m;
    store_pack(a, m.data());
    store_pack(b, m.data() + 4);
    m(2, 2) = c;
    return m;
  }
};

/// x : y, the sum of the products of corresponding entries.
double product(const Nine& x, const Nine& y) {
  const Pack4 sum = x.a * y.a + x.b * y.b;
  return (sum[0] + sum[2]) + (sum[1] + sum[3]) + x.c * y.c;
}

/// Adds Σ_p q_p ∫ρU_l U_pᵀ to Z_l and Σ_p q̇_p ∫ρU_l U_pᵀ to Ż_l for a few neighbouring shapes l, in
/// registers; `columns` is shape_shape from their rows on. This is all the work of order r² (Eq. R5).
template <int Count>
inline void sum_moments(const double* columns, Index r, const double* q, const double* qd, Nine (&Z)[Count],
                        Nine (&Zd)[Count]) {
  for (Index p = 0; p < r; ++p, columns += 9 * r)
    for (int l = 0; l < Count; ++l) {
      Nine c = Nine::load(columns + 9 * l);
#if defined(__AVX__)
      // Keeps the values in registers instead of loading them again.
      asm("" : "+x"(c.a), "+x"(c.b), "+x"(c.c));
#endif
      Z[l].add(q[p], c);
      Zd[l].a += qd[p] * c.a;  // its ninth entry is never used: coriolis_factors has a zero there
      Zd[l].b += qd[p] * c.b;
    }
}

/// Factors of Z_l in the centrifugal force on coordinate l, ∫ρ U_l·(w × (w × y)) = wᵀ Z_l w − |w|² tr Z_l.
Nine centrifugal_factors(const Vector3& w) {
  const double x = w[0], y = w[1], z = w[2];
  return {Pack4{-y * y - z * z, x * y, x * z, x * y}, Pack4{-x * x - z * z, y * z, x * z, y * z},
          -x * x - y * y};
}
/// Factors of Ż_l in the Coriolis force on coordinate l, 2 ∫ρ U_l·(w × ẏ) = 2 w · ∫ρ ẏ × U_l.
Nine coriolis_factors(const Vector3& w) {
  const double x = 2.0 * w[0], y = 2.0 * w[1], z = 2.0 * w[2];
  return {Pack4{0.0, z, -y, -z}, Pack4{0.0, x, y, -x}, 0.0};
}

}  // namespace

InertiaIntegrals InertiaIntegrals::zero(Index r) {
  InertiaIntegrals integrals;
  integrals.shape_first.setZero(3, r);
  integrals.shape_position.setZero(9, r);
  integrals.shape_shape.setZero(9 * r, r);
  integrals.shape_mass.setZero(r, r);
  return integrals;
}

void InertiaIntegrals::add(double factor, const InertiaIntegrals& other) {
  PLIANT_ASSERT(shape_mass.rows() == other.shape_mass.rows());
  mass += factor * other.mass;
  first += factor * other.first;
  second += factor * other.second;
  shape_first += factor * other.shape_first;
  shape_position += factor * other.shape_position;
  shape_shape += factor * other.shape_shape;
  shape_mass += factor * other.shape_mass;
}

InertiaIntegrals InertiaIntegrals::head(Index size) const {
  PLIANT_ASSERT(size <= shape_mass.rows());
  return {mass,
          first,
          second,
          shape_first.leftCols(size),
          shape_position.leftCols(size),
          shape_shape.topLeftCorner(9 * size, size),
          shape_mass.topLeftCorner(size, size)};
}

FrameInertia::FrameInertia(Index r)
    : first(Vector3::Zero()),
      tensor(Matrix3::Zero()),
      rr(Matrix6::Zero()),
      rq(Matrix6X::Zero(6, r)),
      bias_r(Vector6::Zero()),
      bias_q(VectorX::Zero(r)) {}

/// Z_l and Ż_l of all l, each given to take_coordinate(l, Z, Ż), and what is made of them; a few l at a time,
/// so that Z and Ż stay in registers. With ẏ = U q̇, a point of the body has the acceleration, in the frame's
/// axes,
///
///     a + ẇ × y + w × (w × y) + 2 w × ẏ + U q̈
///
/// Its products with 1, y × and U_l, integrated, are the rows of Eq. O2 and O3. The integrals that depend on
/// the state are Z_l = ∫ρ U_l yᵀ and Ż_l = ∫ρ U_l ẏᵀ.
template <class Take>
void FrameInertia::sum(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd,
                       Vector3& velocity, Matrix3& rate, const Take& take_coordinate) {
  const Index r = bias_q.size();
  PLIANT_ASSERT(q.size() == r && qd.size() == r && integrals.shape_mass.rows() == r);
  Nine yy = Nine::load(integrals.second.data());  // ∫ρ X Xᵀ + ∫ρ Uq yᵀ
  Nine rest;                                      // ∫ρ Uq Xᵀ: its transpose completes yy
  Nine rates;                                     // ∫ρ ẏ yᵀ
  velocity.setZero();                             // ∫ρ ẏ
  first = integrals.first;
  const auto take = [&]<int Count>(Index begin) {
    Nine Z[Count], Zd[Count];
    for (int i = 0; i < Count; ++i) Z[i] = Nine::load(integrals.shape_position.data() + 9 * (begin + i));
    for (int i = 0; i < Count; ++i) rest.add(q[begin + i], Z[i]);
    sum_moments<Count>(integrals.shape_shape.data() + 9 * begin, r, q.data(), qd.data(), Z, Zd);
    for (int i = 0; i < Count; ++i) {
      const Index l = begin + i;
      yy.add(q[l], Z[i]);
      rates.add(qd[l], Z[i]);
      const Vector3 shape = integrals.shape_first.col(l);
      first += q[l] * shape;
      velocity += qd[l] * shape;
      double* column = rq.data() + 6 * l;
      for (Index k = 0; k < 3; ++k) column[k] = shape[k];
      column[3] = Z[i].b[1] - Z[i].b[3];  // ∫ρ y × U_l = 2 axial(Z_l)
      column[4] = Z[i].b[2] - Z[i].a[2];
      column[5] = Z[i].a[1] - Z[i].a[3];
      take_coordinate(l, Z[i], Zd[i]);
    }
  };
  Index l = 0;
  for (; l + 2 <= r; l += 2) take.template operator()<2>(l);
  if (l < r) take.template operator()<1>(l);
  const Matrix3 P = yy.matrix() + rest.matrix().transpose();  // ∫ρ y yᵀ (Eq. R5), symmetric up to rounding
  rate = rates.matrix();
  tensor = P.trace() * Matrix3::Identity() - 0.5 * (P + P.transpose());

  rr.topLeftCorner<3, 3>() = integrals.mass * Matrix3::Identity();
  rr.bottomLeftCorner<3, 3>() = cross_matrix(first);
  rr.topRightCorner<3, 3>() = -rr.bottomLeftCorner<3, 3>();
  rr.bottomRightCorner<3, 3>() = tensor;
}

/// ∫ρ (w × (w × y) + 2 w × ẏ), and its moment; ∫ρ y × (w × ẏ) = tr(R) w − R w with R = ∫ρ ẏ yᵀ.
void FrameInertia::set_bias_r(const Vector3& velocity, const Matrix3& rate, const Vector3& w) {
  bias_r.head<3>() = w.cross(w.cross(first)) + 2.0 * w.cross(velocity);
  bias_r.tail<3>() = w.cross(tensor * w) + 2.0 * (rate.trace() * w - rate * w);
}

void FrameInertia::evaluate(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd,
                            const Vector3& w) {
  const Nine centrifugal = centrifugal_factors(w), coriolis = coriolis_factors(w);
  Vector3 velocity;
  Matrix3 rate;
  sum(integrals, q, qd, velocity, rate, [&](Index l, const Nine& Z, const Nine& Zd) {
    bias_q[l] = product(centrifugal, Z) + product(coriolis, Zd);
  });
  set_bias_r(velocity, rate, w);
}

void FrameInertia::evaluate_shape(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd,
                                  double* moments) {
  Vector3 velocity;
  Matrix3 rate;
  sum(integrals, q, qd, velocity, rate, [&](Index l, const Nine& Z, const Nine& Zd) {
    Z.store(moments + 18 * l);
    Zd.store(moments + 18 * l + 9);
  });
  moments += 18 * bias_q.size();
  std::copy_n(velocity.data(), 3, moments);
  std::copy_n(rate.data(), 9, moments + 3);
}

void FrameInertia::evaluate_bias(const double* moments, const Vector3& w) {
  const Nine centrifugal = centrifugal_factors(w), coriolis = coriolis_factors(w);
  const Index r = bias_q.size();
  for (Index l = 0; l < r; ++l)
    bias_q[l] = product(centrifugal, Nine::load(moments + 18 * l)) +
                product(coriolis, Nine::load(moments + 18 * l + 9));
  set_bias_r(Eigen::Map<const Vector3>(moments + 18 * r), Eigen::Map<const Matrix3>(moments + 18 * r + 3), w);
}

}  // namespace pliant
