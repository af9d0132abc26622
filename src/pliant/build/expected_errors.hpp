// build/expected_errors.hpp — how far a reduced model is from solutions of the full model that it was not
// trained with.
#pragma once

#include "pliant/build/training_cases.hpp"

#include <functional>

namespace pliant {

/// Makes the reduced model under these loads, its supports at rest.
using MakeModel = std::function<Result<std::unique_ptr<Model>>(const Loads&, const StepSettings&)>;

/// Static shapes, frequencies and one swing of the model against those that were held out. Fails when
/// cancelled, or when the model cannot be made.
Result<ExpectedErrors> expected_errors(const HeldOut& held_out, const ElasticBody& body,
                                       const MakeModel& make, const Progress& progress);

/// In words, for notes.
[[nodiscard]] std::string describe(const ExpectedErrors& errors);

/// The geometric mean of those that were measured: by it bases are compared, whose errors are of different
/// kinds. Errors below 0.1 % count as that much.
[[nodiscard]] double typical(const ExpectedErrors& errors);

/// The largest of them that were measured.
[[nodiscard]] double largest(const ExpectedErrors& errors);

}  // namespace pliant
