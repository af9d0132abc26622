#include "pliant/model/tree/tree_sweeps.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/tree/strips.hpp"
#include "pliant/model/tree/tree_loops.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace pliant {
namespace {

constexpr Index kBatch = 64;  // copies of a class that are evaluated together

}  // namespace

TreeSweeps::TreeSweeps(std::shared_ptr<const TreeBody> body, TreeInertia inertia,
                       const std::vector<Load>& loads)
    : body_(std::move(body)), inertia_(inertia), layout_(make_layout(*body_, loads)) {
  const auto n = to_size(node_count());
  free_.assign(n, 0);
  failed_.assign(n, 0);
  composites_.resize(n);
  subtree_mass_.assign(n, 0.0);
  still_.setZero(size());
  moments_.setZero((node_count() - 1) * FrameInertia::moment_count(0) + FrameInertia::moment_count(size()));
  shape_.setZero(size());
  elastic_.setZero(size());
  stiffness_.setZero(layout_.stiffness_size);
  strain_.setZero(node_count());
  for (const TreeNode& node : layout_.nodes) largest_ = std::max(largest_, node.r);
  for (const DomainClass& kind : body_->classes) {
    const Index r = kind.reduced->size();
    classes_.push_back({kind.reduced, InertiaIntegrals::zero(r), MatrixX::Zero(r, r)});
    forces_.emplace_back();
    if (kind.reduced->forms)
      forces_.back().batch.emplace(r);
    else
      forces_.back().exact = kind.loops->forces(kind.reduced);
    set_class_materials(std::ssize(classes_) - 1, kind.rest->materials().materials);
  }
  make_scratch();
  for (const TreeNode& node : layout_.nodes)
    if (node.loads && node.loads->follow()) follow_ = true;
  find_roots();
  weigh();
}

/// Several threads evaluate the blocks of a run: each block needs its own scratch.
void TreeSweeps::make_scratch() {
  for (const NodeRun& run : layout_.runs) {
    const std::optional<QuarticBatch>& batch = forces_[to_size(run.class_index)].batch;
    if (!batch) continue;
    for (Index block = 0; block < block_count(run.end - run.begin, kBatch); ++block)
      scratch_.push_back(batch->make_scratch());
  }
}

void TreeSweeps::set_materials(const std::vector<Material>& materials) {
  known_ = false;
  for (std::size_t c = 0; c < classes_.size(); ++c) set_class_materials(static_cast<Index>(c), materials);
  weigh();
}

void TreeSweeps::set_class_materials(Index class_index, const std::vector<Material>& materials) {
  ClassData& data = classes_[to_size(class_index)];
  ClassForces& forces = forces_[to_size(class_index)];
  const Index r = data.reduced->size();
  data.inertia = InertiaIntegrals::zero(r);
  for (std::size_t g = 0; g < materials.size(); ++g)
    data.inertia.add(materials[g].density, data.reduced->inertia[g]);
  QuarticBatch::Scratch scratch;
  if (const std::optional<StvkForms>& forms = data.reduced->forms; forms && forces.batch) {
    QuarticForm form = QuarticForm::zero(r);
    forms->combine(materials, form);
    forces.batch->assign(form);
    scratch = forces.batch->make_scratch();
  } else {
    forces.exact->set_materials(materials);
  }
  const VectorX zero = VectorX::Zero(r);
  VectorX f(r);
  double energy = 0.0;
  evaluate_class(class_index, zero.data(), 1, &energy, f.data(), data.rest_stiffness.data(), &scratch);
}

