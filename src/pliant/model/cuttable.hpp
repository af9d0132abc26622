// model/cuttable.hpp — what only models that can be cut offer. A cut makes another model, which goes on from
// the state of the first.
#pragma once

#include "pliant/mesh/cut/cut_mesh.hpp"
#include "pliant/model/model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// What a cut met.
struct CutReport {
  Index split = 0;             // elements that it divided
  Index opened = 0;            // faces between elements along which the body parted
  Index refused = 0;           // elements that it met outside of what may be cut
  std::vector<Index> domains;  // that were cut
};

class Cuttable {
 public:
  Cuttable() = default;
  Cuttable(const Cuttable&) = delete;
  Cuttable& operator=(const Cuttable&) = delete;
  virtual ~Cuttable() = default;

  /// Why nothing can be cut, whatever the place of the cut; Done: something can.
  [[nodiscard]] virtual Status may_be_cut() const = 0;
  /// The model after a cut through the present shape. Null where the cut parts nothing.
  [[nodiscard]] virtual Result<std::unique_ptr<Model>> cut(const CutSurface& cut,
                                                           CutReport& report) const = 0;
  /// This model with the cuts of a saved state, which it must not have itself. Null where that has none.
  [[nodiscard]] virtual Result<std::unique_ptr<Model>> cut_as(const StateArrays& state) const = 0;
  /// The domains that have been cut.
  [[nodiscard]] virtual std::vector<Index> cut_domains() const = 0;
};

}  // namespace pliant
