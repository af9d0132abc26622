// The page: connects, draws, and hands scripts the same powers as people (window.pliant).
import * as THREE from "three";
import { Body, type Look } from "./body";
import { Colours, isField } from "./colours";
import { Connection } from "./connection";
import { addExtras } from "./extras_panel";
import { Scenes } from "./gallery";
import { Ghosts } from "./ghost";
import { Hand } from "./hand";
import { History } from "./history";
import { Hud } from "./hud";
import { linkedScene, linkTo, recall, recallView, remember, rememberView } from "./memory";
import { Modes } from "./modes";
import { Panel, type Theme } from "./panel";
import { Picture } from "./picture";
import { Plots } from "./plots";
import { Obstacles } from "./obstacles";
import { encode, type Geometry, type Hello, type Positions, type ServerMessage, type Settings, type State } from "./protocol";
import { Recorder } from "./record";
import { Scale } from "./scale";
import { hasGraphicsProcessor, type Side, Stage } from "./stage";
import "./style.css";
import { Tools } from "./tools";

const small = window.innerWidth < 760;
const canvas = document.getElementById("stage") as HTMLCanvasElement;
const plotBox = document.getElementById("plots")!;
const hintBox = document.getElementById("hint")!;
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const FOLLOWED = 200; // points of a body from which its middle is taken

class App {
  private readonly stage: Stage;
  private readonly connection: Connection;
  private readonly hud: Hud;
  private readonly panel: Panel;
  private readonly hand: Hand;
  private readonly tools: Tools;
  private readonly colours: Colours;
  private readonly modes: Modes;
  private readonly ghosts: Ghosts;
  private readonly obstacles: Obstacles;
  private readonly recorder: Recorder;
  private readonly scale: Scale;
  private readonly scenes: Scenes;
  private readonly history: History;
  private plots: Plots | null = null;
  private hello: Hello | null = null;
  private state: State | null = null;
  private settings: Settings | null = null;
  private fresh = false; // a state that has not been drawn
  private look: Look = "surface";
  private steering = false;
  private link = "connecting";
  private session = 0;
  private readonly waiting = new Map<number, (answer: Positions) => void>();
  private requests = 0;
  private follows = true;
  private grabbed = recall("grabbed", false); // whether somebody has ever pulled a body here
  private fitted = false; // whether the view has taken in the obstacles
  private states = 0;
  private bytes = 0;
  private counted = performance.now();
  private counting = 0; // pictures drawn when the count began
  private drawn = 0; // states that are on the screen
  private photo: Picture | null = null; // the page is there for pictures, not for people

