// subspace/stvk_forms.hpp — the energy of a StVK body in a subspace, by material group and Lamé parameter.
//
//     E(q) = Σ_groups λ_g Eλ_g(q) + μ_g Eμ_g(q)
//
// so λ and μ of a group can be changed while running, with exactly the result of a rebuild ([BarbicJames2005]
// §6.5). For `linear` the energy is the quadratic part of this.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/subspace/quartic_form.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Unit-parameter forms of every material group (entry of MaterialMap::materials).
struct StvkForms {
  std::vector<QuarticForm> lambda;  // ∫ ½ tr(E)²
  std::vector<QuarticForm> mu;      // ∫ E:E

  [[nodiscard]] Index size() const { return lambda.empty() ? 0 : lambda.front().r; }
  /// sum = Σ λ_g Eλ_g + μ_g Eμ_g. `sum` must have the right size; nothing is allocated.
  void combine(std::span<const Material> materials, QuarticForm& sum) const;
  /// In the first `size` coordinates.
  [[nodiscard]] StvkForms head(Index size) const;
};

/// True if the energy of the material is a polynomial in the displacements: stvk (not invertible) and linear.
[[nodiscard]] bool has_polynomial(const Material& material);

}  // namespace pliant
