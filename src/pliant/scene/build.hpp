// scene/build.hpp — from a description to a world that can be stepped.
//
//     text ─► meshes ─► selections ─► materials, supports, loads: BodySpec ─► BuiltBody ─► World
//
// If one body has problems the others are still tried, so that one run reports all problems.
#pragma once

#include "pliant/base/stage_times.hpp"
#include "pliant/build/build_body.hpp"
#include "pliant/scene/body_looks.hpp"
#include "pliant/scene/description.hpp"
#include "pliant/store/frames.hpp"

#include <memory>

namespace pliant {

/// A world, and what the commands need besides it.
struct BuiltScene {
  std::unique_ptr<World> world;
  std::vector<std::shared_ptr<const ElasticBody>> elastic;      // one per body
  std::vector<std::shared_ptr<const CarriedSurface>> surfaces;  // one per body; null: none
  std::vector<BuildReport> reports;                             // one per body
  std::vector<std::shared_ptr<const Subspace>> subspaces;       // one per body
  std::vector<BodyLooks> looks;                                 // one per body
  Diagnostics notes;
  std::string input_hash;  // of the scene's text, the model types and the meshes
  Index frame_every = 1;   // steps
  FrameContent frame_content = FrameContent::kSurface;
  double seconds = 0.0;           // duration of the build
  std::vector<StageTime> stages;  // how it is spread over the stages
};

/// Builds all bodies. Writes nothing to disk except the cache of reduced bodies.
Result<std::unique_ptr<BuiltScene>> build_scene(const SceneDescription& scene, Progress& progress,
                                                const BuildOptions& options = {});

}  // namespace pliant
