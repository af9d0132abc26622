// draw/protocol.hpp — the messages between the server and the page.
//
// Made by tools/make_protocol.py from src/pliant/draw/protocol.json; change that file, not this one.
// clang-format off
#pragma once

#include "pliant/draw/wire.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace pliant::view {

inline constexpr std::uint8_t kProtocolVersion = 1;

/// Material of a region that can be edited.
struct RegionInfo {
  double young = 0;  // Pa
  double poisson = 0;
  double density = 0;  // kg/m³
};

/// How a body, a region or a domain looks.
struct LookInfo {
  std::uint32_t color = 0;  // 0xRRGGBB; 2³² − 1: the page chooses
  float roughness = 0;  // 0: a mirror, 1: chalk; negative: the page chooses
};

/// A domain of a body.
struct DomainInfo {
  std::string name{};
  std::uint32_t parent = 0;  // its number; of the root: 2³² − 1
  std::uint32_t modes = 0;
};

/// A body in few words.
struct BodyInfo {
  std::string name{};
  std::string model{};
  std::uint32_t dofs = 0;
  std::uint32_t points = 0;  // that are drawn
  std::uint32_t triangles = 0;
  std::uint32_t elements = 0;
  double mass = 0;  // kg
  std::vector<RegionInfo> regions{};
  std::vector<DomainInfo> domains{};  // none: the body is one
  std::uint8_t held = 0;  // whether it has an anchor
  std::array<float, 3> anchor{};  // middle of what holds it, at rest
  std::uint32_t modes = 0;  // of a single basis that are in use; 0: it has none
  std::uint32_t modes_most = 0;  // that it could use
  std::uint8_t ghost = 0;  // one of another model or of a recorded run, to compare
  std::vector<LookInfo> looks{};  // the body's own, then those of its regions, then those of its domains; none: the page chooses
};

/// A probe of the scene.
struct ProbeInfo {
  std::string name{};
  std::uint32_t body = 0;
};

/// Triangles that one or more copies share: copy c has point i at bases[c] + i.
struct Patch {
  std::uint32_t points = 0;  // of a copy
  std::vector<std::uint32_t> triangles{};  // three points each, of a copy
  std::vector<std::uint32_t> edges{};  // of elements, two points each, of a copy; none when the surface is shown
  std::vector<std::uint32_t> bases{};  // first point of each copy
};

/// Rows of a basis, for the parts of one class: row k stands for the place p + s Q (x + U q), p, Q and s being the part's pose and scale.
struct RowTable {
  std::uint32_t rank = 0;  // numbers in q
  std::vector<float> rest{};  // x, y, z of each row
  std::vector<float> shapes{};  // x, y, z of each column of U, row by row; empty when halves has them
  std::vector<std::uint16_t> halves{};  // the same as IEEE half floats
};

/// Where a body is now.
struct BodyState {
  std::vector<float> poses{};  // of each part: position (3), unit quaternion (x, y, z, w)
  std::vector<float> coordinates{};  // q of all parts, one after the other
  std::vector<float> positions{};  // of all points, of bodies without parts
  std::array<float, 3> shift{};  // how far its anchor was dragged, m; in all places already
};

/// What a region is made of now.
struct RegionNow {
  std::uint32_t body = 0;
  std::uint32_t region = 0;
  double young = 0;  // Pa
  double density = 0;  // kg/m³
};

/// How a domain is tuned now; a negative damping means the scene's.
struct DomainNow {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
  double frequency_scale = 0;
  double mass_damping = 0;  // 1/s
  double stiffness_damping = 0;  // s
};

/// An edit that can be undone, or one that was.
struct EditInfo {
  std::string text{};
  std::uint8_t undone = 0;
};

/// A domain of a cut that is being made.
struct CutDomain {
  std::string name{};
  std::uint32_t modes = 0;  // shapes without attachment shapes; 0: rigid
  std::uint32_t elements = 0;
  std::uint32_t parent = 0;  // its number; of the root, and when they form no tree: 2³² − 1
  std::uint32_t level = 0;  // 0: the root
  std::uint32_t ring = 0;  // domains with the same number form a cycle; 0: none
  std::uint32_t faults = 0;  // 1: in several parts
};

