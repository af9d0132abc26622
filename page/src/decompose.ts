// Decompose: outer elements of a body at rest are painted or lassoed into domains; the server fills the inside, draws
// the graph's conclusions, and makes a tree of them.
import * as THREE from "three";
import { domainColour } from "./body";
import { drawGraph } from "./domain_graph";
import { encode, type Cut, type CutDomain, type CutSurface, type Work } from "./protocol";
import { button, byTouch, Card, make, numberField, type ToolContext } from "./tool_card";

const CHUNK = 900; // elements in a message
const MOST_DOMAINS = 256; // that people paint by hand
const HISTORY = 60;

type Means = "brush" | "lasso";

/** Triangles in the colours of their elements, with fine lines between them. */
class PaintedSurface {
  readonly mesh: THREE.Mesh;
  readonly count: number; // outer elements
  readonly centres: Float32Array; // of the faces of each
  private readonly colour: THREE.BufferAttribute;
  private readonly starts: Uint32Array; // triangles of each
  private readonly list: Uint32Array;

  constructor(surface: CutSurface) {
    const triangles = surface.elements.length;
    this.count = 1 + surface.elements.reduce((a, b) => Math.max(a, b), 0);
    this.starts = new Uint32Array(this.count + 1);
    for (const e of surface.elements) this.starts[e + 1]++;
    for (let e = 0; e < this.count; e++) this.starts[e + 1] += this.starts[e];
    this.list = new Uint32Array(triangles);
    const filled = this.starts.slice();
    const position = new Float32Array(9 * triangles), edge = new Float32Array(9 * triangles);
    this.centres = new Float32Array(3 * this.count);
    for (let t = 0; t < triangles; t++) {
      const e = surface.elements[t];
      this.list[filled[e]++] = t;
      for (let k = 0; k < 3; k++) {
        edge[9 * t + 4 * k] = 1;
        for (let c = 0; c < 3; c++) {
          const x = surface.rest[3 * surface.triangles[3 * t + k] + c];
          position[9 * t + 3 * k + c] = x;
          this.centres[3 * e + c] += x / (3 * (this.starts[e + 1] - this.starts[e]));
        }
      }
    }
    const shape = new THREE.BufferGeometry();
    this.colour = new THREE.BufferAttribute(new Float32Array(9 * triangles), 3);
    shape.setAttribute("position", new THREE.BufferAttribute(position, 3));
    shape.setAttribute("color", this.colour);
    shape.setAttribute("edge", new THREE.BufferAttribute(edge, 3));
    shape.computeVertexNormals();
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.75, metalness: 0, flatShading: true });
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = "attribute vec3 edge;\nvarying vec3 vEdge;\n" + shader.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>\nvEdge = edge;");
      shader.fragmentShader = "varying vec3 vEdge;\n" + shader.fragmentShader.replace("#include <color_fragment>", `#include <color_fragment>
        vec3 near = vEdge / max(fwidth(vEdge), vec3(1e-6));
        diffuseColor.rgb *= 0.72 + 0.28 * smoothstep(0.4, 1.3, min(near.x, min(near.y, near.z)));`);
    };
    this.mesh = new THREE.Mesh(shape, material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
  }

  paint(element: number, colour: THREE.Color): void {
    for (let i = this.starts[element]; i < this.starts[element + 1]; i++)
      for (let k = 0; k < 3; k++) this.colour.setXYZ(3 * this.list[i] + k, colour.r, colour.g, colour.b);
    this.colour.needsUpdate = true;
  }
  dispose(): void {
    this.mesh.removeFromParent();
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
  }
}

