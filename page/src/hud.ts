// Words on the page: what runs and how well, the buttons, notices, help, and what to say when the server is gone.
import type { Link } from "./connection";
import { tick } from "./plots";
import type { Hello, State } from "./protocol";
import { byTouch, make } from "./tool_card";

const BY_MOUSE: [string, string][] = [
  ["drag a body", "pull it"],
  ["Shift + drag, or a", "move what holds the body"],
  ["drag elsewhere", "turn the view (right button: move it)"],
  ["wheel", "zoom"],
];
const BY_FINGER: [string, string][] = [
  ["drag a body", "pull it"],
  ["drag elsewhere", "turn the view"],
  ["two fingers", "move the view; pinch to zoom"],
  ["settings, hand, move the anchor", "drags move what holds the body"],
];
const KEYS: [string, string][] = [
  ["Space", "pause, go on"],
  ["s or .", "one step (Shift: ten)"],
  ["r", "back to the start"],
  ["w / d / f", "wireframe / domains / surface"],
  ["e", "elements instead of the surface"],
  ["g / p", "floor / plots on and off"],
  ["v", "frame all"],
  ["1 / 2 / 3", "view from the front / right / top"],
  ["k / l", "keep the state / go back to it"],
  ["b / c", "sketch a basis / cut into domains"],
  ["Ctrl+Z, with Shift", "undo an edit, redo it"],
  ["o", "open another scene"],
  ["t", "steer from this page"],
  ["m", "settings on and off"],
  ["h or ?", "this help"],
];

export interface BarActions {
  pause(): void;
  step(): void;
  reset(): void;
  help(): void;
  steer(): void;
  scenes(): void;
  /** What can be saved now. */
  saves(): { text: string; tip: string; act(): void }[];
}

/** What the corner says about rates; a number that is not known is null. */
export interface Rates {
  fps: number | null;
  states: number | null;
  bytes: number;
}

export class Hud {
  private readonly rows = new Map<string, HTMLElement>();
  private readonly pauseButton: HTMLButtonElement;
  private readonly steerButton: HTMLButtonElement;
  private readonly scenesButton: HTMLButtonElement;
  private readonly menu = make("div", { className: "menu card", hidden: true });
  private readonly hud = document.getElementById("hud")!;
  private readonly gone = document.getElementById("gone")!;
  private readonly helpBox = document.getElementById("help")!;
  private readonly toasts = document.getElementById("toasts")!;
  private readonly toastTimers = new Map<HTMLElement, number>();
  private title = "";
  private details = false; // are open
  private before: HTMLElement | null = null; // had the focus before the help

  constructor(private readonly actions: BarActions) {
    const bar = document.getElementById("bar")!;
    const button = (label: string, hint: string, act: () => void): HTMLButtonElement => {
      const made = make("button", { type: "button", textContent: label, title: hint });
      made.setAttribute("aria-label", hint);
      made.addEventListener("click", act);
      bar.append(made);
      return made;
    };
    this.scenesButton = button("scenes", "open another scene (o)", actions.scenes);
    this.scenesButton.hidden = true;
    this.pauseButton = button("❚❚", "pause (Space)", actions.pause);
    button("▸❘", "one step (s)", actions.step);
    button("↺", "back to the start (r)", actions.reset);
    const save = button("save", "save a picture, a film, a recording or the scene", () => this.openMenu(this.menu.hidden));
    save.setAttribute("aria-haspopup", "true");
    this.menu.id = "save-menu";
    bar.append(this.menu);
    document.addEventListener("pointerdown", (event) => {
      if (!this.menu.hidden && !bar.contains(event.target as Node)) this.openMenu(false);
    });
    button("?", "help (h)", actions.help);
    this.steerButton = button("take over", "steer from this page (t)", actions.steer);
    this.steerButton.hidden = true;
    this.makeHelp();
  }

  private makeHelp(): void {
    const close = make("button", { type: "button", className: "close", textContent: "close" });
    close.addEventListener("click", () => this.help(false));
    const list = (rows: [string, string][]) => make("dl", {}, ...rows.flatMap(([key, text]) => [make("dt", { textContent: key }), make("dd", { textContent: text })]));
    const box = make("div", { className: "card" }, make("h2", { textContent: "Pliant" }));
    if (byTouch) box.append(make("h3", { textContent: "with fingers" }), list(BY_FINGER), make("h3", { textContent: "with a keyboard" }), list(KEYS));
    else box.append(list([...BY_MOUSE, ...KEYS]));
    box.append(make("p", { textContent: "docs/guide/page.md tells the rest." }), close);
    this.helpBox.append(box);
    this.helpBox.addEventListener("click", (event) => event.target === this.helpBox && this.help(false));
  }

  private openMenu(on: boolean): void {
    this.menu.hidden = !on;
    if (!on) return;
    this.menu.replaceChildren(...this.actions.saves().map(({ text, tip, act }) => {
      const made = make("button", { type: "button", textContent: text, title: tip });
      made.addEventListener("click", () => {
        this.openMenu(false);
        act();
      });
      return made;
    }));
  }

  /** Whether scenes can be opened here. */
  offerScenes(on: boolean): void {
    this.scenesButton.hidden = !on;
  }

