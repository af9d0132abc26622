// reduce/sketch.hpp — a basis for the loads that a user expects: pulls that were recorded or scripted.
//
//   pulls ─► loads, one per time ─► thinned ─► static shapes in full space ─► thinned ─► mass-PCA
//
// [BarbicJames2005] §5.2. The paper keeps "a certain separation distance" between forces, and later between
// shapes. Here both distances are mass norms of differences, relative to the largest norm of all, so they
// have no units. For loads they are those of the small displacements K⁻¹f, the linear model that the user of
// the paper sees. A load or shape is kept if it is that far from rest and from all that are kept already, not
// only from the previous one: pulls go back and forth, and each costs a full solution.
//
// The caller chooses who solves for the shapes (so far only model/full/static_shapes.hpp does): this layer
// knows no full model.
#pragma once

#include "pliant/mesh/core/pull.hpp"
#include "pliant/reduce/make_basis.hpp"

#include <functional>
#include <span>
#include <vector>

namespace pliant {

/// One pull of a script: a force that is linear between keys, shared equally by some vertices; zero before
/// the first and after the last key.
struct PullTrack {
  std::vector<VertexId> vertices;
  std::vector<double> t;       // s, strictly ascending
  std::vector<Vector3> force;  // N, the total; one per key
};

/// The forces of all tracks at the keys and at the regular times n · interval between the first key and the
/// last, sorted by time, then vertex. Forces on the same vertex at the same time are added; zero forces are
/// left out.
Result<std::vector<Pull>> sample_pulls(const std::vector<PullTrack>& tracks, double interval,
                                       Index vertex_count);

/// All pulls of one time.
struct PullLoad {
  double time = 0.0;
  std::vector<Pull> pulls;
};

/// Pulls of equal times as one load each, sorted by time.
[[nodiscard]] std::vector<PullLoad> group_by_time(std::vector<Pull> pulls);

/// Indices of the loads to keep, see above. `separation` in [0, 1). Fails if the body is not held, if none of
/// the loads moves it, or when cancelled.
Result<std::vector<Index>> thin_loads(const RestSystem& system, const std::vector<PullLoad>& loads,
                                      double separation, Progress& progress);

/// Indices of the columns to keep, see above.
[[nodiscard]] std::vector<Index> thin_shapes(const ElasticBody& body, ConstMatrixRef shapes,
                                             double separation);

/// Static shapes of loads: those that were found, and a note on each of the others.
struct StaticShapes {
  MatrixX shapes;            // 3n × found
  std::vector<Index> found;  // indices of their loads, ascending
  Diagnostics notes;         // one per load without a shape
};
using StaticSolver = std::function<Result<StaticShapes>(const std::vector<PullLoad>&, Progress&)>;

struct SketchSettings {
  double load_separation = 0.05;
  double shape_separation = 0.05;
  BasisSettings basis;  // only `modes` and `energy` are used
};

struct SketchedBasis {
  Basis basis;
  Index loads = 0;            // number of recorded times
  Index solved = 0;           // number of loads that were left after thinning and solved
  std::vector<double> times;  // of the shapes from which the basis is computed
  Diagnostics notes;          // loads that have no static shape
};

/// All steps from pulls to a basis.
Result<SketchedBasis> sketch_basis(const ElasticBody& body, const std::vector<char>& free,
                                   std::span<const Pull> pulls, const SketchSettings& settings,
                                   const StaticSolver& solver, Progress& progress);

}  // namespace pliant
