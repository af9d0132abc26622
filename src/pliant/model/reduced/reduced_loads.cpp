#include "pliant/model/reduced/reduced_loads.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// Every vertex that a load names, ascending, once.
std::vector<VertexId> touched_vertices(const std::vector<Load>& loads) {
  std::vector<VertexId> touched;
  const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
    for (const BoundaryFace& face : faces) for_each_vertex(face, [&](VertexId v) { touched.push_back(v); });
  };
  for (const Load& load : loads) {
    if (const auto* force = std::get_if<VertexForce>(&load.what))
      touched.insert(touched.end(), force->vertices.begin(), force->vertices.end());
    if (const auto* pressure = std::get_if<Pressure>(&load.what)) add_faces(pressure->faces);
    if (const auto* wind = std::get_if<Wind>(&load.what)) add_faces(wind->faces);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

/// The loads with vertices numbered by their position in `vertices`.
std::vector<Load> renumbered(std::vector<Load> loads, const std::vector<VertexId>& vertices) {
  const auto local = [&](VertexId& v) {
    v = static_cast<VertexId>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  const auto renumber_faces = [&](std::vector<BoundaryFace>& faces) {
    for (BoundaryFace& face : faces) for_each_vertex(face, local);
  };
  for (Load& load : loads) {
    if (auto* force = std::get_if<VertexForce>(&load.what))
      for (VertexId& v : force->vertices) local(v);
    if (auto* pressure = std::get_if<Pressure>(&load.what)) renumber_faces(pressure->faces);
    if (auto* wind = std::get_if<Wind>(&load.what)) renumber_faces(wind->faces);
  }
  return loads;
}

/// Lower triangle with a 3×3 block for each pair of vertices on a face.
SparseMatrix face_pattern(const std::vector<Load>& loads, Index vertices) {
  std::vector<Eigen::Triplet<double, int>> entries;
  const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
    std::vector<VertexId> corners;
    for (const BoundaryFace& face : faces) {
      corners.clear();
      for_each_vertex(face, [&](VertexId v) { corners.push_back(v); });
      for (const VertexId a : corners)
        for (const VertexId b : corners)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              const int row = 3 * static_cast<int>(a) + i;
              const int column = 3 * static_cast<int>(b) + j;
              if (row >= column) entries.emplace_back(row, column, 0.0);
            }
    }
  };
  for (const Load& load : loads) {
    if (const auto* pressure = std::get_if<Pressure>(&load.what)) add_faces(pressure->faces);
    if (const auto* wind = std::get_if<Wind>(&load.what)) add_faces(wind->faces);
  }
  SparseMatrix pattern(3 * vertices, 3 * vertices);
  pattern.setFromTriplets(entries.begin(), entries.end());
  return pattern;
}

bool equal(const BoundaryFace& a, const BoundaryFace& b) {
  return a.size() == b.size() && a.midsides == b.midsides &&
         std::equal(a.vertices.begin(), a.vertices.begin() + a.size(), b.vertices.begin());
}

bool equal(const std::vector<BoundaryFace>& a, const std::vector<BoundaryFace>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const BoundaryFace& one, const BoundaryFace& other) { return equal(one, other); });
}

bool equal(const VertexForce& a, const VertexForce& b) {
  return a.vertices == b.vertices && a.shares == b.shares && a.force == b.force;
}

bool equal(const Pressure& a, const Pressure& b) { return a.pascal == b.pascal && equal(a.faces, b.faces); }

bool equal(const Wind& a, const Wind& b) {
  return a.velocity == b.velocity && a.gust == b.gust && a.gust_period == b.gust_period && a.drag == b.drag &&
         a.air_density == b.air_density && a.seed == b.seed && a.tolerance == b.tolerance &&
         equal(a.faces, b.faces);
}

