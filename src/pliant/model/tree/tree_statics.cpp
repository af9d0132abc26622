#include "pliant/math/dense.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kMemory = 30;  // pairs (Δq, Δg) of the quasi-Newton method

}  // namespace

/// Elastic minus external forces on all coordinates, in world units. The wrench on a subtree acts on the
/// parent's coordinates through Jᵀ.
void TreeDynamics::static_gradient(double factor, const VectorX& q, VectorX& gradient) {
  now_.q = q;
  placed_ = false;
  refresh();
  if (!sweeps_.evaluate_forces_only(q)) {
    gradient.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  sweeps_.load({factor, LoadForces::Clock::kLoadFactor, factor * gravity_}, q, now_.qd);
  sweeps_.gather_wrenches();
  for (const TreeNode& node : sweeps_.layout().nodes) {
    auto own = gradient.segment(node.offset, node.r);
    own = node.stiffness_factor * sweeps_.elastic(node) - node.external;
    for (const Index k : node.children) {
      const TreeNode& child = sweeps_.node(k);
      own.noalias() -= child.inertia_ratio * (jacobian_of(child) * child.subtree_wrench);
    }
    own *= node.inertia_factor;
  }
}

/// L-BFGS that starts from the stiffness of each domain. It learns on the way how turning frames change the
/// loads. The line search uses only the slope along the direction, so loads need no potential
/// (docs/decisions/0019).
StepReport TreeDynamics::step_static(double to) {
  StepReport report;
  kept_ = now_;
  now_.time = to;
  now_.gravity_scale = to;
  if (motion_) now_.roots.front().frame = frame_at(to);
  const Index size = sweeps_.size();
  VectorX q = now_.q, g(size), d(size), q_next(size), g_next(size);
  std::vector<VectorX> steps, yields;
  std::vector<SymmetricFactor> local(sweeps_.layout().nodes.size());
  const auto precondition = [&](VectorX& v) {
    for (std::size_t n = 0; n < local.size(); ++n) {
      const TreeNode& node = sweeps_.layout().nodes[n];
      if (node.r > 0) v.segment(node.offset, node.r) = local[n].solve(segment_of(v, node));
    }
  };
  const auto take_stiffness = [&] {
    (void)sweeps_.evaluate_forces(q);
    for (std::size_t n = 0; n < local.size(); ++n) {
      const TreeNode& node = sweeps_.layout().nodes[n];
      if (node.r == 0) continue;
      const double factor = node.inertia_factor * node.stiffness_factor;
      if (!local[n].compute(factor * sweeps_.stiffness(node)))
        (void)local[n].compute(factor * sweeps_.class_data(node.class_index).rest_stiffness);
    }
    steps.clear();
    yields.clear();
  };
  const StepTarget target = static_target(settings_, to, true);
  const auto evaluate_at = [&](const VectorX& at, VectorX& gradient) {
    ++report.evaluations;
    static_gradient(to, at, gradient);
  };
  evaluate_at(q, g);
  take_stiffness();
  // The two-loop recursion of L-BFGS, with the domains' stiffness as its initial matrix.
  const auto direction = [&] {
    d = -g;
    std::vector<double> alpha(steps.size());
    for (std::size_t i = steps.size(); i-- > 0;) {
      alpha[i] = steps[i].dot(d) / steps[i].dot(yields[i]);
      d -= alpha[i] * yields[i];
    }
    precondition(d);
    for (std::size_t i = 0; i < steps.size(); ++i)
      d += (alpha[i] - yields[i].dot(d) / steps[i].dot(yields[i])) * steps[i];
  };
  for (report.iterations = 0;; ++report.iterations) {
    const double scale = std::max(force_scale(now_.qdd * 0.0), std::numeric_limits<double>::min());
    const double norm = g.norm();
    report.residual = norm / scale;
    if (!std::isfinite(norm)) {
      report.trouble = StepTrouble::kNonFinite;
      break;
    }
    if (norm <= settings_.newton_tolerance * scale || norm <= rounding_floor()) break;
    if (report.iterations >= target.max_iterations || report.evaluations >= target.max_evaluations) {
      report.trouble = StepTrouble::kNotConverged;
      break;
    }
    if (static_cast<int>(steps.size()) == kMemory) take_stiffness();
    direction();
    double slope = g.dot(d);
    if (!(slope < 0.0)) {  // not a descent direction: forget the pairs
      take_stiffness();
      direction();
      slope = g.dot(d);
    }
    double fraction = 1.0, low = 0.0, high = 0.0;
    bool found = false;
    for (int tries = 0; tries < 30 && !found; ++tries) {
      q_next = q + fraction * d;
      evaluate_at(q_next, g_next);
      const double next = g_next.dot(d);
      if (std::isfinite(next) && std::abs(next) <= 0.9 * std::abs(slope)) {
        found = true;
      } else if (std::isfinite(next) && next < 0.0) {  // still downhill: farther
        low = fraction;
        fraction = high > 0.0 ? 0.5 * (low + high) : 2.0 * fraction;
      } else {
        high = fraction;
        fraction = 0.5 * (low + high);
      }
    }
    if (!found) {
      if (steps.empty()) {
        report.trouble = StepTrouble::kNotConverged;
        break;
      }
      evaluate_at(q, g);
      take_stiffness();
      continue;
    }
    if ((q_next - q).dot(g_next - g) > 0.0) {  // only such pairs keep the matrix positive definite
      steps.push_back(q_next - q);
      yields.push_back(g_next - g);
    }
    q = q_next;
    g = g_next;
  }
  if (!report.healthy()) {
    now_ = kept_;
    placed_ = false;
  }
  return report;
}

}  // namespace pliant
