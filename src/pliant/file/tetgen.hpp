// file/tetgen.hpp — TetGen's pair of files: vertices in .node, elements in .ele.
//
// Numbering starts at the first number of the .node file (0 or 1). The first attribute of an element is its
// label. Elements have 4 nodes, or 10 with -o2; 8 are taken for a hexahedron.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_tetgen(std::string_view node_bytes, const std::string& node_file,
                               std::string_view ele_bytes, const std::string& ele_file);

}  // namespace pliant
