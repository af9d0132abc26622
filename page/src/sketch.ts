// Sketch: pulls on the linear static model, recorded, become a basis on the server.
//
// When a point is taken the server tells how all points move for 1 N along each axis; the page then finds the force
// that brings the point under the mouse, and draws the body that follows, without asking again.
import * as THREE from "three";
import { Body } from "./body";
import { encode, type Geometry, type SketchShapes, type SketchStart, type Work } from "./protocol";
import { button, Card, make, numberField, type ToolContext } from "./tool_card";

const MOST_FORCES = 24; // of a pull
const KEPT_SHAPES = 12; // points whose answers are remembered

export interface Pull {
  point: number;
  forces: [number, number, number][];
  peak: number; // N
  from: THREE.Vector3;
  to: THREE.Vector3; // where the strongest force brought it
}

/** A body that the server neither moves nor colours. */
class StillBody extends Body {
  override update(): void {}
  override paint(): void {}
  override setLook(): void {
    super.setLook("surface");
  }
  show(renderer: THREE.WebGLRenderer, positions: Float32Array): void {
    this.deformation.update(renderer, { poses: new Float32Array(), coordinates: new Float32Array(), positions, shift: [0, 0, 0] });
  }
}

const none = { u: new Uint32Array(), f: new Float32Array() };

export class SketchTool {
  pulls: Pull[] = [];
  private readonly history: Pull[][] = [];
  private readonly card: Card;
  private readonly list = make("ol");
  private readonly solveButton: HTMLButtonElement;
  private readonly undoButton: HTMLButtonElement;
  private readonly arrows = new THREE.Group();
  /** How the page draws the body when the sketch is over. */
  live: Geometry;
  private readonly rest: Float32Array; // of its surface
  private readonly still: StillBody;
  private readonly shapes = new Map<number, Float32Array>();
  private held: { point: number; pointer: number; plane: THREE.Plane; target: THREE.Vector3; forces: [number, number, number][]; peak: number; to: THREE.Vector3 } | null = null;
  private readonly modes;
  private readonly separation;
  private readonly listeners = new AbortController();
  private readonly look: THREE.Vector3 = new THREE.Vector3();

  constructor(private readonly context: ToolContext, private readonly start: SketchStart) {
    const { stage } = context;
    const before = stage.bodies[start.body];
    this.live = before.geometry;
    this.rest = before.geometry.rest;
    this.card = new Card("Sketch a basis",
      "Drag points of the body as you expect it to be pulled. The answer is linear here, and exact once it is solved.",
      context.choice("sketch", start.body), () => this.context.closed(), () => this.context.send(encode.CancelWork()));
    this.modes = numberField("shapes at most", start.modes, 1, 200, 1);
    this.separation = numberField("least difference", start.separation, 0.001, 0.5, 0.001);
    this.solveButton = button("solve and use", "full static shapes of all pulls become the basis", () => this.solve(), "main wide");
    this.undoButton = button("undo", "Ctrl+Z", () => this.undo());
    const keep = [button("download", "the browser keeps the pulls", () => this.write(true))];
    if (start.file) keep.unshift(button("save", "to the file that --pulls names", () => this.write(false)));
    this.card.content.append(this.list, this.modes.row, this.separation.row,
      make("div", { className: "row" }, this.solveButton), make("div", { className: "row" }, this.undoButton, ...keep));

    const still: Geometry = {
      ...before.geometry, half: 0, point_domains: none.u, tables: [], part_tables: none.u, part_scales: none.f, site_parts: none.u,
      site_rows: none.u, blended: none.u, blend_keep: none.f, blend_starts: none.u, blend_sites: none.u, blend_weights: none.f,
    };
    this.still = new StillBody(before.index, before.info, still, stage.fine);
    stage.add(this.still);
    stage.extras.add(this.arrows);
    this.showRest();
    this.fill();
    const { signal } = this.listeners;
    // before the hand and the camera
    document.addEventListener("pointerdown", (event) => this.down(event), { capture: true, signal });
    document.addEventListener("pointermove", (event) => this.move(event), { capture: true, signal });
    for (const end of ["pointerup", "pointercancel"] as const)
      document.addEventListener(end, (event) => this.up(event), { capture: true, signal });
  }

  get body(): number {
    return this.start.body;
  }

