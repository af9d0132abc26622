#include "pliant/model/tree/joint_report.hpp"

#include "pliant/base/parallel.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr Index kBlock = 64;  // domains per task

/// The largest distance between the two copies of a point. `shape`: the parent's copies, in its axes.
double gap_of(const JointPoints& points, const VectorX& shape, const PartPose& parent, const PartPose& own) {
  double gap = 0.0;
  for (Index i = 0; i < shape.size(); i += 3) {
    const Vector3 above = parent.position + parent.turn * shape.segment<3>(i);
    const Vector3 below = own.position + own.turn * points.own_rest.segment<3>(i);
    gap = std::max(gap, (above - below).norm());
  }
  return gap;
}

}  // namespace

JointReport::JointReport(const TreeBody& body) : points_(body.domains.size()), shapes_(body.domains.size()) {
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const TreeDomain& domain = body.domains[d];
    if (domain.parent < 0) continue;
    const DomainClass& above = body.class_of(body.domains[to_size(domain.parent)]);
    points_[d] = make_joint_points(body, static_cast<Index>(d));
    shapes_[d] = make_joint_shape(domain.joint, above.reduced->basis.shapes, above.rest->mesh().vertices,
                                  above.reduced->origin);
  }
}

void JointReport::measure(const TreeBody& body, std::span<const PartPose> poses, ConstVectorRef q,
                          const std::vector<char>& cut, std::vector<JointState>& states) const {
  states.assign(points_.size(), JointState{});
  parallel_blocks(std::ssize(points_), kBlock, [&](Index, Index begin, Index end) {
    VectorX shape;
    for (Index d = begin; d < end; ++d) {
      const Index above = body.domains[to_size(d)].parent;
      if (above < 0 || (!cut.empty() && cut[to_size(d)] != 0)) continue;
      const PartPose& parent = poses[to_size(above)];
      const auto coordinates = q.segment(parent.offset, parent.size);
      shape = points_[to_size(d)].parent_rest;
      shape.noalias() += points_[to_size(d)].parent_shapes * coordinates;
      states[to_size(d)] = {gap_of(points_[to_size(d)], shape, parent, poses[to_size(d)]),
                            points_[to_size(d)].size, joint_deviation(shapes_[to_size(d)], coordinates)};
    }
  });
}

}  // namespace pliant
