// view/simulation.hpp — a scene that people play with: steps without an end, and edits between them.
//
// A World runs a scene from start to end and keeps every row; here the clock goes on for as long as somebody
// watches, nothing is kept, and settings change on the way. One thread at a time.
#pragma once

#include "pliant/scene/build.hpp"
#include "pliant/view/anchor.hpp"
#include "pliant/view/drawn_body.hpp"
#include "pliant/view/hand.hpp"
#include "pliant/view/protocol.hpp"
#include "pliant/view/scene_edits.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
  bool advance();
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
  /// The same as messages, for another one of the same scene.
  [[nodiscard]] std::vector<PageMessage> edits() const;

  [[nodiscard]] bool healthy() const { return trouble_.empty(); }
  /// Why the last step failed.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  /// Something to tell people since the last call; empty: nothing.
  [[nodiscard]] std::string take_warning() { return std::exchange(warning_, {}); }
  [[nodiscard]] bool is_static() const { return settings_.integrator == Integrator::kStatic; }
  [[nodiscard]] double time() const;
  [[nodiscard]] double dt() const { return settings_.dt; }
  [[nodiscard]] Index step_index() const { return step_; }

  /// How far the anchor of a body has been dragged.
  [[nodiscard]] const Vector3& shift(std::size_t body) const { return anchors_[body].shift(); }
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
  [[nodiscard]] const Hand& hand() const { return hand_; }
  [[nodiscard]] const VolumeView& volume() const { return volume_; }
  /// Draws all bodies so.
  Status show(const VolumeView& volume);
  /// Whether domains of a body have come off.
  [[nodiscard]] bool in_pieces(std::size_t body) const {
    return std::find(cut_[body].begin(), cut_[body].end(), char{1}) != cut_[body].end();
  }
  /// How much of the last step's time the hand's trials took.
  [[nodiscard]] double hand_seconds() const { return hand_seconds_; }

 private:
  Simulation(const SceneDescription& scene, Build build, TableNumbers numbers);
  Status build();
  Status start();
  Status draw(std::size_t body);
  Status draw_all();
  void find_anchors();
  void take_edits(const Simulation& other);
  Status take_motion(const Simulation& other, std::size_t body);
  /// What the coordinates of a body are of; null: it has no such.
  struct Shapes {
    Index dofs = 0;
    std::shared_ptr<const ReducedBody> basis;
    std::shared_ptr<const TreeBody> tree;
  };
  [[nodiscard]] Shapes shapes(std::size_t body) const;
  [[nodiscard]] bool same_parts(const Shapes& other, std::size_t body) const;
  bool step_bodies();
  StepReport step_body(std::size_t body, double now, double part);
  /// As the scene and its events have it at this time.
  [[nodiscard]] Vector3 gravity_of(std::size_t body) const;
  [[nodiscard]] BodyState body_state(std::size_t body, const DrawnBody& drawn) const;
  Status after_events();

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
  /// What its regions are made of now.
  [[nodiscard]] const std::vector<Material>& materials(std::size_t body) const;
  [[nodiscard]] DomainTuning tuning(std::size_t body, std::size_t domain) const;
  /// Whether the state that is kept is one of these bodies.
  [[nodiscard]] bool kept_fits() const;
  [[nodiscard]] Model& model(std::size_t body) const { return *built_->world->bodies()[body].model; }
  [[nodiscard]] std::size_t body_count() const { return built_->world->bodies().size(); }
  Status detach(std::size_t body, std::size_t domain);
  void let_go();

  /// What people have changed; none: as the scene has it.
  struct Edits {
    std::optional<Vector3> gravity;
    std::optional<std::pair<double, double>> damping;
    std::vector<std::optional<std::vector<Material>>> materials;            // per body
    std::vector<std::vector<std::pair<std::size_t, DomainTuning>>> tuning;  // per body: domain, values
  };
  Status apply_edits();

  /// A state in memory.
  struct Kept {
    std::vector<StateArrays> bodies;
    std::vector<Anchor> anchors;
    double time = 0.0;
    Index step = 0;
    std::vector<std::vector<char>> cut;
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
  std::uint32_t shown_ = 0;  // so many of the revisions are another look at the same
  RunSettings settings_;
  Index step_ = 0;          // since the start
  double base_time_ = 0.0;  // when dt last changed, s
  Index base_step_ = 0;     // likewise
  Hand hand_;
  std::vector<Anchor> anchors_;               // per body
  std::vector<std::optional<Vector3>> held_;  // per body: the middle of what holds it, at rest
  std::vector<double> sizes_;                 // per body, m
  Edits edits_;
  VolumeView volume_;
  double hand_seconds_ = 0.0;           // that the hand took in the last step
  std::vector<Index> modes_most_;       // per body: shapes of its basis; 0: it has none
  std::vector<std::vector<char>> cut_;  // per body: domains that have come off
  std::vector<char> replaced_;          // per body: a domain has become another
  std::vector<Detachment> detached_;    // what people took off
  std::size_t events_seen_ = 0;
  std::optional<Kept> kept_;
  std::string trouble_, warning_;
};

}  // namespace pliant::view
