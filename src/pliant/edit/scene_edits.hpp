// edit/scene_edits.hpp — the edits of a scene: a list for undo and redo, and how they change a description.
//
// An edit is a message of the page. The message that undoes it has the same kind and the former values. So
// undo needs no code of its own: the simulation, its ghost and the workshop just carry out a message.
#pragma once

#include "pliant/draw/protocol.hpp"
#include "pliant/scene/description.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace pliant::view {

/// The double whose shortest decimal is that of the float: 9.81, not 9.8100004.
[[nodiscard]] double plain(float value);

/// Whether a message changes the scene, so that it can be undone.
[[nodiscard]] bool is_edit(const PageMessage& message);
/// Whether two edits concern the same thing: gravity, the material of one region, …
[[nodiscard]] bool same_subject(const PageMessage& a, const PageMessage& b);
/// Whether two edits set the same values.
[[nodiscard]] bool same_edit(const PageMessage& a, const PageMessage& b);

/// The edits in the order in which they were made, for undo and redo.
class EditList {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Adds an edit that has been carried out, and the message that undoes it. Undone edits are forgotten. An
  /// edit of the same thing within a second joins the last one, so that moving a slider makes one edit.
  void add(PageMessage edit, PageMessage back, const std::string& of_what, Time now);
  /// The message that undoes the last edit; none when there is no edit.
  std::optional<PageMessage> undo();
  /// The edit that was undone last; none when there is none.
  std::optional<PageMessage> redo();
  /// An edit, or its undoing, has failed. `holds` has the values that the thing still has. Nothing changes if
  /// the user has edited that thing again since.
  void revoke(const PageMessage& failed, const PageMessage& holds);
  /// The last edit of the same thing that is not undone; null when it is as in the scene.
  [[nodiscard]] const PageMessage* latest(const PageMessage& like) const;
  /// The edits as texts for the page.
  [[nodiscard]] std::vector<EditInfo> list() const;
  /// Drops edits that name domains or shapes by number, after bodies have been replaced by others.
  void forget_parts();

 private:
  struct Entry {
    PageMessage edit, back;
    std::string text;
    Time when;
    std::string of_what;
  };
  std::deque<Entry> entries_;
  std::size_t done_ = 0;  // the first so many are done; those after them are undone
};

/// A short description of an edit; `of_what` names the body or domain that it concerns, if any.
[[nodiscard]] std::string describe(const PageMessage& edit, const std::string& of_what);

/// The wind of a scene as the message that sets it: that of the first body with wind.
[[nodiscard]] SetWind wind_of(const SceneDescription& scene);
/// Replaces every wind of the scene by this one, for all times. Bodies without wind get it on their whole
/// boundary.
void blow(SceneDescription& scene, const SetWind& wind);

/// A domain that a user has detached.
struct Detachment {
  std::size_t body = 0;
  std::string domain;
  double time = 0.0;  // s
};

/// The differences between a running scene and its description.
struct SceneChanges {
  std::optional<double> dt;  // s
  std::optional<Vector3> gravity;
  std::optional<std::pair<double, double>> damping;
  std::vector<std::vector<Material>> before, materials;  // per body and group; none: as described
  std::vector<std::vector<std::pair<std::string, DomainTuning>>> tuning;  // per body: domain, values
  std::vector<Detachment> detached;
};

}  // namespace pliant::view
