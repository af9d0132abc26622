// reduce/attachment_modes.hpp — shapes that a body takes when something pulls and turns a patch of it.
//
// Natural modes converge slowly where forces come in through a small patch: a neighbour in a tree of domains,
// a handle, a bearing. The static responses to a unit force and a unit moment along each axis on the patch
// are six shapes that mend it. Together with the modes they are brought into the form of modes by
// Rayleigh–Ritz, so that derivatives can be taken of all of them alike.
#pragma once

#include "pliant/reduce/rest_system.hpp"

#include <string>
#include <vector>

namespace pliant {

/// Vertices through which forces come in.
struct Patch {
  std::string name;  // for messages
  std::vector<VertexId> vertices;
  std::vector<double> weights;  // how a force is shared, one per vertex; empty: equally
};

/// Loads of a patch, 3n × 6: unit forces along x, y, z, shared by the weights w (Σw = 1), and moments
/// w_i e × Y_i about the weighted centre, Y_i measured from it and divided by the patch's radius √Σw|Y|².
/// They are per radius, not of unit size: only the span matters. A patch without extent has moments of zero.
Result<MatrixX> patch_loads(const ElasticBody& body, const Patch& patch);

/// Static responses to the loads of all patches, 3n × 6 per patch; columns of moments that do nothing (a
/// single vertex, a line) are zero. Unheld bodies by inertia relief.
Result<MatrixX> attachment_modes(const RestSystem& system, const std::vector<Patch>& patches,
                                 Progress& progress);

/// Approximate eigenpairs within a span, ascending: VᵀMV = 1, VᵀKV = diag(values).
struct RitzPairs {
  VectorX values;
  MatrixX vectors;
};

/// Of the span of the columns, each of which counts by its direction; those within 1e-7 of the span of
/// others add nothing. The largest entry of each vector is positive.
[[nodiscard]] RitzPairs ritz_pairs(const RestSystem& system, ConstMatrixRef columns);

}  // namespace pliant
