// The panel of settings. What one page changes, the server tells all.
import GUI, { type Controller } from "lil-gui";
import "../node_modules/lil-gui/dist/lil-gui.css"; // the package exports no style
import type { Look } from "./body";
import { encode, type BodyInfo, type Hello, type Settings } from "./protocol";

export interface PanelActions {
  send(frame: ArrayBuffer): void;
  setLook(look: Look): void;
  showGround(on: boolean): void;
  showAxes(on: boolean): void;
  showPlots(on: boolean): void;
  showContacts(on: boolean): void;
  setStrength(strength: number): void;
  /** Drags move the anchor instead of a point. */
  setAnchors(on: boolean): void;
  home(): void;
  tool(name: "sketch" | "cut"): void;
  /** Whether elements may be shown now; says why not. */
  mayShowElements(): boolean;
  say(text: string): void;
  /** Further folders, at the panel's end. */
  extend(gui: GUI, hello: Hello): void;
}

/** What people have chosen on this page; it outlives scenes. */
interface Kept {
  look: Look;
  ground: boolean;
  axes: boolean;
  plots: boolean;
  contacts: boolean;
  strength: number;
  anchors: boolean;
  body: number; // that tools are for
}

const LEAST_STRAIN = -0.01; // left end of a slider: the scene's damping
const AXES = ["nothing", "x", "y", "z"];
const decades = (x: number) => Number(Math.log10(Math.max(x, 1e-12)).toFixed(4));
/** Numbers of the bodies that can be edited. */
const own = (hello: Hello) => hello.bodies.map((body, b) => ({ body, b })).filter(({ body }) => !body.ghost);
/** A choice for lil-gui; equal names get numbers. */
function choices(list: { name: string; value: number }[]): Record<string, number> {
  const made: Record<string, number> = {};
  for (const { name, value } of list) made[name in made ? `${name} (${value})` : name] = value;
  return made;
}

export class Panel {
  private gui: GUI | null = null;
  private readonly clock = { dt: 0.01, speed: 1 };
  private readonly gravity = { x: 0, y: 0, z: 0 };
  private readonly damping = { mass: 0, stiffness: 0 };
  private readonly wind = { on: false, speed: 5, towards: 0, up: 0, gust: 0, period: 2 };
  private readonly volume = { on: false, cut: AXES[0], at: 0.5 };
  private edits: Settings["edits"] = [];
  private last: Settings | null = null;
  private undoButton: Controller | null = null;
  private redoButton: Controller | null = null;
  private fileButton: Controller | null = null;
  private quiet = false; // values are being shown, not changed
  private readonly kept: Kept;
  private refreshers: ((settings: Settings) => void)[] = []; // of values that belong to bodies

  constructor(private readonly actions: PanelActions, private readonly small: boolean) {
    this.kept = { look: "surface", ground: true, axes: false, plots: !small, contacts: false, strength: 0, anchors: false, body: 0 };
  }

