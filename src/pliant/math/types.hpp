// math/types.hpp — the Eigen types used throughout.
#pragma once

#include "pliant/base/index.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCore>

namespace pliant {

static_assert(sizeof(Index) == sizeof(Eigen::Index));

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Vector9 = Eigen::Matrix<double, 9, 1>;
using VectorX = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using MatrixX = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

using VectorRef = Eigen::Ref<VectorX>;
using ConstVectorRef = Eigen::Ref<const VectorX>;
using MatrixRef = Eigen::Ref<MatrixX>;
using ConstMatrixRef = Eigen::Ref<const MatrixX>;

}  // namespace pliant
