#include "pliant/subspace/reconstruct.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <functional>

namespace pliant {
namespace {

/// Points per panel, such that x, y and z fill 12 registers of 32 bytes.
template <class Scalar>
constexpr Index kPanel = 128 / static_cast<Index>(sizeof(Scalar));

constexpr Index kBlock = 32;  // panels per task

/// x, y and z of the points of one panel.
template <class Scalar>
using PanelArray = Eigen::Array<Scalar, kPanel<Scalar>, 3>;

/// Rest positions from the body's origin, 3 × count.
VectorX from_origin(const Vector3& origin, Index count, const std::function<Vector3(Index)>& place) {
  VectorX rest(3 * count);
  for (Index i = 0; i < count; ++i) rest.segment<3>(3 * i) = place(i) - origin;
  return rest;
}

}  // namespace

template <class Scalar>
Reconstruction<Scalar>::Reconstruction(ConstVectorRef rest, ConstMatrixRef shapes)
    : count_(rest.size() / 3), coordinates_(shapes.cols()) {
  PLIANT_ASSERT(rest.size() == 3 * count_ && shapes.rows() == rest.size());
  constexpr Index kPoints = kPanel<Scalar>;
  const Index columns = shapes.cols() + 1;  // X counts as column 0
  const Index panels = block_count(count_, kPoints);
  panels_.setZero(panels * columns * 3 * kPoints);
  parallel_blocks(panels, kBlock, [&](Index, Index begin, Index end) {
    for (Index panel = begin; panel < end; ++panel)
      for (Index column = 0; column < columns; ++column) {
        Scalar* at = panels_.data() + (panel * columns + column) * 3 * kPoints;
        const Index first = panel * kPoints;
        for (Index i = first; i < std::min(count_, first + kPoints); ++i)
          for (Index k = 0; k < 3; ++k)
            at[k * kPoints + i - first] =
                static_cast<Scalar>(column == 0 ? rest[3 * i + k] : shapes(3 * i + k, column - 1));
      }
  });
}

template <class Scalar>
Index Reconstruction<Scalar>::bytes() const {
  return panels_.size() * static_cast<Index>(sizeof(Scalar));
}

template <class Scalar>
template <class Finish>
void Reconstruction<Scalar>::stream(ConstVectorRef q, bool rest, std::span<Scalar> out,
                                    const Finish& finish) {
  PLIANT_ASSERT(q.size() == size() && std::ssize(out) == 3 * count_);
  constexpr Index kPoints = kPanel<Scalar>;
  using Panel = PanelArray<Scalar>;
  coordinates_ = q.cast<Scalar>();
  const Index r = size();
  const auto task = [&](Index block) {
    const Index end = std::min((block + 1) * kBlock, block_count(count_, kPoints));
    for (Index panel = block * kBlock; panel < end; ++panel) {
      const Scalar* column = panels_.data() + panel * (r + 1) * 3 * kPoints;
      Panel sum = Eigen::Map<const Panel>(column);  // X, or nothing for displacements
      if (!rest) sum.setZero();
      for (Index l = 0; l < r; ++l) {
        column += 3 * kPoints;
        sum += coordinates_[l] * Eigen::Map<const Panel>(column);
      }
      finish(sum);
      const Index count = std::min(kPoints, count_ - panel * kPoints);
      Scalar* x = out.data() + 3 * panel * kPoints;
      for (Index i = 0; i < count; ++i)
        for (Index k = 0; k < 3; ++k) x[3 * i + k] = sum(i, k);
    }
  };
  // By reference: a std::function of the lambda itself would allocate.
  parallel_tasks(block_count(block_count(count_, kPoints), kBlock), std::ref(task));
}

template <class Scalar>
void Reconstruction<Scalar>::displacements(ConstVectorRef q, std::span<Scalar> out) {
  stream(q, false, out, [](PanelArray<Scalar>&) {});
}

template <class Scalar>
void Reconstruction<Scalar>::positions(ConstVectorRef q, const Vector3& p, const Matrix3& Q,
                                       std::span<Scalar> out) {
  Eigen::Matrix<Scalar, 3, 3> turn;
  turn = Q.cast<Scalar>();
  Eigen::Matrix<Scalar, 3, 1> shift;
  shift = p.cast<Scalar>();
  stream(q, true, out, [&](PanelArray<Scalar>& y) {
    const PanelArray<Scalar> at = y;
    for (Index k = 0; k < 3; ++k)
      y.col(k) = shift[k] + turn(k, 0) * at.col(0) + turn(k, 1) * at.col(1) + turn(k, 2) * at.col(2);
  });
}

template class Reconstruction<double>;
template class Reconstruction<float>;

template <class Scalar>
Reconstruction<Scalar> reconstruct_volume(const ReducedBody& body, const VolumeMesh& mesh) {
  return {from_origin(body.origin, mesh.vertex_count(), [&](Index i) { return mesh.vertices[to_size(i)]; }),
          body.basis.shapes};
}

template <class Scalar>
Reconstruction<Scalar> reconstruct_vertices(const ReducedBody& body, const VolumeMesh& mesh,
                                            std::span<const VertexId> vertices) {
  const auto count = std::ssize(vertices);
  const auto vertex = [&](Index i) { return Index{vertices[to_size(i)]}; };
  MatrixX shapes(3 * count, body.size());
  for (Index i = 0; i < count; ++i)
    shapes.middleRows<3>(3 * i) = body.basis.shapes.middleRows<3>(3 * vertex(i));
  return {from_origin(body.origin, count, [&](Index i) { return mesh.vertices[to_size(vertex(i))]; }),
          shapes};
}

template <class Scalar>
Reconstruction<Scalar> reconstruct_embedded(const ReducedBody& body, const Embedding& embedding,
                                            std::span<const Vector3> points) {
  const auto count = std::ssize(points);
  PLIANT_ASSERT(count == embedding.point_count());
  MatrixX shapes(3 * count, body.size());
  for (Index l = 0; l < body.size(); ++l) interpolate(embedding, body.basis.shapes.col(l), shapes.col(l));
  return {from_origin(body.origin, count, [&](Index i) { return points[to_size(i)]; }), shapes};
}

template Reconstruction<double> reconstruct_volume(const ReducedBody&, const VolumeMesh&);
template Reconstruction<float> reconstruct_volume(const ReducedBody&, const VolumeMesh&);
template Reconstruction<double> reconstruct_vertices(const ReducedBody&, const VolumeMesh&,
                                                     std::span<const VertexId>);
template Reconstruction<float> reconstruct_vertices(const ReducedBody&, const VolumeMesh&,
                                                    std::span<const VertexId>);
template Reconstruction<double> reconstruct_embedded(const ReducedBody&, const Embedding&,
                                                     std::span<const Vector3>);
template Reconstruction<float> reconstruct_embedded(const ReducedBody&, const Embedding&,
                                                    std::span<const Vector3>);

}  // namespace pliant
