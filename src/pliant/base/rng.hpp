// base/rng.hpp — seeded random numbers that are the same on every platform and standard library.
#pragma once

#include <array>
#include <cstdint>

namespace pliant {

/// xoshiro256++ [BlackmanVigna2021], seeded through splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t bits();
  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Box–Muller).
  double normal();
  /// Uniform in {0, …, count − 1}; count > 0. Its bias is negligible for count ≪ 2⁵³.
  std::uint64_t below(std::uint64_t count);

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace pliant
