// edit/simulation.hpp — an interactive scene: a World that runs without an end, what is drawn of it, and the
// edits that users make between its steps. One thread at a time.
//
// The World owns the clock, the hand, the anchors and all present settings. The edits are stored here, since
// a reset or a new build of the scene has to apply them again.
#pragma once

#include "pliant/draw/drawn_body.hpp"
#include "pliant/draw/protocol.hpp"
#include "pliant/edit/scene_edits.hpp"
#include "pliant/scene/build.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant::view {

/// A running scene that can be edited.
class Simulation {
 public:
  /// Builds the scene; called again when a reset needs it.
  using Build = std::function<Result<std::unique_ptr<BuiltScene>>()>;

  /// Builds and starts. `scene` describes what `build` builds.
  static Result<std::unique_ptr<Simulation>> make(const SceneDescription& scene, Build build,
                                                  TableNumbers numbers);

  /// Why a new simulation replaces another: an edit of the bodies, other bodies, or a reset. If several
  /// apply, the last of them counts.
  enum class Succession { kEdit, kBodies, kReset };
  /// Continues where another simulation is. Takes over its edits, its clock and, as far as possible, shape
  /// and motion. A reset takes over the edits only.
  [[nodiscard]] Status take_over(const Simulation& other, Succession how = Succession::kBodies);

  /// One step of all bodies. False when it failed (then nothing has moved) or when there is nothing to do.
  bool advance(const Progress& progress = no_progress());
  /// Carries out an edit or a command of the hand. Commands for the owner of the clock (Pause, Step, …) do
  /// nothing here.
  [[nodiscard]] Status execute(const PageMessage& message);

  /// The message that undoes an edit: the same kind with the present values. None if the edit does not apply
  /// here.
  [[nodiscard]] std::optional<PageMessage> present(const PageMessage& edit) const;
  /// What an edit concerns, for the user: "beam", "beam, region 1", "tip". Empty: everything.
  [[nodiscard]] std::string subject(const PageMessage& edit) const;
  /// Checks an edit that the workshop carries out by a new build: wind, number of shapes.
  [[nodiscard]] Status check(const PageMessage& edit) const;
  /// Whether a reset needs a new build, which takes time.
  [[nodiscard]] bool reset_builds() const;
  /// Whether loading the kept state needs a new build, because domains have come off since.
  [[nodiscard]] bool load_builds() const;
  /// What users have changed since the scene was built, for writing it to a file.
  [[nodiscard]] SceneChanges changes() const;
  /// The present materials and domain settings that differ from the start, as messages for another simulation
  /// of the same scene.
  [[nodiscard]] std::vector<PageMessage> differences() const;

  [[nodiscard]] bool healthy() const { return world().healthy() && drawing_trouble_.empty(); }
  /// Why the last step failed.
  [[nodiscard]] const std::string& trouble() const {
    return drawing_trouble_.empty() ? world().record().failure_reason : drawing_trouble_;
  }
  /// The last warning for the user since the previous call; empty: none.
  [[nodiscard]] std::string take_warning() { return live().take_warning(); }
  [[nodiscard]] bool is_static() const { return world().is_static(); }
  [[nodiscard]] double time() const { return world().time(); }
  [[nodiscard]] double dt() const { return world().settings().dt; }
  [[nodiscard]] Index step_index() const { return world().step_index(); }

  /// How far the anchor of a body has been dragged.
  [[nodiscard]] const Vector3& shift(std::size_t body) const { return world().anchor(body).shift(); }
  /// The description from which it was built.
  [[nodiscard]] const SceneDescription& description() const { return description_; }

  /// The first message to a page; the caller fills in `session` and `client`.
  [[nodiscard]] Hello hello() const;
  /// The present settings; the caller adds those of the clock.
  [[nodiscard]] Settings settings() const;
  /// The encoded geometry of all bodies; the revision grows when it changes.
  [[nodiscard]] const std::vector<std::shared_ptr<const Bytes>>& geometry() const { return geometry_; }
  [[nodiscard]] std::uint32_t geometry_revision() const { return revision_; }
  /// The present shape; the owner of the clock fills in its own fields.
  [[nodiscard]] State state() const;
  /// Positions of all points of a body, computed from the numbers that the page has.
  [[nodiscard]] Result<std::vector<float>> positions(std::uint32_t body) const;
  /// The same for another drawing of the body.
  [[nodiscard]] std::vector<float> positions(std::size_t body, const DrawnBody& drawn) const;
  /// The surface of a body, even while elements are shown; the revision grows when it changes.
  [[nodiscard]] Result<DrawnBody> surface(std::size_t body) const;
  [[nodiscard]] std::uint32_t surface_revision() const { return revision_ - shown_; }

