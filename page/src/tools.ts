// Tools that change what a body is made of; one at a time.
import { CutTool } from "./decompose";
import { encode, type Hello, type ServerMessage } from "./protocol";
import { SketchTool } from "./sketch";
import { download, type ToolContext } from "./tool_card";

export class Tools {
  sketch: SketchTool | null = null;
  cut: CutTool | null = null;
  private wanted = "";
  private readonly files = new Map<string, string>(); // that came last, for scripts
  private outcome = "";
  private busy = false;

  private readonly context: ToolContext;

  constructor(context: Omit<ToolContext, "closed">) {
    this.context = { ...context, closed: () => this.close() };
    window.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  get open(): boolean {
    return this.sketch !== null || this.cut !== null;
  }

  /** The first body that a tool is for, unless one is named. */
  begin(tool: "sketch" | "cut", body?: number): void {
    this.close();
    const bodies = this.context.hello()?.bodies ?? [];
    const first = tool === "sketch" ? bodies.findIndex((one) => one.model === "modal") : 0;
    const number = body ?? first;
    if (!bodies[number]) return this.context.say(tool === "sketch" ? "only bodies of the model `modal` have a basis to sketch" : "there is no body", true);
    this.wanted = tool;
    this.context.send(tool === "sketch" ? encode.OpenSketch({ body: number }) : encode.OpenCut({ body: number }));
  }

  close(restore = true): void {
    this.sketch?.close(restore);
    this.cut?.close(restore);
    this.sketch = this.cut = null;
    this.wanted = "";
  }

  /** Bodies are drawn anew. */
  hello(_hello: Hello): void {
    this.close(false);
  }

  receive(message: ServerMessage): void {
    switch (message.kind) {
      case "SketchStart":
        if (this.wanted === "sketch" && this.context.stage.bodies[message.body]) this.sketch = new SketchTool(this.context, message);
        this.wanted = "";
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
    begin: (tool: "sketch" | "cut", body?: number) => this.begin(tool, body),
    close: () => this.close(),
    state: () => ({
      open: this.sketch ? "sketch" : this.cut ? "cut" : "", busy: this.busy, outcome: this.outcome,
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
