// sim/dents.hpp — the dents that contacts make in the surface of a reduced body, beyond its subspace
// (docs/theory/contact.md, "Dents").
//
// A point is shown at x + d, d = C f. For given x, the forces f of all contacts are found that are those of
// the contacts at x + C f: the minimum of ½ fᵀ C f + Σ φ(x + C f). To the body that is one law of forces,
// whose points are coupled.
#pragma once

#include "pliant/contact/flexibility.hpp"
#include "pliant/math/dense_cholesky.hpp"
#include "pliant/model/model.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pliant {

class Dents {
 public:
  explicit Dents(std::shared_ptr<Flexibility> flexibility) : flexibility_(std::move(flexibility)) {}

  /// The points that contacts press on.
  void set_points(std::span<const Index> vertices);
  /// Where the parts are from now on.
  void turn(std::span<const PartPose> poses);
  /// The force on a point, in the axes of its part at rest, N.
  [[nodiscard]] Vector3 force(std::size_t point) const { return forces_.segment<3>(row(point)); }
  void set_force(std::size_t point, const Vector3& force) { forces_.segment<3>(row(point)) = force; }
  /// Fills the dents of all points by these forces.
  void sink();
  [[nodiscard]] Vector3 dent(std::size_t point) const {
    return turns_[point] * dents_.segment<3>(row(point));
  }
  /// The dent of any vertex of the surface, world axes.
  [[nodiscard]] Vector3 dent_of(Index vertex) const;
  /// A bound of all dents, m.
  [[nodiscard]] double deepest() const;
  /// ½ fᵀ C f, J.
  [[nodiscard]] double energy() const { return 0.5 * forces_.dot(dents_); }
  /// C of two points, world axes.
  [[nodiscard]] Matrix3 between(std::size_t at, std::size_t on) const {
    return turns_[at] * C_.block<3, 3>(row(at), row(on)) * turns_[on].transpose();
  }

  /// Forces of all contacts on the points and their stiffness, world axes, where the points are dented by
  /// dent().
  using Press = std::function<void(std::span<Vector3> forces, std::span<Matrix3> stiffness)>;
  /// Finds the forces.
  void balance(const Press& press);
  /// The same; adds them to the terms, with `factor` times the stiffness.
  void settle(const Press& press, double factor, PointTerms& points);

 private:
  static Index row(std::size_t point) { return 3 * static_cast<Index>(point); }
  double press_now(const Press& press);
  void take_active();
  void factorize();
  void multiply_active(const VectorX& x, VectorX& y) const;

  std::shared_ptr<Flexibility> flexibility_;
  std::vector<Index> vertices_;
  std::vector<Index> parts_;    // of each point
  std::vector<Matrix3> turns_;  // of each point: world axes from rest axes
  std::vector<Matrix3> now_;    // of each part
  MatrixX C_;                   // rest axes
  VectorX forces_, dents_;      // likewise

  // Scratch
  std::vector<Vector3> pressed_;
  std::vector<Matrix3> stiffness_;
  std::vector<std::size_t> active_;  // points with a stiffness K = B Bᵀ
  std::vector<Matrix3> halves_;      // B of each, rest axes
  VectorX unbalanced_, change_, base_, moved_, right_;
  MatrixX system_;  // 1 + Bᵀ C B
  std::optional<DenseCholesky> factor_;
};

}  // namespace pliant
