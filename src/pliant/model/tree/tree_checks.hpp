// model/tree/tree_checks.hpp — checks of a definition before a tree is made.
#pragma once

#include "pliant/model/tree/tree_model.hpp"

namespace pliant {

/// Whether any support has vertices.
[[nodiscard]] bool holds(const std::vector<Support>& supports);

/// The errors of make_tree_model(), except those of the supports' motions.
[[nodiscard]] Diagnostics check_tree(const TreeDefinition& definition, const StepSettings& settings);

}  // namespace pliant
