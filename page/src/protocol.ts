// Made by tools/make_protocol.py from src/pliant/draw/protocol.json; change that file, not this one.
import { Reader, Writer } from "./wire";

export const VERSION = 1;

/** Material of a region that can be edited. */
export interface RegionInfo {
  young: number; // Pa
  poisson: number;
  density: number; // kg/m³
}

/** How a body, a region or a domain looks. */
export interface LookInfo {
  color: number; // 0xRRGGBB; 2³² − 1: the page chooses
  roughness: number; // 0: a mirror, 1: chalk; negative: the page chooses
}

/** A domain of a body. */
export interface DomainInfo {
  name: string;
  parent: number; // its number; of the root: 2³² − 1
  modes: number;
}

/** A body in few words. */
export interface BodyInfo {
  name: string;
  model: string;
  dofs: number;
  points: number; // that are drawn
  triangles: number;
  elements: number;
  mass: number; // kg
  regions: RegionInfo[];
  domains: DomainInfo[]; // none: the body is one
  held: number; // whether it has an anchor
  anchor: [number, number, number]; // middle of what holds it, at rest
  modes: number; // of a single basis that are in use; 0: it has none
  modes_most: number; // that it could use
  ghost: number; // one of another model or of a recorded run, to compare
  looks: LookInfo[]; // the body's own, then those of its regions, then those of its domains; none: the page chooses
}

/** A probe of the scene. */
export interface ProbeInfo {
  name: string;
  body: number;
}

/** Triangles that one or more copies share: copy c has point i at bases[c] + i. */
export interface Patch {
  points: number; // of a copy
  triangles: Uint32Array; // three points each, of a copy
  edges: Uint32Array; // of elements, two points each, of a copy; none when the surface is shown
  bases: Uint32Array; // first point of each copy
}

/** Rows of a basis, for the parts of one class: row k stands for the place p + s Q (x + U q), p, Q and s being the part's pose and scale. */
export interface RowTable {
  rank: number; // numbers in q
  rest: Float32Array; // x, y, z of each row
  shapes: Float32Array; // x, y, z of each column of U, row by row; empty when halves has them
  halves: Uint16Array; // the same as IEEE half floats
}

/** Where a body is now. */
export interface BodyState {
  poses: Float32Array; // of each part: position (3), unit quaternion (x, y, z, w)
  coordinates: Float32Array; // q of all parts, one after the other
  positions: Float32Array; // of all points, of bodies without parts
  shift: [number, number, number]; // how far its anchor was dragged, m; in all places already
}

/** What a region is made of now. */
export interface RegionNow {
  body: number;
  region: number;
  young: number; // Pa
  density: number; // kg/m³
}

/** How a domain is tuned now; a negative damping means the scene's. */
export interface DomainNow {
  body: number;
  domain: number;
  frequency_scale: number;
  mass_damping: number; // 1/s
  stiffness_damping: number; // s
}

/** An edit that can be undone, or one that was. */
export interface EditInfo {
  text: string;
  undone: number;
}

/** A domain of a cut that is being made. */
export interface CutDomain {
  name: string;
  modes: number; // shapes without attachment shapes; 0: rigid
  elements: number;
  parent: number; // its number; of the root, and when they form no tree: 2³² − 1
  level: number; // 0: the root
  ring: number; // domains with the same number form a cycle; 0: none
  faults: number; // 1: in several parts
}

/** Two domains that share faces. */
export interface CutLink {
  a: number;
  b: number;
  area: number; // m²
  patches: number; // separate places
}

/** The spring between the hand and the body. */
export interface PullState {
  active: number;
  body: number;
  point: number;
  target: [number, number, number]; // m
  force: [number, number, number]; // N
}

/** A solid that bodies touch, in axes of its own. */
export interface ObstacleInfo {
  name: string;
  plane: number; // whether it is a plane, of which only a part is drawn
  rest: Float32Array; // x, y, z of each point
  triangles: Uint32Array; // three points each
}

/** A scene that pages may open. */
export interface GalleryItem {
  name: string; // of its file, without .toml
  about: string; // a line on it
  picture: number; // whether /gallery/NAME.jpg shows it
}

