// mesh/core/insertion.hpp — a place at which a body gets more shapes while it runs.
#pragma once

#include "pliant/math/types.hpp"

#include <optional>
#include <string>

namespace pliant {

/// What is inserted.
enum class InsertedShapes {
  kQuadratic,  // a domain of 30 coordinates
  kAffine,     // a domain of 12
  kResponse,   // the static answer to a force on the place: one shape, or three without a direction
};

/// Shapes about a place, which end at a distance from it.
struct Insertion {
  std::string name;              // by which they are removed
  Vector3 at = Vector3::Zero();  // in the rest shape, m
  double radius = 0.0;           // m
  InsertedShapes what = InsertedShapes::kQuadratic;
  std::optional<Vector3> direction;  // rest axes: of the weights, or of the force. None: the softest one; all
};

}  // namespace pliant
