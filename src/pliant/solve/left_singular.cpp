#include "pliant/solve/left_singular.hpp"

#include "pliant/solve/blas.hpp"

#include <algorithm>
#include <limits>

// Of LAPACK, which OpenBLAS contains; Fortran passes the lengths of strings behind everything else.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dgesvd_(const char* job_u, const char* job_v, const int* rows, const int* columns, double* A,
                        const int* stride_a, double* values, double* U, const int* stride_u, double* V,
                        const int* stride_v, double* work, const int* work_size, int* info,
                        std::size_t length_u, std::size_t length_v);

namespace pliant {

LeftSingular left_singular(MatrixX A) {
  const Index count = std::min(A.rows(), A.cols());
  LeftSingular found{VectorX(count), {}};
  int info = 0;
  if (count > 0 && A.allFinite()) {
    use_one_blas_thread();
    const int rows = static_cast<int>(A.rows()), columns = static_cast<int>(A.cols()), one = 1;
    const auto run = [&](double* work, int work_size) {  // U comes into A
      double none = 0.0;
      dgesvd_("O", "N", &rows, &columns, A.data(), &rows, found.values.data(), &none, &one, &none, &one, work,
              &work_size, &info, 1, 1);
    };
    double best_size = 1.0;
    run(&best_size, -1);  // only asks how much room makes it fast
    VectorX work(static_cast<Index>(best_size));
    run(work.data(), static_cast<int>(work.size()));
  } else {
    info = 1;
  }
  if (info != 0) found.values.setConstant(std::numeric_limits<double>::quiet_NaN());
  found.vectors = A.leftCols(count);
  return found;
}

}  // namespace pliant