/** The first message of a connection. */
export interface Hello {
  session: number; // another number after a restart
  client: number;
  scene: string;
  is_static: number;
  dt: number; // s
  gravity: [number, number, number]; // m/s²
  mass_damping: number; // 1/s
  stiffness_damping: number; // s
  low: [number, number, number]; // corner of the box around all bodies at rest
  high: [number, number, number]; // the other corner
  bodies: BodyInfo[];
  probes: ProbeInfo[];
  obstacles: ObstacleInfo[];
}

/** All that is drawn of a body, once. */
export interface Geometry {
  body: number;
  half: number; // whether tables have half floats
  rest: Float32Array; // x, y, z of each point at rest
  point_domains: Uint32Array; // of each point; empty without domains
  point_looks: Uint16Array; // number of each point's look; empty: all have the body's own
  patches: Patch[];
  tables: RowTable[];
  part_tables: Uint32Array; // of each part; none: positions are streamed
  part_scales: Float32Array; // of each part
  site_parts: Uint32Array; // part of each site; the first sites are the points
  site_rows: Uint32Array; // row of each site in its part's table
  blended: Uint32Array; // points that are no site alone: keep times their own, and others' shares
  blend_keep: Float32Array; // of each blended point
  blend_starts: Uint32Array; // first share of each blended point, and their number
  blend_sites: Uint32Array; // site of each share
  blend_weights: Float32Array; // of each share
}

/** The present shape; only the newest one is sent. */
export interface State {
  step: number; // since the last reset
  epoch: number; // grows whenever the clock jumps: reset, load
  time: number; // s; statics: load factor
  paused: number;
  healthy: number;
  ratio: number; // simulated seconds per second, 1: real time
  step_p50: number; // s per step
  step_p99: number; // s per step
  part_times: Float32Array; // s, medians and what 99 of 100 stay below: bodies, hand, ghost and recording (of a step), and making this message
  kinetic: number; // J
  strain: number; // J
  potential: number; // J
  pull: PullState;
  probes: Float32Array; // displacement of each, m
  bodies: BodyState[];
  obstacles: Float32Array; // of each: position (3), unit quaternion (x, y, z, w)
  contacts: Float32Array; // of each point that touches: its place (m) and the force on it (N)
}

/** Something to tell people. */
export interface Notice {
  severity: number; // 0: for information, 1: trouble
  text: string;
}

/** Who steers. */
export interface Steering {
  yours: number; // whether this page does
  pages: number; // that are connected
}

/** Answer to AskPositions: all points of a body as the processor computes them. */
export interface Positions {
  request: number;
  body: number;
  step: number;
  positions: Float32Array; // m
}

/** Answer to AskField: how much at each point. */
export interface Field {
  body: number;
  quantity: number; // 1: displacement, 2: von Mises stress
  step: number;
  top: number; // m or Pa
  values: Uint16Array; // shares of the top, 65535: all of it
}

/** Answer to AskMode: a natural mode of a body as its model has it. */
export interface Mode {
  body: number;
  mode: number; // from 0, rigid ones not counted
  rigid: number; // motions without strain
  hz: Float32Array; // of all modes that were found
  shape: Uint16Array; // x, y, z of each point as half floats, the largest 1
}

/** Answer to the end of a recording: a .glb file. */
export interface Recorded {
  name: string;
  bytes: number;
  words: Uint32Array; // the bytes, four by four
}

/** What can be edited, after a change. */
export interface Settings {
  dt: number; // s
  speed: number; // simulated seconds per second that are wanted
  gravity: [number, number, number]; // m/s²
  mass_damping: number; // 1/s
  stiffness_damping: number; // s
  saved: number; // whether a state is kept
  wind_on: number;
  wind: [number, number, number]; // m/s, the mean
  gust: number; // relative strength of gusts
  gust_period: number; // s
  volume_on: number; // whether elements are shown
  volume_axis: number;
  volume_share: number;
  edits: EditInfo[]; // the oldest first; those undone come last
  file: number; // whether the scene can be written to a file that the command line names
  regions: RegionNow[]; // of all bodies
  domains: DomainNow[]; // those that are not as they were made: scale 1 and the scene's damping
  recording: number; // whether the server records
}

