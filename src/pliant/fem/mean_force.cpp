#include "pliant/fem/mechanics.hpp"

namespace pliant {
namespace {

/// Calls use(gradients, weight, H0, H1) at each integration point: displacement gradients of two shapes.
template <int N, class Use>
void for_each_pair(const ElementBatch<N>& batch, ConstVectorRef u0, ConstVectorRef u1, const Use& use) {
  Pack4 d[N - 1][3];
  Pack4 e[N - 1][3];
  gather_differences<N>(batch, u0.data(), d);
  gather_differences<N>(batch, u1.data(), e);
  for_each_point(batch, [&](const Pack4 g[N][3], const Pack4& w) {
    Pack4 H0[9];
    Pack4 H1[9];
    displacement_gradient<N>(d, g, H0);
    displacement_gradient<N>(e, g, H1);
    use(g, w, H0, H1);
  });
}

}  // namespace

void ElasticBody::mean_force(ConstVectorRef u0, ConstVectorRef u1, VectorRef f) const {
  const Parts& p = *parts_;
  p.mechanics().assemble_vector(f, [&](const auto& batch, const LawGroup& group, auto& forces) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    for_each_pair<kN>(
        batch, u0, u1, [&](const Pack4 g[kN][3], const Pack4& w, const Pack4 H0[9], const Pack4 H1[9]) {
          Pack4 P[9];
          if (group.pointwise)
            pointwise_mean_stress<kN>(batch, p.materials.materials, p.materials.of_element, false, H0, H1, P,
                                      nullptr);
          else
            with_mean_kernel(group.law, batch.lambda, batch.mu,
                             [&](const auto& law) { law(MeanStrain<Pack4>(H0, H1), P, nullptr); });
          add_force<kN>(P, g, w, forces);
        });
  });
}

void ElasticBody::mean_force_and_tangent(ConstVectorRef u0, ConstVectorRef u1, TangentKind kind, VectorRef f,
                                         SparseMatrix& K) const {
  const Parts& p = *parts_;
  const bool projected = kind == TangentKind::kProjected;
  p.mechanics().assemble_matrix(
      f.data(), K, [&](const auto& batch, const LawGroup& group, auto& forces, auto& blocks) {
        constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
        const bool pointwise = group.pointwise || (projected && group.law != Law::kLinear);
        for_each_pair<kN>(
            batch, u0, u1, [&](const Pack4 g[kN][3], const Pack4& w, const Pack4 H0[9], const Pack4 H1[9]) {
              Pack4 P[9];
              Pack4 A[81];
              if (pointwise)
                pointwise_mean_stress<kN>(batch, p.materials.materials, p.materials.of_element, projected, H0,
                                          H1, P, A);
              else
                with_mean_kernel(group.law, batch.lambda, batch.mu,
                                 [&](const auto& law) { law(MeanStrain<Pack4>(H0, H1), P, A); });
              add_force<kN>(P, g, w, forces);
              add_tangent<kN>(A, g, w, blocks);
            });
      });
}

}  // namespace pliant
