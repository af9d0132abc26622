#include "pliant/store/run_report.hpp"

#include "pliant/base/atomic_file.hpp"
#include "pliant/base/text.hpp"
#include "pliant/sim/contacts.hpp"
#include "pliant/store/plot_svg.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Vector3& v) { return Json::array({v[0], v[1], v[2]}); }

Json energy_json(const std::vector<double>& t, const std::vector<Energies>& rows) {
  Json kinetic = Json::array(), strain = Json::array(), potential = Json::array();
  for (const Energies& row : rows) {
    kinetic.push_back(row.kinetic);
    strain.push_back(row.strain);
    potential.push_back(row.potential);
  }
  return {{"t", t},
          {"kinetic", std::move(kinetic)},
          {"strain", std::move(strain)},
          {"potential", std::move(potential)}};
}

template <class RowOf>
Json momentum_json(const std::vector<double>& t, RowOf row_of) {
  Json center = Json::array(), linear = Json::array(), angular = Json::array();
  for (std::size_t row = 0; row < t.size(); ++row) {
    const Momenta m = row_of(row);
    center.push_back(to_json(m.center));
    linear.push_back(to_json(m.linear));
    angular.push_back(to_json(m.angular));
  }
  return {{"t", t},
          {"center", std::move(center)},
          {"linear", std::move(linear)},
          {"angular", std::move(angular)}};
}

Json reactions_json(const Body& body, const BodyRecord& record, const std::vector<double>& t) {
  Json all = Json::object();
  for (std::size_t s = 0; s < body.support_names.size(); ++s) {
    Json force = Json::array(), moment = Json::array(), about = Json::array();
    for (const std::vector<Reaction>& row : record.reactions) {
      if (s >= row.size()) continue;
      force.push_back(to_json(row[s].force));
      moment.push_back(to_json(row[s].moment));
      about.push_back(to_json(row[s].about));
    }
    std::string name = body.support_names[s];
    for (int copy = 2; all.contains(name); ++copy)
      name = body.support_names[s] + " (" + std::to_string(copy) + ")";
    all[name] = {
        {"t", t}, {"force", std::move(force)}, {"moment", std::move(moment)}, {"about", std::move(about)}};
  }
  return all;
}

Json domains_json(const Body& body) {
  Json all = Json::array();
  for (const DomainSummary& domain : body.domains)
    all.push_back({{"name", domain.name}, {"modes", domain.modes}, {"attachment", domain.attachment}});
  return all;
}

/// The joints of a tree with the largest gap and deviation that the run has seen.
Json joints_json(const Body& body, const BodyRecord& rows) {
  Json all = Json::array();
  for (std::size_t d = 0; d < std::min(body.domains.size(), rows.joints.size()); ++d) {
    const JointState& joint = rows.joints[d];
    if (joint.size > 0.0)
      all.push_back({{"domain", body.domains[d].name},
                     {"gap", joint.gap},
                     {"gap_relative", joint.gap / joint.size},
                     {"deviation", joint.deviation}});
  }
  return all;
}

Json bodies_json(const World& world) {
  const RunRecord& record = world.record();
  Json all = Json::object();
  for (std::size_t b = 0; b < world.bodies().size(); ++b) {
    const Body& body = world.bodies()[b];
    const BodyRecord& rows = record.bodies[b];
    all[body.name] = {
        {"model", body.model->type()},
        {"dofs", body.model->dof_count()},
        {"energy", energy_json(record.t, rows.energy)},
        {"momentum", momentum_json(record.t, [&](std::size_t row) { return rows.momentum[row]; })},
        {"reactions", reactions_json(body, rows, record.t)},
        {"domains", domains_json(body)},
        {"joints", joints_json(body, rows)}};
  }
  return all;
}

/// Points that touch, the deepest penetration and the force of each obstacle, row by row.
Json contacts_json(const World& world) {
  const RunRecord& record = world.record();
  Json count = Json::array(), penetration = Json::array(), force = Json::object();
  for (const ContactRow& row : record.contacts) {
    count.push_back(row.count);
    penetration.push_back(row.penetration);
  }
  const std::vector<Obstacle>& obstacles = world.contacts()->obstacles();
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    Json& rows = force[obstacles[o].name] = Json::array();
    for (const ContactRow& row : record.contacts) rows.push_back(to_json(row.force[o]));
  }
  return {{"t", record.t},
          {"count", std::move(count)},
          {"penetration", std::move(penetration)},
          {"force", std::move(force)}};
}