/** How far long work is; it runs beside the simulation. */
export interface Work {
  task: number; // 1: a sketch, 2: a cut, 3: the scene anew
  running: number;
  failed: number;
  done: number; // share of the stage; negative: not known
  text: string; // stage, or how it ended
}

/** Answer to OpenSketch. */
export interface SketchStart {
  body: number;
  separation: number;
  modes: number;
  file: number; // whether pulls can be written to a file that the command line names
}

/** How all points of a body move when one is pulled, in the linear static model. */
export interface SketchShapes {
  body: number;
  point: number;
  shapes: Float32Array; // of each point: x, y, z of the displacement for 1 N along x, y, z
}

/** Answer to OpenCut: the outer faces of a body's elements at rest. */
export interface CutSurface {
  body: number;
  rest: Float32Array; // x, y, z of each vertex
  triangles: Uint32Array; // three vertices each
  elements: Uint32Array; // outer element of each triangle, numbered 0, 1, …
}

/** Domains as they are now, and the graph that they form. */
export interface Cut {
  request: number; // of CheckCut; 0: unasked
  body: number;
  labels: Uint16Array; // domain of each outer element; empty: as painted
  domains: CutDomain[];
  links: CutLink[];
  fine: number; // whether they can be applied
  problems: string; // a line each
  notes: string; // a line each
}

/** Scenes that pages may open, on connection. */
export interface Gallery {
  items: GalleryItem[];
  current: string; // the scene that is shown or built; empty: none
}

/** How far the building of a scene is, before its Hello. */
export interface Building {
  scene: string;
  running: number;
  failed: number;
  stage: string; // what is being done, or why it failed
  done: number; // share of the stage; negative: not known
}

/** A file for the browser to keep. */
export interface File {
  name: string;
  content: string;
}

/** The page has decoded this state and can take the next. */
export interface Ready {
  epoch: number;
  step: number;
}

/** This page wants to steer. */
export interface Steer {
}

/** Stop or go on. */
export interface Pause {
  on: number;
}

/** So many steps, then pause. */
export interface Step {
  count: number; // 1 to 100000
}

/** Back to the start. */
export interface Reset {
}

/** A spring from a point to the hand. */
export interface PullSpring {
  body: number;
  point: number;
  target: [number, number, number]; // m
  strength: number; // 1: stiff enough to lead the point gently; 10 at most
}

/** A constant force on a point. */
export interface PullForce {
  body: number;
  point: number;
  force: [number, number, number]; // N
}

/** The hand lets go. */
export interface Release {
}

/** Step length and pace. */
export interface SetClock {
  dt: number; // s
  speed: number; // simulated seconds per second
}

/** Of all bodies. */
export interface SetGravity {
  gravity: [number, number, number]; // m/s²
}

/** Of all bodies; domains with damping of their own keep it. */
export interface SetDamping {
  mass: number; // 1/s
  stiffness: number; // s
}

/** Of a region. */
export interface SetMaterial {
  body: number;
  region: number;
  young: number; // Pa
  density: number; // kg/m³
}

/** Pitch and damping of a domain; a negative damping means the scene's. */
export interface TuneDomain {
  body: number;
  domain: number;
  frequency_scale: number;
  mass_damping: number; // 1/s
  stiffness_damping: number; // s
}

/** A domain comes off its parent. */
export interface Detach {
  body: number;
  domain: number;
}

/** Keep the present state, in memory. */
export interface SaveState {
}

/** Back to the kept state. */
export interface LoadState {
}

/** All points of a body, computed by the processor. */
export interface AskPositions {
  request: number;
  body: number;
}

/** What colours a body. */
export interface AskField {
  body: number;
  quantity: number; // 1: displacement, 2: von Mises stress
}

/** A natural mode; all are found at the first question. */
export interface AskMode {
  body: number;
  mode: number; // from 0
}

/** Begin or end a recording. */
export interface Record {
  on: number;
}

/** All that holds a body moves there, smoothly. */
export interface DragAnchor {
  body: number;
  shift: [number, number, number]; // from its place in the scene, m
}

