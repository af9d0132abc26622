// fem/natural_modes.hpp — natural frequencies and shapes of the full model, linearised at rest.
#pragma once

#include "pliant/fem/elastic_body.hpp"

#include <vector>

namespace pliant {

/// K ψ = ω² M ψ; rigid modes (ω = 0) are counted apart.
struct NaturalModes {
  VectorX squared;  // ω², ascending, (rad/s)²
  MatrixX shapes;   // 3n × count, ψᵀMψ = 1
  Index rigid = 0;

  /// Frequencies, ascending.
  [[nodiscard]] std::vector<double> hz() const;
};

/// The lowest `count` elastic modes over the free degrees of freedom (one flag each). Fewer come back only
/// when the body has fewer.
Result<NaturalModes> natural_modes(const ElasticBody& body, const std::vector<char>& free, Index count);

}  // namespace pliant