void TreeSweeps::evaluate_class(Index class_index, const double* q, Index n, double* strain, double* f,
                                double* K, QuarticBatch::Scratch* scratch, bool forces_only) {
  ClassForces& forces = forces_[to_size(class_index)];
  const Index r = classes_[to_size(class_index)].reduced->size();
  if (r == 0) return;
  if (forces.batch) return forces.batch->evaluate(q, n, strain, f, K, *scratch);
  for (Index i = 0; i < n; ++i) {
    const Eigen::Map<const VectorX> own(q + i * r, r);
    Eigen::Map<VectorX> force(f + i * r, r);
    if (!forces_only)
      strain[i] = forces.exact->evaluate(own, force, Eigen::Map<MatrixX>(K + i * r * r, r, r));
    else if (!forces.exact->force(own, force))
      force.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

void TreeSweeps::find_roots() {
  roots_.clear();
  for (Index n = 0; n < node_count(); ++n)
    if (node(n).parent < 0) roots_.push_back(n);
}

/// Masses of the subtrees, each in the units of its node's class.
void TreeSweeps::weigh() {
  for (Index n = node_count() - 1; n >= 0; --n) {
    const TreeNode& here = node(n);
    double mass = classes_[to_size(here.class_index)].inertia.mass;
    for (const Index k : here.children) {  // the mass in the world is s³ times that of the class
      const double ratio = node(k).scale / here.scale;
      mass += ratio * ratio * ratio * subtree_mass_[to_size(k)];
    }
    subtree_mass_[to_size(n)] = mass;
  }
}

void TreeSweeps::detach(Index n) {
  TreeNode& here = node(n);
  if (here.parent >= 0) std::erase(node(here.parent).children, n);
  here.parent = -1;
  set_free(n, true);
  find_roots();
  weigh();
}

void TreeSweeps::place(const VectorX& q, const VectorX& qd) {
  shape_ = q;
  for (Index level = 0; level < layout_.level_count(); ++level)
    for_eights(
        layout_.levels[to_size(level)], layout_.levels[to_size(level) + 1], [&](Index first, Index last) {
          bend_nodes(first, last, q, qd);
          for (Index n = first; n < last; ++n) {
            carry_node(node(n), qd);
            node(n).inertia.evaluate(classes_[to_size(node(n).class_index)].inertia, segment_of(q, node(n)),
                                     segment_of(qd, node(n)), node(n).frame.twist.tail<3>());
          }
        });
}

void TreeSweeps::bend(const VectorX& q, const VectorX& qd) {
  shape_ = q;
  for_eights(0, node_count(), [&](Index first, Index last) { bend_nodes(first, last, q, qd); });
}

void TreeSweeps::carry(const VectorX& qd) {
  for (Index level = 1; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& node) { carry_node(node, qd); });
}

/// Eq. T7 and T8: position, rotation, twist and bias c of a frame from those of its parent.
void TreeSweeps::carry_node(TreeNode& here, const VectorX& qd) {
  if (here.parent < 0) return;
  const TreeNode& parent = node(here.parent);
  const JointMotion& m = here.motion;
  const Matrix3 to_own = here.transfer.bottomRightCorner<3, 3>();
  here.frame.rotation.noalias() = parent.frame.rotation * to_own.transpose();
  here.frame.position = parent.frame.position + parent.scale * (parent.frame.rotation * m.place);
  here.frame.twist = carried(here, parent.frame.twist, qd);
  const Vector3 w = parent.frame.twist.tail<3>();
  here.bias.head<3>() =
      here.length_ratio * (to_own * (w.cross(w.cross(m.place)) + 2.0 * w.cross(m.velocity)));
  here.bias.tail<3>() = to_own * (m.spin_bias + w.cross(m.spin));
}

/// X V + J q̇: what a node takes over from its parent's V and q̇.
Vector6 TreeSweeps::carried(const TreeNode& here, const Vector6& above, const VectorX& rates) const {
  const TreeNode& parent = node(here.parent);
  const auto relative = dots<6, 1>(here.jacobian, {rates.data() + parent.offset}, parent.r);
  Vector6 own = Eigen::Map<const Vector6>(relative.data());
  own.noalias() += here.transfer.lazyProduct(above);
  return own;
}

void TreeSweeps::evaluate_inertia(const VectorX& q, const VectorX& qd) {
  for_all([&](TreeNode& node) {
    node.inertia.evaluate_shape(classes_[to_size(node.class_index)].inertia, segment_of(q, node),
                                segment_of(qd, node), moments_of(node));
  });
}

void TreeSweeps::evaluate_biases() {
  for_all([&](TreeNode& node) { node.inertia.evaluate_bias(moments_of(node), node.frame.twist.tail<3>()); });
}

double* TreeSweeps::moments_of(const TreeNode& node) {
  const Index before = &node - layout_.nodes.data();  // nodes before this one, with node.offset coordinates
  return moments_.data() + (before - 1) * FrameInertia::moment_count(0) +
         FrameInertia::moment_count(node.offset);
}

bool TreeSweeps::evaluate_forces(const VectorX& q) {
  if (known_ && evaluated_ == q) return true;
  evaluate_all(q, false);
  evaluated_ = q;
  known_ = strain_.allFinite();
  return known_;
}

bool TreeSweeps::evaluate_forces_only(const VectorX& q) {
  if (known_ && evaluated_ == q) return true;
  evaluate_all(q, true);
  known_ = false;
  return elastic_.allFinite();
}

void TreeSweeps::evaluate_all(const VectorX& q, bool forces_only) {
  std::size_t first = 0;
  for (const NodeRun& run : layout_.runs) {
    const TreeNode& node = layout_.nodes[to_size(run.begin)];
    const Index n = run.end - run.begin, r = node.r;
    const bool batch = forces_[to_size(run.class_index)].batch.has_value();
    const auto evaluate = [&](Index block, Index begin, Index end) {
      evaluate_class(run.class_index, q.data() + node.offset + begin * r, end - begin,
                     strain_.data() + run.begin + begin, elastic_.data() + node.offset + begin * r,
                     stiffness_.data() + node.stiffness_offset + begin * r * r,
                     batch ? &scratch_[first + to_size(block)] : nullptr, forces_only);
    };
    if (batch)
      parallel_blocks(n, kBatch, std::cref(evaluate));
    else
      evaluate(0, 0, n);  // element loops run in parallel themselves; two threads must not share them
    if (batch) first += to_size(block_count(n, kBatch));
  }
}

void TreeSweeps::load(const Pull& pull, const VectorX& q, const VectorX& qd) {
  for_all([&](TreeNode& node) { load_node(pull, node, q, qd); });
}

/// Loads act in the world. The rotation is scaled by s and the twist is in class lengths, so positions and
/// velocities in the world are right, and so are the forces conjugate to class coordinates. The equations of
/// a node are divided by s⁵ ("Scale" in docs/theory/tree.md).
void TreeSweeps::load_node(const Pull& pull, TreeNode& node, const VectorX& q, const VectorX& qd) {
  const InertiaIntegrals& integrals = classes_[to_size(node.class_index)].inertia;
  const Vector3 gravity = node.frame.rotation.transpose() * pull.gravity / node.scale;
  node.external.setZero();
  node.wrench.setZero();
  if (node.loads || node.points) {
    const RigidFrame scaled = scaled_frame(node);
    if (node.loads)
      node.loads->add_forces(pull.time, pull.clock, scaled, segment_of(q, node), segment_of(qd, node),
                             node.external, node.wrench);
    if (node.points)
      node.points->rows.add_forces(scaled, segment_of(q, node), node.points->pulls, node.external,
                                   node.wrench);
    node.external /= node.inertia_factor;
    node.wrench /= node.inertia_factor;
  }
  node.external.noalias() += integrals.shape_first.transpose() * gravity;
  node.wrench.head<3>() += integrals.mass * gravity;
  node.wrench.tail<3>() += node.inertia.first.cross(gravity);
  if (node.mass_damping == 0.0) return;
  const double alpha = node.mass_damping;
  const auto rates = segment_of(qd, node);
  node.external.noalias() -= alpha * (integrals.shape_mass * rates);
  node.external.noalias() -= alpha * (node.inertia.rq.transpose() * node.frame.twist);
  node.wrench.noalias() -= alpha * (node.inertia.rr * node.frame.twist);
  node.wrench.noalias() -= alpha * (node.inertia.rq * rates);
}

void TreeSweeps::gather_wrenches() {
  for (Index level = layout_.level_count() - 1; level >= 0; --level)
    for_level(level, [&](TreeNode& here) {
      here.subtree_wrench = here.wrench;
      for (const Index k : here.children)
        here.subtree_wrench.noalias() +=
            node(k).inertia_ratio * (node(k).transfer.transpose() * node(k).subtree_wrench);
    });
}

void TreeSweeps::carry_rates(const VectorX& A) {
  for (Index level = 1; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& here) { carry_rate(here, A); });
}