/** Of all bodies, from now on; bodies are built anew beside the simulation. */
export interface SetWind {
  on: number;
  velocity: [number, number, number]; // m/s, the mean
  gust: number; // relative strength of gusts, 0: steady
  gust_period: number; // s, the slowest
}

/** The first so many shapes of a body's basis. */
export interface SetModes {
  body: number;
  count: number;
}

/** Shows elements instead of surfaces, on all pages. */
export interface SetVolume {
  on: number;
  axis: number; // 0: all of them; 1, 2, 3: without those beyond a share of the way along x, y, z
  share: number; // [0, 1]
}

/** The last edit never was. */
export interface Undo {
}

/** What was undone last, again. */
export interface Redo {
}

/** The scene with all edits: to the file that the command line names, or to the browser. */
export interface WriteScene {
  download: number;
}

/** Another model for all bodies, from now on; built anew beside the simulation. */
export interface SetModel {
  model: string; // full, modal, tree, coupled or blended
}

/** A second version of the scene with another model, for comparison. */
export interface SetGhost {
  model: string; // empty: none
}

/** Another scene of the gallery, for all pages. */
export interface OpenScene {
  name: string;
  model: string; // instead of the scene's; empty: as there
}

/** The scene that is being built is not wanted. */
export interface CancelBuild {
}

/** Prepare the linear static model of a body. */
export interface OpenSketch {
  body: number;
}

/** How does the body move when this point is pulled? */
export interface SketchPoint {
  body: number;
  point: number;
}

/** Forget the pulls. */
export interface ClearPulls {
  body: number;
}

/** One more pull: forces at a point, one after the other. */
export interface AddPull {
  body: number;
  point: number;
  forces: Float32Array; // x, y, z each, N
}

/** Full static shapes of the pulls become the body's basis. */
export interface SolveSketch {
  body: number;
  modes: number; // at most
  separation: number; // of loads and shapes, (0, 1)
}

/** To the file that the command line names, or to the browser. */
export interface WritePulls {
  body: number;
  download: number;
}

/** Begin to cut a body into domains. */
export interface OpenCut {
  body: number;
}

/** Outer elements become a domain's. */
export interface PaintCut {
  body: number;
  domain: number;
  elements: Uint32Array;
}

/** Name and shapes of a domain. */
export interface NameCut {
  body: number;
  domain: number;
  name: string;
  modes: number; // 0: rigid
}

/** Find domains. */
export interface SplitCut {
  body: number;
  count: number; // about so many
}

/** What do the domains look like? */
export interface CheckCut {
  request: number;
  body: number;
  checksum: number; // of the page's labels
  merge: number; // rings become one
}

/** The body becomes a tree of these domains. */
export interface ApplyCut {
  body: number;
  checksum: number;
  merge: number;
  linear_modes: number; // of each domain
}

/** The labelled mesh and a scene that uses it, for the browser to keep. */
export interface WriteCut {
  body: number;
  checksum: number;
  merge: number;
  linear_modes: number;
}

/** Parts of the body that are congruent to a domain become domains too. */
export interface RepeatCut {
  body: number;
  domain: number;
}

/** Stop the long work. */
export interface CancelWork {
}

