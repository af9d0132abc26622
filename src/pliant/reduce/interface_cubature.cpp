#include "pliant/reduce/interface_cubature.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/material/point.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/nonnegative_fit.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/reduce/body_points.hpp"
#include "pliant/reduce/element_forces.hpp"
#include "pliant/reduce/reduce_coupled.hpp"
#include "pliant/subspace/cubature_forces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>
#include <utility>

namespace pliant {
namespace {

constexpr std::size_t kFewElements = 8;  // an interface of so many keeps all
constexpr Index kMostDirections = 20;    // small poses, the ones in which the interface does most
// How much more small poses count: what is left of them shows in the frequencies.
constexpr double kSmallWeight = 3.0;
constexpr double kCancelled = 0.05;   // of a kind of force over its mean, where a pose says little about it
constexpr double kLeastShare = 0.01;  // of the energy of a direction that the interface must hold

/// The unknowns of the domains of an interface, one domain after the other: frame (if free), coordinates.
struct Slots {
  std::vector<Index> starts;  // per domain of the interface, and the end
  std::vector<Index> frames;  // 6 or 0
};

/// Forces of the elements of an interface on frames and coordinates, in the axes of the frames.
class ElementsBetween {
 public:
  ElementsBetween(const ElasticBody& whole, const BodyPoints& points, const CoupledBody& body,
                  const Interface& interface, const std::vector<CoupledPose>& poses)
      : whole_(&whole), points_(&points), body_(&body), interface_(&interface), poses_(&poses) {
    slots_.starts.push_back(0);
    q_starts_.push_back(0);
    for (const CoupledDomain& domain : body.domains)
      q_starts_.push_back(q_starts_.back() + domain.reduced->size());
    for (const Index d : interface.domains) {
      const CoupledDomain& domain = body.domains[to_size(d)];
      slots_.frames.push_back(domain.anchored ? 0 : 6);
      slots_.starts.push_back(slots_.starts.back() + slots_.frames.back() + domain.reduced->size());
    }
    find_directions();
  }

  [[nodiscard]] Index size() const { return slots_.starts.back(); }
  [[nodiscard]] Index directions() const { return directions_.cols(); }
  [[nodiscard]] const MatrixX& metric() const { return metric_; }
  [[nodiscard]] const Slots& slots() const { return slots_; }

  void operator()(Index pose, std::span<const Index> candidates, PoseForces& forces) const {
    forces.each.setZero();
    for (Index i = 0; i < std::ssize(candidates); ++i) {
      auto force = forces.each.col(i);
      if (pose < directions())
        add_linear(candidates[to_size(i)], directions_.col(pose), force);
      else
        add_force(candidates[to_size(i)], (*poses_)[to_size(pose - directions())], force);
    }
    forces.sum = forces.each.rowwise().sum();
    forces.scale = pose < directions()
                       ? 1.0 / kSmallWeight  // of a unit of energy of all these domains
                       : (metric_ * forces.sum).norm() / (*poses_)[to_size(pose - directions())].weight;
  }

 private:
  [[nodiscard]] Index element(Index place) const {
    return body_->coupling_elements[to_size(interface_->elements[to_size(place)])];
  }
  [[nodiscard]] std::size_t slot(Index domain) const {
    return to_size(std::lower_bound(interface_->domains.begin(), interface_->domains.end(), domain) -
                   interface_->domains.begin());
  }
  [[nodiscard]] auto shapes(VertexId v) const {
    const auto d = to_size(body_->domain_of[to_size(v)]);
    return body_->domains[d].reduced->basis.shapes.middleRows<3>(3 * Index{body_->row_of[to_size(v)]});
  }
  [[nodiscard]] Vector3 rest_arm(VertexId v) const {
    return whole_->mesh().vertices[to_size(v)] -
           body_->domains[to_size(body_->domain_of[to_size(v)])].origin();
  }

  /// force += what f (axes of the frame of its domain) at the arm y does to the unknowns.
  template <class Force>
  void add_vertex(VertexId v, const Vector3& y, const Vector3& f, Force& force) const {
    const std::size_t own = slot(body_->domain_of[to_size(v)]);
    Index at = slots_.starts[own];
    if (slots_.frames[own] > 0) {
      force.template segment<3>(at) += f;
      force.template segment<3>(at + 3) += y.cross(f);
      at += 6;
    }
    force.segment(at, slots_.starts[own + 1] - at).noalias() += shapes(v).transpose() * f;
  }

