// The elimination of a tree's coordinates, leaves to root and back (Eq. T10 to T12).
#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/tree/strips.hpp"
#include "pliant/model/tree/tree_loops.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// The symmetric part of M, which differs from M by rounding only.
Matrix6 symmetric(const Matrix6& M) { return 0.5 * (M + M.transpose()); }

}  // namespace

/// The work space of this thread for nodes of r coordinates.
TreeSweeps::Scratch& TreeSweeps::scratch_of(Index r) const {
  thread_local std::vector<Scratch> all;  // by size: each grows once, then stays
  if (all.size() <= to_size(largest_)) all.resize(to_size(largest_) + 1);
  Scratch& scratch = all[to_size(r)];
  scratch.reserve(r);
  return scratch;
}

template <class Assemble>
bool TreeSweeps::eliminate_all(const Assemble& assemble, bool lumped) {
  for (Index level = layout_.level_count() - 1; level >= 0; --level)
    for_level(level, [&](TreeNode& here) {
      Scratch& scratch = scratch_of(here.r);
      assemble(here, scratch, false);
      bool solved = eliminate_node(here, lumped, scratch);
      if (!solved) {  // K of a compressed shape may be indefinite: take its positive part instead
        assemble(here, scratch, true);
        solved = eliminate_node(here, lumped, scratch);
      }
      failed_[to_size(&here - layout_.nodes.data())] = solved ? 0 : 1;
    });
  return std::none_of(failed_.begin(), failed_.end(), [](char failed) { return failed != 0; });
}

bool TreeSweeps::eliminate(const Factors& factors, bool lumped) {
  return eliminate_all([&](TreeNode& here, Scratch& scratch,
                           bool projected) { assemble_node(factors, here, projected, scratch); },
                       lumped && inertia_ != TreeInertia::kL3);
}

bool TreeSweeps::eliminate_mass() {  // fits in the mass norm use the exact inertia also with L1 and L2
  return eliminate_all(
      [&](TreeNode& here, Scratch& scratch, bool /*projected*/) {
        here.factors.topRows(here.r) = classes_[to_size(here.class_index)].inertia.shape_mass;
        scratch.rights.topRows<6>() = here.inertia.rq;
        scratch.rigid = here.inertia.rr;
      },
      false);
}

/// S = M + a K + b D of a domain, its I_rq and I_rr. A stiffness K on a point adds a JᵀKJ to all three.
void TreeSweeps::assemble_node(const Factors& factors, TreeNode& here, bool projected, Scratch& scratch) {
  const ClassData& data = classes_[to_size(here.class_index)];
  const double kappa = here.stiffness_factor;
  const double beta = kappa * here.stiffness_damping;
  const bool rest = factors.rest_damping && beta != 0.0;
  auto system = here.factors.topRows(here.r);
  const double share = factors.shape * kappa + (rest ? 0.0 : factors.rate * beta);
  if (projected)
    system = share * positive_part(stiffness(here));  // allocates; seldom needed
  else
    system = share * stiffness(here);
  if (rest) system += factors.rate * beta * data.rest_stiffness;
  system += (1.0 + factors.rate * here.mass_damping) * data.inertia.shape_mass;
  scratch.rights.topRows<6>() = here.inertia.rq;
  scratch.rigid = here.inertia.rr;
  if (!here.points) return;
  const RigidFrame frame = scaled_frame(here);
  scratch.frame.setZero();
  here.points->rows.add_stiffness(frame, segment_of(shape_, here), here.points->stiffness,
                                  factors.shape / here.inertia_factor, system, scratch.frame, scratch.rigid);
  if (here.points->shared != nullptr)
    here.points->rows.subtract_shared(frame, segment_of(shape_, here), *here.points->shared,
                                      here.points->numbers, factors.shape / here.inertia_factor, system,
                                      scratch.frame, scratch.rigid);
  scratch.rights.topRows<6>() += scratch.frame;
}

void TreeSweeps::Scratch::reserve(Index size) {
  if (size == r) return;
  r = size;
  product.setZero(padded(r), 6);
  rights.setZero(8, r);
  frame.setZero(6, r);
  work.setZero(r);
}

