// reduce/domain_patch.hpp — a domain of `coupled` with the elements around it: all that its basis depends on.
//
// Elements with all vertices in the domain are its inner elements. The first ring around it are the other
// elements that touch it; each further ring touches the one before. Where the patch is cut out of the body,
// the vertices are grouped by the domain that they lie in: forces from that side enter there.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/material/material_map.hpp"
#include "pliant/mesh/core/submesh.hpp"
#include "pliant/reduce/attachment_modes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Elements at each vertex, and how large the body is.
class VertexElements {
 public:
  explicit VertexElements(const VolumeMesh& mesh);
  [[nodiscard]] std::span<const Index> at(VertexId v) const {
    return std::span(elements_).subspan(to_size(starts_[to_size(v)]),
                                        to_size(starts_[to_size(v) + 1] - starts_[to_size(v)]));
  }
  /// Diagonal of the box around the body.
  [[nodiscard]] double size() const { return size_; }

 private:
  std::vector<Index> starts_, elements_;
  double size_ = 0.0;
};

struct DomainPatch {
  SubMesh part;                // inner elements and at least one ring, without labels of faces
  Index rings = 0;             // of elements around the domain that take part in the basis; 0: none
  MaterialMap materials;       // of the part
  std::vector<char> own;       // per vertex of the part: it belongs to the domain
  std::vector<VertexId> held;  // of the part, ascending
  bool chain = false;          // at most two interfaces, and narrow ones: a piece of something slender
  std::vector<Patch> cuts;     // vertices of the part
};

/// How many rings make a patch about as deep as the interfaces of the domain are wide: what is cut off then
/// hardly matters (Saint-Venant), however fine the mesh. From the third on, a ring must leave half of the
/// body outside. `inner` are its inner elements.
[[nodiscard]] Index deep_rings(const VolumeMesh& mesh, const VertexElements& elements_at,
                               const std::vector<Index>& domain_of, Index domain,
                               const std::vector<Index>& inner);

/// The patch of the domain with the inner elements `inner`. `bare` is the mesh of the body without labelled
/// faces, with a label for each element. `held` is ascending.
[[nodiscard]] DomainPatch cut_patch(const VolumeMesh& bare, const VertexElements& elements_at,
                                    const MaterialMap& materials, const std::vector<Index>& domain_of,
                                    const std::vector<VertexId>& held, Index domain,
                                    const std::vector<Index>& inner, Index rings);

/// The translation from `a` to `b` if the patches are the same but for it (to 1e-9 of their size): elements
/// in the same order with the same materials, the same vertices held, the same cuts.
[[nodiscard]] std::optional<Vector3> translation(const DomainPatch& a, const DomainPatch& b);

/// Everything about a patch that translation() compares exactly, hashed.
[[nodiscard]] std::string pattern_hash(const DomainPatch& patch);

/// Three of the points are not on one line.
[[nodiscard]] bool exclude_rotation(const VolumeMesh& mesh, const std::vector<VertexId>& held);

}  // namespace pliant
