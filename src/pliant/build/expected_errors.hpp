// build/expected_errors.hpp — how far a reduced model is from solutions of the full model that it was not
// trained with.
#pragma once

#include "pliant/build/training_shapes.hpp"

#include <functional>

namespace pliant {

/// Makes the reduced model with these supports, under these loads.
using MakeModel = std::function<Result<std::unique_ptr<Model>>(const std::vector<Support>&, const Loads&,
                                                               const StepSettings&)>;

/// Static shapes, frequencies and the first period of the scene, of the model against those that were held
/// out. A model that finds no equilibrium, or fails in a step, is as wrong as can be: 1. Fails when
/// cancelled, or when the model cannot be made.
Result<ExpectedErrors> expected_errors(const HeldOut& held_out, const ElasticBody& body,
                                       const MakeModel& make, const Progress& progress);

/// In words, for notes.
[[nodiscard]] std::string describe(const ExpectedErrors& errors);

/// The geometric mean of those that were measured: by it bases are compared, whose errors are of different
/// kinds. The scene's own motion counts four times as much as all others together; errors below 0.01 % count
/// as that much.
[[nodiscard]] double typical(const ExpectedErrors& errors);

/// The largest of them that were measured.
[[nodiscard]] double largest(const ExpectedErrors& errors);

}  // namespace pliant
