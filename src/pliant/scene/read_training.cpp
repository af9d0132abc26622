#include "pliant/scene/read_training.hpp"

#include "pliant/scene/access.hpp"

namespace pliant {

std::optional<TrainText> read_training(const Value& table, const std::string& path, const std::string& file,
                                       const std::vector<std::string>& others, Diagnostics& problems) {
  using namespace access;  // NOLINT(google-build-using-namespace)
  const auto wrong = [&](const std::string& key, std::string what, std::string remedy) {
    const Value* value = table.find(key);
    const Value& at = value != nullptr && value->line > 0 ? *value : table;
    problems.push_back({ErrorCode::kInconsistent,
                        {file, at.line, at.column, path + "." + key},
                        std::move(what),
                        std::move(remedy)});
  };
  if (word(table, "basis") != "trained") {
    if (table.has("train"))
      wrong("train", "belongs to a trained basis", "write basis = \"trained\", or leave it out");
    return std::nullopt;
  }
  for (const std::string& other : others)
    if (table.has(other)) wrong(other, "has no meaning for a trained basis", "leave it out, or `basis`");
  TrainText train;
  if (const Value* keys = table.find("train")) {
    train.directions = optional_integer(*keys, "directions").value_or(train.directions);
    train.modes = optional_integer(*keys, "modes");
    train.amplitude = optional_number(*keys, "amplitude");
    train.error = optional_number(*keys, "error");
    train.seconds = number(*keys, "seconds");
  }
  return train;
}

TrainingSpec training_spec(const TrainText& train) {
  return {train.directions, train.modes.value_or(0), train.amplitude.value_or(0.0), train.seconds,
          train.error};
}

}  // namespace pliant
