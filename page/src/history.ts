// The last minutes: states as they came, to look at again. The simulation is not changed by looking back.
import type { State } from "./protocol";
import { make } from "./tool_card";

const SPAN = 180; // s of the scene that are kept
const RATE = 30; // states per second of the scene
const BYTES = 64e6; // in all

const sizeOf = (state: State) => 400 + state.bodies.reduce((sum, body) => sum + body.positions.byteLength + body.poses.byteLength + body.coordinates.byteLength, 0);

export class History {
  private states: State[] = [];
  private bytes = 0;
  private place = -1; // of the state that is shown; -1: the newest one
  private readonly slider = make("input", { type: "range", min: "0", step: "1" });
  private readonly text = make("output");
  private readonly live = make("button", { type: "button", textContent: "now", title: "back to the present (Esc)" });

  /** `look`: told when a kept state is to be shown, or null for the present. */
  constructor(private readonly box: HTMLElement, private readonly look: (state: State | null) => void) {
    this.slider.title = "look back: the last minutes";
    this.slider.setAttribute("aria-label", "time: look back over the last minutes");
    box.append(this.slider, this.text, this.live);
    this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
    this.live.addEventListener("click", () => this.leave());
    this.display();
  }

  /** The state that is looked at; null: the present. */
  get shown(): State | null {
    return this.place < 0 ? null : this.states[this.place];
  }
  get count(): number {
    return this.states.length;
  }

  add(state: State): void {
    const last = this.states[this.states.length - 1];
    if (last && (state.epoch !== last.epoch || state.time < last.time)) this.clear();
    const gap = last ? state.time - last.time : Infinity;
    if (gap < 1 / RATE - 1e-9) return;
    this.states.push(state);
    this.bytes += sizeOf(state);
    while (this.states.length > 1 && this.place !== 0 && (this.bytes > BYTES || state.time - this.states[0].time > SPAN)) {
      this.bytes -= sizeOf(this.states.shift()!);
      if (this.place > 0) this.place--;
    }
    this.display();
  }

  clear(): void {
    this.states = [];
    this.bytes = 0;
    this.leave();
  }

  /** Shows the k-th kept state. */
  show(k: number): void {
    if (this.states.length < 2) return;
    this.place = Math.min(Math.max(0, k), this.states.length - 1);
    this.look(this.states[this.place]);
    this.display();
  }

  /** Back to the present. */
  leave(): void {
    const was = this.place >= 0;
    this.place = -1;
    if (was) this.look(null);
    this.display();
  }

  private display(): void {
    const n = this.states.length;
    this.box.classList.toggle("empty", n < 2);
    this.slider.disabled = n < 2;
    this.slider.max = String(Math.max(1, n - 1));
    this.slider.value = String(this.place < 0 ? n - 1 : this.place);
    this.live.hidden = this.place < 0;
    const shown = this.shown;
    this.text.textContent = shown ? `t = ${shown.time.toFixed(2)} s` : "";
    this.slider.setAttribute("aria-valuetext", shown ? `${shown.time.toFixed(2)} s` : "now");
  }
}
