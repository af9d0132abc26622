// file/tetgen.hpp — TetGen's pair: .node holds vertices, .ele elements.
//
// Numbering starts at the .node file's first number (0 or 1). The first attribute of an element is its label.
// TetGen knows 4 nodes per element; 8 are taken as a hexahedron, 10 (second order) are refused.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_tetgen(std::string_view node_bytes, const std::string& node_file,
                               std::string_view ele_bytes, const std::string& ele_file);

}  // namespace pliant
