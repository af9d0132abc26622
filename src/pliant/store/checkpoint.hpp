// store/checkpoint.hpp — named arrays in one file, which is read as a whole or refused.
//
// A run that resumed from damaged numbers would continue with wrong results unnoticed. So nothing is
// interpreted before the checksum over the whole file agrees. The form is canonical: equal contents give
// equal bytes.
//
//     0  magic, 8 bytes        its line end reveals a transfer in text mode
//     8  version, uint32       of this layout
//    12  entries, uint32
//    16  payload size, uint64  distinguishes a truncated file from a damaged one
//    24  checksum, 32 digits   XXH3-128 of bytes 0–23 and of the payload
//    56  payload               entries: kind uint8, name size uint16, name, count uint64, values
//
// All numbers are little-endian; doubles keep their bits, even those of NaN.
#pragma once

#include "pliant/base/result.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The content of a checkpoint. Names are arbitrary texts of 1 to 65535 bytes, unique within their kind.
struct Checkpoint {
  std::map<std::string, std::vector<double>, std::less<>> numbers;
  std::map<std::string, std::vector<std::int64_t>, std::less<>> integers;
  std::map<std::string, std::string, std::less<>> texts;
};

/// The version that write_checkpoint() writes, and so far the only one that parse_checkpoint() reads.
inline constexpr std::uint32_t kCheckpointVersion = 1;

/// The bytes of a checkpoint file. Write them with write_file(), which replaces an old file as a whole.
[[nodiscard]] std::string write_checkpoint(const Checkpoint& checkpoint);

/// Reads it back. Foreign, damaged, truncated and newer files are errors that say so; `name` is that of the
/// file.
[[nodiscard]] Result<Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& name);

/// Parses the part after the checksum, for tests and fuzzing: any bytes give a checkpoint or a located error.
[[nodiscard]] Result<Checkpoint> parse_checkpoint_payload(std::string_view payload, std::uint32_t entries,
                                                          const std::string& name);

/// The numbers called `key`, or an error with file and key if there are none. Valid as long as `checkpoint`
/// lives.
[[nodiscard]] Result<std::span<const double>> checkpoint_numbers(const Checkpoint& checkpoint,
                                                                 std::string_view key,
                                                                 const std::string& name);
/// The same for integers.
[[nodiscard]] Result<std::span<const std::int64_t>> checkpoint_integers(const Checkpoint& checkpoint,
                                                                        std::string_view key,
                                                                        const std::string& name);
/// The same for a text.
[[nodiscard]] Result<std::string_view> checkpoint_text(const Checkpoint& checkpoint, std::string_view key,
                                                       const std::string& name);

}  // namespace pliant
