#include "pliant/store/checkpoint.hpp"

#include "pliant/base/hash.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

namespace pliant {
namespace {

constexpr std::size_t kHeader = 56;

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.numbers["bodies/0/displacements"] = {0.1, -0.0, std::numeric_limits<double>::denorm_min()};
  checkpoint.numbers["bodies/0/velocities"] = {};
  checkpoint.numbers["t"] = {std::numeric_limits<double>::infinity()};
  checkpoint.integers["step"] = {480, std::numeric_limits<std::int64_t>::min()};
  checkpoint.texts["scene"] = std::string("a\0b", 3);
  checkpoint.texts["note"] = "";
  return checkpoint;
}

/// Writes a correct checksum over whatever the bytes say, as an honest but different writer would.
std::string with_checksum(std::string bytes) {
  Hasher hasher;
  hasher.add(std::string_view(bytes).substr(0, 24));
  hasher.add(std::string_view(bytes).substr(kHeader));
  bytes.replace(24, 32, hasher.hex());
  return bytes;
}

template <class T>
std::string with_field(std::string bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(T));
  return bytes;
}

TEST(Checkpoint, ReadsBackWhatWasWritten) {
  const Checkpoint written = sample();
  const Result<Checkpoint> read = parse_checkpoint(write_checkpoint(written), "run.ckpt");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().numbers, written.numbers);
  EXPECT_EQ(read.value().integers, written.integers);
  EXPECT_EQ(read.value().texts, written.texts);
  EXPECT_TRUE(std::signbit(read.value().numbers.at("bodies/0/displacements")[1]));
  EXPECT_EQ(write_checkpoint(read.value()), write_checkpoint(written));
}

TEST(Checkpoint, KeepsTheBitsOfNan) {
  Checkpoint checkpoint;
  const auto bits = std::uint64_t{0x7ff8dead0000beef};
  checkpoint.numbers["x"] = {std::bit_cast<double>(bits)};
  const Result<Checkpoint> read = parse_checkpoint(write_checkpoint(checkpoint), "run.ckpt");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(read.value().numbers.at("x")[0]), bits);
}

TEST(Checkpoint, EmptyOneIsValid) {
  const Result<Checkpoint> read = parse_checkpoint(write_checkpoint({}), "run.ckpt");
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read.value().numbers.empty() && read.value().integers.empty() && read.value().texts.empty());
}

TEST(Checkpoint, EveryFlippedBitIsNoticed) {
  const std::string bytes = write_checkpoint(sample());
  for (std::size_t byte = 0; byte < bytes.size(); ++byte)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
      const Result<Checkpoint> read = parse_checkpoint(damaged, "run.ckpt");
      ASSERT_FALSE(read.ok()) << "byte " << byte << " bit " << bit;
      EXPECT_EQ(read.error().where.file, "run.ckpt");
      EXPECT_FALSE(read.error().where.key.empty());
      if (byte >= 24) {
        EXPECT_EQ(read.error().code, ErrorCode::kInconsistent);
      }
    }
}

TEST(Checkpoint, EveryTruncationIsNoticed) {
  const std::string bytes = write_checkpoint(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Result<Checkpoint> read = parse_checkpoint(bytes.substr(0, size), "run.ckpt");
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(read.error().code, size == 0 ? ErrorCode::kUnsupported : ErrorCode::kTruncated) << size;
  }
  EXPECT_EQ(parse_checkpoint(bytes + "x", "run.ckpt").error().code, ErrorCode::kInconsistent);
}

TEST(Checkpoint, ForeignFilesAreCalledForeign) {
  for (const std::string_view foreign : {"", "$MeshFormat\n2.2 0 8\n", "\x89PNG\r\n", "PLIANT\n"}) {
    const Result<Checkpoint> read = parse_checkpoint(foreign, "beam.msh");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(read.error().where.key, "byte 0");
  }
}

TEST(Checkpoint, AnotherVersionIsRefusedByName) {
  const std::string next = with_checksum(with_field(write_checkpoint(sample()), 8, kCheckpointVersion + 1));
  const Result<Checkpoint> read = parse_checkpoint(next, "run.ckpt");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(read.error().where.key, "byte 8");
}

TEST(Checkpoint, AbsurdCountsAllocateNothing) {
  Checkpoint checkpoint;
  checkpoint.numbers["x"] = {1.0};
  const std::string bytes = write_checkpoint(checkpoint);
  const std::size_t count_at = kHeader + 1 + 2 + 1;  // kind, name size, name
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    const Result<Checkpoint> read = parse_checkpoint(with_checksum(with_field(bytes, count_at, count)), "a");
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kTruncated);
  }
  const Result<Checkpoint> more =
      parse_checkpoint(with_checksum(with_field(bytes, 12, ~std::uint32_t{0})), "a");
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().code, ErrorCode::kTruncated);
}

TEST(Checkpoint, RefusesDisorderBehindAGoodChecksum) {
  Checkpoint checkpoint;
  checkpoint.texts["a"] = "1";
  checkpoint.texts["b"] = "2";
  const std::string bytes = write_checkpoint(checkpoint);
  const std::size_t second = kHeader + 1 + 2 + 1 + 8 + 1;
  const auto code_of = [](const std::string& file) {
    const Result<Checkpoint> read = parse_checkpoint(with_checksum(file), "run.ckpt");
    return read.ok() ? std::optional<ErrorCode>() : read.error().code;
  };
  EXPECT_FALSE(code_of(bytes).has_value());
  EXPECT_EQ(code_of(with_field(bytes, second + 3, 'a')), ErrorCode::kInconsistent);          // name twice
  EXPECT_EQ(code_of(with_field(bytes, second, std::uint8_t{1})), ErrorCode::kInconsistent);  // kinds descend
  EXPECT_EQ(code_of(with_field(bytes, second, std::uint8_t{9})), ErrorCode::kUnsupported);   // unknown kind
  EXPECT_EQ(code_of(with_field(bytes, 12, std::uint32_t{1})), ErrorCode::kInconsistent);  // bytes left over
}

TEST(Checkpoint, LooksUpByNameAndSaysWhatIsMissing) {
  const Checkpoint checkpoint = sample();
  ASSERT_TRUE(checkpoint_numbers(checkpoint, "t", "a").ok());
  EXPECT_EQ(checkpoint_integers(checkpoint, "step", "a").value()[0], 480);
  EXPECT_EQ(checkpoint_text(checkpoint, "note", "a").value(), "");
  const auto missing = checkpoint_numbers(checkpoint, "step", "run.ckpt");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kMissing);
  EXPECT_EQ(missing.error().where.file, "run.ckpt");
  EXPECT_EQ(missing.error().where.key, "step");
}

}  // namespace
}  // namespace pliant
