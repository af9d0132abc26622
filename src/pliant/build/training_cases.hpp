// build/training_cases.hpp — loads of finite size under which the full model is to be trained with, and those
// that are held out.
//
//   gravity in many directions ─┐
//   loads along natural modes ──┼► cases, in the order in which they are solved when nothing better is known
//   the scene's own loads ──────┘
//
// docs/theory/reduction.md has the reasons for the choice, and what was measured.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "pliant/reduce/rest_system.hpp"

namespace pliant {

/// The loads of a training.
struct TrainingPlan {
  NaturalModes modes;                // at least the lowest six, if there are so many
  Index loaded = 0;                  // of them, those along which the body is loaded
  VectorX coefficients;              // of each mode at full load, m √kg
  std::vector<StaticCase> cases;     // the first `begin` of them have to be solved
  Index begin = 0;                   // the scene's own loads
  Index first_mode = 0;              // case of the first mode; each has two, one per sign
  bool own = false;                  // the first case is the scene as it is: it has to be met exactly
  std::vector<StaticCase> held_out;  // gravity in some directions; the last one is a mixture of modal loads
};

/// `system`: of the body as its supports hold it; something must. `loaded`: of the modes. `reach`: how far
/// the body is known to move in its scene, m; 0: nothing is known.
[[nodiscard]] TrainingPlan plan_training(const BodyDefinition& definition, const TrainingSpec& spec,
                                         const RestSystem& system, NaturalModes modes, Index loaded,
                                         double reach);

/// The largest displacement of a vertex.
[[nodiscard]] double largest_displacement(ConstVectorRef u);

/// Any forces at the vertices, three per vertex, as one load per axis.
[[nodiscard]] Loads nodal_loads(const VectorX& force);

/// Supports without their motions.
[[nodiscard]] std::vector<Support> resting(std::vector<Support> supports);

}  // namespace pliant
