// The panel of settings: six controls for everybody, and the rest under "advanced". What one page changes, the server
// tells all; the panel shows what holds.
import type { Look } from "./body";
import { Group } from "./controls";
import { encode, type BodyInfo, type Hello, type Settings } from "./protocol";
import { make } from "./tool_card";

export interface PanelActions {
  send(frame: ArrayBuffer): void;
  setLook(look: Look): void;
  showGround(on: boolean): void;
  showAxes(on: boolean): void;
  showPlots(on: boolean): void;
  showContacts(on: boolean): void;
  setFollow(on: boolean): void;
  setStrength(strength: number): void;
  /** Drags move the anchor instead of a point. */
  setAnchors(on: boolean): void;
  setTheme(theme: Theme): void;
  home(): void;
  tool(name: "sketch" | "cut"): void;
  /** Whether elements may be shown now; says why not. */
  mayShowElements(): boolean;
  say(text: string): void;
  /** The panel has become wider or narrower. */
  resized(): void;
  /** Whether there is a floor to show. */
  hasFloor(): boolean;
  /** Further groups, at the panel's end. */
  extend(group: Group, hello: Hello): void;
}

export type Theme = "system" | "light" | "dark";

/** What people have chosen on this page; it outlives scenes. */
interface Kept {
  look: Look;
  ground: boolean;
  axes: boolean;
  plots: boolean;
  contacts: boolean;
  follow: boolean;
  strength: number;
  anchors: boolean;
  theme: Theme;
  body: number; // that tools are for
}

const AXES = ["nothing", "x", "y", "z"];
const PRESETS: [string, number][] = [["jelly", 5e3], ["soft tissue", 2e4], ["foam", 1e5], ["rubber", 2e6], ["leather", 5e7], ["plastic", 2e9], ["wood", 1e10]];
const MODELS = ["full", "modal", "tree", "coupled", "blended"];
const LOOKS: [string, Look][] = [["surface", "surface"], ["wireframe", "wireframe"], ["domains", "domains"], ["displacement", "displacement"], ["von Mises stress", "stress"]];

/** Bodies that can be edited, with their numbers. */
const own = (hello: Hello) => hello.bodies.map((body, b) => ({ body, b })).filter(({ body }) => !body.ghost);
/** Choices by name; equal names get numbers. */
function choices(list: { name: string; value: number }[]): [string, number][] {
  const seen = new Set<string>();
  return list.map(({ name, value }) => {
    const text = seen.has(name) ? `${name} (${value})` : name;
    seen.add(name);
    return [text, value];
  });
}

export class Panel {
  readonly box: HTMLElement;
  private readonly content = make("div", { className: "content" });
  private readonly fold: HTMLButtonElement;
  private root = new Group("");
  private advanced: Group | null = null;
  private hello: Hello | null = null;
  private now: Settings | null = null;
  private readonly kept: Kept;
  private readonly wind = { speed: 5, direction: 0, up: 0, gust: 0, period: 2 };
  private readonly volume = { on: false, cut: 0, at: 0.5 };
  private readonly domain = new Map<number, number>(); // that is chosen, of each body
  private down: [number, number, number] = [0, 0, -1]; // where gravity pulls
  private edits: Settings["edits"] = [];

  constructor(private readonly actions: PanelActions, small: boolean) {
    this.kept = { look: "surface", ground: true, axes: false, plots: false, contacts: false, follow: true, strength: 1, anchors: false, theme: "system", body: 0 };
    this.fold = make("button", { type: "button", className: "fold", title: "show or hide the settings (m)" });
    this.fold.addEventListener("click", () => this.toggle());
    this.box = document.getElementById("panel")!;
    this.box.replaceChildren(make("header", {}, make("h2", { textContent: "settings" }), this.fold), this.content);
    this.setOpen(!small);
  }

