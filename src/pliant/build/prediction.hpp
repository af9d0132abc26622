// build/prediction.hpp — what a basis that is known so far makes of load cases that have not been solved yet.
#pragma once

#include "pliant/build/training_shapes.hpp"

namespace pliant {

/// Of the known shapes and the low modes.
[[nodiscard]] Basis basis_of_shapes(const TrainingShapes& known, const RestSystem& system);

constexpr Index kGuessShapes = 20;  // of a basis for predictions: its polynomials have to be cheap

/// The low modes and their derivatives, at the amplitudes of these coefficients: c_i ψ_i and ½ c_i c_j Φ_ij.
/// Fails when cancelled.
Result<MatrixX> shapes_near_rest(const NaturalModes& modes, const VectorX& coefficients,
                                 const RestSystem& system, Progress& progress);

/// An estimate of the relative error that the basis has in each case, 0.05 where it finds no equilibrium.
/// Gives the cases guesses from which Newton's method can start: the shapes of the body reduced to the basis.
/// Without a polynomial energy such a body costs as much as the full one: then all errors are 0.05, and there
/// are no guesses. Fails when cancelled.
Result<VectorX> predict(Basis basis, const RestSystem& system, const BodyDefinition& definition,
                        const std::vector<StaticCase*>& cases, Progress& progress);

}  // namespace pliant
