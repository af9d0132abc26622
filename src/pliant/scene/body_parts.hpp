// scene/body_parts.hpp — the properties of a body that depend on its mesh: materials, supports, loads.
//
// The functions locate problems where they were typed, and return what they could make.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/model/model.hpp"
#include "pliant/scene/description.hpp"

#include <vector>

namespace pliant {

/// True for each vertex that an element uses. Other vertices have no mass and do not belong to the body.
std::vector<bool> vertices_of_elements(const VolumeMesh& mesh);

/// The smallest box around the elements of a mesh that has some.
struct BodyBox {
  Vector3 low, high;  // m
};
BodyBox body_box(const VolumeMesh& mesh);

/// Vertices of a selection, without those that no element uses. An empty selection is a problem; its message
/// gives the range of the coordinates.
std::vector<VertexId> selected_vertices(const SelectionText& text, const VolumeMesh& mesh,
                                        Diagnostics& problems);

/// Assigns elements to regions by their centroids; the first match wins. The rest has the body's own
/// material.
MaterialMap make_materials(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems);

/// One support for each fixed selection, then one for each motion. A vertex belongs to one support only. If
/// two fixed selections name it, it belongs to the first. If it is both held and moved, that is a problem. A
/// selection that is left without vertices keeps its entry, with a note.
std::vector<Support> make_supports(const BodyText& body, const VolumeMesh& mesh, Diagnostics& problems,
                                   Diagnostics& notes);

/// Gravity and the loads of the scene, their selections evaluated on the mesh.
Loads make_loads(const BodyText& body, const Vector3& gravity, const VolumeMesh& mesh, Diagnostics& problems);

/// Locates problems that name no file at `where`; the key that they name is appended to its key.
[[nodiscard]] Diagnostics located(Diagnostics list, const Location& where);

}  // namespace pliant
