// file/volume_file.hpp — volume meshes from and to files: one door for all formats.
//
// Read: Gmsh .msh (2.x and 4.1, ASCII and binary), MEDIT .mesh, TetGen .node/.ele, Vega .veg, legacy .vtk,
// .vtu, and .gz of the text formats. Written: .msh, .mesh, .veg, .vtu; coordinates, connectivity and labels
// come back bit for bit, and what a format cannot hold is refused before anything is written.
//
//     bytes --format reader--> raw mesh (file's own tags) --resolve, validate--> VolumeFile
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/volume_mesh.hpp"

#include <filesystem>
#include <string_view>

namespace pliant {

/// What a volume file held.
struct VolumeFile {
  VolumeMesh mesh;
  Diagnostics notes;     // what deserves attention but is no error
  Diagnostics extras;    // what the file says beside the mesh, and is not kept; one entry for each kind
  Index reoriented = 0;  // elements that the file lists inside out
};

enum class MshVersion { k22, k41 };

struct WriteOptions {
  MshVersion msh_version = MshVersion::k41;
  bool binary = false;      // .msh only; .vtu is always binary, the others are always text
  bool compressed = false;  // .vtu only: zlib
};

/// Reads by content where a format has a signature, by extension otherwise; every problem is located.
Result<VolumeFile> read_volume_file(const std::filesystem::path& path);

/// The same from memory, for every format that is one file (TetGen's pair is not).
Result<VolumeFile> read_volume_bytes(std::string_view bytes, const std::string& file);

/// Writes by extension, whole or not at all; kUnwritable when the format cannot hold the mesh.
Status write_volume_file(const std::filesystem::path& path, const VolumeMesh& mesh,
                         const WriteOptions& options = {});

/// Takes out of the mesh what the format of `path` cannot hold: names, labelled faces. Tells what was lost.
Diagnostics drop_unwritable(const std::filesystem::path& path, VolumeMesh& mesh);

/// True when the extension is one that read_volume_file takes.
[[nodiscard]] bool is_volume_file(const std::filesystem::path& path);

}  // namespace pliant
