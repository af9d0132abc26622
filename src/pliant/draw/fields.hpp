// draw/fields.hpp — what colours a body and how it vibrates, for the points that are drawn.
//
// Fields live on the volume; the points of the surface take the mean of the elements around the vertices that
// carry them. Values go to the page as 16-bit numbers of a scale that comes with them.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/draw/drawn_body.hpp"

#include <chrono>
#include <map>
#include <utility>

namespace pliant::view {

/// As the page asks for them.
enum class FieldKind : std::uint8_t { kDisplacement = 1, kVonMises = 2 };

/// The field at every drawn point: m, or Pa.
[[nodiscard]] std::vector<float> surface_field(const Model& model, const DrawnBody& drawn, FieldKind kind);

/// For the page: values as shares of the field's top, which is its largest value; of stresses the one
/// that 99.5 % of the points stay below, because corners of supports have no bound.
[[nodiscard]] Field pack_field(const std::vector<float>& values, FieldKind kind);

/// Fields that pages have asked for, computed so seldom that they take a tenth of the time at most.
class FieldCache {
 public:
  /// The field at this step, or a somewhat older one; `revision` is that of the points.
  const Field& get(const Model& model, const DrawnBody& drawn, std::uint32_t body, FieldKind kind,
                   std::uint32_t epoch, std::uint32_t step, std::uint32_t revision, bool at_rest);
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    Field field;
    std::uint32_t epoch = 0;
    std::uint32_t revision = 0;
    std::chrono::steady_clock::time_point made;
    double seconds = 0.0;  // that it took
  };
  std::map<std::pair<std::uint32_t, FieldKind>, Entry> entries_;
};

/// Natural modes of a body as its model has them, at its drawn points.
class ModeShapes {
 public:
  /// Finds them: the lowest `count`, linearised at rest.
  static Result<ModeShapes> find(const Model& model, const DrawnBody& drawn, Index count,
                                 const Progress& progress = no_progress());
  /// One for the page: the shape with its largest displacement 1.
  [[nodiscard]] Mode mode(std::uint32_t number) const;
  [[nodiscard]] Index count() const { return std::ssize(shapes_); }

 private:
  std::vector<float> hz_;
  std::uint32_t rigid_ = 0;
  std::vector<std::vector<std::uint16_t>> shapes_;  // half floats, x, y, z of each point
};

}  // namespace pliant::view
