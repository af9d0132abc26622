#include "pliant/math/eigenpairs.hpp"

#include "pliant/base/text.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

struct Interrupted {};  // thrown through Spectra: its iteration cannot be stopped otherwise

/// A start vector without any symmetry (it must not be orthogonal to a mode), always the same: runs repeat
/// bit by bit.
VectorX fixed_start(Index n) {
  VectorX start(n);
  for (Index i = 0; i < n; ++i) start[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i % 7919));
  return start;
}

Diagnostic failure(std::string what, std::string remedy) {
  return {ErrorCode::kNumerical, {}, std::move(what), std::move(remedy)};
}

/// A LinearOperator times a factor, with the interface that Spectra expects.
class Applied {
 public:
  using Scalar = double;
  Applied(const LinearOperator& apply, double factor, Index size, const Progress& progress)
      : apply_(&apply), factor_(factor), size_(size), progress_(&progress) {}
  [[nodiscard]] Index rows() const { return size_; }
  [[nodiscard]] Index cols() const { return size_; }
  void set_shift(double /*sigma*/) {}
  void perform_op(const double* x, double* y) const {
    if (progress_->cancelled()) throw Interrupted{};
    Eigen::Map<VectorX> out(y, size_);
    (*apply_)(Eigen::Map<const VectorX>(x, size_), out);
    out *= factor_;
  }

 private:
  const LinearOperator* apply_;
  double factor_;
  Index size_;
  const Progress* progress_;
};

/// The magnitude of (K − σM)⁻¹M as a power of two, so that scaling by it is exact.
double magnitude(const LinearOperator& shifted_inverse, const LinearOperator& mass, const VectorX& start) {
  VectorX load(start.size()), response(start.size());
  mass(start, load);
  shifted_inverse(load, response);
  const double ratio = response.norm() / start.norm();
  return std::isnormal(ratio) ? std::exp2(std::ilogb(ratio)) : 1.0;
}

}  // namespace

/// Spectra takes θ = 1/(λ − σ) below ε^⅔ for zero. So λ is measured in a unit of the size of the problem's
/// own eigenvalues: otherwise small or stiff bodies (λ above 1e10 s⁻²) would get modes that have not
/// converged.
Result<EigenPairs> lanczos(const LinearOperator& shifted_inverse, const LinearOperator& mass, Index n,
                           Index count, double sigma, const Progress& progress) {
  const Index subspace = std::min(n, std::max<Index>(2 * count + 1, count + 20));
  const VectorX start = fixed_start(n);
  const double unit = 1.0 / magnitude(shifted_inverse, mass, start);  // unit of λ
  Applied inverse(shifted_inverse, unit, n, progress), product(mass, 1.0, n, progress);
  Spectra::SymGEigsShiftSolver<Applied, Applied, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, subspace, sigma / unit);
  Index converged = 0;
  try {
    solver.init(start.data());
    converged = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-11);
  } catch (const Interrupted&) {
    return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  }
  if (solver.info() != Spectra::CompInfo::Successful || converged < count)
    return failure("only " + text(converged) + " of " + text(count) + " modes converged",
                   "ask for fewer modes");
  return EigenPairs{unit * solver.eigenvalues(), solver.eigenvectors()};
}

Result<EigenPairs> lowest_eigenpairs(const LinearOperator& stiffness_inverse, const LinearOperator& mass,
                                     Index size, Index count, const Progress& progress) {
  Result<EigenPairs> found = lanczos(stiffness_inverse, mass, size, count, 0.0, progress);
  if (!found) return found.errors();
  EigenPairs& pairs = found.value();
  if (pairs.values.size() > 1 && pairs.values[0] > pairs.values[1]) {  // Spectra sorts by 1/λ
    pairs.values = pairs.values.reverse().eval();
    pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  }
  return found;
}

}  // namespace pliant
