#!/usr/bin/env python3
"""Runs a beam and a flower in full and as trees with each inertia of a subtree; prints tables, draws paths.

usage: compare.py PLIANT OUT [DURATION]

PLIANT is the program, OUT a folder for the scenes, table.json and the pictures beam.svg and flower.svg: the points seen
from above, and one coordinate over time, as [BarbicZhao2011] Fig. 7 has it.
"""

import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COLOURS = {"full": "#222222", "L1": "#15803d", "L2": "#c2410c", "L3": "#1d4ed8", "L3 attached": "#9333ea"}
DASHES = {"full": "", "L1": "5 3", "L2": "2 3", "L3": "7 2", "L3 attached": "1 2"}
FLOWER_PROBES = '\n[[probe]]\nname = "bud"\nnear = [-0.07, 0, 0.27]\n'


def ask(program, command, scene, *arguments):
    """The JSON document; a computation that failed (exit 1) tells how far it came."""
    done = subprocess.run([program, command, str(scene), "--json", "--quiet", *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    if done.returncode > 1 or not done.stdout:
        sys.exit(f"{command} {scene}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def rms_of_peak(u, truth):
    """Root of the mean squared distance, over the largest displacement; null if a run stopped before its end."""
    if len(u) < len(truth):
        return None
    square = sum(math.dist(a, b) ** 2 for a, b in zip(u, truth)) / len(truth)
    return math.sqrt(square) / max(math.hypot(*b) for b in truth)


def drift(energy):
    total = [sum(parts) for parts in zip(energy["kinetic"], energy["strain"], energy["potential"])]
    return max(abs(e - total[0]) for e in total) / max(energy["kinetic"])


class Panel:
    """A frame of a picture with scales of its own and a curve per model."""

    def __init__(self, box, x_range, y_range, x_label, y_label):
        self.box, self.x_range, self.y_range = box, x_range, y_range
        left, top, width, height = box
        self.lines = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>',
                      f'<text x="{left + width / 2}" y="{top + height + 30}" text-anchor="middle">{x_label}</text>',
                      f'<text transform="translate({left - 46} {top + height / 2}) rotate(-90)" '
                      f'text-anchor="middle">{y_label}</text>']
        for part in (0.0, 0.5, 1.0):
            x, y = (a + part * (b - a) for a, b in (x_range, y_range))
            self.lines.append(f'<text x="{self.x(x):.1f}" y="{top + height + 15}" text-anchor="middle">{x:.2f}</text>')
            self.lines.append(f'<text x="{left - 6}" y="{self.y(y) + 4:.1f}" text-anchor="end">{y:.2f}</text>')

    def x(self, value):
        low, high = self.x_range
        return self.box[0] + self.box[2] * (value - low) / (high - low)

    def y(self, value):
        low, high = self.y_range
        return self.box[1] + self.box[3] * (high - value) / (high - low)

    def curve(self, name, xs, ys):
        inside = [(x, y) for x, y in zip(xs, ys) if self.y_range[0] <= y <= self.y_range[1]
                  and self.x_range[0] <= x <= self.x_range[1]]
        points = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in inside)
        self.lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.4" '
                          f'stroke-dasharray="{DASHES[name]}"/>')


def square_range(paths, axes):
    """Ranges of two coordinates with equal lengths, about what the full model does."""
    middle = [(max(u[a] for u in paths) + min(u[a] for u in paths)) / 2 for a in axes]
    half = 0.6 * max(max(u[a] for u in paths) - min(u[a] for u in paths) for a in axes)
    return [(m - half, m + half) for m in middle]


def picture(runs, probes, axes, file):
    """Left: the path of each probe in the plane of `axes`; right: the first of them over time."""
    names, panels = ["x", "y", "z"], []
    side, wide = 230, 520
    truth = runs["full"]["probes"]
    for row, probe in enumerate(probes):
        top = 30 + row * (side + 60)
        across, up = square_range(truth[probe]["u"], axes)
        panels.append(Panel((70, top, side, side), across, up, f"{probe}: {names[axes[0]]} / m", f"{names[axes[1]]} / m"))
        time = (0.0, truth[probe]["t"][-1])
        panels.append(Panel((390, top, wide, side), time, across, "t / s", f"{probe}: {names[axes[0]]} / m"))
        for name, run in runs.items():
            t, u = run["probes"][probe]["t"], run["probes"][probe]["u"]
            panels[-2].curve(name, [a[axes[0]] for a in u], [a[axes[1]] for a in u])
            panels[-1].curve(name, t, [a[axes[0]] for a in u])
    width, height = 390 + wide + 20, 30 + len(probes) * (side + 60)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, name in enumerate(runs):
        lines.append(f'<text x="{390 + 110 * i}" y="18" fill="{COLOURS[name]}">{name}</text>')
    for panel in panels:
        lines += panel.lines
    file.write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")


