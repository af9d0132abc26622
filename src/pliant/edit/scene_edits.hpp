// edit/scene_edits.hpp — what people have changed in a scene: one list to take back and do again, and the
// description of a scene with such a change.
//
// An edit is a message of the page, and what undoes it is another one of the same kind with the former
// values. So undoing is nothing new: the simulation, its ghost and the workshop carry out a message.
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
/// Whether two edits are of the same thing: gravity, the material of one region, …
[[nodiscard]] bool same_subject(const PageMessage& a, const PageMessage& b);
/// Whether two edits say the same.
[[nodiscard]] bool same_edit(const PageMessage& a, const PageMessage& b);

/// Edits in the order in which they were made.
class EditList {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// An edit that holds now, and the message that takes it back. What was undone is forgotten. One that
  /// follows another of the same thing within a second joins it: a slider makes one edit.
  void add(PageMessage edit, PageMessage back, const std::string& of_what, Time now);
  /// The message that takes the last edit back; none: there is none.
  std::optional<PageMessage> undo();
  /// The edit that was taken back last.
  std::optional<PageMessage> redo();
  /// An edit, or what takes one back, could not be done, and the thing that it is of is as `holds` says.
  /// Nothing changes when something else has been asked of that thing since.
  void revoke(const PageMessage& failed, const PageMessage& holds);
  /// The last edit of the same thing that holds; null: as in the scene.
  [[nodiscard]] const PageMessage* latest(const PageMessage& like) const;
  /// In words.
  [[nodiscard]] std::vector<EditInfo> list() const;
  /// Bodies have become others: what numbers their domains and shapes is void.
  void forget_parts();

 private:
  struct Entry {
    PageMessage edit, back;
    std::string text;
    Time when;
    std::string of_what;
  };
  std::deque<Entry> entries_;
  std::size_t done_ = 0;  // the first so many hold
};

/// An edit in few words; `of_what` names the body or domain, if it is of one.
[[nodiscard]] std::string describe(const PageMessage& edit, const std::string& of_what);

/// The wind of a scene as the page sets it: that of the first body that has one.
[[nodiscard]] SetWind wind_of(const SceneDescription& scene);
/// Every wind of the scene becomes this one, for all times; bodies without one get it all around.
void blow(SceneDescription& scene, const SetWind& wind);

/// A domain that somebody took off.
struct Detachment {
  std::size_t body = 0;
  std::string domain;
  double time = 0.0;  // s
};

/// What a running scene has otherwise than its description.
struct SceneChanges {
  std::optional<double> dt;  // s
  std::optional<Vector3> gravity;
  std::optional<std::pair<double, double>> damping;
  std::vector<std::vector<Material>> before, materials;  // per body and group; none: as described
  std::vector<std::vector<std::pair<std::string, DomainTuning>>> tuning;  // per body: domain, values
  std::vector<Detachment> detached;
};

}  // namespace pliant::view
