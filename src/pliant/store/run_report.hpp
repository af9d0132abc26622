// store/run_report.hpp — the report of a run: a JSON document, tables and plots.
//
// Sums over bodies are computed here: energies and momenta are added, and angular momentum is taken about the
// common centre of mass. Numbers are written such that they read back to the same bits; those that are not
// finite become null.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/sim/world.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Energies of all bodies together, row by row.
[[nodiscard]] std::vector<Energies> total_energy(const RunRecord& record);
/// Momenta of all bodies together (Eq. D8), about the common centre of mass.
[[nodiscard]] Momenta total_momentum(const RunRecord& record, std::size_t row);

/// Wall-clock times of steps, µs; NaN if there were no steps.
struct StepTimes {
  double mean, p50, p99, max;
};
[[nodiscard]] StepTimes step_times(const std::vector<double>& seconds);

/// A failure that the record of the world does not contain, such as running out of memory.
struct RunFailure {
  double t = 0.0;
  std::string reason;
};

/// The document of `pliant run --json` (docs/guide/output.md explains each field).
[[nodiscard]] std::string run_json(const World& world, double build_seconds,
                                   const std::optional<RunFailure>& failure = std::nullopt);
/// The document of a run that failed before its first row.
[[nodiscard]] std::string failure_json(const RunFailure& failure);

/// Writes energy.csv and energy.svg and, if there are probes, probes.csv and probes.svg; returns the files
/// written.
Result<std::vector<std::filesystem::path>> write_run_tables(const World& world,
                                                            const std::filesystem::path& folder);

}  // namespace pliant