  /** Builds the panel for a scene. */
  build(hello: Hello): void {
    const was = new Map(this.root.all().map((group) => [group.title, group.open]));
    this.hello = hello;
    this.root = new Group("");
    this.addFirst(hello);
    this.advanced = this.root.group("advanced", "everything else that can be set");
    this.addView(this.advanced, hello);
    this.addEdit(this.advanced, hello);
    this.addHand(this.advanced, hello);
    this.addTime(this.advanced, hello);
    this.addForces(this.advanced, hello);
    if (!hello.is_static) this.addWind(this.advanced);
    this.addMaterials(this.advanced, hello);
    this.addModes(this.advanced, hello);
    this.addDomains(this.advanced, hello);
    this.actions.extend(this.advanced, hello);
    for (const group of this.root.all()) if (group.title && was.has(group.title)) group.open = was.get(group.title)!;
    this.content.replaceChildren(this.root.element);
    if (!this.looks().some(([, look]) => look === this.kept.look)) this.kept.look = "surface";
    this.actions.setLook(this.kept.look);
    this.show(this.now); // newer settings follow a hello
  }

  /** Shows what holds now. */
  show(settings: Settings | null): void {
    if (!settings) return;
    this.now = settings;
    const g = settings.gravity, size = Math.hypot(...g);
    if (size > 0) this.down = [g[0] / size, g[1] / size, g[2] / size];
    this.volume.on = settings.volume_on !== 0;
    if (this.volume.on) [this.volume.cut, this.volume.at] = [settings.volume_axis, settings.volume_share];
    this.takeWind(settings);
    this.tellEdits(settings);
    this.root.refresh();
  }

  /** Shows what keys and scripts have chosen. */
  keep(chosen: Partial<Kept>): void {
    Object.assign(this.kept, chosen);
    this.root.refresh();
  }

  get chosen(): Readonly<Kept> {
    return this.kept;
  }

  flip(what: "ground" | "plots" | "anchors"): void {
    const on = !this.kept[what];
    const { showGround, showPlots, setAnchors } = this.actions;
    ({ ground: showGround, plots: showPlots, anchors: setAnchors })[what](on);
    this.keep({ [what]: on });
  }

  /** That tools are for. */
  get body(): number {
    return this.kept.body;
  }

  /** Elements instead of surfaces, or the other way round. */
  toggleVolume(on = !this.volume.on): void {
    if (on === this.volume.on || (on && !this.actions.mayShowElements())) return this.root.refresh();
    this.volume.on = on;
    this.sendVolume();
  }
  private sendVolume(): void {
    this.actions.send(encode.SetVolume({ on: this.volume.on ? 1 : 0, axis: this.volume.cut, share: this.volume.at }));
  }

  get open(): boolean {
    return !this.box.classList.contains("closed");
  }
  toggle(): void {
    this.setOpen(!this.open);
  }
  private setOpen(on: boolean): void {
    this.box.classList.toggle("closed", !on);
    this.fold.textContent = on ? "✕" : "settings";
    this.fold.setAttribute("aria-expanded", String(on));
    this.actions.resized();
  }

  private send(frame: ArrayBuffer): void {
    this.actions.send(frame);
  }
  private looks(): [string, Look][] {
    const domains = this.hello?.bodies.some((body) => body.domains.length > 0);
    return LOOKS.filter(([, look]) => look !== "domains" || domains);
  }
  private gravity(): [number, number, number] {
    return [...(this.now?.gravity ?? this.hello!.gravity)].map((g) => Number(g.toPrecision(7))) as [number, number, number]; // floats
  }

  // --- what everybody needs ---------------------------------------------------------------------------------