bool equal(const Load& a, const Load& b) {
  if (a.what.index() != b.what.index() || a.table.t != b.table.t || a.table.scale != b.table.scale)
    return false;
  return std::visit(
      [&](const auto& what) { return equal(what, std::get<std::decay_t<decltype(what)>>(b.what)); }, a.what);
}

/// Removes from the loads the winds that can be sampled, and returns them.
std::vector<LoadPlan::SampledWind> take_winds(std::vector<Load>& loads, const std::vector<Vector3>& vertices,
                                              const ReducedBody& body) {
  std::vector<LoadPlan::SampledWind> winds;
  std::erase_if(loads, [&](Load& load) {
    auto* wind = std::get_if<Wind>(&load.what);
    if (wind == nullptr) return false;
    std::optional<WindSamples> samples =
        WindSamples::fit(weighted_triangles(wind->faces), vertices, body, wind->tolerance);
    if (!samples) return false;
    const Gusts gusts(*wind);
    wind->faces.clear();
    winds.push_back({std::move(*wind), load.table, gusts, std::move(*samples)});
    return true;
  });
  return winds;
}

}  // namespace

LoadPlan::LoadPlan(std::vector<Load> all, const std::vector<Vector3>& vertices, const ReducedBody& body,
                   Faces faces)
    : loads(std::move(all)), forces({}) {
  std::vector<Load> others = loads;
  if (faces == Faces::kSampled) winds = take_winds(others, vertices, body);
  touched = touched_vertices(others);
  others = renumbered(std::move(others), touched);
  const auto t = std::ssize(touched);
  shapes.resize(3 * t, body.size());
  rest.resize(3 * t);
  for (Index i = 0; i < t; ++i) {
    const VertexId v = touched[to_size(i)];
    shapes.middleRows<3>(3 * i) = body.basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    rest.segment<3>(3 * i) = vertices[to_size(v)] - body.origin;
  }
  pattern = face_pattern(others, t);
  forces = LoadForces(std::move(others));
}

std::size_t LoadPlan::bytes() const {
  const auto numbers = to_size(shapes.size() + rest.size() + 2 * pattern.nonZeros());
  std::size_t sum = numbers * sizeof(double);
  for (const SampledWind& wind : winds) sum += wind.samples.bytes();
  return sum;
}

std::shared_ptr<const LoadPlan> LoadPlans::plan(std::vector<Load> loads, const std::vector<Vector3>& vertices,
                                                const ReducedBody& body) {
  for (const Entry& entry : entries_)
    if (entry.body == &body &&
        std::equal(loads.begin(), loads.end(), entry.plan->loads.begin(), entry.plan->loads.end(),
                   [](const Load& a, const Load& b) { return equal(a, b); }))
      return entry.plan;
  entries_.push_back(
      {&body, std::make_shared<const LoadPlan>(std::move(loads), vertices, body, LoadPlan::Faces::kSampled)});
  return entries_.back().plan;
}

void ReducedLoads::Fields::resize(Index size) {
  for (VectorX* field : {&shape, &position, &velocity, &force})
    if (field->size() < size) *field = VectorX::Zero(size);
}

ReducedLoads::ReducedLoads(std::vector<Load> loads, const std::vector<Vector3>& vertices,
                           const ReducedBody& body, LoadPlan::Faces faces)
    : plan_(std::make_shared<const LoadPlan>(std::move(loads), vertices, body, faces)), has_tangent_(true) {
  fields_.resize(plan_->rest.size());
  for (const LoadPlan::SampledWind& wind : plan_->winds)
    normals_.emplace_back(VectorX::Zero(4 * wind.samples.size()));
  if (!plan_->forces.follow()) return;
  tangent_ = plan_->pattern;
  turned_.resize(plan_->shapes.rows(), body.size());
  product_.resize(plan_->shapes.rows(), body.size());
}

