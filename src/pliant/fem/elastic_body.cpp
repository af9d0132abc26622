#include "pliant/fem/elastic_body.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/fem/mechanics.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

namespace pliant {
namespace {

/// Splits the vertices into `count` parts by recursive bisection across the longest side. This keeps the
/// borders between parts short, and elements on a border are computed twice.
void bisect(const VolumeMesh& mesh, std::vector<VertexId>& order, Index begin, Index end, int first_part,
            int count, std::vector<int>& part_of) {
  if (count == 1) {
    for (Index i = begin; i < end; ++i) part_of[to_size(order[to_size(i)])] = first_part;
    return;
  }
  Vector3 low = Vector3::Constant(1e300);
  Vector3 high = -low;
  for (Index i = begin; i < end; ++i) {
    const Vector3& x = mesh.vertices[to_size(order[to_size(i)])];
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  Index axis = 0;
  (high - low).maxCoeff(&axis);
  // Sizes in the ratio left : count − left, so that any number of parts comes out even.
  const int left = count / 2;
  const Index middle = begin + (end - begin) * left / count;
  std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                   [&](VertexId a, VertexId b) {
                     const double xa = mesh.vertices[to_size(a)][axis];
                     const double xb = mesh.vertices[to_size(b)][axis];
                     return xa < xb || (xa == xb && a < b);  // ties by number: the split is deterministic
                   });
  bisect(mesh, order, begin, middle, first_part, left, part_of);
  bisect(mesh, order, middle, end, first_part + left, count - left, part_of);
}

}  // namespace

Mechanics::Mechanics(const VolumeMesh& mesh, const MaterialMap& materials) : pattern(mesh) {
  const Index n = mesh.vertex_count();
  // A part of less than 64 vertices would be mostly border.
  const int count = std::max(1, std::min(thread_count(), static_cast<int>(n / 64)));
  std::vector<VertexId> order(to_size(n));
  std::iota(order.begin(), order.end(), 0);
  std::vector<int> part_of(to_size(n), 0);
  bisect(mesh, order, 0, n, 0, count, part_of);
  parts.resize(to_size(count));
  for (Index v = 0; v < n; ++v)
    parts[to_size(part_of[to_size(v)])].vertices.push_back(static_cast<VertexId>(v));
  for (AssemblyPart& part : parts) {
    std::vector<char> owned(to_size(n), 0);
    for (const VertexId v : part.vertices) owned[to_size(v)] = 1;
    part.groups = make_batches(mesh, materials.materials, materials.of_element, pattern, owned);
  }
  if (count > 1) {
    const std::vector<char> everything(to_size(n), 1);
    whole = make_batches(mesh, materials.materials, materials.of_element, pattern, everything);
  }
}

ElasticBody::ElasticBody(VolumeMesh mesh, MaterialMap materials)
    : RestBody(std::move(mesh), std::move(materials)),
      parts_(std::make_unique<Parts>(RestBody::mesh(), RestBody::materials())) {}

ElasticBody::~ElasticBody() = default;

std::shared_ptr<const ElasticBody> ElasticBody::with_materials(std::span<const Material> materials) const {
  MaterialMap map = RestBody::materials();
  map.materials.assign(materials.begin(), materials.end());
  return std::make_shared<const ElasticBody>(mesh(), std::move(map));
}

SparseMatrix ElasticBody::make_matrix() const { return parts_->mechanics().pattern.make_matrix(); }

/// Σ w Ψ(F). Kernels take H = F − 1, which keeps their accuracy at small strain (docs/theory/materials.md).
double ElasticBody::energy(ConstVectorRef u) const {
  const Parts& p = *parts_;
  return p.mechanics().sum_over_elements([&](const auto& batch, const LawGroup& group, Pack4& total) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    gather_differences<kN>(batch, u.data(), d);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 H[9];
      displacement_gradient<kN>(d, g, H);
      // All four lanes at once if the law has a kernel, otherwise one lane at a time.
      if (!group.pointwise) {
        total += w * with_kernel(group.law, batch.lambda, batch.mu,
                                 [&](const auto& law) { return law.energy(H); });
        return;
      }
      Pack4 F[9];
      kernel::deformation_gradient(H, F);
      for (int lane = 0; lane < batch.count; ++lane) {
        const Material& m = material(batch.element[to_size(lane)]);
        total[lane] += w[lane] * energy_density(m, lane_matrix(F, lane));
      }
    });
  });
}

