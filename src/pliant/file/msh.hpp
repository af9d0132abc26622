// file/msh.hpp — Gmsh's .msh, versions 2.x and 4.1, text and binary in either byte order.
//
// Labels are physical tags where an element has one, elementary tags otherwise; of several physical groups
// the first counts. Gmsh marks reversed entities by a negative tag: the sign is dropped. Vertices keep the
// order in which $Nodes lists them. Sections that say nothing about the mesh itself are skipped.
#pragma once

#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant {

Result<VolumeFile> read_msh(std::string_view bytes, const std::string& file);

/// `file` is for messages. kUnwritable: negative labels, names with a quote or a line end.
Result<std::string> write_msh(const VolumeMesh& mesh, MshVersion version, bool binary,
                              const std::string& file);

}  // namespace pliant
