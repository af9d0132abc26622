// Rows of recorded pulls.
#include "pliant/file/pulls_file.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

TEST(PullsFile, KeepsEveryBit) {
  const std::vector<Pull> pulls{{0.1, 3, {1.0 / 3.0, -0.0, 5e-324}},
                                {0.1, 7, {0, 0, -std::numeric_limits<double>::max()}},
                                {1e6, 0, {1, 2, 3}}};
  const auto read = read_pulls(write_pulls(pulls), "name", 8);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  ASSERT_EQ(read.value().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.value()[i].time, pulls[i].time);
    EXPECT_EQ(read.value()[i].vertex, pulls[i].vertex);
    EXPECT_EQ(read.value()[i].force, pulls[i].force);
  }
  EXPECT_TRUE(std::signbit(read.value()[0].force[1]));
}

TEST(PullsFile, RowsComeBackInOrderOfTime) {
  const auto read = read_pulls("# by hand\n2 1 0 0 1\n-1 0 1 0 0 # before\n\n2 0 0 1 0\n", "name", 2);
  ASSERT_TRUE(read.ok()) << to_string(read.error());
  ASSERT_EQ(read.value().size(), 3U);
  EXPECT_EQ(read.value()[0].time, -1.0);
  EXPECT_EQ(read.value()[1].vertex, 0);
  EXPECT_EQ(read.value()[2].vertex, 1);
}

TEST(PullsFile, ErrorsAreLocated) {
  const auto expect = [](std::string_view bytes, ErrorCode code, Index line, Index column) {
    const auto read = read_pulls(bytes, "name", 4);
    ASSERT_FALSE(read.ok()) << bytes;
    EXPECT_EQ(read.error().code, code) << to_string(read.error());
    EXPECT_EQ(read.error().where.file, "name");
    EXPECT_EQ(read.error().where.line, line) << to_string(read.error());
    EXPECT_EQ(read.error().where.column, column) << to_string(read.error());
  };
  expect("", ErrorCode::kMissing, 0, 0);
  expect("# nothing\n", ErrorCode::kMissing, 0, 0);
  expect("now 0 0 0 1\n", ErrorCode::kSyntax, 1, 1);
  expect("0 0 0 0 1\n1 1.5 0 0 1\n", ErrorCode::kSyntax, 2, 3);
  expect("0 4 0 0 1\n", ErrorCode::kOutOfRange, 1, 3);
  expect("0 -1 0 0 1\n", ErrorCode::kOutOfRange, 1, 3);
  expect("0 1 0 0\n", ErrorCode::kSyntax, 1, 8);
  expect("0\n", ErrorCode::kSyntax, 1, 2);
  expect("0 1 0 0 1 1\n", ErrorCode::kSyntax, 1, 11);
  expect("nan 1 0 0 1\n", ErrorCode::kNonFinite, 1, 1);
  expect("0 1 0 1e999 1\n", ErrorCode::kNonFinite, 1, 7);
  expect("0 1 0 0 1\n0 2 0 0 1\n0 1 0 1 0\n", ErrorCode::kInconsistent, 3, 1);
}

TEST(PullsFile, ReportsTenProblemsAtMost) {
  std::string bytes;
  for (int i = 0; i < 50; ++i) bytes += "x\n";
  const auto read = read_pulls(bytes, "name", 4);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.errors().size(), 10U);
}

}  // namespace
}  // namespace pliant
