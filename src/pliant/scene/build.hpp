// scene/build.hpp — from a description to a world that can be stepped.
//
//     meshes ─► selections ─► materials, supports, loads ─► ElasticBody ─► model ─► start ─► World
//
// Every body is tried, so that one run of the program shows the problems of all of them.
#pragma once

#include "pliant/base/stage_times.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/scene/reduced.hpp"
#include "pliant/scene/tree.hpp"
#include "pliant/sim/world.hpp"
#include "pliant/store/frames.hpp"

#include <memory>

namespace pliant {

/// A world with what the commands need beside it.
struct BuiltScene {
  std::unique_ptr<World> world;
  std::vector<std::shared_ptr<const ElasticBody>> elastic;      // one per body
  std::vector<std::shared_ptr<const CarriedSurface>> surfaces;  // one per body; null: none
  std::vector<EventText> events;                                // in order of time
  Vector3 gravity = Vector3::Zero();                            // before any event
  Diagnostics notes;
  std::string input_hash;                              // of the scene's text, the model types and the meshes
  Index frame_every = 1;                               // steps
  double seconds = 0.0;                                // that building took
  std::vector<StageTime> stages;                       // where they went
  std::vector<std::optional<ReducedOutcome>> reduced;  // one per body; of `modal` only
  std::vector<std::optional<TreeOutcome>> trees;       // one per body; of `tree` only

  /// Puts the gravity and the materials that hold from `time` on into force; the world's observer calls it
  /// after each step.
  Status apply_events(double time);

 private:
  /// Detaches, replaces and tunes what events say up to now, each once.
  Status apply_to_domains(double now);

  std::vector<std::vector<Material>> present_;     // one list per body: what its model has
  std::vector<std::vector<DomainTuning>> tuning_;  // likewise
  std::size_t domain_events_ = 0;                  // events that have been looked at
};

/// Builds everything; nothing is written but the cache of reduced bodies.
Result<std::unique_ptr<BuiltScene>> build_scene(const SceneDescription& scene, Progress& progress,
                                                const BuildOptions& options = {});

}  // namespace pliant