  private addFirst(hello: Hello): void {
    const { root, actions, kept } = this;
    const bodies = own(hello);
    if (!hello.is_static)
      root.number("play speed", "simulated seconds per second; 1 is real time", { low: 0.05, high: 4, log: true, unit: "×" },
        () => this.now?.speed ?? 1, (speed) => this.send(encode.SetClock({ dt: this.now?.dt ?? hello.dt, speed })));
    root.number("gravity", "acceleration of free fall; the Earth's is 9.81 m/s². Its direction is under advanced", { low: 0, high: 25, step: 0.01, unit: "m/s²", live: !hello.is_static },
      () => Math.hypot(...this.gravity()),
      (size) => this.send(encode.SetGravity({ gravity: this.down.map((c) => Number((c * size).toFixed(6))) as [number, number, number] })));
    const regions = bodies.flatMap(({ body, b }) => body.regions.map((region, r) => ({ b, r, region })));
    if (regions.length > 0) {
      const first = () => this.material(regions[0].b, regions[0].r).young;
      const set = (young: number) => {
        const ratio = young / first();
        for (const { b, r } of regions) {
          const material = this.material(b, r);
          this.send(encode.SetMaterial({ ...material, young: Number((material.young * ratio).toPrecision(6)) }));
        }
      };
      const start = regions[0].region.young;
      const several = regions.length > 1 ? "; where there are several materials, all change by the same factor" : "";
      root.number("stiffness", `Young's modulus: how hard the material is to stretch${several}`, { low: start / 100, high: start * 100, log: true, unit: "Pa", prefixes: true }, first, set);
      root.choice("as stiff as", "sets the stiffness to that of a familiar material",
        () => [...PRESETS.map(([name, young]): [string, number] => [`${name}, ${young >= 1e9 ? `${young / 1e9} GPa` : young >= 1e6 ? `${young / 1e6} MPa` : `${young / 1e3} kPa`}`, young]), ["as in the scene", start], ["something else", NaN]],
        () => {
          const near = [...PRESETS.map(([, young]) => young), start].filter((young) => Math.abs(first() / young - 1) < 0.01);
          return near.includes(start) ? start : (near[0] ?? NaN);
        },
        (young) => Number.isFinite(young) ? set(young) : this.root.refresh());
    }
    if (!hello.is_static)
      root.number("damping", "how fast motion dies out: at 1/s a swing falls to 37 % of its height in 2 s. Damping of strain is under advanced", { low: 0, high: 10, step: 0.01, unit: "1/s", live: true },
        () => this.now?.mass_damping ?? hello.mass_damping,
        (mass) => this.send(encode.SetDamping({ mass, stiffness: this.now?.stiffness_damping ?? hello.stiffness_damping })));
    if (bodies.length > 0 && bodies[0].body.model !== "recorded") {
      const mixed = new Set(bodies.map(({ body }) => body.model)).size > 1;
      root.choice("model", "how bodies are simulated: full moves every vertex on its own and is the reference; the others have few unknowns and are fast. The page goes on while another is built",
        () => [...(mixed ? [["as in the scene", ""] as [string, string]] : []), ...MODELS.map((name): [string, string] => [name, name])],
        () => mixed ? "" : (this.hello?.bodies.find((body) => !body.ghost)?.model ?? ""),
        (model) => model ? this.send(encode.SetModel({ model })) : undefined);
    }
    root.choice("look", "what the surface shows: its material, its triangles, or a field in colours", () => this.looks(), () => kept.look, (look) => actions.setLook(look));
  }

  // --- the rest ---------------------------------------------------------------------------------------------

  private addView(parent: Group, hello: Hello): void {
    const { actions, kept } = this;
    const view = parent.group("view");
    const show = () => (actions.mayShowElements() ? this.sendVolume() : this.show(this.now));
    view.toggle("elements (e)", "the elements with their edges, instead of the surface", () => this.volume.on, (on) => {
      this.volume.on = on;
      show();
    });
    view.choice("cut along", "hides elements beyond a share of the way along this axis, to look inside", () => AXES.map((name, i): [string, number] => [name, i]), () => this.volume.cut, (cut) => {
      this.volume.cut = cut;
      if (this.volume.on) show();
    });
    view.number("beyond", "share of the way from which on elements are hidden", { low: 0, high: 1, step: 0.01 }, () => this.volume.at, (at) => {
      this.volume.at = at;
      if (this.volume.on) show();
    });
    if (actions.hasFloor())
      view.toggle("floor (g)", "draws the floor of the scene", () => kept.ground, (on) => this.flipTo("ground", on));
    const flag = (name: string, tip: string, key: "axes" | "plots" | "contacts" | "follow", act: (on: boolean) => void) =>
      view.toggle(name, tip, () => kept[key], (on) => {
        kept[key] = on;
        act(on);
      });
    flag("axes and scale", "the directions of x, y and z, and a bar of a known length", "axes", (on) => actions.showAxes(on));
    flag("plots (p)", "energies, step time and probes over time", "plots", (on) => actions.showPlots(on));
    if (own(hello).some(({ body }) => !body.held))
      flag("follow", "the view follows a body that leaves it", "follow", (on) => actions.setFollow(on));
    if (hello.obstacles.length > 0) flag("contact forces", "arrows where bodies touch", "contacts", (on) => actions.showContacts(on));
    view.choice("theme", "light or dark colours", (): [string, Theme][] => [["as the system", "system"], ["light", "light"], ["dark", "dark"]], () => kept.theme, (theme) => {
      kept.theme = theme;
      actions.setTheme(theme);
    });
    view.button("frame all (v)", "points the camera so that everything is in sight", () => actions.home());
  }