/// Two domains that share faces.
struct CutLink {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  float area = 0;  // m²
  std::uint32_t patches = 0;  // separate places
};

/// The spring between the hand and the body.
struct PullState {
  std::uint8_t active = 0;
  std::uint32_t body = 0;
  std::uint32_t point = 0;
  std::array<float, 3> target{};  // m
  std::array<float, 3> force{};  // N
};

/// A solid that bodies touch, in axes of its own.
struct ObstacleInfo {
  std::string name{};
  std::uint8_t plane = 0;  // whether it is a plane, of which only a part is drawn
  std::vector<float> rest{};  // x, y, z of each point
  std::vector<std::uint32_t> triangles{};  // three points each
};

/// A scene that pages may open.
struct GalleryItem {
  std::string name{};  // of its file, without .toml
  std::string about{};  // a line on it
  std::uint8_t picture = 0;  // whether /gallery/NAME.jpg shows it
};

/// The first message of a connection.
struct Hello {
  std::uint32_t session = 0;  // another number after a restart
  std::uint32_t client = 0;
  std::string scene{};
  std::uint8_t is_static = 0;
  double dt = 0;  // s
  std::array<float, 3> gravity{};  // m/s²
  double mass_damping = 0;  // 1/s
  double stiffness_damping = 0;  // s
  std::array<float, 3> low{};  // corner of the box around all bodies at rest
  std::array<float, 3> high{};  // the other corner
  std::vector<BodyInfo> bodies{};
  std::vector<ProbeInfo> probes{};
  std::vector<ObstacleInfo> obstacles{};
};

/// All that is drawn of a body, once.
struct Geometry {
  std::uint32_t body = 0;
  std::uint8_t half = 0;  // whether tables have half floats
  std::vector<float> rest{};  // x, y, z of each point at rest
  std::vector<std::uint32_t> point_domains{};  // of each point; empty without domains
  std::vector<std::uint16_t> point_looks{};  // number of each point's look; empty: all have the body's own
  std::vector<Patch> patches{};
  std::vector<RowTable> tables{};
  std::vector<std::uint32_t> part_tables{};  // of each part; none: positions are streamed
  std::vector<float> part_scales{};  // of each part
  std::vector<std::uint32_t> site_parts{};  // part of each site; the first sites are the points
  std::vector<std::uint32_t> site_rows{};  // row of each site in its part's table
  std::vector<std::uint32_t> blended{};  // points that are no site alone: keep times their own, and others' shares
  std::vector<float> blend_keep{};  // of each blended point
  std::vector<std::uint32_t> blend_starts{};  // first share of each blended point, and their number
  std::vector<std::uint32_t> blend_sites{};  // site of each share
  std::vector<float> blend_weights{};  // of each share
};

/// The present shape; only the newest one is sent.
struct State {
  std::uint32_t step = 0;  // since the last reset
  std::uint32_t epoch = 0;  // grows whenever the clock jumps: reset, load
  double time = 0;  // s; statics: load factor
  std::uint8_t paused = 0;
  std::uint8_t healthy = 0;
  float ratio = 0;  // simulated seconds per second, 1: real time
  float step_p50 = 0;  // s per step
  float step_p99 = 0;  // s per step
  std::vector<float> part_times{};  // s, medians and what 99 of 100 stay below: bodies, hand, ghost and recording (of a step), and making this message
  float kinetic = 0;  // J
  float strain = 0;  // J
  float potential = 0;  // J
  PullState pull{};
  std::vector<float> probes{};  // displacement of each, m
  std::vector<BodyState> bodies{};
  std::vector<float> obstacles{};  // of each: position (3), unit quaternion (x, y, z, w)
  std::vector<float> contacts{};  // of each point that touches: its place (m) and the force on it (N)
};

/// Something to tell people.
struct Notice {
  std::uint8_t severity = 0;  // 0: for information, 1: trouble
  std::string text{};
};

