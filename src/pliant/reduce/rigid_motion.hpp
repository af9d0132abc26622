// reduce/rigid_motion.hpp — the part of a displacement that is rigid motion of the whole body.
#pragma once

#include "pliant/fem/elastic_body.hpp"

namespace pliant {

/// Translations and linearised rotations about the centre of mass, orthonormal in the mass product: 3n × 6.
[[nodiscard]] MatrixX rigid_modes(const ElasticBody& body);

/// Translations and linearised rotations about `center` of points at `rest` (3n × 6).
[[nodiscard]] MatrixX rigid_fields(ConstVectorRef rest, const Vector3& center);

/// X −= R RᵀM X.
void remove_rigid_modes(const ElasticBody& body, ConstMatrixRef rigid, MatrixRef X);

/// The shape u as seen from the body: moved back by the finite rigid motion that brings it nearest to the
/// rest shape in the mass norm. The result is orthogonal to rigid_modes().
[[nodiscard]] VectorX remove_finite_motion(const ElasticBody& body, ConstVectorRef u);
/// The same for points at `rest` with any mass (n × n).
[[nodiscard]] VectorX remove_finite_motion(ConstVectorRef rest, const SparseMatrix& mass, ConstVectorRef u);

}  // namespace pliant