  private flipTo(what: "ground" | "plots" | "anchors", on: boolean): void {
    if (this.kept[what] !== on) this.flip(what);
  }

  private addEdit(parent: Group, hello: Hello): void {
    const { actions, kept } = this;
    const edit = parent.group("edit");
    const place = () => {
      const edits = this.now?.edits ?? [], undone = edits.findIndex((one) => one.undone);
      return { edits, undone, last: undone < 0 ? edits.length - 1 : undone - 1 };
    };
    edit.button("undo", "takes the last edit back (Ctrl+Z)", () => this.send(encode.Undo()), () => {
      const { edits, last } = place();
      return { text: last >= 0 ? `undo: ${edits[last].text}` : "nothing to undo", on: last >= 0 };
    });
    edit.button("redo", "does it again (Ctrl+Shift+Z)", () => this.send(encode.Redo()), () => {
      const { edits, undone } = place();
      return { text: undone >= 0 ? `redo: ${edits[undone].text}` : "nothing to redo", on: undone >= 0, shown: undone >= 0 };
    });
    edit.button("save the scene to its file", "writes the scene with your edits to the file of --write", () => this.send(encode.WriteScene({ download: 0 })),
      () => ({ text: "save the scene to its file", on: true, shown: (this.now?.file ?? 0) !== 0 }));
    const bodies = own(hello);
    if (!bodies.some(({ b }) => b === kept.body)) kept.body = bodies[0]?.b ?? 0;
    if (bodies.length > 1)
      edit.choice("body", "that the tools below work on", () => choices(bodies.map(({ body, b }) => ({ name: body.name, value: b }))), () => kept.body, (body) => (kept.body = body));
    if (bodies.some(({ body }) => body.model === "modal")) edit.button("sketch a basis (b)", "pull the body as it will be pulled, and make its shapes from that", () => actions.tool("sketch"));
    edit.button("cut into domains (c)", "paint the parts of which a tree is made", () => actions.tool("cut"));
  }

  private addHand(parent: Group, hello: Hello): void {
    const { actions, kept } = this;
    const hand = parent.group("hand");
    hand.number("strength", "stiffness of the spring between mouse and body; 1 leads the point gently", { low: 0.01, high: 10, log: true, unit: "×" }, () => kept.strength, (strength) => {
      kept.strength = strength;
      actions.setStrength(strength);
    });
    if (own(hello).some(({ body }) => body.held))
      hand.toggle("move the anchor (a)", "a drag moves what holds the body, as with Shift", () => kept.anchors, (on) => this.flipTo("anchors", on));
  }

  private addTime(parent: Group, hello: Hello): void {
    const time = parent.group("time");
    if (!hello.is_static)
      time.number("time step", "smaller steps are more accurate and take longer", { low: hello.dt / 8, high: hello.dt * 4, unit: "s", prefixes: true, log: true }, () => this.now?.dt ?? hello.dt,
        (dt) => this.send(encode.SetClock({ dt, speed: this.now?.speed ?? 1 })));
    time.button("keep this state (k)", "stores the present state in memory", () => this.send(encode.SaveState()));
    time.button("back to the kept state (l)", "goes back to it; edits made since stay", () => this.send(encode.LoadState()), () => ({ text: "back to the kept state (l)", on: (this.now?.saved ?? 0) !== 0 }));
  }

