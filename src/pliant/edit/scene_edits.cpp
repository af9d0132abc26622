#include "pliant/edit/scene_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pliant::view {
namespace {

constexpr std::size_t kMost = 200;                // edits that are remembered
constexpr std::chrono::milliseconds kJoin{1000};  // edits of one slider within this time are joined

std::string vector_text(const std::array<float, 3>& v) {
  return fmt::format("({}, {}, {})", v[0], v[1], v[2]);
}

}  // namespace

double plain(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

bool is_edit(const PageMessage& message) {
  return std::holds_alternative<SetGravity>(message) || std::holds_alternative<SetClock>(message) ||
         std::holds_alternative<SetDamping>(message) || std::holds_alternative<SetMaterial>(message) ||
         std::holds_alternative<TuneDomain>(message) || std::holds_alternative<SetWind>(message) ||
         std::holds_alternative<SetModes>(message);
}

bool same_subject(const PageMessage& a, const PageMessage& b) {
  if (a.index() != b.index()) return false;
  if (const auto* one = std::get_if<SetMaterial>(&a)) {
    const auto& other = std::get<SetMaterial>(b);
    return one->body == other.body && one->region == other.region;
  }
  if (const auto* one = std::get_if<TuneDomain>(&a)) {
    const auto& other = std::get<TuneDomain>(b);
    return one->body == other.body && one->domain == other.domain;
  }
  if (const auto* one = std::get_if<SetModes>(&a)) return one->body == std::get<SetModes>(b).body;
  return true;
}

bool same_edit(const PageMessage& a, const PageMessage& b) {
  if (a.index() != b.index()) return false;
  // The pace does not belong to the scene.
  if (const auto* one = std::get_if<SetClock>(&a)) return one->dt == std::get<SetClock>(b).dt;
  return std::visit([](const auto& one) { return encode(one); }, a) ==
         std::visit([](const auto& one) { return encode(one); }, b);
}

std::string describe(const PageMessage& edit, const std::string& of_what) {
  const std::string of = of_what.empty() ? "" : " of " + of_what;
  if (const auto* gravity = std::get_if<SetGravity>(&edit))
    return "gravity " + vector_text(gravity->gravity) + " m/s²";
  if (const auto* clock = std::get_if<SetClock>(&edit)) return fmt::format("dt {:.4g} s", clock->dt);
  if (const auto* damping = std::get_if<SetDamping>(&edit))
    return fmt::format("damping {:.4g} 1/s, {:.4g} s", damping->mass, damping->stiffness);
  if (const auto* material = std::get_if<SetMaterial>(&edit))
    return fmt::format("material{}: {:.4g} Pa, {:.4g} kg/m³", of, material->young, material->density);
  if (const auto* domain = std::get_if<TuneDomain>(&edit)) {
    std::string words = fmt::format("pitch{}: {:.4g}", of, domain->frequency_scale);
    if (domain->mass_damping >= 0.0) words += fmt::format(", damping {:.4g} 1/s", domain->mass_damping);
    if (domain->stiffness_damping >= 0.0)
      words += fmt::format(", of strain {:.4g} s", domain->stiffness_damping);
    return words;
  }
  if (const auto* modes = std::get_if<SetModes>(&edit)) return fmt::format("{} shapes{}", modes->count, of);
  if (const auto* wind = std::get_if<SetWind>(&edit))
    return wind->on == 0 ? "no wind"
                         : "wind " + vector_text(wind->velocity) + " m/s" +
                               (wind->gust > 0.0 ? fmt::format(", gusts {:.3g}", wind->gust) : "");
  return "edit";
}

void EditList::add(PageMessage edit, PageMessage back, const std::string& of_what, Time now) {
  entries_.resize(done_);
  std::string text = describe(edit, of_what);
  if (!entries_.empty() && same_subject(entries_.back().edit, edit) && now - entries_.back().when < kJoin) {
    Entry& last = entries_.back();
    last.edit = std::move(edit);
    last.text = std::move(text);
    last.when = now;
    if (!same_edit(last.edit, last.back)) return;
    entries_.pop_back();  // the value is again what it was before: no edit
    done_ = entries_.size();
    return;
  }
  entries_.push_back({std::move(edit), std::move(back), std::move(text), now, of_what});
  if (entries_.size() > kMost) entries_.pop_front();
  done_ = entries_.size();
}

std::optional<PageMessage> EditList::undo() {
  if (done_ == 0) return std::nullopt;
  return entries_[--done_].back;
}

std::optional<PageMessage> EditList::redo() {
  if (done_ == entries_.size()) return std::nullopt;
  return entries_[done_++].edit;
}

void EditList::revoke(const PageMessage& failed, const PageMessage& holds) {
  std::vector<std::size_t> own;  // the entries that concern this thing
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (same_subject(entries_[i].edit, failed)) own.push_back(i);
  if (own.empty()) return;
  const auto held = to_size(std::count_if(own.begin(), own.end(), [&](std::size_t i) { return i < done_; }));
  // The value after the first `count` of them.
  const auto value = [&](std::size_t count) -> const PageMessage& {
    return count == 0 ? entries_[own.front()].back : entries_[own[count - 1]].edit;
  };
  if (!same_edit(value(held), failed)) return;
  for (std::size_t count = held; count-- > 0;)
    if (same_edit(value(count), holds)) {  // edits after it have failed: remove them
      for (std::size_t k = held; k-- > count; --done_)
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(own[k]));
      return;
    }
  for (std::size_t count = held + 1; count <= own.size(); ++count)
    if (same_edit(value(count), holds)) {  // their undoing has failed: they are done again
      for (std::size_t k = held; k < count; ++k, ++done_) {
        const auto at = entries_.begin() + static_cast<std::ptrdiff_t>(own[k]);
        std::rotate(entries_.begin() + static_cast<std::ptrdiff_t>(done_), at, at + 1);
      }
      return;
    }
  // A moving slider: the scene was built with a value that a later edit of the same second has replaced.
  const auto at = entries_.begin() + static_cast<std::ptrdiff_t>(own[held > 0 ? held - 1 : 0]);
  at->edit = holds;
  at->text = describe(holds, at->of_what);
  if (held == 0) std::rotate(entries_.begin() + static_cast<std::ptrdiff_t>(done_++), at, at + 1);
}

