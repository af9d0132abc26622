#include "pliant/file/volume_file.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/gzip.hpp"
#include "pliant/file/inp.hpp"
#include "pliant/file/medit.hpp"
#include "pliant/file/msh.hpp"
#include "pliant/file/tetgen.hpp"
#include "pliant/file/veg.hpp"
#include "pliant/file/vtk.hpp"
#include "pliant/file/vtu.hpp"
#include "pliant/file/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace pliant {
namespace {

enum class Format { kUnknown, kInp, kMsh, kMedit, kTetgen, kVeg, kVtk, kVtu };

constexpr std::string_view kReadable = ".msh, .mesh, .node/.ele, .veg, .vtk, .vtu, .inp (and .gz of them)";

std::string lower_extension(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

/// The extension of the content: .mesh for a.mesh.gz.
std::string inner_extension(const std::filesystem::path& path) {
  const std::string extension = lower_extension(path);
  return extension == ".gz" ? lower_extension(path.stem()) : extension;
}

Format format_of_extension(const std::string& extension) {
  if (extension == ".inp") return Format::kInp;
  if (extension == ".msh") return Format::kMsh;
  if (extension == ".mesh") return Format::kMedit;
  if (extension == ".node" || extension == ".ele") return Format::kTetgen;
  if (extension == ".veg") return Format::kVeg;
  if (extension == ".vtk") return Format::kVtk;
  if (extension == ".vtu") return Format::kVtu;
  return Format::kUnknown;
}

/// Formats with a signature are recognised by it, whatever the name of the file.
Format format_of_content(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return Format::kUnknown;
  bytes.remove_prefix(begin);
  if (bytes.starts_with("$MeshFormat") || bytes.starts_with("$NOD")) return Format::kMsh;
  if (bytes.starts_with("MeshVersionFormatted")) return Format::kMedit;
  if (bytes.starts_with("# vtk DataFile")) return Format::kVtk;
  if (bytes.starts_with("<VTKFile") || bytes.starts_with("<?xml")) return Format::kVtu;
  if (bytes.starts_with("*VERTICES") || bytes.starts_with("# Vega")) return Format::kVeg;
  return Format::kUnknown;
}

Diagnostic unknown_format(const std::string& file) {
  return {ErrorCode::kUnsupported, Location{file, 0, 0, {}}, "is no volume mesh in a known format",
          "readable: " + std::string(kReadable)};
}

/// The content of a file, unpacked if it is packed.
Result<std::string> read_unpacked(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes || (lower_extension(path) != ".gz" && !is_gzip(bytes.value()))) return bytes;
  return gunzip(bytes.value(), path.string());
}

/// x.node for x.ele and vice versa, packed or not: the one that exists, by default the plain one.
std::filesystem::path tetgen_partner(const std::filesystem::path& path) {
  const std::filesystem::path plain =
      lower_extension(path) == ".gz" ? path.parent_path() / path.stem() : path;
  const std::string wanted = lower_extension(plain) == ".ele" ? ".node" : ".ele";
  std::filesystem::path partner = plain;
  partner.replace_extension(wanted);
  std::filesystem::path packed = partner;
  packed += ".gz";
  std::error_code ignored;
  return !std::filesystem::exists(partner, ignored) && std::filesystem::exists(packed, ignored) ? packed
                                                                                                : partner;
}

Result<VolumeFile> read_tetgen_pair(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path partner = tetgen_partner(path);
  Result<std::string> other = read_unpacked(partner);
  if (!other) {
    Diagnostics errors = other.errors();
    for (Diagnostic& error : errors) error.remedy = "TetGen meshes need both files, .node and .ele";
    return errors;
  }
  if (inner_extension(path) == ".node")
    return read_tetgen(bytes, path.string(), other.value(), partner.string());
  return read_tetgen(other.value(), partner.string(), bytes, path.string());
}

Result<VolumeFile> read_as(Format format, std::string_view bytes, const std::string& file) {
  switch (format) {
    case Format::kInp:
      return read_inp(bytes, file);
    case Format::kMsh:
      return read_msh(bytes, file);
    case Format::kMedit:
      return read_medit(bytes, file);
    case Format::kVeg:
      return read_veg(bytes, file);
    case Format::kVtk:
      return read_vtk(bytes, file);
    case Format::kVtu:
      return read_vtu(bytes, file);
    case Format::kTetgen:
    case Format::kUnknown:
      break;
  }
  return unknown_format(file);
}

}  // namespace

Result<VolumeFile> read_volume_bytes(std::string_view bytes, const std::string& file) {
  if (is_gzip(bytes)) {
    Result<std::string> unpacked = gunzip(bytes, file);
    if (!unpacked) return unpacked.errors();
    if (is_gzip(unpacked.value())) return unknown_format(file);  // packed twice: not unpacked any further
    return read_volume_bytes(unpacked.value(), file);
  }
  Format format = format_of_content(bytes);
  if (format == Format::kUnknown) format = format_of_extension(inner_extension(file));
  return read_as(format, bytes, file);
}

Result<VolumeFile> read_volume_file(const std::filesystem::path& path) {
  Result<std::string> bytes = read_unpacked(path);
  if (!bytes) return bytes.errors();
  if (format_of_extension(inner_extension(path)) == Format::kTetgen)
    return read_tetgen_pair(path, bytes.value());
  return read_volume_bytes(bytes.value(), path.string());
}

Status write_volume_file(const std::filesystem::path& path, const VolumeMesh& mesh,
                         const WriteOptions& options) {
  const std::string file = path.string();
  const auto bytes = [&]() -> Result<std::string> {
    switch (format_of_extension(lower_extension(path))) {
      case Format::kMsh:
        return write_msh(mesh, options.msh_version, options.binary, file);
      case Format::kMedit:
        return write_medit(mesh, file);
      case Format::kVeg:
        return write_veg(mesh, file);
      case Format::kVtu:
        return write_vtu(mesh, {}, {.faces = true, .compressed = options.compressed});
      default:
        return Diagnostic{ErrorCode::kUnwritable, Location{file, 0, 0, {}},
                          "meshes are not written in this format", "writable: .msh, .mesh, .veg, .vtu"};
    }
  }();
  if (!bytes) return bytes.errors();
  return write_file(path, bytes.value());
}

Diagnostics drop_unwritable(const std::filesystem::path& path, VolumeMesh& mesh) {
  Diagnostics lost;
  const auto drop = [&](const char* what, auto&... parts) {
    if ((parts.empty() && ...)) return;
    (parts.clear(), ...);
    lost.push_back({ErrorCode::kUnwritable, Location{path.string(), 0, 0, {}}, what, {}});
  };
  const Format format = format_of_extension(lower_extension(path));
  if (format == Format::kMedit) drop("the names of regions and faces", mesh.region_names, mesh.face_names);
  if (format == Format::kVeg && mesh.tet10s.empty()) {  // quadratic tets cannot be left out
    drop("labelled faces", mesh.triangles, mesh.quads, mesh.triangle_labels, mesh.quad_labels,
         mesh.face_names);
    if (!write_veg(mesh, path.string())) drop("the names of regions", mesh.region_names);
  }
  return lost;
}

bool is_volume_file(const std::filesystem::path& path) {
  return format_of_extension(inner_extension(path)) != Format::kUnknown;
}

}  // namespace pliant