def compare(program, out, name, scenes, probes, axes, more):
    """Runs the scenes ({model: text}); returns the rows of the table."""
    runs, frequencies = {}, {}
    for model, text in scenes.items():
        scene = out / f"{name}_{model.replace(' ', '_')}.toml"
        scene.write_text(text, encoding="utf-8")
        frequencies[model] = ask(program, "modes", scene, "--count", 6, "--cache", out / "cache")["bodies"][name]["frequencies_hz"]
        runs[model] = ask(program, "run", scene, "--cache", out / "cache", *more)
    picture(runs, probes, axes, out / f"{name}.svg")
    rows = []
    for model, run in runs.items():
        probe = run["probes"][probes[0]]
        rows.append({"body": name, "model": model, "dofs": run["dofs"], "hz": frequencies[model],
                     "ratios": [a / b for a, b in zip(frequencies[model], frequencies["full"])],
                     "rms_of_peak": rms_of_peak(probe["u"], runs["full"]["probes"][probes[0]]["u"]),
                     "healthy": run["healthy"], "end_s": probe["t"][-1], "drift": drift(run["energy"]),
                     "step_us": run["step_us"]["mean"]})
    return rows


def beam_scenes():
    text = (HERE / "beam.toml").read_text(encoding="utf-8")
    scenes = {"full": "\n".join(line for line in text.split("[[body.domain]]")[0].splitlines() if not line.startswith("model"))
              + "\n[[probe]]" + text.split("[[probe]]")[1]}
    scenes.update({level: text.replace('inertia = "L3"', f'inertia = "{level}"') for level in ("L1", "L2", "L3")})
    return scenes


def flower_scenes():
    """All with more stiffness damping: with less the lumped ones gain energy until they fail."""
    text = (HERE.parent / "flower.toml").read_text(encoding="utf-8") + FLOWER_PROBES
    text = text.replace("stiffness = 0.0001", "stiffness = 0.0005")
    model = next(line for line in text.splitlines() if line.startswith("model = "))
    scenes = {"full": text.replace(model, "")}
    for level in ("L1", "L2", "L3"):
        scenes[level] = text.replace(model, model.replace("attachment = false", f'attachment = false, inertia = "{level}"'))
    scenes["L3 attached"] = text.replace("attachment = false", "attachment = true")
    return scenes


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, out = sys.argv[1], pathlib.Path(sys.argv[2])
    more = ["--duration", sys.argv[3] if len(sys.argv) == 4 else "2"]
    out.mkdir(parents=True, exist_ok=True)
    table = compare(program, out, "beam", beam_scenes(), ["tip"], (2, 0), more)
    table += compare(program, out, "flower", flower_scenes(), ["bloom", "bud"], (0, 1), more)
    (out / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"{'body':7} {'model':12} {'unknowns':>8} {'f1 / full':>9}   {'f2 … f6 / full':29} {'RMS/peak':>9} {'drift':>8}  end")
    for row in table:
        rest = " ".join(f"{ratio:5.3f}" for ratio in row["ratios"][1:])
        rms = "-" if row["rms_of_peak"] is None else f"{100 * row['rms_of_peak']:.1f} %"
        print(f"{row['body']:7} {row['model']:12} {row['dofs']:8} {row['ratios'][0]:9.4f}   {rest:29} {rms:>9} {row['drift']:8.1e}  "
              f"{row['end_s']:.2f} s{'' if row['healthy'] else ', then it blew up'}")
    print(f"pictures: {out / 'beam.svg'}, {out / 'flower.svg'}")


if __name__ == "__main__":
    main()
