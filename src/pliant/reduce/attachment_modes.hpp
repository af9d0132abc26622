// reduce/attachment_modes.hpp — shapes that a body takes when something pulls and turns a patch of it.
//
// Natural modes converge slowly where forces come in through a small patch: a neighbour in a tree of domains,
// a handle, a bearing. The static responses to a unit force and a unit moment along each axis on the patch
// are six shapes that mend it. Together with the modes they are brought into the form of modes by
// Rayleigh–Ritz, so that derivatives can be taken of all of them alike.
#pragma once

#include "pliant/mesh/embedding.hpp"
#include "pliant/reduce/rest_system.hpp"

#include <string>
#include <vector>

namespace pliant {

/// Vertices, or points between them, through which forces come in.
struct Patch {
  std::string name;  // for messages
  std::vector<VertexId> vertices;
  std::vector<double> weights = {};  // how a force is shared, one per vertex or point; empty: equally
  WeightRows points = {};            // instead of vertices: rows of their interpolation from the vertices

  // What to expect of the patch; only strongest_responses() asks.
  double force = 1.0;  // against that of the other patches
  double lever = 0.0;  // m, how far from the patch the force acts; 0: the patch's radius
};

/// Loads of a patch, 3n × 6: unit forces along x, y, z, shared by the weights w (Σw = 1), and moments
/// w_i e × Y_i about the weighted centre, Y_i measured from it and divided by the patch's radius √Σw|Y|².
/// They are per radius, not of unit size: only the span matters. A patch without extent has moments of zero.
/// Forces on points go to the vertices by the transpose of the interpolation.
Result<MatrixX> patch_loads(const ElasticBody& body, const Patch& patch);

/// Static responses to the loads of all patches, 3n × 6 per patch; columns of moments that do nothing (a
/// single vertex, a line) are zero. Unheld bodies by inertia relief.
Result<MatrixX> attachment_modes(const RestSystem& system, const std::vector<Patch>& patches,
                                 Progress& progress);

/// The `count` combinations of all responses that add most to what `modes` (eigenmodes of the system with the
/// eigenvalues `squared`) tell already; all of the responses when they are no more than that.
///
/// Loads that are likely as large as `force` and `force` × `lever` say, F, leave the compliance
/// C = FᵀK⁻¹F − (FᵀΨ)Λ⁻¹(ΨᵀF) out of the modes Ψ: its trace is the energy that a reduced body fails to take
/// up under all of them. Taking K⁻¹F v for the eigenvectors v of the largest eigenvalues of C takes most of
/// it away. This depends neither on units nor on the directions of the axes, and two patches that do the same
/// thing count as one.
Result<MatrixX> strongest_responses(const RestSystem& system, const std::vector<Patch>& patches,
                                    ConstMatrixRef modes, ConstVectorRef squared, Index count,
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
