// build/modal.hpp — the reduced body of `modal`: from the cache, or made and put there.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_options.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/build/training_shapes.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace pliant {

/// A reduced body and how it came about.
struct ReducedOutcome {
  std::shared_ptr<const ReducedBody> body;
  bool from_cache = false;
  std::filesystem::path file;              // in the cache; empty when it is not kept
  std::optional<SketchCounts> sketch;      // when the basis was sketched just now
  std::optional<TrainingCounts> training;  // when it was trained just now
  std::optional<CubatureReport> cubature;  // when cubature points were considered
  Diagnostics notes;
};

/// The basis and its forces and inertia; supports decide what is held. Loads and `start` are what it is
/// trained for.
Result<ReducedOutcome> make_reduced_body(const ModalSpec& spec, const BodyDefinition& definition,
                                         const SceneStart& start, const BuildOptions& options,
                                         Progress& progress);

}  // namespace pliant
