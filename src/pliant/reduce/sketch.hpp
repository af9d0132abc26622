// reduce/sketch.hpp — a basis for the loads that a user expects: pulls, recorded or scripted.
//
//   pulls ─► loads, one per time ─► thinned ─► static shapes in full space ─► thinned ─► mass-PCA
//
// [BarbicJames2005] §5.2. The paper keeps "a certain separation distance" between forces, and later between
// shapes. We measure both alike and free of units: by the mass norm of the difference, over the largest of
// all; for loads that of the small displacements K⁻¹f that they cause, the linear model that the paper's user
// sees. A load or shape is kept when it is that far from rest and from all kept before, not only from the one
// just before: pulls go to and fro, and each costs a full solution.
//
// Who solves for the shapes is the caller's choice (model/full/static_shapes.hpp is the one there is): a
// reduced layer knows no full model.
#pragma once

#include "pliant/mesh/pull.hpp"
#include "pliant/reduce/make_basis.hpp"

#include <functional>
#include <span>
#include <vector>

namespace pliant {

/// One pull of a script: a force that goes linearly from key to key, shared equally by some vertices; nothing
/// before the first and after the last key.
struct PullTrack {
  std::vector<VertexId> vertices;
  std::vector<double> t;       // s, strictly ascending
  std::vector<Vector3> force;  // N, the total; one per key
};

/// The forces of all tracks at the regular times n · interval from the first key to the last and at the keys
/// themselves, sorted by time, then vertex; forces of one vertex and time are added, zero ones left out.
Result<std::vector<Pull>> sample_pulls(const std::vector<PullTrack>& tracks, double interval,
                                       Index vertex_count);

/// Everything that pulls at one time.
struct PullLoad {
  double time = 0.0;
  std::vector<Pull> pulls;
};

/// Pulls of equal times as one load each, by time.
[[nodiscard]] std::vector<PullLoad> group_by_time(std::vector<Pull> pulls);

/// Which loads to keep, by their places: see above. `separation` in (0, 1). Fails when the body is not held,
/// when none of the loads moves it, or when cancelled.
Result<std::vector<Index>> thin_loads(const RestSystem& system, const std::vector<PullLoad>& loads,
                                      double separation, Progress& progress);

/// Which columns to keep, by their places; see above.
[[nodiscard]] std::vector<Index> thin_shapes(const ElasticBody& body, ConstMatrixRef shapes,
                                             double separation);

/// Static shapes of loads: those that were found, and notes on the others.
struct StaticShapes {
  MatrixX shapes;            // 3n × found
  std::vector<Index> found;  // places of their loads, ascending
  Diagnostics notes;         // one per load without a shape
};
using StaticSolver = std::function<Result<StaticShapes>(const std::vector<PullLoad>&, Progress&)>;

struct SketchSettings {
  double load_separation = 0.05;
  double shape_separation = 0.05;
  BasisSettings basis;  // `modes` and `energy` count
};

struct SketchedBasis {
  Basis basis;
  Index loads = 0;            // recorded times
  Index solved = 0;           // loads left after thinning
  std::vector<double> times;  // of the shapes that the basis is made from
  Diagnostics notes;          // loads that have no static shape
};

/// The whole way from pulls to a basis.
Result<SketchedBasis> sketch_basis(const ElasticBody& body, const std::vector<char>& free,
                                   std::span<const Pull> pulls, const SketchSettings& settings,
                                   const StaticSolver& solver, Progress& progress);

}  // namespace pliant