export class CutTool {
  active = 1;
  means: Means = "brush";
  subtracting = false;
  cut: Cut | null = null;
  private readonly surface: PaintedSurface;
  private labels: Uint16Array;
  private sent: Uint16Array;
  private readonly history: Uint16Array[] = [];
  private domains: CutDomain[] = [];
  private requests = 0;
  private stroke: { pointer: number; before: Uint16Array; path: [number, number][] } | null = null;
  private readonly card: Card;
  private readonly list = make("ol");
  private readonly graph = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly problems = make("p", { className: "problems" });
  private readonly notes = make("p", { className: "notes" });
  private readonly applyButton: HTMLButtonElement;
  private readonly writeButton: HTMLButtonElement;
  private readonly undoButton: HTMLButtonElement;
  private readonly meansButtons: Record<Means, HTMLButtonElement>;
  private readonly signButton: HTMLButtonElement;
  private readonly radius = make("input", { type: "range", min: "0.5", max: "25", step: "0.5", value: "6", title: "size of the brush" });
  private readonly linear;
  private readonly count;
  private readonly tip = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), new THREE.MeshBasicMaterial({ color: "#1d6f96", transparent: true, opacity: 0.22, depthWrite: false }));
  private readonly lasso = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly listeners = new AbortController();
  private readonly ray = new THREE.Raycaster();

  constructor(private readonly context: ToolContext, surface: CutSurface) {
    this.body = surface.body;
    this.surface = new PaintedSurface(surface);
    this.labels = new Uint16Array(this.surface.count);
    this.sent = this.labels.slice();
    const turn = byTouch ? "With the brush, a finger beside the body turns the view." : "The right button turns the view.";
    this.card = new Card("Cut into domains", `Paint the body, or draw a line around a part. ${turn}`, context.choice("cut", surface.body),
      () => this.context.closed(), () => this.context.send(encode.CancelWork()));
    this.meansButtons = {
      brush: button("brush", "drag over the body", () => this.use("brush")),
      lasso: button("lasso", "draw around a part", () => this.use("lasso")),
    };
    this.signButton = button("subtract", "take away from the domain instead (hold Shift)", () => this.subtract(!this.subtracting));
    this.undoButton = button("undo", "Ctrl+Z", () => this.undo());
    this.count = numberField("find", 4, 1, 256, 1);
    this.linear = numberField("linear modes of each", 4, 1, 60, 1);
    this.applyButton = button("apply", "the body runs on as a tree of these domains", () => this.apply(), "main wide");
    this.writeButton = button("download mesh and scene", "the browser keeps both", () => this.write());
    this.card.content.append(
      make("div", { className: "row" }, this.meansButtons.brush, this.meansButtons.lasso, this.signButton, this.undoButton),
      make("label", { className: "field" }, "brush", this.radius),
      make("div", { className: "row" }, make("h3", { textContent: "Domains", className: "wide" }), make("span", { className: "hint", textContent: "elements · shapes" })),
      this.list,
      make("div", { className: "row" }, button("+ domain", "one more to paint with", () => this.addDomain(), "wide"), this.count.input,
        button("find by itself", "about so many domains, cut across limbs", () => this.split())),
      make("div", { className: "row" }, button("find copies of this domain", "parts of the first domain that are congruent to it become domains too", () => this.repeat(), "wide")),
      this.graph, this.problems, this.notes, this.linear.row,
      make("div", { className: "row" }, this.applyButton, button("merge rings", "domains that form a ring become one", () => this.check(true))),
      make("div", { className: "row" }, this.writeButton));
    this.lasso.setAttribute("class", "lasso");
    this.lasso.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    document.body.append(this.lasso);
    this.tip.visible = false;
    const { stage } = context;
    this.show(false);
    stage.scene.add(this.surface.mesh);
    stage.extras.add(this.tip);
    stage.controls.mouseButtons.RIGHT = THREE.MOUSE.ROTATE;
    this.use("brush");
    this.recolour();
    const { signal } = this.listeners;
    document.addEventListener("pointerdown", (event) => this.down(event), { capture: true, signal });
    document.addEventListener("pointermove", (event) => this.move(event), { capture: true, signal });
    for (const end of ["pointerup", "pointercancel"] as const)
      document.addEventListener(end, (event) => this.up(event), { capture: true, signal });
  }

  readonly body: number;

  close(restore: boolean): void {
    this.listeners.abort();
    this.card.remove();
    this.lasso.remove();
    this.surface.dispose();
    this.tip.removeFromParent();
    const { stage } = this.context;
    stage.controls.enabled = true;
    stage.controls.mouseButtons.RIGHT = THREE.MOUSE.PAN;
    if (restore) this.show(true);
    stage.changed = true;
  }

  work(work: Work): void {
    this.card.show(work);
    if (!work.running && work.text) this.context.say(work.text, work.failed !== 0);
  }

  /** What the server makes of the paint. */
  receive(cut: Cut): void {
    if (cut.labels.length === this.labels.length) {
      // paint that is not yet sent stays
      for (let e = 0; e < this.labels.length; e++) if (this.labels[e] === this.sent[e]) this.labels[e] = cut.labels[e];
      this.sent = cut.labels.slice();
      this.recolour();
    }
    this.cut = cut;
    this.domains = cut.domains;
    if (this.domains.length === 1) this.addDomain();
    this.fill();
  }

  /** Paints outer elements, as a stroke would; for scripts. */
  paintWhere(domain: number, inside: (x: number, y: number, z: number) => boolean): void {
    const before = this.labels.slice();
    while (this.domains.length <= domain) this.addDomain();
    const c = this.surface.centres;
    for (let e = 0; e < this.labels.length; e++) if (inside(c[3 * e], c[3 * e + 1], c[3 * e + 2])) this.set(e, domain);
    this.keep(before);
  }

  undo(): void {
    const before = this.history.pop();
    if (!before) return;
    this.labels = before;
    this.recolour();
    this.check();
  }

  apply(): void {
    this.tell();
    this.context.send(encode.ApplyCut({ body: this.body, checksum: this.checksum(), merge: 0, linear_modes: this.linear.value() }));
  }
  write(): void {
    this.tell();
    this.context.send(encode.WriteCut({ body: this.body, checksum: this.checksum(), merge: 0, linear_modes: this.linear.value() }));
  }
  split(count = this.count.value()): void {
    this.history.push(this.labels.slice());
    this.sent = this.labels.slice(); // whatever was painted gives way
    this.context.send(encode.SplitCut({ body: this.body, count }));
  }
  repeat(domain = this.active): void {
    this.history.push(this.labels.slice());
    this.tell();
    this.context.send(encode.RepeatCut({ body: this.body, domain }));
  }
  check(merge = false): void {
    if (merge) this.history.push(this.labels.slice());
    this.tell();
    this.context.send(encode.CheckCut({ request: ++this.requests, body: this.body, checksum: this.checksum(), merge: merge ? 1 : 0 }));
  }

  use(means: Means): void {
    this.means = means;
    for (const [name, one] of Object.entries(this.meansButtons)) one.classList.toggle("on", name === means);
    this.tip.visible = false;
  }
  subtract(on: boolean): void {
    this.subtracting = on;
    this.signButton.classList.toggle("on", on);
  }

  /** The body as it is simulated, or only what is painted. */
  show(live: boolean): void {
    const body = this.context.stage.bodies[this.body];
    if (!body) return;
    body.group.visible = body.picking.visible = live;
    this.context.stage.changed = true;
  }

  private checksum(): number {
    let sum = 0;
    for (let e = 0; e < this.labels.length; e++) sum = (sum + Math.imul(e + 1, this.labels[e] + 1)) | 0;
    return sum >>> 0;
  }

  /** The server learns what has been painted since. */
  private tell(): void {
    const changed = new Map<number, number[]>();
    for (let e = 0; e < this.labels.length; e++) {
      if (this.labels[e] === this.sent[e]) continue;
      if (!changed.has(this.labels[e])) changed.set(this.labels[e], []);
      changed.get(this.labels[e])!.push(e);
    }
    for (const [domain, elements] of changed)
      for (let i = 0; i < elements.length; i += CHUNK)
        this.context.send(encode.PaintCut({ body: this.body, domain, elements: new Uint32Array(elements.slice(i, i + CHUNK)) }));
    this.sent = this.labels.slice();
  }

  private colour(d: number): THREE.Color {
    return domainColour(d);
  }
  private set(element: number, domain: number): void {
    if (this.labels[element] === domain) return;
    this.labels[element] = domain;
    this.surface.paint(element, this.colour(domain));
    this.context.stage.changed = true;
  }
  private recolour(): void {
    for (let e = 0; e < this.labels.length; e++) this.surface.paint(e, this.colour(this.labels[e]));
    this.context.stage.changed = true;
  }
  private keep(before: Uint16Array): void {
    if (this.labels.every((label, e) => label === before[e])) return;
    this.history.push(before);
    if (this.history.length > HISTORY) this.history.shift();
    this.check();
  }

  private addDomain(): void {
    if (this.domains.length >= MOST_DOMAINS) return this.context.say(`${MOST_DOMAINS} domains at most`, true);
    const d = this.domains.length;
    const modes = this.domains[d - 1]?.modes ?? 20;
    this.domains = [...this.domains, { name: `part ${d}`, modes, elements: 0, parent: 0xffffffff, level: 0, ring: 0, faults: 0 }];
    this.active = d;
    this.rename(d);
    this.fill();
  }
  private rename(d: number): void {
    const { name, modes } = this.domains[d];
    this.context.send(encode.NameCut({ body: this.body, domain: d, name, modes }));
  }
  private choose(d: number): void {
    this.active = d;
    this.fill();
  }

  private fill(): void {
    this.active = Math.min(this.active, this.domains.length - 1);
    const at = this.list.scrollTop;
    this.list.replaceChildren(...this.domains.map((domain, d) => this.row(domain, d)));
    this.list.scrollTop = at;
    const { cut } = this;
    if (cut) drawGraph(this.graph, this.domains, cut.links, (d) => `#${this.colour(d).getHexString()}`, this.active, (d) => this.choose(d));
    this.problems.textContent = cut?.problems ?? "";
    this.notes.textContent = cut?.notes ?? "";
    const ready = cut?.fine === 1 && this.domains.filter((domain) => domain.elements > 0).length > 1;
    this.applyButton.disabled = this.writeButton.disabled = !ready;
    this.undoButton.disabled = this.history.length === 0;
  }

  private row(domain: CutDomain, d: number): HTMLElement {
    const swatch = button("", `paint with ${domain.name}`, () => this.choose(d), "swatch");
    swatch.style.background = `#${this.colour(d).getHexString()}`;
    const name = make("input", { type: "text", value: domain.name, maxLength: 24, title: "its name" });
    const modes = make("input", { type: "number", value: String(domain.modes), min: "0", max: "200", title: "shapes; 0: rigid" });
    const change = () => {
      domain.name = name.value.replace(/["\\]/g, "").trim() || domain.name;
      domain.modes = Math.min(200, Math.max(0, Math.round(Number(modes.value) || 0)));
      this.rename(d);
      this.fill();
    };
    name.addEventListener("change", change);
    modes.addEventListener("change", change);
    const row = make("li", { className: d === this.active ? "on" : "" }, swatch, name,
      make("span", { className: "count", textContent: domain.elements > 0 ? domain.elements.toLocaleString("en") : "empty" }), modes);
    row.addEventListener("click", (event) => {
      if (event.target === row && d !== this.active) this.choose(d);
    });
    return row;
  }

  // --- mouse and finger ---

  private place(event: PointerEvent): [number, number] {
    const box = this.context.stage.renderer.domElement.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  private hit(event: PointerEvent): THREE.Vector3 | null {
    const { camera, renderer } = this.context.stage;
    const [x, y] = this.place(event);
    this.ray.setFromCamera(new THREE.Vector2((2 * x) / renderer.domElement.clientWidth - 1, 1 - (2 * y) / renderer.domElement.clientHeight), camera);
    return this.ray.intersectObject(this.surface.mesh)[0]?.point ?? null;
  }
  private brushSize(): number {
    return (Number(this.radius.value) / 100) * this.context.stage.size;
  }

  private down(event: PointerEvent): void {
    const { stage } = this.context;
    if (event.target !== stage.renderer.domElement || event.button !== 0 || event.ctrlKey || this.stroke) return;
    if (this.means === "brush" && !this.hit(event)) return; // beside it: the view turns
    event.stopPropagation();
    event.preventDefault();
    stage.controls.enabled = false;
    stage.renderer.domElement.setPointerCapture(event.pointerId);
    this.stroke = { pointer: event.pointerId, before: this.labels.slice(), path: [this.place(event)] };
    if (this.means === "brush") this.dab(event);
  }

  private move(event: PointerEvent): void {
    if (this.stroke?.pointer !== event.pointerId) {
      if (this.means === "brush" && event.target === this.context.stage.renderer.domElement && event.buttons === 0) this.aim(this.hit(event));
      return;
    }
    event.stopPropagation();
    if (this.means === "brush") return this.dab(event);
    this.stroke.path.push(this.place(event));
    this.lasso.firstElementChild!.setAttribute("d", `M${this.stroke.path.map((p) => p.join(" ")).join("L")}Z`);
  }

  private up(event: PointerEvent): void {
    const stroke = this.stroke;
    if (stroke?.pointer !== event.pointerId) return;
    event.stopPropagation();
    this.stroke = null;
    this.context.stage.controls.enabled = true;
    if (this.means === "lasso") this.encircle(stroke.path, event);
    this.lasso.firstElementChild!.removeAttribute("d");
    this.keep(stroke.before);
  }

  private aim(at: THREE.Vector3 | null): void {
    this.tip.visible = at !== null;
    if (at) {
      this.tip.position.copy(at);
      this.tip.scale.setScalar(this.brushSize());
    }
    this.context.stage.changed = true;
  }

  /** Adds an element to the active domain, or takes it away. */
  private touch(element: number, event: PointerEvent): void {
    if (!this.subtracting && !event.shiftKey) return this.set(element, this.active);
    if (this.labels[element] === this.active) this.set(element, this.active === 0 ? Math.min(1, this.domains.length - 1) : 0);
  }

  private dab(event: PointerEvent): void {
    const at = this.hit(event);
    this.aim(at);
    if (!at) return;
    const c = this.surface.centres, within = this.brushSize() ** 2;
    let nearest = -1, least = Infinity, any = false;
    for (let e = 0; e < this.labels.length; e++) {
      const d = (c[3 * e] - at.x) ** 2 + (c[3 * e + 1] - at.y) ** 2 + (c[3 * e + 2] - at.z) ** 2;
      if (d < least) [nearest, least] = [e, d];
      if (d > within) continue;
      any = true;
      this.touch(e, event);
    }
    if (!any && nearest >= 0) this.touch(nearest, event);
  }

  /** All outer elements whose middle lies within the line, in front and behind. */
  private encircle(path: [number, number][], event: PointerEvent): void {
    if (path.length < 3) return;
    const c = this.surface.centres;
    for (let e = 0; e < this.labels.length; e++) {
      const [x, y] = this.context.stage.project([c[3 * e], c[3 * e + 1], c[3 * e + 2]]);
      let inside = false;
      for (let i = 0, j = path.length - 1; i < path.length; j = i++) {
        const [xi, yi] = path[i], [xj, yj] = path[j];
        if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
      }
      if (inside) this.touch(e, event);
    }
  }
}
