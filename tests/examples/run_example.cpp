#include "examples/run_example.hpp"

#include "pliant/store/run_report.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant::test {

SceneDescription example(const std::string& name) {
  Result<SceneDescription> scene = read_scene_file(source_folder() / "examples" / (name + ".toml"));
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return {};
  }
  return std::move(scene).value();
}

std::unique_ptr<BuiltScene> build(const SceneDescription& scene, const BuildOptions& options) {
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene, no_progress(), options);
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  return std::move(built).value();
}

std::unique_ptr<BuiltScene> run(const SceneDescription& scene, const BuildOptions& options) {
  std::unique_ptr<BuiltScene> built = build(scene, options);
  if (!built) return nullptr;
  if (built->world->start()) built->world->run(no_progress());
  EXPECT_TRUE(built->world->record().healthy) << built->world->record().failure_reason;
  return built;
}

double energy_sum(const Energies& e) { return e.kinetic + e.strain + e.potential; }

double energy_drift(const RunRecord& record, std::size_t from, std::size_t to) {
  const std::vector<Energies> rows = total_energy(record);
  const std::size_t end = to == 0 ? rows.size() : to;
  double drift = 0.0, kinetic = 0.0;
  for (std::size_t row = from; row < end; ++row) {
    drift = std::max(drift, std::abs(energy_sum(rows[row]) - energy_sum(rows[from])));
    kinetic = std::max(kinetic, rows[row].kinetic);
  }
  return drift / kinetic;
}

}  // namespace pliant::test
