// draw/drawn_body.hpp — what is drawn of a body, laid out for a graphics processor.
//
//     site   = p + s Q (x + U q)                one part's pose, one row of its class's table
//     point  = keep · site + Σ weight · site    near joints of domains; elsewhere the site itself
//
// Tables go to the page once; poses and coordinates follow in every frame. All copies of a class share a
// table, and their triangles where the surface is their own. Bodies without parts have neither sites nor
// tables: their points are sent as they are.
#pragma once

#include "pliant/draw/protocol.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/subspace/domain_surfaces.hpp"

#include <array>
#include <vector>

namespace pliant::view {

/// How tables are sent: half the bytes, or all the digits.
enum class TableNumbers { kFloat, kHalf };

/// Elements instead of the surface, with their edges.
struct VolumeView {
  bool on = false;
  int axis = -1;       // x, y, z: without elements beyond a share of the way along it at rest; -1: all
  double share = 1.0;  // [0, 1]
  bool operator==(const VolumeView&) const = default;
};

class DrawnBody {
 public:
  /// Of body `b` of a built scene. `cut`: domains that have come off their parents (empty: none). `streamed`:
  /// points are sent as they are, whatever the model.
  static Result<DrawnBody> make(const BuiltScene& scene, std::size_t b, TableNumbers numbers,
                                const std::vector<char>& cut = {}, bool streamed = false,
                                const VolumeView& volume = {});

  [[nodiscard]] Index point_count() const { return static_cast<Index>(geometry_.rest.size() / 3); }
  [[nodiscard]] Index triangle_count() const;
  [[nodiscard]] bool has_parts() const { return !geometry_.part_tables.empty(); }
  /// For the page.
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }

  /// What a frame says of the body now.
  [[nodiscard]] BodyState state(const Model& model) const;
  /// All points: what the page's graphics processor should find. `as_sent`: from half floats where the page
  /// has these, otherwise from the floats behind them.
  [[nodiscard]] std::vector<float> positions(const BodyState& state, bool as_sent = false) const;

  /// Where a point is at rest.
  [[nodiscard]] const Vector3& rest(Index point) const { return surface_.vertices[to_size(point)]; }
  /// Where the model has a point now; near joints of domains without the blend.
  [[nodiscard]] Vector3 place(const Model& model, Index point) const;
  /// Vertices of the volume that carry a point, and their weights.
  [[nodiscard]] std::vector<std::pair<VertexId, double>> carriers(Index point) const;

 private:
  void set_shapes(std::size_t table, std::vector<float> shapes);
  void stream();
  void reorder(const std::vector<Index>& origin);
  void use_parts(const PartTables& parts, bool domains);
  void add_blend(const PartTables& parts, std::vector<std::vector<float>>& shapes);

  SurfaceMesh surface_;                         // at rest
  std::vector<std::array<VertexId, 2>> edges_;  // of elements, if these are shown
  WeightRows carriers_;                         // of its points, by vertices of the volume
  Geometry geometry_;
  std::vector<std::vector<float>> shapes_;  // of each table
};

/// The IEEE half float nearest to a number; beyond its range the largest.
[[nodiscard]] std::uint16_t to_half(float value);
/// What a half float stands for.
[[nodiscard]] float from_half(std::uint16_t bits);

}  // namespace pliant::view
