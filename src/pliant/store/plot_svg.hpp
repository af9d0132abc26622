// store/plot_svg.hpp — line charts as self-contained SVG files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// One line. Points with a coordinate that is not finite are left out.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

/// One chart.
struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Curve> curves;
};

/// The charts as one picture, one below the other.
[[nodiscard]] std::string plot_svg(std::span<const Plot> plots);

/// The text as an SVG file may have it between two tags.
[[nodiscard]] std::string svg_text(std::string_view text);

/// Round numbers within [low, high], at most about `count`, at distances of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> axis_ticks(double low, double high, int count);

}  // namespace pliant