  constructor() {
    const query = new URLSearchParams(location.search);
    const quality = query.get("quality");
    this.stage = new Stage(canvas, quality === "fine" || (quality !== "plain" && hasGraphicsProcessor()));
    const token = query.get("token");
    this.connection = new Connection(
      `ws://${location.host}/ws${token ? `?token=${encodeURIComponent(token)}` : ""}`);
    const send = (frame: ArrayBuffer) => this.connection.send(frame);
    this.hud = new Hud({
      pause: () => this.pause(), step: () => this.step(1), reset: () => this.reset(), help: () => this.hud.help(), steer: () => this.steer(),
      scenes: () => this.scenes.show(true), saves: () => this.saves(),
    });
    this.scenes = new Scenes({
      open: (name) => send(encode.OpenScene({ name, model: "" })), cancel: () => send(encode.CancelBuild()), running: () => this.hello !== null,
    });
    this.history = new History(document.getElementById("timeline")!, (state) => this.lookBack(state));
    this.hand = new Hand(this.stage, send);
    this.hand.onGrab = () => this.grab();
    this.hand.ready = () => !this.history.shown && !this.modes.shown;
    this.colours = new Colours(this.stage, send);
    this.modes = new Modes(this.stage, send);
    this.ghosts = new Ghosts(this.stage);
    this.obstacles = new Obstacles(this.stage);
    this.recorder = new Recorder(this.stage, send, () => this.hello?.scene ?? "scene", (text, bad) => this.hud.say(text, bad));
    this.scale = new Scale(this.stage);
    this.tools = new Tools({
      stage: this.stage, send, say: (text, trouble) => this.hud.say(text, trouble), hello: () => this.hello,
      draw: (geometry) => this.draw(geometry),
      showSurfaces: () => this.panel.toggleVolume(false),
      preferred: () => this.panel.body,
      prefer: (body) => this.panel.keep({ body }),
    });
    this.panel = new Panel({
      send,
      tool: (name) => this.tools.begin(name),
      mayShowElements: () => this.mayShowElements(),
      setLook: (look) => this.setLook(look),
      showGround: (on) => this.stage.showGround(on),
      showAxes: (on) => this.showScale(on),
      showPlots: (on) => this.showPlots(on),
      showContacts: (on) => (this.obstacles.arrows = on),
      setFollow: (on) => (this.follows = on),
      setStrength: (strength) => (this.hand.strength = strength),
      setAnchors: (on) => (this.hand.anchors = on),
      setTheme: (theme) => this.setTheme(theme),
      home: () => this.stage.home(),
      say: (text) => this.hud.say(text, false),
      resized: () => requestAnimationFrame(() => this.makeRoom()),
      hasFloor: () => this.hello?.obstacles.some((obstacle) => obstacle.plane === 1) ?? false,
      extend: (group, hello) => addExtras(group, hello, this.modes, this.ghosts, send),
    }, small);
    this.panel.keep({ theme: recall<Theme>("theme", "system") });
    this.setTheme(this.panel.chosen.theme);
    dark.addEventListener("change", () => this.setTheme(this.panel.chosen.theme));
    document.body.classList.add("empty");
    this.connection.onMessage = (message, bytes) => this.receive(message, bytes);
    this.connection.onLink = (link, reason) => {
      this.link = link;
      this.hud.link(link, reason);
    };
    let wide = window.innerWidth > window.innerHeight;
    window.addEventListener("resize", () => {
      this.stage.resize();
      this.makeRoom();
      if (wide !== window.innerWidth > window.innerHeight) this.stage.home(); // a phone was turned
      wide = window.innerWidth > window.innerHeight;
    });
    // who uses the mouse keeps the keys of the page; who uses the keyboard keeps the focus
    document.addEventListener("click", (event) => {
      const control = event.detail > 0 ? (event.target as HTMLElement).closest<HTMLElement>("button, summary, input[type=checkbox], input[type=range]") : null;
      control?.blur();
    });
    window.addEventListener("pagehide", () => this.keepView());
    window.addEventListener("keydown", (event) => this.key(event), { capture: true }); // the settings let none through
    this.stage.resize();
    this.connection.open();
    requestAnimationFrame((now) => this.picture(now));
    if (query.has("picture")) this.photo = this.makePicture();
    this.offerToScripts();
  }

  private makePicture(): Picture {
    return new Picture({
      stage: this.stage,
      send: (frame) => this.connection.send(frame),
      newest: () => this.state,
      sights: (box) => this.obstacles.sights(box),
      complete: () => this.state !== null && !this.fresh && this.hello!.bodies.every((_, b) => this.stage.bodies[b]) && this.colours.settled(this.state.step),
      setLook: (look) => this.setLook(look),
      setScale: (on) => this.showScale(on),
      setBeside: (on) => {
        this.ghosts.place = on ? "beside" : "over";
        this.ghosts.apply();
      },
    });
  }

