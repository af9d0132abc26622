#include "pliant/reduce/interface_springs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {
namespace {

struct Spring {
  Index a, b;  // vertices, a < b
  Vector3 rest;
};

/// Of an edge that has the length `length` now; the part across it is kept when it pulls, or if allowed.
Matrix3 stiffness_of(double k, const Vector3& edge, double rest, double length, bool projected) {
  const Vector3 n = edge / edge.norm();
  const double across = 1.0 - rest / length;
  return k * ((projected ? std::max(0.0, across) : across) * (Matrix3::Identity() - n * n.transpose()) +
              n * n.transpose());
}

class InterfaceSprings final : public ElementForces {
 public:
  InterfaceSprings(const ElasticBody& coupling, const std::vector<Index>& domains, double stiffness)
      : dofs_(coupling.dof_count()),
        elements_(coupling.mesh().element_count()),
        stiffness_(stiffness),
        materials_(coupling.materials().materials) {
    std::vector<std::pair<Index, Index>> edges;
    for (Index e = 0; e < elements_; ++e)
      for (const VertexId a : coupling.mesh().element_vertices(e))
        for (const VertexId b : coupling.mesh().element_vertices(e))
          if (a < b && domains[to_size(a)] != domains[to_size(b)]) edges.emplace_back(a, b);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    const VectorX& x = coupling.rest_positions();
    springs_.reserve(edges.size());
    for (const auto& [a, b] : edges) springs_.push_back({a, b, x.segment<3>(3 * b) - x.segment<3>(3 * a)});
    pattern_ = pattern();
  }

  [[nodiscard]] Index dof_count() const override { return dofs_; }

  [[nodiscard]] double energy(ConstVectorRef u) const override {
    double sum = 0.0;
    for (const Spring& spring : springs_)
      sum += 0.5 * stiffness_ * std::pow(edge(spring, u).norm() - spring.rest.norm(), 2);
    return sum;
  }

  [[nodiscard]] bool force(ConstVectorRef u, VectorRef f) const override {
    f.setZero();
    for (const Spring& spring : springs_) {
      const Vector3 d = edge(spring, u);
      if (!add(spring, stiffness_ * (1.0 - spring.rest.norm() / d.norm()) * d, f)) return false;
    }
    return true;
  }

  [[nodiscard]] bool mean_force(ConstVectorRef u0, ConstVectorRef u1, VectorRef f) const override {
    f.setZero();
    for (const Spring& spring : springs_)
      if (!add(spring, mean_pull(spring, u0, u1), f)) return false;
    return true;
  }

  [[nodiscard]] SparseMatrix make_matrix() const override { return pattern_; }

  [[nodiscard]] bool stiffness(ConstVectorRef u, bool projected, SparseMatrix& K) const override {
    std::fill_n(K.valuePtr(), K.nonZeros(), 0.0);
    for (const Spring& spring : springs_) {
      const Vector3 d = edge(spring, u);
      if (!(d.norm() > 0.0)) return false;
      add(spring, stiffness_of(stiffness_, d, spring.rest.norm(), d.norm(), projected), K);
    }
    return true;
  }

  [[nodiscard]] bool mean_force_and_stiffness(ConstVectorRef u0, ConstVectorRef u1, bool projected,
                                              VectorRef f, SparseMatrix& K) const override {
    f.setZero();
    std::fill_n(K.valuePtr(), K.nonZeros(), 0.0);
    for (const Spring& spring : springs_) {
      if (!add(spring, mean_pull(spring, u0, u1), f)) return false;
      const Vector3 d0 = edge(spring, u0), d1 = edge(spring, u1), middle = 0.5 * (d0 + d1);
      if (!(middle.norm() > 0.0)) return false;
      const double length = 0.5 * (d0.norm() + d1.norm());
      add(spring, stiffness_of(stiffness_, middle, spring.rest.norm(), length, projected), K);
    }
    return true;
  }

  [[nodiscard]] VectorX von_mises(ConstVectorRef /*u*/) const override {
    return VectorX::Constant(elements_, std::numeric_limits<double>::quiet_NaN());
  }
  [[nodiscard]] const std::vector<Material>& materials() const override { return materials_; }

  /// Springs do not depend on the material.
  [[nodiscard]] std::shared_ptr<const ElementForces> with_materials(
      const std::vector<Material>& materials, const std::vector<double>& /*factors*/) const override {
    auto same = std::make_shared<InterfaceSprings>(*this);
    same->materials_ = materials;
    return same;
  }

  InterfaceSprings(const InterfaceSprings& other)
      : dofs_(other.dofs_),
        elements_(other.elements_),
        stiffness_(other.stiffness_),
        springs_(other.springs_),
        pattern_(other.pattern_),
        materials_(other.materials_) {}
  InterfaceSprings& operator=(const InterfaceSprings&) = delete;
  ~InterfaceSprings() override = default;

 private:
  static Vector3 edge(const Spring& spring, ConstVectorRef u) {
    return spring.rest + u.segment<3>(3 * spring.b) - u.segment<3>(3 * spring.a);
  }

  /// f · (d₁ − d₀) = E₁ − E₀, along the mean edge: (E₁ − E₀)/(l₁ − l₀) · (d₀ + d₁)/(l₀ + l₁).
  [[nodiscard]] Vector3 mean_pull(const Spring& spring, ConstVectorRef u0, ConstVectorRef u1) const {
    const Vector3 d0 = edge(spring, u0), d1 = edge(spring, u1);
    const double sum = d0.norm() + d1.norm();
    return stiffness_ * (0.5 * sum - spring.rest.norm()) / sum * (d0 + d1);
  }

  /// `pull`: ∂E/∂d.
  static bool add(const Spring& spring, const Vector3& pull, VectorRef f) {
    f.segment<3>(3 * spring.b) += pull;
    f.segment<3>(3 * spring.a) -= pull;
    return pull.allFinite();
  }
  static void add(const Spring& spring, const Matrix3& block, SparseMatrix& K) {
    for (Index r = 0; r < 3; ++r)
      for (Index c = 0; c < 3; ++c) {
        K.coeffRef(3 * spring.b + r, 3 * spring.a + c) -= block(r, c);
        if (c > r) continue;
        K.coeffRef(3 * spring.a + r, 3 * spring.a + c) += block(r, c);
        K.coeffRef(3 * spring.b + r, 3 * spring.b + c) += block(r, c);
      }
  }

  [[nodiscard]] SparseMatrix pattern() const {
    std::vector<Eigen::Triplet<double, int>> places;
    const auto block = [&](Index a, Index b) {
      for (Index r = 0; r < 3; ++r)
        for (Index c = 0; c < (a == b ? r + 1 : 3); ++c)
          places.emplace_back(static_cast<int>(3 * a + r), static_cast<int>(3 * b + c), 0.0);
    };
    for (Index v = 0; v < dofs_ / 3; ++v) block(v, v);
    for (const Spring& spring : springs_) block(spring.b, spring.a);
    SparseMatrix K(dofs_, dofs_);
    K.setFromTriplets(places.begin(), places.end());
    return K;
  }

  Index dofs_, elements_;
  double stiffness_;
  std::vector<Spring> springs_;
  SparseMatrix pattern_;
  std::vector<Material> materials_;
};

}  // namespace

std::shared_ptr<const ElementForces> make_interface_springs(const ElasticBody& coupling,
                                                            const std::vector<Index>& domains,
                                                            double stiffness) {
  return std::make_shared<const InterfaceSprings>(coupling, domains, stiffness);
}

}  // namespace pliant
