// scene/body_parts.hpp — the parts of a body that depend on its mesh: materials, supports, loads.
//
// Functions report problems where they were typed, and return what they could make.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"
#include "pliant/scene/description.hpp"

#include <vector>

namespace pliant {

/// True for each vertex that an element uses. Others have no mass and are no part of the body.
std::vector<bool> vertices_of_elements(const VolumeMesh& mesh);

/// The smallest box around the elements of a mesh that has some.
struct BodyBox {
  Vector3 low, high;  // m
};
BodyBox body_box(const VolumeMesh& mesh);

/// Vertices of a selection, without those of no element; none left is a problem that tells the range of the
/// coordinates.
std::vector<VertexId> selected_vertices(const SelectionText& text, const VolumeMesh& mesh,
                                        Diagnostics& problems);

/// Regions by centroid, the first match wins; the rest has the body's own material.
MaterialMap make_materials(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems);

/// Fixed selections, then motions, one support each. A vertex has one support: held twice it belongs to the
/// first, held and moved it is a problem. A selection that is left without vertices stays, with a note.
std::vector<Support> make_supports(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems,
                                   Diagnostics& notes);

/// Gravity and the loads of the scene, their selections evaluated on the mesh.
Loads make_loads(const BodyText& body, const Vector3& gravity, const VolumeMesh& mesh, Diagnostics& problems);

/// Problems that name no file get this place; what they name becomes a part of its key.
[[nodiscard]] Diagnostics located(Diagnostics list, const Location& where);

}  // namespace pliant
