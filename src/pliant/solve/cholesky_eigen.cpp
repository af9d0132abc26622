// SparseCholesky on Eigen; compiled when PLIANT_CHOLMOD is OFF.
#include "pliant/solve/cholesky.hpp"

#include <Eigen/SparseCholesky>

namespace pliant {

struct SparseCholesky::Backend {
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> factor;
};

SparseCholesky::SparseCholesky() : backend_(std::make_unique<Backend>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

std::string_view SparseCholesky::backend() { return "eigen"; }

void SparseCholesky::analyze(const SparseMatrix& lower) { backend_->factor.analyzePattern(lower); }

void SparseCholesky::analyze(const SparseMatrix& lower, const SparseCholesky& /*like*/) { analyze(lower); }

bool SparseCholesky::factorize(const SparseMatrix& lower) {
  backend_->factor.factorize(lower);
  return backend_->factor.info() == Eigen::Success;
}

double SparseCholesky::flops() const {
  const SparseMatrix& L = backend_->factor.matrixL().nestedExpression();
  double sum = 0.0;
  for (Index j = 0; j < L.cols(); ++j) {
    const double entries = L.outerIndexPtr()[j + 1] - L.outerIndexPtr()[j];
    sum += entries * entries;
  }
  return sum;
}

void SparseCholesky::solve(ConstMatrixRef b, MatrixRef x) const { x = backend_->factor.solve(b); }

}  // namespace pliant