bool ElasticBody::admissible(ConstVectorRef u) const {
  const Parts& p = *parts_;
  // Only Ψ of `neohookean` is infinite somewhere: where J ≤ 0.
  if (std::none_of(p.materials.materials.begin(), p.materials.materials.end(),
                   [](const Material& material) { return material.law == Law::kNeoHookean; }))
    return true;
  // Counts integration points with J ≤ 0 (or NaN).
  const double inadmissible =
      p.mechanics().sum_over_elements([&](const auto& batch, const LawGroup& group, Pack4& count) {
        if (group.law != Law::kNeoHookean || group.pointwise) return;
        constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
        Pack4 d[kN - 1][3];
        gather_differences<kN>(batch, u.data(), d);
        for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& /*w*/) {
          Pack4 F[9];
          Pack4 C[9];
          deformation_gradient<kN>(d, g, F);
          kernel::cofactor(F, C);
          const Pack4 J = F[0] * C[0] + F[1] * C[1] + F[2] * C[2];  // det F, by the first column
          for (int lane = 0; lane < kBatchLanes; ++lane) count[lane] += J[lane] > 0.0 ? 0.0 : 1.0;
        });
      });
  return inadmissible == 0.0;
}

void ElasticBody::internal_force(ConstVectorRef u, VectorRef f) const {
  const Parts& p = *parts_;
  p.mechanics().assemble_vector(f, [&](const auto& batch, const LawGroup& group, auto& forces) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    gather_differences<kN>(batch, u.data(), d);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 H[9];
      Pack4 P[9];
      displacement_gradient<kN>(d, g, H);
      if (group.pointwise)
        pointwise_stress_tangent<kN>(batch, p.materials.materials, p.materials.of_element, false, H, P,
                                     nullptr);
      else
        with_kernel(group.law, batch.lambda, batch.mu, [&](const auto& law) { law.stress(H, P); });
      add_force<kN>(P, g, w, forces);
    });
  });
}

void ElasticBody::force_and_tangent(ConstVectorRef u, TangentKind kind, VectorRef f, SparseMatrix& K) const {
  add_elements(u, kind, f.data(), K);
}

void ElasticBody::tangent(ConstVectorRef u, TangentKind kind, SparseMatrix& K) const {
  add_elements(u, kind, nullptr, K);
}

void ElasticBody::add_elements(ConstVectorRef u, TangentKind kind, double* f, SparseMatrix& K) const {
  const Parts& p = *parts_;
  const bool projected = kind == TangentKind::kProjected;
  p.mechanics().assemble_matrix(
      f, K, [&](const auto& batch, const LawGroup& group, auto& forces, auto& blocks) {
        constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
        // The linear law needs no projection: its tangent is positive semi-definite.
        const bool pointwise = group.pointwise || (projected && group.law != Law::kLinear);
        Pack4 d[kN - 1][3];
        gather_differences<kN>(batch, u.data(), d);
        for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
          Pack4 H[9];
          Pack4 P[9];
          Pack4 A[81];
          displacement_gradient<kN>(d, g, H);
          if (pointwise)
            pointwise_stress_tangent<kN>(batch, p.materials.materials, p.materials.of_element, projected, H,
                                         P, A);
          else
            with_kernel(group.law, batch.lambda, batch.mu,
                        [&](const auto& law) { law.stress_tangent(H, P, A); });
          add_force<kN>(P, g, w, forces);
          add_tangent<kN>(A, g, w, blocks);
        });
      });
}

