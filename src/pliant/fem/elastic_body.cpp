#include "pliant/fem/elastic_body.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/lazy.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/fem/element.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kBatchesPerBlock = 64;  // batches per task and per partial sum of an energy

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

/// The vertices that one thread adds to, and the elements that touch them.
struct Part {
  std::vector<VertexId> vertices;
  LawGroups groups;
};

/// What forces and stiffness are computed from.
struct Mechanics {
  BlockPattern pattern;
  std::vector<Part> parts;
  LawGroups whole;  // empty when there is one part: it is parts[0].groups then

  Mechanics(const VolumeMesh& mesh, const MaterialMap& materials);

  [[nodiscard]] const LawGroups& all() const { return parts.size() == 1 ? parts[0].groups : whole; }

  /// body(part): each part once, concurrently.
  template <class Body>
  void for_each_part(Body&& body) const {
    parallel_tasks(std::ssize(parts), [&](Index p) { body(parts[to_size(p)]); });
  }

  /// Sets the part's own entries of f to zero, then adds what element_force(batch, group, forces) computes.
  template <class ElementForce>
  void assemble_vector(VectorRef f, const ElementForce& element_force) const {
    for_each_part([&](const Part& part) {
      for (const VertexId v : part.vertices) f.segment<3>(3 * static_cast<Index>(v)).setZero();
      for (const LawGroup& group : part.groups) {
        const auto run = [&](const auto& batches) {
          for (const auto& batch : batches) {
            constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
            Pack4 forces[kN][3] = {};
            element_force(batch, group, forces);
            close_force<kN>(forces);
            scatter_force<kN>(batch, forces, f.data());
          }
        };
        run(group.tets);
        run(group.hexes);
        run(group.tet10s);
      }
    });
  }

  /// Sum over all elements of value(batch, group, lanes), in an order that depends on the mesh alone.
  template <class Value>
  double sum_over_elements(const Value& value) const {
    double total = 0.0;
    for (const LawGroup& group : all()) {
      const auto run = [&](const auto& batches) {
        const auto count = std::ssize(batches);
        std::vector<double> partial(to_size(block_count(count, kBatchesPerBlock)), 0.0);
        parallel_blocks(count, kBatchesPerBlock, [&](Index block, Index begin, Index end) {
          for (Index i = begin; i < end; ++i) {
            const auto& batch = batches[to_size(i)];
            Pack4 lanes = {};
            value(batch, group, lanes);
            // Within a block in order, then block by block: the same sum for any number of threads.
            for (int lane = 0; lane < batch.count; ++lane) partial[to_size(block)] += lanes[lane];
          }
        });
        total = std::accumulate(partial.begin(), partial.end(), total);
      };
      run(group.tets);
      run(group.hexes);
      run(group.tet10s);
    }
    return total;
  }
};

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
  for (Part& part : parts) {
    std::vector<char> owned(to_size(n), 0);
    for (const VertexId v : part.vertices) owned[to_size(v)] = 1;
    part.groups = make_batches(mesh, materials.materials, materials.of_element, pattern, owned);
  }
  if (count > 1) {
    const std::vector<char> everything(to_size(n), 1);
    whole = make_batches(mesh, materials.materials, materials.of_element, pattern, everything);
  }
}

}  // namespace

/// A body assembled of many copies of a class is never computed as a whole, so what only the whole body needs
/// is created on first use.
struct ElasticBody::Parts {
  const VolumeMesh& mesh;  // of the body that this is a part of
  const MaterialMap& materials;
  Lazy<Mechanics> lazy_mechanics;

  Parts(const VolumeMesh& m, const MaterialMap& map) : mesh(m), materials(map) {}

  [[nodiscard]] const Mechanics& mechanics() const {
    return lazy_mechanics.get([&] { return Mechanics(mesh, materials); });
  }
};

ElasticBody::ElasticBody(VolumeMesh mesh, MaterialMap materials)
    : RestBody(std::move(mesh), std::move(materials)),
      parts_(std::make_unique<Parts>(RestBody::mesh(), RestBody::materials())) {}

ElasticBody::~ElasticBody() = default;

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
  // Counts integration points with J ≤ 0 (or NaN). Only Ψ of `neohookean` is infinite there.
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
  const Parts& p = *parts_;
  const bool projected = kind == TangentKind::kProjected;
  // Each part writes only to the columns of its own vertices, so threads share the arrays without locks.
  const int* outer = K.outerIndexPtr();
  double* values = K.valuePtr();
  p.mechanics().for_each_part([&](const Part& part) {
    for (const VertexId v : part.vertices) {
      f.segment<3>(3 * static_cast<Index>(v)).setZero();
      std::fill(values + outer[3 * v], values + outer[3 * v + 3], 0.0);
    }
    for (const LawGroup& group : part.groups) {
      // The linear law needs no projection: its tangent is positive semi-definite.
      const bool pointwise = group.pointwise || (projected && group.law != Law::kLinear);
      const auto run = [&](const auto& batches) {
        for (const auto& batch : batches) {
          constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
          Pack4 d[kN - 1][3];
          Pack4 forces[kN][3] = {};
          Pack4 blocks[kN * (kN + 1) / 2][9] = {};
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
          close_force<kN>(forces);
          close_tangent<kN>(blocks);
          scatter_force<kN>(batch, forces, f.data());
          scatter_tangent<kN>(batch, blocks, outer, values);
        }
      };
      run(group.tets);
      run(group.hexes);
      run(group.tet10s);
    }
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
  p.mechanics().assemble_vector(y, [&](const auto& batch, const LawGroup& /*group*/, auto& forces) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    Pack4 e[kN - 1][3];
    gather_differences<kN>(batch, a.data(), d);
    gather_differences<kN>(batch, b.data(), e);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 A[9];
      Pack4 B[9];
      Pack4 P[9];
      displacement_gradient<kN>(d, g, A);
      displacement_gradient<kN>(e, g, B);
      // Unused lanes repeat a real element, so all four can be evaluated.
      for (int lane = 0; lane < kBatchLanes; ++lane) {
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
  (void)p.mechanics().sum_over_elements([&](const auto& batch, const LawGroup& /*group*/, Pack4& /*unused*/) {
    constexpr int kN = std::remove_cvref_t<decltype(batch)>::kVertices;
    Pack4 d[kN - 1][3];
    gather_differences<kN>(batch, u.data(), d);
    for_each_point(batch, [&](const Pack4 g[kN][3], const Pack4& w) {
      Pack4 F[9];
      deformation_gradient<kN>(d, g, F);
      for (int lane = 0; lane < batch.count; ++lane) {
        const Index element = batch.element[to_size(lane)];
        result[element] += w[lane] * pliant::von_mises(material(element), lane_matrix(F, lane));
        weight[element] += w[lane];
      }
    });
  });
  return result.cwiseQuotient(weight);  // mean over the points, weighted by w
}

}  // namespace pliant
