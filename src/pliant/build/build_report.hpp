// build/build_report.hpp — how the bases of a body came about, whatever its model.
#pragma once

#include "pliant/base/index.hpp"
#include "pliant/subspace/basis.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// How many loads and shapes a sketch had at each stage.
struct SketchCounts {
  Index recorded = 0;  // loads: pulls of one time
  Index solved = 0;    // left after thinning
  Index kept = 0;      // shapes that the basis is made from
};

/// What a basis was trained with.
struct TrainingCounts {
  Index cases = 0;     // loads that the full model was given
  Index left_out = 0;  // of them, without an equilibrium
  Index known = 0;     // cases that need not, or could not, be solved
  Index shapes = 0;    // that the basis is made from
};

/// Cubature points that were considered for a body or a domain.
struct CubatureReport {
  bool kept = false;  // else the polynomial, or the loop over the elements
  Index points = 0;
  double error = 1.0;  // on poses that were not fitted, or those that were: the larger
  MatrixX curve;       // rows: number of points, error on poses fitted, on others
  bool from_cache = false;
  double seconds = 0.0;                           // of poses and choice
  double polynomial_us = 0.0, cubature_us = 0.0;  // of one evaluation; 0: not measured
  std::filesystem::path file;
};

struct BasisReport {
  Index size = 0;          // shapes in use
  double captured = 1.0;   // share of the energy of what it was made from
  bool polynomial = true;  // forces are polynomials of the coordinates
  bool from_cache = false;
  std::filesystem::path file;          // in the cache; empty when it is not kept
  std::optional<SketchCounts> sketch;  // when the basis was sketched just now
};

struct BuildReport {
  std::optional<BasisReport> basis;        // of a body with one basis for the whole of it
  Index from_cache = 0;                    // bases that were in the cache already
  std::optional<TrainingCounts> training;  // when they were trained just now
  std::optional<ExpectedErrors> expected;  // of a body with trained bases
  std::vector<double> pose_residuals;      // RMS over that of the poses, before and after each pass of EMWE
  std::vector<std::pair<std::string, CubatureReport>> cubature;  // by body, domain class or interface
};

}  // namespace pliant
