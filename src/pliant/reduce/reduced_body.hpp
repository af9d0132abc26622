// reduce/reduced_body.hpp — everything a reduced model needs of a body, made once and never changed.
//
//     ElasticBody + held vertices ──► Basis ──► polynomials, inertia ──► ReducedBody ──► any number of models
//
// It is what the cache on disk keeps.
#pragma once

#include "pliant/reduce/basis.hpp"
#include "pliant/reduce/inertia.hpp"
#include "pliant/reduce/stvk_forms.hpp"

#include <optional>
#include <vector>

namespace pliant {

struct ReducedBody {
  Basis basis;
  Vector3 origin = Vector3::Zero();       // of the frame, in the rest shape: its centre of mass unless told
  std::vector<InertiaIntegrals> inertia;  // per material group, at unit density, about origin
  std::optional<StvkForms> forms;         // none when a law has no polynomial

  [[nodiscard]] Index size() const { return basis.size(); }
  /// The first `size` coordinates.
  [[nodiscard]] ReducedBody head(Index size) const;
};

/// ∫ρX / ∫ρ of the rest shape.
[[nodiscard]] Vector3 rest_center_of_mass(const ElasticBody& body);

/// Polynomials and inertia in a given basis, which may have no columns (a rigid body). The frame's origin is
/// the centre of mass, or a given point of the rest shape.
Result<ReducedBody> reduce_body(const ElasticBody& body, Basis basis, Progress& progress,
                                const std::optional<Vector3>& origin = std::nullopt);

}  // namespace pliant
