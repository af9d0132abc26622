// build/build_body.hpp — from a BodySpec to a body that a World can step.
//
//     mesh, materials ─► ElasticBody ─► start ─► reduced bodies, from the cache or made ─► model
//
// Problems name the part of the spec that they are of in their key: "start", "model", "domains", "root",
// "domain NAME", "class NAME".
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/build/subspace.hpp"
#include "pliant/sim/world.hpp"

namespace pliant {

struct BuiltBody {
  Body body;  // for a World
  std::shared_ptr<const ElasticBody> elastic;
  BuildReport report;
  std::shared_ptr<const Subspace> subspace;
  Diagnostics notes;
};

/// Nothing is written but the cache.
Result<BuiltBody> build_body(BodySpec spec, const BuildOptions& options = {},
                             Progress& progress = no_progress());

/// One flag per degree of freedom: free, unless a support holds it or it belongs to no element.
[[nodiscard]] std::vector<char> free_dofs(const ElasticBody& elastic, const std::vector<Support>& supports);

}  // namespace pliant
