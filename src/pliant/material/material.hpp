// material/material.hpp — what a body is made of, as a user states it.
//
// Five laws share two constants, Young's modulus and Poisson's ratio: at rest every law has the same tangent,
// Hooke's law with these two. They differ under large strain (docs/theory/materials.md):
//
//   linear             small strain only; it mistakes a rotation for strain
//   corotational       Hooke's law in the rotated frame; finite when crushed or inverted
//   stvk               quadratic in Green's strain, quartic in F; weakens when compressed below 0.58
//   neohookean         infinite energy at zero volume; undefined for inverted elements
//   stable-neohookean  finite everywhere, smooth, rest-stable under inversion
//
// `invertible` continues stvk and neohookean below a threshold of the principal stretches, so that inverted
// elements recover.
#pragma once

#include "pliant/base/result.hpp"

#include <string_view>

namespace pliant {

/// The energy density as a function of the deformation gradient; equations in docs/theory/materials.md.
enum class Law { kLinear, kCorotational, kStvk, kNeoHookean, kStableNeoHookean };

/// An isotropic elastic material.
struct Material {
  Law law = Law::kStvk;
  double young = 1e6;              // Pa
  double poisson = 0.3;            // in (−1, 0.5)
  double density = 1000.0;         // kg/m³, at rest
  bool invertible = false;         // only with stvk and neohookean
  double inversion_threshold = 0;  // principal stretch below which it is continued; 0: default of the law
  // Integration points of a quadratic tet: 4, 14, or 0: 14, but 4 where they are exact (linear law, straight
  // edges).
  int quadrature = 0;

  [[nodiscard]] bool operator==(const Material&) const = default;

  /// First Lamé constant, Pa; negative for negative Poisson's ratio.
  [[nodiscard]] double lambda() const { return young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)); }
  /// Shear modulus, Pa.
  [[nodiscard]] double mu() const { return young / (2.0 * (1.0 + poisson)); }
  /// Principal stretch below which the invertible variant continues the law.
  [[nodiscard]] double threshold() const;
};

/// The law of a name as scene files spell it: linear, corotational, stvk, neohookean, stable-neohookean.
Result<Law> parse_law(std::string_view name);
/// The name that parse_law reads.
std::string_view law_name(Law law);

/// One diagnostic for each value outside its range; where.key names the field ("young", "poisson", …).
Diagnostics check(const Material& material);

}  // namespace pliant