const readRegionInfo = (r: Reader): RegionInfo => ({ young: r.f64(), poisson: r.f64(), density: r.f64() });
const readLookInfo = (r: Reader): LookInfo => ({ color: r.u32(), roughness: r.f32() });
const readDomainInfo = (r: Reader): DomainInfo => ({ name: r.string(), parent: r.u32(), modes: r.u32() });
const readBodyInfo = (r: Reader): BodyInfo => ({ name: r.string(), model: r.string(), dofs: r.u32(), points: r.u32(), triangles: r.u32(), elements: r.u32(), mass: r.f64(), regions: r.list(readRegionInfo), domains: r.list(readDomainInfo), held: r.u8(), anchor: r.vec3(), modes: r.u32(), modes_most: r.u32(), ghost: r.u8(), looks: r.list(readLookInfo) });
const readProbeInfo = (r: Reader): ProbeInfo => ({ name: r.string(), body: r.u32() });
const readPatch = (r: Reader): Patch => ({ points: r.u32(), triangles: r.u32s(), edges: r.u32s(), bases: r.u32s() });
const readRowTable = (r: Reader): RowTable => ({ rank: r.u32(), rest: r.f32s(), shapes: r.f32s(), halves: r.u16s() });
const readBodyState = (r: Reader): BodyState => ({ poses: r.f32s(), coordinates: r.f32s(), positions: r.f32s(), shift: r.vec3() });
const readRegionNow = (r: Reader): RegionNow => ({ body: r.u32(), region: r.u32(), young: r.f64(), density: r.f64() });
const readDomainNow = (r: Reader): DomainNow => ({ body: r.u32(), domain: r.u32(), frequency_scale: r.f64(), mass_damping: r.f64(), stiffness_damping: r.f64() });
const readEditInfo = (r: Reader): EditInfo => ({ text: r.string(), undone: r.u8() });
const readCutDomain = (r: Reader): CutDomain => ({ name: r.string(), modes: r.u32(), elements: r.u32(), parent: r.u32(), level: r.u32(), ring: r.u32(), faults: r.u32() });
const readCutLink = (r: Reader): CutLink => ({ a: r.u32(), b: r.u32(), area: r.f32(), patches: r.u32() });
const readPullState = (r: Reader): PullState => ({ active: r.u8(), body: r.u32(), point: r.u32(), target: r.vec3(), force: r.vec3() });
const readObstacleInfo = (r: Reader): ObstacleInfo => ({ name: r.string(), plane: r.u8(), rest: r.f32s(), triangles: r.u32s() });
const readGalleryItem = (r: Reader): GalleryItem => ({ name: r.string(), about: r.string(), picture: r.u8() });
const readHello = (r: Reader): Hello => ({ session: r.u32(), client: r.u32(), scene: r.string(), is_static: r.u8(), dt: r.f64(), gravity: r.vec3(), mass_damping: r.f64(), stiffness_damping: r.f64(), low: r.vec3(), high: r.vec3(), bodies: r.list(readBodyInfo), probes: r.list(readProbeInfo), obstacles: r.list(readObstacleInfo) });
const readGeometry = (r: Reader): Geometry => ({ body: r.u32(), half: r.u8(), rest: r.f32s(), point_domains: r.u32s(), point_looks: r.u16s(), patches: r.list(readPatch), tables: r.list(readRowTable), part_tables: r.u32s(), part_scales: r.f32s(), site_parts: r.u32s(), site_rows: r.u32s(), blended: r.u32s(), blend_keep: r.f32s(), blend_starts: r.u32s(), blend_sites: r.u32s(), blend_weights: r.f32s() });
const readState = (r: Reader): State => ({ step: r.u32(), epoch: r.u32(), time: r.f64(), paused: r.u8(), healthy: r.u8(), ratio: r.f32(), step_p50: r.f32(), step_p99: r.f32(), part_times: r.f32s(), kinetic: r.f32(), strain: r.f32(), potential: r.f32(), pull: readPullState(r), probes: r.f32s(), bodies: r.list(readBodyState), obstacles: r.f32s(), contacts: r.f32s() });
const readNotice = (r: Reader): Notice => ({ severity: r.u8(), text: r.string() });
const readSteering = (r: Reader): Steering => ({ yours: r.u8(), pages: r.u32() });
const readPositions = (r: Reader): Positions => ({ request: r.u32(), body: r.u32(), step: r.u32(), positions: r.f32s() });
const readField = (r: Reader): Field => ({ body: r.u32(), quantity: r.u8(), step: r.u32(), top: r.f32(), values: r.u16s() });
const readMode = (r: Reader): Mode => ({ body: r.u32(), mode: r.u32(), rigid: r.u32(), hz: r.f32s(), shape: r.u16s() });
const readRecorded = (r: Reader): Recorded => ({ name: r.string(), bytes: r.u32(), words: r.u32s() });
const readSettings = (r: Reader): Settings => ({ dt: r.f64(), speed: r.f64(), gravity: r.vec3(), mass_damping: r.f64(), stiffness_damping: r.f64(), saved: r.u8(), wind_on: r.u8(), wind: r.vec3(), gust: r.f64(), gust_period: r.f64(), volume_on: r.u8(), volume_axis: r.u8(), volume_share: r.f64(), edits: r.list(readEditInfo), file: r.u8(), regions: r.list(readRegionNow), domains: r.list(readDomainNow), recording: r.u8() });
const readWork = (r: Reader): Work => ({ task: r.u8(), running: r.u8(), failed: r.u8(), done: r.f32(), text: r.string() });
const readSketchStart = (r: Reader): SketchStart => ({ body: r.u32(), separation: r.f64(), modes: r.u32(), file: r.u8() });
const readSketchShapes = (r: Reader): SketchShapes => ({ body: r.u32(), point: r.u32(), shapes: r.f32s() });
const readCutSurface = (r: Reader): CutSurface => ({ body: r.u32(), rest: r.f32s(), triangles: r.u32s(), elements: r.u32s() });
const readCut = (r: Reader): Cut => ({ request: r.u32(), body: r.u32(), labels: r.u16s(), domains: r.list(readCutDomain), links: r.list(readCutLink), fine: r.u8(), problems: r.string(), notes: r.string() });
const readGallery = (r: Reader): Gallery => ({ items: r.list(readGalleryItem), current: r.string() });
const readBuilding = (r: Reader): Building => ({ scene: r.string(), running: r.u8(), failed: r.u8(), stage: r.string(), done: r.f32() });
const readFile = (r: Reader): File => ({ name: r.string(), content: r.string() });

