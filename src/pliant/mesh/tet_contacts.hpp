// mesh/tet_contacts.hpp — makes the boundary of a tet mesh a manifold.
//
// Parts that hang together by an edge or a vertex alone move like a hinge without friction: bad for finite
// elements, worse for contact. Removing tets keeps every angle bound; so around a bad edge all but the
// largest fan of tets go, where two voids touch in a vertex the tets between them go, and a vertex between
// parts that share no face is doubled.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

struct ContactRepair {
  Index dropped_components = 0;  // crumbs
  Index dropped_tets = 0;        // tets around bad edges and pinched voids
  Index doubled_vertices = 0;
  Index components = 0;  // face-connected parts that remain
};

/// Drops components of fewer than `crumb` tets (the largest one always stays), then repairs edges and
/// vertices. The mesh holds tets only and no labelled faces; vertices that are no longer used are removed.
ContactRepair repair_contacts(VolumeMesh& mesh, Index crumb);

}  // namespace pliant