  template <class Force>
  void add_force(Index place, const CoupledPose& pose, Force& force) const {
    const Index e = element(place);
    const std::span<const VertexId> vertices = whole_->mesh().element_vertices(e);
    std::vector<Vector3> arms, x;
    for (const VertexId v : vertices) {
      const auto d = to_size(body_->domain_of[to_size(v)]);
      const Index r = body_->domains[d].reduced->size();
      arms.push_back(rest_arm(v) + shapes(v) * pose.q.segment(q_starts_[d], r));
      x.push_back(pose.positions[d] + pose.turns[d] * arms.back());
    }
    for (Index p = points_->first(e); p < points_->first(e + 1); ++p) {
      const BodyPoint point = points_->at(p);
      Matrix3 F = Matrix3::Zero();
      for (std::size_t a = 0; a < x.size(); ++a) F += x[a] * point.gradients.row(static_cast<Index>(a));
      const Matrix3 P = point.weight * stress(whole_->material(e), F);
      for (std::size_t a = 0; a < x.size(); ++a) {
        const auto d = to_size(body_->domain_of[to_size(vertices[a])]);
        const Vector3 f = P * point.gradients.row(static_cast<Index>(a)).transpose();
        add_vertex(vertices[a], arms[a], pose.turns[d].transpose() * f, force);
      }
    }
  }

  /// ∂vec(F)/∂unknowns at rest.
  [[nodiscard]] MatrixX gradients(const BodyPoint& point) const {
    MatrixX G = MatrixX::Zero(9, size());
    for (std::size_t a = 0; a < point.vertices.size(); ++a) {
      const VertexId v = point.vertices[a];
      const std::size_t own = slot(body_->domain_of[to_size(v)]);
      Eigen::Matrix<double, 3, Eigen::Dynamic> row(3, slots_.starts[own + 1] - slots_.starts[own]);
      if (slots_.frames[own] > 0) {
        row.leftCols<3>() = Matrix3::Identity();
        row.middleCols<3>(3) = -cross_matrix(rest_arm(v));
      }
      row.rightCols(row.cols() - slots_.frames[own]) = shapes(v);
      for (Index j = 0; j < 3; ++j)
        G.block(3 * j, slots_.starts[own], 3, row.cols()) += point.gradients(static_cast<Index>(a), j) * row;
    }
    return G;
  }

  template <class Force>
  void add_linear(Index place, ConstVectorRef direction, Force& force) const {
    const Index e = element(place);
    const Matrix9 A = tangent(whole_->material(e), Matrix3::Identity());
    for (Index p = points_->first(e); p < points_->first(e + 1); ++p) {
      const BodyPoint point = points_->at(p);
      const MatrixX G = gradients(point);
      force.noalias() += G.transpose() * (point.weight * (A * (G * direction)));
    }
  }

  [[nodiscard]] MatrixX coupling_stiffness() const {
    MatrixX K = MatrixX::Zero(size(), size());
    for (Index i = 0; i < std::ssize(interface_->elements); ++i) {
      const Index e = element(i);
      const Matrix9 A = tangent(whole_->material(e), Matrix3::Identity());
      for (Index p = points_->first(e); p < points_->first(e + 1); ++p) {
        const BodyPoint point = points_->at(p);
        const MatrixX G = gradients(point);
        K.noalias() += G.transpose() * (point.weight * (A * G)).eval();
      }
    }
    return K;
  }

  void add_inner_stiffness(MatrixX& K) const {
    for (std::size_t i = 0; i < interface_->domains.size(); ++i) {
      const CoupledDomain& domain = body_->domains[to_size(interface_->domains[i])];
      const Index r = domain.reduced->size(), at = slots_.starts[i] + slots_.frames[i];
      const auto forces =
          forces_of(domain.reduced, body_->rest->materials().materials, Storage::kDouble, domain.loops.get());
      if (r == 0 || !forces) continue;
      VectorX f(r);
      MatrixX own(r, r);
      (void)forces->evaluate(VectorX::Zero(r), f, own);
      K.block(at, at, r, r) += own;
    }
  }

  /// Directions in which domains and interface together hold a unit of energy, sorted by the interface's
  /// share of it, and the metric that goes with them.
  void find_directions() {
    const MatrixX coupling = coupling_stiffness();
    MatrixX K = coupling;
    add_inner_stiffness(K);
    const MatrixX whole = compliance_metric(K);
    const SymmetricEigen shares(whole * coupling * whole.transpose());
    metric_ = shares.vectors().rowwise().reverse().transpose() * whole;
    const VectorX values = shares.values().reverse();
    Index count = 0;
    while (count < std::min(values.size(), kMostDirections) && values[count] > kLeastShare) ++count;
    directions_ = metric_.topRows(count).transpose();
  }

