// tests/examples/run_example.hpp — read, build and run a scene of examples/, and what is asked of every run.
#pragma once

#include "pliant/scene/build.hpp"

#include <memory>
#include <string>

namespace pliant::test {

/// examples/NAME.toml; a failure of the test when it cannot be read.
[[nodiscard]] SceneDescription example(const std::string& name);

/// Null, and a failure, when the scene has problems.
[[nodiscard]] std::unique_ptr<BuiltScene> build(const SceneDescription& scene,
                                                const BuildOptions& options = {});

/// Builds and runs to the end; the run must be healthy.
std::unique_ptr<BuiltScene> run(const SceneDescription& scene, const BuildOptions& options = {});

[[nodiscard]] double energy_sum(const Energies& e);

/// max |E(t) − E(from)| over max kinetic, in the rows [from, to); to = 0: all.
[[nodiscard]] double energy_drift(const RunRecord& record, std::size_t from = 0, std::size_t to = 0);

}  // namespace pliant::test
