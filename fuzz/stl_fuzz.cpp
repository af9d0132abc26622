// Any bytes as a .stl file: a surface or errors, nothing else. What is read survives writing and reading.
#include "pliant/file/stl.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const pliant::Result<pliant::SurfaceFile> file = pliant::read_stl(bytes, "fuzz.stl");
  if (!file) return 0;
  const pliant::Result<std::string> written = pliant::write_stl(file.value().mesh);
  if (!written) return 0;  // beyond single precision
  const pliant::Result<pliant::SurfaceFile> again = pliant::read_stl(written.value(), "again.stl");
  if (!again || again.value().mesh.triangles.size() != file.value().mesh.triangles.size()) std::abort();
  return 0;
}