  /** `restore`: the server still draws what it drew before. */
  close(restore: boolean): void {
    this.listeners.abort();
    this.arrows.removeFromParent();
    this.card.remove();
    this.context.stage.controls.enabled = true;
    if (restore) this.context.draw(this.live);
    this.context.stage.changed = true;
  }

  /** Pull by numbers, for scripts: to a place, along a straight line. */
  async pullTo(point: number, target: [number, number, number], loads = 4): Promise<void> {
    await this.ask(point);
    const to = new THREE.Vector3().fromArray(target);
    const from = this.restOf(point);
    const forces = Array.from({ length: loads }, (_, i) => this.forceFor(point, from.clone().lerp(to, (i + 1) / loads)));
    this.add({ point, forces, peak: Math.hypot(...forces[loads - 1]), from, to });
  }

  undo(): void {
    const before = this.history.pop();
    if (!before) return;
    this.pulls = before;
    this.fill();
  }

  solve(): void {
    if (this.pulls.length === 0) return;
    this.tell();
    this.context.send(encode.SolveSketch({ body: this.body, modes: this.modes.value(), separation: this.separation.value() }));
  }

  work(work: Work): void {
    this.card.show(work);
    if (!work.running && work.text) this.context.say(work.text, work.failed !== 0);
  }

  receive(shapes: SketchShapes): void {
    if (this.shapes.size >= KEPT_SHAPES) this.shapes.delete(this.shapes.keys().next().value!);
    this.shapes.set(shapes.point, shapes.shapes);
    this.waiting.get(shapes.point)?.();
    this.waiting.delete(shapes.point);
    if (this.held?.point === shapes.point) this.follow();
  }

