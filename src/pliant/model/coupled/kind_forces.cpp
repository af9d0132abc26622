#include "pliant/model/coupled/kind_forces.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/rotation.hpp"

#include <algorithm>

namespace pliant {

KindForces::KindForces(const CoupledBody& body, const CoupledLayout& layout) : layout_(&layout) {
  std::size_t next = 0;
  for (std::size_t e = 0; e < body.coupling_elements.size(); ++e) {
    const std::span<const VertexId> vertices = body.rest->mesh().element_vertices(body.coupling_elements[e]);
    std::vector<Index> domains;
    domains.reserve(vertices.size());
    for (const VertexId v : vertices) domains.push_back(body.domain_of[to_size(v)]);
    std::sort(domains.begin(), domains.end());
    domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
    const KindWeights& kinds = body.coupling_kinds[e];
    for (const VertexId v : vertices) {
      PLIANT_ASSERT(body.coupling_vertices[next] == v);
      ++next;
      const Index d = body.domain_of[to_size(v)];
      const auto place = std::lower_bound(domains.begin(), domains.end(), d) - domains.begin();
      sites_.push_back(
          {d,
           body.domains[to_size(d)].reduced->basis.shapes.middleRows<3>(3 * Index{body.row_of[to_size(v)]}),
           kinds.force, kinds.torque, kinds.coordinates[to_size(place)]});
      const Index size = layout.frame_size[to_size(d)] + layout.size(to_size(d));
      rows_.push_back(MatrixX::Zero(3, size));
      weighted_.push_back(MatrixX::Zero(size, 3));
    }
  }
}

void KindForces::collect(ConstVectorRef x, ConstVectorRef f, std::span<const Vector3> centers,
                         std::span<const Matrix3> turns, SiteForces& sum) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    const auto d = to_size(site.domain);
    const Vector3 force = f.segment<3>(3 * static_cast<Index>(i));
    const Vector3 arm = x.segment<3>(3 * static_cast<Index>(i)) - centers[d];
    sum.wrench.col(site.domain).head<3>() += site.force * force;
    sum.wrench.col(site.domain).tail<3>() += site.torque * arm.cross(force);
    const Vector3 own = site.coordinates * (turns[d].transpose() * force);
    sum.q.segment(layout_->q_starts[d], site.shapes.cols()).noalias() +=
        site.shapes.transpose().lazyProduct(own);
  }
}

void KindForces::turn_rows(const CoupledShape& shape, ConstVectorRef x) {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const Site& site = sites_[i];
    const auto d = to_size(site.domain);
    const RigidFrame& frame = shape.frames[d];
    const Index first = layout_->frame_size[d], r = site.shapes.cols();
    MatrixX& rows = rows_[i];
    rows.rightCols(r).noalias() = frame.rotation.lazyProduct(site.shapes);
    if (first > 0) {
      const Vector3 y =
          frame.rotation.transpose() * (x.segment<3>(3 * static_cast<Index>(i)) - frame.position);
      rows.leftCols<3>() = frame.rotation;
      rows.middleCols<3>(3) = -frame.rotation * cross_matrix(y);
    }
    MatrixX& weighted = weighted_[i];
    weighted = rows.transpose();
    weighted.bottomRows(r) *= site.coordinates - 1.0;
    if (first == 0) continue;
    weighted.topRows<3>() *= site.force - 1.0;
    weighted.middleRows<3>(3) *= site.torque - 1.0;
  }
}

void KindForces::add_block(const Site& to, const MatrixX& left, const Matrix3& K, std::size_t from,
                           MatrixX& A) const {
  const MatrixX& right = rows_[from];
  A.block(layout_->starts[to_size(to.domain)], layout_->starts[to_size(sites_[from].domain)], left.rows(),
          right.cols()) += (left * K) * right;
}

void KindForces::add_difference(const CoupledShape& shape, ConstVectorRef x, const SparseMatrix& K,
                                MatrixX& A) {
  turn_rows(shape, x);
  const int* outer = K.outerIndexPtr();
  const int* inner = K.innerIndexPtr();
  const double* values = K.valuePtr();
  for (std::size_t b = 0; b < sites_.size(); ++b) {
    const auto column = 3 * static_cast<Index>(b);
    const Index begin = outer[column], end = outer[column + 1];
    for (Index at = begin; at < end; at += 3) {
      const auto a = static_cast<std::size_t>(inner[at] / 3);
      Matrix3 block;
      for (Index c = 0; c < 3; ++c)  // later columns begin one and two rows lower
        for (Index r = a == b ? c : 0; r < 3; ++r)
          block(r, c) = values[outer[column + c] + (at - begin) + r - c];
      if (a == b) block = block.selfadjointView<Eigen::Lower>().toDenseMatrix();
      add_block(sites_[a], weighted_[a], block, b, A);
      if (a != b) add_block(sites_[b], weighted_[b], block.transpose(), a, A);
    }
  }
}

}  // namespace pliant
