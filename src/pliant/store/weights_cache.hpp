// store/weights_cache.hpp — weights of overlapping domains on disk, beside the reduced bodies.
//
// Of a blended body the weights alone take long to compute. The files have the seal and the rules of
// store/reduced_cache.hpp: a file is right or absent.
#pragma once

#include "pliant/store/reduced_cache.hpp"

namespace pliant {

/// As in BlendWeights; the kind is a number here.
struct CachedWeights {
  Index kind = 0;
  MatrixX raw;         // n × d
  VectorX raw_anchor;  // n
  MatrixX domains;     // n × d
  VectorX anchor;      // n
};

/// A folder of such files. Keys are those of reduced_body_key().
class WeightsCache {
 public:
  explicit WeightsCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path file(const std::string& key) const { return folder_ / (key + ".h5"); }
  /// Empty if there is no file, or if it cannot be trusted; then a note says why.
  [[nodiscard]] std::optional<CachedWeights> load(const std::string& key, Index vertices, Index domains,
                                                  Diagnostics& notes) const;
  [[nodiscard]] Status save(const std::string& key, const CachedWeights& weights) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace pliant