/// Where the obstacles that are pushed are and how they move, row by row.
Json solids_json(const World& world, const Solids& solids) {
  const RunRecord& record = world.record();
  Json all = Json::object();
  for (std::size_t s = 0; s < solids.count(); ++s) {
    Json position = Json::array(), rotation = Json::array(), velocity = Json::array(), spin = Json::array();
    for (const ContactRow& row : record.contacts) {
      const SolidRow& solid = row.solids[s];
      const Eigen::Quaterniond turn(solid.rotation);
      position.push_back(to_json(solid.position));
      rotation.push_back(Json::array({turn.w(), turn.x(), turn.y(), turn.z()}));
      velocity.push_back(to_json(solid.velocity));
      spin.push_back(to_json(solid.spin));
    }
    all[world.contacts()->obstacles()[to_size(solids.obstacle(s))].name] = {
        {"t", record.t},
        {"position", std::move(position)},
        {"rotation", std::move(rotation)},
        {"velocity", std::move(velocity)},
        {"angular_velocity", std::move(spin)}};
  }
  return all;
}

void add_contact_energy(const RunRecord& record, Json& energy) {
  Json stored = Json::array(), lost = Json::array();
  for (const ContactRow& row : record.contacts) {
    stored.push_back(row.stored);
    lost.push_back(row.lost);
  }
  energy["contact"] = std::move(stored);
  energy["friction"] = std::move(lost);
}

std::string model_name(const World& world) {
  std::string name(world.bodies().front().model->type());
  for (const Body& body : world.bodies()) {
    if (body.model->type() != name) return "mixed";
  }
  return name;
}

std::string energy_csv(const std::vector<double>& t, const std::vector<Energies>& rows) {
  std::string csv = "t,kinetic,strain,potential,total\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Energies& e = rows[i];
    csv += text(t[i]) + "," + text(e.kinetic) + "," + text(e.strain) + "," + text(e.potential) + "," +
           text(e.kinetic + e.strain + e.potential) + "\n";
  }
  return csv;
}

Plot energy_plot(const std::vector<double>& t, const std::vector<Energies>& rows,
                 const std::string& time_label) {
  Plot plot{"Energy",
            time_label,
            "J",
            {{"kinetic", t, {}}, {"strain", t, {}}, {"potential", t, {}}, {"total", t, {}}}};
  for (const Energies& e : rows) {
    plot.curves[0].y.push_back(e.kinetic);
    plot.curves[1].y.push_back(e.strain);
    plot.curves[2].y.push_back(e.potential);
    plot.curves[3].y.push_back(e.kinetic + e.strain + e.potential);
  }
  return plot;
}

/// Displacements of vertices, or forces of obstacles.
std::string probes_csv(const World& world, bool forces) {
  const RunRecord& record = world.record();
  std::string csv = forces ? "probe,t,fx,fy,fz\n" : "probe,t,ux,uy,uz\n";
  for (std::size_t p = 0; p < world.probes().size(); ++p) {
    if (world.probes()[p].obstacle.has_value() != forces) continue;
    for (std::size_t row = 0; row < record.probe_t[p].size(); ++row) {
      const Vector3& u = record.probe_u[p][row];
      std::string name = world.probes()[p].name;
      if (name.find_first_of(",\"\n") != std::string::npos) {
        std::string quoted;
        for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        name = "\"" + quoted + "\"";
      }
      csv += name + "," + text(record.probe_t[p][row]) + "," + text(u[0]) + "," + text(u[1]) + "," +
             text(u[2]) + "\n";
    }
  }
  return csv;
}

