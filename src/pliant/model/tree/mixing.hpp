// model/tree/mixing.hpp — Anderson's mixing: what the last iterations of a step say about the derivatives
// that their linear solves leave out.
//
// An iteration proposes δ(x). Where δ falls slowly, a few directions are to blame, and the differences of the
// last proposals show them: the combination of the last iterates with the smallest proposal is where the next
// one starts from (D. G. Anderson, J. ACM 12 (1965), 547–560; type II).
#pragma once

#include "pliant/math/types.hpp"

#include <array>

namespace pliant {

class Mixing {
 public:
  /// Forgets everything; `weights` make the entries of a proposal comparable.
  void begin(const VectorX& weights);
  /// A proposal at the present trial becomes the step to take.
  void mix(VectorX& step);
  /// So much of the last step was taken.
  void take(double fraction) { taken_ = fraction * mixed_; }

 private:
  static constexpr Index kDepth = 3;

  VectorX weights_, proposal_, mixed_, taken_;
  std::array<VectorX, kDepth> proposals_, steps_;  // differences
  Index count_ = -1;                               // of differences; -1: no proposal yet
};

}  // namespace pliant
