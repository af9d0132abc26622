#include "pliant/model/modal/reduced_loads.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// Every vertex that a load names, ascending, once.
std::vector<VertexId> touched_vertices(const std::vector<Load>& loads) {
  std::vector<VertexId> touched;
  const auto add_faces = [&](const std::vector<BoundaryFace>& faces) {
    for (const BoundaryFace& face : faces)
      for (std::size_t i = 0; i < static_cast<std::size_t>(face.size()); ++i)
        touched.push_back(face.vertices[i]);
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

std::vector<Load> renumbered(std::vector<Load> loads, const std::vector<VertexId>& vertices) {
  const auto local = [&](VertexId& v) {
    v = static_cast<VertexId>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  const auto renumber_faces = [&](std::vector<BoundaryFace>& faces) {
    for (BoundaryFace& face : faces)
      for (std::size_t i = 0; i < static_cast<std::size_t>(face.size()); ++i) local(face.vertices[i]);
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
    for (const BoundaryFace& face : faces)
      for (std::size_t a = 0; a < static_cast<std::size_t>(face.size()); ++a)
        for (std::size_t b = 0; b < static_cast<std::size_t>(face.size()); ++b)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
              const int row = 3 * static_cast<int>(face.vertices[a]) + i;
              const int column = 3 * static_cast<int>(face.vertices[b]) + j;
              if (row >= column) entries.emplace_back(row, column, 0.0);
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

}  // namespace

ReducedLoads::ReducedLoads(std::vector<Load> loads, const std::vector<Vector3>& vertices,
                           const ReducedBody& body)
    : vertices_(touched_vertices(loads)), forces_(renumbered(loads, vertices_)) {
  const auto t = static_cast<Index>(vertices_.size());
  shapes_.resize(3 * t, body.size());
  rest_.resize(3 * t);
  for (Index i = 0; i < t; ++i) {
    const VertexId v = vertices_[static_cast<std::size_t>(i)];
    shapes_.middleRows<3>(3 * i) = body.basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    rest_.segment<3>(3 * i) = vertices[static_cast<std::size_t>(v)] - body.origin;
  }
  for (VectorX* field : {&shape_, &position_, &velocity_, &force_}) *field = VectorX::Zero(3 * t);
  if (!forces_.follow()) return;
  tangent_ = face_pattern(renumbered(std::move(loads), vertices_), t);
  turned_.resize(3 * t, body.size());
  product_.resize(3 * t, body.size());
}

void ReducedLoads::set_forces(const std::vector<PointForce>& forces, const std::vector<Vector3>& vertices,
                              const ReducedBody& body) {
  held_ = forces;
  const auto h = static_cast<Index>(forces.size());
  held_shapes_.resize(3 * h, body.size());
  held_rest_.resize(3 * h);
  held_force_ = VectorX::Zero(3 * h);
  for (Index i = 0; i < h; ++i) {
    const VertexId v = forces[static_cast<std::size_t>(i)].vertex;
    held_shapes_.middleRows<3>(3 * i) = body.basis.shapes.middleRows<3>(3 * static_cast<Index>(v));
    held_rest_.segment<3>(3 * i) = vertices[static_cast<std::size_t>(v)] - body.origin;
  }
}

void ReducedLoads::add_held_forces(const RigidFrame& frame, ConstVectorRef q, VectorRef force,
                                   Vector6& wrench) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Index at = 3 * static_cast<Index>(i);
    const Vector3 f = frame.rotation.transpose() * held_[i].force;
    const Vector3 y = held_rest_.segment<3>(at) + held_shapes_.middleRows<3>(at) * q;
    held_force_.segment<3>(at) = f;
    force.noalias() += held_shapes_.middleRows<3>(at).transpose() * f;
    wrench.head<3>() += f;
    wrench.tail<3>() += y.cross(f);
  }
}

void ReducedLoads::add_forces(double time, LoadForces::Clock clock, const RigidFrame& frame, ConstVectorRef q,
                              ConstVectorRef qd, VectorRef force, Vector6& wrench) {
  add_held_forces(frame, q, force, wrench);
  if (vertices_.empty()) return;
  const auto t = static_cast<Index>(vertices_.size());
  shape_ = rest_;
  shape_.noalias() += shapes_ * q;
  if (forces_.follow()) {
    velocity_.noalias() = shapes_ * qd;
    const Vector3 v = frame.twist.head<3>();
    const Vector3 w = frame.twist.tail<3>();
    for (Index i = 0; i < t; ++i) {
      const Vector3 y = shape_.segment<3>(3 * i);
      const Vector3 relative = velocity_.segment<3>(3 * i);
      position_.segment<3>(3 * i) = frame.position + frame.rotation * y;
      velocity_.segment<3>(3 * i) = frame.rotation * (v + w.cross(y) + relative);
    }
  }
  force_.setZero();
  forces_.add_forces(time, clock, position_, velocity_, force_);
  for (Index i = 0; i < t; ++i) {
    const Vector3 f = frame.rotation.transpose() * force_.segment<3>(3 * i);
    force_.segment<3>(3 * i) = f;
    wrench.head<3>() += f;
    wrench.tail<3>() += Vector3(shape_.segment<3>(3 * i)).cross(f);
  }
  force.noalias() += shapes_.transpose() * force_;
}

void ReducedLoads::add_tangent(double time, LoadForces::Clock clock, const RigidFrame& frame,
                               double velocity_factor, MatrixRef K) {
  if (!forces_.follow()) return;
  Eigen::Map<VectorX>(tangent_.valuePtr(), tangent_.nonZeros()).setZero();
  forces_.add_tangent(time, clock, position_, velocity_, velocity_factor, tangent_);
  for (Index i = 0; i < static_cast<Index>(vertices_.size()); ++i)
    turned_.middleRows<3>(3 * i).noalias() = frame.rotation * shapes_.middleRows<3>(3 * i);
  product_.setZero();
  for (Index column = 0; column < tangent_.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(tangent_, column); entry; ++entry) {
      product_.row(entry.row()) += entry.value() * turned_.row(column);
      if (entry.row() != column) product_.row(column) += entry.value() * turned_.row(entry.row());
    }
  K.noalias() += turned_.transpose() * product_;
}

Vector3 ReducedLoads::force_on(VertexId vertex) const {
  Vector3 held = Vector3::Zero();
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (held_[i].vertex == vertex) held += held_force_.segment<3>(3 * static_cast<Index>(i));
  const auto found = std::lower_bound(vertices_.begin(), vertices_.end(), vertex);
  if (found == vertices_.end() || *found != vertex) return held;
  return held + force_.segment<3>(3 * (found - vertices_.begin()));
}

}  // namespace pliant
