#include "pliant/model/coupled/full_domains.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace pliant {

FullDomains::FullDomains(const CoupledBody& body, const CoupledLayout& layout)
    : body_(&body),
      layout_(&layout),
      elements_(body.full.forces),
      targets_of_(body.domains.size()),
      centers_(body.domains.size()) {
  number_vertices();
  if (empty()) return;
  for (VectorX* each : {&x_, &u_, &v_, &p_, &f_}) *each = VectorX::Zero(rest_.size());
  const Index dofs = 3 * std::ssize(body.full.vertices);
  for (VectorX* each : {&e_before_, &e_end_, &ef_}) *each = VectorX::Zero(dofs);
  if (elements_) K_ = elements_->make_matrix();
  find_stiffness_places();
  set_densities(body.rest->materials().materials);
}

/// Free vertices cell by cell, as their coordinates are, then held ones.
void FullDomains::number_vertices() {
  const auto add_cells = [&](bool held) {
    for (Index d = layout_->reduced; d < layout_->count(); ++d) {
      const CoupledDomain& cell = body_->domains[to_size(d)];
      if (cell.anchored != held) continue;
      for (Index i = 0; i < std::ssize(cell.vertices); ++i) {
        vertices_.push_back(cell.vertices[to_size(i)]);
        parts_.push_back(d);
        rows_.push_back(3 * i);
      }
    }
  };
  add_cells(false);
  free_ = std::ssize(vertices_);
  add_cells(true);
  if (vertices_.empty()) return;
  first_coordinate_ = layout_->coordinates() - 3 * free_;
  std::vector<Index> place(body_->rest->mesh().vertices.size(), -1);
  rest_.resize(3 * std::ssize(vertices_));
  scale_.resize(free_);
  for (Index i = 0; i < std::ssize(vertices_); ++i) {
    const VertexId v = vertices_[to_size(i)];
    place[to_size(v)] = i;
    rest_.segment<3>(3 * i) = body_->rest->mesh().vertices[to_size(v)];
    if (i < free_)
      scale_[i] = body_->domains[to_size(parts_[to_size(i)])].reduced->basis.shapes(rows_[to_size(i)],
                                                                                    rows_[to_size(i)]);
  }
  for (const VertexId v : body_->full.vertices) element_vertices_.push_back(place[to_size(v)]);
}

FullDomains::Target& FullDomains::target_of(Index first, Index second) {
  std::vector<std::size_t>& near = targets_of_[to_size(second)];  // few
  for (const std::size_t t : near)
    if (targets_[t].first == first) return targets_[t];
  near.push_back(targets_.size());
  return targets_.emplace_back(Target{first, second, {}, {}});
}

void FullDomains::find_stiffness_places() {
  const int* outer = K_.outerIndexPtr();
  const int* inner = K_.innerIndexPtr();
  for (Index b = 0; b < std::ssize(element_vertices_); ++b) {
    const Index begin = outer[3 * b], end = outer[3 * b + 1];
    for (Index at = begin; at < end; at += 3) {
      const Index row = element_vertices_[to_size(inner[at] / 3)], column = element_vertices_[to_size(b)];
      if (row >= free_ || column >= free_) continue;
      StiffnessEntry entry{};
      entry.diagonal = row == column;
      for (Index c = 0; c < 3; ++c)  // the second and third column begin one and two rows lower
        entry.at[c] = entry.diagonal ? Index{outer[3 * b + c]} : outer[3 * b + c] + at - begin - c;
      entry.scale = scale_[row] * scale_[column];
      const auto add = [&](Index i, Index k, bool flipped) {
        entry.row = rows_[to_size(i)];
        entry.column = rows_[to_size(k)];
        entry.flipped = flipped;
        target_of(parts_[to_size(i)], parts_[to_size(k)]).stiffness.push_back(entry);
      };
      const bool same = parts_[to_size(row)] == parts_[to_size(column)];
      if (same || parts_[to_size(row)] > parts_[to_size(column)]) add(row, column, false);
      if ((same && !entry.diagonal) || parts_[to_size(row)] < parts_[to_size(column)]) add(column, row, true);
    }
  }
}

