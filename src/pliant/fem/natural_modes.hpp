// fem/natural_modes.hpp — natural frequencies and shapes of the full model, linearised at rest.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/solve/cholesky.hpp"

#include <vector>

namespace pliant {

/// K(0) ψ = ω² M ψ (Eq. D7); rigid modes (ω = 0) are only counted.
struct NaturalModes {
  VectorX squared;  // ω², ascending, (rad/s)²
  MatrixX shapes;   // 3n × count, ψᵀMψ = 1
  Index rigid = 0;

  /// Frequencies, ascending.
  [[nodiscard]] std::vector<double> hz() const;
};

/// What the caller already has of the body at rest; nullptr: nothing.
struct KnownStiffness {
  const SparseMatrix* K = nullptr;         // lower triangle, all degrees of freedom
  const SparseCholesky* factor = nullptr;  // of K over the free degrees of freedom
};

/// The lowest `count` elastic modes over the free degrees of freedom (one flag each). The result has fewer
/// modes only if the body has fewer. Fails when Lanczos does, or when cancelled.
Result<NaturalModes> natural_modes(const ElasticBody& body, const std::vector<char>& free, Index count,
                                   const Progress& progress = no_progress(),
                                   const KnownStiffness& known = {});

}  // namespace pliant
