// Tools that change what a body is made of; one at a time.
import { CutTool } from "./decompose";
import { encode, type Geometry, type Hello, type ServerMessage, type SketchStart } from "./protocol";
import { SketchTool } from "./sketch";
import { download, make, type ToolContext, type ToolName } from "./tool_card";

export class Tools {
  sketch: SketchTool | null = null;
  cut: CutTool | null = null;
  private wanted: ToolName | "" = "";
  private start: SketchStart | null = null; // of a sketch that waits for the surface
  private readonly files = new Map<string, string>(); // that came last, for scripts
  private outcome = "";
  private busy = false;

  private readonly context: ToolContext;

  constructor(context: Omit<ToolContext, "closed" | "choice">) {
    this.context = { ...context, closed: () => this.close(), choice: (tool, body) => this.choice(tool, body) };
    window.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  get open(): boolean {
    return this.sketch !== null || this.cut !== null;
  }

  /** Numbers of the bodies that a tool is for. */
  private bodiesFor(tool: ToolName): number[] {
    const bodies = this.context.hello()?.bodies ?? [];
    return [...bodies.keys()].filter((b) => !bodies[b].ghost && (tool === "cut" || bodies[b].model === "modal"));
  }

  private choice(tool: ToolName, body: number): HTMLElement[] {
    const bodies = this.bodiesFor(tool);
    if (bodies.length < 2) return [];
    const select = make("select", { title: "the tool begins anew with another body" },
      ...bodies.map((b) => make("option", { value: String(b), textContent: this.context.hello()!.bodies[b].name, selected: b === body })));
    select.addEventListener("change", () => this.begin(tool, Number(select.value)));
    return [make("label", { className: "field" }, "body", select)];
  }

  /** With the body that is chosen, or else the first that the tool is for, unless one is named. */
  begin(tool: ToolName, body?: number): void {
    this.close();
    const bodies = this.bodiesFor(tool);
    const number = [body, this.context.preferred(), bodies[0]].find((one) => one !== undefined && bodies.includes(one));
    if (number === undefined) return this.context.say(tool === "sketch" ? "only bodies of the model `modal` have a basis to sketch" : "there is no body", true);
    if (body !== undefined) this.context.prefer(number);
    this.context.showSurfaces();
    this.wanted = tool;
    this.context.send(tool === "sketch" ? encode.OpenSketch({ body: number }) : encode.OpenCut({ body: number }));
  }

  close(restore = true): void {
    const { sketch, cut } = this;
    this.sketch = this.cut = this.start = null; // before bodies are drawn again
    this.wanted = "";
    sketch?.close(restore);
    cut?.close(restore);
  }

  /** Whether a tool keeps to itself how a body is drawn from now on, until it closes. */
  takes(geometry: Geometry): boolean {
    if (this.sketch?.body !== geometry.body) return false;
    this.sketch.live = geometry;
    return true;
  }

  /** A body is drawn anew. */
  drawn(body: number): void {
    if (this.cut?.body === body) this.cut.show(false);
    this.beginSketch();
  }

  /** Points of a sketch are those of the surface, which may still be on its way. */
  private beginSketch(): void {
    const body = this.start && this.context.stage.bodies[this.start.body];
    if (!body || body.geometry.patches.some((patch) => patch.edges.length > 0)) return;
    this.sketch = new SketchTool(this.context, this.start!);
    this.start = null;
  }

  /** Bodies are drawn anew. */
  hello(_hello: Hello): void {
    if (this.open) this.context.say("bodies were built anew, so the tool is closed", false);
    this.close(false);
  }

  receive(message: ServerMessage): void {
    switch (message.kind) {
      case "SketchStart":
        if (this.wanted === "sketch") this.start = message;
        this.wanted = "";
        this.beginSketch();
        break;
      case "SketchShapes":
        if (this.sketch?.body === message.body) this.sketch.receive(message);
        break;
      case "CutSurface":
        if (this.wanted === "cut" && this.context.stage.bodies[message.body]) this.cut = new CutTool(this.context, message);
        this.wanted = "";
        break;
      case "Cut":
        if (this.cut?.body === message.body) this.cut.receive(message);
        break;
      case "Work":
        if (message.task === 3 && message.running && !this.busy) this.context.say("building anew…", false);
        this.busy = message.running !== 0;
        if (!this.busy) this.outcome = message.text;
        if (this.open && message.task !== 3) (message.task === 1 ? this.sketch : this.cut)?.work(message);
        else if (!this.busy && message.text) this.context.say(message.text, message.failed !== 0);
        break;
      case "File":
        this.files.set(message.name, message.content);
        if (this.files.size > 4) this.files.delete(this.files.keys().next().value!);
        download(message.name, message.content);
        break;
    }
  }

  private key(event: KeyboardEvent): void {
    if (!this.open) return;
    const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
    if (undo) (this.sketch ?? this.cut)!.undo();
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** What scripts may do. */
  readonly api = {
    begin: (tool: ToolName, body?: number) => this.begin(tool, body),
    close: () => this.close(),
    state: () => ({
      open: this.sketch ? "sketch" : this.cut ? "cut" : "", body: (this.sketch ?? this.cut)?.body ?? -1, busy: this.busy, outcome: this.outcome,
      pulls: this.sketch?.pulls.map(({ point, peak, forces }) => ({ point, peak, loads: forces.length })) ?? [],
      domains: this.cut?.cut?.domains.map(({ name, elements, parent, ring, modes }) => ({ name, elements, parent, ring, modes })) ?? [],
      links: this.cut?.cut?.links.length ?? 0, fine: this.cut?.cut?.fine === 1, problems: this.cut?.cut?.problems ?? "",
    }),
    pullTo: (point: number, target: [number, number, number]) => this.sketch?.pullTo(point, target),
    solve: () => this.sketch?.solve(),
    cancel: () => this.context.send(encode.CancelWork()),
    paintWhere: (domain: number, inside: (x: number, y: number, z: number) => boolean) => this.cut?.paintWhere(domain, inside),
    split: (count: number) => this.cut?.split(count),
    repeat: (domain: number) => this.cut?.repeat(domain),
    apply: () => this.cut?.apply(),
    write: () => this.cut?.write(),
    screen: (place: [number, number, number]) => this.context.stage.project(place),
    file: (name: string) => this.files.get(name) ?? null,
  };
}
