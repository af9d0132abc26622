// tests/support/allocations.hpp — counts what a piece of code takes from the heap.
#pragma once

#include <cstddef>

namespace pliant::test {

/// False where the counter cannot work: sanitizers bring their own heap, other systems another one.
[[nodiscard]] bool counts_allocations();

/// Calls of malloc and its kin so far by this thread. Eigen takes memory from malloc, operator new does too:
/// both are seen.
[[nodiscard]] std::size_t allocation_count();

}  // namespace pliant::test
