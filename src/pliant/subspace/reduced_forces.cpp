#include "pliant/subspace/reduced_forces.hpp"

#include "pliant/subspace/quartic_step.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace pliant {
namespace {

/// A power of two s for which the terms of E(s q̂) are alike. Coefficients of degree n grow as mass^(−n/2)
/// length^(−n): those of a body of some µm would leave the range of float.
double even_scale(const QuarticForm& form) {
  const double second = form.second.size() > 0 ? form.second.cwiseAbs().maxCoeff() : 0.0;
  const double fourth = form.fourth.size() > 0 ? form.fourth.cwiseAbs().maxCoeff() : 0.0;
  const double scale = std::sqrt(second / fourth);
  return scale > 0.0 && std::isfinite(scale) ? std::exp2(std::round(std::log2(scale))) : 1.0;
}

/// The polynomial, its coefficients kept as doubles or floats. For floats it is one of q̂ = q / s.
template <class Scalar>
class PolynomialForces final : public ReducedForces {
 public:
  PolynomialForces(std::shared_ptr<const ReducedBody> body, std::span<const Material> materials)
      : body_(std::move(body)),
        sum_(QuarticForm::zero(body_->size())),
        step_(body_->size()),
        scaled_(VectorX::Zero(body_->size())),
        middle_(VectorX::Zero(body_->size())),
        start_(VectorX::Zero(body_->size())),
        start_force_(VectorX::Zero(body_->size())),
        end_force_(VectorX::Zero(body_->size())) {
    assemble(materials);
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    if (scale_ == 1.0) return step_.evaluate(q, f, K);
    scaled_ = q / scale_;
    const double energy = step_.evaluate(scaled_, f, K);
    f /= scale_;
    K /= scale_ * scale_;
    return energy;
  }
  double evaluate(ConstVectorRef q, VectorRef f) override {
    if (scale_ == 1.0) return step_.evaluate(q, f);
    scaled_ = q / scale_;
    const double energy = step_.evaluate(scaled_, f);
    f /= scale_;
    return energy;
  }
  /// Along a segment the force is a cubic, which Simpson's rule integrates exactly (Eq. O13).
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    if (!start_known_ || start_ != q0) {  // the same in all iterations of a step
      evaluate(q0, start_force_);
      start_ = q0;
      start_known_ = true;
    }
    middle_ = 0.5 * (q0 + q1);
    evaluate(middle_, f, K);
    const double energy = evaluate(q1, end_force_);
    f = (start_force_ + 4.0 * f + end_force_) / 6.0;
    return energy;
  }
  void set_materials(std::span<const Material> materials) override { assemble(materials); }
  [[nodiscard]] double rounding() const override {
    return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  }

 private:
  void assemble(std::span<const Material> materials) {
    const std::optional<StvkForms>& forms = body_->forms;
    if (!forms) return;  // the caller's promise
    start_known_ = false;
    forms->combine(materials, sum_);
    if (std::is_same_v<Scalar, float>) {
      scale_ = even_scale(sum_);
      sum_.second *= std::pow(scale_, 2);
      sum_.third *= std::pow(scale_, 3);
      sum_.fourth *= std::pow(scale_, 4);
    }
    step_.assign(sum_);
  }

  std::shared_ptr<const ReducedBody> body_;
  QuarticForm sum_;
  QuarticStep<Scalar> step_;
  double scale_ = 1.0;
  VectorX scaled_, middle_;
  VectorX start_, start_force_, end_force_;  // of mean_force()
  bool start_known_ = false;
};

}  // namespace

std::unique_ptr<ReducedForces> polynomial_forces(std::shared_ptr<const ReducedBody> body,
                                                 std::span<const Material> materials, Storage storage) {
  if (storage == Storage::kFloat)
    return std::make_unique<PolynomialForces<float>>(std::move(body), materials);
  return std::make_unique<PolynomialForces<double>>(std::move(body), materials);
}

}  // namespace pliant
