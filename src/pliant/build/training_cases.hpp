// build/training_cases.hpp — loads of finite size and the shapes that the full model takes under them.
//
//   gravity in many directions ─┐
//   loads along natural modes ──┼► static equilibria (full) ─┬► shapes to make bases from
//   the scene's own loads ──────┘                            └► held out: bases are judged by them
//
// docs/theory/reduction.md has the reasons for the choice, and what was measured.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "pliant/reduce/rest_system.hpp"

namespace pliant {

/// Solutions of the full model from which no basis is made.
struct HeldOut {
  std::vector<StaticCase> cases;  // gravity in some directions; the last one is a mixture of modal loads
  std::vector<VectorX> shapes;    // one per case; empty: no equilibrium was found
  VectorX squared;                // the lowest natural ω², (rad/s)²
  Loads swing_loads;              // under which the body is let go
  double swing_dt = 0.0;          // s
  MatrixX swing;                  // 3n × steps; no columns: it was not run
};

struct TrainingShapes {
  NaturalModes modes;          // at least the lowest six, if there are so many
  Index loaded = 0;            // of them, those along which the body was loaded
  VectorX coefficients;        // of each mode at full load, m √kg
  MatrixX shapes;              // 3n × m displacements; zero where something holds the body
  std::vector<Index> case_of;  // of each shape
  Index case_count = 0;
  Index first_mode = 0;  // case of the first mode; each has two, one per sign
  HeldOut held_out;
  TrainingCounts counts;
  Diagnostics notes;
};

/// Solves all cases. `system`: of the body as its supports hold it; something must. Fails when cancelled.
Result<TrainingShapes> training_shapes(const BodyDefinition& definition, const TrainingSpec& spec,
                                       const RestSystem& system, Index loaded, Progress& progress);

/// Any forces at the vertices, three per vertex, as one load per axis.
[[nodiscard]] Loads nodal_loads(const VectorX& force);

/// Supports without their motions.
[[nodiscard]] std::vector<Support> resting(std::vector<Support> supports);

/// The largest uᵀKu of each case. `shapes`: training.shapes, or a part of the body in each of them.
[[nodiscard]] VectorX case_energies(const TrainingShapes& training, const RestSystem& system,
                                    ConstMatrixRef shapes);

}  // namespace pliant
