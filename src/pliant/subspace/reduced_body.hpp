// subspace/reduced_body.hpp — everything a reduced model needs of a body, made once and never changed.
//
//     ElasticBody + held vertices ──► Basis ──► polynomials, inertia ──► ReducedBody ──► any number of models
//
// It is what the cache on disk keeps.
#pragma once

#include "pliant/subspace/basis.hpp"
#include "pliant/subspace/inertia.hpp"
#include "pliant/subspace/stvk_forms.hpp"

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

}  // namespace pliant
