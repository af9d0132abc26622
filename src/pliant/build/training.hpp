// build/training.hpp — a basis from shapes that the full model takes under loads of finite size.
//
//   gravity in many directions ─┐
//   loads along natural modes ──┼► static equilibria (full) ─► weighted ─► PCA in the energy metric ─► U
//   the scene's own loads ──────┘                                  ▲
//   natural modes ─────────────────────────────────────────────────┘
//
// Modes and modal derivatives know the neighbourhood of rest only. docs/theory/reduction.md has the recipe,
// the reasons for its constants and what was measured.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/build/build_report.hpp"
#include "pliant/model/full/static_shapes.hpp"
#include "pliant/subspace/reduced_body.hpp"

namespace pliant {

/// Solutions of the full model from which the basis is not made: the basis is judged by them.
struct HeldOut {
  std::vector<StaticCase> cases;  // gravity in some directions; the last one is a mixture of modal loads
  std::vector<VectorX> shapes;    // one per case; empty: no equilibrium was found
  VectorX squared;                // the lowest natural ω², (rad/s)²
  Loads swing_loads;              // under which the body is let go
  double swing_dt = 0.0;          // s
  MatrixX swing;                  // 3n × steps; no columns: it was not run
};

struct TrainedBasis {
  Basis basis;
  HeldOut held_out;
  TrainingCounts counts;
  Diagnostics notes;
};

/// A basis of at most `rank` shapes. Something must hold the body. Fails when cancelled.
Result<TrainedBasis> train_basis(const BodyDefinition& definition, const TrainingSpec& spec, Index rank,
                                 Progress& progress);

/// How far a body reduced to such a basis is from the solutions that were held out.
Result<ExpectedErrors> expected_errors(const HeldOut& held_out,
                                       const std::shared_ptr<const ReducedBody>& reduced,
                                       const BodyDefinition& definition, const Progress& progress);

/// The largest of them that were measured.
[[nodiscard]] double largest(const ExpectedErrors& errors);

}  // namespace pliant
