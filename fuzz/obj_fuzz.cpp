// Any bytes as a .obj file: a surface or errors, nothing else. What is read survives writing and reading.
#include "pliant/file/obj.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const pliant::Result<pliant::SurfaceFile> file = pliant::read_obj(bytes, "fuzz.obj");
  if (!file) return 0;
  const pliant::Result<pliant::SurfaceFile> again =
      pliant::read_obj(pliant::write_obj(file.value().mesh), "again.obj");
  if (!again || again.value().mesh.triangles.size() != file.value().mesh.triangles.size()) std::abort();
  return 0;
}