  private receive(message: ServerMessage, bytes: number): void {
    switch (message.kind) {
      case "Hello":
        this.welcome(message);
        break;
      case "Geometry":
        if (!this.tools.takes(message)) this.draw(message);
        break;
      case "State":
        this.state = message;
        if (!this.history.shown) this.fresh = true;
        this.states++;
        this.bytes = bytes;
        this.plots?.add(message);
        if (!this.photo) this.history.add(message);
        break;
      case "Gallery":
        this.scenes.receive(message);
        this.hud.offerScenes(this.scenes.offered);
        this.choose(message.current);
        break;
      case "Building":
        this.scenes.building(message);
        if (!message.running && message.failed) this.hud.say(message.stage, true);
        if (!message.running && message.scene) // without a scene soon, it has failed or was cancelled
          setTimeout(() => !this.hello && !document.body.classList.contains("building") && this.scenes.show(true), 400);
        break;
      case "Notice":
        this.hud.say(message.text, message.severity > 0);
        break;
      case "Steering":
        if (message.yours && !this.steering && message.pages > 1) this.hud.say("this page steers", false);
        if (!message.yours && (this.steering || !this.state)) this.hud.say("another page steers; press t, or the button, to take over", false);
        this.steering = message.yours !== 0;
        this.hud.steering(this.steering);
        break;
      case "Positions":
        this.waiting.get(message.request)?.(message);
        this.waiting.delete(message.request);
        break;
      case "Field":
        this.colours.receive(message);
        break;
      case "Mode":
        this.modes.receive(message);
        break;
      case "Recorded":
        this.recorder.receive(message);
        break;
      case "Settings":
        this.settings = message;
        this.panel.show(message);
        this.recorder.told(message.recording !== 0);
        break;
      default:
        this.tools.receive(message);
    }
  }

  private draw(geometry: Geometry): void {
    const info = this.hello?.bodies[geometry.body];
    if (!info) return;
    this.history.clear(); // its states mean other points
    const body = new Body(geometry.body, info, geometry, this.stage.fine);
    body.setLook(this.look);
    this.stage.add(body);
    this.fresh = this.state !== null; // where it is now, should no other state follow
    this.hand.renewed(geometry.body);
    this.ghosts.apply();
    this.colours.restart();
    this.tools.drawn(geometry.body);
  }

  private welcome(hello: Hello): void {
    const again = hello.session === this.session;
    const same = this.hello?.scene === hello.scene;
    this.session = hello.session;
    this.hello = hello;
    this.state = null;
    this.history.clear();
    this.tools.hello(hello);
    this.stage.clear();
    this.hud.hello(hello);
    this.panel.build(hello);
    document.body.classList.remove("empty");
    this.scenes.show(false);
    if (!again) this.plots = new Plots(plotBox, hello.scene, hello.probes.map((probe) => probe.name));
    this.obstacles.build(hello.obstacles);
    this.makeRoom();
    if (!same) this.stage.setBox(hello.low, hello.high);
    this.fitted = same;
    if (!same && !this.photo) this.returnTo(hello.scene);
    this.showHint();
  }

  /** Opens what a link asks for; without anything to show, the gallery. */
  private choose(current: string): void {
    const wanted = linkedScene();
    if (!this.hello && wanted && wanted !== current && this.scenes.has(wanted)) return this.scenes.open(wanted);
    if (!this.hello && !current) this.scenes.show(true);
  }

  /** The view as it was left, or as a link has it. */
  private returnTo(scene: string): void {
    const view = recallView(scene);
    if (!view) return;
    this.stage.view = view.camera;
    this.fitted = true;
    this.setLook(view.look);
  }
  private view() {
    return { scene: this.hello!.scene, camera: this.stage.view, look: this.look };
  }
  private keepView(): void {
    if (this.hello && !this.photo) rememberView(this.view());
  }

  /** The middle of the page is what panels leave free. */
  private makeRoom(): void {
    const wide = window.innerWidth;
    const panel = document.getElementById("panel")!.getBoundingClientRect();
    const beside = !this.photo && wide >= 760 && this.panel?.open && panel.width > 0;
    this.stage.setInsets({ left: 0, right: beside ? wide - panel.left : 0, top: 0, bottom: this.photo ? 0 : 90 });
  }

