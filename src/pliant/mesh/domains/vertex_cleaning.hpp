// mesh/domains/vertex_cleaning.hpp — makes each domain of vertices a body: connected, and held by elements.
#pragma once

#include "pliant/mesh/domains/vertex_domains.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The elements at each vertex, of which it is a corner.
struct CornerElements {
  std::vector<Index> starts;  // of vertex v: list[starts[v]] .. list[starts[v + 1]]
  std::vector<Index> list;

  explicit CornerElements(const VolumeMesh& mesh);
  [[nodiscard]] std::span<const Index> at(VertexId vertex) const {
    const auto begin = to_size(starts[to_size(vertex)]);
    return std::span(list).subspan(begin, to_size(starts[to_size(vertex) + 1]) - begin);
  }
};

/// Whether bodies held at these vertices cannot turn: at least three of them, not on a line.
[[nodiscard]] bool span_a_plane(const VolumeMesh& mesh, std::span<const VertexId> vertices);

/// The domain of an element whose corners all belong to one, otherwise −1.
[[nodiscard]] Index inner_domain(const VolumeMesh& mesh, std::span<const Index> of_vertex, Index element);

/// How domains that come out in pieces are treated.
enum class Scraps {
  kSmall,  // small ones are given away, large ones are an error: for domains that a user chose
  kAll,    // all but the largest piece are given away: for domains that the program found
};

/// See vertex_domains. Only corners move. Returns what cannot be cleaned; then `of_vertex` is of no use.
Diagnostics clean_vertices(const VolumeMesh& mesh, const ElementGraph& graph,
                           const std::vector<std::string>& names, HeldLists held, Scraps scraps,
                           std::vector<Index>& of_vertex);

}  // namespace pliant
