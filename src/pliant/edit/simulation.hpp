// edit/simulation.hpp — a scene that people play with: a World that goes on for as long as somebody watches,
// what is drawn of it, and the edits that people make between its steps. One thread at a time.
//
// The World owns the clock, the hand, anchors and every value that holds now. Kept here are the edits, which
// a reset or another build of the scene needs once more.
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

class Simulation {
 public:
  /// Builds a scene once more when a reset needs it.
  using Build = std::function<Result<std::unique_ptr<BuiltScene>>()>;

  /// Builds and starts; `scene` is what is built, by `build`.
  static Result<std::unique_ptr<Simulation>> make(const SceneDescription& scene, Build build,
                                                  TableNumbers numbers);

  /// How one comes after another: something about bodies was edited, they have become others, or everything
  /// begins again. Later ones weigh more.
  enum class Succession { kEdit, kBodies, kReset };
  /// Goes on where another one is: its edits, its clock and, as far as this one can have them, shape and
  /// motion. A reset takes the edits alone.
  [[nodiscard]] Status take_over(const Simulation& other, Succession how = Succession::kBodies);

  /// One step of all bodies; false when it failed (nothing has moved then) or there is nothing to do.
  bool advance(const Progress& progress = no_progress());
  /// Carries out an edit or a command of the hand. Commands of the clock's owner (Pause, Step, …) do nothing.
  [[nodiscard]] Status execute(const PageMessage& message);

  /// The message that takes an edit back, from the values that hold now; none for what has no meaning here.
  [[nodiscard]] std::optional<PageMessage> present(const PageMessage& edit) const;
  /// What an edit is of, for people: "beam", "beam, region 1", "tip"; empty: of everything.
  [[nodiscard]] std::string subject(const PageMessage& edit) const;
  /// Checks an edit that others carry out by building the scene anew: wind, shapes in use.
  [[nodiscard]] Status check(const PageMessage& edit) const;
  /// Whether a reset has to build everything anew, which takes its time.
  [[nodiscard]] bool reset_builds() const;
  /// Whether the state that was kept is of bodies that have come apart since: they are built anew.
  [[nodiscard]] bool load_builds() const;
  /// What people have changed since the scene was built, for its file.
  [[nodiscard]] SceneChanges changes() const;
  /// What holds now of materials and domains otherwise than at the start, as messages for another one of the
  /// same scene.
  [[nodiscard]] std::vector<PageMessage> differences() const;

  [[nodiscard]] bool healthy() const { return world().healthy() && drawing_trouble_.empty(); }
  /// Why the last step failed.
  [[nodiscard]] const std::string& trouble() const {
    return drawing_trouble_.empty() ? world().record().failure_reason : drawing_trouble_;
  }
  /// Something to tell people since the last call; empty: nothing.
  [[nodiscard]] std::string take_warning() { return live().take_warning(); }
  [[nodiscard]] bool is_static() const { return world().is_static(); }
  [[nodiscard]] double time() const { return world().time(); }
  [[nodiscard]] double dt() const { return world().settings().dt; }
  [[nodiscard]] Index step_index() const { return world().step_index(); }

  /// How far the anchor of a body has been dragged.
  [[nodiscard]] const Vector3& shift(std::size_t body) const { return world().anchor(body).shift(); }
  /// What was built.
  [[nodiscard]] const SceneDescription& description() const { return description_; }

  /// Who we are; `session` and `client` are the caller's.
  [[nodiscard]] Hello hello() const;
  /// What the clock has no part in.
  [[nodiscard]] Settings settings() const;
  /// Frames of all bodies; another revision when they have changed.
  [[nodiscard]] const std::vector<std::shared_ptr<const Bytes>>& geometry() const { return geometry_; }
  [[nodiscard]] std::uint32_t geometry_revision() const { return revision_; }
  /// The present shape; the clock's owner adds its own fields.
  [[nodiscard]] State state() const;
  /// All points of a body, from the numbers that the page has.
  [[nodiscard]] Result<std::vector<float>> positions(std::uint32_t body) const;
  /// Likewise of something else that is drawn of it.
  [[nodiscard]] std::vector<float> positions(std::size_t body, const DrawnBody& drawn) const;
  /// The surface of a body, even while elements are shown; another revision when it has changed.
  [[nodiscard]] Result<DrawnBody> surface(std::size_t body) const;
  [[nodiscard]] std::uint32_t surface_revision() const { return revision_ - shown_; }

  [[nodiscard]] const BuiltScene& scene() const { return *built_; }
  [[nodiscard]] const DrawnBody& drawn(std::size_t body) const { return drawn_[body]; }
  [[nodiscard]] const World& world() const { return *built_->world; }
  [[nodiscard]] const VolumeView& volume() const { return volume_; }
  /// Draws all bodies so.
  Status show(const VolumeView& volume);
  /// Whether domains of a body have come off.
  [[nodiscard]] bool in_pieces(std::size_t body) const {
    const std::vector<char>& off = world().present(body).detached;
    return std::find(off.begin(), off.end(), char{1}) != off.end();
  }
  /// How much of the last step's time the hand's trials took.
  [[nodiscard]] double hand_seconds() const { return world().hand_seconds(); }
  /// Another number when a setting has changed, by whomever.
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
  /// What the coordinates of a body are of.
  struct Shapes {
    Index dofs = 0;
    std::shared_ptr<const Subspace> subspace;
  };
  [[nodiscard]] Shapes shapes(std::size_t body) const;
  [[nodiscard]] bool same_parts(const Shapes& other, std::size_t body) const;
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
  /// Whether the state that is kept is one of these bodies.
  [[nodiscard]] bool kept_fits() const;
  [[nodiscard]] World& live() { return *built_->world; }
  [[nodiscard]] Model& model(std::size_t body) const { return *world().bodies()[body].model; }
  [[nodiscard]] std::size_t body_count() const { return world().bodies().size(); }
  [[nodiscard]] Grip grip(std::uint32_t body, std::uint32_t point) const;
  Status detach(std::size_t body, std::size_t domain);

  /// A value that people have set, of each thing the last, in the order in which they did.
  struct Edit {
    PageMessage message;
    std::uint64_t number = 0;  // the n-th that was made
  };
  void remember(const PageMessage& message);
  /// Those after the n-th once more.
  Status apply_edits(std::uint64_t after = 0);

  /// A state in memory.
  struct Kept {
    std::vector<StateArrays> bodies;
    std::vector<Anchor> anchors;
    std::vector<BodySettings> settings;  // per body
    std::uint64_t edits = 0;             // that had been made
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
  std::uint32_t shown_ = 0;                   // so many of the revisions are another look at the same
  std::vector<std::uint32_t> drawn_shapes_;   // per body: which shape_revision is drawn
  std::vector<std::optional<Vector3>> held_;  // per body: the middle of what holds it, at rest
  std::vector<Edit> edits_;
  std::uint64_t edits_made_ = 0;
  VolumeView volume_;
  std::vector<Index> modes_most_;     // per body: shapes of its basis; 0: it has none
  std::vector<Detachment> detached_;  // what people took off
  std::optional<Kept> kept_;
  std::string drawing_trouble_;
};

}  // namespace pliant::view
