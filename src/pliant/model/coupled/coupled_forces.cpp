#include "pliant/model/coupled/coupled_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

template <class Load, class Visit>
void visit_vertices(Load& load, const Visit& each) {
  if (auto* force = std::get_if<VertexForce>(&load.what))
    for (auto& v : force->vertices) each(v);
  if (auto* pressure = std::get_if<Pressure>(&load.what))
    for (auto& face : pressure->faces) for_each_vertex(face, each);
  if (auto* wind = std::get_if<Wind>(&load.what))
    for (auto& face : wind->faces) for_each_vertex(face, each);
}

/// Vertices that loads act on, ascending; the loads are numbered by them from now on.
std::vector<VertexId> renumber(std::vector<Load>& loads) {
  std::vector<VertexId> touched;
  for (Load& load : loads) visit_vertices(load, [&](VertexId v) { touched.push_back(v); });
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (Load& load : loads)
    visit_vertices(load, [&](VertexId& v) {
      v = static_cast<VertexId>(std::lower_bound(touched.begin(), touched.end(), v) - touched.begin());
    });
  return touched;
}

/// Lower triangle in blocks of 3 × 3: all vertices of a face with one another.
SparseMatrix tangent_pattern(const std::vector<Load>& loads, Index sites) {
  std::vector<Eigen::Triplet<double, int>> places;
  const auto add = [&](VertexId a, VertexId b) {
    for (int r = 0; a >= b && r < 3; ++r)
      for (int c = 0; c < (a == b ? r + 1 : 3); ++c) places.emplace_back(3 * a + r, 3 * b + c, 0.0);
  };
  const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
    std::vector<VertexId> own;
    for (const BoundaryFace& face : faces) {
      own.clear();
      for_each_vertex(face, [&](VertexId v) { own.push_back(v); });
      for (const VertexId a : own)
        for (const VertexId b : own) add(a, b);
    }
  };
  for (Index i = 0; i < sites; ++i) add(static_cast<VertexId>(i), static_cast<VertexId>(i));
  for (const Load& load : loads) {
    if (const auto* pressure = std::get_if<Pressure>(&load.what)) add_faces(pressure->faces);
    if (const auto* wind = std::get_if<Wind>(&load.what)) add_faces(wind->faces);
  }
  SparseMatrix pattern(3 * sites, 3 * sites);
  pattern.setFromTriplets(places.begin(), places.end());
  return pattern;
}

}  // namespace

CoupledForces::CoupledForces(std::shared_ptr<const CoupledBody> body, const CoupledLayout& layout,
                             std::vector<Load> loads)
    : body_(std::move(body)),
      layout_(&layout),
      inner_(*body_, layout),
      coupling_(body_->coupling),
      sites_(*body_, layout, body_->coupling_vertices),
      load_list_(std::move(loads)),
      loads_({}),
      centers_(body_->domains.size()),
      turns_(body_->domains.size()) {
  const std::vector<VertexId> touched = renumber(load_list_);
  loads_ = LoadForces(load_list_);
  load_sites_ = SiteRows(*body_, layout, touched);
  if (loads_.follow()) {
    load_K_ = tangent_pattern(load_list_, load_sites_.count());
    load_sites_.set_pattern(load_K_);
  }
  if (coupling_) {
    K_ = coupling_->make_matrix();
    sites_.set_pattern(K_);
    gains_ = sites_.gains(*body_);
    if (!body_->coupling_kinds.empty()) kinds_ = std::make_unique<KindForces>(*body_, layout);
  }
  for (VectorX* each : {&before_u_, &end_u_, &x_, &u_, &f_}) *each = VectorX::Zero(3 * sites_.count());
  for (VectorX* each : {&load_x_, &load_v_, &load_f_}) *each = VectorX::Zero(3 * load_sites_.count());
  inner_now_ = VectorX::Zero(layout.coordinates());
}

void CoupledForces::set_materials(const std::vector<Material>& materials,
                                  std::shared_ptr<const ElementForces> coupling,
                                  const std::vector<double>& stiffness_factors) {
  for (std::size_t d = 0; d < stiffness_factors.size(); ++d)
    inner_.set_stiffness_factor(d, stiffness_factors[d]);
  inner_.set_materials(materials);
  coupling_ = std::move(coupling);
}

void CoupledForces::set_points(const std::vector<CarriedPoint>& points) {
  points_ = SitePoints(*body_, *layout_, points);
}

void CoupledForces::begin(const CoupledShape& before) {
  inner_.begin(before.q);
  sites_.places(before, before_u_);
  before_u_ -= sites_.rest();
}

bool CoupledForces::add_elastic(const CoupledTrial& trial, SiteForces& sum) {
  const CoupledShape& shape = trial.stage();
  mean_ = false;
  if (!std::isfinite(inner_.evaluate(shape.q, inner_now_))) return false;
  sum.q += inner_now_;
  if (!coupling_) return true;
  for (std::size_t d = 0; d < centers_.size(); ++d) {
    centers_[d] = shape.frames[d].position;
    turns_[d] = shape.frames[d].rotation;
  }
  sites_.places(shape, x_);
  u_ = x_ - sites_.rest();
  if (!coupling_->force(u_, f_)) return false;
  collect_coupling(sum);
  return true;
}

