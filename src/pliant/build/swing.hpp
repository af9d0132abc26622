// build/swing.hpp — the first period of a scene in the full model.
#pragma once

#include "pliant/build/training_shapes.hpp"

namespace pliant {

/// The scene's own motion, not yet run. `slowest`: ω² of the first mode.
[[nodiscard]] Swing make_swing(const BodyDefinition& definition, const SceneStart& start,
                               const RestSystem& system, double slowest);

/// Whether anything in the scene moves the body.
[[nodiscard]] bool moves(const Swing& swing);

/// Runs it. Nothing is run for static scenes and for bodies of many unknowns, where it takes minutes; nothing
/// is kept when a step fails. Fails when cancelled.
Status run_first(Swing& swing, const BodyDefinition& definition, Progress& progress);

/// The displacements after each step; fewer columns when a step fails. Fails when cancelled.
Result<MatrixX> run_full(const BodyDefinition& definition, const Swing& swing, Index steps,
                         std::string_view stage, Progress& progress);

/// Displacements after every `every`-th step, as seen from the supports.
[[nodiscard]] MatrixX in_frame(const Swing& swing, const BodyDefinition& definition, ConstMatrixRef path,
                               Index every);

}  // namespace pliant
