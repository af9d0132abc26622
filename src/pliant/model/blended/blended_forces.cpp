#include "pliant/model/blended/blended_forces.hpp"

#include "pliant/material/point.hpp"
#include "pliant/model/blended/point_sum.hpp"
#include "pliant/subspace/remaining_points.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace pliant {
namespace {

class BlendedForces final : public ReducedForces {
 public:
  BlendedForces(std::shared_ptr<const BlendedBody> body, std::span<const Material> materials)
      : body_(std::move(body)), columns_(body_->scalars.cols()), points_(body_->points, PointEnergy::kWhole) {
    if (body_->restorative.count() > 0) restoring_.emplace(body_->restorative, PointEnergy::kRestoring);
    q_ = start_ = f_ = MatrixX::Zero(columns_, 3);
    if (transforms()) {
      K_ = MatrixX::Zero(3 * columns_, 3 * columns_);
      KT_.resize(3 * columns_, body_->transform.cols());
    }
    set_materials(materials);
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    scalars_of(q, q_);
    return run({.mean = false, .stiffness = true, .energy = true}, f, &K);
  }
  double evaluate(ConstVectorRef q, VectorRef f) override {
    scalars_of(q, q_);
    return run({.mean = false, .stiffness = false, .energy = true}, f, nullptr);
  }
  bool force(ConstVectorRef q, VectorRef f) override {
    scalars_of(q, q_);
    (void)run({.mean = false, .stiffness = false, .energy = false}, f, nullptr);
    return f.allFinite();
  }
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    scalars_of(q0, start_);
    scalars_of(q1, q_);
    return run({.mean = true, .stiffness = true, .energy = true}, f, &K);
  }

  bool leave_to(std::span<ReducedForces* const> exact) override {
    if (!body_->few) return false;
    points_.set_factors({});
    if (exact.empty()) return true;
    const Index r = transforms() ? body_->transform.cols() : 3 * columns_;
    MatrixX rest = MatrixX::Zero(r, r);
    VectorX f(r);
    evaluate(VectorX::Zero(r), f, rest);
    points_.set_factors(remaining_factors(
        {body_->points.count(), [this](ConstVectorRef q, const MatrixX& rows) { return each_force(q, rows); },
         [this](ConstVectorRef q) { return strain(q); }},
        rest, exact));
    return true;
  }

  void set_materials(std::span<const Material> materials) override {
    materials_.assign(materials.begin(), materials.end());
    points_.set_materials(materials);
    if (restoring_) restoring_->set_materials(materials);
  }

  /// Sums over points cancel where forces balance.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }
  [[nodiscard]] double rest_scale() const override { return points_.rest_scale(); }

 private:
  [[nodiscard]] bool transforms() const { return body_->transform.size() > 0; }

  [[nodiscard]] Matrix3 slope(Index point, const MatrixX& q) const {
    return q.transpose() * body_->points.gradients.middleCols<3>(3 * point);
  }

  /// rows · the force of each point.
  [[nodiscard]] MatrixX each_force(ConstVectorRef coordinates, const MatrixX& rows) const {
    const BlendedPoints& points = body_->points;
    MatrixX q(columns_, 3), force(columns_, 3), each(rows.rows(), points.count());
    scalars_of(coordinates, q);
    const MatrixX on_scalars = transforms() ? MatrixX(rows * body_->transform.transpose()) : rows;
    for (Index p = 0; p < points.count(); ++p) {
      const Material& material = materials_[to_size(points.material[to_size(p)])];
      const Matrix3 P = points.weights[p] * stress(material, Matrix3::Identity() + slope(p, q));
      force = points.gradients.middleCols<3>(3 * p).lazyProduct(P.transpose());
      each.col(p).noalias() = on_scalars * force.reshaped();
    }
    return each;
  }

  [[nodiscard]] double strain(ConstVectorRef coordinates) const {
    MatrixX q(columns_, 3);
    scalars_of(coordinates, q);
    double most = 0.0;
    for (Index p = 0; p < body_->points.count(); ++p) most = std::max(most, slope(p, q).norm());
    return most;
  }

  void scalars_of(ConstVectorRef q, MatrixX& scalars) const {
    Eigen::Map<VectorX> flat(scalars.data(), scalars.size());
    if (transforms())
      flat.noalias() = body_->transform * q;
    else
      flat = q;
  }

  double run(const PointSum::Pass& pass, VectorRef f, MatrixRef* K) {
    f_.setZero();
    MatrixRef sum = K != nullptr && !transforms() ? *K : MatrixRef(K_);
    if (K != nullptr) sum.setZero();
    double energy = points_.add(pass, start_, q_, f_, sum);
    if (restoring_) energy += restoring_->add(pass, start_, q_, f_, sum);
    const Eigen::Map<const VectorX> flat(f_.data(), f_.size());
    if (!transforms()) {
      f = flat;
      return energy;
    }
    f.noalias() = body_->transform.transpose() * flat;
    if (K == nullptr) return energy;
    KT_.noalias() = K_ * body_->transform;
    K->noalias() = body_->transform.transpose() * KT_;
    return energy;
  }

  std::shared_ptr<const BlendedBody> body_;
  Index columns_;
  PointSum points_;
  std::optional<PointSum> restoring_;
  std::vector<Material> materials_;
  MatrixX q_, start_, f_, K_, KT_;  // of the scalars
};

}  // namespace

std::unique_ptr<ReducedForces> blended_forces(std::shared_ptr<const BlendedBody> body,
                                              std::span<const Material> materials) {
  return std::make_unique<BlendedForces>(std::move(body), materials);
}

}  // namespace pliant
