#include "pliant/store/snapshot_file.hpp"

#include "pliant/base/atomic_file.hpp"

#include <algorithm>

namespace pliant {
namespace {

std::string body_key(std::size_t b, const std::string& what) {
  return "body/" + std::to_string(b) + "/" + what;
}
std::string probe_key(std::size_t p, const std::string& what) {
  return "probe/" + std::to_string(p) + "/" + what;
}

void put(std::vector<double>& list, const Vector3& v) { list.insert(list.end(), v.data(), v.data() + 3); }

// Numbers per row of each array.
constexpr std::size_t kEnergyColumns = 3;
constexpr std::size_t kMomentumColumns = 10;
constexpr std::size_t kReactionColumns = 9;

void put_body(const BodyRecord& record, std::size_t b, Checkpoint& file) {
  std::vector<double> energy, momentum, reactions;
  for (const Energies& e : record.energy) energy.insert(energy.end(), {e.kinetic, e.strain, e.potential});
  for (const Momenta& m : record.momentum) {
    momentum.push_back(m.mass);
    put(momentum, m.center);
    put(momentum, m.linear);
    put(momentum, m.angular);
  }
  for (const std::vector<Reaction>& row : record.reactions) {
    for (const Reaction& r : row) {
      put(reactions, r.force);
      put(reactions, r.moment);
      put(reactions, r.about);
    }
  }
  file.numbers[body_key(b, "energy")] = std::move(energy);
  file.numbers[body_key(b, "momentum")] = std::move(momentum);
  file.numbers[body_key(b, "reactions")] = std::move(reactions);
  std::vector<double>& joints = file.numbers[body_key(b, "joints")];
  for (const JointState& j : record.joints) joints.insert(joints.end(), {j.gap, j.size, j.deviation});
  file.integers[body_key(b, "supports")] = {
      record.reactions.empty() ? 0 : static_cast<std::int64_t>(record.reactions.front().size())};
}

/// Count, penetration, energies and the force of each obstacle, row by row.
void put_contacts(const RunRecord& record, Checkpoint& file) {
  if (record.contacts.empty()) return;
  std::vector<double>& list = file.numbers["contacts"];
  for (const ContactRow& row : record.contacts) {
    list.insert(list.end(), {static_cast<double>(row.count), row.penetration, row.stored, row.lost});
    for (const Vector3& force : row.force) put(list, force);
  }
}

constexpr std::size_t kSolidColumns = 30;

void put_solids(const Snapshot& snapshot, Checkpoint& file) {
  if (snapshot.solids.empty()) return;
  file.numbers["solids/state"] = snapshot.solids;
  std::vector<double>& list = file.numbers["solids/rows"];
  for (const ContactRow& row : snapshot.record.contacts)
    for (const SolidRow& solid : row.solids) {
      put(list, solid.position);
      list.insert(list.end(), solid.rotation.data(), solid.rotation.data() + 9);
      for (const Vector3& v : {solid.velocity, solid.spin, solid.center, solid.linear, solid.angular})
        put(list, v);
      put(list, {solid.mass, solid.kinetic, solid.potential});
    }
}

/// Reads arrays of a checkpoint and remembers the first problem.
class Rows {
 public:
  Rows(const Checkpoint& checkpoint, const std::string& file) : checkpoint_(checkpoint), file_(file) {}

  std::span<const double> numbers(const std::string& key, std::size_t size) {
    const auto found = checkpoint_numbers(checkpoint_, key, file_);
    if (!found) return fail(found.error());
    if (found.value().size() != size) return fail(unfit(key));
    return found.value();
  }
  std::span<const double> numbers(const std::string& key) {
    const auto found = checkpoint_numbers(checkpoint_, key, file_);
    return found ? found.value() : fail(found.error());
  }
  std::int64_t integer(const std::string& key, std::int64_t low, std::int64_t high) {
    const auto found = checkpoint_integers(checkpoint_, key, file_);
    if (!found) {
      fail(found.error());
      return 0;
    }
    if (found.value().size() != 1 || found.value()[0] < low || found.value()[0] > high) {
      fail(unfit(key));
      return 0;
    }
    return found.value()[0];
  }
  std::span<const double> fail(Diagnostic problem) {
    if (problems_.empty()) problems_.push_back(std::move(problem));
    return {};
  }
  [[nodiscard]] Diagnostic unfit(const std::string& key) const {
    return {ErrorCode::kInconsistent,
            {file_, 0, 0, key},
            "does not fit the other entries of the checkpoint",
            "take another checkpoint, or start anew"};
  }
  [[nodiscard]] const Diagnostics& problems() const { return problems_; }

