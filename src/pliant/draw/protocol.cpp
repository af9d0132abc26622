// Made by tools/make_protocol.py from src/pliant/draw/protocol.json; change that file, not this one.
// clang-format off
#include "pliant/draw/protocol.hpp"

namespace pliant::view {

/// Numbers, strings and lists of numbers as they are, structs by their fields.
template <class Field>
void put_one(WireWriter& out, const Field& field) {
  if constexpr (requires { out.put(field); }) {
    out.put(field);
  } else if constexpr (requires { field.size(); }) {
    out.count(field.size());
    for (const auto& item : field) put(out, item);
  } else {
    put(out, field);
  }
}
template <class... Fields>
void put_all([[maybe_unused]] WireWriter& out, const Fields&... fields) {
  (put_one(out, fields), ...);
}
template <class Field>
void take_one(WireReader& in, Field& field) {
  if constexpr (requires { in.take(field); }) {
    in.take(field);
  } else if constexpr (requires { field.size(); }) {
    field.resize(in.count(1));
    for (auto& item : field) take(in, item);
  } else {
    take(in, field);
  }
}
template <class... Fields>
void take_all([[maybe_unused]] WireReader& in, Fields&... fields) {
  (take_one(in, fields), ...);
}

static void put(WireWriter& out, const RegionInfo& x) { put_all(out, x.young, x.poisson, x.density); }
static void take(WireReader& in, RegionInfo& x) { take_all(in, x.young, x.poisson, x.density); }
static void put(WireWriter& out, const LookInfo& x) { put_all(out, x.color, x.roughness); }
static void take(WireReader& in, LookInfo& x) { take_all(in, x.color, x.roughness); }
static void put(WireWriter& out, const DomainInfo& x) { put_all(out, x.name, x.parent, x.modes); }
static void take(WireReader& in, DomainInfo& x) { take_all(in, x.name, x.parent, x.modes); }
static void put(WireWriter& out, const BodyInfo& x) { put_all(out, x.name, x.model, x.dofs, x.points, x.triangles, x.elements, x.mass, x.regions, x.domains, x.held, x.anchor, x.modes, x.modes_most, x.ghost, x.looks); }
static void take(WireReader& in, BodyInfo& x) { take_all(in, x.name, x.model, x.dofs, x.points, x.triangles, x.elements, x.mass, x.regions, x.domains, x.held, x.anchor, x.modes, x.modes_most, x.ghost, x.looks); }
static void put(WireWriter& out, const ProbeInfo& x) { put_all(out, x.name, x.body); }
static void take(WireReader& in, ProbeInfo& x) { take_all(in, x.name, x.body); }
static void put(WireWriter& out, const Patch& x) { put_all(out, x.points, x.triangles, x.edges, x.bases); }
static void take(WireReader& in, Patch& x) { take_all(in, x.points, x.triangles, x.edges, x.bases); }
static void put(WireWriter& out, const RowTable& x) { put_all(out, x.rank, x.rest, x.shapes, x.halves); }
static void take(WireReader& in, RowTable& x) { take_all(in, x.rank, x.rest, x.shapes, x.halves); }
static void put(WireWriter& out, const BodyState& x) { put_all(out, x.poses, x.coordinates, x.positions, x.shift); }
static void take(WireReader& in, BodyState& x) { take_all(in, x.poses, x.coordinates, x.positions, x.shift); }
static void put(WireWriter& out, const RegionNow& x) { put_all(out, x.body, x.region, x.young, x.density); }
static void take(WireReader& in, RegionNow& x) { take_all(in, x.body, x.region, x.young, x.density); }
static void put(WireWriter& out, const DomainNow& x) { put_all(out, x.body, x.domain, x.frequency_scale, x.mass_damping, x.stiffness_damping); }
static void take(WireReader& in, DomainNow& x) { take_all(in, x.body, x.domain, x.frequency_scale, x.mass_damping, x.stiffness_damping); }
static void put(WireWriter& out, const EditInfo& x) { put_all(out, x.text, x.undone); }
static void take(WireReader& in, EditInfo& x) { take_all(in, x.text, x.undone); }
static void put(WireWriter& out, const CutDomain& x) { put_all(out, x.name, x.modes, x.elements, x.parent, x.level, x.ring, x.faults); }
static void take(WireReader& in, CutDomain& x) { take_all(in, x.name, x.modes, x.elements, x.parent, x.level, x.ring, x.faults); }
static void put(WireWriter& out, const CutLink& x) { put_all(out, x.a, x.b, x.area, x.patches); }
static void take(WireReader& in, CutLink& x) { take_all(in, x.a, x.b, x.area, x.patches); }
static void put(WireWriter& out, const PullState& x) { put_all(out, x.active, x.body, x.point, x.target, x.force); }
static void take(WireReader& in, PullState& x) { take_all(in, x.active, x.body, x.point, x.target, x.force); }
static void put(WireWriter& out, const ObstacleInfo& x) { put_all(out, x.name, x.plane, x.rest, x.triangles); }
static void take(WireReader& in, ObstacleInfo& x) { take_all(in, x.name, x.plane, x.rest, x.triangles); }
static void put(WireWriter& out, const GalleryItem& x) { put_all(out, x.name, x.about, x.picture); }
static void take(WireReader& in, GalleryItem& x) { take_all(in, x.name, x.about, x.picture); }
static void put(WireWriter& out, const Hello& x) { put_all(out, x.session, x.client, x.scene, x.is_static, x.dt, x.gravity, x.mass_damping, x.stiffness_damping, x.low, x.high, x.bodies, x.probes, x.obstacles); }
static void take(WireReader& in, Hello& x) { take_all(in, x.session, x.client, x.scene, x.is_static, x.dt, x.gravity, x.mass_damping, x.stiffness_damping, x.low, x.high, x.bodies, x.probes, x.obstacles); }
static void put(WireWriter& out, const Geometry& x) { put_all(out, x.body, x.half, x.rest, x.point_domains, x.point_looks, x.patches, x.tables, x.part_tables, x.part_scales, x.site_parts, x.site_rows, x.blended, x.blend_keep, x.blend_starts, x.blend_sites, x.blend_weights); }
static void take(WireReader& in, Geometry& x) { take_all(in, x.body, x.half, x.rest, x.point_domains, x.point_looks, x.patches, x.tables, x.part_tables, x.part_scales, x.site_parts, x.site_rows, x.blended, x.blend_keep, x.blend_starts, x.blend_sites, x.blend_weights); }
static void put(WireWriter& out, const State& x) { put_all(out, x.step, x.epoch, x.time, x.paused, x.healthy, x.ratio, x.step_p50, x.step_p99, x.part_times, x.kinetic, x.strain, x.potential, x.pull, x.probes, x.bodies, x.obstacles, x.contacts); }
static void take(WireReader& in, State& x) { take_all(in, x.step, x.epoch, x.time, x.paused, x.healthy, x.ratio, x.step_p50, x.step_p99, x.part_times, x.kinetic, x.strain, x.potential, x.pull, x.probes, x.bodies, x.obstacles, x.contacts); }
static void put(WireWriter& out, const Notice& x) { put_all(out, x.severity, x.text); }
static void take(WireReader& in, Notice& x) { take_all(in, x.severity, x.text); }
static void put(WireWriter& out, const Steering& x) { put_all(out, x.yours, x.pages); }
static void take(WireReader& in, Steering& x) { take_all(in, x.yours, x.pages); }
static void put(WireWriter& out, const Positions& x) { put_all(out, x.request, x.body, x.step, x.positions); }
static void take(WireReader& in, Positions& x) { take_all(in, x.request, x.body, x.step, x.positions); }
static void put(WireWriter& out, const Field& x) { put_all(out, x.body, x.quantity, x.step, x.top, x.values); }
static void take(WireReader& in, Field& x) { take_all(in, x.body, x.quantity, x.step, x.top, x.values); }
static void put(WireWriter& out, const Mode& x) { put_all(out, x.body, x.mode, x.rigid, x.hz, x.shape); }
static void take(WireReader& in, Mode& x) { take_all(in, x.body, x.mode, x.rigid, x.hz, x.shape); }
static void put(WireWriter& out, const Recorded& x) { put_all(out, x.name, x.bytes, x.words); }
static void take(WireReader& in, Recorded& x) { take_all(in, x.name, x.bytes, x.words); }
static void put(WireWriter& out, const Settings& x) { put_all(out, x.dt, x.speed, x.gravity, x.mass_damping, x.stiffness_damping, x.saved, x.wind_on, x.wind, x.gust, x.gust_period, x.volume_on, x.volume_axis, x.volume_share, x.edits, x.file, x.regions, x.domains, x.recording); }
static void take(WireReader& in, Settings& x) { take_all(in, x.dt, x.speed, x.gravity, x.mass_damping, x.stiffness_damping, x.saved, x.wind_on, x.wind, x.gust, x.gust_period, x.volume_on, x.volume_axis, x.volume_share, x.edits, x.file, x.regions, x.domains, x.recording); }
static void put(WireWriter& out, const Work& x) { put_all(out, x.task, x.running, x.failed, x.done, x.text); }
static void take(WireReader& in, Work& x) { take_all(in, x.task, x.running, x.failed, x.done, x.text); }
static void put(WireWriter& out, const SketchStart& x) { put_all(out, x.body, x.separation, x.modes, x.file); }
static void take(WireReader& in, SketchStart& x) { take_all(in, x.body, x.separation, x.modes, x.file); }
static void put(WireWriter& out, const SketchShapes& x) { put_all(out, x.body, x.point, x.shapes); }
static void take(WireReader& in, SketchShapes& x) { take_all(in, x.body, x.point, x.shapes); }
static void put(WireWriter& out, const CutSurface& x) { put_all(out, x.body, x.rest, x.triangles, x.elements); }
static void take(WireReader& in, CutSurface& x) { take_all(in, x.body, x.rest, x.triangles, x.elements); }
static void put(WireWriter& out, const Cut& x) { put_all(out, x.request, x.body, x.labels, x.domains, x.links, x.fine, x.problems, x.notes); }
static void take(WireReader& in, Cut& x) { take_all(in, x.request, x.body, x.labels, x.domains, x.links, x.fine, x.problems, x.notes); }
static void put(WireWriter& out, const Gallery& x) { put_all(out, x.items, x.current); }
static void take(WireReader& in, Gallery& x) { take_all(in, x.items, x.current); }
static void put(WireWriter& out, const Building& x) { put_all(out, x.scene, x.running, x.failed, x.stage, x.done); }
static void take(WireReader& in, Building& x) { take_all(in, x.scene, x.running, x.failed, x.stage, x.done); }
static void put(WireWriter& out, const File& x) { put_all(out, x.name, x.content); }
static void take(WireReader& in, File& x) { take_all(in, x.name, x.content); }
static void put(WireWriter& out, const Ready& x) { put_all(out, x.epoch, x.step); }
static void take(WireReader& in, Ready& x) { take_all(in, x.epoch, x.step); }
static void put(WireWriter& out, const Steer& /*x*/) { put_all(out); }
static void take(WireReader& in, Steer& /*x*/) { take_all(in); }
static void put(WireWriter& out, const Pause& x) { put_all(out, x.on); }
static void take(WireReader& in, Pause& x) { take_all(in, x.on); }
static void put(WireWriter& out, const Step& x) { put_all(out, x.count); }
static void take(WireReader& in, Step& x) { take_all(in, x.count); }
static void put(WireWriter& out, const Reset& /*x*/) { put_all(out); }
static void take(WireReader& in, Reset& /*x*/) { take_all(in); }
static void put(WireWriter& out, const PullSpring& x) { put_all(out, x.body, x.point, x.target, x.strength); }
static void take(WireReader& in, PullSpring& x) { take_all(in, x.body, x.point, x.target, x.strength); }
static void put(WireWriter& out, const PullForce& x) { put_all(out, x.body, x.point, x.force); }
static void take(WireReader& in, PullForce& x) { take_all(in, x.body, x.point, x.force); }
static void put(WireWriter& out, const Release& /*x*/) { put_all(out); }
static void take(WireReader& in, Release& /*x*/) { take_all(in); }
static void put(WireWriter& out, const SetClock& x) { put_all(out, x.dt, x.speed); }
static void take(WireReader& in, SetClock& x) { take_all(in, x.dt, x.speed); }
static void put(WireWriter& out, const SetGravity& x) { put_all(out, x.gravity); }
static void take(WireReader& in, SetGravity& x) { take_all(in, x.gravity); }
static void put(WireWriter& out, const SetDamping& x) { put_all(out, x.mass, x.stiffness); }
static void take(WireReader& in, SetDamping& x) { take_all(in, x.mass, x.stiffness); }
static void put(WireWriter& out, const SetMaterial& x) { put_all(out, x.body, x.region, x.young, x.density); }
static void take(WireReader& in, SetMaterial& x) { take_all(in, x.body, x.region, x.young, x.density); }
static void put(WireWriter& out, const TuneDomain& x) { put_all(out, x.body, x.domain, x.frequency_scale, x.mass_damping, x.stiffness_damping); }
static void take(WireReader& in, TuneDomain& x) { take_all(in, x.body, x.domain, x.frequency_scale, x.mass_damping, x.stiffness_damping); }
static void put(WireWriter& out, const Detach& x) { put_all(out, x.body, x.domain); }
static void take(WireReader& in, Detach& x) { take_all(in, x.body, x.domain); }
static void put(WireWriter& out, const SaveState& /*x*/) { put_all(out); }
static void take(WireReader& in, SaveState& /*x*/) { take_all(in); }
static void put(WireWriter& out, const LoadState& /*x*/) { put_all(out); }
static void take(WireReader& in, LoadState& /*x*/) { take_all(in); }
static void put(WireWriter& out, const AskPositions& x) { put_all(out, x.request, x.body); }
static void take(WireReader& in, AskPositions& x) { take_all(in, x.request, x.body); }
static void put(WireWriter& out, const AskField& x) { put_all(out, x.body, x.quantity); }
static void take(WireReader& in, AskField& x) { take_all(in, x.body, x.quantity); }
static void put(WireWriter& out, const AskMode& x) { put_all(out, x.body, x.mode); }
static void take(WireReader& in, AskMode& x) { take_all(in, x.body, x.mode); }
static void put(WireWriter& out, const Record& x) { put_all(out, x.on); }
static void take(WireReader& in, Record& x) { take_all(in, x.on); }
static void put(WireWriter& out, const DragAnchor& x) { put_all(out, x.body, x.shift); }
static void take(WireReader& in, DragAnchor& x) { take_all(in, x.body, x.shift); }
static void put(WireWriter& out, const SetWind& x) { put_all(out, x.on, x.velocity, x.gust, x.gust_period); }
static void take(WireReader& in, SetWind& x) { take_all(in, x.on, x.velocity, x.gust, x.gust_period); }
static void put(WireWriter& out, const SetModes& x) { put_all(out, x.body, x.count); }
static void take(WireReader& in, SetModes& x) { take_all(in, x.body, x.count); }
static void put(WireWriter& out, const SetVolume& x) { put_all(out, x.on, x.axis, x.share); }
static void take(WireReader& in, SetVolume& x) { take_all(in, x.on, x.axis, x.share); }
static void put(WireWriter& out, const Undo& /*x*/) { put_all(out); }
static void take(WireReader& in, Undo& /*x*/) { take_all(in); }
static void put(WireWriter& out, const Redo& /*x*/) { put_all(out); }
static void take(WireReader& in, Redo& /*x*/) { take_all(in); }
static void put(WireWriter& out, const WriteScene& x) { put_all(out, x.download); }
static void take(WireReader& in, WriteScene& x) { take_all(in, x.download); }
static void put(WireWriter& out, const SetModel& x) { put_all(out, x.model); }
static void take(WireReader& in, SetModel& x) { take_all(in, x.model); }
static void put(WireWriter& out, const SetGhost& x) { put_all(out, x.model); }
static void take(WireReader& in, SetGhost& x) { take_all(in, x.model); }
static void put(WireWriter& out, const OpenScene& x) { put_all(out, x.name, x.model); }
static void take(WireReader& in, OpenScene& x) { take_all(in, x.name, x.model); }
static void put(WireWriter& out, const CancelBuild& /*x*/) { put_all(out); }
static void take(WireReader& in, CancelBuild& /*x*/) { take_all(in); }
static void put(WireWriter& out, const OpenSketch& x) { put_all(out, x.body); }
static void take(WireReader& in, OpenSketch& x) { take_all(in, x.body); }
static void put(WireWriter& out, const SketchPoint& x) { put_all(out, x.body, x.point); }
static void take(WireReader& in, SketchPoint& x) { take_all(in, x.body, x.point); }
static void put(WireWriter& out, const ClearPulls& x) { put_all(out, x.body); }
static void take(WireReader& in, ClearPulls& x) { take_all(in, x.body); }
static void put(WireWriter& out, const AddPull& x) { put_all(out, x.body, x.point, x.forces); }
static void take(WireReader& in, AddPull& x) { take_all(in, x.body, x.point, x.forces); }
static void put(WireWriter& out, const SolveSketch& x) { put_all(out, x.body, x.modes, x.separation); }
static void take(WireReader& in, SolveSketch& x) { take_all(in, x.body, x.modes, x.separation); }
static void put(WireWriter& out, const WritePulls& x) { put_all(out, x.body, x.download); }
static void take(WireReader& in, WritePulls& x) { take_all(in, x.body, x.download); }
static void put(WireWriter& out, const OpenCut& x) { put_all(out, x.body); }
static void take(WireReader& in, OpenCut& x) { take_all(in, x.body); }
static void put(WireWriter& out, const PaintCut& x) { put_all(out, x.body, x.domain, x.elements); }
static void take(WireReader& in, PaintCut& x) { take_all(in, x.body, x.domain, x.elements); }
static void put(WireWriter& out, const NameCut& x) { put_all(out, x.body, x.domain, x.name, x.modes); }
static void take(WireReader& in, NameCut& x) { take_all(in, x.body, x.domain, x.name, x.modes); }
static void put(WireWriter& out, const SplitCut& x) { put_all(out, x.body, x.count); }
static void take(WireReader& in, SplitCut& x) { take_all(in, x.body, x.count); }
static void put(WireWriter& out, const CheckCut& x) { put_all(out, x.request, x.body, x.checksum, x.merge); }
static void take(WireReader& in, CheckCut& x) { take_all(in, x.request, x.body, x.checksum, x.merge); }
static void put(WireWriter& out, const ApplyCut& x) { put_all(out, x.body, x.checksum, x.merge, x.linear_modes); }
static void take(WireReader& in, ApplyCut& x) { take_all(in, x.body, x.checksum, x.merge, x.linear_modes); }
static void put(WireWriter& out, const WriteCut& x) { put_all(out, x.body, x.checksum, x.merge, x.linear_modes); }
static void take(WireReader& in, WriteCut& x) { take_all(in, x.body, x.checksum, x.merge, x.linear_modes); }
static void put(WireWriter& out, const RepeatCut& x) { put_all(out, x.body, x.domain); }
static void take(WireReader& in, RepeatCut& x) { take_all(in, x.body, x.domain); }
static void put(WireWriter& out, const CancelWork& /*x*/) { put_all(out); }
static void take(WireReader& in, CancelWork& /*x*/) { take_all(in); }

namespace {

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
Bytes encode(const Field& message) { return frame_of(24, message); }
Bytes encode(const Mode& message) { return frame_of(25, message); }
Bytes encode(const Recorded& message) { return frame_of(26, message); }
Bytes encode(const Settings& message) { return frame_of(7, message); }
Bytes encode(const Work& message) { return frame_of(16, message); }
Bytes encode(const SketchStart& message) { return frame_of(17, message); }
Bytes encode(const SketchShapes& message) { return frame_of(18, message); }
Bytes encode(const CutSurface& message) { return frame_of(19, message); }
Bytes encode(const Cut& message) { return frame_of(20, message); }
Bytes encode(const Gallery& message) { return frame_of(27, message); }
Bytes encode(const Building& message) { return frame_of(28, message); }
Bytes encode(const File& message) { return frame_of(21, message); }
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
Bytes encode(const AskField& message) { return frame_of(49, message); }
Bytes encode(const AskMode& message) { return frame_of(50, message); }
Bytes encode(const Record& message) { return frame_of(51, message); }
Bytes encode(const DragAnchor& message) { return frame_of(52, message); }
Bytes encode(const SetWind& message) { return frame_of(53, message); }
Bytes encode(const SetModes& message) { return frame_of(54, message); }
Bytes encode(const SetVolume& message) { return frame_of(58, message); }
Bytes encode(const Undo& message) { return frame_of(55, message); }
Bytes encode(const Redo& message) { return frame_of(56, message); }
Bytes encode(const WriteScene& message) { return frame_of(57, message); }
Bytes encode(const SetModel& message) { return frame_of(59, message); }
Bytes encode(const SetGhost& message) { return frame_of(60, message); }
Bytes encode(const OpenScene& message) { return frame_of(61, message); }
Bytes encode(const CancelBuild& message) { return frame_of(62, message); }
Bytes encode(const OpenSketch& message) { return frame_of(64, message); }
Bytes encode(const SketchPoint& message) { return frame_of(65, message); }
Bytes encode(const ClearPulls& message) { return frame_of(66, message); }
Bytes encode(const AddPull& message) { return frame_of(67, message); }
Bytes encode(const SolveSketch& message) { return frame_of(68, message); }
Bytes encode(const WritePulls& message) { return frame_of(69, message); }
Bytes encode(const OpenCut& message) { return frame_of(70, message); }
Bytes encode(const PaintCut& message) { return frame_of(71, message); }
Bytes encode(const NameCut& message) { return frame_of(72, message); }
Bytes encode(const SplitCut& message) { return frame_of(73, message); }
Bytes encode(const CheckCut& message) { return frame_of(74, message); }
Bytes encode(const ApplyCut& message) { return frame_of(75, message); }
Bytes encode(const WriteCut& message) { return frame_of(76, message); }
Bytes encode(const RepeatCut& message) { return frame_of(78, message); }
Bytes encode(const CancelWork& message) { return frame_of(77, message); }

std::optional<ServerMessage> decode_from_server(std::span<const std::uint8_t> frame) {
  WireReader in(frame, kProtocolVersion);
  switch (in.kind()) {
    case 1: return message_of<Hello, ServerMessage>(in);
    case 2: return message_of<Geometry, ServerMessage>(in);
    case 3: return message_of<State, ServerMessage>(in);
    case 4: return message_of<Notice, ServerMessage>(in);
    case 5: return message_of<Steering, ServerMessage>(in);
    case 6: return message_of<Positions, ServerMessage>(in);
    case 24: return message_of<Field, ServerMessage>(in);
    case 25: return message_of<Mode, ServerMessage>(in);
    case 26: return message_of<Recorded, ServerMessage>(in);
    case 7: return message_of<Settings, ServerMessage>(in);
    case 16: return message_of<Work, ServerMessage>(in);
    case 17: return message_of<SketchStart, ServerMessage>(in);
    case 18: return message_of<SketchShapes, ServerMessage>(in);
    case 19: return message_of<CutSurface, ServerMessage>(in);
    case 20: return message_of<Cut, ServerMessage>(in);
    case 27: return message_of<Gallery, ServerMessage>(in);
    case 28: return message_of<Building, ServerMessage>(in);
    case 21: return message_of<File, ServerMessage>(in);
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
    case 49: return message_of<AskField, PageMessage>(in);
    case 50: return message_of<AskMode, PageMessage>(in);
    case 51: return message_of<Record, PageMessage>(in);
    case 52: return message_of<DragAnchor, PageMessage>(in);
    case 53: return message_of<SetWind, PageMessage>(in);
    case 54: return message_of<SetModes, PageMessage>(in);
    case 58: return message_of<SetVolume, PageMessage>(in);
    case 55: return message_of<Undo, PageMessage>(in);
    case 56: return message_of<Redo, PageMessage>(in);
    case 57: return message_of<WriteScene, PageMessage>(in);
    case 59: return message_of<SetModel, PageMessage>(in);
    case 60: return message_of<SetGhost, PageMessage>(in);
    case 61: return message_of<OpenScene, PageMessage>(in);
    case 62: return message_of<CancelBuild, PageMessage>(in);
    case 64: return message_of<OpenSketch, PageMessage>(in);
    case 65: return message_of<SketchPoint, PageMessage>(in);
    case 66: return message_of<ClearPulls, PageMessage>(in);
    case 67: return message_of<AddPull, PageMessage>(in);
    case 68: return message_of<SolveSketch, PageMessage>(in);
    case 69: return message_of<WritePulls, PageMessage>(in);
    case 70: return message_of<OpenCut, PageMessage>(in);
    case 71: return message_of<PaintCut, PageMessage>(in);
    case 72: return message_of<NameCut, PageMessage>(in);
    case 73: return message_of<SplitCut, PageMessage>(in);
    case 74: return message_of<CheckCut, PageMessage>(in);
    case 75: return message_of<ApplyCut, PageMessage>(in);
    case 76: return message_of<WriteCut, PageMessage>(in);
    case 78: return message_of<RepeatCut, PageMessage>(in);
    case 77: return message_of<CancelWork, PageMessage>(in);
    default: return std::nullopt;
  }
}

}  // namespace pliant::view
