// tests/reduce/coupled_rest.hpp — bodies of coupled domains at rest: small partitions, frequencies.
#pragma once

#include "pliant/fem/constrained_system.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/reduce/reduce_coupled.hpp"
#include "pliant/solve/eigenmodes.hpp"

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

namespace pliant::test {

inline Material soft(Law law = Law::kStvk) {
  Material material;
  material.law = law;
  material.young = 1e6;
  material.poisson = 0.3;
  material.density = 1000.0;
  return material;
}

/// The domain of each vertex by a function of its place; midside vertices go to the smaller of their ends.
inline std::vector<Index> domains_by(const VolumeMesh& mesh,
                                     const std::function<Index(const Vector3&)>& domain) {
  std::vector<Index> domain_of;
  for (const Vector3& x : mesh.vertices) domain_of.push_back(domain(x));
  for (const Tet10& tet : mesh.tet10s)
    for (std::size_t i = 0; i < 6; ++i)
      domain_of[to_size(tet[4 + i])] = std::min(domain_of[to_size(tet[to_size(kTet10Edges[i][0])])],
                                                domain_of[to_size(tet[to_size(kTet10Edges[i][1])])]);
  return domain_of;
}

inline std::vector<VertexId> vertices_where(const VolumeMesh& mesh,
                                            const std::function<bool(const Vector3&)>& where) {
  std::vector<VertexId> list;
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    if (where(mesh.vertices[to_size(v)])) list.push_back(static_cast<VertexId>(v));
  return list;
}

inline CoupledSource coupled_source(VolumeMesh mesh, std::vector<Index> domain_of, std::vector<VertexId> held,
                                    const DomainBasisSettings& settings, const Material& material = soft()) {
  CoupledSource source;
  Index count = 0;
  for (const Index d : domain_of) count = std::max(count, d + 1);
  for (Index d = 0; d < count; ++d) source.names.push_back("part " + std::to_string(d));
  source.elastic = std::make_shared<const ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
  source.domain_of = std::move(domain_of);
  source.held = std::move(held);
  source.settings.assign(to_size(count), settings);
  return source;
}

/// A beam of 1 × 0.2 × 0.1 m along x in equal slices, clamped at x = 0 when asked.
inline CoupledSource beam_source(Index domains, const DomainBasisSettings& settings, bool clamped = true,
                                 const std::array<Index, 3>& cells = {24, 4, 3},
                                 ElementKind kind = ElementKind::kTet, Law law = Law::kStvk) {
  VolumeMesh mesh = generate_box(Vector3(1.0, 0.2, 0.1), cells, kind);
  std::vector<Index> domain_of = domains_by(mesh, [&](const Vector3& x) {
    return std::min(domains - 1,
                    static_cast<Index>(std::floor(x.x() * static_cast<double>(domains) - 1e-9 + 1e-6)));
  });
  std::vector<VertexId> held;
  if (clamped) held = vertices_where(mesh, [](const Vector3& x) { return x.x() < 1e-9; });
  return coupled_source(std::move(mesh), std::move(domain_of), std::move(held), settings, soft(law));
}

/// J of all domains at rest: displacements of all vertices from (v, ω, q̇) of free and q̇ of anchored domains.
inline MatrixX rest_jacobian(const CoupledBody& body) {
  Index columns = 0;
  for (const CoupledDomain& domain : body.domains)
    columns += domain.reduced->size() + (domain.anchored ? 0 : 6);
  MatrixX J = MatrixX::Zero(body.rest->dof_count(), columns);
  Index column = 0;
  for (const CoupledDomain& domain : body.domains) {
    const Vector3 center = domain.reduced->origin + domain.shift;
    for (std::size_t i = 0; i < domain.vertices.size(); ++i) {
      const Index row = 3 * Index{domain.vertices[i]};
      Index at = column;
      if (!domain.anchored) {
        J.block<3, 3>(row, at).setIdentity();
        J.block<3, 3>(row, at + 3) =
            -cross_matrix(Vector3(body.rest->rest_positions().segment<3>(row) - center));
        at += 6;
      }
      J.block(row, at, 3, domain.reduced->size()) =
          domain.reduced->basis.shapes.middleRows<3>(3 * static_cast<Index>(i));
    }
    column += domain.reduced->size() + (domain.anchored ? 0 : 6);
  }
  return J;
}

inline SparseMatrix rest_stiffness(const ElasticBody& body) {
  SparseMatrix K = body.make_matrix();
  VectorX force(body.dof_count());
  body.force_and_tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, force, K);
  return K;
}

/// A mass of n × n as the lower triangle of 3n × 3n, in the pattern of the stiffness.
inline SparseMatrix spread(const ElasticBody& body, const SparseMatrix& mass) {
  SparseMatrix M = body.make_matrix();
  for (Index column = 0; column < mass.cols(); ++column)
    for (SparseMatrix::InnerIterator it(mass, column); it; ++it)
      for (Index k = 0; it.row() >= column && k < 3; ++k)
        M.coeffRef(3 * it.row() + k, 3 * column + k) = it.value();
  return M;
}

/// Frequencies, Hz, of the coupled body at rest; rigid motion included.
inline VectorX coupled_frequencies(const ElasticBody& elastic, const CoupledBody& body) {
  const MatrixX J = rest_jacobian(body);
  const SparseMatrix K = rest_stiffness(elastic);
  const SparseMatrix M = spread(elastic, domain_mass(elastic, body.domain_of));
  const MatrixX Kr = J.transpose() * (K.selfadjointView<Eigen::Lower>() * J);
  const MatrixX Mr = J.transpose() * (M.selfadjointView<Eigen::Lower>() * J);
  return generalized_eigen(Kr, Mr)->values.cwiseMax(0.0).cwiseSqrt() / (2.0 * std::numbers::pi);
}

/// The lowest frequencies, Hz, of the full body with a mass of n × n.
inline VectorX full_frequencies(const ElasticBody& elastic, const SparseMatrix& mass,
                                const std::vector<VertexId>& held, Index count) {
  std::vector<char> free(to_size(elastic.dof_count()), 1);
  for (const VertexId v : held) std::fill_n(free.begin() + 3 * static_cast<std::ptrdiff_t>(v), 3, char{0});
  const SparseMatrix K = rest_stiffness(elastic);
  const SparseMatrix M = spread(elastic, mass);
  ConstrainedSystem k(free, K), m(free, M);
  const double shift = 1e-4 * wave_scale(elastic);
  return lowest_eigenpairs(k.extract(K), m.extract(M), count, shift)
             .value()
             .values.cwiseMax(0.0)
             .cwiseSqrt() /
         (2.0 * std::numbers::pi);
}

/// The first `count` elastic frequencies of the coupled body over those of `full` with the same mass, and
/// over those with the consistent mass.
inline std::pair<VectorX, VectorX> frequency_ratios(const CoupledSource& source, const CoupledBody& body,
                                                    Index count) {
  const Index rigid = source.held.empty() ? 6 : 0;
  const ElasticBody& elastic = *source.elastic;
  const VectorX ours = coupled_frequencies(elastic, body).segment(rigid, count);
  const VectorX same =
      full_frequencies(elastic, domain_mass(elastic, body.domain_of), source.held, rigid + count).tail(count);
  const VectorX consistent =
      full_frequencies(elastic, elastic.mass(), source.held, rigid + count).tail(count);
  return {ours.cwiseQuotient(same), ours.cwiseQuotient(consistent)};
}

}  // namespace pliant::test
