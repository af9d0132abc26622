// math/general_factor.hpp — factors of a dense matrix that is not symmetric.
#pragma once

#include "pliant/math/types.hpp"

#include <memory>

namespace pliant {

/// P A = L U.
class GeneralFactor {
 public:
  GeneralFactor();
  ~GeneralFactor();
  GeneralFactor(GeneralFactor&&) noexcept;
  GeneralFactor& operator=(GeneralFactor&&) noexcept;

  /// False when A is singular, or not finite.
  [[nodiscard]] bool compute(const MatrixX& A);
  /// x = A⁻¹ x.
  void solve(VectorRef x) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pliant
