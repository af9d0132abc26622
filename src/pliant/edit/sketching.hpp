// edit/sketching.hpp — pulls on the linear static model of a body, recorded for a basis made of them.
//
//     point ──K⁻¹──► how all drawn points move for 1 N along x, y, z ──► the page draws any pull by itself
//     pulls ──► rows for reduce/sketch.hpp ──► full static shapes ──► basis
//
// [BarbicJames2005] §5.2. The stiffness at rest is factorised once; a point costs three solutions, and from
// then on the page follows the hand without asking. A hand holds a patch, not a point: the force is spread
// over the points around it, since that on a single vertex would mostly draw out its own elements.
#pragma once

#include "pliant/edit/simulation.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/reduce/rest_system.hpp"
#include "pliant/scene/description.hpp"

#include <memory>
#include <vector>

namespace pliant::view {

/// What tools need of a running body, to be used while it runs on.
struct WorkPiece {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<std::vector<std::pair<VertexId, double>>> carriers;  // of each drawn point
  bool reduced = false;                                            // it has one basis
};

/// Of body `b` as it runs now.
[[nodiscard]] WorkPiece work_piece(const Simulation& simulation, std::size_t b);

/// Vertices that supports hold or move.
Result<std::vector<Support>> supports_of(const BodyText& body, const VolumeMesh& mesh);

class SketchDesk {
 public:
  /// Factorises. Errors: not a body with one basis, or nothing holds it.
  static Result<std::unique_ptr<SketchDesk>> make(const BodyText& body, WorkPiece piece, Progress& progress);

  /// How all points move when this one is pulled; `body` is left to the caller.
  [[nodiscard]] Result<SketchShapes> shapes(std::uint32_t point) const;
  /// Keeps a pull; refuses what is not finite or too much.
  [[nodiscard]] Status add(const AddPull& pull);
  void clear() { pulls_.clear(); }
  [[nodiscard]] bool empty() const { return pulls_.empty(); }
  /// All pulls as the solver wants them: forces of one pull follow each other, pulls do not overlap.
  [[nodiscard]] std::vector<Pull> rows() const;

 private:
  explicit SketchDesk(WorkPiece piece);
  /// Vertices that a pull at this point acts on, and their shares of its force, which sum to 1.
  [[nodiscard]] std::vector<std::pair<VertexId, double>> grip(std::uint32_t point) const;

  WorkPiece piece_;
  std::vector<Vector3> points_;  // at rest
  double radius_ = 0.0;          // of what a hand holds, m
  std::unique_ptr<RestSystem> system_;
  std::vector<AddPull> pulls_;
};

}  // namespace pliant::view
