// fuzz/volume_fuzz.hpp — what every volume reader's fuzz target does with the outcome.
#pragma once

#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/validate_volume.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace pliant {

inline std::string_view fuzz_bytes(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// An accepted mesh must pass validation again, unchanged, and be measurable; an error must be located.
inline void check_outcome(Result<VolumeFile>&& result) {
  if (!result) {
    for (const Diagnostic& error : result.errors())
      if (error.where.file.empty() || error.what.empty()) std::abort();
    return;
  }
  VolumeMesh& mesh = result.value().mesh;
  const auto again = validate_volume(mesh, default_location(mesh));
  if (!again || again.value().reoriented != 0) std::abort();
  const MeshReport report = measure(mesh);
  if (report.inverted != 0 || !(report.volume > 0.0)) std::abort();
}

}  // namespace pliant
