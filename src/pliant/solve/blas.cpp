#include "pliant/solve/blas.hpp"

#include <cblas.h>

namespace pliant {

void use_one_blas_thread() {
#ifdef OPENBLAS_VERSION
  static const bool done = [] {
    openblas_set_num_threads(1);  // more would split its sums
    return true;
  }();
  (void)done;
#endif
}

}  // namespace pliant
