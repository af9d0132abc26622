// model/reduced/wind_samples.hpp — a few faces of a reduced body that stand for all of them in the wind.
//
// Drag acts on every face of the boundary. A leaf has hundreds of faces, but only eight coordinates. The
// forces on so few coordinates are smooth sums over the faces, so a few faces with weights represent them:
// a cubature as in [AnKimJames2008], here over faces. It is fitted once per class to random shapes,
// velocities and winds. No weight is negative, so sampled drag still only damps. The scene sets the error
// that is allowed (Wind::tolerance). See docs/theory/dynamics.md, "Sampled wind".
#pragma once

#include "pliant/model/load_forces.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <optional>
#include <vector>

namespace pliant {

/// Faces of a reduced body in the wind, laid out for SIMD; shared by all copies of a class.
class WindSamples {
 public:
  /// All of the given faces. Vertices are those of the body's rest shape.
  WindSamples(const std::vector<WeightedTriangle>& faces, const std::vector<Vector3>& vertices,
              const ReducedBody& body);

  /// Fewer faces, weighted to give the same forces on the coordinates, resultant and moment as all faces.
  /// Each of the three has a relative error (root mean square over states that were not fitted) of at most
  /// `tolerance`. None when half of the faces are not enough.
  static std::optional<WindSamples> fit(const std::vector<WeightedTriangle>& faces,
                                        const std::vector<Vector3>& vertices, const ReducedBody& body,
                                        double tolerance);

  /// The wind at some time.
  struct Air {
    const Wind& wind;
    const Gusts& gusts;
    double scale = 1.0;  // of the velocity
    double time = 0.0;
  };

  /// Eq. D9: force += Uᵀ Qᵀ f, wrench += its resultant about the frame's origin in frame axes. `normals`
  /// (room for 4 numbers per sample, or null) receives what add_tangent() needs. The frame's rotation may
  /// contain a scale. Allocates nothing once the thread has evaluated a body as large.
  void add_forces(const Air& air, const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd,
                  VectorRef force, Vector6& wrench, double* normals = nullptr) const;
  /// K −= velocity_factor ∂f/∂q̇, at the state in which add_forces() filled `normals`.
  void add_tangent(const double* normals, double velocity_factor, MatrixRef K) const;

  /// Number of samples, including those that pad the last SIMD register.
  [[nodiscard]] Index size() const { return weights_.size(); }
  /// Number of samples without the padding.
  [[nodiscard]] Index count() const { return count_; }
  /// Largest of the three errors that fit() bounds; 0 with all faces.
  [[nodiscard]] double error() const { return error_; }
  /// Bytes of its arrays.
  [[nodiscard]] std::size_t bytes() const {
    return sizeof(double) * to_size(shapes_.size() + rest_.size() + weights_.size());
  }

 private:
  friend class WindFit;
  /// Work space of one thread. It grows to the largest body that the thread evaluates.
  struct Scratch {
    VectorX numbers;
    Index m = 0;
    void reserve(Index samples) {
      m = samples;
      if (numbers.size() < 15 * m) numbers.resize(15 * m);
    }
    [[nodiscard]] Eigen::Map<VectorX> places() { return {numbers.data(), 9 * m}; }
    [[nodiscard]] Eigen::Map<VectorX> rates() { return {numbers.data() + 9 * m, 3 * m}; }
    [[nodiscard]] Eigen::Map<VectorX> forces() { return {numbers.data() + 12 * m, 3 * m}; }
  };
  void lay_out(const std::vector<WeightedTriangle>& faces, const std::vector<Vector3>& vertices,
               const ReducedBody& body);
  void evaluate(const Air& air, const RigidFrame& frame, Scratch& scratch, Vector6& wrench,
                double* normals) const;
  void move(ConstVectorRef q, ConstVectorRef qd, Scratch& scratch) const;

  // Each component of all samples is contiguous: x, y, z of the centre, then of one edge, then of another.
  MatrixX shapes_;                    // 9m × r
  VectorX rest_;                      // 9m, centres from the origin
  VectorX weights_;                   // m
  Vector3 center_ = Vector3::Zero();  // of all faces, from the origin
  double radius_ = 0.0;               // about it
  Index count_ = 0;
  double error_ = 0.0;
};

}  // namespace pliant
