// store/reduced_cache.hpp — reduced bodies on disk, so that each is built only once.
//
// A file holds all that a program needs to run the body, so one without finite elements can: the reduced
// body, and beside it the rest shape, the materials and the vertices that are held.
//
// The name of a file is a key: the hash of everything from which its content was computed. So a file is
// either right or absent. A damaged, truncated, renamed, foreign or outdated file is detected, reported by a
// note and built anew, but never trusted. Nothing in it is interpreted before its checksum agrees:
//
//       0  magic, 8 bytes        its line end reveals a transfer in text mode
//       8  version, uint32       of this layout and of what the numbers mean
//      12  zero, uint32
//      16  payload size, uint64  distinguishes a truncated file from a damaged one
//      24  key, 32 digits        XXH3-128 of the key: detects a renamed file
//      56  checksum, 32 digits   XXH3-128 of all other bytes
//      88  zeros
//     512  payload               an HDF5 file
//
// HDF5 also looks for its signature at byte 512, so its tools open the file as it is.
#pragma once

#include "pliant/store/hdf5_image.hpp"
#include "pliant/subspace/reduced_body.hpp"
#include "pliant/subspace/rest_body.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Increase it whenever the layout changes, or the way in which bodies are built.
inline constexpr std::uint32_t kReducedCacheVersion = 6;
/// Where the payload begins.
inline constexpr std::size_t kReducedCacheHeader = 512;

/// 32 digits that identify everything from which a reduced body is computed: mesh, materials, held vertices,
/// and `recipe`, the caller's text of all settings of the basis.
[[nodiscard]] std::string reduced_body_key(const RestBody& body, std::span<const VertexId> held,
                                           std::string_view recipe);

/// A reduced body and the body at rest from which it was computed.
struct CachedBody {
  std::shared_ptr<const RestBody> rest;
  std::vector<VertexId> held;
  std::shared_ptr<const ReducedBody> reduced;
};

/// Whatever in a CachedBody is not an array of doubles, as such arrays.
struct CachedNumbers {
  std::vector<double> sizes;
  std::vector<double> vertices;     // 3 each
  std::vector<double> tets;         // 4 each
  std::vector<double> hexes;        // 8 each
  std::vector<double> tet10s;       // 10 each
  std::vector<double> material_of;  // per element: tets, hexes, quadratic tets
  std::vector<double> materials;    // 7 each: law, E, ν, ρ, invertible, its threshold, quadrature
  std::vector<double> held;         // vertices
  std::vector<double> point_groups, point_elements;  // of cubature points
};

/// All arrays of the body with their names. The values point into `body` and into `numbers`, which is filled.
[[nodiscard]] std::vector<Hdf5Array> reduced_body_arrays(const CachedBody& body, CachedNumbers& numbers);

/// What is wrong with the header or the checksum; empty if nothing is.
[[nodiscard]] std::optional<Diagnostic> check_seal(std::string_view bytes, std::string_view key,
                                                   const std::string& name);

/// The payload with header and checksum before it.
[[nodiscard]] std::string seal_reduced_body(std::string_view payload, std::string_view key);

/// The bytes of a cache file. Equal bodies give equal bytes.
Result<std::string> reduced_body_image(const CachedBody& body, std::string_view key);

/// Reads it back bit by bit. Errors say what is wrong with the file `name`: kSyntax (not such a file),
/// kUnsupported (another version), kTruncated, kInconsistent (checksum, key, sizes), kNonFinite.
Result<CachedBody> parse_reduced_body(std::string_view bytes, std::string_view key, const std::string& name);

/// A folder of such files, created when the first one is saved.
class ReducedCache {
 public:
  explicit ReducedCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Keys consist of letters and digits.
  [[nodiscard]] std::filesystem::path file(const std::string& key) const;
  /// The body of this key. Empty if there is no file, or if it cannot be trusted; then a note says why.
  [[nodiscard]] std::optional<CachedBody> load(const std::string& key, Diagnostics& notes) const;
  /// Replaces the file of this key as a whole.
  [[nodiscard]] Status save(const std::string& key, const CachedBody& body) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace pliant
