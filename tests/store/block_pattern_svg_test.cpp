// The picture of a matrix of blocks: one rectangle per block, fill in its own colour.
#include "pliant/store/block_pattern_svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace pliant {
namespace {

constexpr std::string_view kFill = "#d55e00";

/// Rectangles in the paths of a picture: each begins with M, which no other word of it has.
std::ptrdiff_t rectangles(const std::string& svg) { return std::ranges::count(svg, 'M'); }

std::size_t occurrences(const std::string& svg, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = svg.find(word); at != std::string::npos; at = svg.find(word, at + 1)) ++count;
  return count;
}

/// A ring of four in the order 0, 2, 1, 3: eliminating 0 couples 1 and 3.
BlockPattern ring() { return {{6, 36, 26, 10}, {0, 2, 1, 3}, {{2, 0}, {3, 0}, {2, 1}, {3, 1}}, {{3, 2}}}; }

TEST(BlockPatternSvg, HasEveryBlockOnce) {
  const std::string svg = block_pattern_svg(ring());
  EXPECT_EQ(rectangles(svg), (4 + 2 * 4) + (4 + 4 + 1));
  EXPECT_EQ(occurrences(svg, kFill), 2U);  // in the factor and in the legend
  // 78 scalars on 420 pixels from 96 on: the block of 36 begins at 6, inside a white seam of 0.8
  EXPECT_NE(svg.find("M129.11 91.11h192.25"), std::string::npos) << svg;
}

TEST(BlockPatternSvg, OfATreeHasNoFillAndNoLegendOfIt) {
  BlockPattern pattern = ring();
  pattern.matrix.pop_back();
  pattern.fill.clear();
  pattern.sizes[0] = 0;  // invisible
  const std::string svg = block_pattern_svg(pattern);
  EXPECT_EQ(svg.find(kFill), std::string::npos);
  EXPECT_NE(svg.find("no fill"), std::string::npos);
  EXPECT_EQ(rectangles(svg), (3 + 2 * 1) + (3 + 1));
}

TEST(BlockPatternSvg, LabelsByTheCallersNumbersAndEscapesNames) {
  const std::string numbers = block_pattern_svg(ring());
  EXPECT_EQ(occurrences(numbers, "text-anchor=\"end\""), 4U);
  const std::vector<std::string> names{"a", "b", "<arm & leg>", "d"};
  const std::string svg = block_pattern_svg(ring(), names);
  EXPECT_NE(svg.find(">&lt;arm &amp; leg&gt;</text>"), std::string::npos);
  EXPECT_LT(svg.find(">&lt;arm"), svg.find(">b</text>"));  // in the order of elimination
}

TEST(BlockPatternSvg, OfNothingIsAPictureToo) {
  const std::string svg = block_pattern_svg({});
  EXPECT_EQ(rectangles(svg), 0);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace pliant
