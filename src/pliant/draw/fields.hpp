// draw/fields.hpp — fields that colour a body, and its mode shapes, at the points that are drawn.
//
// Stresses belong to elements. A vertex takes the mean of the elements around it, and a drawn point the
// weighted mean of the vertices that carry it. Values are sent as 16-bit numbers together with their scale.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/draw/drawn_body.hpp"

#include <chrono>
#include <map>
#include <utility>

namespace pliant::view {

/// The fields, numbered as in the protocol.
enum class FieldKind : std::uint8_t { kDisplacement = 1, kVonMises = 2 };

/// The field at every drawn point: m, or Pa.
[[nodiscard]] std::vector<float> surface_field(const Model& model, const DrawnBody& drawn, FieldKind kind);

/// A field as it is sent: values relative to the top of its scale. The top is the largest value. Of stresses
/// it is the 99.5 % quantile, because stresses at the corners of supports grow without bound as the mesh is
/// refined.
[[nodiscard]] Field pack_field(const std::vector<float>& values, FieldKind kind);

/// The fields that pages have requested. They are recomputed so seldom that they take at most a tenth of the
/// time.
class FieldCache {
 public:
  /// The field at this step, or a somewhat older one. `revision`: of the drawn points. `at_rest`: the
  /// simulation stands still.
  const Field& get(const Model& model, const DrawnBody& drawn, std::uint32_t body, FieldKind kind,
                   std::uint32_t epoch, std::uint32_t step, std::uint32_t revision, bool at_rest);
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    Field field;
    std::uint32_t epoch = 0;
    std::uint32_t revision = 0;
    std::chrono::steady_clock::time_point made;
    double seconds = 0.0;  // time of its computation
  };
  std::map<std::pair<std::uint32_t, FieldKind>, Entry> entries_;
};

/// Natural modes of a body's model, at its drawn points.
class ModeShapes {
 public:
  /// Finds the lowest `count` modes, linearised at rest.
  static Result<ModeShapes> find(const Model& model, const DrawnBody& drawn, Index count,
                                 const Progress& progress = no_progress());
  /// One mode as it is sent, scaled so that its largest displacement is 1.
  [[nodiscard]] Mode mode(std::uint32_t number) const;
  [[nodiscard]] Index count() const { return std::ssize(shapes_); }

 private:
  std::vector<float> hz_;
  std::uint32_t rigid_ = 0;
  std::vector<std::vector<std::uint16_t>> shapes_;  // half floats, x, y, z of each point
};

}  // namespace pliant::view
