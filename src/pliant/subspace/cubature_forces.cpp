#include "pliant/subspace/cubature_forces.hpp"

#include "pliant/material/mean_stress.hpp"
#include "pliant/material/point.hpp"
#include "pliant/subspace/remaining_points.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace pliant {
namespace {

constexpr Index kLanes4 = 4;
constexpr Index kBatchRows = 9 * kLanes4;  // of a batch of four points: entry of F, then lane
constexpr Index kBatchesPerChunk = 4;      // whose rows stay in the first cache
constexpr Index kChunkRows = kBatchRows * kBatchesPerChunk;
constexpr Index kTileRows = 4, kTileColumns = 3;  // twelve sums fit into the registers

/// Four points that are evaluated by the same code.
struct Batch {
  Law law = Law::kStvk;
  bool pointwise = false;  // the law needs an SVD: lane by lane
  int count = kLanes4;     // lanes in use; the others have weight zero
  Pack4 lambda = {}, mu = {}, weight = {};
  std::array<Index, 4> group{};
};

Matrix3 lane_matrix(const Pack4 H[9], int i) {
  Matrix3 m;
  for (int e = 0; e < 9; ++e) m.data()[e] = lane(H[e], i);
  return m;
}

void put_lane(const double* values, int count, int i, Pack4* packs) {
  for (int e = 0; e < count; ++e) set_lane(packs[e], i, values[e]);
}

class CubatureForces final : public ReducedForces {
 public:
  CubatureForces(std::shared_ptr<const ReducedBody> body, std::span<const Material> materials)
      : body_(std::move(body)), r_(body_->size()), materials_(materials.begin(), materials.end()) {
    arrange();
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    H_.noalias() = G_ * q;
    clear(K);
    const double energy = for_each_batch([&](Batch& batch, Index b, const Pack4 H[9], Pack4 P[9]) {
      Pack4 A[81];
      stress_tangent(batch, H, P, A);
      add_stiffness(batch, b, A);
      return energy_of(batch, H);
    });
    f.noalias() = G_.transpose() * P_;
    publish(K);
    return energy;
  }

  double evaluate(ConstVectorRef q, VectorRef f) override {
    H_.noalias() = G_ * q;
    const double energy = for_each_batch([&](Batch& batch, Index /*b*/, const Pack4 H[9], Pack4 P[9]) {
      stress_tangent(batch, H, P, nullptr);
      return energy_of(batch, H);
    });
    f.noalias() = G_.transpose() * P_;
    return energy;
  }

  bool force(ConstVectorRef q, VectorRef f) override {
    H_.noalias() = G_ * q;
    const double defined = for_each_batch([&](Batch& batch, Index /*b*/, const Pack4 H[9], Pack4 P[9]) {
      stress_tangent(batch, H, P, nullptr);
      return Pack4{} + (admissible_lanes(batch, H) ? 0.0 : std::numeric_limits<double>::infinity());
    });
    f.noalias() = G_.transpose() * P_;
    return defined == 0.0 && f.allFinite();
  }

  /// The mean stress of each point does the work of its change of energy.
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    start_.noalias() = G_ * q0;
    H_.noalias() = G_ * q1;
    clear(K);
    const double energy = for_each_batch([&](Batch& batch, Index b, const Pack4 H[9], Pack4 P[9]) {
      Pack4 A[81], before[9];
      for (int e = 0; e < 9; ++e) before[e] = load_pack(start_.data() + kBatchRows * b + kLanes4 * e);
      mean(batch, before, H, P, A);
      add_stiffness(batch, b, A);
      return energy_of(batch, H);
    });
    f.noalias() = G_.transpose() * P_;
    publish(K);
    return energy;
  }

  bool leave_to(std::span<ReducedForces* const> exact) override {
    factors_ = VectorX();
    arrange();
    if (exact.empty()) return true;
    MatrixX rest = MatrixX::Zero(r_, r_);
    VectorX f(r_);
    evaluate(VectorX::Zero(r_), f, rest);
    factors_ =
        remaining_factors({body_->cubature->count(),
                           [this](ConstVectorRef q, const MatrixX& rows) { return each_force(q, rows); },
                           [this](ConstVectorRef q) { return strain(q); }},
                          rest, exact);
    arrange();
    return true;
  }