  const ElasticBody* whole_;
  const BodyPoints* points_;
  const CoupledBody* body_;
  const Interface* interface_;
  const std::vector<CoupledPose>* poses_;
  Slots slots_;
  std::vector<Index> q_starts_;
  MatrixX metric_, directions_;
};

class Quiet final : public Progress {
 public:
  explicit Quiet(const Progress& of) : Progress(of.cancel_flag()) {}
};

/// All elements, as they are.
CubatureChoice everything(const Interface& interface) {
  CubatureChoice choice;
  choice.points.resize(interface.elements.size());
  std::iota(choice.points.begin(), choice.points.end(), Index{0});
  choice.weights = VectorX::Ones(std::ssize(choice.points));
  choice.curve.push_back({std::ssize(choice.points), 0.0, 0.0});
  return choice;
}

Result<CubatureChoice> choose(const ElementsBetween& elements, const Interface& interface, Index poses,
                              Index held_out, const CubatureSettings& settings, Progress& progress) {
  CubatureProblem problem;
  problem.size = elements.size();
  problem.candidates = std::ssize(interface.elements);
  problem.poses = elements.directions() + poses - held_out;
  problem.held_out = held_out;
  problem.metric = elements.metric();
  problem.forces = std::cref(elements);
  CubatureSettings own = settings;
  own.solver = CubatureSolver::kGreedy;      // there are few candidates, and every point costs a step
  own.most_candidates = problem.candidates;  // the sum of forces is taken over them
  return choose_cubature(problem, own, progress);
}

/// The unknowns that forces of one kind act on: coordinates of each domain, then motions, then turns.
std::vector<std::vector<Index>> kinds_of(const Slots& slots) {
  const std::size_t domains = slots.frames.size();
  std::vector<std::vector<Index>> kinds(domains + 2);
  for (std::size_t i = 0; i < domains; ++i) {
    Index at = slots.starts[i];
    for (Index k = 0; k < slots.frames[i]; ++k) kinds[domains + (k < 3 ? 0 : 1)].push_back(at++);
    while (at < slots.starts[i + 1]) kinds[i].push_back(at++);
  }
  return kinds;
}

double factor_of(const InterfaceChoice& choice, std::size_t point, std::size_t kind) {
  if (choice.kinds.empty()) return 1.0;
  const KindWeights& own = choice.kinds[point];
  const std::size_t domains = own.coordinates.size();
  return kind < domains ? own.coordinates[kind] : (kind == domains ? own.force : own.torque);
}

/// The rows of `unknowns`.
MatrixX rows_of(const MatrixX& all, std::span<const Index> unknowns) {
  MatrixX rows(std::ssize(unknowns), all.cols());
  for (std::size_t i = 0; i < unknowns.size(); ++i) rows.row(static_cast<Index>(i)) = all.row(unknowns[i]);
  return rows;
}

/// Forces of the chosen elements in a pose, in columns, then that of all; `scale`: what errors are relative
/// to.
MatrixX forces_in(const ElementsBetween& elements, Index pose, std::span<const Index> all,
                  std::span<const Index> points, double* scale = nullptr) {
  MatrixX each(elements.size(), std::ssize(all));
  VectorX sum(elements.size());
  PoseForces forces{each, sum};
  elements(pose, all, forces);
  if (scale != nullptr) *scale = forces.scale;
  MatrixX chosen(elements.size(), std::ssize(points) + 1);
  for (std::size_t i = 0; i < points.size(); ++i) chosen.col(static_cast<Index>(i)) = each.col(points[i]);
  chosen.rightCols<1>() = sum;
  return chosen;
}

/// The weights that fit the forces on some unknowns best, each pose relative to what acts there, as
/// [WuMukherjeeWang2015] Eq. 11 has it. Where that nearly cancels it is no measure.
VectorX fit_kind(std::span<const MatrixX> forces, std::span<const Index> unknowns) {
  const Index points = forces.front().cols() - 1, height = std::ssize(unknowns);
  MatrixX A(height * std::ssize(forces), points);
  VectorX b(A.rows());
  std::vector<double> sizes;
  double square = 0.0;
  for (const MatrixX& each : forces) {
    sizes.push_back(rows_of(each, unknowns).rightCols<1>().norm());
    square += sizes.back() * sizes.back() / static_cast<double>(forces.size());
  }
  for (std::size_t pose = 0; pose < forces.size(); ++pose) {
    const double size = std::max({sizes[pose], kCancelled * std::sqrt(square), 1e-300});
    const MatrixX rows = rows_of(forces[pose], unknowns) / size;
    A.middleRows(height * static_cast<Index>(pose), height) = rows.leftCols(points);
    b.segment(height * static_cast<Index>(pose), height) = rows.rightCols<1>();
  }
  NonnegativeFit fit(A, b, points);
  while (fit.improve(1 + std::ssize(fit.chosen()) / 2)) {
  }
  return fit.weights();
}

}  // namespace

std::vector<Interface> interfaces_of(const CoupledBody& body) {
  std::map<std::vector<Index>, std::vector<Index>> found;
  for (std::size_t i = 0; i < body.coupling_elements.size(); ++i) {
    std::vector<Index> domains;
    for (const VertexId v : body.rest->mesh().element_vertices(body.coupling_elements[i]))
      domains.push_back(body.domain_of[to_size(v)]);
    std::sort(domains.begin(), domains.end());
    domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
    found[domains].push_back(static_cast<Index>(i));
  }
  std::vector<Interface> interfaces;
  interfaces.reserve(found.size());
  for (auto& [domains, elements] : found) interfaces.push_back({domains, std::move(elements)});
  return interfaces;
}

Result<std::vector<InterfaceChoice>> choose_interfaces(const ElasticBody& whole, const CoupledBody& body,
                                                       const std::vector<CoupledPose>& poses, Index held_out,
                                                       const CubatureSettings& settings, Progress& progress) {
  std::vector<InterfaceChoice> choices;
  for (Interface& interface : interfaces_of(body)) choices.push_back({std::move(interface), {}});
  const BodyPoints points(whole);
  std::mutex reporting;
  Index done = 0;
  Diagnostics errors;
  progress.begin("cubature between domains", std::ssize(choices));
  parallel_tasks(std::ssize(choices), [&](Index i) {
    InterfaceChoice& own = choices[to_size(i)];
    Quiet quiet(progress);
    if (own.interface.elements.size() <= kFewElements) {
      own.choice = everything(own.interface);
    } else {
      const ElementsBetween elements(whole, points, body, own.interface, poses);
      Result<CubatureChoice> choice =
          choose(elements, own.interface, std::ssize(poses), held_out, settings, quiet);
      const std::lock_guard lock(reporting);
      if (choice)
        own.choice = std::move(choice).value();
      else
        errors = choice.errors();
    }
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  if (!errors.empty()) return errors;
  return choices;
}

namespace {

/// The error of a choice with factors by kind, as that of uniform weights is measured.
double work_error(const ElementsBetween& elements, const std::vector<MatrixX>& forces,
                  std::span<const double> scales, const InterfaceChoice& choice) {
  const std::vector<std::vector<Index>> kinds = kinds_of(elements.slots());
  double left = 0.0, all = 0.0;
  for (std::size_t pose = 0; pose < forces.size(); ++pose) {
    if (!(scales[pose] > 0.0)) continue;
    const VectorX exact = forces[pose].rightCols<1>();
    VectorX rest = exact;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (std::size_t i = 0; i < choice.choice.points.size(); ++i)
        for (const Index row : kinds[k])
          rest[row] -= choice.choice.weights[static_cast<Index>(i)] * factor_of(choice, i, k) *
                       forces[pose](row, static_cast<Index>(i));
    left += (elements.metric() * rest).squaredNorm() / (scales[pose] * scales[pose]);
    all += (elements.metric() * exact).squaredNorm() / (scales[pose] * scales[pose]);
  }
  return all > 0.0 ? std::sqrt(left / all) : 0.0;
}

}  // namespace

void weigh_kinds(const ElasticBody& whole, const CoupledBody& body, const std::vector<CoupledPose>& poses,
                 Index held_out, InterfaceChoice& choice) {
  const BodyPoints points(whole);
  const ElementsBetween elements(whole, points, body, choice.interface, poses);
  std::vector<Index> all(choice.interface.elements.size());
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<Index>& chosen = choice.choice.points;
  const Index fitted = elements.directions() + std::ssize(poses) - held_out;
  std::vector<MatrixX> forces, other;  // in poses fitted, and in those held out
  std::vector<double> scales(to_size(fitted)), other_scales(to_size(held_out));
  for (Index pose = 0; pose < fitted; ++pose)
    forces.push_back(forces_in(elements, pose, all, chosen, &scales[to_size(pose)]));
  for (Index pose = 0; pose < held_out; ++pose)
    other.push_back(forces_in(elements, fitted + pose, all, chosen, &other_scales[to_size(pose)]));
  const std::size_t domains = choice.interface.domains.size();
  if (held_out >= std::ssize(poses)) return;
  choice.kinds.assign(chosen.size(), {std::vector<double>(domains, 1.0)});
  const std::vector<std::vector<Index>> kinds = kinds_of(elements.slots());
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (kinds[k].empty()) continue;
    const VectorX weights = fit_kind(std::span(forces).subspan(to_size(elements.directions())), kinds[k]);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      KindWeights& own = choice.kinds[i];
      double& factor = k < domains ? own.coordinates[k] : (k == domains ? own.force : own.torque);
      factor = weights[static_cast<Index>(i)] / choice.choice.weights[static_cast<Index>(i)];
    }
  }
  choice.choice.curve.push_back({std::ssize(chosen), work_error(elements, forces, scales, choice),
                                 work_error(elements, other, other_scales, choice)});
}

double published_error(const ElasticBody& whole, const CoupledBody& body, const InterfaceChoice& choice,
                       const std::vector<CoupledPose>& poses) {
  const BodyPoints points(whole);
  const ElementsBetween elements(whole, points, body, choice.interface, poses);
  std::vector<Index> all(choice.interface.elements.size());
  std::iota(all.begin(), all.end(), Index{0});
  struct Part {
    Index at, size;
    std::size_t kind;  // as kinds_of() has them
  };
  std::vector<Part> parts;  // resultants, moments, coordinates
  const std::size_t domains = choice.interface.domains.size();
  for (std::size_t i = 0; i < choice.interface.domains.size(); ++i) {
    const Index at = elements.slots().starts[i], frame = elements.slots().frames[i];
    for (Index k = 0; k < frame; k += 3) parts.push_back({at + k, 3, domains + (k < 3 ? 0 : 1)});
    parts.push_back({at + frame, elements.slots().starts[i + 1] - at - frame, i});
  }
  double sum = 0.0;
  for (Index pose = 0; pose < std::ssize(poses); ++pose) {
    const MatrixX forces = forces_in(elements, elements.directions() + pose, all, choice.choice.points);
    const VectorX exact = forces.rightCols<1>();
    for (const auto& [at, size, kind] : parts) {
      VectorX left = exact.segment(at, size);
      for (std::size_t i = 0; i < choice.choice.points.size(); ++i)
        left -= choice.choice.weights[static_cast<Index>(i)] * factor_of(choice, i, kind) *
                forces.col(static_cast<Index>(i)).segment(at, size);
      sum += left.squaredNorm() / std::max(exact.segment(at, size).squaredNorm(), 1e-300) /
             static_cast<double>(parts.size());
    }
  }
  return std::sqrt(sum / static_cast<double>(std::max<Index>(1, std::ssize(poses))));
}

CoupledBody with_coupling(const CoupledBody& body, const ElasticBody& whole, std::span<const Index> places,
                          std::span<const double> weights, std::span<const KindWeights> kinds) {
  CoupledBody few = body;
  few.all_coupling = {body.coupling_elements, body.coupling_vertices, body.coupling};
  few.coupling_elements.clear();
  few.coupling_weights.assign(weights.begin(), weights.end());
  few.coupling_kinds.assign(kinds.begin(), kinds.end());
  MaterialMap map{body.coupling->materials(), {}};
  for (const Index place : places) {
    const Index e = body.coupling_elements[to_size(place)];
    few.coupling_elements.push_back(e);
    map.of_element.push_back(whole.materials().of_element.empty() ? 0
                                                                  : whole.materials().of_element[to_size(e)]);
  }
  CouplingMesh part = kinds.empty() ? coupling_mesh(whole.mesh(), few.coupling_elements, body.domain_of)
                                    : separate_elements(whole.mesh(), few.coupling_elements);
  few.coupling_vertices = std::move(part.vertices);
  const auto elastic = std::make_shared<const ElasticBody>(std::move(part.mesh), std::move(map));
  few.coupling =
      make_element_forces(elastic)->with_materials(body.coupling->materials(), few.coupling_weights);
  return few;
}

}  // namespace pliant