  private addForces(parent: Group, hello: Hello): void {
    const forces = parent.group("gravity and damping");
    (["x", "y", "z"] as const).forEach((axis, k) =>
      forces.number(`gravity ${axis}`, `acceleration of free fall along ${axis}`, { low: -25, high: 25, step: 0.01, unit: "m/s²", live: !hello.is_static }, () => this.gravity()[k], (value) => {
        const gravity = this.gravity();
        gravity[k] = value;
        this.send(encode.SetGravity({ gravity }));
      }));
    if (hello.is_static) return;
    const damping = (change: object) => this.send(encode.SetDamping({ mass: this.now?.mass_damping ?? hello.mass_damping, stiffness: this.now?.stiffness_damping ?? hello.stiffness_damping, ...change }));
    forces.number("mass damping", "Rayleigh damping in proportion to mass: slows all motion alike", { low: 0, high: 10, step: 0.01, unit: "1/s", live: true }, () => this.now?.mass_damping ?? hello.mass_damping, (mass) => damping({ mass }));
    forces.number("stiffness damping", "Rayleigh damping in proportion to stiffness: slows fast vibrations first", { low: 0, high: 0.1, step: 0.0005, unit: "s", prefixes: true, live: true }, () => this.now?.stiffness_damping ?? hello.stiffness_damping, (stiffness) => damping({ stiffness }));
  }

  /** Directions as on a map: where the wind blows to, x is 0°, y is 90°. */
  private addWind(parent: Group): void {
    const group = parent.group("wind");
    const { wind } = this;
    const blows = () => (this.now?.wind_on ?? 0) !== 0;
    const send = (on: boolean) => {
      const flat = wind.speed * Math.cos((wind.up * Math.PI) / 180), angle = (wind.direction * Math.PI) / 180;
      const velocity = [flat * Math.cos(angle), flat * Math.sin(angle), wind.speed * Math.sin((wind.up * Math.PI) / 180)]
        .map((v) => Number(v.toFixed(4))) as [number, number, number];
      this.send(encode.SetWind({ on: on ? 1 : 0, velocity, gust: wind.gust, gust_period: wind.period }));
    };
    group.toggle("blows", "moving air; bodies are built anew for it", blows, send);
    const more = (name: string, tip: string, key: keyof typeof wind, low: number, high: number, step: number, unit: string) =>
      group.number(name, tip, { low, high, step, unit }, () => wind[key], (value) => {
        wind[key] = value;
        if (blows()) send(true); // nothing is built for a wind that does not blow
      });
    more("speed", "mean speed of the air", "speed", 0, 40, 0.1, "m/s");
    more("direction", "where it blows to: 0° along x, 90° along y", "direction", -180, 180, 1, "°");
    more("upwards", "angle above the horizon", "up", -90, 90, 1, "°");
    more("gusts", "their strength relative to the mean", "gust", 0, 2, 0.05, "×");
    more("gust period", "of the slowest gusts", "period", 0.2, 10, 0.1, "s");
  }

  private takeWind(settings: Settings): void {
    const { wind } = this;
    const [x, y, z] = settings.wind;
    const speed = Math.hypot(x, y, z);
    if (settings.wind_on === 0 || speed === 0) return; // what the sliders say is kept for when it blows again
    wind.speed = Number(speed.toFixed(3));
    wind.direction = Number(((Math.atan2(y, x) * 180) / Math.PI).toFixed(2));
    wind.up = Number(((Math.asin(z / speed) * 180) / Math.PI).toFixed(2));
    wind.gust = settings.gust;
    wind.period = settings.gust_period;
  }

  private material(b: number, r: number): { body: number; region: number; young: number; density: number } {
    const region = this.hello!.bodies[b].regions[r];
    return this.now?.regions.find((one) => one.body === b && one.region === r) ?? { body: b, region: r, young: region.young, density: region.density };
  }

  private addMaterials(parent: Group, hello: Hello): void {
    const group = parent.group("material");
    const bodies = own(hello);
    for (const { body, b } of bodies)
      body.regions.forEach((region, r) => {
        const name = [bodies.length > 1 ? body.name : "", body.regions.length > 1 ? `region ${r}` : ""].filter(Boolean).join(", ");
        const label = (what: string) => (name ? `${name}: ${what}` : what);
        const send = (change: object) => this.send(encode.SetMaterial({ ...this.material(b, r), ...change }));
        group.number(label("Young's modulus"), "how hard the material is to stretch", { low: region.young / 100, high: region.young * 100, log: true, unit: "Pa", prefixes: true }, () => this.material(b, r).young, (young) => send({ young }));
        group.number(label("density"), "mass per volume; water has 1000 kg/m³", { low: region.density / 10, high: region.density * 10, log: true, unit: "kg/m³" }, () => this.material(b, r).density, (density) => send({ density }));
      });
  }

