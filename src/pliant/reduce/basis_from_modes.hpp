// reduce/basis_from_modes.hpp — make_basis() for whoever has factorised the body and knows its modes.
#pragma once

#include "pliant/fem/natural_modes.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/rest_system.hpp"

namespace pliant {

/// From the lowest `settings.linear_modes` of these natural modes, without rigid ones. Not for eigenvector
/// derivatives, which need more modes than that. Fails when cancelled.
Result<Basis> basis_from_modes(const RestSystem& system, const NaturalModes& modes,
                               const BasisSettings& settings, Progress& progress);

}  // namespace pliant
