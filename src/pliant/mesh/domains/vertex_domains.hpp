// mesh/domains/vertex_domains.hpp — a body divided into domains of vertices, joined by the elements between.
//
//     labels, conditions, number ──► VertexMap ──vertex_domains──► VertexDomains
//                                    (as asked)    (cleaned)
//
// Every vertex belongs to one domain. An element whose vertices all belong to one domain is an inner element
// of it; every other one is a coupling element of two or more domains (a tet of at most 4, a hex of 8, a
// quadratic tet of 4). Domains may form rings [WuMukherjeeWang2015] §4.1.
//
// Quadratic tets: only corners are assigned and counted when domains are cut. A midside vertex goes to the
// domain of its ends, or to the one with the smaller number. On a cut edge it can have no inner element,
// whatever its domain: all elements at it have both ends. So forces of inner elements do not hold it.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/domains/domains.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pliant {

/// Which vertex shall belong to which domain. Vertices that no element uses have −1.
struct VertexMap {
  std::vector<std::string> names;
  std::vector<Index> of_vertex;

  [[nodiscard]] Index count() const { return std::ssize(names); }
};

/// One domain per label: a vertex has every label of its elements and belongs to the smallest. Names as in
/// domains_from_labels.
Result<VertexMap> vertex_map_from_labels(const VolumeMesh& mesh);

/// Conditions as in select_vertices; the first that holds wins. Errors: kMissing for vertices that no
/// condition claims (how many, and where the first one is); key "domain NAME" for a condition that holds for
/// no vertex, or only for vertices that earlier conditions have claimed.
Result<VertexMap> vertex_map_from_selections(const VolumeMesh& mesh,
                                             std::span<const NamedSelection> selections);

/// A domain after cleaning.
struct VertexDomain {
  std::string name;
  std::vector<VertexId> vertices;  // ascending; with midside vertices
  std::vector<Index> elements;     // its inner elements, ascending: connected through faces, never empty
  std::vector<VertexId> held;      // its vertices that are held or moved, ascending
  std::vector<Index> supports;     // lists of held vertices that `held` comes from, ascending
  std::vector<Index> neighbours;   // domains that share a coupling element with it, ascending
  double volume = 0.0;             // m³: each element's in equal parts to its corners
  bool can_turn = true;            // fewer than three of its vertices are held, or they are on a line

  /// An anchored domain moves with what holds it; a free one has a frame.
  [[nodiscard]] bool anchored() const { return !held.empty(); }
};

/// Two domains and the coupling elements that touch both.
struct DomainPair {
  std::array<Index, 2> domains;  // ascending
  std::vector<Index> coupling;   // indices into VertexDomains::coupling, ascending
};

/// A clean partition: every vertex (but midside vertices of cut edges) has an inner element of its domain,
/// and the inner elements of each domain are connected through faces.
struct VertexDomains {
  std::vector<VertexDomain> domains;
  std::vector<Index> of_vertex;           // −1: used by no element
  std::vector<Index> of_element;          // the domain of an inner element, −1 for a coupling element
  std::vector<Index> coupling;            // coupling elements, ascending
  std::vector<Index> coupling_starts{0};  // domains of coupling[i]: from coupling_starts[i] to [i + 1]
  std::vector<Index> coupling_domains;
  std::vector<DomainPair> pairs;  // sorted by domains; an element of three domains is in three pairs
  Index moved = 0;                // corners that cleaning gave to another domain
  Diagnostics notes;              // key "domain NAME", "domains", or none

  [[nodiscard]] Index count() const { return std::ssize(domains); }
  /// The domains of coupling[i], ascending: two or more.
  [[nodiscard]] std::span<const Index> domains_of(Index i) const {
    const auto begin = to_size(coupling_starts[to_size(i)]);
    return std::span(coupling_domains).subspan(begin, to_size(coupling_starts[to_size(i) + 1]) - begin);
  }
};

/// Lists of vertices that are held or moved together, one per support; a vertex is in one list only.
using HeldLists = std::span<const std::vector<VertexId>>;

/// Cleans a map that a user gave, and lists what follows from it. A corner without an inner element of its
/// domain moves to the neighbouring domain that gives it one, of several to the one with most vertices of its
/// elements. If there is none, it moves to the one with most vertices, or the other corners of an element
/// follow it. Scraps that share no face with the rest of their domain (at most three vertices or a twentieth
/// of it) move likewise, and so do held vertices that leave their domain free to turn (fewer than three, or
/// on a line) if an anchored domain next to them gives them an inner element at once. Errors: kInconsistent
/// with key "domain NAME" for a domain in several parts that share no face, or without any inner element;
/// kInconsistent with key "vertex N" for vertices that no neighbouring domain can take. Does not depend on
/// the number of threads.
Result<VertexDomains> vertex_domains(const VolumeMesh& mesh, const ElementGraph& graph, const VertexMap& map,
                                     HeldLists held);

/// About `count` compact domains of similar volume, named "part 0", "part 1", ..., and cleaned: whatever is
/// not connected is given to neighbours. Fewer than `count`, with a note, where the mesh is too coarse.
/// Errors: no elements (kMissing), count < 1 (kOutOfRange), a mesh in more parts that share no face than
/// `count` (kUnsupported), parts that share only vertices or edges and cannot be told apart (kInconsistent).
Result<VertexDomains> automatic_vertex_domains(const VolumeMesh& mesh, const ElementGraph& graph, Index count,
                                               HeldLists held);

}  // namespace pliant
