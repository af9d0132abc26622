// SparseCholesky on CHOLMOD; compiled when PLIANT_CHOLMOD is ON.
#include "pliant/base/assert.hpp"
#include "pliant/solve/blas.hpp"
#include "pliant/solve/cholesky.hpp"

#include <cholmod.h>

#include <cstring>
#include <mutex>

extern "C" {  // from the OpenMP run-time library that CHOLMOD is linked with
int omp_get_max_active_levels(void);
void omp_set_max_active_levels(int levels);
}

namespace pliant {
namespace {

/// CHOLMOD opens a parallel region of four threads for each small loop of a factorisation, whatever the
/// environment says, and waking them takes longer than the work (measured with them: 12.5 ms a step at 1,200
/// unknowns). While an object of this class lives, regions that its thread opens run serially. The setting
/// belongs to the thread.
class SerialOpenMp {
 public:
  SerialOpenMp() { omp_set_max_active_levels(0); }
  ~SerialOpenMp() { omp_set_max_active_levels(levels_); }
  SerialOpenMp(const SerialOpenMp&) = delete;
  SerialOpenMp& operator=(const SerialOpenMp&) = delete;

 private:
  int levels_ = omp_get_max_active_levels();
};

/// METIS uses the C library's random numbers, a sequence that all threads share. Two orderings at the same
/// time would disturb each other, and the bits of all results would depend on timing.
std::mutex& ordering_mutex() {
  static std::mutex instance;
  return instance;
}

}  // namespace

struct SparseCholesky::Backend {
  mutable cholmod_common common{};
  cholmod_factor* factor = nullptr;
  double flops = 0.0;
  mutable cholmod_dense* solution = nullptr;  // reused between solves
  mutable cholmod_dense* workspace_y = nullptr;
  mutable cholmod_dense* workspace_e = nullptr;

  Backend() {
    use_one_blas_thread();
    cholmod_start(&common);
    common.print = 0;
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;  // only nested dissection: it fills in least on solids
    common.method[0].ordering = CHOLMOD_METIS;
    common.postorder = 1;
    // S may be indefinite in a Newton step; then the caller tries the projected tangent.
    common.quick_return_if_not_posdef = 1;
    common.error_handler = nullptr;
  }
  ~Backend() {
    cholmod_free_factor(&factor, &common);
    cholmod_free_dense(&solution, &common);
    cholmod_free_dense(&workspace_y, &common);
    cholmod_free_dense(&workspace_e, &common);
    cholmod_finish(&common);
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
};

namespace {

/// The same arrays as CHOLMOD sees them; nothing is copied.
cholmod_sparse view(const SparseMatrix& lower) {
  PLIANT_ASSERT(lower.isCompressed());
  cholmod_sparse matrix{};
  matrix.nrow = to_size(lower.rows());
  matrix.ncol = to_size(lower.cols());
  matrix.nzmax = to_size(lower.nonZeros());
  matrix.p = const_cast<int*>(lower.outerIndexPtr());
  matrix.i = const_cast<int*>(lower.innerIndexPtr());
  matrix.x = const_cast<double*>(lower.valuePtr());
  matrix.stype = -1;  // symmetric, lower triangle stored
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = 1;
  matrix.packed = 1;
  return matrix;
}

}  // namespace

SparseCholesky::SparseCholesky() : backend_(std::make_unique<Backend>()) {}
SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

std::string_view SparseCholesky::backend() { return "cholmod"; }

void SparseCholesky::analyze(const SparseMatrix& lower) {
  const SerialOpenMp serial;
  const std::scoped_lock alone(ordering_mutex());
  cholmod_sparse matrix = view(lower);
  cholmod_free_factor(&backend_->factor, &backend_->common);
  backend_->factor = cholmod_analyze(&matrix, &backend_->common);
  backend_->flops = backend_->common.fl;
}

void SparseCholesky::analyze(const SparseMatrix& lower, const SparseCholesky& like) {
  cholmod_factor* from = like.backend_->factor;
  if (from == nullptr || from->n != to_size(lower.rows())) return analyze(lower);
  const SerialOpenMp serial;
  cholmod_free_factor(&backend_->factor, &backend_->common);
  backend_->factor = cholmod_copy_factor(from, &backend_->common);
  backend_->flops = like.backend_->flops;
  if (backend_->factor == nullptr) analyze(lower);
}

double SparseCholesky::flops() const { return backend_->flops; }

bool SparseCholesky::factorize(const SparseMatrix& lower) {
  if (backend_->factor == nullptr) return false;
  const SerialOpenMp serial;
  cholmod_sparse matrix = view(lower);
  const int done = cholmod_factorize(&matrix, backend_->factor, &backend_->common);
  // CHOLMOD stops at the first column that is not positive definite and reports it as `minor`.
  return done != 0 && backend_->common.status == CHOLMOD_OK && backend_->factor->minor == backend_->factor->n;
}

void SparseCholesky::solve(ConstMatrixRef b, MatrixRef x) const {
  const SerialOpenMp serial;
  cholmod_dense right{};
  right.nrow = to_size(b.rows());
  right.ncol = to_size(b.cols());
  right.d = to_size(b.outerStride());
  right.nzmax = right.d * right.ncol;
  right.x = const_cast<double*>(b.data());
  right.xtype = CHOLMOD_REAL;
  right.dtype = CHOLMOD_DOUBLE;
  Backend& k = *backend_;
  // solve2 reuses its result and workspaces: no allocation once they have their size.
  cholmod_solve2(CHOLMOD_A, k.factor, &right, nullptr, &k.solution, nullptr, &k.workspace_y, &k.workspace_e,
                 &k.common);
  PLIANT_ASSERT(k.solution != nullptr);
  x = Eigen::Map<const MatrixX>(static_cast<const double*>(k.solution->x), b.rows(), b.cols());
}

}  // namespace pliant