/// Who steers.
struct Steering {
  std::uint8_t yours = 0;  // whether this page does
  std::uint32_t pages = 0;  // that are connected
};

/// Answer to AskPositions: all points of a body as the processor computes them.
struct Positions {
  std::uint32_t request = 0;
  std::uint32_t body = 0;
  std::uint32_t step = 0;
  std::vector<float> positions{};  // m
};

/// Answer to AskField: how much at each point.
struct Field {
  std::uint32_t body = 0;
  std::uint8_t quantity = 0;  // 1: displacement, 2: von Mises stress
  std::uint32_t step = 0;
  float top = 0;  // m or Pa
  std::vector<std::uint16_t> values{};  // shares of the top, 65535: all of it
};

/// Answer to AskMode: a natural mode of a body as its model has it.
struct Mode {
  std::uint32_t body = 0;
  std::uint32_t mode = 0;  // from 0, rigid ones not counted
  std::uint32_t rigid = 0;  // motions without strain
  std::vector<float> hz{};  // of all modes that were found
  std::vector<std::uint16_t> shape{};  // x, y, z of each point as half floats, the largest 1
};

/// Answer to the end of a recording: a .glb file.
struct Recorded {
  std::string name{};
  std::uint32_t bytes = 0;
  std::vector<std::uint32_t> words{};  // the bytes, four by four
};

/// What can be edited, after a change.
struct Settings {
  double dt = 0;  // s
  double speed = 0;  // simulated seconds per second that are wanted
  std::array<float, 3> gravity{};  // m/s²
  double mass_damping = 0;  // 1/s
  double stiffness_damping = 0;  // s
  std::uint8_t saved = 0;  // whether a state is kept
  std::uint8_t wind_on = 0;
  std::array<float, 3> wind{};  // m/s, the mean
  double gust = 0;  // relative strength of gusts
  double gust_period = 0;  // s
  std::uint8_t volume_on = 0;  // whether elements are shown
  std::uint8_t volume_axis = 0;
  double volume_share = 0;
  std::vector<EditInfo> edits{};  // the oldest first; those undone come last
  std::uint8_t file = 0;  // whether the scene can be written to a file that the command line names
  std::vector<RegionNow> regions{};  // of all bodies
  std::vector<DomainNow> domains{};  // those that are not as they were made: scale 1 and the scene's damping
  std::uint8_t recording = 0;  // whether the server records
};

/// How far long work is; it runs beside the simulation.
struct Work {
  std::uint8_t task = 0;  // 1: a sketch, 2: a cut, 3: the scene anew
  std::uint8_t running = 0;
  std::uint8_t failed = 0;
  float done = 0;  // share of the stage; negative: not known
  std::string text{};  // stage, or how it ended
};

/// Answer to OpenSketch.
struct SketchStart {
  std::uint32_t body = 0;
  double separation = 0;
  std::uint32_t modes = 0;
  std::uint8_t file = 0;  // whether pulls can be written to a file that the command line names
};

/// How all points of a body move when one is pulled, in the linear static model.
struct SketchShapes {
  std::uint32_t body = 0;
  std::uint32_t point = 0;
  std::vector<float> shapes{};  // of each point: x, y, z of the displacement for 1 N along x, y, z
};

/// Answer to OpenCut: the outer faces of a body's elements at rest.
struct CutSurface {
  std::uint32_t body = 0;
  std::vector<float> rest{};  // x, y, z of each vertex
  std::vector<std::uint32_t> triangles{};  // three vertices each
  std::vector<std::uint32_t> elements{};  // outer element of each triangle, numbered 0, 1, …
};

/// Domains as they are now, and the graph that they form.
struct Cut {
  std::uint32_t request = 0;  // of CheckCut; 0: unasked
  std::uint32_t body = 0;
  std::vector<std::uint16_t> labels{};  // domain of each outer element; empty: as painted
  std::vector<CutDomain> domains{};
  std::vector<CutLink> links{};
  std::uint8_t fine = 0;  // whether they can be applied
  std::string problems{};  // a line each
  std::string notes{};  // a line each
};

