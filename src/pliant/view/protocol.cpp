// Made by tools/make_protocol.py from src/pliant/view/protocol.json; change that file, not this one.
// clang-format off
#include "pliant/view/protocol.hpp"

namespace pliant::view {
namespace {

void put(WireWriter& out, const RegionInfo& x) {
  out.put(x.young);
  out.put(x.poisson);
  out.put(x.density);
}
void take(WireReader& in, RegionInfo& x) {
  in.take(x.young);
  in.take(x.poisson);
  in.take(x.density);
}

void put(WireWriter& out, const DomainInfo& x) {
  out.put(x.name);
  out.put(x.parent);
  out.put(x.modes);
}
void take(WireReader& in, DomainInfo& x) {
  in.take(x.name);
  in.take(x.parent);
  in.take(x.modes);
}

void put(WireWriter& out, const BodyInfo& x) {
  out.put(x.name);
  out.put(x.model);
  out.put(x.dofs);
  out.put(x.points);
  out.put(x.triangles);
  out.put(x.elements);
  out.put(x.mass);
  out.count(x.regions.size());
  for (const RegionInfo& item : x.regions) put(out, item);
  out.count(x.domains.size());
  for (const DomainInfo& item : x.domains) put(out, item);
}
void take(WireReader& in, BodyInfo& x) {
  in.take(x.name);
  in.take(x.model);
  in.take(x.dofs);
  in.take(x.points);
  in.take(x.triangles);
  in.take(x.elements);
  in.take(x.mass);
  x.regions.resize(in.count(1));
  for (RegionInfo& item : x.regions) take(in, item);
  x.domains.resize(in.count(1));
  for (DomainInfo& item : x.domains) take(in, item);
}

void put(WireWriter& out, const ProbeInfo& x) {
  out.put(x.name);
  out.put(x.body);
}
void take(WireReader& in, ProbeInfo& x) {
  in.take(x.name);
  in.take(x.body);
}

void put(WireWriter& out, const Patch& x) {
  out.put(x.points);
  out.put(x.triangles);
  out.put(x.bases);
}
void take(WireReader& in, Patch& x) {
  in.take(x.points);
  in.take(x.triangles);
  in.take(x.bases);
}

void put(WireWriter& out, const RowTable& x) {
  out.put(x.rank);
  out.put(x.rest);
  out.put(x.shapes);
  out.put(x.halves);
}
void take(WireReader& in, RowTable& x) {
  in.take(x.rank);
  in.take(x.rest);
  in.take(x.shapes);
  in.take(x.halves);
}

void put(WireWriter& out, const BodyState& x) {
  out.put(x.poses);
  out.put(x.coordinates);
  out.put(x.positions);
}
void take(WireReader& in, BodyState& x) {
  in.take(x.poses);
  in.take(x.coordinates);
  in.take(x.positions);
}

void put(WireWriter& out, const PullState& x) {
  out.put(x.active);
  out.put(x.body);
  out.put(x.point);
  out.put(x.target);
  out.put(x.force);
}
void take(WireReader& in, PullState& x) {
  in.take(x.active);
  in.take(x.body);
  in.take(x.point);
  in.take(x.target);
  in.take(x.force);
}

void put(WireWriter& out, const Hello& x) {
  out.put(x.session);
  out.put(x.client);
  out.put(x.scene);
  out.put(x.is_static);
  out.put(x.dt);
  out.put(x.gravity);
  out.put(x.mass_damping);
  out.put(x.stiffness_damping);
  out.put(x.low);
  out.put(x.high);
  out.count(x.bodies.size());
  for (const BodyInfo& item : x.bodies) put(out, item);
  out.count(x.probes.size());
  for (const ProbeInfo& item : x.probes) put(out, item);
}
void take(WireReader& in, Hello& x) {
  in.take(x.session);
  in.take(x.client);
  in.take(x.scene);
  in.take(x.is_static);
  in.take(x.dt);
  in.take(x.gravity);
  in.take(x.mass_damping);
  in.take(x.stiffness_damping);
  in.take(x.low);
  in.take(x.high);
  x.bodies.resize(in.count(1));
  for (BodyInfo& item : x.bodies) take(in, item);
  x.probes.resize(in.count(1));
  for (ProbeInfo& item : x.probes) take(in, item);
}

void put(WireWriter& out, const Geometry& x) {
  out.put(x.body);
  out.put(x.half);
  out.put(x.rest);
  out.put(x.point_domains);
  out.count(x.patches.size());
  for (const Patch& item : x.patches) put(out, item);
  out.count(x.tables.size());
  for (const RowTable& item : x.tables) put(out, item);
  out.put(x.part_tables);
  out.put(x.part_scales);
  out.put(x.site_parts);
  out.put(x.site_rows);
  out.put(x.blended);
  out.put(x.blend_keep);
  out.put(x.blend_starts);
  out.put(x.blend_sites);
  out.put(x.blend_weights);
}
void take(WireReader& in, Geometry& x) {
  in.take(x.body);
  in.take(x.half);
  in.take(x.rest);
  in.take(x.point_domains);
  x.patches.resize(in.count(1));
  for (Patch& item : x.patches) take(in, item);
  x.tables.resize(in.count(1));
  for (RowTable& item : x.tables) take(in, item);
  in.take(x.part_tables);
  in.take(x.part_scales);
  in.take(x.site_parts);
  in.take(x.site_rows);
  in.take(x.blended);
  in.take(x.blend_keep);
  in.take(x.blend_starts);
  in.take(x.blend_sites);
  in.take(x.blend_weights);
}

void put(WireWriter& out, const State& x) {
  out.put(x.step);
  out.put(x.epoch);
  out.put(x.time);
  out.put(x.paused);
  out.put(x.healthy);
  out.put(x.ratio);
  out.put(x.step_p50);
  out.put(x.step_p99);
  out.put(x.kinetic);
  out.put(x.strain);
  out.put(x.potential);
  put(out, x.pull);
  out.put(x.probes);
  out.count(x.bodies.size());
  for (const BodyState& item : x.bodies) put(out, item);
}
void take(WireReader& in, State& x) {
  in.take(x.step);
  in.take(x.epoch);
  in.take(x.time);
  in.take(x.paused);
  in.take(x.healthy);
  in.take(x.ratio);
  in.take(x.step_p50);
  in.take(x.step_p99);
  in.take(x.kinetic);
  in.take(x.strain);
  in.take(x.potential);
  take(in, x.pull);
  in.take(x.probes);
  x.bodies.resize(in.count(1));
  for (BodyState& item : x.bodies) take(in, item);
}

void put(WireWriter& out, const Notice& x) {
  out.put(x.severity);
  out.put(x.text);
}
void take(WireReader& in, Notice& x) {
  in.take(x.severity);
  in.take(x.text);
}

void put(WireWriter& out, const Steering& x) {
  out.put(x.yours);
  out.put(x.pages);
}
void take(WireReader& in, Steering& x) {
  in.take(x.yours);
  in.take(x.pages);
}

void put(WireWriter& out, const Positions& x) {
  out.put(x.request);
  out.put(x.body);
  out.put(x.step);
  out.put(x.positions);
}
void take(WireReader& in, Positions& x) {
  in.take(x.request);
  in.take(x.body);
  in.take(x.step);
  in.take(x.positions);
}

void put(WireWriter& out, const Settings& x) {
  out.put(x.dt);
  out.put(x.speed);
  out.put(x.gravity);
  out.put(x.mass_damping);
  out.put(x.stiffness_damping);
  out.put(x.saved);
}
void take(WireReader& in, Settings& x) {
  in.take(x.dt);
  in.take(x.speed);
  in.take(x.gravity);
  in.take(x.mass_damping);
  in.take(x.stiffness_damping);
  in.take(x.saved);
}

void put(WireWriter& out, const Ready& x) {
  out.put(x.epoch);
  out.put(x.step);
}
void take(WireReader& in, Ready& x) {
  in.take(x.epoch);
  in.take(x.step);
}

void put(WireWriter& out, const Steer& /*x*/) {
  (void)out;
}
void take(WireReader& in, Steer& /*x*/) {
  (void)in;
}

void put(WireWriter& out, const Pause& x) {
  out.put(x.on);
}
void take(WireReader& in, Pause& x) {
  in.take(x.on);
}

void put(WireWriter& out, const Step& x) {
  out.put(x.count);
}
void take(WireReader& in, Step& x) {
  in.take(x.count);
}

void put(WireWriter& out, const Reset& /*x*/) {
  (void)out;
}
void take(WireReader& in, Reset& /*x*/) {
  (void)in;
}

void put(WireWriter& out, const PullSpring& x) {
  out.put(x.body);
  out.put(x.point);
  out.put(x.target);
  out.put(x.strength);
}
void take(WireReader& in, PullSpring& x) {
  in.take(x.body);
  in.take(x.point);
  in.take(x.target);
  in.take(x.strength);
}

void put(WireWriter& out, const PullForce& x) {
  out.put(x.body);
  out.put(x.point);
  out.put(x.force);
}
void take(WireReader& in, PullForce& x) {
  in.take(x.body);
  in.take(x.point);
  in.take(x.force);
}

void put(WireWriter& out, const Release& /*x*/) {
  (void)out;
}
void take(WireReader& in, Release& /*x*/) {
  (void)in;
}

void put(WireWriter& out, const SetClock& x) {
  out.put(x.dt);
  out.put(x.speed);
}
void take(WireReader& in, SetClock& x) {
  in.take(x.dt);
  in.take(x.speed);
}

void put(WireWriter& out, const SetGravity& x) {
  out.put(x.gravity);
}
void take(WireReader& in, SetGravity& x) {
  in.take(x.gravity);
}

void put(WireWriter& out, const SetDamping& x) {
  out.put(x.mass);
  out.put(x.stiffness);
}
void take(WireReader& in, SetDamping& x) {
  in.take(x.mass);
  in.take(x.stiffness);
}

void put(WireWriter& out, const SetMaterial& x) {
  out.put(x.body);
  out.put(x.region);
  out.put(x.young);
  out.put(x.density);
}
void take(WireReader& in, SetMaterial& x) {
  in.take(x.body);
  in.take(x.region);
  in.take(x.young);
  in.take(x.density);
}

void put(WireWriter& out, const TuneDomain& x) {
  out.put(x.body);
  out.put(x.domain);
  out.put(x.frequency_scale);
  out.put(x.mass_damping);
  out.put(x.stiffness_damping);
}
void take(WireReader& in, TuneDomain& x) {
  in.take(x.body);
  in.take(x.domain);
  in.take(x.frequency_scale);
  in.take(x.mass_damping);
  in.take(x.stiffness_damping);
}

void put(WireWriter& out, const Detach& x) {
  out.put(x.body);
  out.put(x.domain);
}
void take(WireReader& in, Detach& x) {
  in.take(x.body);
  in.take(x.domain);
}

void put(WireWriter& out, const SaveState& /*x*/) {
  (void)out;
}
void take(WireReader& in, SaveState& /*x*/) {
  (void)in;
}

void put(WireWriter& out, const LoadState& /*x*/) {
  (void)out;
}
void take(WireReader& in, LoadState& /*x*/) {
  (void)in;
}

void put(WireWriter& out, const AskPositions& x) {
  out.put(x.request);
  out.put(x.body);
}
void take(WireReader& in, AskPositions& x) {
  in.take(x.request);
  in.take(x.body);
}

template <class Message>
Bytes frame_of(std::uint8_t kind, const Message& message) {
  WireWriter out(kind, kProtocolVersion);
  put(out, message);
  return std::move(out).bytes();
}

template <class Message, class Any>
std::optional<Any> message_of(WireReader& in) {
  Message message;
  take(in, message);
  if (!in.finished()) return std::nullopt;
  return Any(std::move(message));
}

}  // namespace

Bytes encode(const Hello& message) { return frame_of(1, message); }
Bytes encode(const Geometry& message) { return frame_of(2, message); }
Bytes encode(const State& message) { return frame_of(3, message); }
Bytes encode(const Notice& message) { return frame_of(4, message); }
Bytes encode(const Steering& message) { return frame_of(5, message); }
Bytes encode(const Positions& message) { return frame_of(6, message); }
Bytes encode(const Settings& message) { return frame_of(7, message); }
Bytes encode(const Ready& message) { return frame_of(32, message); }
Bytes encode(const Steer& message) { return frame_of(33, message); }
Bytes encode(const Pause& message) { return frame_of(34, message); }
Bytes encode(const Step& message) { return frame_of(35, message); }
Bytes encode(const Reset& message) { return frame_of(36, message); }
Bytes encode(const PullSpring& message) { return frame_of(37, message); }
Bytes encode(const PullForce& message) { return frame_of(38, message); }
Bytes encode(const Release& message) { return frame_of(39, message); }
Bytes encode(const SetClock& message) { return frame_of(40, message); }
Bytes encode(const SetGravity& message) { return frame_of(41, message); }
Bytes encode(const SetDamping& message) { return frame_of(42, message); }
Bytes encode(const SetMaterial& message) { return frame_of(43, message); }
Bytes encode(const TuneDomain& message) { return frame_of(44, message); }
Bytes encode(const Detach& message) { return frame_of(45, message); }
Bytes encode(const SaveState& message) { return frame_of(46, message); }
Bytes encode(const LoadState& message) { return frame_of(47, message); }
Bytes encode(const AskPositions& message) { return frame_of(48, message); }

std::optional<ServerMessage> decode_from_server(std::span<const std::uint8_t> frame) {
  WireReader in(frame, kProtocolVersion);
  switch (in.kind()) {
    case 1: return message_of<Hello, ServerMessage>(in);
    case 2: return message_of<Geometry, ServerMessage>(in);
    case 3: return message_of<State, ServerMessage>(in);
    case 4: return message_of<Notice, ServerMessage>(in);
    case 5: return message_of<Steering, ServerMessage>(in);
    case 6: return message_of<Positions, ServerMessage>(in);
    case 7: return message_of<Settings, ServerMessage>(in);
    default: return std::nullopt;
  }
}

std::optional<PageMessage> decode_from_page(std::span<const std::uint8_t> frame) {
  WireReader in(frame, kProtocolVersion);
  switch (in.kind()) {
    case 32: return message_of<Ready, PageMessage>(in);
    case 33: return message_of<Steer, PageMessage>(in);
    case 34: return message_of<Pause, PageMessage>(in);
    case 35: return message_of<Step, PageMessage>(in);
    case 36: return message_of<Reset, PageMessage>(in);
    case 37: return message_of<PullSpring, PageMessage>(in);
    case 38: return message_of<PullForce, PageMessage>(in);
    case 39: return message_of<Release, PageMessage>(in);
    case 40: return message_of<SetClock, PageMessage>(in);
    case 41: return message_of<SetGravity, PageMessage>(in);
    case 42: return message_of<SetDamping, PageMessage>(in);
    case 43: return message_of<SetMaterial, PageMessage>(in);
    case 44: return message_of<TuneDomain, PageMessage>(in);
    case 45: return message_of<Detach, PageMessage>(in);
    case 46: return message_of<SaveState, PageMessage>(in);
    case 47: return message_of<LoadState, PageMessage>(in);
    case 48: return message_of<AskPositions, PageMessage>(in);
    default: return std::nullopt;
  }
}

}  // namespace pliant::view
