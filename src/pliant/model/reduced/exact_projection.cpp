#include "pliant/model/reduced/exact_projection.hpp"

#include "pliant/fem/elastic_body.hpp"

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

class ExactForces final : public ReducedForces {
 public:
  ExactForces(std::shared_ptr<const ElasticBody> elastic, std::shared_ptr<const ReducedBody> body)
      : elastic_(std::move(elastic)), body_(std::move(body)), K_(elastic_->make_matrix()) {
    u_.resize(elastic_->dof_count());
    f_.resize(elastic_->dof_count());
    KU_.resize(elastic_->dof_count(), body_->size());
  }

  double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) override {
    const MatrixX& U = body_->basis.shapes;
    u_.noalias() = U * q;
    if (!u_.allFinite() || !elastic_->admissible(u_)) return std::numeric_limits<double>::infinity();
    elastic_->force_and_tangent(u_, TangentKind::kExact, f_, K_);
    f.noalias() = U.transpose() * f_;
    KU_.noalias() = K_.selfadjointView<Eigen::Lower>() * U;
    K.noalias() = U.transpose() * KU_;
    return elastic_->energy(u_);
  }

  double evaluate(ConstVectorRef q, VectorRef f) override {
    const MatrixX& U = body_->basis.shapes;
    u_.noalias() = U * q;
    if (!u_.allFinite() || !elastic_->admissible(u_)) return std::numeric_limits<double>::infinity();
    elastic_->internal_force(u_, f_);
    f.noalias() = U.transpose() * f_;
    return elastic_->energy(u_);
  }

  void set_materials(std::span<const Material> materials) override {
    MaterialMap map = elastic_->materials();
    map.materials.assign(materials.begin(), materials.end());
    elastic_ = std::make_shared<const ElasticBody>(elastic_->mesh(), std::move(map));
  }

  /// Element sums cancel at places where nothing holds against them.
  [[nodiscard]] double rounding() const override { return 100.0 * std::numeric_limits<double>::epsilon(); }

 private:
  std::shared_ptr<const ElasticBody> elastic_;
  std::shared_ptr<const ReducedBody> body_;
  VectorX u_, f_;
  SparseMatrix K_;
  MatrixX KU_;
};

}  // namespace

std::unique_ptr<ReducedForces> exact_forces(std::shared_ptr<const ElasticBody> elastic,
                                            std::shared_ptr<const ReducedBody> body) {
  return std::make_unique<ExactForces>(std::move(elastic), std::move(body));
}

FullSpace::FullSpace(std::shared_ptr<const ElasticBody> elastic, std::shared_ptr<const ReducedBody> body)
    : elastic_(std::move(elastic)), body_(std::move(body)) {}

const VolumeMesh& FullSpace::mesh() const { return elastic_->mesh(); }
const std::vector<Material>& FullSpace::materials() const { return elastic_->materials().materials; }
const VectorX& FullSpace::rest_positions() const { return elastic_->rest_positions(); }

VectorX FullSpace::project(ConstVectorRef field) const {
  VectorX momentum(field.size());
  elastic_->apply_mass(field, momentum);
  return body_->basis.shapes.transpose() * momentum;
}

void FullSpace::apply_mass(ConstVectorRef field, VectorRef y) const { elastic_->apply_mass(field, y); }
VectorX FullSpace::von_mises(ConstVectorRef u) const { return elastic_->von_mises(u); }

void FullSpace::set_materials(const std::vector<Material>& materials) {
  MaterialMap map = elastic_->materials();
  map.materials = materials;
  elastic_ = std::make_shared<const ElasticBody>(elastic_->mesh(), std::move(map));
}

/// The elements around the supports as a body of their own.
struct SupportForces::Patch {
  std::vector<VertexId> vertices;             // of the whole body, ascending
  std::vector<std::vector<Index>> supported;  // per support: places in `vertices`
  std::unique_ptr<ElasticBody> elastic;
  MatrixX shapes;  // rows of U
};