/// Scenes that pages may open, on connection.
struct Gallery {
  std::vector<GalleryItem> items{};
  std::string current{};  // the scene that is shown or built; empty: none
};

/// How far the building of a scene is, before its Hello.
struct Building {
  std::string scene{};
  std::uint8_t running = 0;
  std::uint8_t failed = 0;
  std::string stage{};  // what is being done, or why it failed
  float done = 0;  // share of the stage; negative: not known
};

/// A file for the browser to keep.
struct File {
  std::string name{};
  std::string content{};
};

/// The page has decoded this state and can take the next.
struct Ready {
  std::uint32_t epoch = 0;
  std::uint32_t step = 0;
};

/// This page wants to steer.
struct Steer {
};

/// Stop or go on.
struct Pause {
  std::uint8_t on = 0;
};

/// So many steps, then pause.
struct Step {
  std::uint32_t count = 0;  // 1 to 100000
};

/// Back to the start.
struct Reset {
};

/// A spring from a point to the hand.
struct PullSpring {
  std::uint32_t body = 0;
  std::uint32_t point = 0;
  std::array<float, 3> target{};  // m
  double strength = 0;  // 1: stiff enough to lead the point gently; 10 at most
};

/// A constant force on a point.
struct PullForce {
  std::uint32_t body = 0;
  std::uint32_t point = 0;
  std::array<float, 3> force{};  // N
};

/// The hand lets go.
struct Release {
};

/// Step length and pace.
struct SetClock {
  double dt = 0;  // s
  double speed = 0;  // simulated seconds per second
};

/// Of all bodies.
struct SetGravity {
  std::array<float, 3> gravity{};  // m/s²
};

/// Of all bodies; domains with damping of their own keep it.
struct SetDamping {
  double mass = 0;  // 1/s
  double stiffness = 0;  // s
};

/// Of a region.
struct SetMaterial {
  std::uint32_t body = 0;
  std::uint32_t region = 0;
  double young = 0;  // Pa
  double density = 0;  // kg/m³
};

/// Pitch and damping of a domain; a negative damping means the scene's.
struct TuneDomain {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
  double frequency_scale = 0;
  double mass_damping = 0;  // 1/s
  double stiffness_damping = 0;  // s
};

/// A domain comes off its parent.
struct Detach {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
};

/// Keep the present state, in memory.
struct SaveState {
};

/// Back to the kept state.
struct LoadState {
};

/// All points of a body, computed by the processor.
struct AskPositions {
  std::uint32_t request = 0;
  std::uint32_t body = 0;
};

/// What colours a body.
struct AskField {
  std::uint32_t body = 0;
  std::uint8_t quantity = 0;  // 1: displacement, 2: von Mises stress
};

/// A natural mode; all are found at the first question.
struct AskMode {
  std::uint32_t body = 0;
  std::uint32_t mode = 0;  // from 0
};

/// Begin or end a recording.
struct Record {
  std::uint8_t on = 0;
};

/// All that holds a body moves there, smoothly.
struct DragAnchor {
  std::uint32_t body = 0;
  std::array<float, 3> shift{};  // from its place in the scene, m
};

/// Of all bodies, from now on; bodies are built anew beside the simulation.
struct SetWind {
  std::uint8_t on = 0;
  std::array<float, 3> velocity{};  // m/s, the mean
  double gust = 0;  // relative strength of gusts, 0: steady
  double gust_period = 0;  // s, the slowest
};

/// The first so many shapes of a body's basis.
struct SetModes {
  std::uint32_t body = 0;
  std::uint32_t count = 0;
};

/// Shows elements instead of surfaces, on all pages.
struct SetVolume {
  std::uint8_t on = 0;
  std::uint8_t axis = 0;  // 0: all of them; 1, 2, 3: without those beyond a share of the way along x, y, z
  double share = 0;  // [0, 1]
};

/// The last edit never was.
struct Undo {
};

/// What was undone last, again.
struct Redo {
};

/// The scene with all edits: to the file that the command line names, or to the browser.
struct WriteScene {
  std::uint8_t download = 0;
};

