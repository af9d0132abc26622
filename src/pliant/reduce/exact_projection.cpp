#include "pliant/reduce/exact_projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr Index kPanel = 48;  // rows of a product

class ExactForces final : public ReducedForces {
 public:
  ExactForces(std::shared_ptr<const ElasticBody> elastic, std::shared_ptr<const ReducedBody> body)
      : elastic_(std::move(elastic)), body_(std::move(body)), K_(elastic_->make_matrix()) {
    u_.resize(elastic_->dof_count());
    start_.resize(elastic_->dof_count());
    f_.resize(elastic_->dof_count());
    KU_.resize(elastic_->dof_count(), body_->size());
    find_rest_scale();
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    const MatrixX& U = body_->basis.shapes;
    u_.noalias() = U * q;
    if (!u_.allFinite() || !elastic_->admissible(u_)) return std::numeric_limits<double>::infinity();
    elastic_->force_and_tangent(u_, TangentKind::kExact, f_, K_);
    project(f, K);
    return elastic_->energy(u_);
  }

  double evaluate(ConstVectorRef q, VectorRef f) override {
    return force(q, f) ? elastic_->energy(u_) : std::numeric_limits<double>::infinity();
  }

  bool force(ConstVectorRef q, VectorRef f) override {
    const MatrixX& U = body_->basis.shapes;
    u_.noalias() = U * q;
    if (!u_.allFinite() || !elastic_->admissible(u_)) return false;
    elastic_->internal_force(u_, f_);
    f.noalias() = U.transpose() * f_;
    return true;
  }

  /// Uᵀ times the mean force of the elements: its work is that on U (q1 − q0).
  double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) override {
    const MatrixX& U = body_->basis.shapes;
    start_.noalias() = U * q0;
    u_.noalias() = U * q1;
    if (!u_.allFinite() || !elastic_->admissible(u_)) return std::numeric_limits<double>::infinity();
    elastic_->mean_force_and_tangent(start_, u_, TangentKind::kExact, f_, K_);
    project(f, K);
    return elastic_->energy(u_);
  }

  void set_materials(std::span<const Material> materials) override {
    elastic_ = elastic_->with_materials(materials);
    find_rest_scale();
  }

  /// Element sums cancel at places where nothing holds against them.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }
  [[nodiscard]] double rest_scale() const override { return rest_scale_; }

 private:
  void project(VectorRef f, MatrixRef K) {
    const MatrixX& U = body_->basis.shapes;
    f.noalias() = U.transpose() * f_;
    KU_.noalias() = K_.selfadjointView<Eigen::Lower>() * U;
    // In panels of so few rows that the product needs no memory of its own.
    K.setZero();
    for (Index begin = 0; begin < U.rows(); begin += kPanel) {
      const Index count = std::min(kPanel, U.rows() - begin);
      K.noalias() += U.middleRows(begin, count).transpose() * KU_.middleRows(begin, count);
    }
  }

  void find_rest_scale() {
    const double size = std::cbrt(elastic_->volume() / static_cast<double>(elastic_->mesh().element_count()));
    u_.setZero();
    elastic_->force_and_tangent(u_, TangentKind::kExact, f_, K_);
    for (Index i = 0; i < K_.cols(); ++i) f_[i] = K_.valuePtr()[K_.outerIndexPtr()[i]];  // its diagonal
    rest_scale_ = size * (f_.asDiagonal() * body_->basis.shapes).norm();
  }

  std::shared_ptr<const ElasticBody> elastic_;
  std::shared_ptr<const ReducedBody> body_;
  VectorX u_, start_, f_;
  SparseMatrix K_;
  MatrixX KU_;
  double rest_scale_ = 0.0;
};

/// The elements around the supports as a body of their own.
class ExactSupportForces final : public SupportForces {
 public:
  ExactSupportForces(const ElasticBody& whole, const ReducedBody& body,
                     const std::vector<std::vector<VertexId>>& supports);
  [[nodiscard]] std::vector<Vector6> wrenches(ConstVectorRef q, const Vector3& origin,
                                              const std::function<Vector3(VertexId)>& acceleration,
                                              const std::function<Vector3(VertexId)>& load) const override;

 private:
  std::vector<VertexId> vertices_;             // of the whole body, ascending
  std::vector<std::vector<Index>> supported_;  // per support: places in vertices_
  std::unique_ptr<ElasticBody> elastic_;
  MatrixX shapes_;  // rows of U
};

