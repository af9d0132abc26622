// model/full/full_questions.hpp — what follows from a state of `full`: momenta and reactions.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/subspace/rest_body.hpp"

namespace pliant {

/// Eq. D8.
[[nodiscard]] Momenta momenta_of(const RestBody& body, const VectorX& u, const VectorX& v);

/// Eq. D6, from the residual r_a of all vertices and the displacements u at `time`.
[[nodiscard]] std::vector<Reaction> reactions_of(const std::vector<Support>& supports, const VectorX& rest,
                                                 const VectorX& u, const VectorX& residual, double time);

}  // namespace pliant
