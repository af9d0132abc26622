#include "pliant/subspace/stvk_forms.hpp"

#include "pliant/base/assert.hpp"

namespace pliant {

void StvkForms::combine(std::span<const Material> materials, QuarticForm& sum) const {
  PLIANT_ASSERT(materials.size() == lambda.size() && sum.r == size());
  sum.second.setZero();
  sum.third.setZero();
  sum.fourth.setZero();
  for (std::size_t g = 0; g < materials.size(); ++g) {
    sum.add(materials[g].lambda(), lambda[g]);
    sum.add(materials[g].mu(), mu[g]);
  }
}

StvkForms StvkForms::head(Index size) const {
  StvkForms part;
  for (const QuarticForm& form : lambda) part.lambda.push_back(form.head(size));
  for (const QuarticForm& form : mu) part.mu.push_back(form.head(size));
  return part;
}

bool has_polynomial(const Material& material) {
  return material.law == Law::kLinear || (material.law == Law::kStvk && !material.invertible);
}

}  // namespace pliant
