// scene/tree.hpp — the tree of reduced domains that a scene asks for: each class from the cache, or built.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/scene/build_options.hpp"
#include "pliant/scene/description.hpp"

#include <memory>

namespace pliant {

/// A tree and how it came about.
struct TreeOutcome {
  std::shared_ptr<const TreeBody> body;
  std::vector<DomainTuning> tuning;  // per domain of the body
  TreeInertia inertia = TreeInertia::kL3;
  SurfaceBlend blend = SurfaceBlend::kC0;
  Index from_cache = 0;  // classes that were there already
  Diagnostics notes;
};

struct AssemblyShape;

/// For `model = { type = "tree" }`; `assembly`: the parts of a body that is made of placed ones, else null.
Result<TreeOutcome> make_tree_body(const BodyText& text, const ElasticBody& elastic,
                                   const AssemblyShape* assembly, const std::vector<Support>& supports,
                                   const BuildOptions& options, Progress& progress);

}  // namespace pliant
