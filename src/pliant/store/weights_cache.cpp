#include "pliant/store/weights_cache.hpp"

#include "pliant/base/atomic_file.hpp"

#include <system_error>

namespace pliant {
namespace {

/// Calls visit(name, shape, values) for every array, in both directions.
template <class Weights, class Kind, class Visit>
void each_array(Weights& weights, Kind& kind, const Visit& visit) {
  const Index n = weights.raw.rows(), d = weights.raw.cols();
  visit("weights/kind", std::vector<Index>{1}, &kind);
  visit("weights/raw", std::vector<Index>{d, n}, weights.raw.data());
  visit("weights/raw_anchor", std::vector<Index>{n}, weights.raw_anchor.data());
  visit("weights/domains", std::vector<Index>{d, n}, weights.domains.data());
  visit("weights/anchor", std::vector<Index>{n}, weights.anchor.data());
}

Result<CachedWeights> parse(std::string_view bytes, const std::string& key, const std::string& name,
                            Index vertices, Index domains) {
  if (std::optional<Diagnostic> problem = check_seal(bytes, key, name)) return *std::move(problem);
  const Hdf5Image image(bytes.substr(kReducedCacheHeader));
  CachedWeights weights{0, MatrixX(vertices, domains), VectorX(vertices), MatrixX(vertices, domains),
                        VectorX(vertices)};
  double kind = 0.0;
  bool complete = image.ok();
  each_array(weights, kind, [&](const char* array, const std::vector<Index>& shape, double* values) {
    complete = complete && image.read(array, shape, values);
  });
  complete = complete && weights.raw.allFinite() && weights.raw_anchor.allFinite() &&
             weights.domains.allFinite() && weights.anchor.allFinite() && kind >= 0.0 && kind <= 7.0;
  if (!complete)
    return Diagnostic{
        ErrorCode::kInconsistent, {name, 0, 0, ""}, "holds no weights of this body", "it is built anew"};
  weights.kind = static_cast<Index>(kind);
  return weights;
}

}  // namespace

std::optional<CachedWeights> WeightsCache::load(const std::string& key, Index vertices, Index domains,
                                                Diagnostics& notes) const {
  const std::filesystem::path path = file(key);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Result<std::string> bytes = read_file(path);
  Result<CachedWeights> weights = bytes ? parse(bytes.value(), key, path.string(), vertices, domains)
                                        : Result<CachedWeights>(bytes.errors());
  if (weights) return std::move(weights).value();
  notes.insert(notes.end(), weights.errors().begin(), weights.errors().end());
  return std::nullopt;
}

Status WeightsCache::save(const std::string& key, const CachedWeights& weights) const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  const auto kind = static_cast<double>(weights.kind);
  std::vector<Hdf5Array> arrays;
  each_array(weights, kind, [&](const char* name, const std::vector<Index>& shape, const double* values) {
    arrays.push_back({name, shape, values});
  });
  const Result<std::string> payload = write_hdf5(arrays);
  if (!payload) return payload.errors();
  return write_file(file(key), seal_reduced_body(payload.value(), key));
}

}  // namespace pliant
