// model/domains.hpp — what only models of domains offer: named parts of a body that hang on one another.
//
// `Model::domains()` returns this interface, or null for models without domains. Domains are numbered with
// parents first. They keep their numbers and names when they come off or change their class. An argument
// `cut` has one entry per domain, which is not zero if the domain has come off its parent. If it is empty, no
// domain has come off.
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
  double gap = 0.0;        // m: largest distance between the two copies of a point, before any blend
  double size = 0.0;       // m: extent of the joint at rest
  double deviation = 0.0;  // |A − R A₀| / |A₀|: how far the joint's motion is from a rotation
};

/// Settings of a domain that may change while running.
struct DomainTuning {
  double frequency_scale = 1.0;             // factor on its natural frequencies
  std::optional<double> mass_damping;       // 1/s; none: the scene's
  std::optional<double> stiffness_damping;  // s; likewise
  bool operator==(const DomainTuning&) const = default;
};

/// A body in pieces: only domains that hang together share vertices.
struct Pieces {
  std::shared_ptr<const VolumeMesh> mesh;           // at rest
  std::vector<std::span<const VertexId>> vertices;  // of each domain; valid as long as the mesh is held
};

/// The domains of a body: their names, and the edits and questions that concern one of them.
class Domains {
 public:
  Domains() = default;
  Domains(const Domains&) = delete;
  Domains& operator=(const Domains&) = delete;
  virtual ~Domains() = default;

  [[nodiscard]] virtual std::vector<std::string> names() const = 0;
  [[nodiscard]] virtual std::vector<Index> parents() const = 0;  // -1: none
  [[nodiscard]] virtual std::vector<std::string> class_names() const = 0;

  /// Detaches a domain, with all that hangs on it, from its parent. It flies on as a free body.
  [[nodiscard]] virtual Status detach(std::string_view domain) = 0;
  /// Gives a domain another class. Its drawn surface stays and is carried by the new class. Shape and
  /// velocity are those of the new class that fit the old ones best.
  [[nodiscard]] virtual Status replace(std::string_view domain, std::string_view class_name) = 0;
  /// Sets frequency scale and damping of a domain.
  [[nodiscard]] virtual Status tune(std::string_view domain, const DomainTuning& tuning) = 0;

  /// How well each domain agrees with its parent at their joint: one entry per domain, zeros for roots.
  [[nodiscard]] virtual std::vector<JointState> joints() const = 0;

  /// The mesh in the pieces that these cuts leave, independently of what has come off by now.
  [[nodiscard]] virtual Pieces pieces(const std::vector<char>& cut) const = 0;
  /// A surface of the whole body, torn into the same pieces.
  [[nodiscard]] virtual Result<CarriedSurface> torn(const CarriedSurface& surface,
                                                    const std::vector<char>& cut) const = 0;
};

/// The error for commands that name a domain of a model that has none.
[[nodiscard]] Diagnostic no_domains(std::string_view domain);

}  // namespace pliant
