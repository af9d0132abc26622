// The card of a tool: what it is made of, and the bar of long work on the server.
import type { Geometry, Hello, Work } from "./protocol";
import type { Stage } from "./stage";
import "./tools.css";

export type ToolName = "sketch" | "cut";
export const byTouch = window.matchMedia("(pointer: coarse)").matches;

/** What tools need of the page. */
export interface ToolContext {
  stage: Stage;
  send(frame: ArrayBuffer): void;
  say(text: string, trouble: boolean): void;
  hello(): Hello | null;
  /** Draws a body as the page does without tools. */
  draw(geometry: Geometry): void;
  /** Surfaces instead of elements. */
  showSurfaces(): void;
  /** The body that people have chosen for tools. */
  preferred(): number;
  prefer(body: number): void;
  /** The tool is done, and the page as before. */
  closed(): void;
  /** The bodies that a tool can be for, where there are several. */
  choice(tool: ToolName, body: number): HTMLElement[];
}

/** An element with some properties and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  kind: K, properties: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(kind), properties);
  made.append(...children);
  return made;
}

export function button(label: string, title: string, act: () => void, name = ""): HTMLButtonElement {
  const made = make("button", { textContent: label, title, className: name, type: "button" });
  made.addEventListener("click", () => {
    act();
    made.blur();
  });
  return made;
}

/** A labelled input for a number within bounds. */
export function numberField(label: string, value: number, low: number, high: number, step: number): { row: HTMLElement; input: HTMLInputElement; value(): number } {
  const input = make("input", { type: "number", value: String(value), min: String(low), max: String(high), step: String(step) });
  input.setAttribute("aria-label", label);
  const row = make("label", { className: "field" }, label, input);
  return { row, input, value: () => Math.min(high, Math.max(low, Number(input.value) || low)) };
}

/** Something for the browser to keep. */
export function download(name: string, content: string): void {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type: "application/octet-stream" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The card itself, at the right in place of the settings. */
export class Card {
  readonly box: HTMLElement;
  readonly content = make("div", { className: "content" });
  private readonly work = make("div", { className: "work", hidden: true });
  private readonly bar = make("progress", { max: 1 });
  private readonly stage = make("span");

  constructor(title: string, hint: string, choice: HTMLElement[], close: () => void, cancel: () => void) {
    const fold = button("▾", "fold the card, and unfold it", () => {
      fold.textContent = this.box.classList.toggle("folded") ? "▴" : "▾";
    }, "plain");
    this.box = make("section", { className: "tool card" },
      make("header", {}, make("h2", { textContent: title }), fold, button("✕", "close (Esc)", close, "plain")),
      make("p", { className: "hint", textContent: hint }), this.content, this.work);
    this.content.append(...choice);
    this.work.append(this.stage, button("cancel", "stop this work", cancel), this.bar);
    document.body.append(this.box);
    document.body.classList.add("tooling");
  }

  /** Shows how far long work is; nothing can be changed meanwhile. */
  show(work: Work): void {
    this.work.hidden = work.running === 0;
    this.content.classList.toggle("busy", work.running !== 0);
    this.stage.textContent = work.text;
    if (work.done < 0) this.bar.removeAttribute("value");
    else this.bar.value = work.done;
  }

  remove(): void {
    this.box.remove();
    document.body.classList.remove("tooling");
  }
}
