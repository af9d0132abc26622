// mesh/fill/tet_contacts.hpp — makes the boundary of a tet mesh a manifold.
//
// Parts that are connected only by an edge or a vertex act like a hinge without friction: bad for finite
// elements, worse for contact. Removing tets keeps every bound on angles. So around a bad edge only the
// largest fan of tets stays; where two voids touch in a vertex, the tets between them are removed; and a
// vertex between parts that share no face is doubled.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

namespace pliant {

struct ContactRepair {
  Index dropped_components = 0;  // components that were too small
  Index dropped_tets = 0;        // tets around bad edges and pinched voids
  Index doubled_vertices = 0;
  Index components = 0;  // face-connected parts that remain
};

/// Drops components of fewer than `crumb` tets (the largest component always stays), then repairs edges and
/// vertices. The mesh must consist of tets only, without labelled faces. Vertices that are no longer used are
/// removed.
ContactRepair repair_contacts(VolumeMesh& mesh, Index crumb);

}  // namespace pliant
