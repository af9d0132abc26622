#include "pliant/model/modal/reduced_forces.hpp"

#include "pliant/reduce/quartic_step.hpp"

#include <limits>

namespace pliant {
namespace {

template <class Scalar>
class PolynomialForces final : public ReducedForces {
 public:
  PolynomialForces(std::shared_ptr<const ReducedBody> body, std::span<const Material> materials)
      : body_(std::move(body)), sum_(QuarticForm::zero(body_->size())), step_(body_->size()) {
    assemble(materials);
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override { return step_.evaluate(q, f, K); }
  double evaluate(ConstVectorRef q, VectorRef f) override { return step_.evaluate(q, f); }
  void set_materials(std::span<const Material> materials) override { assemble(materials); }
  [[nodiscard]] double rounding() const override {
    return static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  }

 private:
  void assemble(std::span<const Material> materials) {
    const std::optional<StvkForms>& forms = body_->forms;
    if (!forms) return;  // the caller's promise
    forms->combine(materials, sum_);
    step_.assign(sum_);
  }

  std::shared_ptr<const ReducedBody> body_;
  QuarticForm sum_;
  QuarticStep<Scalar> step_;
};

}  // namespace

std::unique_ptr<ReducedForces> polynomial_forces(std::shared_ptr<const ReducedBody> body,
                                                 std::span<const Material> materials, Storage storage) {
  if (storage == Storage::kFloat)
    return std::make_unique<PolynomialForces<float>>(std::move(body), materials);
  return std::make_unique<PolynomialForces<double>>(std::move(body), materials);
}

}  // namespace pliant