const PageMessage* EditList::latest(const PageMessage& like) const {
  for (std::size_t i = done_; i-- > 0;)
    if (same_subject(entries_[i].edit, like)) return &entries_[i].edit;
  return nullptr;
}

std::vector<EditInfo> EditList::list() const {
  std::vector<EditInfo> list;
  list.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i)
    list.push_back({entries_[i].text, static_cast<std::uint8_t>(i < done_ ? 0 : 1)});
  return list;
}

void EditList::forget_parts() {
  const auto of_parts = [](const Entry& entry) {
    return std::holds_alternative<TuneDomain>(entry.edit) || std::holds_alternative<SetModes>(entry.edit);
  };
  done_ -= to_size(
      std::count_if(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(done_), of_parts));
  std::erase_if(entries_, of_parts);
}

SetWind wind_of(const SceneDescription& scene) {
  for (const BodyText& body : scene.bodies)
    for (const LoadText& load : body.loads)
      if (const auto* wind = std::get_if<Wind>(&load.what))
        return {1,
                {static_cast<float>(wind->velocity.x()), static_cast<float>(wind->velocity.y()),
                 static_cast<float>(wind->velocity.z())},
                wind->gust,
                wind->gust_period};
  return {0, {}, 0.0, Wind{}.gust_period};
}

void blow(SceneDescription& scene, const SetWind& wind) {
  for (BodyText& body : scene.bodies) {
    const auto is_wind = [](const LoadText& load) { return std::holds_alternative<Wind>(load.what); };
    if (wind.on == 0) {
      std::erase_if(body.loads, is_wind);
      continue;
    }
    if (std::none_of(body.loads.begin(), body.loads.end(), is_wind)) {
      LoadText all_around;
      all_around.what = Wind{};
      all_around.where = all_around.selection.where = body.where;
      body.loads.push_back(std::move(all_around));
    }
    for (LoadText& load : body.loads) {
      auto* air = std::get_if<Wind>(&load.what);
      if (air == nullptr) continue;
      air->velocity = {plain(wind.velocity[0]), plain(wind.velocity[1]), plain(wind.velocity[2])};
      air->gust = wind.gust;
      air->gust_period = wind.gust_period;
      load.table = {};
    }
  }
}

}  // namespace pliant::view