/// Eq. C12: arms from the means of both ends keep the angular momentum, coordinates by the mean turn the
/// work.
bool CoupledForces::add_mean_elastic(const CoupledTrial& trial, SiteForces& sum) {
  mean_ = true;
  if (!inner_.mean(trial.end().q, inner_now_)) return false;
  sum.q += inner_now_;
  if (!coupling_) return true;
  for (std::size_t d = 0; d < centers_.size(); ++d) {
    const RigidFrame &from = trial.before().frames[d], &to = trial.end().frames[d];
    centers_[d] = 0.5 * (from.position + to.position);
    turns_[d] = 0.5 * (from.rotation + to.rotation);
  }
  sites_.places(trial.end(), end_u_);
  end_u_ -= sites_.rest();
  if (!coupling_->mean_force(before_u_, end_u_, f_)) return false;
  x_ = 0.5 * (end_u_ + before_u_) + sites_.rest();
  collect_coupling(sum);
  return true;
}

void CoupledForces::collect_coupling(SiteForces& sum) {
  if (kinds_)
    kinds_->collect(x_, f_, centers_, turns_, sum);
  else
    sites_.collect(x_, f_, centers_, turns_, sum);
}

void CoupledForces::add_external(double time, LoadForces::Clock clock, const CoupledTrial& trial,
                                 std::span<const Vector3> pulls, SiteForces& sum) {
  const CoupledShape& shape = trial.stage();
  for (std::size_t d = 0; d < centers_.size(); ++d) {
    centers_[d] = shape.frames[d].position;
    turns_[d] = shape.frames[d].rotation;
  }
  if (load_sites_.count() > 0) {
    load_sites_.places(shape, load_x_);
    load_sites_.velocities(shape, load_x_, load_v_);
    load_f_.setZero();
    loads_.add_forces(time, clock, load_x_, load_v_, load_f_);
    load_sites_.collect(load_x_, load_f_, centers_, turns_, sum);
  }
  if (pulls.empty()) return;
  points_.touch(shape);
  points_.collect(pulls, centers_, turns_, sum);
}

bool CoupledForces::add_stiffness(const CoupledShape& shape, bool projected, double coupling,
                                  std::span<const double> inner, BlockCholesky& S) {
  for (std::size_t d = 0; d < to_size(layout_->reduced); ++d) {
    const Index r = layout_->size(d), frame = layout_->frame_size[d];
    const auto domain = static_cast<Index>(d);
    S.block(domain, domain).block(frame, frame, r, r) += inner[d] * inner_.stiffness(d);
  }
  if (!coupling_) return true;
  sites_.places(shape, x_);
  u_ = x_ - sites_.rest();
  const bool defined = mean_ ? coupling_->mean_force_and_stiffness(before_u_, end_u_, projected, f_, K_)
                             : coupling_->stiffness(u_, projected, K_);
  if (!defined) return false;
  double gain = 0.0;
  for (Index i = 0; i < sites_.count(); ++i) {
    const double own = K_.valuePtr()[K_.outerIndexPtr()[3 * i]] * gains_[to_size(i)];
    gain += own * own;
  }
  coupling_gain_ = std::sqrt(gain);
  sites_.add_stiffness(shape, x_, K_, coupling, S);
  return true;
}

void CoupledForces::add_geometric(const CoupledShape& shape, BlockCholesky& S) {
  if (coupling_) sites_.add_geometric(shape, f_, 1.0, S);
}

void CoupledForces::add_load_tangent(double time, LoadForces::Clock clock, double velocity_factor,
                                     const CoupledTrial& trial, BlockCholesky& S) {
  if (!loads_.follow()) return;
  load_sites_.places(trial.stage(), load_x_);
  load_sites_.velocities(trial.stage(), load_x_, load_v_);
  std::fill_n(load_K_.valuePtr(), load_K_.nonZeros(), 0.0);
  loads_.add_tangent(time, clock, load_x_, load_v_, velocity_factor, load_K_);
  load_sites_.add_stiffness(trial.stage(), load_x_, load_K_, 1.0, S);
}

double CoupledForces::elastic_energy(const CoupledShape& shape) {
  mean_ = false;
  const double inner = inner_.evaluate(shape.q, inner_now_);
  if (!coupling_) return inner;
  return inner + coupling_->energy(coupling_displacements(shape));
}

double CoupledForces::dead_work(double time, LoadForces::Clock clock, const CoupledShape& shape) {
  if (load_sites_.count() == 0) return 0.0;
  load_sites_.places(shape, load_x_);
  load_v_.setZero();
  load_f_.setZero();
  loads_.add_forces(time, clock, load_x_, load_v_, load_f_);
  return load_f_.dot(load_x_ - load_sites_.rest());
}

VectorX CoupledForces::coupling_displacements(const CoupledShape& shape) {
  sites_.places(shape, x_);
  return x_ - sites_.rest();
}

double CoupledForces::reach() const {
  if (sites_.count() == 0) return 0.0;
  return sites_.rest().cwiseAbs().maxCoeff() + u_.cwiseAbs().maxCoeff();
}

}  // namespace pliant
