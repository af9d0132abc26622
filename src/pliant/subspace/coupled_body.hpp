// subspace/coupled_body.hpp — a body whose vertices belong to domains, joined by the elements between them
// [WuMukherjeeWang2015].
//
// All vertices of an inner element belong to one domain, which reduces it. The other elements couple two or
// more domains and are evaluated as they are. A free domain has a rigid frame, a domain that holds vertices
// of supports stands (or follows their motion).
//
// The mass of a domain is the consistent mass of its vertices; an entry between vertices of two domains is
// added to the diagonal of its row (Eq. C1). So kinetic energy is a sum over domains, and the total mass is
// exact.
#pragma once

#include "pliant/subspace/element_forces.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/reduced_body.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// How a step in time is solved: by Newton's method, or by one linear solve for all unknowns, or for frames
/// and then for coordinates: as published, for comparison.
enum class CoupledScheme { kNewton, kOneStep, kTwoStep };

struct CoupledDomain {
  std::string name;
  bool full = false;      // every vertex moves on its own, in world axes: no frame, and `reduced` no shapes
  bool anchored = false;  // some of its vertices are held: it has no frame of its own
  std::vector<VertexId> vertices;              // of the whole mesh, ascending: the rows of the basis
  std::vector<Index> elements;                 // inner elements, of the whole mesh, ascending
  std::shared_ptr<const ReducedBody> reduced;  // its origin + shift: the centre of the domain's mass
  Vector3 shift = Vector3::Zero();             // of this domain from the one whose reduced body it shares
  std::shared_ptr<const ElementLoops>
      loops;  // of the inner elements, over `vertices`; null: polynomials alone

  /// The centre of the domain's mass at rest: where its frame is.
  [[nodiscard]] Vector3 origin() const { return reduced->origin + shift; }
};

/// Elements between domains, their vertices (of the whole mesh, by domains, ascending in each) and forces.
struct CouplingElements {
  std::vector<Index> elements;
  std::vector<VertexId> vertices;
  std::shared_ptr<const ElementForces> forces;
};

/// Factors on what a coupling element does: to the coordinates of each of its domains (ascending), to the
/// motion and to the turn of their frames.
struct KindWeights {
  std::vector<double> coordinates;
  double force = 1.0, torque = 1.0;
};

struct CoupledBody {
  std::shared_ptr<const RestBody> rest;  // the whole body
  std::vector<CoupledDomain> domains;
  std::vector<Index> domain_of;                // per vertex; −1 if no element uses it
  std::vector<VertexId> row_of;                // per vertex: its place in the vertices of its domain
  std::vector<std::pair<Index, Index>> pairs;  // domains that share coupling elements, first < second, sorted

  std::vector<VertexId> coupling_vertices;        // of the coupling elements, by domains, ascending in each
  std::vector<Index> coupling_elements;           // of the whole mesh, ascending
  std::shared_ptr<const ElementForces> coupling;  // their forces; vertex i is coupling_vertices[i]
  // With cubature the above are few elements that stand for all: factors on the energy of each, contained in
  // `coupling`; and all coupling elements, for stresses.
  std::vector<double> coupling_weights;
  CouplingElements all_coupling;
  // For comparison: different factors on each kind of their forces. Then each element has vertices of its own
  // in `coupling`, and coupling_vertices lists them element by element.
  std::vector<KindWeights> coupling_kinds;

  CouplingElements full;       // all elements whose vertices all belong to full domains
  std::vector<VertexId> held;  // vertices of supports, ascending

  // A model divides full domains into cells, which come after the reduced ones: first those of held vertices.
  std::vector<Index> owner;   // of each domain and cell: its number before; empty: nothing is divided
  std::vector<Index> joined;  // per vertex: its domain, all full ones as one; empty: none is full

  /// Which vertices share mass: domains, all full ones as one.
  [[nodiscard]] const std::vector<Index>& mass_domains() const { return joined.empty() ? domain_of : joined; }
  [[nodiscard]] Index owner_of(Index part) const { return owner.empty() ? part : owner[to_size(part)]; }
};

/// The mass of Eq. C1 for all vertices, n × n, full symmetric storage: no entry joins two domains. Elements
/// of quadratic tets that couple domains count by their lumped mass, since their row sums may be negative.
/// `domain_of`: CoupledBody::mass_domains().
[[nodiscard]] SparseMatrix domain_mass(const RestBody& body, const std::vector<Index>& domain_of);

}  // namespace pliant