  private showPlots(on: boolean): void {
    plotBox.hidden = !on;
  }

  private setTheme(theme: Theme): void {
    const on = !this.photo && (theme === "dark" || (theme === "system" && dark.matches));
    document.documentElement.dataset.theme = on ? "dark" : "light";
    this.stage.setTheme(on);
    remember("theme", theme);
  }

  private showHint(): void {
    const bodies = this.hello?.bodies.length ?? 0;
    hintBox.hidden = this.grabbed || !bodies || this.photo !== null;
    hintBox.textContent = bodies > 1 ? "Drag a body to pull it" : "Drag the body to pull it";
  }
  private grab(): void {
    this.history.leave();
    if (this.grabbed) return;
    this.grabbed = true;
    remember("grabbed", true);
    this.showHint();
  }

  /** A kept state instead of the present; null: the present again. */
  private lookBack(state: State | null): void {
    this.fresh = true;
    if (state && !this.state?.paused) this.pause(true);
    if (isField(this.look)) // fields are those of the present
      for (const body of this.stage.bodies) body?.setLook(state ? "surface" : this.look);
    if (!state) this.colours.restart();
  }

  /** What the menu offers to keep. */
  private saves() {
    const { recorder } = this;
    return [
      { text: "picture (PNG)", tip: "what the canvas shows", act: () => recorder.picture() },
      { text: recorder.filming ? "■ end the film" : "film (WebM)", tip: "what the canvas shows, at the pace that you see", act: () => recorder.toggleFilm() },
      { text: recorder.recording ? "■ end the recording" : "recording (GLB)", tip: "the moving surfaces as glTF, recorded by the server", act: () => recorder.toggleGltf() },
      { text: "scene (TOML)", tip: "the scene's file with your edits in it", act: () => this.connection.send(encode.WriteScene({ download: 1 })) },
      { text: "copy a link", tip: "an address with this scene, camera and look", act: () => this.copyLink() },
    ];
  }
  private copyLink(): void {
    const link = linkTo(this.view());
    history.replaceState(null, "", link);
    navigator.clipboard?.writeText(link).then(() => this.hud.say("the link is in the clipboard", false), () => this.hud.say("the link is in the address bar", false));
  }

  /** The middle of the bodies that nothing holds; null: none is free. */
  private middle(state: State): THREE.Vector3 | null {
    const sum = new THREE.Vector3();
    let count = 0;
    state.bodies.forEach((body, b) => {
      const info = this.hello?.bodies[b];
      if (!info || info.held || info.ghost) return;
      const [list, size] = body.poses.length > 0 ? [body.poses, 7] : [body.positions, 3];
      const stride = size * Math.max(1, Math.floor(list.length / size / FOLLOWED));
      for (let i = 0; i + 2 < list.length; i += stride, count++) sum.add(new THREE.Vector3(list[i], list[i + 1], list[i + 2]));
    });
    return count > 0 ? sum.divideScalar(count) : null;
  }

  /** Where obstacles are is known with the first state: then the view takes them in. */
  private fit(hello: Hello): void {
    this.fitted = true;
    if (hello.obstacles.length === 0) return;
    this.stage.sights = this.obstacles.sights(new THREE.Box3(new THREE.Vector3().fromArray(hello.low), new THREE.Vector3().fromArray(hello.high)));
    this.stage.home();
  }

