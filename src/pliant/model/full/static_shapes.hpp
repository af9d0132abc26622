// model/full/static_shapes.hpp — the static shapes of many loads in full space, several at once.
//
// Each load starts from rest and comes on in as few steps as Newton can follow, so the shapes depend neither
// on each other nor on the number of threads.
#pragma once

#include "pliant/model/full/full_model.hpp"
#include "pliant/reduce/sketch.hpp"

namespace pliant {

/// Shapes of a body under pulls alone: no gravity, supports at rest. A load whose shape cannot be found gets
/// a note; when none can, that is all there is. Fails when cancelled, or when the body cannot be simulated.
Result<StaticShapes> static_shapes(const std::shared_ptr<const ElasticBody>& body,
                                   const std::vector<Support>& supports, const std::vector<PullLoad>& loads,
                                   Progress& progress);

}  // namespace pliant
