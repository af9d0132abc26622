// reduce/rigid_motion.hpp — what of a displacement is mere motion of the whole body.
#pragma once

#include "pliant/fem/elastic_body.hpp"

namespace pliant {

/// Shifts and linearised turns about the centre of mass, orthonormal in the mass product: 3n × 6.
[[nodiscard]] MatrixX rigid_modes(const ElasticBody& body);

/// X −= R RᵀM X.
void remove_rigid_modes(const ElasticBody& body, ConstMatrixRef rigid, MatrixRef X);

/// The same shape u seen from the body: shifted and turned back by the finite motion that brings it nearest
/// to the rest shape in the mass norm. The result is orthogonal to rigid_modes().
[[nodiscard]] VectorX remove_finite_motion(const ElasticBody& body, ConstVectorRef u);

}  // namespace pliant