export type ServerMessage =
  | ({ kind: "Hello" } & Hello)
  | ({ kind: "Geometry" } & Geometry)
  | ({ kind: "State" } & State)
  | ({ kind: "Notice" } & Notice)
  | ({ kind: "Steering" } & Steering)
  | ({ kind: "Positions" } & Positions)
  | ({ kind: "Field" } & Field)
  | ({ kind: "Mode" } & Mode)
  | ({ kind: "Recorded" } & Recorded)
  | ({ kind: "Settings" } & Settings)
  | ({ kind: "Work" } & Work)
  | ({ kind: "SketchStart" } & SketchStart)
  | ({ kind: "SketchShapes" } & SketchShapes)
  | ({ kind: "CutSurface" } & CutSurface)
  | ({ kind: "Cut" } & Cut)
  | ({ kind: "Gallery" } & Gallery)
  | ({ kind: "Building" } & Building)
  | ({ kind: "File" } & File);

/** The message of a frame; throws when it is none of this version. */
export function decode(frame: ArrayBuffer): ServerMessage {
  const r = new Reader(frame, VERSION);
  switch (r.kind) {
    case 1:
      return { kind: "Hello", ...readHello(r) };
    case 2:
      return { kind: "Geometry", ...readGeometry(r) };
    case 3:
      return { kind: "State", ...readState(r) };
    case 4:
      return { kind: "Notice", ...readNotice(r) };
    case 5:
      return { kind: "Steering", ...readSteering(r) };
    case 6:
      return { kind: "Positions", ...readPositions(r) };
    case 24:
      return { kind: "Field", ...readField(r) };
    case 25:
      return { kind: "Mode", ...readMode(r) };
    case 26:
      return { kind: "Recorded", ...readRecorded(r) };
    case 7:
      return { kind: "Settings", ...readSettings(r) };
    case 16:
      return { kind: "Work", ...readWork(r) };
    case 17:
      return { kind: "SketchStart", ...readSketchStart(r) };
    case 18:
      return { kind: "SketchShapes", ...readSketchShapes(r) };
    case 19:
      return { kind: "CutSurface", ...readCutSurface(r) };
    case 20:
      return { kind: "Cut", ...readCut(r) };
    case 27:
      return { kind: "Gallery", ...readGallery(r) };
    case 28:
      return { kind: "Building", ...readBuilding(r) };
    case 21:
      return { kind: "File", ...readFile(r) };
    default:
      throw new Error(`unknown message ${r.kind}`);
  }
}

