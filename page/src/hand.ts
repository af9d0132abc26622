// The hand: takes hold of a point under the mouse or a finger, or of the body's anchor, and shows the spring of whoever
// pulls.
import * as THREE from "three";
import { quantity } from "./controls";
import { encode, type BodyState, type PullState } from "./protocol";
import type { Stage } from "./stage";
import { make } from "./tool_card";

const LOOKS_BETWEEN = 60; // ms between looks at what is under a mouse that moves
const COILS = 9;
const TURN = 10; // segments a coil

export class Hand {
  strength = 1;
  anchors = false; // a drag moves the anchor, as with Shift
  private shifts: [number, number, number][] = []; // of the bodies' anchors
  private readonly marks: THREE.Mesh[] = [];
  /** `from`: of an anchor, its shift less the place where it was taken. */
  private held: { body: number; point: number; plane: THREE.Plane; pointer: number; from: THREE.Vector3 | null } | null = null;
  private target = new THREE.Vector3();
  private moved = false;
  private readonly spring: THREE.Line;
  private readonly knob: THREE.Mesh;
  private readonly foot: THREE.Mesh;
  private readonly ray = new THREE.Raycaster();
  private readonly readout = make("output", { id: "readout", hidden: true });
  private hovered = -1; // body under the mouse
  private looked = 0; // when it was looked for, ms
  /** Told when somebody takes hold of a body. */
  onGrab: () => void = () => {};
  /** Whether bodies can be taken hold of now. */
  ready: () => boolean = () => true;

