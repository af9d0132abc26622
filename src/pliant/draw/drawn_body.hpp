// draw/drawn_body.hpp — the drawn points and triangles of a body, laid out for a graphics processor.
//
//     site   = p + s Q (x + U q)                pose of a part, one row of the table of its class
//     point  = keep · site + Σ weight · site    near joints of domains (Eq. T18); elsewhere the site itself
//
// Tables are sent to the page once, poses and coordinates with every frame. All copies of a class share a
// table. They also share triangles if no triangle joins two domains. Bodies without parts have neither sites
// nor tables: the positions of their points are sent.
#pragma once

#include "pliant/draw/protocol.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/subspace/domain_surfaces.hpp"

#include <array>
#include <vector>

namespace pliant::view {

/// The number format of the tables: half floats take half the bytes, floats are exact.
enum class TableNumbers { kFloat, kHalf };

/// Whether the elements with their edges are drawn instead of the surface, and which of them.
struct VolumeView {
  bool on = false;
  int axis = -1;       // 0, 1, 2: hides elements beyond `share` of the way along this axis at rest; -1: none
  double share = 1.0;  // [0, 1]
  bool operator==(const VolumeView&) const = default;
};

/// What the page needs to draw a body: its geometry once, its state with every frame.
class DrawnBody {
 public:
  /// Body `b` of a built scene. `cut`: domains that have come off their parents (empty: none). `streamed`:
  /// sends the positions of the points even if the model has parts.
  static Result<DrawnBody> make(const BuiltScene& scene, std::size_t b, TableNumbers numbers,
                                const std::vector<char>& cut = {}, bool streamed = false,
                                const VolumeView& volume = {});

  [[nodiscard]] Index point_count() const { return static_cast<Index>(geometry_.rest.size() / 3); }
  [[nodiscard]] Index triangle_count() const;
  [[nodiscard]] bool has_parts() const { return !geometry_.part_tables.empty(); }
  /// The message with tables and triangles.
  [[nodiscard]] const Geometry& geometry() const { return geometry_; }

  /// The part of a frame that describes the body now.
  [[nodiscard]] BodyState state(const Model& model) const;
  /// The positions of all points that the page should compute. `as_sent`: from the half floats that were
  /// sent, if any; otherwise from the original floats.
  [[nodiscard]] std::vector<float> positions(const BodyState& state, bool as_sent = false) const;

  /// Position of a point at rest.
  [[nodiscard]] const Vector3& rest(Index point) const { return surface_.vertices[to_size(point)]; }
  /// Present position of a point in the model, without the blend near joints of domains.
  [[nodiscard]] Vector3 place(const Model& model, Index point) const;
  /// Vertices of the volume that carry a point, and their weights.
  [[nodiscard]] std::vector<std::pair<VertexId, double>> carriers(Index point) const;

 private:
  void set_shapes(std::size_t table, std::vector<float> shapes);
  void stream();
  void reorder(const std::vector<Index>& origin);
  void use_parts(const PartTables& parts, bool domains);
  void use_looks(const BodyLooks& looks, const Domains* domains);
  void add_blend(const PartTables& parts, std::vector<std::vector<float>>& shapes);

  SurfaceMesh surface_;                         // at rest
  std::vector<std::array<VertexId, 2>> edges_;  // of elements, if these are shown
  WeightRows carriers_;                         // of its points, by vertices of the volume
  Geometry geometry_;
  std::vector<std::vector<float>> shapes_;  // of each table
};

/// The IEEE half float nearest to a number; the largest one beyond the range.
[[nodiscard]] std::uint16_t to_half(float value);
/// The value of a half float.
[[nodiscard]] float from_half(std::uint16_t bits);

}  // namespace pliant::view
