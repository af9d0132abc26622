// build/training.hpp — a basis for the whole body from shapes that the full model takes under loads of finite
// size.
//
//   training shapes ─► weighted ─┐
//   natural modes ───────────────┴► PCA in the energy metric ─► U
//
// Modes and modal derivatives know the neighbourhood of rest only. docs/theory/reduction.md has the recipe,
// the reasons for its constants and what was measured.
#pragma once

#include "pliant/build/training_shapes.hpp"
#include "pliant/subspace/basis.hpp"

#include <memory>

namespace pliant {

struct TrainedBases {
  std::vector<Basis>
      bases;  // up to four, with other weights of low modes, of the scene and of shapes near rest
  HeldOut held_out;
  TrainingCounts counts;
  Diagnostics notes;
  std::shared_ptr<const RestSystem> system;
  NaturalModes modes;  // enough for a basis of modes and modal derivatives, too
};

/// Bases of at most `rank` shapes, of which the better one is to be chosen. Something must hold the body.
/// Fails when cancelled.
Result<TrainedBases> train_bases(const BodyDefinition& definition, const TrainingSpec& spec,
                                 const SceneStart& start, Index rank, Progress& progress);

/// What training depends on beside the body at rest, for the key of a cache.
[[nodiscard]] std::string training_recipe(const TrainingSpec& spec, const BodyDefinition& definition,
                                          const SceneStart& start);

}  // namespace pliant