  constructor(private readonly stage: Stage, private readonly send: (frame: ArrayBuffer) => void) {
    const line = new THREE.BufferGeometry();
    line.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * (COILS * TURN + 1)), 3));
    this.spring = new THREE.Line(line, new THREE.LineBasicMaterial({ color: "#c2352b", toneMapped: false }));
    this.spring.frustumCulled = false;
    const dot = new THREE.SphereGeometry(1, 20, 14);
    this.knob = new THREE.Mesh(dot, new THREE.MeshStandardMaterial({ color: "#c2352b", roughness: 0.4 }));
    this.foot = new THREE.Mesh(dot, new THREE.MeshStandardMaterial({ color: "#2c3440", roughness: 0.4 }));
    this.knob.castShadow = true;
    // seen through the body, which a pull from behind would hide it in
    for (const part of [this.spring, this.foot, this.knob]) {
      (part.material as THREE.Material).depthTest = false;
      part.renderOrder = 10;
    }
    stage.extras.add(this.spring, this.foot, this.knob);
    document.body.append(this.readout);
    this.show(null);
    const canvas = stage.renderer.domElement;
    // before the camera's own listeners: what takes hold of a body does not turn the view
    canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerleave", () => this.hover(-1));
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (event) => this.up(event));
  }

  get pulling(): boolean {
    return this.held !== null;
  }

  private place(event: PointerEvent): THREE.Vector2 {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    return new THREE.Vector2(event.clientX - box.left, event.clientY - box.top);
  }

  private aim(event: PointerEvent): void {
    const canvas = this.stage.renderer.domElement;
    const at = this.place(event);
    this.ray.setFromCamera(
      new THREE.Vector2((2 * at.x) / canvas.clientWidth - 1, 1 - (2 * at.y) / canvas.clientHeight), this.stage.camera);
    this.ray.ray.intersectPlane(this.held!.plane, this.target);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || this.held || !this.ready()) return;
    const at = this.place(event);
    const hit = this.stage.pick(at.x, at.y);
    if (!hit) return;
    const where = new THREE.Vector3().fromArray(
      this.stage.bodies[hit.body].deformation.read(this.stage.renderer, hit.point));
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      this.stage.camera.getWorldDirection(new THREE.Vector3()), where);
    const anchor = this.anchors !== event.shiftKey;
    const from = anchor ? new THREE.Vector3().fromArray(this.shifts[hit.body] ?? [0, 0, 0]).sub(where) : null;
    this.held = { ...hit, plane, pointer: event.pointerId, from };
    this.target.copy(where);
    this.stage.controls.enabled = false;
    this.stage.renderer.domElement.setPointerCapture(event.pointerId);
    this.moved = true;
    this.hover(hit.body);
    this.onGrab();
  }

  /** A body that can be taken hold of is lighter, and the mouse a hand. */
  private hover(body: number): void {
    const canvas = this.stage.renderer.domElement;
    canvas.style.cursor = this.held ? "grabbing" : body >= 0 ? "grab" : "";
    if (body === this.hovered) return;
    this.hovered = body;
    this.stage.bodies.forEach((one, b) => one?.highlight(b === body));
    this.stage.changed = true;
  }

  private move(event: PointerEvent): void {
    if (!this.held && event.pointerType === "mouse" && event.buttons === 0 && event.timeStamp - this.looked > LOOKS_BETWEEN) {
      this.looked = event.timeStamp;
      const at = this.place(event);
      this.hover(this.ready() ? (this.stage.pick(at.x, at.y)?.body ?? -1) : -1);
    }
    if (this.held?.pointer !== event.pointerId) return;
    this.aim(event);
    this.moved = true;
  }

  private up(event: PointerEvent): void {
    if (this.held?.pointer !== event.pointerId) return;
    const { from } = this.held;
    this.drop();
    if (!from) this.send(encode.Release());
  }

  private drop(): void {
    this.held = null;
    this.stage.controls.enabled = true;
    this.hover(-1);
    this.stage.renderer.domElement.style.cursor = "";
  }

  /** A body is drawn anew, its points under other numbers: whoever held one has lost it. */
  renewed(body: number): void {
    if (this.held?.body !== body || this.held.from) return;
    this.drop();
    this.send(encode.Release()); // what was sent meanwhile meant another point
  }

  /** Once a picture: says where the hand has gone. */
  tick(): void {
    if (!this.held || !this.moved) return;
    this.moved = false;
    const { from, body } = this.held;
    if (from) return this.send(encode.DragAnchor({ body, shift: this.target.clone().add(from).toArray() }));
    this.send(encode.PullSpring({
      body: this.held.body, point: this.held.point, target: this.target.toArray(), strength: this.strength,
    }));
  }

  /** Where the anchors of a state are; they are marked while drags are for them. */
  showAnchors(bodies: BodyState[]): void {
    this.shifts = bodies.map((body) => body.shift);
    for (const mark of this.marks) mark.visible = false;
    if (!this.anchors && !this.held?.from) return;
    bodies.forEach((state, b) => {
      const info = this.stage.bodies[b]?.info;
      if (!info?.held || info.ghost) return;
      let mark = this.marks[b];
      if (!mark) {
        mark = this.marks[b] = new THREE.Mesh(new THREE.OctahedronGeometry(1), new THREE.MeshBasicMaterial({ color: "#1d6f96", depthTest: false, transparent: true, opacity: 0.85 }));
        mark.renderOrder = 9;
        this.stage.extras.add(mark);
      }
      mark.visible = true;
      mark.position.fromArray(info.anchor).add(new THREE.Vector3().fromArray(state.shift));
      mark.scale.setScalar(0.018 * this.stage.size);
    });
  }

  /** Draws the spring of a state. */
  show(pull: PullState | null): void {
    const body = pull && pull.active ? this.stage.bodies[pull.body] : undefined;
    for (const part of [this.spring, this.knob, this.foot]) part.visible = body !== undefined;
    this.readout.hidden = body === undefined;
    if (!body || !pull) return;
    const from = new THREE.Vector3().fromArray(body.deformation.read(this.stage.renderer, pull.point));
    const to = new THREE.Vector3();
    const force = new THREE.Vector3().fromArray(pull.force);
    to.fromArray(pull.target);
    if (to.distanceTo(from) < 1e-4 * this.stage.size && force.length() > 0) // a bare force: an arrow of fixed length
      to.copy(from).addScaledVector(force.normalize(), 0.15 * this.stage.size);
    this.tell(body.geometry.rest.subarray(3 * pull.point, 3 * pull.point + 3), from, to, pull);
    const radius = 0.006 * this.stage.size;
    this.foot.position.copy(from);
    this.foot.scale.setScalar(radius);
    this.knob.position.copy(to);
    this.knob.scale.setScalar(1.5 * radius);
    const along = to.clone().sub(from);
    const side = new THREE.Vector3().crossVectors(along, this.stage.camera.getWorldDirection(new THREE.Vector3())).normalize();
    const up = new THREE.Vector3().crossVectors(along, side).normalize();
    const points = this.spring.geometry.getAttribute("position") as THREE.BufferAttribute;
    const p = new THREE.Vector3();
    for (let i = 0; i < points.count; i++) {
      const s = i / (points.count - 1);
      const wide = 1.6 * radius * Math.min(1, 8 * Math.min(s, 1 - s));
      const angle = 2 * Math.PI * COILS * s;
      p.copy(from).addScaledVector(along, s).addScaledVector(side, wide * Math.cos(angle)).addScaledVector(up, wide * Math.sin(angle));
      points.setXYZ(i, p.x, p.y, p.z);
    }
    points.needsUpdate = true;
  }

  /** Force and displacement, beside the spring's end. */
  private tell(rest: Float32Array, from: THREE.Vector3, to: THREE.Vector3, pull: PullState): void {
    const shift = new THREE.Vector3().fromArray(this.shifts[pull.body] ?? [0, 0, 0]);
    const moved = from.distanceTo(new THREE.Vector3().fromArray(rest).add(shift));
    const text = `${quantity(Math.hypot(...pull.force), "N", true)} · moved ${quantity(moved, "m", true)}`;
    if (this.readout.textContent !== text) this.readout.textContent = text;
    const [x, y] = this.stage.project(to.toArray());
    this.readout.style.transform = `translate(${Math.round(x + 16)}px, ${Math.round(y - 30)}px)`;
  }
}
