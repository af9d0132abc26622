// scene/body_parts.hpp — the parts of a body that depend on its mesh: materials, supports, loads.
//
// Functions report problems where they were typed, and return what they could make.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"
#include "pliant/scene/description.hpp"

#include <vector>

namespace pliant {

/// Vertices of a selection; an empty one is a problem that tells the range of the coordinates.
std::vector<VertexId> selected_vertices(const SelectionText& text, const VolumeMesh& mesh,
                                        Diagnostics& problems);

/// Regions by centroid, the first match wins; the rest has the body's own material.
MaterialMap make_materials(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems);

/// Fixed selections, then motions. A vertex has one support: held twice it belongs to the first, held and
/// moved it is a problem.
std::vector<Support> make_supports(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems);

/// Gravity and the loads of the scene, their selections evaluated on the mesh.
Loads make_loads(const BodyText& body, const Vector3& gravity, const VolumeMesh& mesh, Diagnostics& problems);

}  // namespace pliant
