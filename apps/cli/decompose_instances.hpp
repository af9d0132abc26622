// apps/cli/decompose_instances.hpp — `pliant decompose --instances SURFACE`.
#pragma once

#include "console.hpp"

#include <string>

namespace pliant::cli {

struct InstancesOptions {
  Common common;
  std::string surface;
  std::string output;       // scene to write; empty: none
  double tolerance = 1e-3;  // of a part's diameter
};

/// Prints which parts are copies of one another; writes a scene of them. The exit code.
int decompose_instances(const InstancesOptions& options);

}  // namespace pliant::cli