/// Eq. T7: V̇_k = X V̇ + J q̈ + c.
void TreeSweeps::carry_rate(TreeNode& here, const VectorX& A) {
  if (here.parent < 0) return;
  here.frame.rate = here.bias + carried(here, node(here.parent).frame.rate, A);
}

void TreeSweeps::unbalance(const Factors& factors, const VectorX& A, const VectorX& qd) {
  for (Index level = 0; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& here) {
      carry_rate(here, A);
      unbalance_node(factors, here, A, qd);
    });
}

void TreeSweeps::add_rates() {
  for (Index level = 0; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& here) {
      if (here.parent >= 0) here.change.noalias() = here.transfer * node(here.parent).change;
      here.frame.rate += here.change;
      here.force_rigid.noalias() += here.inertia.rr * here.change;
      here.force.noalias() += here.inertia.rq.transpose().lazyProduct(here.change);
    });
}

void TreeSweeps::load_and_unbalance(const Pull& pull, const Factors& factors, const VectorX& q,
                                    const VectorX& qd, const VectorX& A) {
  for (Index level = 0; level < layout_.level_count(); ++level)
    for_level(level, [&](TreeNode& here) {
      load_node(pull, here, q, qd);
      carry_rate(here, A);
      unbalance_node(factors, here, A, qd);
    });
}

