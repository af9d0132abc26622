// store/run_report.hpp — what a run reports: one JSON document, tables and plots.
//
// Sums over bodies are made here: energies and momenta add up, angular momentum is taken about the common
// centre of mass. Numbers are printed so that they read back to the same bits; what is not finite becomes
// null.
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
/// Momenta of all bodies together: about the common centre of mass.
[[nodiscard]] Momenta total_momentum(const RunRecord& record, std::size_t row);

/// Wall clock of one step, µs; NaN when there was none.
struct StepTimes {
  double mean, p50, p99, max;
};
[[nodiscard]] StepTimes step_times(const std::vector<double>& seconds);

/// Trouble that the world's own record does not know of, e.g. memory that ran out.
struct RunFailure {
  double t = 0.0;
  std::string reason;
};

/// The document of `pliant run --json` (docs/guide/output.md explains each field).
[[nodiscard]] std::string run_json(const World& world, double build_seconds,
                                   const std::optional<RunFailure>& failure = std::nullopt);
/// The document of a run that failed before its first row.
[[nodiscard]] std::string failure_json(const RunFailure& failure);

/// Writes energy.csv, energy.svg and, when there are probes, probes.csv and probes.svg; names what was
/// written.
Result<std::vector<std::filesystem::path>> write_run_tables(const World& world,
                                                            const std::filesystem::path& folder);

}  // namespace pliant
