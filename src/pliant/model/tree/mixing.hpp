// model/tree/mixing.hpp — Anderson's mixing: learns from the last iterations of a step what the tangent of
// their linear solves leaves out.
//
// An iteration proposes a change δ(x). If δ falls slowly, a few directions are to blame, and the differences
// between the last proposals reveal them. The next step starts from the combination of the last iterates
// whose proposal is smallest (D. G. Anderson, J. ACM 12 (1965), 547–560; type II).
#pragma once

#include "pliant/math/types.hpp"

#include <array>

namespace pliant {

/// The memory of the iterations of one step.
class Mixing {
 public:
  /// Forgets everything. `weights`: diagonal of the norm in which proposals are compared.
  void begin(const VectorX& weights);
  /// Replaces the proposal δ at the present trial by the mixed step.
  void mix(VectorX& step);
  /// The line search has taken this fraction of the last mixed step.
  void take(double fraction) { taken_ = fraction * mixed_; }

 private:
  static constexpr Index kDepth = 3;

  VectorX weights_, proposal_, mixed_, taken_;
  std::array<VectorX, kDepth> proposals_, steps_;  // differences between successive proposals and iterates
  Index count_ = -1;                               // number of differences; -1: no proposal yet
};

}  // namespace pliant
