#include "pliant/reduce/element_forces.hpp"

#include <limits>
#include <map>
#include <utility>

namespace pliant {
namespace {

class BodyForces final : public ElementForces {
 public:
  explicit BodyForces(std::shared_ptr<const ElasticBody> elastic)
      : plain_(elastic), elastic_(std::move(elastic)) {}
  BodyForces(std::shared_ptr<const ElasticBody> plain, std::shared_ptr<const ElasticBody> elastic)
      : plain_(std::move(plain)), elastic_(std::move(elastic)) {}

  [[nodiscard]] Index dof_count() const override { return elastic_->dof_count(); }

  [[nodiscard]] double energy(ConstVectorRef u) const override {
    return defined(u) ? elastic_->energy(u) : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] bool force(ConstVectorRef u, VectorRef f) const override {
    if (!defined(u)) return false;
    elastic_->internal_force(u, f);
    return true;
  }
  [[nodiscard]] bool mean_force(ConstVectorRef u0, ConstVectorRef u1, VectorRef f) const override {
    if (!defined(u0) || !defined(u1)) return false;
    elastic_->mean_force(u0, u1, f);
    return true;
  }

  [[nodiscard]] SparseMatrix make_matrix() const override { return elastic_->make_matrix(); }
  [[nodiscard]] bool stiffness(ConstVectorRef u, bool projected, SparseMatrix& K) const override {
    if (!defined(u)) return false;
    elastic_->tangent(u, projected ? TangentKind::kProjected : TangentKind::kExact, K);
    return true;
  }

  [[nodiscard]] bool mean_force_and_stiffness(ConstVectorRef u0, ConstVectorRef u1, bool projected,
                                              VectorRef f, SparseMatrix& K) const override {
    if (!defined(u0) || !defined(u1)) return false;
    elastic_->mean_force_and_tangent(u0, u1, projected ? TangentKind::kProjected : TangentKind::kExact, f, K);
    return true;
  }

  [[nodiscard]] VectorX von_mises(ConstVectorRef u) const override { return elastic_->von_mises(u); }
  [[nodiscard]] const std::vector<Material>& materials() const override {
    return elastic_->materials().materials;
  }
  [[nodiscard]] std::shared_ptr<const ElementForces> with_materials(
      const std::vector<Material>& materials, const std::vector<double>& factors) const override {
    std::vector<Material> own = materials;
    for (std::size_t g = 0; g < own.size(); ++g)
      own[g].invertible =
          plain_->materials().materials[g].invertible;  // no constant, but a choice of the build
    return std::make_shared<const BodyForces>(plain_, scaled(own, factors));
  }
  [[nodiscard]] std::shared_ptr<const ElementForces> with_elements(
      const VolumeMesh& mesh, const std::vector<Index>& material_of) const override {
    return make_element_forces(
        std::make_shared<const ElasticBody>(mesh, MaterialMap{plain_->materials().materials, material_of}));
  }

 private:
  /// Elements of one material and factor get a material of their own.
  [[nodiscard]] std::shared_ptr<const ElasticBody> scaled(const std::vector<Material>& materials,
                                                          const std::vector<double>& factors) const {
    if (factors.empty()) return plain_->with_materials(materials);
    MaterialMap map{{}, plain_->materials().of_element};
    map.of_element.resize(factors.size(), 0);
    std::map<std::pair<Index, double>, Index> known;
    for (std::size_t e = 0; e < factors.size(); ++e) {
      const Index group = map.of_element[e];
      const auto [found, added] = known.try_emplace({group, factors[e]}, std::ssize(map.materials));
      map.of_element[e] = found->second;
      if (!added) continue;
      map.materials.push_back(materials[to_size(group)]);
      map.materials.back().young *= factors[e];
    }
    return std::make_shared<const ElasticBody>(plain_->mesh(), std::move(map));
  }
  [[nodiscard]] bool defined(ConstVectorRef u) const { return u.allFinite() && elastic_->admissible(u); }

  std::shared_ptr<const ElasticBody> plain_;    // whose materials are numbered as with_materials() takes them
  std::shared_ptr<const ElasticBody> elastic_;  // the same elements with factors
};

}  // namespace

std::shared_ptr<const ElementForces> make_element_forces(std::shared_ptr<const ElasticBody> elastic) {
  return std::make_shared<const BodyForces>(std::move(elastic));
}

}  // namespace pliant