  /** Says what was undone or redone. */
  private tellEdits(settings: Settings): void {
    const before = this.edits;
    this.edits = settings.edits;
    const undone = settings.edits.findIndex((edit) => edit.undone);
    const last = undone < 0 ? settings.edits.length - 1 : undone - 1;
    const count = (edits: Settings["edits"]) => edits.filter((edit) => edit.undone).length;
    // a new edit in place of one that was undone is another list
    if (before.length !== settings.edits.length || before.some((edit, i) => edit.text !== settings.edits[i].text)) return;
    if (count(before) < count(settings.edits)) this.actions.say(`undone: ${settings.edits[undone].text}`);
    if (count(before) > count(settings.edits)) this.actions.say(`again: ${settings.edits[last].text}`);
  }

  private addModes(parent: Group, hello: Hello): void {
    const bodies = own(hello).filter(({ body }) => body.modes_most > 1);
    if (bodies.length === 0) return;
    const group = parent.group("shapes in use");
    for (const { body, b } of bodies)
      group.number(body.name, "how many shapes of its basis move the body", { low: 1, high: body.modes_most, step: 1 }, () => this.hello!.bodies[b]?.modes ?? body.modes, (count) => this.send(encode.SetModes({ body: b, count: Math.round(count) })));
  }

  private addDomains(parent: Group, hello: Hello): void {
    const bodies = own(hello).filter(({ body }) => body.domains.length > 0);
    for (const { body, b } of bodies)
      this.addDomainsOf(parent.group(bodies.length > 1 ? `domains of ${body.name}` : "domains"), body, b);
  }

  private addDomainsOf(group: Group, body: BodyInfo, b: number): void {
    const chosen = () => Math.min(this.domain.get(b) ?? 1, body.domains.length - 1);
    const now = () => this.now?.domains.find((one) => one.body === b && one.domain === chosen())
      ?? { body: b, domain: chosen(), frequency_scale: 1, mass_damping: -1, stiffness_damping: -1 };
    const send = (change: object) => this.send(encode.TuneDomain({ ...now(), ...change }));
    group.choice("domain", "that the controls below are for", () => choices(body.domains.map(({ name }, d) => ({ name, value: d }))), chosen, (domain) => {
      this.domain.set(b, domain);
      this.root.refresh();
    });
    group.number("pitch", "factor on the frequencies of its own vibrations", { low: 0.1, high: 4, log: true, unit: "×" }, () => now().frequency_scale, (pitch) => send({ frequency_scale: pitch }));
    const scene = () => ({ mass: this.now?.mass_damping ?? 0, stiffness: this.now?.stiffness_damping ?? 0 });
    group.toggle("own damping", "instead of the damping of the scene", () => now().mass_damping >= 0 || now().stiffness_damping >= 0, (on) =>
      send(on ? { mass_damping: scene().mass, stiffness_damping: scene().stiffness } : { mass_damping: -1, stiffness_damping: -1 }));
    const held = (value: number, otherwise: number) => (value < 0 ? otherwise : value);
    group.number("domain mass damping", "of this domain; the scene's, unless it has its own", { low: 0, high: 10, step: 0.01, unit: "1/s" }, () => held(now().mass_damping, scene().mass), (mass_damping) => send({ mass_damping }));
    group.number("domain stiffness damping", "of this domain; the scene's, unless it has its own", { low: 0, high: 0.1, step: 0.0005, unit: "s", prefixes: true }, () => held(now().stiffness_damping, scene().stiffness), (stiffness_damping) => send({ stiffness_damping }));
    group.button("detach it", "the domain comes off, with all that hangs on it; a reset brings it back", () => this.send(encode.Detach({ body: b, domain: chosen() })));
  }
}
