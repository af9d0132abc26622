#include "pliant/reduce/make_inertia.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>

namespace pliant {
namespace {

// Sums run in block order, so the bounds of the blocks affect the result's bits and must be constants.
constexpr Index kBlock = 2048;  // vertices per partial Gram matrix
constexpr Index kChunk = 128;   // vertices per matrix product: two panels of 3r + 4 rows stay in the L2 cache

/// All integrals of Eq. R4 are products of these scalar fields, one column per vertex: the x components of
/// the r shapes, their y and z components, then X (3 rows) and the constant 1.
MatrixX make_fields(ConstVectorRef rest, ConstMatrixRef U, const Vector3& origin) {
  const Index r = U.cols();
  MatrixX fields(3 * r + 4, rest.size() / 3);
  parallel_blocks(fields.cols(), kBlock, [&](Index, Index begin, Index end) {
    for (Index v = begin; v < end; ++v) {
      for (Index k = 0; k < 3; ++k) fields.block(k * r, v, r, 1) = U.row(3 * v + k).transpose();
      fields.block<3, 1>(3 * r, v) = rest.segment<3>(3 * v) - origin;
      fields(3 * r + 3, v) = 1.0;
    }
  });
  return fields;
}

/// The mass matrix of the elements of one material group, at unit density.
SparseMatrix group_mass(const ElasticBody& body, Index group) {
  const VolumeMesh& mesh = body.mesh();
  const std::vector<Index>& of_element = body.materials().of_element;
  const auto belongs = [&](std::size_t element) {
    return of_element.empty() ? group == 0 : of_element[element] == group;
  };
  VolumeMesh part;
  part.vertices = mesh.vertices;
  std::size_t element = 0;
  const auto take = [&](const auto& all, auto& taken) {
    for (const auto& vertices : all)
      if (belongs(element++)) taken.push_back(vertices);
  };
  take(mesh.tets, part.tets);
  take(mesh.hexes, part.hexes);
  take(mesh.tet10s, part.tet10s);
  return consistent_mass(part, std::vector<double>(to_size(part.element_count()), 1.0));
}

/// Lower triangle of F_B (F M)_Bᵀ over the vertices B = vertices[begin, end).
MatrixX partial_gram(const MatrixX& fields, const SparseMatrix& mass, const std::vector<Index>& vertices,
                     Index begin, Index end) {
  MatrixX gram = MatrixX::Zero(fields.rows(), fields.rows());
  MatrixX left(fields.rows(), kChunk), right(fields.rows(), kChunk);
  for (Index chunk = begin; chunk < end; chunk += kChunk) {
    const Index count = std::min(kChunk, end - chunk);
    for (Index i = 0; i < count; ++i) {
      const Index v = vertices[to_size(chunk + i)];
      left.col(i) = fields.col(v);
      right.col(i).setZero();
      for (SparseMatrix::InnerIterator entry(mass, v); entry; ++entry)
        right.col(i) += entry.value() * fields.col(entry.row());
    }
    gram.triangularView<Eigen::Lower>() += left.leftCols(count) * right.leftCols(count).transpose();
  }
  return gram;
}

/// F M Fᵀ: the integral of the product of any two fields.
MatrixX gram_matrix(const MatrixX& fields, const SparseMatrix& mass) {
  std::vector<Index> vertices;  // those that the group's elements use
  vertices.reserve(to_size(mass.cols()));
  for (Index v = 0; v < mass.cols(); ++v)
    if (mass.outerIndexPtr()[v + 1] > mass.outerIndexPtr()[v]) vertices.push_back(v);
  const auto size = std::ssize(vertices);

  std::vector<MatrixX> partial(to_size(block_count(size, kBlock)));
  parallel_blocks(size, kBlock, [&](Index block, Index begin, Index end) {
    partial[to_size(block)] = partial_gram(fields, mass, vertices, begin, end);
  });
  MatrixX gram = MatrixX::Zero(fields.rows(), fields.rows());
  for (const MatrixX& part : partial) gram += part;
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

/// Picks the integrals of Eq. R4 from the Gram matrix of the fields.
InertiaIntegrals integrals_of(const MatrixX& gram, Index r) {
  InertiaIntegrals integrals = InertiaIntegrals::zero(r);
  const Index x = 3 * r, one = 3 * r + 3;
  integrals.mass = gram(one, one);
  integrals.first = gram.block<3, 1>(x, one);
  integrals.second = gram.block<3, 3>(x, x);
  for (Index k = 0; k < 3; ++k) {
    integrals.shape_first.row(k) = gram.block(k * r, one, r, 1).transpose();
    for (Index m = 0; m < 3; ++m)
      integrals.shape_position.row(k + 3 * m) = gram.block(k * r, x + m, r, 1).transpose();
    integrals.shape_mass += gram.block(k * r, k * r, r, r);
  }
  for (Index p = 0; p < r; ++p)
    for (Index l = 0; l < r; ++l)
      for (Index m = 0; m < 3; ++m)
        for (Index k = 0; k < 3; ++k)
          integrals.shape_shape(9 * l + k + 3 * m, p) = gram(k * r + l, m * r + p);
  return integrals;
}

}  // namespace

std::vector<InertiaIntegrals> make_inertia(const ElasticBody& body, ConstMatrixRef U, const Vector3& origin) {
  std::vector<SparseMatrix> masses;
  for (Index group = 0; group < std::ssize(body.materials().materials); ++group)
    masses.push_back(group_mass(body, group));
  return make_inertia(body.rest_positions(), U, origin, masses);
}

std::vector<InertiaIntegrals> make_inertia(ConstVectorRef rest, ConstMatrixRef U, const Vector3& origin,
                                           std::span<const SparseMatrix> masses) {
  PLIANT_ASSERT(U.rows() == rest.size());
  const MatrixX fields = make_fields(rest, U, origin);
  std::vector<InertiaIntegrals> integrals;
  integrals.reserve(masses.size());
  for (const SparseMatrix& mass : masses)
    integrals.push_back(integrals_of(gram_matrix(fields, mass), U.cols()));
  return integrals;
}

}  // namespace pliant