/// Another model for all bodies, from now on; built anew beside the simulation.
struct SetModel {
  std::string model{};  // full, modal, tree, coupled or blended
};

/// A second version of the scene with another model, for comparison.
struct SetGhost {
  std::string model{};  // empty: none
};

/// Another scene of the gallery, for all pages.
struct OpenScene {
  std::string name{};
  std::string model{};  // instead of the scene's; empty: as there
};

/// The scene that is being built is not wanted.
struct CancelBuild {
};

/// Prepare the linear static model of a body.
struct OpenSketch {
  std::uint32_t body = 0;
};

/// How does the body move when this point is pulled?
struct SketchPoint {
  std::uint32_t body = 0;
  std::uint32_t point = 0;
};

/// Forget the pulls.
struct ClearPulls {
  std::uint32_t body = 0;
};

/// One more pull: forces at a point, one after the other.
struct AddPull {
  std::uint32_t body = 0;
  std::uint32_t point = 0;
  std::vector<float> forces{};  // x, y, z each, N
};

/// Full static shapes of the pulls become the body's basis.
struct SolveSketch {
  std::uint32_t body = 0;
  std::uint32_t modes = 0;  // at most
  double separation = 0;  // of loads and shapes, (0, 1)
};

/// To the file that the command line names, or to the browser.
struct WritePulls {
  std::uint32_t body = 0;
  std::uint8_t download = 0;
};

/// Begin to cut a body into domains.
struct OpenCut {
  std::uint32_t body = 0;
};

/// Outer elements become a domain's.
struct PaintCut {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
  std::vector<std::uint32_t> elements{};
};

/// Name and shapes of a domain.
struct NameCut {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
  std::string name{};
  std::uint32_t modes = 0;  // 0: rigid
};

/// Find domains.
struct SplitCut {
  std::uint32_t body = 0;
  std::uint32_t count = 0;  // about so many
};

/// What do the domains look like?
struct CheckCut {
  std::uint32_t request = 0;
  std::uint32_t body = 0;
  std::uint32_t checksum = 0;  // of the page's labels
  std::uint8_t merge = 0;  // rings become one
};

/// The body becomes a tree of these domains.
struct ApplyCut {
  std::uint32_t body = 0;
  std::uint32_t checksum = 0;
  std::uint8_t merge = 0;
  std::uint32_t linear_modes = 0;  // of each domain
};

/// The labelled mesh and a scene that uses it, for the browser to keep.
struct WriteCut {
  std::uint32_t body = 0;
  std::uint32_t checksum = 0;
  std::uint8_t merge = 0;
  std::uint32_t linear_modes = 0;
};

/// Parts of the body that are congruent to a domain become domains too.
struct RepeatCut {
  std::uint32_t body = 0;
  std::uint32_t domain = 0;
};

/// Stop the long work.
struct CancelWork {
};

/// What the server sends.
using ServerMessage = std::variant<Hello, Geometry, State, Notice, Steering, Positions, Field, Mode, Recorded, Settings, Work, SketchStart, SketchShapes, CutSurface, Cut, Gallery, Building, File>;

/// What a page sends.
using PageMessage = std::variant<Ready, Steer, Pause, Step, Reset, PullSpring, PullForce, Release, SetClock, SetGravity, SetDamping, SetMaterial, TuneDomain, Detach, SaveState, LoadState, AskPositions, AskField, AskMode, Record, DragAnchor, SetWind, SetModes, SetVolume, Undo, Redo, WriteScene, SetModel, SetGhost, OpenScene, CancelBuild, OpenSketch, SketchPoint, ClearPulls, AddPull, SolveSketch, WritePulls, OpenCut, PaintCut, NameCut, SplitCut, CheckCut, ApplyCut, WriteCut, RepeatCut, CancelWork>;

