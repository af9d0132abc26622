// model/full/full_questions.hpp — what follows from a state of `full`: energies, momenta and reactions.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/model.hpp"
#include "pliant/subspace/rest_body.hpp"

namespace pliant {

/// Eq. D8.
[[nodiscard]] Energies energies_of(const ElasticBody& body, const Vector3& gravity, const VectorX& u,
                                   const VectorX& v);
[[nodiscard]] Momenta momenta_of(const RestBody& body, const VectorX& u, const VectorX& v);

/// Eq. D6, from the residual r_a of all vertices and the displacements u at `time`.
[[nodiscard]] std::vector<Reaction> reactions_of(const std::vector<Support>& supports, const VectorX& rest,
                                                 const VectorX& u, const VectorX& residual, double time);

/// One flag per degree of freedom: whether it is free. A vertex belongs to the first support that names it;
/// the others lose it.
[[nodiscard]] Result<std::vector<char>> find_free(BodyDefinition& definition);

}  // namespace pliant
