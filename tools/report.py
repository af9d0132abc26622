#!/usr/bin/env python3
"""Table and plots of one run: reads FOLDER/run.json (`pliant run --json`), writes FOLDER/*.svg.

The plots are plain SVG, which every browser shows; no package beyond Python's own is needed.
"""

import html
import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 80, 130, 36, 44
COLOURS = ("#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94")


def ticks(low, high, count=5):
    """Round numbers from low to high."""
    span = high - low or 1.0
    step = 10 ** math.floor(math.log10(span / count))
    step *= next(m for m in (1, 2, 5, 10) if span / (step * m) <= count)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]


def plot(title, unit, t, curves):
    """One SVG line chart; curves: {name: values}."""
    values = [v for ys in curves.values() for v in ys if v is not None and math.isfinite(v)]
    if not t or not values:
        return None
    low, high = min(values), max(values)
    if high - low < 1e-12 * max(abs(low), abs(high), 1e-300):
        low, high = low - 1.0, high + 1.0
    x = lambda v: LEFT + (v - t[0]) / ((t[-1] - t[0]) or 1.0) * (WIDTH - LEFT - RIGHT)
    y = lambda v: HEIGHT - BOTTOM - (v - low) / (high - low) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">{html.escape(title)}</text>']
    for v in ticks(low, high):
        out.append(f'<path d="M{LEFT} {y(v):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:.4g}</text>')
    for v in ticks(t[0], t[-1], 8):
        out.append(f'<path d="M{x(v):.1f} {HEIGHT - BOTTOM}v4" stroke="#555"/>'
                   f'<text x="{x(v):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{v:.4g}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">t / s</text>'
               f'<text x="14" y="{TOP - 6}">{html.escape(unit)}</text>')
    for i, (name, ys) in enumerate(curves.items()):
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(t, ys) if b is not None and math.isfinite(b))
        colour = COLOURS[i % len(COLOURS)]
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                   f'<text x="{WIDTH - RIGHT + 10}" y="{TOP + 16 * (i + 1)}" fill="{colour}">{html.escape(name)}</text>')
    return "\n".join(out + ["</svg>\n"])


def plots(run):
    """{file name: SVG text} of energies and probes."""
    found = {}
    energy = run.get("energy") or {}
    if energy.get("t"):
        parts = {name: energy[name] for name in ("kinetic", "strain", "potential") if energy.get(name)}
        if len(parts) == 3:
            parts["total"] = [sum(row) for row in zip(*parts.values())]
        found["energy.svg"] = plot("Energy", "J", energy["t"], parts)
    for name, probe in (run.get("probes") or {}).items():
        curves = {f"u{axis}": [row[i] for row in probe["u"]] for i, axis in enumerate("xyz")}
        found[f"probe_{name}.svg"] = plot(f"Displacement of probe '{name}'", "m", probe["t"], curves)
    return {name: text for name, text in found.items() if text}


def table(run):
    """Rows (what, value) that say how the run went."""
    rows = [("model", f"{run.get('model')}, {run.get('dofs')} degrees of freedom"),
            ("steps", str(run.get("steps")))]
    if run.get("healthy"):
        rows.append(("healthy", "yes"))
    else:
        failure = run.get("failure") or {}
        rows.append(("healthy", f"NO: {failure.get('reason', 'unknown')} at t = {failure.get('t')} s"))
    for name, probe in (run.get("probes") or {}).items():
        if probe.get("u"):
            peak = max(probe["u"], key=lambda row: sum(v * v for v in row))
            rows.append((f"probe {name}", f"farthest from rest {math.sqrt(sum(v * v for v in peak)):.4g} m,"
                                          f" at the end ({', '.join(f'{v:.4g}' for v in probe['u'][-1])}) m"))
    energy = run.get("energy") or {}
    if energy.get("kinetic") and energy.get("strain") and energy.get("potential"):
        total = [sum(row) for row in zip(energy["kinetic"], energy["strain"], energy["potential"])]
        peak = max(energy["kinetic"])
        if peak > 0:
            drift = max(abs(e - total[0]) for e in total) / peak
            rows.append(("energy", f"kinetic at most {peak:.4g} J, total changes by {100 * drift:.3g} % of that"))
    if run.get("build_s") is not None:
        rows.append(("build", f"{run['build_s']:.3g} s"))
    step = run.get("step_us") or {}
    if step.get("mean") is not None:
        rows.append(("one step", f"{step['mean'] / 1000:.4g} ms on average, 99 % within {step.get('p99', 0) / 1000:.4g} ms"))
    if run.get("state_hash"):
        rows.append(("state hash", run["state_hash"]))
    return rows


def main():
    if len(sys.argv) != 2:
        print("usage: report.py FOLDER", file=sys.stderr)
        return 2
    folder = pathlib.Path(sys.argv[1])
    run = json.loads((folder / "run.json").read_text())
    print()
    for what, value in table(run):
        print(f"  {what:<14} {value}")

    written = []
    for name, text in plots(run).items():
        (folder / name).write_text(text)
        written.append(folder / name)
    print("\nWhere to look:")
    for pattern, how in (("*.glb", "animation: drop it on any glTF viewer, or File > Import > glTF in Blender"),
                         ("*.pvd", "animation with stresses: open it in ParaView"),
                         ("run.json", "all numbers of the run")):
        for file in sorted(folder.glob(pattern)):
            print(f"  {str(file):<34} {how}")
    for file in written:
        print(f"  {str(file):<34} plot: open it in a browser")
    return 0


if __name__ == "__main__":
    sys.exit(main())
