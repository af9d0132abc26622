#include "pliant/file/surface_file.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/file/obj.hpp"
#include "pliant/file/off.hpp"
#include "pliant/file/ply.hpp"
#include "pliant/file/stl.hpp"
#include "pliant/file/token_scanner.hpp"

namespace pliant {
namespace {

Diagnostic unknown_format(const std::filesystem::path& path) {
  return {ErrorCode::kUnsupported,
          {path.string(), 0, 0, {}},
          "is not a surface format by its name",
          "known are .obj, .stl, .ply and .off"};
}

}  // namespace

bool is_surface_file(const std::filesystem::path& path) {
  const std::string extension = lower_case(path.extension().string());
  return extension == ".obj" || extension == ".stl" || extension == ".ply" || extension == ".off";
}

Result<SurfaceFile> read_surface_file(const std::filesystem::path& path) {
  if (!is_surface_file(path)) return unknown_format(path);
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.errors();
  const std::string extension = lower_case(path.extension().string());
  if (extension == ".obj") return read_obj(bytes.value(), path.string());
  if (extension == ".stl") return read_stl(bytes.value(), path.string());
  if (extension == ".ply") return read_ply(bytes.value(), path.string());
  return read_off(bytes.value(), path.string());
}

Status write_surface_file(const std::filesystem::path& path, const SurfaceMesh& mesh) {
  const std::string extension = lower_case(path.extension().string());
  if (extension == ".obj") return write_file(path, write_obj(mesh));
  if (extension == ".ply") return write_file(path, write_ply(mesh));
  if (extension == ".off") return write_file(path, write_off(mesh));
  if (extension != ".stl") return unknown_format(path);
  Result<std::string> bytes = write_stl(mesh);
  if (bytes) return write_file(path, bytes.value());
  Diagnostics errors = bytes.errors();
  for (Diagnostic& error : errors) error.where.file = path.string();
  return errors;
}

}  // namespace pliant
