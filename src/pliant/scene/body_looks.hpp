// scene/body_looks.hpp — the looks of a body, its regions, classes and domains, put together.
#pragma once

#include "pliant/material/material_map.hpp"
#include "pliant/scene/assembly.hpp"
#include "pliant/scene/description.hpp"

#include <map>

namespace pliant {

/// A list of looks, and who has which. Number 0 is the body's own.
struct BodyLooks {
  std::vector<LookText> list;
  std::vector<std::uint16_t> of_vertex;            // of the mesh; empty: all have the body's own
  std::map<std::string, std::uint16_t> of_domain;  // by name; others: as their vertices
};

/// `materials` says in which region an element is. Empty when the scene names no look.
[[nodiscard]] BodyLooks make_looks(const BodyText& text, const VolumeMesh& mesh, const MaterialMap& materials,
                                   const AssemblyShape* assembly);

}  // namespace pliant