/** Frames that the page sends. */
export const encode = {
  Ready(m: Ready): ArrayBuffer {
    const w = new Writer(32, VERSION);
    w.u32(m.epoch); w.u32(m.step);
    return w.bytes();
  },
  Steer(): ArrayBuffer {
    const w = new Writer(33, VERSION);
    return w.bytes();
  },
  Pause(m: Pause): ArrayBuffer {
    const w = new Writer(34, VERSION);
    w.u8(m.on);
    return w.bytes();
  },
  Step(m: Step): ArrayBuffer {
    const w = new Writer(35, VERSION);
    w.u32(m.count);
    return w.bytes();
  },
  Reset(): ArrayBuffer {
    const w = new Writer(36, VERSION);
    return w.bytes();
  },
  PullSpring(m: PullSpring): ArrayBuffer {
    const w = new Writer(37, VERSION);
    w.u32(m.body); w.u32(m.point); w.vec3(m.target); w.f64(m.strength);
    return w.bytes();
  },
  PullForce(m: PullForce): ArrayBuffer {
    const w = new Writer(38, VERSION);
    w.u32(m.body); w.u32(m.point); w.vec3(m.force);
    return w.bytes();
  },
  Release(): ArrayBuffer {
    const w = new Writer(39, VERSION);
    return w.bytes();
  },
  SetClock(m: SetClock): ArrayBuffer {
    const w = new Writer(40, VERSION);
    w.f64(m.dt); w.f64(m.speed);
    return w.bytes();
  },
  SetGravity(m: SetGravity): ArrayBuffer {
    const w = new Writer(41, VERSION);
    w.vec3(m.gravity);
    return w.bytes();
  },
  SetDamping(m: SetDamping): ArrayBuffer {
    const w = new Writer(42, VERSION);
    w.f64(m.mass); w.f64(m.stiffness);
    return w.bytes();
  },
  SetMaterial(m: SetMaterial): ArrayBuffer {
    const w = new Writer(43, VERSION);
    w.u32(m.body); w.u32(m.region); w.f64(m.young); w.f64(m.density);
    return w.bytes();
  },
  TuneDomain(m: TuneDomain): ArrayBuffer {
    const w = new Writer(44, VERSION);
    w.u32(m.body); w.u32(m.domain); w.f64(m.frequency_scale); w.f64(m.mass_damping); w.f64(m.stiffness_damping);
    return w.bytes();
  },
  Detach(m: Detach): ArrayBuffer {
    const w = new Writer(45, VERSION);
    w.u32(m.body); w.u32(m.domain);
    return w.bytes();
  },
  SaveState(): ArrayBuffer {
    const w = new Writer(46, VERSION);
    return w.bytes();
  },
  LoadState(): ArrayBuffer {
    const w = new Writer(47, VERSION);
    return w.bytes();
  },
  AskPositions(m: AskPositions): ArrayBuffer {
    const w = new Writer(48, VERSION);
    w.u32(m.request); w.u32(m.body);
    return w.bytes();
  },
  AskField(m: AskField): ArrayBuffer {
    const w = new Writer(49, VERSION);
    w.u32(m.body); w.u8(m.quantity);
    return w.bytes();
  },
  AskMode(m: AskMode): ArrayBuffer {
    const w = new Writer(50, VERSION);
    w.u32(m.body); w.u32(m.mode);
    return w.bytes();
  },
  Record(m: Record): ArrayBuffer {
    const w = new Writer(51, VERSION);
    w.u8(m.on);
    return w.bytes();
  },
  DragAnchor(m: DragAnchor): ArrayBuffer {
    const w = new Writer(52, VERSION);
    w.u32(m.body); w.vec3(m.shift);
    return w.bytes();
  },
  SetWind(m: SetWind): ArrayBuffer {
    const w = new Writer(53, VERSION);
    w.u8(m.on); w.vec3(m.velocity); w.f64(m.gust); w.f64(m.gust_period);
    return w.bytes();
  },
  SetModes(m: SetModes): ArrayBuffer {
    const w = new Writer(54, VERSION);
    w.u32(m.body); w.u32(m.count);
    return w.bytes();
  },
  SetVolume(m: SetVolume): ArrayBuffer {
    const w = new Writer(58, VERSION);
    w.u8(m.on); w.u8(m.axis); w.f64(m.share);
    return w.bytes();
  },
  Undo(): ArrayBuffer {
    const w = new Writer(55, VERSION);
    return w.bytes();
  },
  Redo(): ArrayBuffer {
    const w = new Writer(56, VERSION);
    return w.bytes();
  },
  WriteScene(m: WriteScene): ArrayBuffer {
    const w = new Writer(57, VERSION);
    w.u8(m.download);
    return w.bytes();
  },
  SetModel(m: SetModel): ArrayBuffer {
    const w = new Writer(59, VERSION);
    w.string(m.model);
    return w.bytes();
  },
  SetGhost(m: SetGhost): ArrayBuffer {
    const w = new Writer(60, VERSION);
    w.string(m.model);
    return w.bytes();
  },
  OpenScene(m: OpenScene): ArrayBuffer {
    const w = new Writer(61, VERSION);
    w.string(m.name); w.string(m.model);
    return w.bytes();
  },
  CancelBuild(): ArrayBuffer {
    const w = new Writer(62, VERSION);
    return w.bytes();
  },
  OpenSketch(m: OpenSketch): ArrayBuffer {
    const w = new Writer(64, VERSION);
    w.u32(m.body);
    return w.bytes();
  },
  SketchPoint(m: SketchPoint): ArrayBuffer {
    const w = new Writer(65, VERSION);
    w.u32(m.body); w.u32(m.point);
    return w.bytes();
  },
  ClearPulls(m: ClearPulls): ArrayBuffer {
    const w = new Writer(66, VERSION);
    w.u32(m.body);
    return w.bytes();
  },
  AddPull(m: AddPull): ArrayBuffer {
    const w = new Writer(67, VERSION);
    w.u32(m.body); w.u32(m.point); w.f32s(m.forces);
    return w.bytes();
  },
  SolveSketch(m: SolveSketch): ArrayBuffer {
    const w = new Writer(68, VERSION);
    w.u32(m.body); w.u32(m.modes); w.f64(m.separation);
    return w.bytes();
  },
  WritePulls(m: WritePulls): ArrayBuffer {
    const w = new Writer(69, VERSION);
    w.u32(m.body); w.u8(m.download);
    return w.bytes();
  },
  OpenCut(m: OpenCut): ArrayBuffer {
    const w = new Writer(70, VERSION);
    w.u32(m.body);
    return w.bytes();
  },
  PaintCut(m: PaintCut): ArrayBuffer {
    const w = new Writer(71, VERSION);
    w.u32(m.body); w.u32(m.domain); w.u32s(m.elements);
    return w.bytes();
  },
  NameCut(m: NameCut): ArrayBuffer {
    const w = new Writer(72, VERSION);
    w.u32(m.body); w.u32(m.domain); w.string(m.name); w.u32(m.modes);
    return w.bytes();
  },
  SplitCut(m: SplitCut): ArrayBuffer {
    const w = new Writer(73, VERSION);
    w.u32(m.body); w.u32(m.count);
    return w.bytes();
  },
  CheckCut(m: CheckCut): ArrayBuffer {
    const w = new Writer(74, VERSION);
    w.u32(m.request); w.u32(m.body); w.u32(m.checksum); w.u8(m.merge);
    return w.bytes();
  },
  ApplyCut(m: ApplyCut): ArrayBuffer {
    const w = new Writer(75, VERSION);
    w.u32(m.body); w.u32(m.checksum); w.u8(m.merge); w.u32(m.linear_modes);
    return w.bytes();
  },
  WriteCut(m: WriteCut): ArrayBuffer {
    const w = new Writer(76, VERSION);
    w.u32(m.body); w.u32(m.checksum); w.u8(m.merge); w.u32(m.linear_modes);
    return w.bytes();
  },
  RepeatCut(m: RepeatCut): ArrayBuffer {
    const w = new Writer(78, VERSION);
    w.u32(m.body); w.u32(m.domain);
    return w.bytes();
  },
  CancelWork(): ArrayBuffer {
    const w = new Writer(77, VERSION);
    return w.bytes();
  },
};
