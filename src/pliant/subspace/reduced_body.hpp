// subspace/reduced_body.hpp — everything that a reduced model needs of a body, computed once, then constant.
//
//     ElasticBody + held vertices ──► Basis ──► polynomials, inertia ──► ReducedBody ──► any number of models
//
// The cache on disk stores this.
#pragma once

#include "pliant/subspace/basis.hpp"
#include "pliant/subspace/cubature_points.hpp"
#include "pliant/subspace/inertia.hpp"
#include "pliant/subspace/stvk_forms.hpp"

#include <optional>
#include <vector>

namespace pliant {

struct ReducedBody {
  Basis basis;
  Vector3 origin = Vector3::Zero();       // of the frame, in the rest shape: the centre of mass unless given
  std::vector<InertiaIntegrals> inertia;  // per material group, at unit density, about origin
  std::optional<StvkForms> forms;         // empty if a law has no polynomial energy
  std::optional<CubaturePoints>
      cubature;  // forces follow from these points; empty: from the polynomial, if any

  [[nodiscard]] Index size() const { return basis.size(); }
  /// The first `size` coordinates.
  [[nodiscard]] ReducedBody head(Index size) const;
};

}  // namespace pliant
