// reduce/reduced_body.hpp — everything that a reduced model needs of a body, computed once, then constant.
//
//     ElasticBody + held vertices ──► Basis ──► polynomials, inertia ──► ReducedBody ──► any number of models
//
// The cache on disk stores this.
#pragma once

#include "pliant/reduce/basis.hpp"
#include "pliant/reduce/inertia.hpp"
#include "pliant/reduce/stvk_forms.hpp"

#include <optional>
#include <vector>

namespace pliant {

struct ReducedBody {
  Basis basis;
  Vector3 origin = Vector3::Zero();       // of the frame, in the rest shape: the centre of mass unless given
  std::vector<InertiaIntegrals> inertia;  // per material group, at unit density, about origin
  std::optional<StvkForms> forms;         // empty if a law has no polynomial energy

  [[nodiscard]] Index size() const { return basis.size(); }
  /// The first `size` coordinates.
  [[nodiscard]] ReducedBody head(Index size) const;
};

/// ∫ρX / ∫ρ of the rest shape.
[[nodiscard]] Vector3 rest_center_of_mass(const ElasticBody& body);

/// Polynomials and inertia in a given basis, which may have no columns (a rigid body). The origin of the
/// frame is the centre of mass unless a point of the rest shape is given.
Result<ReducedBody> reduce_body(const ElasticBody& body, Basis basis, Progress& progress,
                                const std::optional<Vector3>& origin = std::nullopt);

}  // namespace pliant
