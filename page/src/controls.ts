// Controls of the settings: native inputs, each with a name, a unit, and a sentence on what it does. A control shows what
// get() says whenever the group is refreshed, and hands to set() what people have chosen.
import { make } from "./tool_card";

/** What a number may be, and how it is shown. */
export interface NumberRange {
  low: number;
  high: number;
  step?: number;
  log?: boolean; // the slider counts factors
  unit?: string;
  prefixes?: boolean; // "800 kPa" instead of "800000 Pa"
  live?: boolean; // set() follows the slider; otherwise it is called when the slider is let go
}

interface Control {
  element: HTMLElement;
  show(): void;
}

const PREFIXES: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]];
const STEPS = 1000; // of a slider that counts factors

/** A number as people read it: "800 kPa", "9.81 m/s²", "0.5 ×". */
export function quantity(value: number, unit = "", prefixes = false): string {
  const gap = unit ? " " : "";
  if (!prefixes || value === 0) return `${Number(value.toPrecision(4))}${gap}${unit}`;
  const size = Math.abs(value);
  const [scale, prefix] = PREFIXES.find(([s]) => size >= 0.9995 * s) ?? [1, ""];
  return `${Number((value / scale).toPrecision(3))}${gap}${prefix}${unit}`;
}

/** What people have typed, such as "2 MPa" or "2e6"; NaN: not a number. */
export function parseQuantity(text: string, prefixes = false): number {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([GMkmµ]?)/i.exec(text.replace(",", "."));
  if (!found) return NaN;
  const prefix = prefixes ? PREFIXES.find(([, name]) => name !== "" && name === found[2]) : undefined;
  return Number(found[1]) * (prefix?.[0] ?? 1);
}

let numbers = 0;

export class Group {
  readonly element: HTMLElement;
  private readonly content: HTMLElement;
  private readonly controls: Control[] = [];
  readonly groups: Group[] = [];

  /** Without a title: controls alone. */
  constructor(readonly title: string, tip = "", open = true) {
    this.content = make("div", { className: "rows" });
    if (!title) {
      this.element = this.content;
      return;
    }
    this.element = make("details", { open, className: "group" }, make("summary", { textContent: title, title: tip }), this.content);
  }

  get open(): boolean {
    return !(this.element instanceof HTMLDetailsElement) || this.element.open;
  }
  set open(on: boolean) {
    if (this.element instanceof HTMLDetailsElement) this.element.open = on;
  }

  group(title: string, tip = "", open = false): Group {
    const made = new Group(title, tip, open);
    this.groups.push(made);
    this.content.append(made.element);
    return made;
  }

  /** All groups within, and this one. */
  all(): Group[] {
    return [this, ...this.groups.flatMap((one) => one.all())];
  }

  refresh(): void {
    for (const control of this.controls) control.show();
    for (const group of this.groups) group.refresh();
  }

  number(name: string, tip: string, range: NumberRange, get: () => number, set: (value: number) => void): HTMLElement {
    const { low, high, log, unit, prefixes } = range;
    const step = range.step ?? (high - low) / 200;
    const slider = make("input", { type: "range", min: log ? "0" : String(low), max: log ? String(STEPS) : String(high), step: log ? "1" : String(step) });
    const text = make("input", { type: "text", className: "value", inputMode: "decimal", autocomplete: "off", spellcheck: false });
    const place = (value: number) => (log ? (STEPS * Math.log(Math.max(value, low) / low)) / Math.log(high / low) : value);
    const value = () => (log ? Number((low * (high / low) ** (Number(slider.value) / STEPS)).toPrecision(3)) : Number(slider.value));
    let dragging = false;
    const put = (x: number) => {
      text.value = quantity(x, unit, prefixes);
      slider.setAttribute("aria-valuetext", text.value);
    };
    const show = () => {
      if (dragging || document.activeElement === text) return;
      slider.value = String(place(get()));
      put(get());
    };
    slider.addEventListener("input", () => {
      dragging = true;
      put(value());
      if (range.live) set(value());
    });
    slider.addEventListener("change", () => {
      dragging = false;
      set(value());
    });
    text.addEventListener("focus", () => text.select());
    const typed = () => {
      const given = parseQuantity(text.value, prefixes);
      const before = quantity(get(), unit, prefixes);
      if (text.value !== before && Number.isFinite(given)) set(Math.max(low > 0 || range.log ? low / 1e3 : low, given));
      queueMicrotask(() => document.activeElement !== text && show());
    };
    text.addEventListener("change", typed);
    text.addEventListener("blur", show);
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter") text.blur();
      if (event.key === "Escape") {
        text.value = quantity(get(), unit, prefixes);
        text.blur();
      }
    });
    return this.row(name, tip, [slider, text], show, text, () => String(get()));
  }

  choice<T>(name: string, tip: string, options: () => [string, T][], get: () => T, set: (value: T) => void): HTMLElement {
    const select = make("select");
    let values: T[] = [];
    const show = () => {
      const list = options();
      values = list.map(([, value]) => value);
      const words = list.map(([text]) => text).join("\n");
      if (select.dataset.words !== words) select.replaceChildren(...list.map(([text], i) => make("option", { textContent: text, value: String(i) })));
      select.dataset.words = words;
      const now = get();
      select.selectedIndex = values.findIndex((value) => Object.is(value, now));
    };
    select.addEventListener("change", () => set(values[select.selectedIndex]));
    return this.row(name, tip, [select], show, select, () => select.selectedOptions[0]?.textContent ?? "");
  }

  toggle(name: string, tip: string, get: () => boolean, set: (on: boolean) => void): HTMLElement {
    const box = make("input", { type: "checkbox" });
    const show = () => (box.checked = get());
    box.addEventListener("change", () => set(box.checked));
    return this.row(name, tip, [box], show, box, () => String(box.checked));
  }

  /** `label`: what the button says, when that changes; without one it is the name. */
  button(name: string, tip: string, act: () => void, label?: () => { text: string; on: boolean; shown?: boolean }): HTMLButtonElement {
    const made = make("button", { type: "button", textContent: name, title: tip });
    made.addEventListener("click", act);
    this.content.append(made);
    this.add(made, () => {
      if (!label) return;
      const { text, on, shown } = label();
      if (made.textContent !== text) made.textContent = text;
      made.title = text === name ? tip : `${text} — ${tip}`;
      made.disabled = !on;
      made.hidden = shown === false;
    });
    return made;
  }

  /** A line of words that change. */
  line(text: () => string): void {
    const made = make("p", { className: "quiet" });
    this.content.append(made);
    this.add(made, () => (made.textContent = text()));
  }

  private add(element: HTMLElement, show: () => void): void {
    this.controls.push({ element, show });
    show();
  }

  private row(name: string, tip: string, inputs: HTMLElement[], show: () => void, named: HTMLElement, value: () => string): HTMLElement {
    const id = `control-${++numbers}`;
    named.id = id;
    for (const input of inputs) {
      input.title = tip;
      if (input !== named) input.setAttribute("aria-label", name);
    }
    const label = make("label", { textContent: name, htmlFor: id, title: tip });
    const row = make("div", { className: `row inputs-${inputs.length}` }, label, ...inputs);
    row.dataset.control = name;
    this.content.append(row);
    this.add(row, () => {
      show();
      row.dataset.value = value();
    });
    return row;
  }
}
