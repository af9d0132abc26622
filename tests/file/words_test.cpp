// Numbers as files write them, to the ends of the doubles and beyond.
#include "pliant/file/words.hpp"

#include "pliant/file/cursor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

TEST(Words, NumbersBeyondTheDoublesAreInfiniteOrZero) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string zeros(400, '0');
  for (const auto& [word, expected] : {std::pair<std::string, double>{"1e400", infinity},
                                       {"-1e400", -infinity},
                                       {"1e-400", 0.0},
                                       {"1" + zeros, infinity},
                                       {"-1" + zeros + ".5", -infinity},
                                       {"0." + zeros + "1", 0.0},
                                       {"." + zeros + "1", 0.0},
                                       // the exponent alone does not tell
                                       {"1" + zeros + "e-5", infinity},
                                       {"0." + zeros + "1e5", 0.0},
                                       {"00" + zeros + "1e999", infinity},
                                       {"1e99999999999999999999", infinity},
                                       {"1e-99999999999999999999", 0.0}}) {
    SCOPED_TRACE(word);
    ASSERT_TRUE(to_number(word).has_value());
    EXPECT_EQ(*to_number(word), expected);
    EXPECT_EQ(std::signbit(*to_number(word)), word.front() == '-');
    Cursor cursor(word, "a");
    EXPECT_EQ(cursor.real(), expected);
    EXPECT_FALSE(cursor.failed());
  }
  EXPECT_EQ(to_number("+1.5e1"), 15.0);
  for (const char* word : {"", "+", "1e", "1.5x", "+-1", "0x10"})
    EXPECT_FALSE(to_number(word).has_value()) << word;
}

TEST(Words, AreShownBoundedAndPrintable) {
  EXPECT_EQ(in_quotes("a\nb"), "'a?b'");
  EXPECT_EQ(in_quotes(std::string(1000, 'x')).size(), 45U);
  EXPECT_EQ(lower_case("AzÄ1"), "azÄ1");
  EXPECT_EQ(upper_case("AzÄ1"), "AZÄ1");
}

}  // namespace
}  // namespace pliant