  [[nodiscard]] const BuiltScene& scene() const { return *built_; }
  [[nodiscard]] const DrawnBody& drawn(std::size_t body) const { return drawn_[body]; }
  [[nodiscard]] const World& world() const { return *built_->world; }
  [[nodiscard]] const VolumeView& volume() const { return volume_; }
  /// Draws all bodies as their surface or as elements.
  Status show(const VolumeView& volume);
  /// Whether domains of a body have come off.
  [[nodiscard]] bool in_pieces(std::size_t body) const {
    const std::vector<char>& off = world().present(body).detached;
    return std::find(off.begin(), off.end(), char{1}) != off.end();
  }
  /// Wall clock time that the hand took in the last step, s.
  [[nodiscard]] double hand_seconds() const { return world().hand_seconds(); }
  /// Grows when a setting changes, by an edit or an event.
  [[nodiscard]] std::uint32_t settings_revision() const { return world().settings_revision(); }

 private:
  Simulation(const SceneDescription& scene, Build build, TableNumbers numbers);
  Status build();
  Status start();
  Status draw(std::size_t body);
  Status draw_all();
  Status draw_changed();
  void find_anchors();
  void take_edits(const Simulation& other);
  Status take_settings(const Simulation& other, std::size_t body);
  Status take_motion(const Simulation& other, std::size_t body);
  [[nodiscard]] bool same_regions(const Simulation& other, std::size_t body) const;
  /// The basis to which the coordinates of a body refer.
  struct Shapes {
    Index dofs = 0;
    std::shared_ptr<const Subspace> subspace;
  };
  [[nodiscard]] Shapes shapes(std::size_t body) const;
  [[nodiscard]] bool same_parts(const Shapes& other, std::size_t body) const;
  void add_contacts(const Contacts& contacts, State& state) const;
  [[nodiscard]] BodyState body_state(std::size_t body, const DrawnBody& drawn) const;

  Status carry_out(const Reset& message);
  Status carry_out(const PullSpring& message);
  Status carry_out(const PullForce& message);
  Status carry_out(const Release& message);
  Status carry_out(const DragAnchor& message);
  Status carry_out(const SetClock& message);
  Status carry_out(const SetGravity& message);
  Status carry_out(const SetDamping& message);
  Status carry_out(const SetMaterial& message);
  Status carry_out(const TuneDomain& message);
  Status carry_out(const Detach& message);
  Status carry_out(const SetVolume& message);
  Status carry_out(const SaveState& message);
  Status carry_out(const LoadState& message);

  [[nodiscard]] Status check_point(std::uint32_t body, std::uint32_t point) const;
  Result<std::string> domain_name(std::uint32_t body, std::uint32_t domain) const;
  /// Whether the kept state fits the present bodies.
  [[nodiscard]] bool kept_fits() const;
  [[nodiscard]] World& live() { return *built_->world; }
  [[nodiscard]] Model& model(std::size_t body) const { return *world().bodies()[body].model; }
  [[nodiscard]] std::size_t body_count() const { return world().bodies().size(); }
  [[nodiscard]] Grip grip(std::uint32_t body, std::uint32_t point) const;
  Status detach(std::size_t body, std::size_t domain);

  /// An edit by the user. Of several edits of the same thing only the last is stored.
  struct Edit {
    PageMessage message;
    std::uint64_t number = 0;  // counts all edits that were made
  };
  void remember(const PageMessage& message);
  /// Applies the stored edits with larger numbers than `after` again.
  Status apply_edits(std::uint64_t after = 0);

  /// A state that the user has kept in memory.
  struct Kept {
    std::vector<StateArrays> bodies;
    std::vector<Anchor> anchors;
    std::vector<BodySettings> settings;  // per body
    std::uint64_t edits = 0;             // number of edits made before
    double time = 0.0;
    Index step = 0;
    std::vector<Detachment> detached;
    std::vector<Shapes> shapes;  // per body
  };

  SceneDescription description_;
  Build build_;
  TableNumbers numbers_;
  std::unique_ptr<BuiltScene> built_;
  std::vector<DrawnBody> drawn_;
  std::vector<std::shared_ptr<const Bytes>> geometry_;
  std::uint32_t revision_ = 0;
  std::uint32_t shown_ = 0;                   // revisions that only changed how bodies are shown
  std::vector<std::uint32_t> drawn_shapes_;   // per body: the shape_revision that is drawn
  std::vector<std::optional<Vector3>> held_;  // per body: the middle of its supports at rest
  std::vector<Edit> edits_;
  std::uint64_t edits_made_ = 0;
  VolumeView volume_;
  std::vector<Index> modes_most_;     // per body: shapes of its basis; 0: it has none
  std::vector<Detachment> detached_;  // domains that users have detached
  std::optional<Kept> kept_;
  std::string drawing_trouble_;
};

}  // namespace pliant::view