/// Eq. T9: r_q = M A + I_qr V̇ + b_q + f + D q̇ − f_ext, r_r = I_rq A + I_rr V̇ + b_r − w_ext.
void TreeSweeps::unbalance_node(const Factors& factors, TreeNode& here, const VectorX& A, const VectorX& qd) {
  const ClassData& data = classes_[to_size(here.class_index)];
  const double kappa = here.stiffness_factor;
  const double beta = kappa * here.stiffness_damping;
  const auto own = segment_of(A, here);
  const Vector6& rate = here.frame.rate;
  here.force_rigid = here.inertia.bias_r - here.wrench;
  here.force_rigid.noalias() += here.inertia.rr * rate;
  if (here.r == 0) return;
  here.force_rigid.noalias() += here.inertia.rq.lazyProduct(own);
  here.force = here.inertia.bias_q - here.external + kappa * elastic(here);
  here.force.noalias() += data.inertia.shape_mass.lazyProduct(own);
  here.force.noalias() += here.inertia.rq.transpose().lazyProduct(rate);
  const bool shifted = factors.shift != nullptr;
  if (shifted) here.force.noalias() -= kappa * stiffness(here).lazyProduct(segment_of(*factors.shift, here));
  if (beta != 0.0) {
    const auto add_damping = [&](const auto& K) {
      here.force.noalias() += beta * K.lazyProduct(segment_of(qd, here));
      if (shifted) here.force.noalias() -= beta * K.lazyProduct(segment_of(*factors.rate_shift, here));
    };
    if (factors.rest_damping)
      add_damping(data.rest_stiffness);
    else
      add_damping(stiffness(here));
  }
  if (shifted && here.mass_damping != 0.0)
    here.force.noalias() -=
        here.mass_damping * data.inertia.shape_mass.lazyProduct(segment_of(*factors.rate_shift, here));
}

