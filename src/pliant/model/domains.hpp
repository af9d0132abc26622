// model/domains.hpp — what only models of domains have: named parts of a body that hang on one another.
//
// `Model::domains()` gives it; the other models have none. Domains are numbered with parents first, and keep
// their numbers and names whatever becomes of them. Where a function takes `cut`, it has one entry per
// domain, which is not zero if the domain has come off its parent; empty: none has.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/carried_surface.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// How well two domains agree where they meet.
struct JointState {
  double gap = 0.0;        // m: largest distance of the two copies of a point, before any blend
  double size = 0.0;       // m: across the joint, at rest
  double deviation = 0.0;  // of the joint's motion from a rotation, relative
};

/// Settings of a domain that may change while running.
struct DomainTuning {
  double frequency_scale = 1.0;             // of its own vibrations
  std::optional<double> mass_damping;       // 1/s; none: the scene's
  std::optional<double> stiffness_damping;  // s
  bool operator==(const DomainTuning&) const = default;
};

/// A body in pieces: only domains that hang together share vertices.
struct Pieces {
  std::shared_ptr<const VolumeMesh> mesh;           // at rest
  std::vector<std::span<const VertexId>> vertices;  // of each domain; valid as long as the mesh is held
};

class Domains {
 public:
  Domains() = default;
  Domains(const Domains&) = delete;
  Domains& operator=(const Domains&) = delete;
  virtual ~Domains() = default;

  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  [[nodiscard]] virtual std::vector<Index> parents() const = 0;  // -1: none
  [[nodiscard]] virtual std::vector<std::string> class_names() const = 0;

  /// A domain, with all that hangs on it, comes off its parent and flies on.
  [[nodiscard]] virtual Status detach(std::string_view domain) = 0;
  /// A domain becomes one of another class; what is seen of it stays, carried by the new one.
  [[nodiscard]] virtual Status replace(std::string_view domain, std::string_view class_name) = 0;
  /// New frequency scale and damping of a domain.
  [[nodiscard]] virtual Status tune(std::string_view domain, const DomainTuning& tuning) = 0;

  /// How well domains meet their parents, one per domain (zeros for roots).
  [[nodiscard]] virtual std::vector<JointState> joints() const = 0;

  /// The pieces that such cuts leave, whatever has come off by now.
  [[nodiscard]] virtual Pieces pieces(const std::vector<char>& cut) const = 0;
  /// A surface that the whole body carries, torn into the same pieces.
  [[nodiscard]] virtual Result<CarriedSurface> torn(const CarriedSurface& surface,
                                                    const std::vector<char>& cut) const = 0;
};

/// What to say to those who ask a model without domains for one.
[[nodiscard]] Diagnostic no_domains(std::string_view domain);

}  // namespace pliant