 private:
  const Checkpoint& checkpoint_;
  const std::string& file_;
  Diagnostics problems_;
};

Vector3 take(std::span<const double> list, std::size_t at) { return {list[at], list[at + 1], list[at + 2]}; }

BodyRecord take_body(Rows& rows, std::size_t b, std::size_t row_count) {
  BodyRecord record;
  const auto energy = rows.numbers(body_key(b, "energy"), kEnergyColumns * row_count);
  const auto momentum = rows.numbers(body_key(b, "momentum"), kMomentumColumns * row_count);
  const auto supports = to_size(rows.integer(body_key(b, "supports"), 0, 1'000'000));
  const auto reactions = rows.numbers(body_key(b, "reactions"), kReactionColumns * supports * row_count);
  const auto joints = rows.numbers(body_key(b, "joints"));
  if (joints.size() % 3 != 0) rows.fail(rows.unfit(body_key(b, "joints")));
  if (!rows.problems().empty()) return record;
  for (std::size_t j = 0; j < joints.size(); j += 3)
    record.joints.push_back({joints[j], joints[j + 1], joints[j + 2]});
  for (std::size_t row = 0; row < row_count; ++row) {
    const std::size_t e = kEnergyColumns * row, m = kMomentumColumns * row;
    record.energy.push_back({energy[e], energy[e + 1], energy[e + 2]});
    record.momentum.push_back(
        {momentum[m], take(momentum, m + 1), take(momentum, m + 4), take(momentum, m + 7)});
    std::vector<Reaction> list;
    for (std::size_t s = 0; s < supports; ++s) {
      const std::size_t r = kReactionColumns * (row * supports + s);
      list.push_back({take(reactions, r), take(reactions, r + 3), take(reactions, r + 6)});
    }
    record.reactions.push_back(std::move(list));
  }
  return record;
}

void take_contacts(Rows& rows, const Checkpoint& checkpoint, RunRecord& record) {
  if (!checkpoint.numbers.contains("contacts")) return;
  const auto list = rows.numbers("contacts");
  const std::size_t row_count = record.t.size();
  const std::size_t width = row_count > 0 ? list.size() / row_count : 0;
  if (width < 4 || (width - 4) % 3 != 0 || width * row_count != list.size()) {
    rows.fail(rows.unfit("contacts"));
    return;
  }
  for (std::size_t at = 0; at < list.size(); at += width) {
    ContactRow row;
    if (!(list[at] >= 0.0 && list[at] < 1e15)) {
      rows.fail(rows.unfit("contacts"));
      return;
    }
    row.count = static_cast<Index>(list[at]);
    row.penetration = list[at + 1];
    row.stored = list[at + 2];
    row.lost = list[at + 3];
    for (std::size_t f = 4; f < width; f += 3) row.force.push_back(take(list, at + f));
    record.contacts.push_back(std::move(row));
  }
}

void take_solids(Rows& rows, const Checkpoint& checkpoint, Snapshot& snapshot) {
  if (!checkpoint.numbers.contains("solids/state")) return;
  const auto state = rows.numbers("solids/state"), list = rows.numbers("solids/rows");
  snapshot.solids.assign(state.begin(), state.end());
  std::vector<ContactRow>& contacts = snapshot.record.contacts;
  if (contacts.empty() || list.size() % (kSolidColumns * contacts.size()) != 0) {
    rows.fail(rows.unfit("solids/rows"));
    return;
  }
  const std::size_t count = list.size() / (kSolidColumns * contacts.size());
  std::size_t at = 0;
  for (ContactRow& row : contacts)
    for (std::size_t s = 0; s < count; ++s, at += kSolidColumns) {
      SolidRow solid;
      solid.position = take(list, at);
      solid.rotation = Eigen::Map<const Matrix3>(list.data() + at + 3);
      solid.velocity = take(list, at + 12);
      solid.spin = take(list, at + 15);
      solid.center = take(list, at + 18);
      solid.linear = take(list, at + 21);
      solid.angular = take(list, at + 24);
      solid.mass = list[at + 27];
      solid.kinetic = list[at + 28];
      solid.potential = list[at + 29];
      row.solids.push_back(solid);
    }
}

void take_probe(Rows& rows, std::size_t p, RunRecord& record) {
  const auto t = rows.numbers(probe_key(p, "t"));
  const auto u = rows.numbers(probe_key(p, "u"), 3 * t.size());
  record.probe_t.emplace_back(t.begin(), t.end());
  record.probe_u.emplace_back();
  for (std::size_t i = 0; i + 2 < u.size(); i += 3) record.probe_u.back().push_back(take(u, i));
}

}  // namespace

Checkpoint to_checkpoint(const Snapshot& snapshot, const std::string& input_hash) {
  Checkpoint file;
  file.texts["input"] = input_hash;
  file.integers["step"] = {snapshot.step};
  file.integers["steps"] = {snapshot.record.steps};
  file.integers["bodies"] = {static_cast<std::int64_t>(snapshot.bodies.size())};
  file.integers["probes"] = {static_cast<std::int64_t>(snapshot.record.probe_t.size())};
  file.numbers["time"] = {snapshot.t};
  file.numbers["load_step"] = {snapshot.load_step};
  file.numbers["t"] = snapshot.record.t;
  for (std::size_t b = 0; b < snapshot.bodies.size(); ++b) {
    for (const auto& [name, values] : snapshot.bodies[b]) file.numbers[body_key(b, "state/" + name)] = values;
    put_body(snapshot.record.bodies[b], b, file);
  }
  for (std::size_t p = 0; p < snapshot.record.probe_t.size(); ++p) {
    file.numbers[probe_key(p, "t")] = snapshot.record.probe_t[p];
    std::vector<double>& u = file.numbers[probe_key(p, "u")];
    for (const Vector3& row : snapshot.record.probe_u[p]) put(u, row);
  }
  put_contacts(snapshot.record, file);
  put_solids(snapshot, file);
  return file;
}

Result<Snapshot> from_checkpoint(const Checkpoint& checkpoint, const std::string& input_hash,
                                 const std::string& file) {
  const Result<std::string_view> hash = checkpoint_text(checkpoint, "input", file);
  if (!hash) return hash.errors();
  if (hash.value() != input_hash)
    return Diagnostic{ErrorCode::kInconsistent,
                      {file, 0, 0, "--resume"},
                      "belongs to another scene, mesh or model",
                      "resume with the files that it was made from"};
  Rows rows(checkpoint, file);
  Snapshot snapshot;
  constexpr std::int64_t kMany = std::int64_t{1} << 40U;
  snapshot.step = rows.integer("step", 0, kMany);
  snapshot.record.steps = rows.integer("steps", 0, kMany);
  const auto bodies = to_size(rows.integer("bodies", 1, 1'000'000));
  const auto probes = to_size(rows.integer("probes", 0, 1'000'000));
  const auto time = rows.numbers("time", 1), load_step = rows.numbers("load_step", 1), t = rows.numbers("t");
  if (!rows.problems().empty()) return rows.problems();
  snapshot.t = time[0];
  snapshot.load_step = load_step[0];
  snapshot.record.t.assign(t.begin(), t.end());
  for (std::size_t b = 0; b < bodies && rows.problems().empty(); ++b) {
    const std::string prefix = body_key(b, "state/");
    StateArrays state;
    // All arrays below the prefix: the models choose the names of their states.
    for (auto entry = checkpoint.numbers.lower_bound(prefix);
         entry != checkpoint.numbers.end() && entry->first.starts_with(prefix); ++entry)
      state[entry->first.substr(prefix.size())] = entry->second;
    snapshot.bodies.push_back(std::move(state));
    snapshot.record.bodies.push_back(take_body(rows, b, t.size()));
  }
  take_contacts(rows, checkpoint, snapshot.record);
  take_solids(rows, checkpoint, snapshot);
  for (std::size_t p = 0; p < probes && rows.problems().empty(); ++p) take_probe(rows, p, snapshot.record);
  if (!rows.problems().empty()) return rows.problems();
  return snapshot;
}

void drop_final_rows(const World& world, Snapshot& snapshot) {
  if (world.settings().integrator == Integrator::kStatic || snapshot.step >= world.step_count()) return;
  for (std::size_t p = 0; p < std::min(world.probes().size(), snapshot.record.probe_t.size()); ++p) {
    std::vector<double>& t = snapshot.record.probe_t[p];
    if (snapshot.step % world.probes()[p].every == 0 || t.empty() || t.back() != snapshot.t) continue;
    t.pop_back();
    snapshot.record.probe_u[p].pop_back();
  }
}

Status write_snapshot(const std::filesystem::path& file, const Snapshot& snapshot,
                      const std::string& input_hash) {
  return write_file(file, write_checkpoint(to_checkpoint(snapshot, input_hash)));
}

Result<Snapshot> read_snapshot(const std::filesystem::path& file, const std::string& input_hash) {
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.errors();
  const Result<Checkpoint> checkpoint = parse_checkpoint(bytes.value(), file.string());
  if (!checkpoint) return checkpoint.errors();
  return from_checkpoint(checkpoint.value(), input_hash, file.string());
}

}  // namespace pliant
