// build/coupled.hpp — the reduced domains of `coupled`: each class from the cache, or made and put there.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// A body of coupled domains and how it came about.
struct CoupledOutcome {
  std::shared_ptr<const CoupledBody> body;
  Index classes = 0;                                             // reduced bodies; equal domains share one
  Index from_cache = 0;                                          // of them, those that were there already
  std::vector<std::pair<std::string, CubatureReport>> cubature;  // of classes and interfaces
  Diagnostics notes;  // of the partition, of domains with fewer shapes than asked for, of the cache
};

/// `name`: of the body, for progress. Errors of a domain have the key "domain 'name'".
Result<CoupledOutcome> make_coupled_body(const CoupledSpec& spec,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::string& name, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress);

}  // namespace pliant
