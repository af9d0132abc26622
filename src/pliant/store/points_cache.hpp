// store/points_cache.hpp — chosen integration points on disk, beside the reduced bodies.
//
// The files have the seal and the rules of store/reduced_cache.hpp: a file is right or absent.
#pragma once

#include "pliant/store/reduced_cache.hpp"

namespace pliant {

/// Numbers of points, and factors on their volumes.
struct CachedPoints {
  std::vector<Index> points, restorative;
  VectorX factors, restorative_factors;
  double error = 1.0;
  MatrixX curve;  // 3 × k, as in CubatureReport
};

/// A folder of such files. Keys are those of reduced_body_key().
class PointsCache {
 public:
  explicit PointsCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".h5"); }
  /// Empty if there is no file, or if it cannot be trusted; then a note says why. `most`: one more than the
  /// largest number that a point may have.
  [[nodiscard]] std::optional<CachedPoints> load(const std::string& key, Index most,
                                                 Diagnostics& notes) const;
  [[nodiscard]] Status save(const std::string& key, const CachedPoints& points) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace pliant