void FullDomains::find_mass_places() {
  for (Target& target : targets_) target.mass.clear();
  for (Index k = 0; k < free_; ++k)
    for (SparseMatrix::InnerIterator entry(mass_, k); entry; ++entry) {
      const Index i = entry.row();
      if (i >= free_ || parts_[to_size(i)] < parts_[to_size(k)]) continue;
      target_of(parts_[to_size(i)], parts_[to_size(k)])
          .mass.push_back({rows_[to_size(i)], rows_[to_size(k)], scale_[i] * scale_[k] * entry.value()});
    }
}

void FullDomains::set_densities(const std::vector<Material>& materials) {
  if (empty()) return;
  const RestBody& rest = *body_->rest;
  VolumeMesh near;  // elements with full vertices
  near.vertices = rest.mesh().vertices;
  std::vector<double> density;
  const auto keep = [&](const auto& elements, auto& kept, Index first) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (std::none_of(elements[i].begin(), elements[i].end(),
                       [&](VertexId v) { return body_->domain_of[to_size(v)] >= layout_->reduced; }))
        continue;
      kept.push_back(elements[i]);
      const Index group = rest.materials().of_element[to_size(first) + i];
      density.push_back(materials[to_size(group)].density);
    }
  };
  keep(rest.mesh().tets, near.tets, 0);
  keep(rest.mesh().hexes, near.hexes, rest.mesh().first_hex());
  keep(rest.mesh().tet10s, near.tet10s, rest.mesh().first_tet10());
  const SparseMatrix whole = domain_mass(near, density, body_->mass_domains());
  std::vector<Index> place(rest.mesh().vertices.size(), -1);
  for (std::size_t i = 0; i < vertices_.size(); ++i) place[to_size(vertices_[i])] = static_cast<Index>(i);
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index i = 0; i < std::ssize(vertices_); ++i)
    for (SparseMatrix::InnerIterator entry(whole, vertices_[to_size(i)]); entry; ++entry)
      entries.emplace_back(static_cast<int>(place[to_size(entry.row())]), static_cast<int>(i), entry.value());
  mass_.resize(std::ssize(vertices_), std::ssize(vertices_));
  mass_.setFromTriplets(entries.begin(), entries.end());
  row_sums_ = mass_ * VectorX::Ones(mass_.cols());
  find_mass_places();
}

void FullDomains::set_elements(std::shared_ptr<const ElementForces> elements) {
  elements_ = std::move(elements);
}

void FullDomains::set_displacements(ConstVectorRef whole, CoupledShape& shape) const {
  for (Index i = 0; i < free_; ++i)
    shape.q.segment<3>(first_coordinate_ + 3 * i) =
        whole.segment<3>(3 * Index{vertices_[to_size(i)]}) / scale_[i];
}

void FullDomains::set_velocities(ConstVectorRef whole, CoupledShape& shape) const {
  for (Index i = 0; i < free_; ++i)
    shape.qd.segment<3>(first_coordinate_ + 3 * i) =
        whole.segment<3>(3 * Index{vertices_[to_size(i)]}) / scale_[i];
}

/// Displacements of all vertices.
void FullDomains::displace(const CoupledShape& shape, VectorRef u) const {
  for (Index i = 0; i < free_; ++i)
    u.segment<3>(3 * i) = scale_[i] * shape.q.segment<3>(first_coordinate_ + 3 * i);
  for (Index i = free_; i < std::ssize(vertices_); ++i) {
    const auto part = to_size(parts_[to_size(i)]);
    const RigidFrame& frame = shape.frames[part];
    const Vector3 rest = rest_.segment<3>(3 * i);
    u.segment<3>(3 * i) = frame.position + frame.rotation * (rest - body_->domains[part].origin()) - rest;
  }
}

/// Velocities of all vertices.
void FullDomains::move(const CoupledShape& shape, VectorRef v) const {
  for (Index i = 0; i < free_; ++i)
    v.segment<3>(3 * i) = scale_[i] * shape.qd.segment<3>(first_coordinate_ + 3 * i);
  for (Index i = free_; i < std::ssize(vertices_); ++i) {
    const auto part = to_size(parts_[to_size(i)]);
    const RigidFrame& frame = shape.frames[part];
    const Vector3 arm = rest_.segment<3>(3 * i) - body_->domains[part].origin();
    v.segment<3>(3 * i) =
        frame.rotation * (frame.twist.head<3>() + Vector3(frame.twist.tail<3>()).cross(arm));
  }
}

