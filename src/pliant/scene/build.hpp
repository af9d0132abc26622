// scene/build.hpp — from a description to a world that can be stepped.
//
//     meshes ─► selections ─► materials, supports, loads ─► ElasticBody ─► model ─► start ─► World
//
// Every body is tried, so that one run of the program shows the problems of all of them.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/scene/description.hpp"
#include "pliant/sim/world.hpp"
#include "pliant/store/frames.hpp"

#include <memory>

namespace pliant {

/// A world with what the commands need beside it.
struct BuiltScene {
  std::unique_ptr<World> world;
  std::vector<std::shared_ptr<const ElasticBody>> elastic;  // one per body
  std::vector<std::optional<CarriedSurface>> surfaces;      // one per body
  std::vector<EventText> events;                            // in order of time
  Vector3 gravity = Vector3::Zero();                        // before any event
  Diagnostics notes;
  std::string input_hash;  // of the scene's text, the model types and the meshes
  Index frame_every = 1;   // steps
  double seconds = 0.0;    // that building took

  /// Puts the gravity that holds from `time` on into force; the world's observer calls it after each step.
  void apply_events(double time) const;
};

/// Builds everything; nothing is written.
Result<std::unique_ptr<BuiltScene>> build_scene(const SceneDescription& scene, Progress& progress);

}  // namespace pliant
