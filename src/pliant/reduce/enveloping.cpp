#include "pliant/reduce/enveloping.hpp"

#include "pliant/math/dense.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSmoothness = 0.1;   // α
constexpr int kPasses = 8;            // of both solves; three to five suffice
constexpr double kEnough = 0.01;      // relative gain of a pass below which they end
constexpr int kGradientSteps = 2000;  // of conjugate gradients in one pass
constexpr double kSolved = 1e-8;      // their residual, relative
constexpr Index kSix = 6;             // quadratic functions of a domain
constexpr Index kTen = 10;

/// Vertices that share an element with each vertex, itself left out.
std::vector<std::vector<VertexId>> neighbours_of(const VolumeMesh& mesh) {
  std::vector<std::vector<VertexId>> lists(to_size(mesh.vertex_count()));
  for_each_element(mesh, [&](Index, std::span<const VertexId> element) {
    for (const VertexId a : element)
      for (const VertexId b : element)
        if (a != b) lists[to_size(a)].push_back(b);
  });
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

class Enveloping {
 public:
  Enveloping(const ElasticBody& body, const BlendWeights& weights, const std::vector<VectorX>& poses,
             BlendedColumns& columns)
      : columns_(columns),
        n_(body.mesh().vertex_count()),
        domains_(std::ssize(columns.domains)),
        neighbours_(neighbours_of(body.mesh())),
        monomials_(n_, kSix * domains_),
        w_(n_, kSix * domains_) {
    std::array<double, kTen> values{};
    for (Index v = 0; v < n_; ++v)
      for (Index d = 0; d < domains_; ++d) {
        const BlendedDomain& domain = columns.domains[to_size(d)];
        blended_monomials((body.mesh().vertices[to_size(v)] - domain.center) / domain.size, kTen,
                          values.data());
        for (Index k = 0; k < kSix; ++k) {
          monomials_(v, kSix * d + k) = values[to_size(4 + k)];
          w_(v, kSix * d + k) = weights.domains(v, d);
        }
      }
    fixed_.assign(to_size(n_), 0);
    for (Index v = 0; v < n_; ++v)
      if (weights.anchor[v] > 1.0 - 1e-9 || neighbours_[to_size(v)].empty()) fixed_[to_size(v)] = 1;
    size_ = w_.colwise().norm();
    take_residual(poses);
  }

  void run() {
    fit_coordinates();
    columns_.residuals = {residual()};
    for (int pass = 0; pass < kPasses; ++pass) {
      fit_weights();
      fit_coordinates();
      columns_.residuals.push_back(residual());
      const double before = columns_.residuals[columns_.residuals.size() - 2];
      if (!(before - columns_.residuals.back() > kEnough * before)) break;
    }
    for (Index d = 0; d < domains_; ++d)
      for (Index k = 0; k < kSix; ++k) {
        const Index c = kSix * d + k;
        columns_.raw.col(4 + kTen * d + 4 + k) = w_.col(c).cwiseProduct(monomials_.col(c));
      }
  }

 private:
  /// Δu of all poses and axes in the columns (Eq. 13), over its RMS.
  void take_residual(const std::vector<VectorX>& poses) {
    target_.resize(n_, 3 * std::ssize(poses));
    for (std::size_t p = 0; p < poses.size(); ++p)
      for (Index v = 0; v < n_; ++v)
        for (Index axis = 0; axis < 3; ++axis)
          target_(v, 3 * static_cast<Index>(p) + axis) =
              fixed_[to_size(v)] != 0 ? 0.0 : poses[p][3 * v + axis];
    whole_ = target_.norm();
    MatrixX Y(n_, 4 * domains_);
    for (Index d = 0; d < domains_; ++d) Y.middleCols(4 * d, 4) = columns_.raw.middleCols(4 + kTen * d, 4);
    target_ -= Y * least_squares(Y.transpose() * Y, Y.transpose() * target_);
    unit_ = target_.norm() / std::sqrt(static_cast<double>(target_.size()));
    if (unit_ > 0.0) target_ /= unit_;
  }

  /// z ← (ZᵀZ)⁻¹ Zᵀ Δu.
  void fit_coordinates() {
    const MatrixX Z = w_.cwiseProduct(monomials_);
    z_ = least_squares(Z.transpose() * Z, Z.transpose() * target_);
  }

  /// |Δu − Z z| / |u|.
  [[nodiscard]] double residual() const {
    const MatrixX left = target_ - w_.cwiseProduct(monomials_) * z_;
    return whole_ > 0.0 ? unit_ * left.norm() / whole_ : 0.0;
  }

  /// The block of WᵀW at a vertex, and Wᵀ Δu there (Eq. 15).
  [[nodiscard]] MatrixX block(Index v) const {
    const MatrixX W = monomials_.row(v).transpose().asDiagonal() * z_;
    return W * W.transpose();
  }
  [[nodiscard]] VectorX right(Index v) const {
    return monomials_.row(v).transpose().asDiagonal() * (z_ * target_.row(v).transpose());
  }

  void difference(const MatrixX& w, MatrixX& made) const {
    for (Index v = 0; v < n_; ++v) {
      made.row(v) = w.row(v);
      const std::vector<VertexId>& near = neighbours_[to_size(v)];
      for (const VertexId u : near) made.row(v) -= w.row(u) / static_cast<double>(near.size());
    }
  }
  /// The transpose of difference().
  void transposed(const MatrixX& w, MatrixX& made) const {
    made = w;
    for (Index v = 0; v < n_; ++v) {
      const std::vector<VertexId>& near = neighbours_[to_size(v)];
      for (const VertexId u : near) made.row(u) -= w.row(v) / static_cast<double>(near.size());
    }
  }
  void clear_fixed(MatrixX& w) const {
    for (Index v = 0; v < n_; ++v)
      if (fixed_[to_size(v)] != 0) w.row(v).setZero();
  }

  /// w ← (α LᵀL + WᵀW)⁻¹ Wᵀ Δu by conjugate gradients; the blocks at the vertices are the preconditioner.
  void fit_weights() {
    std::vector<MatrixX> blocks(to_size(n_));
    std::vector<PositiveFactor> factors;
    factors.reserve(to_size(n_));
    MatrixX r(n_, w_.cols());
    VectorX diagonal = VectorX::Ones(n_);  // of LᵀL
    for (Index v = 0; v < n_; ++v)
      for (const VertexId u : neighbours_[to_size(v)]) {
        const double part = 1.0 / static_cast<double>(neighbours_[to_size(v)].size());
        diagonal[u] += part * part;
      }
    for (Index v = 0; v < n_; ++v) {
      blocks[to_size(v)] = block(v);
      MatrixX own = blocks[to_size(v)];
      own.diagonal().array() += kSmoothness * diagonal[v];
      factors.emplace_back(own);
      r.row(v) = right(v).transpose();
    }
    MatrixX product(n_, w_.cols()), work(n_, w_.cols()), p, solved(n_, w_.cols());
    const auto apply = [&](const MatrixX& w) {
      difference(w, work);
      transposed(work, product);
      product *= kSmoothness;
      for (Index v = 0; v < n_; ++v)
        product.row(v) += (blocks[to_size(v)] * w.row(v).transpose()).transpose();
      clear_fixed(product);
    };
    const auto precondition = [&] {
      for (Index v = 0; v < n_; ++v)
        solved.row(v) = factors[to_size(v)].solve(r.row(v).transpose()).transpose();
    };
    clear_fixed(r);
    clear_fixed(w_);
    const double scale = r.norm();
    apply(w_);
    r -= product;
    precondition();
    p = solved;
    double size = r.cwiseProduct(solved).sum();
    for (int step = 0; step < kGradientSteps && r.norm() > kSolved * scale; ++step) {
      apply(p);
      const double length = size / p.cwiseProduct(product).sum();
      w_ += length * p;
      r -= length * product;
      precondition();
      const double next = r.cwiseProduct(solved).sum();
      p = solved + next / size * p;
      size = next;
    }
    for (Index c = 0; c < w_.cols(); ++c)
      if (const double now = w_.col(c).norm(); now > 0.0) w_.col(c) *= size_[c] / now;
  }

  BlendedColumns& columns_;
  Index n_, domains_;
  std::vector<std::vector<VertexId>> neighbours_;
  MatrixX monomials_;  // n × 6 d
  MatrixX w_;          // n × 6 d
  VectorX size_;       // norms of the weights
  std::vector<char> fixed_;
  MatrixX target_;  // n × 3 poses: Δu / unit
  MatrixX z_;       // 6 d × 3 poses
  double unit_ = 1.0, whole_ = 0.0;
};

}  // namespace

void envelop(const ElasticBody& body, const BlendWeights& weights, const std::vector<VectorX>& poses,
             BlendedColumns& columns) {
  Enveloping(body, weights, poses, columns).run();
}

}  // namespace pliant
