// build/tree.hpp — the reduced domains of `tree`: each class from the cache, or made and put there.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/build/training_shapes.hpp"
#include "pliant/model/full/full_model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// A tree and how it came about.
struct TreeOutcome {
  std::shared_ptr<const TreeBody> body;
  std::vector<DomainTuning> tuning;        // per domain of the body
  Index from_cache = 0;                    // classes that were there already
  std::optional<TrainingCounts> training;  // when the classes were trained just now
  Diagnostics notes;
};

/// `name`: of the body, for progress.
Result<TreeOutcome> make_tree_body(const TreeSpec& spec, const BodyDefinition& definition,
                                   const SceneStart& start, const std::string& name,
                                   const BuildOptions& options, Progress& progress);

/// Vertices that supports hold or move, ascending.
[[nodiscard]] std::vector<VertexId> held_vertices(const std::vector<Support>& supports);

}  // namespace pliant
