// Words on the page: what runs and how well, notices, help, and what to say when the server is gone.
import type { Link } from "./connection";
import { tick } from "./plots";
import type { Hello, State } from "./protocol";

function element<K extends keyof HTMLElementTagNameMap>(kind: K, content = "", name = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(kind);
  made.textContent = content;
  if (name) made.className = name;
  return made;
}

const KEYS: [string, string][] = [
  ["drag a body", "pull it; the spring is in the solve"],
  ["shift + drag, or a", "move the anchor of a body"],
  ["drag elsewhere", "turn the view (right button or two fingers: move it)"],
  ["wheel, pinch", "nearer, farther"],
  ["space", "pause, go on"],
  ["s or .", "one step (shift: ten)"],
  ["r", "reset"],
  ["w / d / f", "wireframe / domains / surface"],
  ["e", "elements instead of the surface"],
  ["g", "ground on and off"],
  ["p", "plots on and off"],
  ["v", "see the whole"],
  ["k / l", "keep the state / back to it"],
  ["b / c", "sketch a basis / cut into domains"],
  ["ctrl + z, with shift", "undo an edit, do it again"],
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
}

export class Hud {
  private readonly rows = new Map<string, HTMLElement>();
  private readonly pauseButton: HTMLButtonElement;
  private readonly steerButton: HTMLButtonElement;
  private readonly hud = document.getElementById("hud")!;
  private readonly gone = document.getElementById("gone")!;
  private readonly helpBox = document.getElementById("help")!;
  private readonly toasts = document.getElementById("toasts")!;
  private title = "";

  constructor(actions: BarActions) {
    const bar = document.getElementById("bar")!;
    const button = (label: string, hint: string, act: () => void): HTMLButtonElement => {
      const made = element("button", label);
      made.title = hint;
      made.setAttribute("aria-label", hint);
      made.addEventListener("click", () => {
        act();
        made.blur();
      });
      bar.append(made);
      return made;
    };
    this.pauseButton = button("❚❚", "pause (space)", actions.pause);
    button("▸❘", "one step (s)", actions.step);
    button("↺", "reset (r)", actions.reset);
    button("?", "help (h)", actions.help);
    this.steerButton = button("take over", "steer from this page (t)", actions.steer);
    this.steerButton.hidden = true;
    const box = element("div", "", "card");
    box.append(element("h2", "Pliant"));
    const table = element("dl");
    for (const [key, text] of KEYS) table.append(element("dt", key), element("dd", text));
    box.append(table, element("p", "Press h or touch to close."));
    this.helpBox.append(box);
    this.helpBox.addEventListener("click", () => this.help(false));
  }

  hello(hello: Hello): void {
    this.title = hello.scene;
    document.title = `${hello.scene} · Pliant`;
    this.hud.replaceChildren(element("h1", hello.scene));
    this.rows.clear();
    const bodies = hello.bodies;
    const models = [...new Set(bodies.map((body) => body.model))].join(", ");
    const sum = (of: (body: Hello["bodies"][0]) => number) => bodies.reduce((all, body) => all + of(body), 0);
    const domains = sum((body) => body.domains.length);
    const parts = [`${models}`, `${sum((b) => b.dofs).toLocaleString("en")} DOFs`];
    if (domains > 0) parts.push(`${domains.toLocaleString("en")} domains`);
    parts.push(`${sum((b) => b.triangles).toLocaleString("en")} triangles`);
    this.hud.append(element("p", parts.join(" · "), "quiet"));
    const list = element("dl");
    for (const key of ["time", "pace", "step", "picture", "state"]) {
      const value = element("dd", "–");
      list.append(element("dt", key), value);
      this.rows.set(key, value);
    }
    this.hud.append(list);
  }

  /** `speed`: simulated seconds per second that are wanted. */
  state(state: State, isStatic: boolean, speed: number): void {
    this.set("time", isStatic ? `load factor ${state.time.toFixed(3)}` : `${state.time.toFixed(2)} s`);
    const share = state.ratio / speed;
    const words = speed === 1 && share > 0.97 ? "real time"
      : `${state.ratio.toFixed(2)} × real time${speed === 1 ? "" : share > 0.97 ? ", as asked" : `, asked: ${speed.toFixed(2)}`}`;
    this.set("pace", !state.healthy ? "failed" : state.paused ? "paused" : state.ratio > 0 ? words : "…");
    this.rows.get("pace")?.classList.toggle("bad", !state.healthy || (!state.paused && share > 0 && share < 0.9));
    this.set("step", `${tick(state.step_p50, "s")} (99 %: ${tick(state.step_p99, "s")})`);
    this.pauseButton.textContent = state.paused ? "▶" : "❚❚";
  }

  rates(pictures: number, states: number, bytes: number): void {
    this.set("picture", `${pictures.toFixed(0)} /s`);
    this.set("state", `${states.toFixed(0)} /s, ${bytes >= 1000 ? (bytes / 1000).toFixed(1) + " kB" : bytes + " B"} each`);
  }

  /** A line that goes away by itself. */
  say(text: string, trouble: boolean): void {
    const line = element("div", text, trouble ? "toast bad" : "toast");
    this.toasts.append(line);
    while (this.toasts.childElementCount > 4) this.toasts.firstElementChild!.remove();
    setTimeout(() => line.remove(), trouble ? 9000 : 4000);
  }

  /** Offers to take over while another page steers. */
  steering(yours: boolean): void {
    this.steerButton.hidden = yours;
  }

  link(link: Link, reason: string): void {
    this.gone.hidden = link === "open" || link === "connecting";
    const last = this.title ? "What you see is the last state. " : "";
    if (link === "gone") this.gone.replaceChildren(element("strong", "The server is gone."), element("span", ` ${last}Trying again… (${reason})`));
    if (link === "refused")
      this.gone.replaceChildren(element("strong", "The server refuses this page."),
        element("span", ` ${last}Open the address with its token, as \`pliant view\` prints it; or too many pages are open. Trying again…`));
  }

  help(on = this.helpBox.hidden): void {
    this.helpBox.hidden = !on;
  }

  private set(key: string, text: string): void {
    const row = this.rows.get(key);
    if (row && row.textContent !== text) row.textContent = text;
  }
}
