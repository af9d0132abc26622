#include "support/support.hpp"

#include <Eigen/QR>

#include <cstdlib>
#include <iostream>
#include <string>

namespace pliant::test {

double relative_error(ConstMatrixRef a, ConstMatrixRef b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

VectorX random_vector(Index size, Rng& rng) {
  VectorX v(size);
  for (Index i = 0; i < size; ++i) v[i] = rng.uniform(-1.0, 1.0);
  return v;
}

Matrix3 random_matrix(Rng& rng) {
  Matrix3 m;
  for (Index i = 0; i < 9; ++i) m.data()[i] = rng.uniform(-1.0, 1.0);
  return m;
}

Matrix3 random_rotation(Rng& rng) {
  Matrix3 m;
  for (Index i = 0; i < 9; ++i) m.data()[i] = rng.normal();
  Matrix3 q = Eigen::HouseholderQR<Matrix3>(m).householderQ();
  if (q.determinant() < 0.0) q.col(0) = -q.col(0);
  return q;
}

MatrixX jacobian(const std::function<VectorX(const VectorX&)>& f, const VectorX& x, double step) {
  MatrixX result;
  for (Index i = 0; i < x.size(); ++i) {
    const auto central = [&](double h) -> VectorX {
      VectorX plus = x;
      VectorX minus = x;
      plus[i] += h;
      minus[i] -= h;
      return (f(plus) - f(minus)) / (2.0 * h);
    };
    const VectorX column = (4.0 * central(step) - central(2.0 * step)) / 3.0;
    if (result.size() == 0) result.resize(column.size(), x.size());
    result.col(i) = column;
  }
  return result;
}

VectorX gradient(const std::function<double(const VectorX&)>& f, const VectorX& x, double step) {
  const auto vector_valued = [&](const VectorX& y) { return VectorX::Constant(1, f(y)).eval(); };
  return jacobian(vector_valued, x, step).transpose();
}

std::optional<std::filesystem::path> shared_folder() {
  const std::filesystem::path shared = source_folder().parent_path() / "shared";
  if (std::filesystem::is_directory(shared / "oracles")) return shared;
  std::cerr << "NOTE: ../shared is not there; the comparisons that need it are skipped\n";
  return std::nullopt;
}

std::filesystem::path source_folder() { return PLIANT_SOURCE_DIR; }

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "pliant-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace pliant::test
