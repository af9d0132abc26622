#include "pliant/store/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace pliant {
namespace {

constexpr double kWidth = 820.0, kHeight = 340.0;  // of one chart, pixels
constexpr double kLeft = 84.0, kRight = 170.0, kTop = 40.0, kBottom = 48.0;
constexpr std::size_t kMostPoints = 2000;  // more than the chart has pixels
// Colours that colour-blind readers can tell apart (blue, orange, green, purple, sky, vermilion, black).
constexpr std::array<std::string_view, 7> kColours{"#0072b2", "#e69f00", "#009e73", "#9b4f96",
                                                   "#56b4e9", "#d55e00", "#333333"};

/// Bounds of an axis; never an empty interval.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void close() {
    if (!(low <= high)) low = 0.0, high = 1.0;
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
      const double half = low == 0.0 ? 1.0 : 0.1 * std::abs(low);
      low -= half;
      high += half;
    }
  }
  [[nodiscard]] double fraction(double value) const { return (value - low) / (high - low); }
};

struct Frame {
  Axis x, y;
  double top = 0.0;  // of the chart in the picture
  [[nodiscard]] double px(double value) const {
    return kLeft + x.fraction(value) * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double py(double value) const {
    return top + kHeight - kBottom - y.fraction(value) * (kHeight - kTop - kBottom);
  }
};

bool drawable(const Curve& curve, std::size_t i) {
  return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
}

Frame make_frame(const Plot& plot, double top) {
  Frame frame;
  frame.top = top;
  for (const Curve& curve : plot.curves) {
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!drawable(curve, i)) continue;
      frame.x.include(curve.x[i]);
      frame.y.include(curve.y[i]);
    }
  }
  frame.x.close();
  frame.y.close();
  return frame;
}

void draw_axes(const Plot& plot, const Frame& frame, std::string& svg) {
  const double left = kLeft, right = kWidth - kRight, top = frame.top + kTop,
               bottom = frame.top + kHeight - kBottom;
  svg += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\">{}</text>\n", left,
                     top - 18, svg_text(plot.title));
  for (const double tick : axis_ticks(frame.y.low, frame.y.high, 6)) {
    const double y = frame.py(tick);
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#e3e3e3\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n",
        left, y, right, left - 8, y + 4, tick);
  }
  for (const double tick : axis_ticks(frame.x.low, frame.x.high, 8)) {
    const double x = frame.px(tick);
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}v5\" stroke=\"#555\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.4g}</text>\n",
        x, bottom, x, bottom + 19, tick);
  }
  svg += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#555\"/>\n", left, top,
                     bottom, right);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", (left + right) / 2,
                     bottom + 38, svg_text(plot.x_label));
  svg +=
      fmt::format("<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                  (top + bottom) / 2, svg_text(plot.y_label));
}

void draw_curve(const Curve& curve, const Frame& frame, std::size_t index, std::string& svg) {
  const std::string_view colour = kColours[index % kColours.size()];
  const std::size_t size = std::min(curve.x.size(), curve.y.size());
  const std::size_t stride = size / kMostPoints + 1;  // long curves are thinned
  svg += fmt::format(
      "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\" points=\"",
      colour);
  for (std::size_t i = 0; i < size; ++i) {
    if ((i % stride == 0 || i + 1 == size) && drawable(curve, i))
      svg += fmt::format("{:.1f},{:.1f} ", frame.px(curve.x[i]), frame.py(curve.y[i]));
  }
  const double y = frame.top + kTop + 8 + 19 * static_cast<double>(index), x = kWidth - kRight + 14;
  svg += fmt::format(
      "\"/>\n<path d=\"M{:.1f} {:.1f}h20\" stroke=\"{}\" stroke-width=\"2.5\"/><text x=\"{:.1f}\" "
      "y=\"{:.1f}\">{}</text>\n",
      x, y - 4, colour, x + 26, y, svg_text(curve.name));
}

}  // namespace

std::string svg_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {  // XML does not allow control characters
      safe += c;
    }
  }
  return safe;
}

std::vector<double> axis_ticks(double low, double high, int count) {
  const double span = high - low;
  if (!(span > 0.0) || !std::isfinite(span)) return {};
  // The largest power of ten below the wanted distance, then the first of 1, 2, 5, 10 times it that suffices.
  double step = std::pow(10.0, std::floor(std::log10(span / count)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (span / (step * factor) <= count) {
      step *= factor;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (double i = first; i <= last && ticks.size() < 100; i += 1.0)
    ticks.push_back(i == 0.0 ? 0.0 : i * step);
  return ticks;
}

std::string plot_svg(std::span<const Plot> plots) {
  const double height = kHeight * static_cast<double>(std::max<std::size_t>(plots.size(), 1));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, height);
  for (std::size_t p = 0; p < plots.size(); ++p) {
    const Frame frame = make_frame(plots[p], kHeight * static_cast<double>(p));
    draw_axes(plots[p], frame, svg);
    for (std::size_t i = 0; i < plots[p].curves.size(); ++i) draw_curve(plots[p].curves[i], frame, i, svg);
  }
  return svg + "</svg>\n";
}

}  // namespace pliant
