// The sweeps against brute force: mass matrix and bias of the whole tree from the positions of its vertices.
#include "model/tree/beside_full.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::kRubber;

/// A small T with instances of different scale and turn: two arms of one class hang on a trunk.
std::shared_ptr<const TreeBody> small_tree(bool free) {
  TreePlan plan = test::cut_beam({6, 2, 2}, {0.6, 0.2, 0.2}, 3, kRubber, 3, 4, !free);
  // the last domain once more as a scaled and turned copy, on the free face beside it
  TreeDomain copy = plan.domains[2];
  copy.name = "copy";
  copy.parent = 1;
  copy.rest.scale = 0.8;
  copy.rest.rotation = rotation_from_vector({0.3, -0.5, 0.9});
  const auto& base = plan.classes[2];
  Vector3 center = Vector3::Zero();
  for (std::size_t i = 0; i < base.held.size(); ++i)
    center += base.weights[i] * base.elastic->mesh().vertices[to_size(base.held[i])];
  copy.rest.translation = center - copy.rest.scale * (copy.rest.rotation * center);
  copy.vertices.clear();
  for (const Vector3& X : base.elastic->mesh().vertices) {
    copy.vertices.push_back(static_cast<VertexId>(plan.mesh.vertices.size()));
    plan.mesh.vertices.push_back(copy.rest.place(X));
  }
  plan.domains.push_back(copy);
  Result<TreeBody> body = reduce_tree(plan, {AttachmentSettings::Kind::kNone}, no_progress());
  EXPECT_TRUE(body.ok());
  return std::make_shared<const TreeBody>(std::move(body).value());
}

/// Root frame by a shift and a turn vector, then the coordinates: all that a tree depends on.
struct Placed {
  TreeSweeps& sweeps;
  RigidFrame root;  // where the derivatives are taken

  /// Positions of every copy of every vertex.
  VectorX positions(const VectorX& z) const {
    const VectorX q = z.tail(sweeps.size());
    RigidFrame frame = root;
    frame.position += Vector3(root.rotation * z.head<3>()) * sweeps.node(0).scale;
    frame.rotation = root.rotation * rotation_from_vector(z.segment<3>(3));
    sweeps.node(sweeps.roots().front()).frame = frame;
    sweeps.place(q, VectorX::Zero(q.size()));
    std::vector<double> out;
    for (const TreeNode& node : sweeps.layout().nodes) {
      const DomainClass& kind = sweeps.body().classes[to_size(node.class_index)];
      const VectorX shape = kind.reduced->basis.shapes * q.segment(node.offset, node.r);
      for (Index v = 0; v < kind.rest->mesh().vertex_count(); ++v) {
        const Vector3 y =
            kind.rest->mesh().vertices[to_size(v)] - kind.reduced->origin + shape.segment<3>(3 * v);
        const Vector3 x = node.frame.position + node.scale * (node.frame.rotation * y);
        out.insert(out.end(), x.data(), x.data() + 3);
      }
    }
    return Eigen::Map<VectorX>(out.data(), std::ssize(out));
  }

  /// M(z) of root twist (class lengths, own axes) and coordinates, by finite differences of the positions.
  MatrixX mass(const VectorX& z) const {
    Placed here = *this;
    here.root.position += Vector3(root.rotation * z.head<3>()) * sweeps.node(0).scale;
    here.root.rotation = root.rotation * rotation_from_vector(z.segment<3>(3));
    VectorX base = z;
    base.head<6>().setZero();
    const MatrixX J = test::jacobian([&](const VectorX& at) { return here.positions(at); }, base, 5e-4);
    MatrixX M = MatrixX::Zero(z.size(), z.size());
    Index row = 0;
    for (const TreeNode& node : sweeps.layout().nodes) {
      const RestBody& rest = *sweeps.body().classes[to_size(node.class_index)].rest;
      const Index n = rest.dof_count();
      MatrixX MJ(n, J.cols());
      for (Index c = 0; c < J.cols(); ++c) rest.apply_mass(J.block(row, c, n, 1), MJ.col(c));
      M += std::pow(node.scale, 3) * J.middleRows(row, n).transpose() * MJ;
      row += n;
    }
    return M;
  }
};

VectorX moderate(const TreeSweeps& sweeps, Rng& rng, double size) {
  VectorX q = test::random_vector(sweeps.size(), rng);
  for (const TreeNode& node : sweeps.layout().nodes)  // shapes are per √kg: bend each by a part of its size
    q.segment(node.offset, node.r) *= size / std::sqrt(static_cast<double>(std::max<Index>(1, node.r)));
  return q;
}

TEST(TreeEquations, MassMatrixIsThatOfTheVertices) {
  const auto body = small_tree(true);
  TreeSweeps sweeps(body, TreeInertia::kL3, {});
  Rng rng(11);
  const VectorX q = moderate(sweeps, rng, 0.15), still = VectorX::Zero(sweeps.size());
  RigidFrame root = sweeps.node(0).frame;
  root.rotation = test::random_rotation(rng);
  VectorX z = VectorX::Zero(6 + sweeps.size());
  z.tail(sweeps.size()) = q;
  const MatrixX truth = Placed{sweeps, root}.mass(z);

  sweeps.node(0).frame = root;
  sweeps.place(q, still);
  MatrixX M(6 + sweeps.size(), 6 + sweeps.size());
  VectorX a(sweeps.size()), out(sweeps.size()), rate(6), wrench(6);
  for (Index i = 0; i < M.cols(); ++i) {
    a.setZero();
    rate.setZero();
    (i < 6 ? rate[i] : a[i - 6]) = 1.0;
    sweeps.apply_mass(a, rate, out, wrench);
    M.col(i) << wrench, out;
  }
  EXPECT_LT(test::relative_error(M, truth), 1e-9);
}

