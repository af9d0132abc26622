#include "pliant/math/general_factor.hpp"

#include <Eigen/LU>

namespace pliant {

struct GeneralFactor::Data {
  Eigen::PartialPivLU<MatrixX> factor;
  VectorX right;
};

GeneralFactor::GeneralFactor() : data_(std::make_unique<Data>()) {}
GeneralFactor::~GeneralFactor() = default;
GeneralFactor::GeneralFactor(GeneralFactor&&) noexcept = default;
GeneralFactor& GeneralFactor::operator=(GeneralFactor&&) noexcept = default;

bool GeneralFactor::compute(const MatrixX& A) {
  if (!A.allFinite()) return false;
  data_->factor.compute(A);
  return data_->factor.matrixLU().diagonal().cwiseAbs().minCoeff() > 0.0;
}

void GeneralFactor::solve(VectorRef x) const {
  data_->right = x;
  x = data_->factor.solve(data_->right);
}

}  // namespace pliant