void FullDomains::weigh(ConstVectorRef v, VectorRef p) const { apply_mass(mass_, v, p); }

/// Held cells get wrenches about the middle of the way of their frames.
void FullDomains::center(const CoupledShape& from, const CoupledShape& to) {
  for (std::size_t d = 0; d < centers_.size(); ++d)
    centers_[d] = 0.5 * (from.frames[d].position + to.frames[d].position);
}

/// sum += the forces f on all vertices, which are at x.
void FullDomains::gather(ConstVectorRef x, ConstVectorRef f, SiteForces& sum) const {
  for (Index i = 0; i < free_; ++i)
    sum.q.segment<3>(first_coordinate_ + 3 * i) += scale_[i] * f.segment<3>(3 * i);
  for (Index i = free_; i < std::ssize(vertices_); ++i) {
    const Index part = parts_[to_size(i)];
    const Vector3 own = f.segment<3>(3 * i);
    sum.wrench.col(part).head<3>() += own;
    sum.wrench.col(part).tail<3>() += Vector3(x.segment<3>(3 * i) - centers_[to_size(part)]).cross(own);
  }
}

void FullDomains::to_elements(const CoupledShape& shape, VectorRef e) {
  displace(shape, u_);
  for (Index k = 0; k < std::ssize(element_vertices_); ++k)
    e.segment<3>(3 * k) = u_.segment<3>(3 * element_vertices_[to_size(k)]);
}

/// sum += the forces of the elements, in ef_, on vertices displaced by u_.
void FullDomains::from_elements(SiteForces& sum) {
  f_.setZero();
  for (Index k = 0; k < std::ssize(element_vertices_); ++k)
    f_.segment<3>(3 * element_vertices_[to_size(k)]) = ef_.segment<3>(3 * k);
  x_ = rest_ + u_;
  gather(x_, f_, sum);
}

void FullDomains::begin(const CoupledShape& before) {
  if (!empty()) to_elements(before, e_before_);
}

bool FullDomains::add_elastic(const CoupledTrial& trial, SiteForces& sum) {
  mean_ = false;
  if (!elements_) return true;
  to_elements(trial.stage(), e_end_);
  if (!elements_->force(e_end_, ef_)) return false;
  center(trial.stage(), trial.stage());
  from_elements(sum);
  return true;
}

bool FullDomains::add_mean_elastic(const CoupledTrial& trial, SiteForces& sum) {
  mean_ = true;
  if (!elements_) return true;
  to_elements(trial.end(), e_end_);
  if (!elements_->mean_force(e_before_, e_end_, ef_)) return false;
  center(trial.before(), trial.end());
  displace(trial.before(), v_);
  u_ = 0.5 * (u_ + v_);
  from_elements(sum);
  return true;
}

bool FullDomains::add_stiffness(const CoupledShape& shape, bool projected, std::span<const double> factors,
                                BlockCholesky& S) {
  if (!elements_) return true;
  if (!mean_) to_elements(shape, e_end_);
  const bool defined = mean_ ? elements_->mean_force_and_stiffness(e_before_, e_end_, projected, ef_, K_)
                             : elements_->stiffness(e_end_, projected, K_);
  if (!defined) return false;
  const double* values = K_.valuePtr();
  const auto work = [&](Index t) {
    const Target& target = targets_[to_size(t)];
    const double factor = 0.5 * (factors[to_size(target.first)] + factors[to_size(target.second)]);
    auto block = S.block(target.first, target.second);
    for (const StiffnessEntry& entry : target.stiffness)
      for (Index c = 0; c < 3; ++c)
        for (Index r = 0; r < 3; ++r) {
          double value = 0.0;
          if (entry.diagonal)  // only the lower triangle is stored
            value = r >= c ? values[entry.at[c] + r - c] : values[entry.at[r] + c - r];
          else
            value = entry.flipped ? values[entry.at[r] + c] : values[entry.at[c] + r];
          block(entry.row + r, entry.column + c) += factor * entry.scale * value;
        }
  };
  parallel_tasks(std::ssize(targets_), std::ref(work));
  return true;
}

void FullDomains::add_weight(const CoupledShape& shape, const Vector3& gravity, SiteForces& sum) {
  if (empty()) return;
  displace(shape, x_);
  x_ += rest_;
  for (Index i = 0; i < row_sums_.size(); ++i) f_.segment<3>(3 * i) = row_sums_[i] * gravity;
  center(shape, shape);
  gather(x_, f_, sum);
}

