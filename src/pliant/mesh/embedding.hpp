// mesh/embedding.hpp — points carried along by a volume mesh, and forces carried back.
//
// Each point is written as a weighted mean of the vertices of one element: barycentric in a tet, trilinear in
// a hex. Displacements of points are E u, forces on vertices Eᵀ f with the same weights, so the work of both
// is the same. A point outside of the body belongs to the nearest element and is extrapolated from it:
// exactly affine for a tet, to first order at the nearest point for a hex. In every case the weights sum to 1
// and reproduce the point, hence affine motion is exact and spreading keeps resultant and moment.
//
//     vertex values (3n) --interpolate--> point values (3m)
//     vertex forces (3n) <----spread----- point forces (3m)
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/volume_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Sparse rows: entries [starts[i], starts[i+1]) belong to row i.
struct WeightRows {
  std::vector<Index> starts{0};
  std::vector<VertexId> columns;
  std::vector<double> weights;
  [[nodiscard]] Index row_count() const { return std::ssize(starts) - 1; }
};

/// The same entries with rows and columns exchanged; rows of the result are `column_count`, ascending within.
[[nodiscard]] WeightRows transposed(const WeightRows& rows, Index column_count);

struct Embedding {
  std::vector<Index> elements;    // of each point
  std::vector<double> distances;  // of each point to its element, 0 inside                m
  WeightRows points;              // one row per point, columns are vertices: E
  WeightRows vertices;            // one row per vertex, columns are points: Eᵀ

  [[nodiscard]] Index point_count() const { return points.row_count(); }
  [[nodiscard]] Index vertex_count() const { return vertices.row_count(); }
  /// The largest of `distances`; callers may complain when it is large against the body.
  [[nodiscard]] double largest_distance() const;
};

/// Finds element and weights of each point. Errors: a mesh without elements, a point that is not finite
/// (key "vertex i"), cancelled. The same for any number of threads.
Result<Embedding> embed(const VolumeMesh& mesh, std::span<const Vector3> points,
                        Progress& progress = no_progress());

/// point_values (3m) = E vertex_values (3n), x y z of each together.
void interpolate(const Embedding& embedding, ConstVectorRef vertex_values, VectorRef point_values);

/// vertex_forces (3n) = Eᵀ point_forces (3m); overwrites.
void spread(const Embedding& embedding, ConstVectorRef point_forces, VectorRef vertex_forces);

}  // namespace pliant
