// scene/reduced.hpp — the reduced body that a scene asks for: from the cache, or built and put there.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/reduce/reduced_body.hpp"
#include "pliant/scene/description.hpp"

#include <filesystem>
#include <memory>
#include <optional>

namespace pliant {

/// Where reduced bodies are kept.
struct BuildOptions {
  std::optional<std::filesystem::path> cache;  // none: nothing is kept
};

/// $PLIANT_CACHE, else pliant in the user's cache folder; none when there is neither.
[[nodiscard]] std::optional<std::filesystem::path> default_cache_folder();

/// A reduced body and how it came about.
struct ReducedOutcome {
  std::shared_ptr<const ReducedBody> body;
  bool from_cache = false;
  std::filesystem::path file;  // in the cache; empty when it is not kept
  Diagnostics notes;
};

/// For `model = { type = "modal" }`.
Result<ReducedOutcome> make_reduced_body(const SceneDescription& scene, const BodyText& text,
                                         const ElasticBody& elastic, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress);

}  // namespace pliant