double FullDomains::elastic_energy(const CoupledShape& shape) {
  if (!elements_) return 0.0;
  mean_ = false;
  to_elements(shape, e_end_);
  return elements_->energy(e_end_);
}

VectorX FullDomains::von_mises(const CoupledShape& shape) {
  to_elements(shape, e_end_);
  return elements_->von_mises(e_end_);
}

void FullDomains::add_momenta(const CoupledShape& shape, std::span<const double> factors, SiteForces& sum) {
  if (empty()) return;
  move(shape, v_);
  p_.setZero();
  for (Index k = 0; k < mass_.outerSize(); ++k)
    for (SparseMatrix::InnerIterator entry(mass_, k); entry; ++entry) {
      const Index i = entry.row();
      const double factor =
          0.5 * (factors[to_size(parts_[to_size(i)])] + factors[to_size(parts_[to_size(k)])]);
      p_.segment<3>(3 * i) += factor * entry.value() * v_.segment<3>(3 * k);
    }
  displace(shape, x_);
  x_ += rest_;
  center(shape, shape);
  gather(x_, p_, sum);
}

void FullDomains::add_momentum_change(const CoupledShape& before, const CoupledShape& after,
                                      SiteForces& sum) {
  if (empty()) return;
  // About the middle of the way, L₁ − L₀ + ½ (p₁ − p₀) × (P₀ + P₁) is the sum of both moments.
  center(before, after);
  for (const auto& [shape, sign] : {std::pair(&before, -1.0), std::pair(&after, 1.0)}) {
    move(*shape, v_);
    v_ *= sign;
    weigh(v_, p_);
    displace(*shape, x_);
    x_ += rest_;
    gather(x_, p_, sum);
  }
}

void FullDomains::add_mass(std::span<const double> factors, BlockCholesky& S) const {
  const auto work = [&](Index t) {
    const Target& target = targets_[to_size(t)];
    const double factor = 0.5 * (factors[to_size(target.first)] + factors[to_size(target.second)]);
    auto block = S.block(target.first, target.second);
    for (const MassEntry& entry : target.mass)
      block.block<3, 3>(entry.row, entry.column).diagonal().array() += factor * entry.value;
  };
  parallel_tasks(std::ssize(targets_), std::ref(work));
}

bool FullDomains::add_momentum_rate(const CoupledShape& shape, ConstVectorRef force, BlockCholesky& system,
                                    SiteForces& momentum) {
  if (free_ == std::ssize(vertices_)) return true;
  v_.setZero();  // accelerations, of held vertices at first
  for (Index i = free_; i < std::ssize(vertices_); ++i) {
    const auto part = to_size(parts_[to_size(i)]);
    const RigidFrame& frame = shape.frames[part];
    const Vector3 arm = rest_.segment<3>(3 * i) - body_->domains[part].origin();
    const Vector3 w = frame.twist.tail<3>(), turn = frame.rate.tail<3>();
    v_.segment<3>(3 * i) =
        frame.rotation * (frame.rate.head<3>() + turn.cross(arm) + w.cross(Vector3(w.cross(arm))));
  }
  weigh(v_, p_);
  VectorX right = VectorX::Zero(layout_->unknowns());
  const Index begin = layout_->unknowns() - 3 * free_;
  for (Index i = 0; i < free_; ++i)
    right.segment<3>(begin + 3 * i) =
        force.segment<3>(first_coordinate_ + 3 * i) - scale_[i] * p_.segment<3>(3 * i);
  system.set_zero();
  for (Index d = 0; d < layout_->reduced; ++d) system.block(d, d).setIdentity();
  const std::vector<double> ones(centers_.size(), 1.0);
  add_mass(ones, system);
  if (!system.factorize()) return false;
  system.solve(right);
  for (Index i = 0; i < free_; ++i) v_.segment<3>(3 * i) = scale_[i] * right.segment<3>(begin + 3 * i);
  weigh(v_, p_);
  displace(shape, x_);
  x_ += rest_;
  center(shape, shape);
  p_.head(3 * free_).setZero();
  gather(x_, p_, momentum);
  return true;
}

