// build/blended.hpp — the body of `blended`: domains, weights (from the cache, or made and put there), basis.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/subspace/blended_body.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace pliant {

/// Seeds, weights and how far each domain reaches.
struct BlendedWeights {
  OverlappingDomains domains;
  BlendWeights weights;
  bool from_cache = false;
  std::filesystem::path file;  // in the cache; empty when it is not kept
  Diagnostics notes;
};

struct BlendedOutcome {
  std::shared_ptr<const BlendedBody> body;
  bool from_cache = false;
  std::filesystem::path file;
  std::optional<CubatureReport> cubature;
  Diagnostics notes;
  std::vector<double> pose_residuals;  // as in BuildReport
};

/// `name`: of the body, for progress. Errors have the key "domains", "weights" or "model".
Result<BlendedWeights> make_blended_weights(const BlendedSpec& spec, const ElasticBody& elastic,
                                            const std::string& name, const std::vector<Support>& supports,
                                            const BuildOptions& options, Progress& progress);
Result<BlendedOutcome> make_blended_body(const BlendedSpec& spec,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::string& name, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress);

}  // namespace pliant