  private picture(now: number): void {
    requestAnimationFrame((next) => this.picture(next));
    this.hand.tick();
    const state = this.history.shown ?? this.state;
    if (this.fresh && state) {
      this.fresh = false;
      state.bodies.forEach((body, b) => this.stage.bodies[b]?.update(this.stage.renderer, body));
      this.obstacles.show(state);
      if (!this.fitted && this.hello && !this.photo) this.fit(this.hello);
      this.hand.showAnchors(state.bodies);
      this.hand.show(state.pull);
      this.hud.state({ ...state, paused: this.state?.paused ?? 1 }, this.hello?.is_static === 1, this.settings?.speed ?? 1);
      const middle = this.follows && !this.photo && !this.hand.pulling ? this.middle(state) : null;
      if (middle) this.stage.follow(middle);
      this.stage.changed = true;
      this.drawn++;
    }
    if (!this.history.shown) this.colours.tick(now, this.state?.step ?? -1);
    if (this.photo) {
      this.scale.update();
      return;
    }
    this.modes.tick(now);
    this.stage.draw();
    this.scale.update();
    this.plots?.draw(now);
    if (now - this.counted >= 1000) this.count((now - this.counted) / 1000, now);
  }

  /** While nothing changes there is no rate to tell. */
  private count(seconds: number, now: number): void {
    const pictures = this.stage.drawn - this.counting, moving = this.state?.paused === 0;
    this.hud.rates({ fps: pictures > 2 ? pictures / seconds : null, states: moving && this.states > 0 ? this.states / seconds : null, bytes: this.bytes });
    this.counting = this.stage.drawn;
    this.states = 0;
    this.counted = now;
  }

  private setLook(look: Look): void {
    if (look === "domains" && this.hello && !this.hello.bodies.some((body) => body.domains.length > 0))
      return this.hud.say("no body has domains", false);
    this.history.leave();
    this.look = look;
    this.colours.setLook(look);
    for (const body of this.stage.bodies) body?.setLook(look);
    this.stage.changed = true;
    this.panel.keep({ look });
  }

  private showScale(on: boolean): void {
    this.stage.showAxes(on);
    this.scale.show(on);
    this.panel.keep({ axes: on });
  }

  /** Tools work on the surface. */
  private mayShowElements(): boolean {
    if (this.tools.open) this.hud.say("elements are not shown while a tool is open: it works on the surface", false);
    return !this.tools.open;
  }

  private pause(on = !(this.state?.paused ?? 0)): void {
    if (!on) this.history.leave();
    this.connection.send(encode.Pause({ on: on ? 1 : 0 }));
  }
  private step(count: number): void {
    this.history.leave();
    this.connection.send(encode.Step({ count }));
  }
  private reset(): void {
    this.connection.send(encode.Reset());
  }

  private steer(): void {
    this.connection.send(encode.Steer());
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const typing = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && !["checkbox", "range"].includes(target.type));
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      event.preventDefault();
      return this.connection.send(event.shiftKey ? encode.Redo() : encode.Undo());
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    // what has the visible focus takes its own keys
    const pressed = event.key === " " && target !== canvas && target.matches("button, summary, input, [tabindex]") && target.matches(":focus-visible");
    if (pressed || (this.scenes.shown && event.key !== "Escape")) return;
    const acts: Record<string, () => void> = {
      " ": () => this.pause(),
      s: () => this.step(event.shiftKey ? 10 : 1),
      ".": () => this.step(1),
      r: () => this.reset(),
      w: () => this.setLook(this.look === "wireframe" ? "surface" : "wireframe"),
      d: () => this.setLook(this.look === "domains" ? "surface" : "domains"),
      f: () => this.setLook("surface"),
      g: () => this.panel.flip("ground"),
      p: () => this.panel.flip("plots"),
      v: () => this.stage.home(),
      "1": () => this.stage.home("front"),
      "2": () => this.stage.home("right"),
      "3": () => this.stage.home("top"),
      o: () => this.scenes.show(true),
      k: () => this.connection.send(encode.SaveState()),
      l: () => this.connection.send(encode.LoadState()),
      b: () => this.tools.begin("sketch"),
      c: () => this.tools.begin("cut"),
      t: () => this.steer(),
      a: () => this.panel.flip("anchors"),
      e: () => this.panel.toggleVolume(),
      m: () => this.panel.toggle(),
      h: () => this.hud.help(),
      "?": () => this.hud.help(),
      escape: () => this.escape(),
    };
    const act = acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
  private escape(): void {
    if (this.hud.close()) return;
    if (this.scenes.shown) return this.hello ? this.scenes.show(false) : undefined;
    this.history.leave();
  }