  void set_materials(std::span<const Material> materials) override {
    materials_.assign(materials.begin(), materials.end());
    arrange();
  }

  /// Sums cancel at places where nothing holds against them.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }
  [[nodiscard]] double rest_scale() const override { return rest_scale_; }

 private:
  [[nodiscard]] Matrix3 slope(Index point, ConstVectorRef q) const {
    const Eigen::Matrix<double, 9, 1> H = body_->cubature->gradients.middleRows<9>(9 * point) * q;
    return Eigen::Map<const Matrix3>(H.data());
  }
  [[nodiscard]] double weight(Index point) const {
    return body_->cubature->weights[point] * (factors_.size() > 0 ? factors_[point] : 1.0);
  }

  /// rows · the force of each point with its original weight.
  [[nodiscard]] MatrixX each_force(ConstVectorRef q, const MatrixX& rows) const {
    const CubaturePoints& points = *body_->cubature;
    MatrixX each(rows.rows(), points.count());
    VectorX force(r_);
    for (Index p = 0; p < points.count(); ++p) {
      const Material& material = materials_[to_size(points.groups[to_size(p)])];
      const Matrix3 P = points.weights[p] * stress(material, Matrix3::Identity() + slope(p, q));
      force.noalias() = points.gradients.middleRows<9>(9 * p).transpose() * P.reshaped();
      each.col(p).noalias() = rows * force;
    }
    return each;
  }

  [[nodiscard]] double strain(ConstVectorRef q) const {
    double most = 0.0;
    for (Index p = 0; p < body_->cubature->count(); ++p) most = std::max(most, slope(p, q).norm());
    return most;
  }

  /// Points of one law side by side, four at a time; laws in the order in which they first appear.
  void arrange() {
    const CubaturePoints& points = *body_->cubature;
    std::vector<std::pair<Law, bool>> laws;
    const auto law_of = [&](Index p) {
      const Material& m = materials_[to_size(points.groups[to_size(p)])];
      return std::pair{m.law, !has_kernel(m)};
    };
    for (Index p = 0; p < points.count(); ++p)
      if (std::find(laws.begin(), laws.end(), law_of(p)) == laws.end()) laws.push_back(law_of(p));
    batches_.clear();
    std::vector<Index> lanes;  // the point of each lane, −1 for none
    for (const auto& law : laws) {
      for (Index p = 0; p < points.count(); ++p)
        if (law_of(p) == law) lanes.push_back(p);
      while (std::ssize(lanes) % kLanes4 != 0) lanes.push_back(-1);
      batches_.resize(lanes.size() / kLanes4, Batch{law.first, law.second});
    }
    G_ = MatrixX::Zero(kBatchRows * std::ssize(batches_), r_);
    double square = 0.0;
    for (std::size_t i = 0; i < lanes.size(); ++i) square += place(lanes[i], static_cast<Index>(i), points);
    rest_scale_ = std::sqrt(square);
    H_ = start_ = P_ = VectorX::Zero(G_.rows());
    T_ = MatrixX::Zero(kChunkRows, r_);
    sums_.assign(to_size(r_ * r_), Pack4{});
  }

  /// Puts a point into its lane; the square of what rounds in its force at rest.
  double place(Index point, Index lane_number, const CubaturePoints& points) {
    Batch& batch = batches_[to_size(lane_number / kLanes4)];
    const int i = static_cast<int>(lane_number % kLanes4);
    if (point < 0) {
      batch.count = std::min(batch.count, i);
      return 0.0;
    }
    const Index group = points.groups[to_size(point)];
    const Material& m = materials_[to_size(group)];
    batch.group[to_size(i)] = group;
    set_lane(batch.lambda, i, m.lambda());
    set_lane(batch.mu, i, m.mu());
    set_lane(batch.weight, i, weight(point));
    for (Index e = 0; e < 9; ++e)
      G_.row(kBatchRows * (lane_number / kLanes4) + kLanes4 * e + i) = points.gradients.row(9 * point + e);
    if (!batch.pointwise) return 0.0;  // kernels see H alone, not the 1 in F
    return (weight(point) * (m.lambda() + 2.0 * m.mu()) * points.gradients.middleRows<9>(9 * point))
        .squaredNorm();
  }

