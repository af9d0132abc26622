// mesh/fill/solid.hpp — what the meshers ask of a shape: whether a point is inside, and where an edge leaves
// it.
//
// There are two kinds: a triangle surface (inside by winding number) and an implicit function (inside where
// it is negative). Both meshers sample the shape on a lattice and fill blocks that certainly lie on one side
// at once.
#pragma once

#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/mesh/core/winding_number.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace pliant {

enum class Side : signed char { kOutside = -1, kBorder = 0, kInside = 1 };

class Solid {
 public:
  Solid() = default;
  Solid(const Solid&) = delete;
  Solid& operator=(const Solid&) = delete;
  virtual ~Solid() = default;

  /// Box around the shape.
  [[nodiscard]] virtual Box3 bounds() const = 0;
  [[nodiscard]] virtual bool inside(const Vector3& p) const = 0;
  /// Like inside(), but points within `tolerance` of the border count as lying on it.
  [[nodiscard]] virtual Side side(const Vector3& p, double tolerance) const = 0;
  /// The fraction t in [0, 1] of the way from a to b at which the side changes; a and b must be on different
  /// sides.
  [[nodiscard]] virtual double crossing(const Vector3& a, const Vector3& b) const = 0;
  /// True if the whole box certainly lies on one side, which is written to `side`.
  [[nodiscard]] virtual bool uniform(const Box3& box, Side& side) const = 0;
  /// Whether the border may pass through the box.
  [[nodiscard]] virtual bool touches(const Box3& box) const = 0;
  /// The nearest point of the border, or one almost as near; none if the border is farther than `radius`.
  [[nodiscard]] virtual std::optional<Vector3> nearest(const Vector3& p, double radius) const = 0;
};

/// The inside of a triangle surface, which must not be empty and should be oriented first
/// (orient_surface.hpp).
class SurfaceSolid final : public Solid {
 public:
  explicit SurfaceSolid(SurfaceMesh surface);
  [[nodiscard]] Box3 bounds() const override { return tree_->bounds(); }
  [[nodiscard]] bool inside(const Vector3& p) const override { return winding_.inside(p); }
  [[nodiscard]] Side side(const Vector3& p, double tolerance) const override;
  [[nodiscard]] double crossing(const Vector3& a, const Vector3& b) const override;
  [[nodiscard]] bool uniform(const Box3& box, Side& side) const override;
  [[nodiscard]] bool touches(const Box3& box) const override;
  [[nodiscard]] std::optional<Vector3> nearest(const Vector3& p, double radius) const override;

 private:
  SurfaceMesh surface_;
  std::shared_ptr<const TriangleTree> tree_;
  WindingNumber winding_;
};

/// Where a function is negative. |f| must not exceed the distance to the border (a signed distance or a lower
/// bound of it); otherwise blocks are filled wrongly.
class ImplicitSolid final : public Solid {
 public:
  using Function = std::function<double(const Vector3&)>;
  ImplicitSolid(Function function, const Box3& bounds) : function_(std::move(function)), bounds_(bounds) {}
  [[nodiscard]] double value(const Vector3& p) const { return function_(p); }
  [[nodiscard]] Box3 bounds() const override { return bounds_; }
  [[nodiscard]] bool inside(const Vector3& p) const override { return function_(p) < 0; }
  [[nodiscard]] Side side(const Vector3& p, double tolerance) const override;
  [[nodiscard]] double crossing(const Vector3& a, const Vector3& b) const override;
  [[nodiscard]] bool uniform(const Box3& box, Side& side) const override;
  [[nodiscard]] bool touches(const Box3& box) const override;
  [[nodiscard]] std::optional<Vector3> nearest(const Vector3& p, double radius) const override;

 private:
  Function function_;
  Box3 bounds_;
};

}  // namespace pliant
