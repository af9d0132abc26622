#include "pliant/math/dense_cholesky.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/pack.hpp"

#include <limits>

namespace pliant {
namespace {

constexpr Index kPanel = 4;  // columns factorised together: one pack

/// Left-looking update of a panel: columns −= (L D)(Lᵀ) over the `count` columns before it. `multiple` holds
/// the panel's rows of L.
template <int Packs>
inline void subtract_before(const double* before, Index stride, Index count, const double* multiple,
                            Pack4 columns[kPanel][Packs]) {
  for (Index p = 0; p < count; ++p, before += stride, multiple += kPanel) {
    Pack4 x[Packs];
    for (int i = 0; i < Packs; ++i) x[i] = load_pack(before + 4 * i);
    for (int c = 0; c < kPanel; ++c)
      for (int i = 0; i < Packs; ++i) columns[c][i] -= x[i] * multiple[c];
  }
}

/// `Packs` packs of rows below the diagonal block of the panel that begins at column `begin`: forward
/// substitution with the block's multipliers l yields the columns of L D.
template <int Packs>
inline void take_rows(double* factor, Index stride, Index begin, Index row, const double* multiple,
                      const double l[6]) {
  Pack4 y[kPanel][Packs];
  double* at = factor + begin * stride + row;
  for (int c = 0; c < kPanel; ++c)
    for (int i = 0; i < Packs; ++i) y[c][i] = load_pack(at + c * stride + 4 * i);
  subtract_before<Packs>(factor + row, stride, begin, multiple, y);
  for (int i = 0; i < Packs; ++i) {
    y[1][i] -= y[0][i] * l[0];
    y[2][i] -= y[0][i] * l[1] + y[1][i] * l[3];
    y[3][i] -= y[0][i] * l[2] + y[1][i] * l[4] + y[2][i] * l[5];
    for (int c = 0; c < kPanel; ++c) store_pack(y[c][i], at + c * stride + 4 * i);
  }
}

}  // namespace

DenseCholesky::DenseCholesky(Index n)
    : n_(n),
      padded_((n + kPanel - 1) / kPanel * kPanel),
      factor_(MatrixX::Identity(padded_ + (padded_ % 8 == 0 ? 4 : 0), padded_)),
      inverse_(padded_),
      multiple_(kPanel * padded_),
      right_(VectorX::Zero(padded_)) {}

bool DenseCholesky::factorize(ConstMatrixRef A) {
  PLIANT_ASSERT(A.rows() == n_ && A.cols() == n_);
  for (Index j = 0; j < n_; ++j) {
    factor_.col(j).segment(j, n_ - j) = A.col(j).segment(j, n_ - j);
    for (Index i = n_; i < padded_; ++i) factor_(i, j) = 0.0;  // a failed factorisation may have left NaN
  }
  for (Index j = n_; j < padded_; ++j)
    for (Index i = n_; i < padded_; ++i) factor_(i, j) = i == j ? 1.0 : 0.0;
  for (Index begin = 0; begin < padded_; begin += kPanel) {
    take_panel(begin);
    for (Index j = begin; j < begin + kPanel; ++j) {
      const double d = factor_(j, j);
      // D holds the pivots: A is positive definite if all are positive (NaN fails, too).
      if (!(d > 0.0 && d < std::numeric_limits<double>::infinity())) return false;
    }
  }
  return true;
}

void DenseCholesky::take_panel(Index begin) {
  const Index stride = factor_.rows();
  double* factor = factor_.data();
  double* multiple = multiple_.data();
  // Rows of L at this panel, L = (L D) D⁻¹.
  for (Index p = 0; p < begin; ++p)
    store_pack(load_pack(factor + p * stride + begin) * inverse_[p], multiple + kPanel * p);

  Pack4 block[kPanel][1];
  double* diagonal = factor + begin * stride + begin;
  for (int c = 0; c < kPanel; ++c) block[c][0] = load_pack(diagonal + c * stride);
  subtract_before<1>(factor + begin, stride, begin, multiple, block);
  // L D Lᵀ of the 4×4 diagonal block, column by column; l_ij = (L D)_ij / D_j.
  double* inverse = inverse_.data() + begin;
  inverse[0] = 1.0 / block[0][0][0];
  const double l10 = block[0][0][1] * inverse[0];
  const double l20 = block[0][0][2] * inverse[0];
  const double l30 = block[0][0][3] * inverse[0];
  block[1][0] -= block[0][0] * l10;
  inverse[1] = 1.0 / block[1][0][1];
  const double l21 = block[1][0][2] * inverse[1];
  const double l31 = block[1][0][3] * inverse[1];
  block[2][0] -= block[0][0] * l20 + block[1][0] * l21;
  inverse[2] = 1.0 / block[2][0][2];
  const double l32 = block[2][0][3] * inverse[2];
  block[3][0] -= block[0][0] * l30 + block[1][0] * l31 + block[2][0] * l32;
  inverse[3] = 1.0 / block[3][0][3];
  for (int c = 0; c < kPanel; ++c) store_pack(block[c][0], diagonal + c * stride);

  const double l[6] = {l10, l20, l30, l21, l31, l32};
  Index row = begin + kPanel;
  for (; row + 8 <= padded_; row += 8) take_rows<2>(factor, stride, begin, row, multiple, l);
  if (row < padded_) take_rows<1>(factor, stride, begin, row, multiple, l);
}

void DenseCholesky::solve(VectorRef x) {
  PLIANT_ASSERT(x.size() == n_);
  const Index stride = factor_.rows();
  const double* factor = factor_.data();
  double* b = right_.data();
  right_.head(n_) = x;
  right_.tail(padded_ - n_).setZero();
  for (Index p = 0; p < padded_; p += kPanel) {  // forward: (L D) z = b
    const double* y = factor + p * stride + p;
    const double* inverse = inverse_.data() + p;
    const double z0 = b[p] * inverse[0];
    const double z1 = (b[p + 1] - y[1] * z0) * inverse[1];
    const double z2 = (b[p + 2] - y[2] * z0 - y[stride + 2] * z1) * inverse[2];
    const double z3 = (b[p + 3] - y[3] * z0 - y[stride + 3] * z1 - y[2 * stride + 3] * z2) * inverse[3];
    b[p] = z0;
    b[p + 1] = z1;
    b[p + 2] = z2;
    b[p + 3] = z3;
    for (Index i = kPanel; i < padded_ - p; i += 4) {
      const Pack4 sum = load_pack(y + i) * z0 + load_pack(y + stride + i) * z1 +
                        (load_pack(y + 2 * stride + i) * z2 + load_pack(y + 3 * stride + i) * z3);
      store_pack(load_pack(b + p + i) - sum, b + p + i);
    }
  }
  for (Index p = padded_ - kPanel; p >= 0; p -= kPanel) {  // backward: Lᵀ x = z, L = (L D) D⁻¹
    const double* y = factor + p * stride + p;
    const double* inverse = inverse_.data() + p;
    Pack4 sum[kPanel] = {};
    for (Index i = kPanel; i < padded_ - p; i += 4) {
      const Pack4 at = load_pack(b + p + i);
      for (int c = 0; c < kPanel; ++c) sum[c] += load_pack(y + c * stride + i) * at;
    }
    double s[kPanel];
    for (int c = 0; c < kPanel; ++c) s[c] = (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
    b[p + 3] -= inverse[3] * s[3];
    b[p + 2] -= inverse[2] * (s[2] + y[2 * stride + 3] * b[p + 3]);
    b[p + 1] -= inverse[1] * (s[1] + y[stride + 2] * b[p + 2] + y[stride + 3] * b[p + 3]);
    b[p] -= inverse[0] * (s[0] + y[1] * b[p + 1] + y[2] * b[p + 2] + y[3] * b[p + 3]);
  }
  x = right_.head(n_);
}

}  // namespace pliant
