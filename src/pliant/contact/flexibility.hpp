// contact/flexibility.hpp — how much farther a force on a point of a body dents its surface than the body's
// subspace can follow (docs/theory/contact.md, Eq. K14).
//
//     C = K⁻¹ − U (Uᵀ K U)⁻¹ Uᵀ        at rest, of each part with the others fixed
#pragma once

#include "pliant/math/types.hpp"

#include <span>

namespace pliant {

/// Points are those of the body's surface, axes those of the world at rest.
class Flexibility {
 public:
  Flexibility() = default;
  Flexibility(const Flexibility&) = delete;
  Flexibility& operator=(const Flexibility&) = delete;
  virtual ~Flexibility() = default;

  /// The part whose subspace a point follows.
  [[nodiscard]] virtual Index part_of(Index point) const = 0;
  /// The axes of a part's table in the world at rest.
  [[nodiscard]] virtual const Matrix3& rest_turn(Index part) const = 0;
  /// Moves of the points `at` by unit forces on the point `on`, m/N: one matrix each, a column per axis of
  /// the force. Zero for points of other parts. What has been solved for once is kept.
  virtual void respond(Index on, std::span<const Index> at, std::span<Matrix3> moves) = 0;
};

}  // namespace pliant