/// Recursive Newton–Euler: r_q += Σ Jᵀt, t += Σ Xᵀt over the children. With L1 and L2 the lumped inertia of a
/// subtree replaces its t.
void TreeSweeps::gather(VectorX& residual) {
  const bool lumped = inertia_ != TreeInertia::kL3;
  if (inertia_ == TreeInertia::kL2) gather_composites(still_);  // the centres of mass of the subtrees
  for (Index level = layout_.level_count() - 1; level >= 0; --level)
    for_level(level, [&](TreeNode& here) {
      auto own = residual.segment(here.offset, here.r);
      own = here.force;
      here.felt = here.force_rigid;
      for (const Index k : here.children) {
        const TreeNode& child = node(k);
        const Vector6 pull = child.inertia_ratio * child.felt;
        here.felt.noalias() += child.transfer.transpose().lazyProduct(pull);
        add_product<6>(child.jacobian, pull.data(), here.r, own.data());
      }
      own *= here.inertia_factor;
      if (lumped && here.parent >= 0) {
        lump(here);
        here.felt = here.articulated * here.frame.rate + here.articulated_force;
      }
    });
}

void TreeSweeps::gather_composites(const VectorX& qd) {
  for (Index level = layout_.level_count() - 1; level >= 0; --level)
    for_level(level, [&](TreeNode& here) {
      Composite& own = composites_[to_size(&here - layout_.nodes.data())];
      const auto rates = segment_of(qd, here);
      own.inertia = here.inertia.rr;
      own.momentum.noalias() = here.inertia.rq * rates;
      for (const Index k : here.children) {
        const TreeNode& child = node(k);
        const Composite& below = composites_[to_size(k)];
        const Vector6 carried = jacobian_of(child).transpose() * rates;
        own.inertia.noalias() +=
            child.inertia_ratio * (child.transfer.transpose() * (below.inertia * child.transfer));
        own.momentum.noalias() +=
            child.inertia_ratio * (child.transfer.transpose() * (below.momentum + below.inertia * carried));
      }
    });
}

void TreeSweeps::apply_mass(const VectorX& a, const VectorX& root_rates, VectorX& out,
                            VectorX& root_wrenches) {
  if (inertia_ == TreeInertia::kL2) gather_composites(still_);
  for (std::size_t i = 0; i < roots_.size(); ++i)
    node(roots_[i]).frame.rate = root_rates.segment<6>(6 * static_cast<Index>(i));
  for (TreeNode& here : layout_.nodes) {
    if (here.parent < 0) continue;
    const TreeNode& parent = node(here.parent);
    here.frame.rate =
        here.transfer * parent.frame.rate + jacobian_of(here).transpose() * segment_of(a, parent);
  }
  for (Index n = node_count() - 1; n >= 0; --n) {
    TreeNode& here = node(n);
    const InertiaIntegrals& integrals = classes_[to_size(here.class_index)].inertia;
    here.force_rigid = here.inertia.rr * here.frame.rate + here.inertia.rq * segment_of(a, here);
    out.segment(here.offset, here.r) =
        integrals.shape_mass * segment_of(a, here) + here.inertia.rq.transpose() * here.frame.rate;
    for (const Index k : here.children) {
      const TreeNode& child = node(k);
      Vector6 felt = child.force_rigid;
      if (inertia_ != TreeInertia::kL3) felt = child.articulated * child.frame.rate;
      out.segment(here.offset, here.r) += child.inertia_ratio * (jacobian_of(child) * felt);
      here.force_rigid += child.inertia_ratio * (child.transfer.transpose() * felt);
    }
    if (inertia_ != TreeInertia::kL3 && here.parent >= 0) lump(here);
    // Forces conjugate to class coordinates become those in world units.
    out.segment(here.offset, here.r) *= here.inertia_factor;
  }
  for (std::size_t i = 0; i < roots_.size(); ++i)
    root_wrenches.segment<6>(6 * static_cast<Index>(i)) =
        node(roots_[i]).inertia_factor * node(roots_[i]).force_rigid;
}

}  // namespace pliant
