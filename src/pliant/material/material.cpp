#include "pliant/material/material.hpp"

#include "pliant/base/text.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace pliant {
namespace {

// Above it λ exceeds 500,000 μ, and rounding errors of the volumetric stress hide digits of the deviatoric
// one.
constexpr double kNearlyIncompressible = 0.499999;

constexpr std::array<std::string_view, 5> kLawNames = {"linear", "corotational", "stvk", "neohookean",
                                                       "stable-neohookean"};

Diagnostic out_of_range(const char* key, std::string what, std::string remedy) {
  return Diagnostic{ErrorCode::kOutOfRange, Location{.file = {}, .line = 0, .column = 0, .key = key},
                    std::move(what), std::move(remedy)};
}

}  // namespace

double Material::threshold() const {
  if (inversion_threshold > 0.0) return inversion_threshold;
  return law == Law::kNeoHookean ? 0.3 : 0.6;  // reasons: docs/theory/materials.md, after Eq. M13
}

Result<Law> parse_law(std::string_view name) {
  for (std::size_t i = 0; i < kLawNames.size(); ++i)
    if (kLawNames[i] == name) return static_cast<Law>(i);
  const std::string near = nearest_word(name, kLawNames);
  return out_of_range("law", "unknown law \"" + std::string(name) + "\"",
                      near.empty() ? "use linear, corotational, stvk, neohookean or stable-neohookean"
                                   : "did you mean " + near + "?");
}

std::string_view law_name(Law law) { return kLawNames[to_size(law)]; }

Diagnostics check(const Material& material) {
  Diagnostics problems;
  // Each condition is written so that NaN fails it.
  const auto positive = [&](const char* key, double value, const char* remedy) {
    if (value >= 1e-30 && value <= 1e30) return;  // squares and ratios of such numbers stay within double
    problems.push_back(out_of_range(key, "must lie in [1e-30, 1e30], got " + text(value), remedy));
  };
  positive("young", material.young, "in Pa; soft rubber is about 1e6");
  if (!(material.poisson > -1.0 && material.poisson <= kNearlyIncompressible))
    problems.push_back(out_of_range("poisson", "must lie in (-1, 0.499999], got " + text(material.poisson),
                                    "0.45 is nearly incompressible, 0.5 needs a mixed element"));
  positive("density", material.density, "in kg/m³; water is 1000");
  const bool can_invert = material.law == Law::kStvk || material.law == Law::kNeoHookean;
  if (material.invertible && !can_invert)
    problems.push_back(Diagnostic{
        ErrorCode::kInconsistent, Location{.file = {}, .line = 0, .column = 0, .key = "invertible"},
        "the law " + std::string(law_name(material.law)) + " has no invertible variant",
        "leave it out (linear, corotational and stable-neohookean stay finite by themselves)"});
  if (!(material.inversion_threshold >= 0.0 && material.inversion_threshold < 1.0))
    problems.push_back(out_of_range("inversion_threshold",
                                    "must lie in [0, 1), got " + text(material.inversion_threshold),
                                    "0 takes the law's default"));
  if (material.quadrature != 0 && material.quadrature != 4 && material.quadrature != 14)
    problems.push_back(out_of_range("quadrature",
                                    "must be 0, 4 or 14, got " + text(Index{material.quadrature}),
                                    "points per quadratic tet; 0 chooses as many as the law needs"));
  return problems;
}

}  // namespace pliant
