#include "pliant/base/rng.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace pliant {

Rng::Rng(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) {  // splitmix64 spreads similar seeds over the whole state
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    word = z ^ (z >> 31);
  }
}

/// One step of xoshiro256++.
std::uint64_t Rng::bits() {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

/// The upper 53 bits fill a double's mantissa.
double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Rng::normal() {
  // 1 − uniform() lies in (0, 1], so the logarithm is finite.
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Rng::below(std::uint64_t count) {
  return static_cast<std::uint64_t>(uniform() * static_cast<double>(count));
}

}  // namespace pliant
