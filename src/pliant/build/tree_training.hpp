// build/tree_training.hpp — bases for the domains of `tree` from shapes that the whole body takes in `full`.
//
//   training shapes ─► in the frame of each domain ─► what they add to its modes and attachment shapes ─► U
//
// The tree is built with these and with modal derivatives, and keeps what does better on cases that were held
// out (docs/theory/tree.md, "Basis").
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/build/training_shapes.hpp"
#include "pliant/model/full/full_model.hpp"

namespace pliant {

struct TrainedTree {
  TreeBody body;  // each of its bases knows the expected errors of the tree
  TrainingCounts counts;
  Diagnostics notes;
};

/// `plan`: of the body cut into domains. Something must hold it. Fails when cancelled.
Result<TrainedTree> train_tree(TreePlan plan, const TreeSpec& spec, const BodyDefinition& definition,
                               const SceneStart& start, Progress& progress);

}  // namespace pliant
