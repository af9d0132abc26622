// reduce/reduce_coupled.hpp — from a body and a partition of its vertices to domains that are reduced.
//
//   body, domain of each vertex ──► plan_coupled ──► classes ──► ClassSource ──► CoupledBody
//                                  (patches cut out)          (each reduced once)
//
// Domains whose patches are equal but for a translation are one class [WuMukherjeeWang2015] §4.4: they share
// a reduced body, which is computed and kept once.
#pragma once

#include "pliant/reduce/domain_basis.hpp"
#include "pliant/subspace/coupled_body.hpp"

#include <functional>

namespace pliant {

/// A body of coupled domains before it is reduced.
struct CoupledSource {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<Index> domain_of;                // per vertex; of vertices that no element uses it is ignored
  std::vector<std::string> names;              // of the domains
  std::vector<VertexId> held;                  // by supports, fixed or driven
  std::vector<DomainBasisSettings> settings;   // per domain
  std::shared_ptr<const MatrixX> shapes = {};  // 3n × m, for domains whose basis is kShapes
  std::optional<double> springs = {};          // N/m, along edges between domains in place of the elements
  std::vector<char> full = {};                 // per domain: stays unreduced; empty: none does
  bool invertible_coupling = false;            // coupling elements resist inversion where their law can

  [[nodiscard]] bool is_full(Index domain) const { return !full.empty() && full[to_size(domain)] != 0; }
};

/// Domains that are equal but for a translation, as the first of them.
struct CoupledClass {
  std::string name;  // of the first domain
  DomainPatch patch;
  DomainBasisSettings settings;
};

struct CoupledPlan {
  CoupledSource source;
  std::vector<CoupledClass> classes;
  std::vector<Index> class_of;            // per domain; −1: full
  std::vector<Vector3> shift;             // per domain: from the first domain of its class
  std::vector<std::vector<Index>> inner;  // elements per domain, ascending
  std::vector<Index> coupling;            // elements, ascending
  std::vector<Index> full;                // elements all of whose vertices are in full domains, ascending
};

/// Errors: domains without a vertex or an inner element, vertices without an inner element of their domain
/// (midside vertices excepted), anchored domains that can turn about what holds them, settings. Keys are
/// "domain 'name'".
Result<CoupledPlan> plan_coupled(CoupledSource source, Progress& progress);

/// The inner elements of a class over the vertices of the domain.
[[nodiscard]] std::shared_ptr<const ElasticBody> inner_body(const CoupledClass& part);

/// Elements as a mesh of their own, vertices of one domain after those of another: threads that work on
/// different domains do not write to the same cache lines.
struct CouplingMesh {
  VolumeMesh mesh;
  std::vector<VertexId> vertices;  // of the whole mesh, by domains, ascending in each
};
[[nodiscard]] CouplingMesh coupling_mesh(const VolumeMesh& mesh, const std::vector<Index>& elements,
                                         const std::vector<Index>& domain_of);

/// Elements that share no vertices: each has its own, in the order of the elements.
[[nodiscard]] CouplingMesh separate_elements(const VolumeMesh& mesh, const std::vector<Index>& elements);

/// The coupling elements over their vertices.
[[nodiscard]] std::shared_ptr<const ElasticBody> coupling_body(const CoupledPlan& plan);

/// Basis, inertia and polynomials of a class.
Result<std::shared_ptr<const ReducedBody>> reduce_coupled_class(const CoupledPlan& plan,
                                                                const CoupledClass& part,
                                                                const ElasticBody& inner, Progress& progress);

/// Where reduced classes come from; several threads call it.
using ClassSource = std::function<Result<std::shared_ptr<const ReducedBody>>(
    const CoupledPlan&, const CoupledClass&, const ElasticBody& inner, Progress&)>;

/// All classes, concurrently. Errors name the domain.
Result<CoupledBody> reduce_coupled(const CoupledPlan& plan, Progress& progress,
                                   const ClassSource& source = reduce_coupled_class);

/// Plans, then reduces.
Result<CoupledBody> reduce_coupled(CoupledSource source, Progress& progress);

}  // namespace pliant
