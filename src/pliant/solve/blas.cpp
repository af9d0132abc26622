#include "pliant/solve/blas.hpp"

#include <cblas.h>

namespace pliant {

void use_one_blas_thread() {
#ifdef OPENBLAS_VERSION
  static const bool done = [] {
    openblas_set_num_threads(1);  // would split its sums by the number of threads
    return true;
  }();
  (void)done;
#endif
}

}  // namespace pliant