/// A frame with one message.
[[nodiscard]] Bytes encode(const Hello& message);
[[nodiscard]] Bytes encode(const Geometry& message);
[[nodiscard]] Bytes encode(const State& message);
[[nodiscard]] Bytes encode(const Notice& message);
[[nodiscard]] Bytes encode(const Steering& message);
[[nodiscard]] Bytes encode(const Positions& message);
[[nodiscard]] Bytes encode(const Field& message);
[[nodiscard]] Bytes encode(const Mode& message);
[[nodiscard]] Bytes encode(const Recorded& message);
[[nodiscard]] Bytes encode(const Settings& message);
[[nodiscard]] Bytes encode(const Work& message);
[[nodiscard]] Bytes encode(const SketchStart& message);
[[nodiscard]] Bytes encode(const SketchShapes& message);
[[nodiscard]] Bytes encode(const CutSurface& message);
[[nodiscard]] Bytes encode(const Cut& message);
[[nodiscard]] Bytes encode(const Gallery& message);
[[nodiscard]] Bytes encode(const Building& message);
[[nodiscard]] Bytes encode(const File& message);
[[nodiscard]] Bytes encode(const Ready& message);
[[nodiscard]] Bytes encode(const Steer& message);
[[nodiscard]] Bytes encode(const Pause& message);
[[nodiscard]] Bytes encode(const Step& message);
[[nodiscard]] Bytes encode(const Reset& message);
[[nodiscard]] Bytes encode(const PullSpring& message);
[[nodiscard]] Bytes encode(const PullForce& message);
[[nodiscard]] Bytes encode(const Release& message);
[[nodiscard]] Bytes encode(const SetClock& message);
[[nodiscard]] Bytes encode(const SetGravity& message);
[[nodiscard]] Bytes encode(const SetDamping& message);
[[nodiscard]] Bytes encode(const SetMaterial& message);
[[nodiscard]] Bytes encode(const TuneDomain& message);
[[nodiscard]] Bytes encode(const Detach& message);
[[nodiscard]] Bytes encode(const SaveState& message);
[[nodiscard]] Bytes encode(const LoadState& message);
[[nodiscard]] Bytes encode(const AskPositions& message);
[[nodiscard]] Bytes encode(const AskField& message);
[[nodiscard]] Bytes encode(const AskMode& message);
[[nodiscard]] Bytes encode(const Record& message);
[[nodiscard]] Bytes encode(const DragAnchor& message);
[[nodiscard]] Bytes encode(const SetWind& message);
[[nodiscard]] Bytes encode(const SetModes& message);
[[nodiscard]] Bytes encode(const SetVolume& message);
[[nodiscard]] Bytes encode(const Undo& message);
[[nodiscard]] Bytes encode(const Redo& message);
[[nodiscard]] Bytes encode(const WriteScene& message);
[[nodiscard]] Bytes encode(const SetModel& message);
[[nodiscard]] Bytes encode(const SetGhost& message);
[[nodiscard]] Bytes encode(const OpenScene& message);
[[nodiscard]] Bytes encode(const CancelBuild& message);
[[nodiscard]] Bytes encode(const OpenSketch& message);
[[nodiscard]] Bytes encode(const SketchPoint& message);
[[nodiscard]] Bytes encode(const ClearPulls& message);
[[nodiscard]] Bytes encode(const AddPull& message);
[[nodiscard]] Bytes encode(const SolveSketch& message);
[[nodiscard]] Bytes encode(const WritePulls& message);
[[nodiscard]] Bytes encode(const OpenCut& message);
[[nodiscard]] Bytes encode(const PaintCut& message);
[[nodiscard]] Bytes encode(const NameCut& message);
[[nodiscard]] Bytes encode(const SplitCut& message);
[[nodiscard]] Bytes encode(const CheckCut& message);
[[nodiscard]] Bytes encode(const ApplyCut& message);
[[nodiscard]] Bytes encode(const WriteCut& message);
[[nodiscard]] Bytes encode(const RepeatCut& message);
[[nodiscard]] Bytes encode(const CancelWork& message);

/// None when the frame is no such message, of another version, cut short or too long.
[[nodiscard]] std::optional<ServerMessage> decode_from_server(std::span<const std::uint8_t> frame);
[[nodiscard]] std::optional<PageMessage> decode_from_page(std::span<const std::uint8_t> frame);

}  // namespace pliant::view
