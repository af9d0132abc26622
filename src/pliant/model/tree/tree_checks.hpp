// model/tree/tree_checks.hpp — what a tree can be asked for.
#pragma once

#include "pliant/model/tree/tree_model.hpp"

namespace pliant {

/// Whether anything holds the body.
[[nodiscard]] bool holds(const std::vector<Support>& supports);

/// Errors of make_tree_model(), but for the motion of supports.
[[nodiscard]] Diagnostics check_tree(const TreeDefinition& definition, const StepSettings& settings);

}  // namespace pliant