  hello(hello: Hello): void {
    this.title = hello.scene;
    document.title = `${hello.scene} · Pliant`;
    const own = hello.bodies.filter((body) => !body.ghost), ghosts = hello.bodies.filter((body) => body.ghost);
    const models = (list: Hello["bodies"]) => [...new Set(list.map((body) => body.model))].join(", ");
    const sum = (list: Hello["bodies"], of: (body: Hello["bodies"][0]) => number) => list.reduce((all, body) => all + of(body), 0);
    const dofs = (list: Hello["bodies"]) => `${sum(list, (b) => b.dofs).toLocaleString("en")} degrees of freedom`;
    const domains = sum(own, (body) => body.domains.length);
    const parts = [models(own), dofs(own)];
    if (domains > 0) parts.push(`${domains.toLocaleString("en")} domains`);
    this.hud.replaceChildren(make("h1", { textContent: hello.scene }), make("p", { className: "quiet", textContent: parts.join(" · ") }));
    if (ghosts.length > 0)
      this.hud.append(make("p", { className: "quiet", textContent: ghosts[0].model === "recorded" ? "ghost: a recorded run" : `ghost: ${models(ghosts)} · ${dofs(ghosts)}` }));
    this.rows.clear();
    const list = (keys: [string, string][]) => make("dl", {}, ...keys.flatMap(([key, tip]) => {
      const value = make("dd", { textContent: "–" });
      this.rows.set(key, value);
      return [make("dt", { textContent: key, title: tip }), value];
    }));
    this.hud.append(list([["time", "of the scene"], ["pace", "how fast the scene runs"]]));
    const more = make("details", { open: this.details }, make("summary", { textContent: "details" }),
      list([["step", "computing time of a step: the median, and what 99 of 100 steps stay below"], ["fps", "pictures drawn per second"], ["states", "that come from the server"], ["triangles", "that are drawn"]]));
    more.addEventListener("toggle", () => (this.details = more.open));
    this.hud.append(more);
    this.set("triangles", sum(hello.bodies, (b) => b.triangles).toLocaleString("en"));
  }

  /** `speed`: simulated seconds per second that are wanted; `back`: a kept state is shown, so many seconds old. */
  state(state: State, isStatic: boolean, speed: number): void {
    this.set("time", isStatic ? `load factor ${state.time.toFixed(3)}` : `${state.time.toFixed(2)} s`);
    const share = state.ratio / speed;
    const words = speed === 1 && share > 0.97 ? "real time"
      : `${state.ratio.toFixed(2)} × real time${speed === 1 ? "" : share > 0.97 ? ", as asked" : `, asked: ${Number(speed.toPrecision(3))}`}`;
    const done = isStatic && state.time >= 1 ? "in equilibrium" : "paused";
    this.set("pace", !state.healthy ? "failed" : state.paused ? done : isStatic ? "loading" : state.ratio > 0 ? words : "…");
    this.rows.get("pace")?.classList.toggle("bad", !state.healthy || (!isStatic && !state.paused && share > 0 && share < 0.9));
    this.set("step", state.step_p50 > 0 ? `median ${tick(state.step_p50, "s")}, 99 %: ${tick(state.step_p99, "s")}` : "–");
    this.pauseButton.textContent = state.paused ? "▶" : "❚❚";
    const hint = state.paused ? "go on (Space)" : "pause (Space)";
    this.pauseButton.title = hint;
    this.pauseButton.setAttribute("aria-label", hint);
  }

  rates({ fps, states, bytes }: Rates): void {
    this.set("fps", fps === null ? "–" : fps.toFixed(0));
    this.set("states", states === null ? "–" : `${states.toFixed(0)} /s, ${bytes >= 1000 ? (bytes / 1000).toFixed(1) + " kB" : bytes + " B"} each`);
  }

  /** A line that goes away by itself. The same words again only stay longer. */
  say(text: string, trouble: boolean): void {
    const same = [...this.toasts.children].find((line) => line.textContent === text) as HTMLElement | undefined;
    const line = same ?? make("div", { textContent: text, className: trouble ? "toast bad" : "toast" });
    if (!same) this.toasts.append(line);
    while (this.toasts.childElementCount > 4) this.toasts.firstElementChild!.remove();
    clearTimeout(this.toastTimers.get(line));
    this.toastTimers.set(line, window.setTimeout(() => {
      line.remove();
      this.toastTimers.delete(line);
    }, trouble ? 9000 : 4000));
  }

  /** Offers to take over while another page steers. */
  steering(yours: boolean): void {
    this.steerButton.hidden = yours;
  }

  link(link: Link, reason: string): void {
    this.gone.hidden = link === "open" || link === "connecting";
    const last = this.title ? "What you see is the last state. " : "";
    const say = (strong: string, rest: string) => this.gone.replaceChildren(make("strong", { textContent: strong }), make("span", { textContent: ` ${last}${rest}` }));
    if (link === "gone") say("The server is gone.", `Trying again… (${reason})`);
    if (link === "refused") say("The server refuses this page.", "Open the address with its token, as `pliant view` prints it; or too many pages are open. Trying again…");
  }

  help(on = this.helpBox.hidden): void {
    if (on === !this.helpBox.hidden) return;
    if (on) this.before = document.activeElement as HTMLElement;
    this.helpBox.hidden = !on;
    if (on) this.helpBox.querySelector<HTMLElement>(".close")!.focus();
    else this.before?.focus();
  }

  /** Closes what lies over the page; false: nothing did. */
  close(): boolean {
    const any = !this.helpBox.hidden || !this.menu.hidden;
    this.help(false);
    this.openMenu(false);
    return any;
  }

  private set(key: string, text: string): void {
    const row = this.rows.get(key);
    if (row && row.textContent !== text) row.textContent = text;
  }
}
