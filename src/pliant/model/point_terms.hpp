// model/point_terms.hpp — forces on points of a body, inside the solve of a step.
//
// Whatever acts on points of a body (a hand's spring, later contact) states its force and how the force
// changes as the point moves. Both enter the implicit equations of the step, so no stiffness is too large for
// it (docs/theory/modal.md, "Forces on points").
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <utility>
#include <vector>

namespace pliant {

/// A point of an element, carried by its vertices: x = rest + Σ weight · displacement.
struct CarriedPoint {
  Vector3 rest = Vector3::Zero();                     // m
  std::vector<std::pair<VertexId, double>> carriers;  // vertices and their weights
};

/// What lies between several points and what pushes them, and gives way itself, such as a tool: together they
/// are softer than each alone, by L C Lᵀ.
struct SharedStiffness {
  Index rank = 0;      // columns in use
  MatrixX rows;        // L, three rows per point
  MatrixX compliance;  // C

  /// So many more columns, all zero; returns the first. Keeps its memory.
  Index add(std::size_t points, Index more) {
    const Index first = rank, height = 3 * static_cast<Index>(points);
    rank += more;
    if (rows.rows() != height || rows.cols() < rank) rows.conservativeResize(height, rank);
    if (compliance.rows() < rank) compliance.conservativeResize(rank, rank);
    rows.middleCols(first, more).setZero();
    compliance.block(0, first, rank, more).setZero();
    compliance.block(first, 0, more, rank).setZero();
    return first;
  }
};

/// Positions and velocities of a body's points, and the forces on them. World axes.
struct PointTerms {
  std::vector<Vector3> place, velocity;  // m, m/s, at the trial
  std::vector<Vector3> force;            // N, at the trial
  std::vector<Matrix3> stiffness;        // N/m: a move by d changes the force by −stiffness · d; symmetric
  SharedStiffness shared;                // taken off; models that do not know it converge more slowly
  double stage = 1.0;                    // the part of the step up to the trial, as in TimeScheme

  void resize(std::size_t count);
};

/// A force law on the points of a body, such as the spring of a hand.
class PointLaw {
 public:
  PointLaw() = default;
  PointLaw(const PointLaw&) = delete;
  PointLaw& operator=(const PointLaw&) = delete;
  virtual ~PointLaw() = default;

  /// Computes force and stiffness from place and velocity. Within the step a move by d changes the velocity
  /// by rate · d, so a damper c adds rate · c to the stiffness.
  virtual void act(double rate, PointTerms& points) = 0;
  /// Whether the force has kinks, as in contact: each step must then be seen before it is accepted.
  [[nodiscard]] virtual bool has_kinks() const { return false; }
  /// Called at a solution. True: the law has changed what it holds fixed in a solve, such as bounds of
  /// friction, so another solution has to be found.
  [[nodiscard]] virtual bool changes_at_solution() { return false; }

  PointTerms terms;  // of the body that the law acts on; kept, so that steps allocate nothing
};

}  // namespace pliant
