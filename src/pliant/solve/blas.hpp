// solve/blas.hpp — BLAS runs on one thread. Pliant's own loops are parallel, over fixed blocks, so that
// results do not depend on the number of threads.
#pragma once

namespace pliant {

/// Call it before using BLAS; cheap.
void use_one_blas_thread();

}  // namespace pliant
