// edit/sketching.hpp — pulls on the linear static model of a body, recorded for a basis made of them.
//
//     point ──K⁻¹──► how all drawn points move for 1 N along x, y, z ──► the page draws any pull by itself
//     pulls ──► rows for reduce/sketch.hpp ──► full static shapes ──► basis
//
// [BarbicJames2005] §5.2. The stiffness at rest is factorised once. A point costs three solutions; then the
// page can draw any pull there without the server. The force is spread over a patch around the point, since
// on a single vertex it would mostly stretch the elements around that vertex.
#pragma once

#include "pliant/edit/simulation.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/reduce/rest_system.hpp"
#include "pliant/scene/description.hpp"

#include <memory>
#include <vector>

namespace pliant::view {

/// What the tools need of a running body. It stays valid while the body is stepped.
struct WorkPiece {
  std::shared_ptr<const ElasticBody> elastic;
  std::vector<std::vector<std::pair<VertexId, double>>> carriers;  // of each drawn point
  bool reduced = false;                                            // it has one basis
};

/// The work piece of body `b` in its present drawing.
[[nodiscard]] WorkPiece work_piece(const Simulation& simulation, std::size_t b);

/// Vertices that supports hold or move.
Result<std::vector<Support>> supports_of(const BodyText& body, const VolumeMesh& mesh);

/// A sketch in the making: the recorded pulls of one body.
class SketchDesk {
 public:
  /// Factorises the stiffness at rest. Fails for bodies without a single basis, and if nothing holds the
  /// body.
  static Result<std::unique_ptr<SketchDesk>> make(const BodyText& body, WorkPiece piece, Progress& progress);

  /// The displacements of all points for unit forces at this one; the caller fills in `body`.
  [[nodiscard]] Result<SketchShapes> shapes(std::uint32_t point) const;
  /// Records a pull. Refuses forces that are not finite or too large, and more pulls than are allowed.
  [[nodiscard]] Status add(const AddPull& pull);
  void clear() { pulls_.clear(); }
  [[nodiscard]] bool empty() const { return pulls_.empty(); }
  /// All pulls in the form of reduce/sketch.hpp, one after another in time.
  [[nodiscard]] std::vector<Pull> rows() const;

 private:
  explicit SketchDesk(WorkPiece piece);
  /// Vertices that a pull at this point acts on, and their shares of its force, which sum to 1.
  [[nodiscard]] std::vector<std::pair<VertexId, double>> grip(std::uint32_t point) const;

  WorkPiece piece_;
  std::vector<Vector3> points_;  // at rest
  double radius_ = 0.0;          // of the patch on which a pull acts, m
  std::unique_ptr<RestSystem> system_;
  std::vector<AddPull> pulls_;
};

}  // namespace pliant::view
