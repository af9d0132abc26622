// build/cubature.hpp — decides how the forces of a reduced body are computed: by its polynomial, by cubature
// points, or by a loop over its elements.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/reduce/body_cubature.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <functional>
#include <memory>
#include <string>

namespace pliant {

/// A reduced body whose forces are to be decided, and of which elements.
struct ForcesRequest {
  std::string name;  // of the body or domain, for notes
  std::shared_ptr<const ElasticBody> elastic;
  std::shared_ptr<const ReducedBody> reduced;       // with its polynomial, if it has one
  std::vector<VertexId> held;                       // part of the key in the cache, as
  std::string recipe;                               // this: everything from which `reduced` was made
  std::function<Result<MatrixX>(Progress&)> poses;  // r × m coordinates to train with; empty: random loads
};

struct ForcesOutcome {
  std::shared_ptr<const ReducedBody> reduced;
  std::optional<CubatureReport> report;  // when cubature points were considered
  Diagnostics notes;
};

/// With InteriorForces::kAuto the faster of both that meets the error is kept, the polynomial if they are
/// nearly alike. Bodies without a polynomial whose points miss the error keep the loop over the elements.
Result<ForcesOutcome> decide_forces(const ForcesRequest& request, const CubatureSpec& spec,
                                    const BuildOptions& options, Progress& progress);

/// Coordinates of the shapes that the full model takes under random forces: each presses a few places of the
/// body. Something must hold it. Of laws that may be inverted the invertible variant is taken.
Result<MatrixX> full_poses(const BodyDefinition& definition, const ReducedBody& reduced, std::uint64_t seed,
                           Progress& progress);

/// Microseconds of one evaluation of force and stiffness, the quickest of several.
[[nodiscard]] double evaluation_time(ReducedForces& forces, Index r);

}  // namespace pliant