  private readonly waiting = new Map<number, () => void>();
  private ask(point: number): Promise<void> {
    if (this.shapes.has(point)) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.set(point, resolve);
      this.context.send(encode.SketchPoint({ body: this.body, point }));
    });
  }

  private restOf(point: number): THREE.Vector3 {
    return new THREE.Vector3().fromArray(this.rest, 3 * point);
  }

  /** The force that brings a point to a place. */
  private forceFor(point: number, place: THREE.Vector3): [number, number, number] {
    const s = this.shapes.get(point)!;
    const at = 9 * point;
    const compliance = new THREE.Matrix3().set(s[at], s[at + 3], s[at + 6], s[at + 1], s[at + 4], s[at + 7], s[at + 2], s[at + 5], s[at + 8]);
    if (!(Math.abs(compliance.determinant()) > 0)) return [0, 0, 0]; // it is held
    return place.clone().sub(this.restOf(point)).applyMatrix3(compliance.invert()).toArray();
  }

  /** The body under a force on a point. */
  private pose(point: number, force: [number, number, number]): void {
    const s = this.shapes.get(point);
    if (!s) return;
    const places = new Float32Array(this.rest);
    for (let i = 0; i < places.length / 3; i++)
      for (let c = 0; c < 3; c++) places[3 * i + c] += s[9 * i + c] * force[0] + s[9 * i + 3 + c] * force[1] + s[9 * i + 6 + c] * force[2];
    this.still.show(this.context.stage.renderer, places);
    this.context.stage.changed = true;
  }

  private showRest(): void {
    this.still.show(this.context.stage.renderer, this.rest);
    this.context.stage.changed = true;
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.context.stage.renderer.domElement.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    const { stage } = this.context;
    if (event.target !== stage.renderer.domElement || event.button !== 0 || event.shiftKey || event.ctrlKey || this.held) return;
    const hit = stage.pick(...this.place(event));
    if (hit?.body !== this.body) return;
    event.stopPropagation();
    event.preventDefault();
    const from = this.restOf(hit.point);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(this.look), from);
    this.held = { point: hit.point, pointer: event.pointerId, plane, target: from.clone(), forces: [], peak: 0, to: from.clone() };
    stage.controls.enabled = false;
    stage.renderer.domElement.setPointerCapture(event.pointerId);
    void this.ask(hit.point);
  }

  private move(event: PointerEvent): void {
    const held = this.held;
    if (!held || held.pointer !== event.pointerId) return;
    event.stopPropagation();
    const { stage } = this.context;
    const canvas = stage.renderer.domElement;
    const [x, y] = this.place(event);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight), stage.camera);
    ray.ray.intersectPlane(held.plane, held.target);
    const from = this.restOf(held.point);
    held.target.sub(from).clampLength(0, 0.6 * stage.size).add(from);
    this.follow();
  }

  private follow(): void {
    const held = this.held;
    if (!held || !this.shapes.has(held.point)) return;
    const force = this.forceFor(held.point, held.target);
    const size = Math.hypot(...force);
    if (!Number.isFinite(size)) return;
    this.pose(held.point, force);
    if (size > held.peak) {
      held.peak = size;
      held.to.copy(held.target);
    }
    const last = held.forces[held.forces.length - 1] ?? [0, 0, 0];
    if (size > 0 && Math.hypot(force[0] - last[0], force[1] - last[1], force[2] - last[2]) > 0.15 * held.peak) held.forces.push(force);
    if (held.forces.length > MOST_FORCES) held.forces = held.forces.filter((_, i) => i % 2 === 1);
    this.drawArrows({ point: held.point, forces: [], peak: held.peak, from: this.restOf(held.point), to: held.target });
  }

  private up(event: PointerEvent): void {
    const held = this.held;
    if (!held || held.pointer !== event.pointerId) return;
    event.stopPropagation();
    this.held = null;
    this.context.stage.controls.enabled = true;
    this.showRest();
    if (held.forces.length > 0 && event.type === "pointerup")
      this.add({ point: held.point, forces: held.forces, peak: held.peak, from: this.restOf(held.point), to: held.to });
    else this.drawArrows();
  }

  private add(pull: Pull): void {
    if (this.pulls.length >= 256) return this.context.say("a sketch has at most 256 pulls", true);
    this.change([...this.pulls, pull]);
  }

  private change(pulls: Pull[]): void {
    this.history.push(this.pulls);
    if (this.history.length > 100) this.history.shift();
    this.pulls = pulls;
    this.fill();
  }

  /** The list, and an arrow for each pull. */
  private fill(): void {
    this.list.replaceChildren(...this.pulls.map((pull, i) => {
      const row = make("li", {}, `${i + 1}.`, make("span", { textContent: `point ${pull.point}` }),
        make("span", { className: "count", textContent: `${Number(pull.peak.toPrecision(3))} N · ${pull.forces.length} load${pull.forces.length > 1 ? "s" : ""}` }),
        button("✕", "delete this pull", () => this.change(this.pulls.filter((one) => one !== pull)), "plain"));
      row.addEventListener("pointerenter", () => this.pose(pull.point, this.forceOf(pull)));
      row.addEventListener("pointerleave", () => this.showRest());
      return row;
    }));
    if (this.pulls.length === 0) this.list.append(make("li", { className: "empty", textContent: "no pulls yet" }));
    this.list.scrollTop = this.list.scrollHeight;
    this.solveButton.disabled = this.pulls.length === 0;
    this.undoButton.disabled = this.history.length === 0;
    this.drawArrows();
  }

  private forceOf(pull: Pull): [number, number, number] {
    return this.shapes.has(pull.point) ? this.forceFor(pull.point, pull.to) : [0, 0, 0];
  }

  private drawArrows(present?: Pull): void {
    for (const arrow of this.arrows.children) (arrow as THREE.ArrowHelper).dispose();
    this.arrows.clear();
    const size = this.context.stage.size;
    for (const pull of present ? [...this.pulls, present] : this.pulls) {
      const along = pull.to.clone().sub(pull.from);
      const length = Math.max(along.length(), 0.02 * size);
      const arrow = new THREE.ArrowHelper(along.normalize(), pull.from, length, pull === present ? "#c2352b" : "#1d6f96", 0.035 * size, 0.022 * size);
      for (const part of [arrow.line, arrow.cone]) {
        (part.material as THREE.Material).depthTest = false;
        (part.material as THREE.MeshBasicMaterial).toneMapped = false;
        part.renderOrder = 10;
      }
      this.arrows.add(arrow);
    }
    this.context.stage.changed = true;
  }

  /** The server's list becomes ours. */
  private tell(): void {
    const { body } = this;
    this.context.send(encode.ClearPulls({ body }));
    for (const pull of this.pulls) this.context.send(encode.AddPull({ body, point: pull.point, forces: new Float32Array(pull.forces.flat()) }));
  }

  private write(toBrowser: boolean): void {
    if (this.pulls.length === 0) return this.context.say("there are no pulls yet", true);
    this.tell();
    this.context.send(encode.WritePulls({ body: this.body, download: toBrowser ? 1 : 0 }));
  }
}
