#include "pliant/model/blended/blended_forces.hpp"

#include "pliant/model/blended/point_sum.hpp"

#include <limits>
#include <optional>
#include <utility>

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

  void set_materials(std::span<const Material> materials) override {
    points_.set_materials(materials);
    if (restoring_) restoring_->set_materials(materials);
  }

  /// Sums over points cancel where forces balance.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }
  [[nodiscard]] double rest_scale() const override { return points_.rest_scale(); }

 private:
  [[nodiscard]] bool transforms() const { return body_->transform.size() > 0; }

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
  MatrixX q_, start_, f_, K_, KT_;  // of the scalars
};

}  // namespace

std::unique_ptr<ReducedForces> blended_forces(std::shared_ptr<const BlendedBody> body,
                                              std::span<const Material> materials) {
  return std::make_unique<BlendedForces>(std::move(body), materials);
}

}  // namespace pliant