std::vector<Plot> probe_plots(const World& world, const std::string& time_label, bool forces) {
  const RunRecord& record = world.record();
  std::vector<Plot> plots;
  for (std::size_t p = 0; p < world.probes().size(); ++p) {
    if (world.probes()[p].obstacle.has_value() != forces) continue;
    const std::vector<double>& t = record.probe_t[p];
    Plot plot{(forces ? "Force of probe " : "Displacement of probe ") + world.probes()[p].name,
              time_label,
              forces ? "N" : "m",
              {{"x", t, {}}, {"y", t, {}}, {"z", t, {}}}};
    for (const Vector3& u : record.probe_u[p]) {
      for (std::size_t axis = 0; axis < 3; ++axis) plot.curves[axis].y.push_back(u[static_cast<Index>(axis)]);
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace

std::vector<Energies> total_energy(const RunRecord& record) {
  std::vector<Energies> total(record.t.size());
  for (const BodyRecord& body : record.bodies) {
    for (std::size_t row = 0; row < total.size(); ++row) {
      total[row].kinetic += body.energy[row].kinetic;
      total[row].strain += body.energy[row].strain;
      total[row].potential += body.energy[row].potential;
    }
  }
  for (std::size_t row = 0; row < std::min(total.size(), record.contacts.size()); ++row)
    for (const SolidRow& solid : record.contacts[row].solids) {
      total[row].kinetic += solid.kinetic;
      total[row].potential += solid.potential;
    }
  return total;
}

Momenta total_momentum(const RunRecord& record, std::size_t row) {
  std::vector<Momenta> parts;
  parts.reserve(record.bodies.size());
  for (const BodyRecord& body : record.bodies) parts.push_back(body.momentum[row]);
  if (row < record.contacts.size())
    for (const SolidRow& solid : record.contacts[row].solids)
      parts.push_back({solid.mass, solid.center, solid.linear, solid.angular});
  // For a single body, return its own figures without the rounding of the division.
  if (parts.size() == 1) return parts.front();
  Momenta total;
  for (const Momenta& m : parts) {
    total.mass += m.mass;
    total.center += m.mass * m.center;
    total.linear += m.linear;
  }
  total.center /= total.mass;
  // Parallel axis: own angular momentum plus that of the body's centre about the common one.
  for (const Momenta& m : parts) total.angular += m.angular + (m.center - total.center).cross(m.linear);
  return total;
}

StepTimes step_times(const std::vector<double>& seconds) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (seconds.empty()) return {kNone, kNone, kNone, kNone};
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  double sum = 0.0;
  for (const double s : sorted) sum += s;
  const auto count = static_cast<double>(sorted.size());
  // Nearest rank: the smallest value that at least a share p of all values do not exceed.
  const auto rank = [&](double p) {
    return sorted[static_cast<std::size_t>(std::max(0.0, std::ceil(p * count) - 1.0))];
  };
  return {1e6 * sum / count, 1e6 * rank(0.5), 1e6 * rank(0.99), 1e6 * sorted.back()};
}

std::string failure_json(const RunFailure& failure) {
  const Json document{{"healthy", false}, {"failure", {{"t", failure.t}, {"reason", failure.reason}}}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string run_json(const World& world, double build_seconds, const std::optional<RunFailure>& failure) {
  const RunRecord& record = world.record();
  Index dofs = 0;
  for (const Body& body : world.bodies()) dofs += body.model->dof_count();
  // Names differ, so probes are appended: operator[] would compare each with all before it.
  Json::object_t probes;
  for (std::size_t p = 0; p < world.probes().size(); ++p) {
    Json u = Json::array();
    for (const Vector3& row : record.probe_u[p]) u.push_back(to_json(row));
    const char* what = world.probes()[p].obstacle ? "force" : "u";
    probes.push_back({world.probes()[p].name, Json{{"t", record.probe_t[p]}, {what, std::move(u)}}});
  }
  Json document{{"model", model_name(world)},
                {"dofs", dofs},
                {"steps", record.steps},
                {"healthy", record.healthy && !failure},
                {"state_hash", world.state_hash()},
                {"probes", std::move(probes)}};
  if (!record.healthy) document["failure"] = {{"t", record.failure_t}, {"reason", record.failure_reason}};
  if (failure) document["failure"] = {{"t", failure->t}, {"reason", failure->reason}};
  if (record.damped_steps > 0) document["damped_steps"] = record.damped_steps;
  if (record.rough_steps > 0) document["rough_steps"] = record.rough_steps;
  document["energy"] = energy_json(record.t, total_energy(record));
  if (world.contacts() != nullptr) {
    add_contact_energy(record, document["energy"]);
    document["contacts"] = contacts_json(world);
    if (const Solids* solids = world.contacts()->solids())
      document["obstacles"] = solids_json(world, *solids);
  }
  document["momentum"] =
      momentum_json(record.t, [&](std::size_t row) { return total_momentum(record, row); });
  document["bodies"] = bodies_json(world);
  document["build_s"] = build_seconds;
  const StepTimes times = step_times(record.step_seconds);
  document["step_us"] = {{"mean", times.mean}, {"p50", times.p50}, {"p99", times.p99}, {"max", times.max}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<std::vector<std::filesystem::path>> write_run_tables(const World& world,
                                                            const std::filesystem::path& folder) {
  const RunRecord& record = world.record();
  const std::string time_label = world.settings().integrator == Integrator::kStatic ? "load factor" : "t / s";
  const std::vector<Energies> energy = total_energy(record);
  const Plot energies = energy_plot(record.t, energy, time_label);
  std::vector<std::pair<std::filesystem::path, std::string>> files{
      {folder / "energy.csv", energy_csv(record.t, energy)},
      {folder / "energy.svg", plot_svg({&energies, 1})}};
  for (const bool forces : {false, true}) {
    const std::string name = forces ? "forces" : "probes";
    const auto is_meant = [&](const Probe& probe) { return probe.obstacle.has_value() == forces; };
    if (std::none_of(world.probes().begin(), world.probes().end(), is_meant)) continue;
    files.emplace_back(folder / (name + ".csv"), probes_csv(world, forces));
    files.emplace_back(folder / (name + ".svg"), plot_svg(probe_plots(world, time_label, forces)));
  }
  std::vector<std::filesystem::path> written;
  for (const auto& [path, content] : files) {
    if (Status done = write_file(path, content); !done) return done.errors();
    written.push_back(path);
  }
  return written;
}

}  // namespace pliant
