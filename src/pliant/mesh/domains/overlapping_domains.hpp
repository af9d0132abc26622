// mesh/domains/overlapping_domains.hpp — seeds on the vertices of a mesh, and how far their domains reach.
//
// Every vertex belongs to the segment of the seed that is nearest along edges. Segments that share an element
// are neighbours, so whatever meets in a vertex is (segments that shared only faces would leave vertices
// where many meet without any domain). The domain of a seed is its segment and those around it; domains
// overlap [LuoEtAl2018] §5.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Up to so many domains, each reaches everywhere.
inline constexpr Index kGlobalDomains = 8;

struct OverlappingDomains {
  std::vector<VertexId> seeds;
  std::vector<Index> segment_of;               // per vertex; −1 if no element uses it
  std::vector<std::vector<Index>> neighbours;  // of each segment, ascending
  std::vector<std::vector<Index>> reach;       // segments of each domain, its own included, ascending
  Diagnostics notes;                           // key "domains"

  [[nodiscard]] Index count() const { return std::ssize(seeds); }
  /// One flag per vertex: whether the domain may move it.
  [[nodiscard]] std::vector<char> support(Index domain) const;
  /// The same for what is held: as far as domains with such seeds would reach.
  [[nodiscard]] std::vector<char> support_of_held(std::span<const VertexId> held) const;
};

/// Domains about the vertices nearest to `places`. `held`: vertices that cannot be seeds. Errors (key
/// "domains"): no places, two seeds at one vertex, parts of the mesh without a seed, no vertex left free.
Result<OverlappingDomains> domains_about(const VolumeMesh& mesh, std::span<const Vector3> places,
                                         std::span<const VertexId> held, Index rings = 2);

/// About the centres of `count` compact cells of equal volume (Lloyd's iteration on the mesh), or fewer if
/// there are not so many vertices.
Result<OverlappingDomains> automatic_overlapping_domains(const VolumeMesh& mesh, Index count,
                                                         std::span<const VertexId> held, Index rings = 2);

}  // namespace pliant
