// file/volume_file.hpp — reads and writes volume meshes in all formats.
//
// Read: Gmsh .msh (2.x and 4.1, ASCII and binary), MEDIT .mesh, TetGen .node/.ele, Vega .veg, legacy .vtk,
// .vtu, Abaqus .inp, and .gz of the text formats. Written: .msh, .mesh, .veg, .vtu. Coordinates, connectivity
// and labels read back bit for bit; a mesh that the format cannot represent is refused before anything is
// written.
//
//     bytes --format reader--> raw mesh (file's own tags) --resolve, validate--> VolumeFile
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <filesystem>
#include <string_view>

namespace pliant {

/// The content of a volume file.
struct VolumeFile {
  VolumeMesh mesh;
  Diagnostics notes;     // what deserves attention but is not an error
  Diagnostics extras;    // what the file contains besides the mesh and is not kept; one entry per kind
  Index reoriented = 0;  // number of elements that the file lists inside out
};

enum class MshVersion { k22, k41 };

struct WriteOptions {
  MshVersion msh_version = MshVersion::k41;
  bool binary = false;      // .msh only; .vtu is always binary, the others are always text
  bool compressed = false;  // .vtu only: zlib
};

/// Recognises formats by their signature if they have one, otherwise by the extension. Every problem has a
/// location.
Result<VolumeFile> read_volume_file(const std::filesystem::path& path);

/// The same from memory, for all formats that consist of one file (TetGen's pair does not).
Result<VolumeFile> read_volume_bytes(std::string_view bytes, const std::string& file);

/// The extension determines the format. Writes the whole file or nothing; kUnwritable if the format cannot
/// represent the mesh.
Status write_volume_file(const std::filesystem::path& path, const VolumeMesh& mesh,
                         const WriteOptions& options = {});

/// Removes from the mesh what the format of `path` cannot represent (names, labelled faces), and reports what
/// was lost.
Diagnostics drop_unwritable(const std::filesystem::path& path, VolumeMesh& mesh);

/// Whether read_volume_file accepts the extension.
[[nodiscard]] bool is_volume_file(const std::filesystem::path& path);

}  // namespace pliant
