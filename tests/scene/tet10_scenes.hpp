#pragma once
// Scenes with quadratic tets, as text.
#include "pliant/scene/build.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant::test {

/// Builds the scene of this text.
inline Result<std::unique_ptr<BuiltScene>> try_scene(const std::string& text,
                                                     const std::filesystem::path& file = "tet10.toml",
                                                     const BuildOptions& options = {}) {
  const Result<SceneDescription> scene = read_scene(text, file);
  if (!scene) return scene.errors();
  return build_scene(scene.value(), no_progress(), options);
}

inline std::unique_ptr<BuiltScene> make_scene(const std::string& text,
                                              const std::filesystem::path& file = "tet10.toml",
                                              const BuildOptions& options = {}) {
  Result<std::unique_ptr<BuiltScene>> made = try_scene(text, file, options);
  if (made) return std::move(made).value();
  ADD_FAILURE() << to_string(made.error());
  return nullptr;
}

/// Builds and runs to the end.
inline std::unique_ptr<BuiltScene> run_scene(const std::string& text,
                                             const std::filesystem::path& file = "tet10.toml",
                                             const BuildOptions& options = {}) {
  std::unique_ptr<BuiltScene> made = make_scene(text, file, options);
  if (!made) return made;
  EXPECT_TRUE(made->world->start());
  made->world->run(no_progress());
  EXPECT_TRUE(made->world->record().healthy) << made->world->record().failure_reason;
  return made;
}

inline const Model& model_of(const std::unique_ptr<BuiltScene>& scene) {
  return *scene->world->bodies()[0].model;
}

/// All vertices as one vector.
inline VectorX places(const VolumeMesh& mesh) {
  VectorX x(3 * mesh.vertex_count());
  for (Index v = 0; v < mesh.vertex_count(); ++v) x.segment<3>(3 * v) = mesh.vertices[to_size(v)];
  return x;
}

}  // namespace pliant::test
