#include "pliant/store/points_cache.hpp"

#include "pliant/base/atomic_file.hpp"

#include <algorithm>
#include <system_error>

namespace pliant {
namespace {

/// A row per point: its number and its factor.
MatrixX table_of(const std::vector<Index>& points, const VectorX& factors) {
  MatrixX table(2, factors.size());
  for (Index i = 0; i < factors.size(); ++i)
    table.col(i) << static_cast<double>(points[to_size(i)]), factors[i];
  return table;
}

bool read_table(const Hdf5Image& image, const char* name, Index most, std::vector<Index>& points,
                VectorX& factors) {
  const std::optional<std::vector<Index>> shape = image.shape(name);
  if (!shape || shape->size() != 2 || shape->back() != 2) return false;
  MatrixX table(2, shape->front());
  if (!image.read(name, *shape, table.data()) || !table.allFinite()) return false;
  factors = table.row(1).transpose();
  points.clear();
  for (Index i = 0; i < table.cols(); ++i) {
    if (!(table(0, i) >= 0.0 && table(0, i) < static_cast<double>(most) && factors[i] >= 0.0)) return false;
    points.push_back(static_cast<Index>(table(0, i)));
  }
  return true;
}

Result<CachedPoints> parse(std::string_view bytes, const std::string& key, const std::string& name,
                           Index most) {
  if (std::optional<Diagnostic> problem = check_seal(bytes, key, name)) return *std::move(problem);
  const Hdf5Image image(bytes.substr(kReducedCacheHeader));
  CachedPoints points;
  bool complete = image.ok();
  complete = complete && read_table(image, "cubature/points", most, points.points, points.factors);
  complete = complete &&
             read_table(image, "cubature/restorative", most, points.restorative, points.restorative_factors);
  complete = complete && image.read("cubature/error", std::vector<Index>{1}, &points.error);
  if (complete) {
    const std::optional<std::vector<Index>> shape = image.shape("cubature/curve");
    complete = shape && shape->size() == 2 && shape->back() == 3;
    if (complete) points.curve.resize(3, shape->front());
    complete = complete && image.read("cubature/curve", *shape, points.curve.data());
  }
  if (!complete || points.points.empty())
    return Diagnostic{
        ErrorCode::kInconsistent, {name, 0, 0, ""}, "holds no points of this body", "they are chosen anew"};
  return points;
}

}  // namespace

std::optional<CachedPoints> PointsCache::load(const std::string& key, Index most, Diagnostics& notes) const {
  const std::filesystem::path path = file(key);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Result<std::string> bytes = read_file(path);
  Result<CachedPoints> points =
      bytes ? parse(bytes.value(), key, path.string(), most) : Result<CachedPoints>(bytes.errors());
  if (points) return std::move(points).value();
  notes.insert(notes.end(), points.errors().begin(), points.errors().end());
  return std::nullopt;
}

Status PointsCache::save(const std::string& key, const CachedPoints& points) const {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  const MatrixX own = table_of(points.points, points.factors);
  const MatrixX restorative = table_of(points.restorative, points.restorative_factors);
  const std::vector<Hdf5Array> arrays{{"cubature/points", {own.cols(), 2}, own.data()},
                                      {"cubature/restorative", {restorative.cols(), 2}, restorative.data()},
                                      {"cubature/error", {1}, &points.error},
                                      {"cubature/curve", {points.curve.cols(), 3}, points.curve.data()}};
  const Result<std::string> payload = write_hdf5(arrays);
  if (!payload) return payload.errors();
  return write_file(file(key), seal_reduced_body(payload.value(), key));
}

}  // namespace pliant
