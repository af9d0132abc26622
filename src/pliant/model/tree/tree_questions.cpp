#include "pliant/model/tree/tree_dynamics.hpp"
#include "pliant/model/tree/tree_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

double TreeDynamics::force_scale(const VectorX& A) const {
  double elastic = 0.0, external = 0.0, inertial = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const double weight = node.inertia_factor * node.inertia_factor;
    const MatrixX& mass = sweeps_.class_data(node.class_index).inertia.shape_mass;
    elastic += weight * node.stiffness_factor * node.stiffness_factor * sweeps_.elastic(node).squaredNorm();
    external += weight * node.external.squaredNorm();
    inertial += weight * (mass * segment_of(A, node)).squaredNorm();
  }
  return std::sqrt(std::max({elastic, external, inertial}));
}

/// As Eq. D4: rounding of stiffness × coordinates, of point stiffness × positions of points, and of what
/// cancels at rest.
double TreeDynamics::rounding_floor() const {
  double sum = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const double K = sweeps_.class_data(node.class_index).rest_stiffness.norm();
    const double rest = sweeps_.rest_scale(node.class_index);
    const double force = node.stiffness_factor * (K * segment_of(now_.q, node).norm() + rest);
    sum += node.inertia_factor * node.inertia_factor * force * force;
    for (std::size_t i = 0; node.points && i < node.points->numbers.size(); ++i) {
      const double place = node.points->places[i].norm();
      sum += std::pow(node.scale * node.points->rows.gain(i) * node.points->stiffness[i].norm() * place, 2);
    }
  }
  return 16.0 * kEpsilon * std::sqrt(sum);
}

/// Kinetic and strain energy of the nodes at the last evaluated iterate.
double TreeDynamics::energy_of_nodes() const {
  double energy = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const auto rates = segment_of(now_.qd, node);
    const Vector6& twist = node.frame.twist;
    const MatrixX& mass = sweeps_.class_data(node.class_index).inertia.shape_mass;
    energy +=
        node.inertia_factor * (0.5 * twist.dot(node.inertia.rr * twist) + twist.dot(node.inertia.rq * rates) +
                               0.5 * rates.dot(mass * rates) + node.stiffness_factor * sweeps_.strain(node));
  }
  return energy;
}

/// Less is rounding: the energy of strains of 1e-9 in the stiffest shapes, ½ ω² m L² ε².
double TreeDynamics::least_energy() const {
  constexpr double kLeastStrain = 1e-9;
  double energy = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const ClassData& data = sweeps_.class_data(node.class_index);
    if (node.r == 0) continue;
    energy += 0.5 * node.inertia_factor * node.stiffness_factor * data.rest_stiffness.norm() /
              data.inertia.shape_mass.diagonal().mean() * data.inertia.second.trace();
  }
  return kLeastStrain * kLeastStrain * energy;
}

double TreeDynamics::own_energy() const {
  const Energies e = energies();
  return e.kinetic + e.strain;
}

Energies TreeDynamics::energies() const {
  refresh();
  Energies energies;
  const TreeBody& body = sweeps_.body();
  // The strain energy must be that of now_.q: the last evaluation may have been elsewhere.
  sweeps_.evaluate_forces(now_.q);
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const InertiaIntegrals& integrals = sweeps_.class_data(node.class_index).inertia;
    const auto rates = segment_of(now_.qd, node);
    const Vector6& twist = node.frame.twist;
    energies.kinetic +=
        node.inertia_factor * (0.5 * twist.dot(node.inertia.rr * twist) + twist.dot(node.inertia.rq * rates) +
                               0.5 * rates.dot(integrals.shape_mass * rates));
    energies.strain += node.inertia_factor * node.stiffness_factor * sweeps_.strain(node);
    const TreeDomain& domain = body.domains[to_size(node.domain)];
    const double mass = integrals.mass * std::pow(node.scale, 3);
    const Vector3 rest =
        domain.rest.place(body.class_of(domain).reduced->origin + integrals.first / integrals.mass);
    const Vector3 center =
        node.frame.position + node.scale * (node.frame.rotation * node.inertia.first) / integrals.mass;
    energies.potential -= mass * gravity_.dot(center - rest);
  }
  return energies;
}

