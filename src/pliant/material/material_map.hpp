// material/material_map.hpp — the materials of a body.
#pragma once

#include "pliant/base/index.hpp"
#include "pliant/material/material.hpp"

#include <vector>

namespace pliant {

/// Which material each element has.
struct MaterialMap {
  std::vector<Material> materials;
  std::vector<Index> of_element;  // per element, tets first; empty: all have materials[0]
};

}  // namespace pliant
