// file/msh.hpp — Gmsh's .msh, versions 2.x and 4.1, as text and as binary data of either byte order.
//
// The label of an element is its physical tag if it has one, otherwise its elementary tag; of several
// physical groups the first one counts. Gmsh marks reversed entities by a negative tag, whose sign is
// dropped. Vertices keep the order of $Nodes. Sections that do not concern the mesh itself are skipped.
//
// A labelled triangle is a face of 6 nodes if it belongs to a quadratic tet, both ways.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_msh(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable: negative labels, names with quotes or line ends.
Result<std::string> write_msh(const VolumeMesh& mesh, MshVersion version, bool binary,
                              const std::string& file);

}  // namespace pliant