  /// Calls work(batch, its number, H, P) in order, weighs P and stores it in P_; the sum of what work
  /// returns.
  template <class Work>
  double for_each_batch(const Work& work) {
    double total = 0.0;
    for (Index b = 0; b < std::ssize(batches_); ++b) {
      Batch& batch = batches_[to_size(b)];
      Pack4 H[9], P[9];
      for (int e = 0; e < 9; ++e) H[e] = load_pack(H_.data() + kBatchRows * b + kLanes4 * e);
      const Pack4 values = work(batch, b, H, P);
      for (int i = 0; i < batch.count; ++i) total += lane(values, i);
      for (int e = 0; e < 9; ++e)
        store_pack(Pack4(batch.weight * P[e]), P_.data() + kBatchRows * b + kLanes4 * e);
    }
    return total;
  }

  void stress_tangent(const Batch& batch, const Pack4 H[9], Pack4 P[9], Pack4* A) const {
    if (!batch.pointwise)
      return with_kernel(batch.law, batch.lambda, batch.mu, [&](const auto& law) {
        if (A != nullptr) return law.stress_tangent(H, P, A);
        law.stress(H, P);
      });
    for (int i = 0; i < kLanes4; ++i) {
      const Material& m = materials_[to_size(batch.group[to_size(i)])];
      const Matrix3 F = lane_matrix(H, i) + Matrix3::Identity();
      Matrix3 p;
      if (A == nullptr) {
        p = stress(m, F);
      } else {
        Matrix9 a;
        pliant::stress_and_tangent(m, F, false, p, a);
        put_lane(a.data(), 81, i, A);
      }
      put_lane(p.data(), 9, i, P);
    }
  }

  void mean(const Batch& batch, const Pack4 H0[9], const Pack4 H1[9], Pack4 P[9], Pack4 A[81]) const {
    if (!batch.pointwise)
      return with_mean_kernel(batch.law, batch.lambda, batch.mu,
                              [&](const auto& law) { law(MeanStrain<Pack4>(H0, H1), P, A); });
    for (int i = 0; i < kLanes4; ++i) {
      Matrix3 p;
      Matrix9 a;
      mean_stress(materials_[to_size(batch.group[to_size(i)])], lane_matrix(H0, i), lane_matrix(H1, i), false,
                  p, &a);
      put_lane(p.data(), 9, i, P);
      put_lane(a.data(), 81, i, A);
    }
  }

