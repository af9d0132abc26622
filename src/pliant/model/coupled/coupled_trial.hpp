// model/coupled/coupled_trial.hpp — the trial of Newton's method for frames and coordinates over one step.
//
// The unknowns are moves, turns and changes of coordinates up to the stage of the step. What changes up to
// the stage goes on to its end. For Newmark's method, the midpoint rule and the energy-momentum method the
// velocities at the end are twice the mean ones of the step less those at its beginning; for backward Euler
// they are the mean ones (Eq. C10).
#pragma once

#include "pliant/model/coupled/coupled_shape.hpp"
#include "pliant/model/step_system.hpp"

#include <vector>

namespace pliant {

class CoupledTrial {
 public:
  CoupledTrial(const CoupledLayout& layout, const CoupledShape& shape);

  /// First guess: constant velocity, or, in statics, no move. `anchors`: frames of the anchored domains at
  /// the end; entries of free domains are not used. `before` must outlive the step.
  void begin(const CoupledShape& before, const std::vector<RigidFrame>& anchors, const StepTarget& target);
  /// No step: stage and end are this shape.
  void stand(const CoupledShape& shape);
  /// Shapes at the stage and at the end. False when they are not finite.
  [[nodiscard]] bool place();

  [[nodiscard]] const CoupledShape& before() const { return *before_; }
  [[nodiscard]] const CoupledShape& stage() const { return stage_; }
  [[nodiscard]] const CoupledShape& end() const { return end_; }
  /// The stage is the end.
  [[nodiscard]] bool ends_at_stage() const { return fraction_ == 1.0; }
  /// Seconds up to the stage.
  [[nodiscard]] double time_to_stage() const { return dt_ * fraction_; }

  /// Makes the trial the base of advance().
  void set_base();
  /// The trial becomes base + fraction · change, a change of all unknowns; moves and turns in the given axes
  /// of each domain.
  void advance(double fraction, ConstVectorRef change, const std::vector<Matrix3>& axes);

 private:
  struct Way {                        // of a free domain's frame, up to the stage
    Vector3 shift = Vector3::Zero();  // world
    Vector3 turn = Vector3::Zero();   // axes of the frame before the step
  };
  void place_driven(std::size_t domain);
  void place_free(std::size_t domain);

  const CoupledLayout* layout_;
  const CoupledShape* before_ = nullptr;
  CoupledShape stage_, end_;
  std::vector<Way> ways_, base_;
  VectorX base_q_;
  double dt_ = 0.0, fraction_ = 1.0;  // fraction_: the stage, as a part of the step
  bool dynamic_ = false, doubles_ = false;
};

}  // namespace pliant
