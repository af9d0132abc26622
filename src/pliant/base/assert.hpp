// base/assert.hpp — checks for our own mistakes, never for bad input.
#pragma once

#include <cstdio>
#include <cstdlib>

/// Active in Debug and in builds with PLIANT_ASSERTS: prints the condition and its place, then aborts.
/// Elsewhere the condition is compiled but never evaluated.
#if !defined(NDEBUG) || defined(PLIANT_ASSERTS)
#define PLIANT_ASSERT(condition)                                                             \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                          \
    }                                                                                        \
  } while (false)
#else
#define PLIANT_ASSERT(condition)  \
  do {                            \
    if (false) (void)(condition); \
  } while (false)
#endif