  /// Only `neohookean` is undefined somewhere: where J ≤ 0.
  static bool admissible_lanes(const Batch& batch, const Pack4 H[9]) {
    if (batch.law != Law::kNeoHookean || batch.pointwise) return true;
    Pack4 F[9], C[9];
    kernel::deformation_gradient(H, F);
    kernel::cofactor(F, C);
    const Pack4 J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];
    for (int i = 0; i < batch.count; ++i)
      if (!(lane(J, i) > 0.0)) return false;
    return true;
  }

  Pack4 energy_of(const Batch& batch, const Pack4 H[9]) const {
    if (!admissible_lanes(batch, H)) return Pack4{} + std::numeric_limits<double>::infinity();
    if (!batch.pointwise) {
      const Pack4 density =
          with_kernel(batch.law, batch.lambda, batch.mu, [&](const auto& law) { return law.energy(H); });
      return batch.weight * density;
    }
    Pack4 density = {};
    for (int i = 0; i < batch.count; ++i)
      set_lane(density, i,
               energy_density(materials_[to_size(batch.group[to_size(i)])],
                              Matrix3(lane_matrix(H, i) + Matrix3::Identity())));
    return batch.weight * density;
  }

  void clear(MatrixRef K) {
    PLIANT_ASSERT(K.rows() == r_ && K.cols() == r_);
    (void)K;
    std::fill(sums_.begin(), sums_.end(), Pack4{});
  }

  /// T = w A G of a batch; when a chunk is full, K += Gᵀ T.
  void add_stiffness(const Batch& batch, Index b, const Pack4 A[81]) {
    const Index slot = b % kBatchesPerChunk;
    Pack4 own[81];
    for (int e = 0; e < 81; ++e) own[e] = batch.weight * A[e];
    for (Index c = 0; c < r_; ++c) {
      const double* g = G_.data() + G_.rows() * c + kBatchRows * b;
      double* t = T_.data() + kChunkRows * c + kBatchRows * slot;
      Pack4 column[9];
      for (int e = 0; e < 9; ++e) column[e] = load_pack(g + kLanes4 * e);
      for (int i = 0; i < 9; ++i) {
        Pack4 sum = own[i] * column[0];
        for (int e = 1; e < 9; ++e) sum += own[i + 9 * e] * column[e];
        store_pack(sum, t + kLanes4 * i);
      }
    }
    if (slot == kBatchesPerChunk - 1 || b + 1 == std::ssize(batches_)) close_chunk(b - slot, slot + 1);
  }

  /// sums += Gᵀ T over the rows of some batches: the lower triangle in tiles, packs along the rows.
  void close_chunk(Index first, Index count) {
    const Index packs = 9 * count;
    for (Index j = 0; j < r_; j += kTileColumns)
      for (Index i = j / kTileRows * kTileRows; i < r_; i += kTileRows) {
        if (i + kTileRows <= r_ && j + kTileColumns <= r_)
          tile<kTileRows, kTileColumns>(i, j, first, packs);
        else
          for (Index row = i; row < std::min(i + kTileRows, r_); ++row)
            for (Index column = j; column < std::min(j + kTileColumns, r_); ++column)
              tile<1, 1>(row, column, first, packs);
      }
  }

  template <Index Rows, Index Columns>
  void tile(Index i, Index j, Index first, Index packs) {
    const double* g = G_.data() + G_.rows() * i + kBatchRows * first;
    const double* t = T_.data() + kChunkRows * j;
    const Index stride = G_.rows();
    Pack4 sum[Rows][Columns];
    for (Index a = 0; a < Rows; ++a)
      for (Index b = 0; b < Columns; ++b) sum[a][b] = sums_[to_size(i + a + r_ * (j + b))];
    for (Index k = 0; k < packs; ++k, g += kLanes4, t += kLanes4)
      for (Index a = 0; a < Rows; ++a) {
        const Pack4 left = load_pack(g + stride * a);
        for (Index b = 0; b < Columns; ++b) sum[a][b] += left * load_pack(t + kChunkRows * b);
      }
    for (Index a = 0; a < Rows; ++a)
      for (Index b = 0; b < Columns; ++b) sums_[to_size(i + a + r_ * (j + b))] = sum[a][b];
  }

  void publish(MatrixRef K) const {
    for (Index j = 0; j < r_; ++j)
      for (Index i = j; i < r_; ++i) {
        const Pack4& sum = sums_[to_size(i + r_ * j)];
        K(i, j) = K(j, i) = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      }
  }

  std::shared_ptr<const ReducedBody> body_;
  Index r_;
  std::vector<Material> materials_;
  std::vector<Batch> batches_;
  VectorX factors_;          // on the weights of the points; empty: 1
  MatrixX G_;                // 36 rows per batch: nine entries of F, four lanes each
  VectorX H_, start_, P_;    // in the same order; P weighted
  MatrixX T_;                // of a chunk
  std::vector<Pack4> sums_;  // r × r, lower triangle: K lane by lane
  double rest_scale_ = 0.0;
};

}  // namespace

std::unique_ptr<ReducedForces> cubature_forces(std::shared_ptr<const ReducedBody> body,
                                               std::span<const Material> materials) {
  PLIANT_ASSERT(body->cubature.has_value());
  return std::make_unique<CubatureForces>(std::move(body), materials);
}

std::unique_ptr<ReducedForces> forces_of(const std::shared_ptr<const ReducedBody>& body,
                                         std::span<const Material> materials, Storage storage,
                                         const ElementLoops* loops) {
  if (body->cubature) return cubature_forces(body, materials);
  if (body->forms) return polynomial_forces(body, materials, storage);
  return loops != nullptr ? loops->forces(body) : nullptr;
}

}  // namespace pliant