  /** Builds the panel for a scene. */
  build(hello: Hello): void {
    const open = this.gui ? !this.gui._closed : !this.small;
    const closed = new Map(this.gui?.folders.map((folder) => [folder._title, folder._closed]));
    this.gui?.destroy();
    this.refreshers = [];
    const gui = (this.gui = new GUI({ title: "settings", width: this.small ? 250 : 270, injectStyles: false }));
    const { actions, kept } = this;
    const send = (frame: () => ArrayBuffer) => () => {
      if (!this.quiet) actions.send(frame());
    };

    const view = gui.addFolder("view");
    const looks: Look[] = hello.bodies.some((body) => body.domains.length > 0) ? ["surface", "wireframe", "domains"] : ["surface", "wireframe"];
    looks.push("displacement", "stress");
    if (!looks.includes(kept.look)) kept.look = "surface";
    view.add(kept, "look", looks).onChange((look: Look) => actions.setLook(look));
    const show = () => {
      if (this.quiet) return;
      if (actions.mayShowElements()) this.sendVolume();
      else this.show(this.last);
    };
    view.add(this.volume, "on").name("elements (e)").onChange(show);
    view.add(this.volume, "cut", AXES).name("cut along").onChange(show);
    view.add(this.volume, "at", 0, 1, 0.01).name("beyond").onFinishChange(show);
    view.add(kept, "ground").onChange((on: boolean) => actions.showGround(on));
    view.add(kept, "axes").onChange((on: boolean) => actions.showAxes(on));
    view.add(kept, "plots").onChange((on: boolean) => actions.showPlots(on));
    if (hello.obstacles.length > 0) view.add(kept, "contacts").name("contact forces").onChange((on: boolean) => actions.showContacts(on));
    view.add({ "whole view": () => actions.home() }, "whole view");
    actions.setLook(kept.look);

    const edit = gui.addFolder("edit");
    this.undoButton = edit.add({ undo: () => actions.send(encode.Undo()) }, "undo");
    this.redoButton = edit.add({ redo: () => actions.send(encode.Redo()) }, "redo");
    edit.add({ write: () => actions.send(encode.WriteScene({ download: 1 })) }, "write").name("download the scene");
    this.fileButton = edit.add({ write: () => actions.send(encode.WriteScene({ download: 0 })) }, "write").name("write it to its file");
    const bodies = own(hello);
    if (!bodies.some(({ b }) => b === kept.body)) kept.body = bodies[0]?.b ?? 0;
    if (bodies.length > 1) edit.add(kept, "body", choices(bodies.map(({ body, b }) => ({ name: body.name, value: b })))).name("body of tools");
    if (bodies.some(({ body }) => body.model === "modal")) edit.add({ sketch: () => actions.tool("sketch") }, "sketch").name("sketch a basis (b)");
    edit.add({ cut: () => actions.tool("cut") }, "cut").name("cut into domains (c)");

    const hand = gui.addFolder("hand");
    hand.add(kept, "strength", -2, 1, 0.05).name("strength (log₁₀)").onChange((s: number) => actions.setStrength(10 ** s));
    if (bodies.some(({ body }) => body.held)) hand.add(kept, "anchors").name("move the anchor (a)").onChange((on: boolean) => actions.setAnchors(on));

    const time = gui.addFolder("time");
    const clock = send(() => encode.SetClock({ dt: this.clock.dt, speed: this.clock.speed }));
    time.add(this.clock, "speed", 0.05, 2, 0.05).name("speed ×").onChange(clock);
    if (!hello.is_static) time.add(this.clock, "dt", hello.dt / 8, hello.dt * 4).name("dt (s)").decimals(5).onFinishChange(clock);
    time.add({ "keep state": () => actions.send(encode.SaveState()) }, "keep state");
    time.add({ "back to kept state": () => actions.send(encode.LoadState()) }, "back to kept state");

    const forces = gui.addFolder("gravity and damping");
    const gravity = send(() => encode.SetGravity({ gravity: [this.gravity.x, this.gravity.y, this.gravity.z] }));
    for (const axis of ["x", "y", "z"] as const) forces.add(this.gravity, axis, -20, 20, 0.01).name(`g ${axis} (m/s²)`).onChange(gravity);
    const damping = send(() => encode.SetDamping(this.damping));
    forces.add(this.damping, "mass", 0, 10, 0.01).name("of motion (1/s)").onChange(damping);
    forces.add(this.damping, "stiffness", 0, 0.1, 0.0005).name("of strain (s)").onChange(damping);
    if (this.small) forces.close();

    if (!hello.is_static) this.addWind(gui);
    this.addMaterials(gui, hello);
    this.addModes(gui, hello);
    this.addDomains(gui, hello);
    actions.extend(gui, hello);
    for (const folder of gui.folders) if (closed.has(folder._title)) folder.open(!closed.get(folder._title));
    if (!open) gui.close();
    this.show(this.last); // newer settings follow a hello
  }

  /** Shows what holds now. */
  show(settings: Settings | null): void {
    if (!settings) return;
    this.last = settings;
    this.clock.dt = settings.dt;
    this.clock.speed = settings.speed;
    [this.gravity.x, this.gravity.y, this.gravity.z] = settings.gravity.map((g) => Number(g.toPrecision(7))); // floats
    this.damping.mass = settings.mass_damping;
    this.damping.stiffness = settings.stiffness_damping;
    this.volume.on = settings.volume_on !== 0;
    if (this.volume.on) [this.volume.cut, this.volume.at] = [AXES[settings.volume_axis], settings.volume_share];
    this.showWind(settings);
    this.showEdits(settings);
    for (const refresh of this.refreshers) refresh(settings);
    this.display();
  }

