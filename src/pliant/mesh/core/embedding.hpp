// mesh/core/embedding.hpp — points that a volume mesh carries along, and forces on them.
//
// Each point is a weighted mean of the vertices of one element: barycentric in a tet, trilinear in a hex, by
// the quadratic shape functions in a quadratic tet. Displacements of points are E u, and forces on them act
// on vertices as Eᵀ f with the same weights, so both do the same work. A point outside of the body belongs to
// the nearest element and is extrapolated: exactly affinely from a tet, to first order about the nearest
// point from the others. The weights always sum to 1 and reproduce the point. Hence affine motion is exact,
// and spreading preserves resultant and moment.
//
//     vertex values (3n) --interpolate--> point values (3m)
//     vertex forces (3n) <----spread----- point forces (3m)
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

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

/// The transpose: `column_count` rows, entries ascending within each.
[[nodiscard]] WeightRows transposed(const WeightRows& rows, Index column_count);

struct Embedding {
  std::vector<Index> elements;    // element of each point
  std::vector<double> distances;  // of each point to its element, 0 if inside                m
  WeightRows points;              // one row per point, columns are vertices: E
  WeightRows vertices;            // one row per vertex, columns are points: Eᵀ

  [[nodiscard]] Index point_count() const { return points.row_count(); }
  [[nodiscard]] Index vertex_count() const { return vertices.row_count(); }
  /// The largest of `distances`; it tells callers whether a point is far from the body.
  [[nodiscard]] double largest_distance() const;
};

/// Finds the element and the weights of each point. Errors: a mesh without elements, a point that is not
/// finite (key "vertex i"), cancellation. The result is the same for any number of threads.
Result<Embedding> embed(const VolumeMesh& mesh, std::span<const Vector3> points,
                        Progress& progress = no_progress());

/// point_values (3m) = E vertex_values (3n), x y z of each together.
void interpolate(const Embedding& embedding, ConstVectorRef vertex_values, VectorRef point_values);

/// vertex_forces (3n) = Eᵀ point_forces (3m); overwrites.
void spread(const Embedding& embedding, ConstVectorRef point_forces, VectorRef vertex_forces);

}  // namespace pliant