  private bodyNumber(body: number | string): number {
    const number = typeof body === "number" ? body : (this.hello?.bodies.findIndex((one) => one.name === body) ?? -1);
    if (!this.stage.bodies[number]) throw new Error(`there is no body ${body}`);
    return number;
  }

  private offerToScripts(): void {
    const api = {
      /** What the page knows: the scene and the newest state that is on the screen. */
      state: () => ({
        link: this.link, steering: this.steering, session: this.session, drawn: this.drawn, bytes: this.bytes,
        scene: this.hello?.scene ?? "", step: this.state?.step ?? -1, epoch: this.state?.epoch ?? 0,
        time: this.state?.time ?? 0, paused: this.state?.paused === 1, healthy: this.state?.healthy === 1,
        ratio: this.state?.ratio ?? 0, energy: { kinetic: this.state?.kinetic ?? 0, strain: this.state?.strain ?? 0, potential: this.state?.potential ?? 0 },
        pulling: this.state?.pull.active === 1, force: this.state?.pull.force ?? [0, 0, 0], fresh: this.fresh,
        bodies: (this.hello?.bodies ?? []).map(({ name, model, dofs, points, triangles }) => ({ name, model, dofs, points, triangles })),
        size: this.stage.size, look: this.look, lookingBack: this.history.shown !== null, kept: this.history.count,
        view: this.stage.view, pictures: this.stage.drawn, floor: this.stage.floorHeight,
        gravity: this.settings?.gravity ?? this.hello?.gravity ?? [0, 0, 0], speed: this.settings?.speed ?? 1,
        edits: (this.settings?.edits ?? []).map(({ text, undone }) => ({ text, undone: undone !== 0 })),
        shapes: (this.hello?.bodies ?? []).map(({ modes }) => modes),
      }),
      /** Places of all points (x, y, z of each), as the graphics processor has them. */
      positions: (body: number | string): Float32Array =>
        this.stage.bodies[this.bodyNumber(body)].deformation.read(this.stage.renderer),
      /** The same as the server's processor has them, with the step that they belong to. */
      serverPositions: (body: number | string): Promise<Positions> => new Promise((resolve) => {
        const request = ++this.requests;
        this.waiting.set(request, resolve);
        this.connection.send(encode.AskPositions({ request, body: this.bodyNumber(body) }));
      }),
      /** A constant force (N) on a point, until release(). */
      pull: (body: number | string, point: number, force: [number, number, number]) =>
        this.connection.send(encode.PullForce({ body: this.bodyNumber(body), point, force })),
      /** A spring from a point to a place (m), until release(). */
      pullTo: (body: number | string, point: number, target: [number, number, number], strength = 1) =>
        this.connection.send(encode.PullSpring({ body: this.bodyNumber(body), point, target, strength })),
      release: () => this.connection.send(encode.Release()),
      /** The anchor of a body goes there: m from its place in the scene. */
      dragAnchor: (body: number | string, shift: [number, number, number]) =>
        this.connection.send(encode.DragAnchor({ body: this.bodyNumber(body), shift })),
      /** Where it is. */
      anchor: (body: number | string) => this.state?.bodies[this.bodyNumber(body)].shift ?? [0, 0, 0],
      pause: (on = true) => this.pause(on),
      step: (count = 1) => this.step(count),
      reset: () => this.reset(),
      steer: () => this.steer(),
      setGravity: (gravity: [number, number, number]) => this.connection.send(encode.SetGravity({ gravity })),
      setClock: (dt: number, speed = 1) => this.connection.send(encode.SetClock({ dt, speed })),
      setMaterial: (body: number | string, region: number, young: number, density: number) =>
        this.connection.send(encode.SetMaterial({ body: this.bodyNumber(body), region, young, density })),
      detach: (body: number | string, domain: number) =>
        this.connection.send(encode.Detach({ body: this.bodyNumber(body), domain })),
      /** m/s; gusts as a share of it. null: none blows. */
      setWind: (velocity: [number, number, number] | null, gust = 0, gust_period = 2) =>
        this.connection.send(encode.SetWind({ on: velocity ? 1 : 0, velocity: velocity ?? [0, 0, 0], gust, gust_period })),
      /** The first so many shapes of a body's basis. */
      setModes: (body: number | string, count: number) =>
        this.connection.send(encode.SetModes({ body: this.bodyNumber(body), count })),
      undo: () => this.connection.send(encode.Undo()),
      redo: () => this.connection.send(encode.Redo()),
      /** The scene with all edits: for the browser to keep, or to the file of --write. */
      writeScene: (download = true) => this.connection.send(encode.WriteScene({ download: download ? 1 : 0 })),
      /** Opens another scene of the gallery; with a model instead of the scene's. */
      open: (name: string, model = "") => this.connection.send(encode.OpenScene({ name, model })),
      /** Another model for all bodies; the page goes on while they are built. */
      setModel: (model: string) => this.connection.send(encode.SetModel({ model })),
      /** A second version of the scene with another model; "": none. */
      setGhost: (model: string) => this.connection.send(encode.SetGhost({ model })),
      /** Looks back at a kept state, from 0; a negative one: the present. */
      lookBack: (k: number) => (k < 0 ? this.history.leave() : this.history.show(k)),
      /** Camera: its place and what it looks at. */
      setView: (view: number[]) => (this.stage.view = view),
      frameAll: (side?: Side) => this.stage.home(side),
      link: () => linkTo(this.view()),
      look: (look: Look) => this.setLook(look),
      /** Elements instead of surfaces; axis 1, 2, 3: without those beyond a share of the way along x, y, z. */
      volume: (on = true, axis = 0, share = 0.5) => this.connection.send(encode.SetVolume({ on: on ? 1 : 0, axis, share })),
      /** Whether the colours on the screen are those of the state. */
      coloured: () => isField(this.look) && this.colours.settled(this.state?.step ?? -1),
      /** A natural mode (from 0) in place of the simulation; a negative one: the simulation again. */
      mode: (body: number | string, mode: number) => this.modes.show(this.bodyNumber(body), mode),
      showsMode: () => this.modes.shown,
      /** Where ghosts are drawn: "over", "beside" or "hidden". */
      ghost: (place: "over" | "beside" | "hidden") => {
        this.ghosts.place = place;
        this.ghosts.apply();
      },
      /** Axes and a scale bar. */
      axes: (on = true) => this.showScale(on),
      /** Begins or ends a recording; the last file that came of one. */
      record: () => this.recorder.toggleGltf(),
      recorded: () => this.recorder.last,
      /** Sketches and cuts. */
      tools: this.tools.api,
      /** Where a point is on the canvas, in CSS pixels. */
      project: (body: number | string, point: number): [number, number] => {
        const p = this.stage.bodies[this.bodyNumber(body)].deformation.read(this.stage.renderer, point);
        return this.stage.project(p);
      },
      /** What is drawn at a place of the canvas. */
      pick: (x: number, y: number) => this.stage.pick(x, y),
      /** For `pliant render`. */
      picture: this.photo,
    };
    (window as unknown as { pliant: typeof api }).pliant = api;
  }
}

try {
  new App();
} catch (error) {
  const gone = document.getElementById("gone")!;
  gone.hidden = false;
  gone.textContent = `This page cannot draw here: ${error instanceof Error ? error.message : String(error)}`;
  throw error;
}