/// y_a = Σ w (A : ∇v) ∇N_a. Same assembly as the force, with the stress replaced by its derivative along v.
void ElasticBody::apply_tangent(ConstVectorRef u, ConstVectorRef v, VectorRef y) const {
  const Parts& p = *parts_;
  p.mechanics().assemble_vector(y, [&](const auto& batch, const LawGroup& group, auto& forces) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    Pack4 e[kN - 1][3];
    gather_differences<kN>(batch, u.data(), d);
    gather_differences<kN>(batch, v.data(), e);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 H[9];
      Pack4 V[9];
      Pack4 P[9];
      Pack4 A[81];
      displacement_gradient<kN>(d, g, H);
      displacement_gradient<kN>(e, g, V);
      if (group.pointwise)
        pointwise_stress_tangent<kN>(batch, p.materials.materials, p.materials.of_element, false, H, P, A);
      else
        with_kernel(group.law, batch.lambda, batch.mu, [&](const auto& law) { law.stress_tangent(H, P, A); });
      // dP = A : ∇v, written over the stress, which is not needed here.
      for (int ij = 0; ij < 9; ++ij) {
        P[ij] = A[ij] * V[0];
        for (int kl = 1; kl < 9; ++kl) P[ij] += A[ij + 9 * kl] * V[kl];
      }
      add_force<kN>(P, g, w, forces);
    });
  });
}

/// Eq. F9.
void ElasticBody::force_second_derivative_at_rest(ConstVectorRef a, ConstVectorRef b, VectorRef y) const {
  const Parts& p = *parts_;
  p.mechanics().assemble_vector(y, [&](const auto& batch, const LawGroup& group, auto& forces) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    Pack4 e[kN - 1][3];
    gather_differences<kN>(batch, a.data(), d);
    gather_differences<kN>(batch, b.data(), e);
    for_each_rest_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 A[9];
      Pack4 B[9];
      Pack4 P[9];
      displacement_gradient<kN>(d, g, A);
      displacement_gradient<kN>(e, g, B);
      if (group.law == Law::kStvk)
        StvkKernel<Pack4>{batch.lambda, batch.mu}.second_derivative_at_rest(A, B, P);
      // Unused lanes repeat a real element, so all four can be evaluated.
      for (int lane = 0; lane < kBatchLanes && group.law != Law::kStvk; ++lane) {
        const Material& m = material(batch.element[to_size(lane)]);
        const Matrix3 second =
            stress_second_derivative_at_rest(m, lane_matrix(A, lane), lane_matrix(B, lane));
        for (int i = 0; i < 9; ++i) P[i][lane] = second.data()[i];
      }
      add_force<kN>(P, g, w, forces);
    });
  });
}

SparseMatrix ElasticBody::mass_matrix() const {
  SparseMatrix result = make_matrix();
  const SparseMatrix& m = mass();
  // The n × n mass is stored in full, the result only as a lower triangle. Block (a, b) is M_ab times the
  // identity.
  for (Index column = 0; column < m.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(m, column); it; ++it) {
      if (it.row() < column) continue;
      for (Index k = 0; k < 3; ++k) result.coeffRef(3 * it.row() + k, 3 * column + k) = it.value();
    }
  return result;
}

VectorX ElasticBody::von_mises(ConstVectorRef u) const {
  const Parts& p = *parts_;
  VectorX result = VectorX::Zero(p.mesh.element_count());
  VectorX weight = VectorX::Zero(p.mesh.element_count());
  // Only the loop is used: the lambda leaves the sum at zero. Each element belongs to one batch, so no two
  // threads write to the same entry.
  (void)p.mechanics().sum_over_elements([&](const auto& batch, const LawGroup& group, Pack4& /*unused*/) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    gather_differences<kN>(batch, u.data(), d);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 H[9];
      Pack4 F[9];
      Pack4 P[9];
      displacement_gradient<kN>(d, g, H);
      kernel::deformation_gradient(H, F);
      if (group.pointwise)
        pointwise_stress_tangent<kN>(batch, p.materials.materials, p.materials.of_element, false, H, P,
                                     nullptr);
      else
        with_kernel(group.law, batch.lambda, batch.mu, [&](const auto& law) { law.stress(H, P); });
      const Pack4 stress = pliant::von_mises(group.law, F, P);
      for (int lane = 0; lane < batch.count; ++lane) {
        const Index element = batch.element[to_size(lane)];
        result[element] += w[lane] * stress[lane];
        weight[element] += w[lane];
      }
    });
  });
  return result.cwiseQuotient(weight);  // mean over the points, weighted by w
}

}  // namespace pliant
