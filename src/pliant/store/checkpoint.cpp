#include "pliant/store/checkpoint.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian; other hosts must swap");

constexpr std::string_view kMagic{"PLIANT\r\n", 8};
constexpr std::size_t kHashedHeader = 24;
constexpr std::size_t kDigestSize = 32;
constexpr std::size_t kHeader = kHashedHeader + kDigestSize;

enum class Kind : std::uint8_t { kNumbers = 1, kIntegers = 2, kText = 3 };

template <class T>
void put(std::string& out, T value) {
  std::array<char, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof(T));
  out.append(raw.data(), raw.size());
}

template <class Array>
void put_entry(std::string& out, Kind kind, const std::string& name, const Array& values) {
  PLIANT_ASSERT(!name.empty() && name.size() <= std::numeric_limits<std::uint16_t>::max());
  put(out, static_cast<std::uint8_t>(kind));
  put(out, static_cast<std::uint16_t>(name.size()));
  out += name;
  put(out, static_cast<std::uint64_t>(values.size()));
  if (!values.empty())
    out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

std::string digest(std::string_view header, std::string_view payload) {
  Hasher hasher;
  hasher.add(header);
  hasher.add(payload);
  return hasher.hex();
}

/// The number at a position that is known to exist.
template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  PLIANT_ASSERT(place + sizeof(T) <= bytes.size());
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

/// Reads the payload from front to back, never past its end.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }

  template <class T>
  std::optional<T> take() {
    if (left() < sizeof(T)) return std::nullopt;
    position_ += sizeof(T);
    return number_at<T>(bytes_, position_ - sizeof(T));
  }

  std::optional<std::string_view> take_bytes(std::size_t size) {
    if (left() < size) return std::nullopt;
    const std::string_view taken = bytes_.substr(position_, size);
    position_ += size;
    return taken;
  }

  /// `count` values; the count is compared with the bytes that are left before anything is allocated.
  template <class Array>
  std::optional<Array> take_array(std::uint64_t count) {
    using Value = typename Array::value_type;
    if (count > left() / sizeof(Value)) return std::nullopt;
    Array values(to_size(count), Value{});
    const std::size_t size = values.size() * sizeof(Value);
    if (size > 0) std::memcpy(values.data(), bytes_.data() + position_, size);
    position_ += size;
    return values;
  }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

constexpr const char* kRemedy = "start the run anew, or resume from another checkpoint";

Diagnostic trouble(ErrorCode code, const std::string& name, std::size_t byte, std::string what) {
  return {code, {name, 0, 0, "byte " + text(static_cast<Index>(byte))}, std::move(what), kRemedy};
}

Diagnostic cut_entry(const std::string& name, std::size_t byte) {
  return trouble(ErrorCode::kTruncated, name, kHeader + byte, "the entry does not fit into the file");
}

/// Adds one array to its map. Names must ascend within a kind: that makes them unique, and the form
/// canonical.
template <class Array, class Map>
std::optional<Diagnostic> read_array(Cursor& cursor, std::uint64_t count, std::string_view key, Map& into,
                                     const std::string& name) {
  const std::size_t start = cursor.position();
  if (!into.empty() && key <= into.rbegin()->first)
    return trouble(ErrorCode::kInconsistent, name, kHeader + start, "names are not in ascending order");
  std::optional<Array> values = cursor.take_array<Array>(count);
  if (!values) return cut_entry(name, start);
  into.emplace_hint(into.end(), std::string(key), std::move(*values));
  return std::nullopt;
}

/// Kinds and names must ascend: any other order would be a second form of the same content.
std::optional<Diagnostic> read_entry(Cursor& cursor, int& previous_kind, Checkpoint& into,
                                     const std::string& name) {
  const std::size_t start = cursor.position();
  const auto kind = cursor.take<std::uint8_t>();
  const auto name_size = cursor.take<std::uint16_t>();
  if (!kind || !name_size) return cut_entry(name, start);
  const auto key = cursor.take_bytes(*name_size);
  if (!key) return cut_entry(name, start);
  const auto count = cursor.take<std::uint64_t>();
  if (!count) return cut_entry(name, start);
  if (key->empty())
    return trouble(ErrorCode::kInconsistent, name, kHeader + start, "an entry without a name");
  if (*kind < previous_kind)
    return trouble(ErrorCode::kInconsistent, name, kHeader + start, "kinds are not in ascending order");
  previous_kind = *kind;
  switch (static_cast<Kind>(*kind)) {
    case Kind::kNumbers:
      return read_array<std::vector<double>>(cursor, *count, *key, into.numbers, name);
    case Kind::kIntegers:
      return read_array<std::vector<std::int64_t>>(cursor, *count, *key, into.integers, name);
    case Kind::kText:
      return read_array<std::string>(cursor, *count, *key, into.texts, name);
  }
  return trouble(ErrorCode::kUnsupported, name, kHeader + start,
                 "unknown kind of entry " + text(Index{*kind}));
}

/// Checks magic, size and checksum. Before this has passed, the bytes of the payload mean nothing.
std::optional<Diagnostic> verify(std::string_view bytes, const std::string& name) {
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size()) || bytes.empty())
    return trouble(ErrorCode::kUnsupported, name, 0, "this is not a Pliant checkpoint");
  if (bytes.size() < kHeader)
    return trouble(ErrorCode::kTruncated, name, bytes.size(), "the file ends within its header");
  const auto payload_size = number_at<std::uint64_t>(bytes, 16);
  const std::string_view payload = bytes.substr(kHeader);
  if (payload.size() < payload_size)
    return trouble(ErrorCode::kTruncated, name, bytes.size(), "the file ends before its contents do");
  if (payload.size() > payload_size)
    return trouble(ErrorCode::kInconsistent, name, kHeader + to_size(payload_size),
                   "bytes follow after the end of the contents");
  if (digest(bytes.substr(0, kHashedHeader), payload) != bytes.substr(kHashedHeader, kDigestSize))
    return trouble(ErrorCode::kInconsistent, name, kHashedHeader,
                   "the file is damaged: its checksum differs");
  return std::nullopt;
}

