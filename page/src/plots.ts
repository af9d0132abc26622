// Plots that run along: energies, step times and probes over the last seconds. A cursor reads values off, and all of them
// can be kept as a table.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { State } from "./protocol";
import { button, download, make } from "./tool_card";

const KEPT = 600; // states

class Strip {
  private readonly rows: number[][];
  private readonly plot: uPlot;
  readonly box = make("div", { className: "strip", hidden: true });

  constructor(parent: HTMLElement, readonly title: string, readonly names: string[], colours: string[], readonly unit: string) {
    this.rows = Array.from({ length: names.length + 1 }, () => []);
    parent.append(this.box);
    const ink = () => getComputedStyle(document.body).getPropertyValue("--quiet").trim() || "#52606d";
    const axis: uPlot.Axis = { stroke: ink, font: "10px system-ui, sans-serif", grid: { stroke: "#80808022" }, ticks: { show: false }, size: 18, gap: 2 };
    this.plot = new uPlot({
      title, width: 290, height: 104,
      padding: [2, 6, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { size: 5 } },
      legend: { show: true, live: true },
      scales: { x: { time: false } },
      axes: [{ ...axis }, { ...axis, size: 46, values: (_, ticks) => ticks.map((x) => tick(x, unit)) }],
      series: [{ label: "time", value: (_, t) => (t == null ? "" : `${t.toFixed(2)} s`) },
        ...names.map((label, i) => ({ label, stroke: colours[i], width: 1.5, points: { show: false }, value: (_: uPlot, x: number | null) => (x == null ? "" : tick(x, unit)) }))],
    }, this.rows as uPlot.AlignedData, this.box);
  }

  get empty(): boolean {
    return this.rows[0].length < 2;
  }

  add(t: number, values: number[]): void {
    const last = this.rows[0][this.rows[0].length - 1];
    if (t === last) return; // paused
    if (t < last) this.clear();
    [t, ...values].forEach((x, i) => this.rows[i].push(x));
    if (this.rows[0].length > KEPT) for (const row of this.rows) row.shift();
  }
  draw(): void {
    this.box.hidden = this.empty; // axes alone would show nothing
    if (!this.empty) this.plot.setData(this.rows as uPlot.AlignedData);
  }
  clear(): void {
    for (const row of this.rows) row.length = 0;
  }
  table(): { head: string[]; rows: number[][] } {
    return { head: this.names.map((name) => `${this.title}: ${name} [${this.unit}]`), rows: this.rows };
  }
}

/** A number in few characters. */
export function tick(x: number, unit: string): string {
  const size = Math.abs(x);
  if (size === 0) return "0";
  if (size >= 1e12 || size < 1e-9) return `${x.toExponential(0)} ${unit}`;
  const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
  const [scale, prefix] = prefixes.find(([s]) => size >= 0.9995 * s) ?? [1e-9, "n"];
  return `${+(x / scale).toPrecision(3)} ${prefix}${unit}`;
}

export class Plots {
  private readonly energy: Strip;
  private readonly time: Strip;
  private readonly probes: Strip | null;
  private readonly strips: Strip[];
  private readonly nothing = make("p", { className: "quiet", textContent: "Nothing has moved yet." });
  private due = 0;

  constructor(private readonly parent: HTMLElement, private readonly scene: string, probeNames: string[]) {
    parent.replaceChildren(make("header", {}, this.nothing, button("CSV", "save what is plotted as a table", () => download(`${this.scene}-plots.csv`, this.csv()))));
    this.energy = new Strip(parent, "energy", ["kinetic", "strain", "gravity"], ["#d0453b", "#2b8fc0", "#7a9a35"], "J");
    this.time = new Strip(parent, "step time, and by part", ["median", "99 %", "bodies", "hand", "ghost", "state"],
      ["#2b8fc0", "#d0453b", "#8a96a3", "#9a6fc0", "#5f82e0", "#7a9a35"], "s");
    const names = probeNames.slice(0, 4);
    this.probes = names.length > 0
      ? new Strip(parent, "displacement of probes", names, ["#2b8fc0", "#d0453b", "#7a9a35", "#9a6fc0"], "m") : null;
    this.strips = [this.energy, this.time, ...(this.probes ? [this.probes] : [])];
  }

  add(state: State): void {
    this.energy.add(state.time, [state.kinetic, state.strain, state.potential]);
    if (state.step_p50 > 0) this.time.add(state.time, [state.step_p50, state.step_p99, ...[0, 2, 4, 6].map((i) => state.part_times[i] ?? 0)]);
    const lengths: number[] = [];
    for (let i = 0; i + 2 < state.probes.length && lengths.length < 4; i += 3)
      lengths.push(Math.hypot(state.probes[i], state.probes[i + 1], state.probes[i + 2]));
    this.probes?.add(state.time, lengths);
  }

  /** Ten times a second is plenty. */
  draw(now: number): void {
    if (this.parent.hidden || now < this.due) return;
    this.due = now + 100;
    for (const strip of this.strips) strip.draw();
    this.nothing.hidden = this.strips.some((strip) => !strip.empty);
  }

  /** All strips in one table, by time. */
  csv(): string {
    const tables = this.strips.map((strip) => strip.table());
    const times = [...new Set(tables.flatMap(({ rows }) => rows[0]))].sort((a, b) => a - b);
    const places = tables.map(({ rows }) => new Map(rows[0].map((t, i) => [t, i])));
    const lines = times.map((t) => [t, ...tables.flatMap(({ rows }, k) => {
      const i = places[k].get(t);
      return rows.slice(1).map((row) => (i === undefined ? "" : row[i]));
    })].join(","));
    return [["time [s]", ...tables.flatMap(({ head }) => head)].map((word) => (word.includes(",") ? `"${word}"` : word)).join(","), ...lines, ""].join("\n");
  }
}