void FullDomains::multiply_mass(ConstVectorRef x, VectorRef y) const {
  if (empty()) return;
  const Index begin = layout_->unknowns() - 3 * free_;
  VectorX v = VectorX::Zero(rest_.size()), p = v;
  for (Index i = 0; i < free_; ++i) v.segment<3>(3 * i) = scale_[i] * x.segment<3>(begin + 3 * i);
  weigh(v, p);
  for (Index i = 0; i < free_; ++i) y.segment<3>(begin + 3 * i) += scale_[i] * p.segment<3>(3 * i);
}

FullDomains::Sums FullDomains::sums(const CoupledShape& shape) {
  Sums sums;
  if (empty()) return sums;
  move(shape, v_);
  weigh(v_, p_);
  displace(shape, x_);
  x_ += rest_;
  sums.kinetic = 0.5 * v_.dot(p_);
  for (Index i = 0; i < row_sums_.size(); ++i) {
    const Vector3 place = x_.segment<3>(3 * i), momentum = p_.segment<3>(3 * i);
    sums.mass += row_sums_[i];
    sums.first += row_sums_[i] * place;
    sums.linear += momentum;
    sums.angular += place.cross(momentum);
  }
  return sums;
}

Vector3 FullDomains::moved(const CoupledShape& shape) {
  Vector3 sum = Vector3::Zero();
  if (empty()) return sum;
  displace(shape, u_);
  for (Index i = 0; i < row_sums_.size(); ++i) sum += row_sums_[i] * u_.segment<3>(3 * i);
  return sum;
}

Matrix3 FullDomains::spin_inertia(const CoupledShape& shape, const Vector3& center) {
  Matrix3 tensor = Matrix3::Zero();
  if (empty()) return tensor;
  displace(shape, x_);
  x_ += rest_;
  for (Index axis = 0; axis < 3; ++axis) {
    for (Index i = 0; i < x_.size(); i += 3)
      v_.segment<3>(i) = Vector3::Unit(axis).cross(Vector3(x_.segment<3>(i) - center));
    weigh(v_, p_);
    for (Index i = 0; i < x_.size(); i += 3)
      tensor.col(axis) += Vector3(x_.segment<3>(i) - center).cross(Vector3(p_.segment<3>(i)));
  }
  return tensor;
}

void FullDomains::add_spin(const Vector3& spin, const Vector3& center, CoupledShape& shape) {
  if (empty()) return;
  displace(shape, x_);
  x_ += rest_;
  for (Index i = 0; i < free_; ++i)
    shape.qd.segment<3>(first_coordinate_ + 3 * i) +=
        spin.cross(Vector3(x_.segment<3>(3 * i) - center)) / scale_[i];
}

Vector3 FullDomains::moment_of_ways(const CoupledShape& from, const CoupledShape& to,
                                    ConstVectorRef f) const {
  Vector3 sum = Vector3::Zero();
  for (Index i = first_coordinate_; i < first_coordinate_ + 3 * free_; i += 3)  // scales cancel
    sum += Vector3(to.q.segment<3>(i) - from.q.segment<3>(i)).cross(Vector3(f.segment<3>(i)));
  return sum;
}

double FullDomains::lightest() const {
  if (free_ == 0) return std::numeric_limits<double>::infinity();
  const double largest = scale_.maxCoeff();
  return 1.0 / (largest * largest);
}

double FullDomains::force_rounding(const CoupledShape& shape) {
  if (!elements_) return 0.0;
  to_elements(shape, ef_);
  double sum = 0.0;
  for (Index k = 0; k < std::ssize(element_vertices_); ++k) {
    const Index i = element_vertices_[to_size(k)];
    if (i >= free_) continue;
    const double own = scale_[i] * K_.valuePtr()[K_.outerIndexPtr()[3 * k]];
    sum += own * own * ef_.segment<3>(3 * k).squaredNorm();
  }
  return std::sqrt(sum);
}

double FullDomains::inertia_rounding(const CoupledShape& shape, double velocity_factor) {
  double sum = 0.0;
  for (Index i = first_coordinate_; i < first_coordinate_ + 3 * free_; i += 3) {
    const double own = shape.qd.segment<3>(i).norm() + velocity_factor * shape.q.segment<3>(i).norm();
    sum += own * own;
  }
  return std::sqrt(sum);
}

}  // namespace pliant
