// Any bytes are a checkpoint or a located error; what is accepted is written back as the same bytes.
#include "pliant/store/checkpoint.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto whole = pliant::parse_checkpoint(bytes, "fuzz");
      whole.ok() && pliant::write_checkpoint(whole.value()) != bytes)
    std::abort();

  // Random bytes never have the right checksum, so the part behind it is also read on its own. The header is
  // skipped when there is one: files written by us serve as seeds for both.
  constexpr std::size_t kHeader = 56;
  std::uint32_t entries = 0;
  if (size < kHeader) return 0;
  std::memcpy(&entries, data + 12, sizeof(entries));
  const std::string_view payload = bytes.substr(kHeader);
  if (const auto inner = pliant::parse_checkpoint_payload(payload, entries, "fuzz"); inner.ok()) {
    const std::string written = pliant::write_checkpoint(inner.value());
    if (written.substr(kHeader) != payload || !pliant::parse_checkpoint(written, "again").ok()) std::abort();
  } else if (inner.error().where.key.empty()) {
    std::abort();
  }
  return 0;
}
