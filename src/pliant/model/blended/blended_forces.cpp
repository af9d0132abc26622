#include "pliant/model/blended/blended_forces.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/material/kernels.hpp"
#include "pliant/material/mean_stress.hpp"
#include "pliant/material/point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pliant {
namespace {

constexpr Index kLanes4 = 4;  // points evaluated together
constexpr Index kPacks = 16;  // packs of a block of points
constexpr Index kPairs = 6;   // blocks of K that are computed: axes (0,0), (0,1), (0,2), (1,1), (1,2), (2,2)
constexpr Index kPanel =
    12000;  // numbers of a panel of gradients that stays in the L2 cache with its product

constexpr std::array<std::array<int, 2>, kPairs> kAxes{{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};

/// What four points are made of.
struct PackOfPoints {
  Law law = Law::kStvk;
  bool kernel = false;  // all four have the kernel of this law
  Pack4 lambda = {}, mu = {};
  std::array<Index, 4> material{};
};

/// What a pass over the points computes besides stresses.
struct Pass {
  bool mean = false;  // between two shapes instead of at one
  bool tangent = false;
  bool energy = false;
};

class BlendedForces final : public ReducedForces {
 public:
  BlendedForces(std::shared_ptr<const BlendedBody> body, std::span<const Material> materials)
      : body_(std::move(body)),
        points_(body_->points.count()),
        columns_(body_->scalars.cols()),
        packs_((points_ + kLanes4 - 1) / kLanes4) {
    const Index padded = kLanes4 * packs_.size();
    for (MatrixX* each : {&now_, &before_, &stress_}) *each = MatrixX::Zero(9, padded);
    energies_ = VectorX::Zero(padded);
    tangents_ = MatrixX::Zero(9 * kPairs, padded);
    panel_ = std::max<Index>(1, kPanel / (3 * columns_));
    for (MatrixX& each : products_) each.resize(columns_, 3 * panel_);
    scalar_q_ = scalar_start_ = scalar_f_ = MatrixX::Zero(columns_, 3);
    K_ = MatrixX::Zero(3 * columns_, 3 * columns_);
    if (transforms()) KT_.resize(3 * columns_, body_->transform.cols());
    set_materials(materials);
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    gradients_at(q, scalar_q_, now_);
    run({.mean = false, .tangent = true, .energy = true});
    project_force(f);
    project_stiffness(K);
    return total_energy();
  }

  double evaluate(ConstVectorRef q, VectorRef f) override {
    gradients_at(q, scalar_q_, now_);
    run({.mean = false, .tangent = false, .energy = true});
    project_force(f);
    return total_energy();
  }

  bool force(ConstVectorRef q, VectorRef f) override {
    gradients_at(q, scalar_q_, now_);
    run({.mean = false, .tangent = false, .energy = false});
    project_force(f);
    return f.allFinite();
  }

  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    gradients_at(q0, scalar_start_, before_);
    gradients_at(q1, scalar_q_, now_);
    run({.mean = true, .tangent = true, .energy = true});
    project_force(f);
    project_stiffness(K);
    return total_energy();
  }

  void set_materials(std::span<const Material> materials) override {
    materials_.assign(materials.begin(), materials.end());
    for (std::size_t pack = 0; pack < packs_.size(); ++pack) fill(static_cast<Index>(pack));
    double sum = 0.0;
    for (Index p = 0; p < points_; ++p) {
      const Material& material = materials_[to_size(body_->points.material[to_size(p)])];
      const double size = body_->points.weights[p] * (material.lambda() + 2.0 * material.mu()) *
                          body_->points.gradients.middleCols<3>(3 * p).norm();
      sum += size * size;
    }
    rest_scale_ = std::sqrt(sum);
  }

  /// Sums over points cancel where forces balance.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }
  [[nodiscard]] double rest_scale() const override { return rest_scale_; }

 private:
  [[nodiscard]] bool transforms() const { return body_->transform.size() > 0; }

  void fill(Index pack) {
    PackOfPoints& own = packs_[to_size(pack)];
    own.kernel = true;
    for (Index lane = 0; lane < kLanes4; ++lane) {
      const Index p = std::min(kLanes4 * pack + lane, points_ - 1);  // padding repeats the last point
      own.material[to_size(lane)] = body_->points.material[to_size(p)];
      const Material& material = materials_[to_size(own.material[to_size(lane)])];
      if (lane == 0) own.law = material.law;
      own.kernel = own.kernel && material.law == own.law && has_kernel(material);
      own.lambda[lane] = material.lambda();
      own.mu[lane] = material.mu();
    }
  }

  /// Displacement gradients H = Σ q_c ⊗ g_c of all points, nine numbers each.
  void gradients_at(ConstVectorRef q, MatrixX& scalar, MatrixX& H) {
    Eigen::Map<VectorX> flat(scalar.data(), scalar.size());
    if (transforms())
      flat.noalias() = body_->transform * q;
    else
      flat = q;
    scalar_now_ = &scalar;
    H_now_ = &H;
    parallel_blocks(points_, kLanes4 * kPacks, [this](Index, Index begin, Index end) {
      Eigen::Map<MatrixX> all(H_now_->data(), 3, 3 * points_);
      all.middleCols(3 * begin, 3 * (end - begin)) = scalar_now_->transpose().lazyProduct(
          body_->points.gradients.middleCols(3 * begin, 3 * (end - begin)));
    });
  }

  /// Stresses, times volumes, and what else the pass wants, at all points; then f and K of the scalars.
  void run(const Pass& pass) {
    pass_ = pass;
    parallel_blocks(std::ssize(packs_), kPacks, [this](Index, Index begin, Index end) {
      for (Index pack = begin; pack < end; ++pack) evaluate_pack(pack);
    });
    parallel_tasks(pass.tangent ? kPairs + 1 : 1, [this](Index task) {
      if (task == 0)
        add_force();
      else
        add_stiffness(task - 1);
    });
  }

  void evaluate_pack(Index pack) {
    const PackOfPoints& own = packs_[to_size(pack)];
    Pack4 H[9], H0[9], P[9], A[81], energy = {};
    gather(now_, pack, H);
    if (pass_.mean) gather(before_, pack, H0);
    Pack4* tangent = pass_.tangent ? A : nullptr;
    if (own.kernel)
      by_kernel(own, H0, H, P, tangent, energy);
    else
      by_point(own, H0, H, P, tangent, energy);
    for (Index lane = 0; lane < kLanes4; ++lane) {
      const Index p = kLanes4 * pack + lane;
      if (p >= points_) break;
      const double volume = body_->points.weights[p];
      for (int i = 0; i < 9; ++i) stress_(i, p) = volume * P[i][lane];
      if (pass_.energy) energies_[p] = volume * energy[lane];
      if (!pass_.tangent) continue;
      double* to = tangents_.data() + 9 * kPairs * p;
      for (const auto& [i, k] : kAxes)
        for (int l = 0; l < 3; ++l)
          for (int j = 0; j < 3; ++j) *to++ = volume * A[(i + 3 * j) + 9 * (k + 3 * l)][lane];
    }
  }

  static void gather(const MatrixX& from, Index pack, Pack4 H[9]) {
    const double* at = from.data() + 9 * kLanes4 * pack;
    for (int lane = 0; lane < kLanes4; ++lane)
      for (int i = 0; i < 9; ++i) H[i][lane] = at[9 * lane + i];
  }

  void by_kernel(const PackOfPoints& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                 Pack4& energy) const {
    with_kernel<Pack4>(own.law, own.lambda, own.mu, [&](const auto& law) {
      if (pass_.energy) energy = law.energy(H);
      if (pass_.mean) return;
      if (A != nullptr)
        law.stress_tangent(H, P, A);
      else
        law.stress(H, P);
    });
    if (!pass_.mean) return;
    const MeanStrain<Pack4> strain(H0, H);
    with_mean_kernel<Pack4>(own.law, own.lambda, own.mu, [&](const auto& law) { law(strain, P, A); });
  }

  void by_point(const PackOfPoints& own, const Pack4 H0[9], const Pack4 H[9], Pack4 P[9], Pack4* A,
                Pack4& energy) const {
    for (int lane = 0; lane < kLanes4; ++lane) {
      const Material& material = materials_[to_size(own.material[to_size(lane)])];
      Matrix3 h, h0, p;
      Matrix9 a;
      for (int i = 0; i < 9; ++i) h.data()[i] = H[i][lane];
      const Matrix3 F = h + Matrix3::Identity();
      if (pass_.energy) energy[lane] = energy_density(material, F);
      if (pass_.mean) {
        for (int i = 0; i < 9; ++i) h0.data()[i] = H0[i][lane];
        mean_stress(material, h0, h, material.invertible, p, A != nullptr ? &a : nullptr);
      } else if (A != nullptr) {
        stress_and_tangent(material, F, material.invertible, p, a);
      } else {
        p = stress(material, F);
      }
      for (int i = 0; i < 9; ++i) P[i][lane] = p.data()[i];
      for (int i = 0; A != nullptr && i < 81; ++i) A[i][lane] = a.data()[i];
    }
  }

  void add_force() {
    const Eigen::Map<const MatrixX> P(stress_.data(), 3, 3 * points_);
    scalar_f_.setZero();
    for (Index begin = 0; begin < points_; begin += panel_) {
      const Index count = 3 * std::min(panel_, points_ - begin);
      scalar_f_.noalias() +=
          body_->points.gradients.middleCols(3 * begin, count) * P.middleCols(3 * begin, count).transpose();
    }
  }

  /// One of the blocks of K, and its mirror image.
  void add_stiffness(Index pair) {
    const auto [i, k] = kAxes[to_size(pair)];
    auto block = K_.block(columns_ * i, columns_ * k, columns_, columns_);
    MatrixX& product = products_[to_size(pair)];
    const MatrixX& G = body_->points.gradients;
    block.setZero();
    for (Index begin = 0; begin < points_; begin += panel_) {
      const Index count = std::min(panel_, points_ - begin);
      for (Index p = 0; p < count; ++p) {
        const Eigen::Map<const Matrix3> a(tangents_.data() + 9 * (kPairs * (begin + p) + pair));
        product.middleCols<3>(3 * p) = G.middleCols<3>(3 * (begin + p)).lazyProduct(a);
      }
      const auto panel = G.middleCols(3 * begin, 3 * count);
      if (i == k)
        block.triangularView<Eigen::Lower>() += product.leftCols(3 * count) * panel.transpose();
      else
        block.noalias() += product.leftCols(3 * count) * panel.transpose();
    }
    for (Index c = 0; c < columns_; ++c)
      for (Index row = i == k ? c + 1 : 0; row < columns_; ++row)
        K_(columns_ * k + c, columns_ * i + row) = block(row, c);
  }

  void project_force(VectorRef f) const {
    const Eigen::Map<const VectorX> flat(scalar_f_.data(), scalar_f_.size());
    if (transforms())
      f.noalias() = body_->transform.transpose() * flat;
    else
      f = flat;
  }
  void project_stiffness(MatrixRef K) {
    if (!transforms()) {
      K = K_;
      return;
    }
    KT_.noalias() = K_ * body_->transform;
    K.noalias() = body_->transform.transpose() * KT_;
  }

  /// Infinity where a law is not defined.
  [[nodiscard]] double total_energy() const {
    double sum = 0.0;
    for (Index p = 0; p < points_; ++p) sum += energies_[p];
    return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
  }

  std::shared_ptr<const BlendedBody> body_;
  std::vector<Material> materials_;
  Index points_, columns_;
  std::vector<PackOfPoints> packs_;
  Index panel_ = 1;  // points of a panel
  double rest_scale_ = 0.0;

  // Scratch
  Pass pass_;
  const MatrixX* scalar_now_ = nullptr;
  MatrixX* H_now_ = nullptr;
  MatrixX now_, before_, stress_;  // 9 × points
  VectorX energies_;
  MatrixX tangents_;  // per point the 3 × 3 blocks of all pairs
  std::array<MatrixX, kPairs> products_;
  MatrixX scalar_q_, scalar_start_, scalar_f_, K_, KT_;
};

}  // namespace

std::unique_ptr<ReducedForces> blended_forces(std::shared_ptr<const BlendedBody> body,
                                              std::span<const Material> materials) {
  return std::make_unique<BlendedForces>(std::move(body), materials);
}

}  // namespace pliant
