// reduce/attachment_modes.hpp — shapes that a body takes when a patch of it is pulled and turned.
//
// Natural modes converge slowly where forces enter through a small patch: a neighbour in a tree of domains, a
// handle, a bearing. The static responses to unit forces and moments on the patch, along each axis, are six
// shapes that make up for it. Rayleigh–Ritz combines them with the modes into vectors with the properties of
// modes, of which derivatives can be taken.
#pragma once

#include "pliant/mesh/core/embedding.hpp"
#include "pliant/reduce/rest_system.hpp"

#include <string>
#include <vector>

namespace pliant {

/// Vertices, or points between vertices, through which forces enter.
struct Patch {
  std::string name;  // for messages
  std::vector<VertexId> vertices;
  std::vector<double> weights = {};  // how a force is shared, one per vertex or point; empty: equally
  WeightRows points = {};            // instead of vertices: points, interpolated from vertices

  // What loads to expect; only strongest_responses() uses these.
  double force = 1.0;  // relative to that of the other patches
  double lever = 0.0;  // m, how far from the patch the force acts; 0: the patch's radius
};

/// Loads of a patch, 3n × 6: unit forces along x, y, z, distributed by the weights w (Σw = 1), and moments
/// w_i e × Y_i about the weighted centre, Y_i measured from it and divided by the patch's radius √Σw|Y|². The
/// moments are not of unit size, since only the span matters; those of a patch without extent are zero.
/// Forces on points are distributed to vertices by the transpose of the interpolation.
Result<MatrixX> patch_loads(const ElasticBody& body, const Patch& patch);

/// Static responses to the loads of all patches, 3n × 6 per patch. Columns of moments without effect (a
/// single vertex, a line) are zero. Bodies that nothing holds: by inertia relief.
Result<MatrixX> attachment_modes(const RestSystem& system, const std::vector<Patch>& patches,
                                 Progress& progress);

/// The `count` combinations of all responses that add most to `modes` (eigenmodes of the system with the
/// eigenvalues `squared`); all responses if there are at most `count`.
///
/// F are the loads, scaled to the sizes that `force` and `force` × `lever` let expect. The modes Ψ miss the
/// compliance C = FᵀK⁻¹F − (FᵀΨ)Λ⁻¹(ΨᵀF); its trace is the energy that a body reduced to Ψ fails to take up
/// under all of the loads. The responses K⁻¹F v to the eigenvectors v of the largest eigenvalues of C remove
/// most of it. The choice depends neither on units nor on the axes, and two patches with the same effect
/// count as one.
Result<MatrixX> strongest_responses(const RestSystem& system, const std::vector<Patch>& patches,
                                    ConstMatrixRef modes, ConstVectorRef squared, Index count,
                                    Progress& progress);

/// Approximate eigenpairs within a span, ascending: VᵀMV = 1, VᵀKV = diag(values).
struct RitzPairs {
  VectorX values;
  MatrixX vectors;
};

/// Ritz pairs of the span of the columns, whose lengths do not matter. Columns within 1e-7 of the span of
/// others add nothing. The largest entry of each vector is positive.
[[nodiscard]] RitzPairs ritz_pairs(const RestSystem& system, ConstMatrixRef columns);

}  // namespace pliant