/// Eq. T10: adds the children to the equations of a node. Eq. T11: eliminates its coordinates, which leaves
/// IA and pA for its parent. The t of T10 has no c here, since the system is one for changes.
bool TreeSweeps::eliminate_node(TreeNode& here, bool lumped, Scratch& scratch) {
  const Index r = here.r, rows = padded(r);
  Vector6 force_rigid = here.force_rigid;
  scratch.rights.row(6) = here.force.transpose();
  for (const Index k : here.children) {
    const TreeNode& child = node(k);
    const Matrix6 IA = child.inertia_ratio * child.articulated;
    const Matrix6 IAX = IA * child.transfer;
    const Vector6 t = child.inertia_ratio * (lumped ? child.felt : child.articulated_force);
    scratch.rigid.noalias() += child.transfer.transpose() * IAX;
    force_rigid.noalias() += child.transfer.transpose() * t;
    if (r == 0) continue;
    Eigen::Matrix<double, 8, 6> felt;  // (IA X)ᵀ and tᵀ
    felt << IAX.transpose(), t.transpose(), Vector6::Zero().transpose();
    multiply<6, 6>(child.jacobian.data(), rows, IA, scratch.product.data());
    add_lower_product(scratch.product.data(), child.jacobian.data(), rows, r, here.factors.data());
    add_rights(felt.data(), child.jacobian.data(), rows, r, scratch.rights.data());
  }
  if (!factorise(here.factors.data(), rows, r, scratch.work.data())) return false;
  solve(here.factors.data(), rows, r, scratch.rights.data(), here.response.data());
  if (lumped && here.parent >= 0) return here.felt.allFinite();  // gather() has set the lumped IA
  const Eigen::Matrix<double, 8, 6> felt = outer_sum(here.response.data(), scratch.rights.data(), r);
  here.articulated = symmetric(scratch.rigid - felt.topRows<6>());
  here.articulated_force = force_rigid - felt.row(6).transpose();
  return here.articulated_force.allFinite();
}

void TreeSweeps::eliminate_again() {
  for (Index level = layout_.level_count() - 1; level >= 0; --level)
    for_level(level, [&](TreeNode& here) {
      const Index r = here.r;
      VectorX& right = scratch_of(r).work;
      here.articulated_force = here.force_rigid;
      right = here.force;
      for (const Index k : here.children) {
        const TreeNode& child = node(k);
        const Vector6 t = child.inertia_ratio * child.articulated_force;
        here.articulated_force.noalias() += child.transfer.transpose().lazyProduct(t);
        add_product<6>(child.jacobian, t.data(), r, right.data());
      }
      // I_rq Y₇ = (S⁻¹ I_qr)ᵀ p_q
      Pack8 felt{};
      for (Index l = 0; l < r; ++l) felt += right[l] * load_pack8(here.response.data() + 8 * l);
      for (Index i = 0; i < 6; ++i) here.articulated_force[i] -= felt[i];
      solve_one(here.factors.data(), padded(r), r, right.data());
      here.response.row(6) = right.transpose();
    });
}

/// Replaces a subtree by a point mass: in the joint (L1, Eq. 16 of [BarbicZhao2011]) or in its centre (L2).
void TreeSweeps::lump(TreeNode& here) {
  const auto n = to_size(&here - layout_.nodes.data());
  const double mass = subtree_mass_[n];
  here.articulated.setZero();
  here.articulated.topLeftCorner<3, 3>() = mass * Matrix3::Identity();
  here.articulated_force = -here.subtree_wrench;
  if (inertia_ == TreeInertia::kL1) {
    here.articulated_force.tail<3>().setZero();
    return;
  }
  // The composite inertia has m c~ in its lower left corner.
  const Matrix3 first = composites_[n].inertia.bottomLeftCorner<3, 3>();
  const Vector3 c = Vector3(first(2, 1), first(0, 2), first(1, 0)) / mass;
  const Vector3 w = here.frame.twist.tail<3>();
  const Matrix3 c_cross = cross_matrix(c);
  here.articulated.bottomLeftCorner<3, 3>() = mass * c_cross;
  here.articulated.topRightCorner<3, 3>() = -mass * c_cross;
  here.articulated.bottomRightCorner<3, 3>() = -mass * c_cross * c_cross;
  const Vector3 centrifugal = mass * w.cross(w.cross(c));
  here.articulated_force.head<3>() += centrifugal;
  here.articulated_force.tail<3>() += c.cross(centrifugal);
}

void TreeSweeps::accelerate(VectorX& change) {
  for (Index level = 0; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& here) {
      if (here.parent >= 0) {
        here.change = carried(here, node(here.parent).change, change);
      } else if (is_free(&here - layout_.nodes.data())) {
        here.change = -RigidFactor(here.articulated).solve(here.articulated_force);
      }
      if (here.r == 0) return;
      // Eq. T12: q̈ = −(Y₇ + Y₁₋₆ V̇).
      Eigen::Matrix<double, 8, 1> cause;
      cause << here.change, 1.0, 0.0;
      change.segment(here.offset, here.r).noalias() = -here.response.transpose().lazyProduct(cause);
    });
}

}  // namespace pliant
