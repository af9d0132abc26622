// Rows of displacements and velocities.
#include "pliant/file/state_file.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

TEST(StateFile, KeepsEveryBit) {
  Rng rng(1);
  VertexState state{test::random_vector(30, rng), test::random_vector(30, rng)};
  state.displacements[3] = 5e-324;
  state.velocities[4] = -std::numeric_limits<double>::max();
  state.velocities[5] = -0.0;
  const Result<VertexState> read = read_state(write_state(state), "name", 10);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(read.value().displacements, state.displacements);
  EXPECT_EQ(read.value().velocities, state.velocities);
  EXPECT_TRUE(std::signbit(read.value().velocities[5]));
}

TEST(StateFile, RowsMayComeInAnyOrder) {
  const Result<VertexState> read =
      read_state("# comment\n1 4 5 6 0 0 1\n\n0 1 2 3 0 0 -1 # end\n", "name", 2);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  EXPECT_EQ(read.value().displacements, (VectorX(6) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(read.value().velocities, (VectorX(6) << 0, 0, -1, 0, 0, 1).finished());
}

TEST(StateFile, ErrorsAreLocated) {
  const auto expect = [](std::string_view bytes, Index n, ErrorCode code, Index line, Index column) {
    const Result<VertexState> read = read_state(bytes, "name", n);
    ASSERT_FALSE(read.ok()) << bytes;
    EXPECT_EQ(read.error().code, code) << to_string(read.error());
    EXPECT_EQ(read.error().where.line, line) << to_string(read.error());
    EXPECT_EQ(read.error().where.column, column) << to_string(read.error());
  };
  expect("", 1, ErrorCode::kTruncated, 0, 0);
  expect("0 0 0 0 0 0 0\n", 1000000000000, ErrorCode::kTruncated, 0, 0);
  expect("0 0 0 0 0 0 0\n0 0 0 0 0 0 0\n", 2, ErrorCode::kInconsistent, 2, 1);
  expect("0 0 0 0 0 0 0\n2 0 0 0 0 0 0\n", 2, ErrorCode::kOutOfRange, 2, 1);
  expect("0 0 0 0 0 0 0\n-1 0 0 0 0 0 0\n", 2, ErrorCode::kOutOfRange, 2, 1);
  expect("0 0 0 0 0 0 0 0\n", 1, ErrorCode::kSyntax, 1, 15);
  expect("0 0 0 0 0 0\n# longer than it looks\n", 1, ErrorCode::kSyntax, 1, 12);
  expect("0 0 0 x 0 0 0\n", 1, ErrorCode::kSyntax, 1, 7);
  expect("0.5 0 0 0 0 0 0\n", 1, ErrorCode::kSyntax, 1, 1);
  expect("0 0 0 inf 0 0 0\n", 1, ErrorCode::kNonFinite, 1, 7);
  expect("0 0 0 1e999 0 0 0\n", 1, ErrorCode::kNonFinite, 1, 7);

  const Result<VertexState> gap = read_state("0 0 0 0 0 0 0\n2 0 0 0 0 0 0\n# and no vertex 1\n", "name", 3);
  ASSERT_FALSE(gap.ok());
  EXPECT_EQ(gap.error().code, ErrorCode::kMissing);
  EXPECT_EQ(gap.error().where.key, "vertex 1");
}

}  // namespace
}  // namespace pliant