  private display(): void {
    this.quiet = true;
    for (const controller of this.gui?.controllersRecursive() ?? []) controller.updateDisplay();
    this.quiet = false;
  }

  /** Shows what keys and scripts have chosen. */
  keep(chosen: Partial<Kept>): void {
    Object.assign(this.kept, chosen);
    this.display();
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
    if (on === this.volume.on || (on && !this.actions.mayShowElements())) return;
    this.volume.on = on;
    this.sendVolume();
  }
  private sendVolume(): void {
    this.actions.send(encode.SetVolume({ on: this.volume.on ? 1 : 0, axis: AXES.indexOf(this.volume.cut), share: this.volume.at }));
  }

  toggle(): void {
    if (this.gui?._closed) this.gui.open();
    else this.gui?.close();
  }

  private addMaterials(gui: GUI, hello: Hello): void {
    const folder = gui.addFolder("material");
    const bodies = own(hello);
    for (const { body, b } of bodies)
      body.regions.forEach((region, r) => {
        const name = [bodies.length > 1 ? body.name : "", body.regions.length > 1 ? `region ${r}` : ""].filter(Boolean).join(", ");
        const now = () => this.last?.regions.find((one) => one.body === b && one.region === r) ?? { body: b, region: r, ...region };
        const send = (change: { young: number } | { density: number }) => this.actions.send(encode.SetMaterial({ ...now(), ...change }));
        const values = { young: decades(region.young), density: region.density };
        const label = (what: string) => (name ? `${name}: ${what}` : what);
        folder.add(values, "young", Math.floor(values.young) - 2, Math.ceil(values.young) + 2, 0.01).name(label("E (log₁₀ Pa)")).onFinishChange((young: number) => send({ young: 10 ** young }));
        folder.add(values, "density", region.density / 10, region.density * 4).name(label("density (kg/m³)")).decimals(0).onFinishChange((density: number) => send({ density }));
        this.refreshers.push(() => {
          values.young = decades(now().young);
          values.density = now().density;
        });
      });
    folder.close();
  }

  /** Directions as on a map: where the wind blows to, x is 0°, y is 90°. */
  private addWind(gui: GUI): void {
    const folder = gui.addFolder("wind");
    const { wind } = this;
    const send = () => {
      if (this.quiet) return;
      const flat = wind.speed * Math.cos((wind.up * Math.PI) / 180), angle = (wind.towards * Math.PI) / 180;
      const velocity = [flat * Math.cos(angle), flat * Math.sin(angle), wind.speed * Math.sin((wind.up * Math.PI) / 180)]
        .map((v) => Number(v.toFixed(4))) as [number, number, number];
      this.actions.send(encode.SetWind({ on: wind.on ? 1 : 0, velocity, gust: wind.gust, gust_period: wind.period }));
    };
    folder.add(wind, "on").name("blows").onChange(send);
    const more = () => wind.on && send(); // nothing is built for a wind that does not blow
    folder.add(wind, "speed", 0, 40, 0.1).name("speed (m/s)").onFinishChange(more);
    folder.add(wind, "towards", -180, 180, 1).name("towards (° from x to y)").onFinishChange(more);
    folder.add(wind, "up", -90, 90, 1).name("upwards (°)").onFinishChange(more);
    folder.add(wind, "gust", 0, 2, 0.05).name("gusts ×").onFinishChange(more);
    folder.add(wind, "period", 0.2, 10, 0.1).name("gust period (s)").onFinishChange(more);
    if (!wind.on) folder.close();
  }

  private showWind(settings: Settings): void {
    const { wind } = this;
    const [x, y, z] = settings.wind;
    const speed = Math.hypot(x, y, z);
    wind.on = settings.wind_on !== 0;
    if (!wind.on || speed === 0) return; // what the sliders say is kept for when it blows again
    wind.speed = Number(speed.toFixed(3));
    wind.towards = Number(((Math.atan2(y, x) * 180) / Math.PI).toFixed(2));
    wind.up = Number(((Math.asin(z / speed) * 180) / Math.PI).toFixed(2));
    wind.gust = settings.gust;
    wind.period = settings.gust_period;
  }