template <class View, class Map>
Result<View> look_up(const Map& map, std::string_view key, const std::string& name, const char* kind) {
  const auto found = map.find(key);
  if (found == map.end())
    return Diagnostic{ErrorCode::kMissing,
                      {name, 0, 0, std::string(key)},
                      std::string("the checkpoint has no such ") + kind,
                      "it was written by another scene"};
  return View(found->second);
}

}  // namespace

std::string write_checkpoint(const Checkpoint& checkpoint) {
  std::string payload;
  for (const auto& [name, values] : checkpoint.numbers) put_entry(payload, Kind::kNumbers, name, values);
  for (const auto& [name, values] : checkpoint.integers) put_entry(payload, Kind::kIntegers, name, values);
  for (const auto& [name, value] : checkpoint.texts) put_entry(payload, Kind::kText, name, value);

  std::string bytes(kMagic);
  put(bytes, kCheckpointVersion);
  put(bytes, static_cast<std::uint32_t>(checkpoint.numbers.size() + checkpoint.integers.size() +
                                        checkpoint.texts.size()));
  put(bytes, static_cast<std::uint64_t>(payload.size()));
  bytes += digest(bytes, payload);
  bytes += payload;
  return bytes;
}

Result<Checkpoint> parse_checkpoint_payload(std::string_view payload, std::uint32_t entries,
                                            const std::string& name) {
  Checkpoint checkpoint;
  Cursor cursor(payload);
  int previous_kind = 0;
  for (std::uint32_t entry = 0; entry < entries; ++entry)
    if (auto error = read_entry(cursor, previous_kind, checkpoint, name)) return std::move(*error);
  if (cursor.left() > 0)
    return trouble(ErrorCode::kInconsistent, name, kHeader + cursor.position(),
                   "bytes follow the last entry");
  return checkpoint;
}

Result<Checkpoint> parse_checkpoint(std::string_view bytes, const std::string& name) {
  if (auto error = verify(bytes, name)) return std::move(*error);
  const auto version = number_at<std::uint32_t>(bytes, 8);
  const auto entries = number_at<std::uint32_t>(bytes, 12);
  if (version != kCheckpointVersion)
    return trouble(ErrorCode::kUnsupported, name, 8,
                   "checkpoint version " + text(Index{version}) + ", this program reads version " +
                       text(Index{kCheckpointVersion}));
  return parse_checkpoint_payload(bytes.substr(kHeader), entries, name);
}

Result<std::span<const double>> checkpoint_numbers(const Checkpoint& checkpoint, std::string_view key,
                                                   const std::string& name) {
  return look_up<std::span<const double>>(checkpoint.numbers, key, name, "numbers");
}

Result<std::span<const std::int64_t>> checkpoint_integers(const Checkpoint& checkpoint, std::string_view key,
                                                          const std::string& name) {
  return look_up<std::span<const std::int64_t>>(checkpoint.integers, key, name, "integers");
}

Result<std::string_view> checkpoint_text(const Checkpoint& checkpoint, std::string_view key,
                                         const std::string& name) {
  return look_up<std::string_view>(checkpoint.texts, key, name, "text");
}

}  // namespace pliant
