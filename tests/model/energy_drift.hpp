// tests/model/energy_drift.hpp — the energy of a model on its way.
#pragma once

#include "pliant/model/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant::test {

inline double total_energy(const Model& model) {
  const Energies e = model.energies();
  return e.kinetic + e.strain + e.potential;
}

/// Steps to `duration`; the largest change of the total energy on the way.
inline double drift_of(Model& model, double dt, double duration) {
  const double before = total_energy(model);
  double drift = 0.0;
  const auto steps = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < steps; ++i) {
    const StepReport report = model.step(i * dt, dt);
    EXPECT_TRUE(report.healthy()) << describe(report.trouble) << " in step " << i;
    if (!report.healthy()) return std::numeric_limits<double>::infinity();
    drift = std::max(drift, std::abs(total_energy(model) - before));
  }
  return drift;
}

/// Steps `count` times.
inline void advance(Model& model, int first, int count, double dt) {
  for (int i = first; i < first + count; ++i) EXPECT_TRUE(model.step(i * dt, dt).healthy()) << i;
}

}  // namespace pliant::test