ExactSupportForces::ExactSupportForces(const ElasticBody& whole, const ReducedBody& body,
                                       const std::vector<std::vector<VertexId>>& supports) {
  const VolumeMesh& mesh = whole.mesh();
  std::vector<char> held(to_size(mesh.vertex_count()), 0);
  for (const std::vector<VertexId>& support : supports)
    for (const VertexId v : support) held[to_size(v)] = 1;
  const auto touches = [&](const auto& element) {
    return std::any_of(element.begin(), element.end(), [&](VertexId v) { return held[to_size(v)] != 0; });
  };
  VolumeMesh part;
  MaterialMap map{whole.materials().materials, {}};
  std::size_t e = 0;
  const auto keep = [&](const auto& all, auto& list, auto& labels) {
    for (const auto& element : all) {
      const std::size_t number = e++;
      if (!touches(element)) continue;
      list.push_back(element);
      labels.push_back(0);
      map.of_element.push_back(whole.materials().of_element.empty() ? 0
                                                                    : whole.materials().of_element[number]);
      vertices_.insert(vertices_.end(), element.begin(), element.end());
    }
  };
  keep(mesh.tets, part.tets, part.tet_labels);
  keep(mesh.hexes, part.hexes, part.hex_labels);
  keep(mesh.tet10s, part.tet10s, part.tet10_labels);
  std::vector<VertexId>& vertices = vertices_;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto place = [&](VertexId v) {
    return std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin();
  };
  for_each_kind(part, [&](auto& elements, const auto& /*labels*/) {
    for (auto& element : elements)
      for (VertexId& v : element) v = static_cast<VertexId>(place(v));
  });
  shapes_.resize(3 * std::ssize(vertices), body.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    part.vertices.push_back(mesh.vertices[to_size(vertices[i])]);
    shapes_.middleRows<3>(3 * static_cast<Index>(i)) =
        body.basis.shapes.middleRows<3>(3 * static_cast<Index>(vertices[i]));
  }
  for (const std::vector<VertexId>& support : supports) {
    supported_.emplace_back();
    for (const VertexId v : support) {
      const auto i = place(v);
      if (i < static_cast<std::ptrdiff_t>(vertices.size()) && vertices[to_size(i)] == v)
        supported_.back().push_back(i);
    }
  }
  elastic_ = std::make_unique<ElasticBody>(std::move(part), std::move(map));
}

std::vector<Vector6> ExactSupportForces::wrenches(ConstVectorRef q, const Vector3& origin,
                                                  const std::function<Vector3(VertexId)>& acceleration,
                                                  const std::function<Vector3(VertexId)>& load) const {
  const VectorX u = shapes_ * q;
  VectorX force(u.size());
  elastic_->internal_force(u, force);
  VectorX field(u.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i)
    field.segment<3>(3 * static_cast<Index>(i)) = acceleration(vertices_[i]);
  VectorX inertia(u.size());
  elastic_->apply_mass(field, inertia);
  force += inertia;
  std::vector<Vector6> result;
  for (const std::vector<Index>& support : supported_) {
    Vector6 wrench = Vector6::Zero();
    for (const Index i : support) {
      const VertexId vertex = vertices_[to_size(i)];
      const Vector3 f = force.segment<3>(3 * i) - load(vertex);
      const Vector3 y = elastic_->rest_positions().segment<3>(3 * i) + u.segment<3>(3 * i) - origin;
      wrench.head<3>() += f;
      wrench.tail<3>() += y.cross(f);
    }
    result.push_back(wrench);
  }
  return result;
}

class ExactLoops final : public ElementLoops {
 public:
  explicit ExactLoops(std::shared_ptr<const ElasticBody> elastic) : elastic_(std::move(elastic)) {}

  [[nodiscard]] std::unique_ptr<ReducedForces> forces(
      std::shared_ptr<const ReducedBody> body) const override {
    return std::make_unique<ExactForces>(elastic_, std::move(body));
  }
  [[nodiscard]] std::unique_ptr<SupportForces> support_forces(
      const ReducedBody& body, const std::vector<std::vector<VertexId>>& supports) const override {
    return std::make_unique<ExactSupportForces>(*elastic_, body, supports);
  }
  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const override { return elastic_->von_mises(u); }
  [[nodiscard]] std::shared_ptr<const ElementLoops> with_materials(
      const std::vector<Material>& materials) const override {
    return make_element_loops(elastic_->with_materials(materials));
  }

 private:
  std::shared_ptr<const ElasticBody> elastic_;
};

}  // namespace

std::shared_ptr<const ElementLoops> make_element_loops(std::shared_ptr<const ElasticBody> elastic) {
  return std::make_shared<const ExactLoops>(std::move(elastic));
}

}  // namespace pliant