  /** Buttons say what they would take back or do again. */
  private showEdits(settings: Settings): void {
    const before = this.edits;
    this.edits = settings.edits;
    const undone = settings.edits.findIndex((edit) => edit.undone);
    const last = undone < 0 ? settings.edits.length - 1 : undone - 1;
    const label = (button: Controller | null, text: string, on: boolean) => {
      button?.name(text).enable(on);
      if (button) button.domElement.title = text; // the panel may be too narrow for all of it
    };
    label(this.undoButton, last >= 0 ? `undo: ${settings.edits[last].text}` : "nothing to undo", last >= 0);
    label(this.redoButton, undone >= 0 ? `redo: ${settings.edits[undone].text}` : "nothing to redo", undone >= 0);
    this.redoButton?.show(undone >= 0);
    this.fileButton?.show(settings.file !== 0);
    const count = (edits: Settings["edits"]) => edits.filter((edit) => edit.undone).length;
    // a new edit in place of one that was undone is another list
    if (before.length !== settings.edits.length || before.some((edit, i) => edit.text !== settings.edits[i].text)) return;
    if (count(before) < count(settings.edits)) this.actions.say(`undone: ${settings.edits[undone].text}`);
    if (count(before) > count(settings.edits)) this.actions.say(`again: ${settings.edits[last].text}`);
  }

  private addModes(gui: GUI, hello: Hello): void {
    const bodies = own(hello).filter(({ body }) => body.modes_most > 1);
    if (bodies.length === 0) return;
    const folder = gui.addFolder("shapes in use");
    for (const { body, b } of bodies) {
      const values = { count: body.modes };
      folder.add(values, "count", 1, body.modes_most, 1).name(body.name).onFinishChange((count: number) => this.actions.send(encode.SetModes({ body: b, count })));
    }
    folder.close();
  }

  private addDomains(gui: GUI, hello: Hello): void {
    const bodies = own(hello);
    for (const { body, b } of bodies)
      if (body.domains.length > 0) this.addDomainsOf(gui.addFolder(bodies.length > 1 ? `domains of ${body.name}` : "domains"), body, b);
  }

  private addDomainsOf(folder: GUI, body: BodyInfo, b: number): void {
    const values = { domain: Math.min(1, body.domains.length - 1), pitch: 1, mass: -1, stiffness: LEAST_STRAIN };
    const now = () => this.last?.domains.find((one) => one.body === b && one.domain === values.domain)
      ?? { body: b, domain: values.domain, frequency_scale: 1, mass_damping: -1, stiffness_damping: -1 };
    const send = (change: object) => this.actions.send(encode.TuneDomain({ ...now(), ...change }));
    const given = (damping: number) => (damping < 0 ? -1 : damping);
    const names = choices(body.domains.map(({ name }, d) => ({ name, value: d })));
    folder.add(values, "domain", names).onChange(() => this.show(this.last));
    folder.add(values, "pitch", 0.1, 4, 0.01).name("pitch ×").onFinishChange((pitch: number) => send({ frequency_scale: pitch }));
    const label = () => {
      mass.name(values.mass < 0 ? "damping: scene's" : "damping (1/s)");
      stiffness.name(values.stiffness < 0 ? "strain: scene's" : "strain damping (s)");
    };
    const mass = folder.add(values, "mass", -1, 10, 0.01).onChange(label).onFinishChange((damping: number) => send({ mass_damping: given(damping) }));
    const stiffness = folder.add(values, "stiffness", LEAST_STRAIN, 0.1, 0.0005).onChange(label).onFinishChange((damping: number) => send({ stiffness_damping: given(damping) }));
    folder.add({ detach: () => this.actions.send(encode.Detach({ body: b, domain: values.domain })) }, "detach").name("detach it");
    for (const one of [mass, stiffness]) one.domElement.title = "below zero: the damping of the scene";
    label();
    this.refreshers.push(() => {
      const { frequency_scale, mass_damping, stiffness_damping } = now();
      [values.pitch, values.mass, values.stiffness] = [frequency_scale, mass_damping, Math.max(LEAST_STRAIN, stiffness_damping)];
      label();
    });
    folder.close();
  }
}
