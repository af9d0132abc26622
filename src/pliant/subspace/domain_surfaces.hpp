// subspace/domain_surfaces.hpp — what is drawn of a tree: the surface of each class, and how surfaces meet.
//
//     surface, embedded in the whole body ──make_domain_surfaces──► PartTables ──► a frame: TreeSurface
//
// A point of the surface belongs to one domain and moves as x = p + s Q (X + U q). Its rows of U are
// interpolated once, and all copies of a class share them. Where domains meet, their shapes do not agree
// exactly ([BarbicZhao2011] §5). A blend replaces points near joints by a fixed combination of themselves and
// of a few *samples*, which are points of the domains on both sides:
//
//     x ← keep x + Σ weight · sample
//
// C⁰ makes copies of an interface vertex one, in their middle; C¹ is a moving least squares fit through the
// vertices on both sides, faded in towards the joint, so that tangents meet as well (docs/theory/tree.md,
// "Drawing").
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/core/part_tables.hpp"
#include "pliant/subspace/tree_body.hpp"

namespace pliant {

/// How the surfaces of domains meet.
enum class SurfaceBlend {
  kNone,  // each domain as it is, with gaps
  kC0,    // without gaps
  kC1,    // without gaps and creases
};

/// `embedding`: of the surface's vertices in the mesh of the whole body. `cut`: domains that have come off
/// their parents (empty: none).
[[nodiscard]] PartTables make_domain_surfaces(const TreeBody& body, const SurfaceMesh& surface,
                                              const Embedding& embedding, SurfaceBlend blend,
                                              const std::vector<char>& cut,
                                              Progress& progress = no_progress());

}  // namespace pliant
