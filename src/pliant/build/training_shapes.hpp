// build/training_shapes.hpp — shapes that the full model takes under the loads of a training plan, and in the
// first moments of the scene.
//
//   modes and derivatives, then shapes so far ─► modal ─► the cases that it knows least ─► full ─► more
//   shapes
//                                                  └────► where Newton begins ──────────────┘
//
// It ends when the shapes so far know all other cases, or when the work that a body of its size is granted
// has been done. Nothing depends on the number of threads.
#pragma once

#include "pliant/build/build_report.hpp"
#include "pliant/build/training_cases.hpp"

namespace pliant {

constexpr Index kLowModes = 6;  // natural modes that are always looked at, and that every basis is given

/// How the scene starts a body and steps it.
struct SceneStart {
  VectorX displacements, velocities;  // 3n; empty: at rest
  StepSettings step;
  double dt = 0.0;  // s; 0: not known
};

/// The first period of the scene's own motion, in `full`. The first half is for training.
struct Swing {
  std::vector<Support> supports;
  Loads loads;
  SceneStart start;
  double dt = 0.0;  // s
  Index steps = 0;
  MatrixX path;    // 3n × steps; no columns: it was not run
  Index seen = 0;  // steps that training has seen
};

/// Solutions of the full model from which no basis is made.
struct HeldOut {
  std::vector<StaticCase> cases;  // gravity in some directions; the last one is a mixture of modal loads
  std::vector<VectorX> shapes;    // one per case; empty: no equilibrium was found
  VectorX squared;                // the lowest natural ω², (rad/s)²
  Swing swing;
};

struct TrainingShapes {
  NaturalModes modes;          // at least the lowest six, if there are so many
  Index loaded = 0;            // of them, those along which the body was loaded
  VectorX coefficients;        // of each mode at full load, m √kg
  MatrixX shapes;              // 3n × m displacements; zero where something holds the body
  std::vector<Index> case_of;  // of each shape
  Index case_count = 0;
  Index first_mode = 0;  // case of the first mode; each has two, one per sign
  MatrixX near_rest;     // low modes and their derivatives
  MatrixX exact;         // 3n × (0 or 1): the scene's own equilibrium, which bases have to contain
  HeldOut held_out;
  TrainingCounts counts;
  Diagnostics notes;
};

/// Solves all cases that are needed. `system`: of the body as its supports hold it; something must. `loaded`:
/// modes. Fails when cancelled.
Result<TrainingShapes> training_shapes(const BodyDefinition& definition, const TrainingSpec& spec,
                                       const SceneStart& start, const RestSystem& system, Index loaded,
                                       Progress& progress);

/// The largest uᵀKu of each case. `shapes`: training.shapes, or a part of the body in each of them.
[[nodiscard]] VectorX case_energies(const TrainingShapes& training, const RestSystem& system,
                                    ConstMatrixRef shapes);

constexpr double kEnergyPower = 0.75;

/// Shapes of a case of energy e times e^(−kEnergyPower/2): weak cases are not lost, and strong ones still
/// count for more. Those of the last case, the scene's own motion, count twice.
[[nodiscard]] MatrixX scaled_by_energy(const TrainingShapes& training, MatrixX shapes,
                                       ConstVectorRef energies);

}  // namespace pliant
