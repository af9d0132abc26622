// solve/blas.hpp — BLAS stays on one thread: the parallelism is ours, over fixed blocks.
#pragma once

namespace pliant {

/// Cheap; called by whoever is about to use BLAS.
void use_one_blas_thread();

}  // namespace pliant
