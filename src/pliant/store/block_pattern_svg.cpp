#include "pliant/store/block_pattern_svg.hpp"

#include "pliant/store/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace pliant {
namespace {

constexpr double kPanel = 420.0, kGap = 70.0, kLeft = 96.0, kTop = 58.0, kBottom = 64.0, kRight = 24.0;
constexpr double kFont = 11.0, kShortestLabel = 10.0;  // pixels; blocks below that get no label
constexpr double kWidth = kLeft + 2.0 * kPanel + kGap + kRight, kHeight = kTop + kPanel + kBottom;
// as in plots: colours that colour-blind readers can tell apart
constexpr std::string_view kDiagonal = "#0072b2", kCoupling = "#56b4e9", kFill = "#d55e00";

/// Where the rows (and columns) of the blocks are in a panel, pixels.
struct Places {
  explicit Places(const BlockPattern& pattern) {
    double all = 0.0;
    for (const Index size : pattern.sizes) all += static_cast<double>(size);
    const double scale = all > 0.0 ? kPanel / all : 0.0;
    double at = 0.0;
    for (const Index size : pattern.sizes) {
      begin.push_back(at);
      extent.push_back(scale * static_cast<double>(size));
      at += extent.back();
    }
  }
  std::vector<double> begin, extent;
};

/// Blocks of one colour, as one path.
class Blocks {
 public:
  Blocks(const Places& places, double left) : places_(&places), left_(left) {}
  void add(Index row, Index column) {
    const double width = places_->extent[to_size(column)], height = places_->extent[to_size(row)];
    if (width <= 0.0 || height <= 0.0) return;
    const double seam = std::min(0.04 * std::min(width, height), 0.8);  // white, between blocks
    path_ +=
        fmt::format("M{:.2f} {:.2f}h{:.2f}v{:.2f}h{:.2f}z", left_ + places_->begin[to_size(column)] + seam,
                    kTop + places_->begin[to_size(row)] + seam, width - 2.0 * seam, height - 2.0 * seam,
                    2.0 * seam - width);
  }
  [[nodiscard]] std::string svg(std::string_view colour) const {
    return path_.empty() ? std::string() : fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", colour, path_);
  }

 private:
  const Places* places_;
  double left_;
  std::string path_;
};

std::string draw_panel(const BlockPattern& pattern, const Places& places, double left, bool factor) {
  Blocks diagonal(places, left), coupled(places, left), fill(places, left);
  for (Index k = 0; k < std::ssize(pattern.sizes); ++k) diagonal.add(k, k);
  for (const auto& [row, column] : pattern.matrix) {
    coupled.add(row, column);
    if (!factor) coupled.add(column, row);
  }
  if (factor)
    for (const auto& [row, column] : pattern.fill) fill.add(row, column);
  return diagonal.svg(kDiagonal) + coupled.svg(kCoupling) + fill.svg(kFill) +
         fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n",
                     left, kTop, kPanel, kPanel);
}

std::string draw_labels(const BlockPattern& pattern, const Places& places,
                        std::span<const std::string> names) {
  std::string svg;
  for (std::size_t k = 0; k < pattern.sizes.size(); ++k) {
    if (places.extent[k] < kShortestLabel) continue;
    const Index block = pattern.order[k];
    const std::string name = block < std::ssize(names) ? names[to_size(block)] : fmt::format("{}", block);
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6.0,
                       kTop + places.begin[k] + 0.5 * places.extent[k] + 0.35 * kFont, svg_text(name));
  }
  return svg;
}

/// Scalars at and below the diagonal: of the matrix, and of fill.
struct Scalars {
  explicit Scalars(const BlockPattern& pattern) {
    const auto add = [&](const BlockPair& pair, Index& sum) {
      sum += pattern.sizes[to_size(pair[0])] * pattern.sizes[to_size(pair[1])];
    };
    for (const Index size : pattern.sizes) matrix += size * (size + 1) / 2;
    for (const BlockPair& pair : pattern.matrix) add(pair, matrix);
    for (const BlockPair& pair : pattern.fill) add(pair, fill);
  }
  Index matrix = 0, fill = 0;
};

std::string heading(double left, std::string_view title, std::string_view below) {
  return fmt::format(
      "<text x=\"{0}\" y=\"{1}\" font-size=\"15\" font-weight=\"bold\">{2}</text>\n"
      "<text x=\"{0}\" y=\"{3}\">{4}</text>\n",
      left, kTop - 30.0, title, kTop - 12.0, below);
}

std::string legend(bool with_fill) {
  const double y = kTop + kPanel + 30.0;
  std::string svg;
  double x = kLeft;
  const auto entry = [&](std::string_view colour, std::string_view text, double width) {
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}</text>\n",
        x, y, colour, x + 18.0, y + 10.0, text);
    x += width;
  };
  entry(kDiagonal, "block of one domain", 150.0);
  entry(kCoupling, "domains that are coupled", 175.0);
  if (with_fill) entry(kFill, "fill", 60.0);
  return svg;
}

}  // namespace

std::string block_pattern_svg(const BlockPattern& pattern, std::span<const std::string> names) {
  const Places places(pattern);
  const Scalars scalars(pattern);
  const double right = kLeft + kPanel + kGap;
  const std::string fill = pattern.fill.empty() ? "no fill" : fmt::format("fill {}", scalars.fill);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
             "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2}\" fill=\"#222\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
             kWidth, kHeight, kFont) +
         heading(kLeft, "matrix",
                 fmt::format("{} blocks, {} scalars at and below the diagonal", pattern.sizes.size(),
                             scalars.matrix)) +
         heading(right, "factor", fmt::format("{} scalars: {}", scalars.matrix + scalars.fill, fill)) +
         draw_panel(pattern, places, kLeft, false) + draw_panel(pattern, places, right, true) +
         draw_labels(pattern, places, names) + legend(!pattern.fill.empty()) + "</svg>\n";
}

}  // namespace pliant
