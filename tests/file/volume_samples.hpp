// tests/file/volume_samples.hpp — small meshes with every feature, and the comparison that files must pass.
#pragma once

#include "pliant/base/diagnostic.hpp"
#include "pliant/base/result.hpp"
#include "pliant/file/volume_file.hpp"

#include <string>
#include <string_view>

namespace pliant::test {

struct SampleParts {
  bool tets = true;
  bool hexes = true;
  bool tet10s = false;  // quadratic tets
  bool curved = false;  // with midside vertices off the middle of their edges
  bool faces = true;
  bool names = true;
  bool negative_labels = false;
};

/// Boxes side by side with coordinates of all 17 digits, labels that change back and forth, faces and names.
[[nodiscard]] VolumeMesh sample_mesh(const SampleParts& parts = {});

/// Bit-equal coordinates, connectivity, labels and names.
void expect_same(const VolumeMesh& actual, const VolumeMesh& expected);

/// One tet of volume 1/6 at the origin, with the given label; what most hand-made samples hold.
[[nodiscard]] VolumeMesh one_tet(Label label = 0);
/// The same as a quadratic tet with straight edges.
[[nodiscard]] VolumeMesh one_tet10(Label label = 0);

/// The read failed with this code at this line (0: none) of the file; `key` as in Location.
void expect_error(const Result<VolumeFile>& result, ErrorCode code, Index line, std::string_view key = "");

[[nodiscard]] std::string base64(std::string_view bytes);

/// Number as bytes, most significant first when `big`.
template <class T>
std::string raw(T value, bool big = false) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof(T));
  return big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
}

}  // namespace pliant::test