/// M q̈ + h = −∂(strain + potential)/∂q with h from T = ½ żᵀM(z)ż, where the sweeps alone give q̈ and V̇.
TEST(TreeEquations, AccelerationsObeyLagrange) {
  const auto body = small_tree(true);
  TreeSweeps sweeps(body, TreeInertia::kL3, {});
  sweeps.set_free(0, true);
  Rng rng(13);
  const Index n = sweeps.size();
  const VectorX q = moderate(sweeps, rng, 0.1), qd = moderate(sweeps, rng, 2.0);
  const Vector3 gravity(1.0, -2.0, -9.0);
  RigidFrame root = sweeps.node(0).frame;
  root.rotation = test::random_rotation(rng);
  root.twist = test::random_vector(6, rng);
  sweeps.node(0).frame = root;
  sweeps.place(q, qd);
  ASSERT_TRUE(sweeps.evaluate_forces(q));
  sweeps.load({0.0, LoadForces::Clock::kTime, gravity}, q, qd);
  sweeps.gather_wrenches();
  VectorX A = VectorX::Zero(n);
  sweeps.node(0).frame.rate.setZero();
  sweeps.unbalance({}, A, qd);
  ASSERT_TRUE(sweeps.eliminate({}));
  sweeps.accelerate(A);
  Vector6 rate = sweeps.node(0).change;

  // Newton's law for every vertex: J ᵀ(M ẍ − f) = 0, with ẍ along the trajectory by finite differences
  const Placed placed{sweeps, root};
  rate.head<3>() -=
      Vector3(root.twist.tail<3>()).cross(Vector3(root.twist.head<3>()));  // ṙate of v, own axes
  const auto path = [&](double t) {
    // root: twist V(t) = V + t V̇ in own axes, integrated to third order by a fine product of exponentials
    RigidFrame frame = root;
    const int parts = 64;
    for (int i = 0; i < parts; ++i) {
      const double mid = t * (i + 0.5) / parts, h = t / parts;
      const Vector6 twist = root.twist + mid * rate;
      const Matrix3 half = frame.rotation * rotation_from_vector(0.5 * h * twist.tail<3>());
      frame.position += h * sweeps.node(0).scale * (half * twist.head<3>());
      frame.rotation = frame.rotation * rotation_from_vector(h * twist.tail<3>());
    }
    VectorX z = VectorX::Zero(6 + n);
    z.tail(n) = q + t * qd + 0.5 * t * t * A;
    return Placed{sweeps, frame}.positions(z);
  };
  const double h = 2e-5;
  const VectorX x0 = path(0.0);
  const VectorX acceleration =
      (-path(2 * h) + 16.0 * path(h) - 30.0 * x0 + 16.0 * path(-h) - path(-2 * h)) / (12.0 * h * h);
  VectorX z = VectorX::Zero(6 + n);
  z.tail(n) = q;
  const MatrixX J = test::jacobian([&](const VectorX& at) { return placed.positions(at); }, z, 2e-3);
  VectorX residual = VectorX::Zero(6 + n), inertial = residual;
  Index row = 0;
  for (const TreeNode& node : sweeps.layout().nodes) {
    const RestBody& rest = *sweeps.body().classes[to_size(node.class_index)].rest;
    const Index m = rest.dof_count();
    VectorX felt = acceleration.segment(row, m), force(m);
    for (Index i = 0; i < m; i += 3) felt.segment<3>(i) -= gravity;
    rest.apply_mass(felt, force);
    const VectorX part = std::pow(node.scale, 3) * J.middleRows(row, m).transpose() * force;
    inertial += part.cwiseAbs();
    residual += part;
    row += m;
  }
  sweeps.evaluate_forces(q);
  for (const TreeNode& node : sweeps.layout().nodes)
    residual.segment(6 + node.offset, node.r) += std::pow(node.scale, 3) * sweeps.elastic(node);
  EXPECT_LT(residual.norm(), 2e-6 * inertial.norm());
}

/// The factors of one elimination serve for other residuals of the same shape.
TEST(TreeEquations, EliminatesAgainForAnotherResidual) {
  for (const bool free : {true, false}) {
    TreeSweeps sweeps(small_tree(true), TreeInertia::kL3, {});
    sweeps.set_free(0, free);
    Rng rng(17);
    const VectorX q = moderate(sweeps, rng, 0.1), qd = moderate(sweeps, rng, 2.0);
    sweeps.place(q, qd);
    ASSERT_TRUE(sweeps.evaluate_forces(q));
    const TreeSweeps::Factors factors{1e-4, 1e-2};
    const auto unbalance = [&](double gravity) {
      sweeps.node(0).frame.rate.setZero();
      sweeps.node(0).change.setConstant(0.1 * gravity);
      sweeps.load({0.0, LoadForces::Clock::kTime, {1.0, -2.0, gravity}}, q, qd);
      sweeps.unbalance(factors, gravity * q, qd);
    };
    VectorX expected(sweeps.size()), again(sweeps.size());
    unbalance(-9.0);
    ASSERT_TRUE(sweeps.eliminate(factors));
    sweeps.accelerate(expected);
    const Vector6 rate = sweeps.node(0).change;
    unbalance(4.0);
    ASSERT_TRUE(sweeps.eliminate(factors));
    unbalance(-9.0);
    sweeps.eliminate_again();
    sweeps.accelerate(again);
    EXPECT_LT((again - expected).norm(), 1e-12 * expected.norm()) << free;
    EXPECT_LT((sweeps.node(0).change - rate).norm(), 1e-12 * rate.norm()) << free;
  }
}

}  // namespace
}  // namespace pliant