Momenta TreeDynamics::momenta() const {
  refresh();
  Momenta m;
  Vector3 about_zero = Vector3::Zero();
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const InertiaIntegrals& integrals = sweeps_.class_data(node.class_index).inertia;
    const double s = node.scale;
    const Vector6 momentum = node.inertia.rr * node.frame.twist + node.inertia.rq * segment_of(now_.qd, node);
    const Vector3 linear = node.inertia_factor / s * (node.frame.rotation * momentum.head<3>());
    const double mass = integrals.mass * s * s * s;
    m.mass += mass;
    m.center += mass * node.frame.position + s * s * s * s * (node.frame.rotation * node.inertia.first);
    m.linear += linear;
    about_zero +=
        node.inertia_factor * (node.frame.rotation * momentum.tail<3>()) + node.frame.position.cross(linear);
  }
  m.center /= m.mass;
  m.angular = about_zero - m.center.cross(m.linear);
  return m;
}

Vector6 TreeDynamics::support_wrench() const {
  refresh();
  auto& sweeps = sweeps_;
  const bool dynamic = settings_.integrator != Integrator::kStatic;
  const Index root = now_.roots.front().node;
  const LoadForces::Clock clock = dynamic ? LoadForces::Clock::kTime : LoadForces::Clock::kLoadFactor;
  sweeps.load({now_.time, clock, now_.gravity_scale * gravity_}, now_.q, now_.qd);
  sweeps.gather_wrenches();
  const TreeNode& node = sweeps.node(root);
  Vector6 wrench = -node.subtree_wrench;
  if (dynamic) {
    // Recursive Newton–Euler: inertial forces of the whole tree at its present accelerations.
    for (const RootState& state : now_.roots) sweeps.node(state.node).frame.rate = state.frame.rate;
    sweeps.carry_rates(now_.qdd);
    for (Index n = sweeps.node_count() - 1; n >= 0; --n) {
      TreeNode& each = sweeps.node(n);
      each.force_rigid = each.inertia.rr * each.frame.rate + each.inertia.rq * segment_of(now_.qdd, each) +
                         each.inertia.bias_r;
      for (const Index k : each.children)
        each.force_rigid +=
            sweeps.node(k).inertia_ratio * (sweeps.node(k).transfer.transpose() * sweeps.node(k).force_rigid);
    }
    wrench += node.force_rigid;
  }
  wrench.head<3>() *= node.inertia_factor / node.scale;
  wrench.tail<3>() *= node.inertia_factor;
  return wrench;
}

const TreeSweeps& TreeDynamics::moving_at_rest(const VectorX& rates) const {
  placed_ = false;
  const VectorX qd = rates.head(sweeps_.size());
  Index row = sweeps_.size();
  for (const Index root : sweeps_.roots()) {
    TreeNode& node = sweeps_.node(root);
    const TreeDomain& domain = sweeps_.body().domains[to_size(node.domain)];
    node.frame.position = domain.rest.place(sweeps_.body().class_of(domain).reduced->origin);
    node.frame.rotation = domain.rest.rotation;
    node.frame.twist.setZero();
    if (!sweeps_.is_free(root)) continue;
    node.frame.twist = rates.segment<6>(row);
    row += 6;
  }
  sweeps_.place(VectorX::Zero(sweeps_.size()), qd);
  return sweeps_;
}

bool TreeDynamics::natural_modes(Index count, VectorX& squared, MatrixX& vectors,
                                 const Progress& progress) const {
  auto& sweeps = sweeps_;
  const Index size = sweeps.size();
  const VectorX zero = VectorX::Zero(size);
  placed_ = false;
  for (TreeNode& node : sweeps.layout().nodes) node.frame.twist.setZero();
  sweeps.place(zero, zero);
  TreeModes modes(sweeps);
  if (!modes.find(std::min(count, size), progress)) return false;
  squared = modes.squared;
  vectors = modes.vectors;
  return true;
}

}  // namespace pliant
