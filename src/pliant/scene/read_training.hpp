// scene/read_training.hpp — reads `basis = "trained"` and `train = { ... }`, for whatever model.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/scene/description.hpp"

#include <string>
#include <vector>

namespace pliant {

/// Empty when the basis is not trained. `others`: keys of the table that have no meaning beside it.
[[nodiscard]] std::optional<TrainText> read_training(const Value& table, const std::string& path,
                                                     const std::string& file,
                                                     const std::vector<std::string>& others,
                                                     Diagnostics& problems);

/// The settings of a trained basis.
[[nodiscard]] TrainingSpec training_spec(const TrainText& train);

}  // namespace pliant