void ReducedLoads::add_forces(double time, LoadForces::Clock clock, const RigidFrame& frame, ConstVectorRef q,
                              ConstVectorRef qd, VectorRef force, Vector6& wrench) {
  for (std::size_t i = 0; i < plan_->winds.size(); ++i) {
    const LoadPlan::SampledWind& one = plan_->winds[i];
    one.samples.add_forces({one.wind, one.gusts, LoadForces::strength(one.table, time, clock), time}, frame,
                           q, qd, force, wrench, has_tangent_ ? normals_[i].data() : nullptr);
  }
  if (plan_->touched.empty()) return;
  // Thousands of copies of a class share their plan; they also share the fields of their thread.
  thread_local Fields shared;
  Fields& fields = has_tangent_ ? fields_ : shared;
  fields.resize(plan_->rest.size());
  add_exact_forces(time, clock, frame, q, qd, force, wrench, fields);
}

void ReducedLoads::add_exact_forces(double time, LoadForces::Clock clock, const RigidFrame& frame,
                                    ConstVectorRef q, ConstVectorRef qd, VectorRef force, Vector6& wrench,
                                    Fields& fields) const {
  const Index size = plan_->rest.size();
  auto shape = fields.shape.head(size), position = fields.position.head(size);
  auto velocity = fields.velocity.head(size), pull = fields.force.head(size);
  shape = plan_->rest;
  shape.noalias() += plan_->shapes * q;
  if (plan_->forces.follow()) {
    velocity.noalias() = plan_->shapes * qd;
    const Vector3 v = frame.twist.head<3>();
    const Vector3 w = frame.twist.tail<3>();
    for (Index i = 0; i < size; i += 3) {
      const Vector3 y = shape.segment<3>(i);
      const Vector3 relative = velocity.segment<3>(i);
      position.segment<3>(i) = frame.position + frame.rotation * y;
      velocity.segment<3>(i) = frame.rotation * (v + w.cross(y) + relative);
    }
  }
  pull.setZero();
  plan_->forces.add_forces(time, clock, position, velocity, pull);
  for (Index i = 0; i < size; i += 3) {
    const Vector3 f = frame.rotation.transpose() * pull.segment<3>(i);
    pull.segment<3>(i) = f;
    wrench.head<3>() += f;
    wrench.tail<3>() += Vector3(shape.segment<3>(i)).cross(f);
  }
  force.noalias() += plan_->shapes.transpose() * pull;
}

void ReducedLoads::add_tangent(double time, LoadForces::Clock clock, const RigidFrame& frame,
                               double velocity_factor, MatrixRef K) {
  PLIANT_ASSERT(has_tangent_ || !follow());
  for (std::size_t i = 0; i < normals_.size(); ++i)
    plan_->winds[i].samples.add_tangent(normals_[i].data(), velocity_factor, K);
  if (!plan_->forces.follow()) return;
  Eigen::Map<VectorX>(tangent_.valuePtr(), tangent_.nonZeros()).setZero();
  plan_->forces.add_tangent(time, clock, fields_.position, fields_.velocity, velocity_factor, tangent_);
  // K += (QU)ᵀ T (QU), with T the lower triangle of a symmetric matrix.
  for (Index i = 0; i < std::ssize(plan_->touched); ++i)
    turned_.middleRows<3>(3 * i).noalias() = frame.rotation * plan_->shapes.middleRows<3>(3 * i);
  product_.setZero();
  for (Index column = 0; column < tangent_.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(tangent_, column); entry; ++entry) {
      product_.row(entry.row()) += entry.value() * turned_.row(column);
      if (entry.row() != column) product_.row(column) += entry.value() * turned_.row(entry.row());
    }
  K.noalias() += turned_.transpose() * product_;
}

Vector3 ReducedLoads::force_on(VertexId vertex) const {
  const auto found = std::lower_bound(plan_->touched.begin(), plan_->touched.end(), vertex);
  if (!has_tangent_ || found == plan_->touched.end() || *found != vertex) return Vector3::Zero();
  return fields_.force.segment<3>(3 * (found - plan_->touched.begin()));
}

}  // namespace pliant
