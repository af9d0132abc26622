// build/interfaces.hpp — few weighted elements between the domains of a coupled body: from the cache, or
// chosen by poses that the body takes when it is kicked.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/reduce/interface_cubature.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

struct InterfaceRequest {
  std::shared_ptr<const ElasticBody> whole;
  std::shared_ptr<const CoupledBody> body;  // with all of its coupling elements
  std::vector<Support> supports;
  std::string recipe;  // everything from which `body` was made, but mesh, materials and held vertices
};

struct InterfaceOutcome {
  std::shared_ptr<const CoupledBody> body;
  std::vector<std::pair<std::string, CubatureReport>> reports;  // one per interface
  Diagnostics notes;
};

/// Fails when cancelled, or when the body does not move.
Result<InterfaceOutcome> reduce_interfaces(const InterfaceRequest& request, const CubatureSpec& spec,
                                           const BuildOptions& options, Progress& progress);

/// Poses hardly deformed along each of the low modes, and others while the body vibrates after random kicks
/// along them. Those of the last kicks, `held_out` of them, judge.
struct KickedPoses {
  std::vector<CoupledPose> poses;
  Index held_out = 0;
};
Result<KickedPoses> kicked_poses(const std::shared_ptr<const CoupledBody>& body,
                                 const std::vector<Support>& supports, std::uint64_t seed,
                                 Progress& progress);

}  // namespace pliant
