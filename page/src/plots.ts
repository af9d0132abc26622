// Plots that run along: energies and step times over the last seconds.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { State } from "./protocol";

const KEPT = 600; // states

class Strip {
  private readonly rows: number[][];
  private readonly plot: uPlot;

  constructor(parent: HTMLElement, title: string, names: string[], colours: string[], unit: string) {
    this.rows = Array.from({ length: names.length + 1 }, () => []);
    const axis: uPlot.Axis = {
      stroke: "#52606d", font: "10px system-ui, sans-serif", grid: { stroke: "#0000000d" }, ticks: { show: false }, size: 18, gap: 2,
    };
    this.plot = new uPlot({
      title, width: 290, height: 112,
      padding: [2, 6, 0, 0],
      cursor: { show: false },
      legend: { show: true, live: false },
      scales: { x: { time: false } },
      axes: [{ ...axis }, { ...axis, size: 46, values: (_, ticks) => ticks.map((x) => tick(x, unit)) }],
      series: [{}, ...names.map((label, i) => ({ label, stroke: colours[i], width: 1.5, points: { show: false } }))],
    }, this.rows as uPlot.AlignedData, parent);
  }

  add(t: number, values: number[]): void {
    const last = this.rows[0][this.rows[0].length - 1];
    if (t === last) return; // paused
    if (t < last) this.clear();
    [t, ...values].forEach((x, i) => this.rows[i].push(x));
    if (this.rows[0].length > KEPT) for (const row of this.rows) row.shift();
  }
  draw(): void {
    this.plot.setData(this.rows as uPlot.AlignedData);
  }
  clear(): void {
    for (const row of this.rows) row.length = 0;
  }
}

/** A number in few characters. */
export function tick(x: number, unit: string): string {
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e9 || size < 1e-9) return x.toExponential(0) + unit;
  const prefixes: [number, string][] = [[1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
  const [scale, prefix] = prefixes.find(([s]) => size >= 0.9995 * s) ?? [1e-9, "n"];
  return `${+(x / scale).toPrecision(3)} ${prefix}${unit}`;
}

export class Plots {
  private readonly energy: Strip;
  private readonly time: Strip;
  private readonly probes: Strip | null;
  private due = 0;

  constructor(private readonly parent: HTMLElement, probeNames: string[]) {
    parent.replaceChildren();
    this.energy = new Strip(parent, "energy", ["kinetic", "strain", "gravity"], ["#c2352b", "#2b7fa8", "#6f8f2f"], "J");
    this.time = new Strip(parent, "step time, and by part", ["p50", "p99", "bodies", "hand", "ghost", "state"],
      ["#2b7fa8", "#c2352b", "#9aa5b1", "#8a5fb0", "#3f6fd0", "#6f8f2f"], "s");
    const names = probeNames.slice(0, 4);
    this.probes = names.length > 0
      ? new Strip(parent, "displacement of probes", names, ["#2b7fa8", "#c2352b", "#6f8f2f", "#8a5fb0"], "m") : null;
  }

  add(state: State): void {
    this.energy.add(state.time, [state.kinetic, state.strain, state.potential]);
    this.time.add(state.time, [state.step_p50, state.step_p99, ...[0, 2, 4, 6].map((i) => state.part_times[i] ?? 0)]);
    const lengths: number[] = [];
    for (let i = 0; i + 2 < state.probes.length && lengths.length < 4; i += 3)
      lengths.push(Math.hypot(state.probes[i], state.probes[i + 1], state.probes[i + 2]));
    this.probes?.add(state.time, lengths);
  }

  /** Ten times a second is plenty. */
  draw(now: number): void {
    if (this.parent.hidden || now < this.due) return;
    this.due = now + 100;
    this.energy.draw();
    this.time.draw();
    this.probes?.draw();
  }
}