SupportForces::SupportForces(const FullSpace& full, const ReducedBody& body,
                             const std::vector<Support>& supports)
    : patch_(std::make_unique<Patch>()) {
  const ElasticBody& whole = full.elastic();
  const VolumeMesh& mesh = whole.mesh();
  std::vector<char> held(to_size(mesh.vertex_count()), 0);
  for (const Support& support : supports)
    for (const VertexId v : support.vertices) held[to_size(v)] = 1;
  const auto touches = [&](const auto& element) {
    return std::any_of(element.begin(), element.end(), [&](VertexId v) { return held[to_size(v)] != 0; });
  };
  VolumeMesh part;
  MaterialMap map{whole.materials().materials, {}};
  const auto tets = std::ssize(mesh.tets);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const auto keep = [&](const auto& element, auto& list, auto& labels) {
      if (!touches(element)) return;
      list.push_back(element);
      labels.push_back(0);
      map.of_element.push_back(
          whole.materials().of_element.empty() ? 0 : whole.materials().of_element[to_size(e)]);
      patch_->vertices.insert(patch_->vertices.end(), element.begin(), element.end());
    };
    if (e < tets)
      keep(mesh.tets[to_size(e)], part.tets, part.tet_labels);
    else
      keep(mesh.hexes[to_size(e - tets)], part.hexes, part.hex_labels);
  }
  std::vector<VertexId>& vertices = patch_->vertices;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto place = [&](VertexId v) {
    return std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin();
  };
  for (Tet& tet : part.tets)
    for (VertexId& v : tet) v = static_cast<VertexId>(place(v));
  for (Hex& hex : part.hexes)
    for (VertexId& v : hex) v = static_cast<VertexId>(place(v));
  patch_->shapes.resize(3 * std::ssize(vertices), body.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    part.vertices.push_back(mesh.vertices[to_size(vertices[i])]);
    patch_->shapes.middleRows<3>(3 * static_cast<Index>(i)) =
        body.basis.shapes.middleRows<3>(3 * static_cast<Index>(vertices[i]));
  }
  for (const Support& support : supports) {
    patch_->supported.emplace_back();
    for (const VertexId v : support.vertices) {
      const auto i = place(v);
      if (i < static_cast<std::ptrdiff_t>(vertices.size()) && vertices[to_size(i)] == v)
        patch_->supported.back().push_back(i);
    }
  }
  patch_->elastic = std::make_unique<ElasticBody>(std::move(part), std::move(map));
}

SupportForces::~SupportForces() = default;

std::vector<Vector6> SupportForces::wrenches(ConstVectorRef q, const Vector3& origin,
                                             const std::function<Vector3(VertexId)>& acceleration,
                                             const std::function<Vector3(VertexId)>& load) const {
  const VectorX u = patch_->shapes * q;
  VectorX force(u.size());
  patch_->elastic->internal_force(u, force);
  VectorX field(u.size());
  for (std::size_t i = 0; i < patch_->vertices.size(); ++i)
    field.segment<3>(3 * static_cast<Index>(i)) = acceleration(patch_->vertices[i]);
  VectorX inertia(u.size());
  patch_->elastic->apply_mass(field, inertia);
  force += inertia;
  std::vector<Vector6> result;
  for (const std::vector<Index>& support : patch_->supported) {
    Vector6 wrench = Vector6::Zero();
    for (const Index i : support) {
      const VertexId vertex = patch_->vertices[to_size(i)];
      const Vector3 f = force.segment<3>(3 * i) - load(vertex);
      const Vector3 y = patch_->elastic->rest_positions().segment<3>(3 * i) + u.segment<3>(3 * i) - origin;
      wrench.head<3>() += f;
      wrench.tail<3>() += y.cross(f);
    }
    result.push_back(wrench);
  }
  return result;
}

}  // namespace pliant
