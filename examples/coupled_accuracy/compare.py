#!/usr/bin/env python3
"""Runs bodies of `coupled` beside `full`: their lowest frequencies, and the motion of a point after they are let go.

usage: compare.py PLIANT OUT [--only NAME ...] [--set "KEY = VALUE, ..."] [--meshes FOLDER]

PLIANT is the program, OUT a folder for the scenes, table.json and table.md; results of `full` are kept there and used
again. --set replaces settings of the model, e.g. --set "modes = 40". Bodies from scans need the folder --meshes, and are
left out without it. Each body swings twice: far, and at a fifth of the load.
"""

import argparse
import hashlib
import json
import math
import pathlib
import subprocess
import sys

# name: body, where it is held, material's E and ρ, gravity, a point, automatic domains, seconds, steps
BODIES = {
    "beam": ('generate = { shape = "box", size = [1, 0.2, 0.1], cells = [16, 3, 2], element = "tet" }', "x < 1e-6", 1e6, 1000, [0, 0, -9.81], [1, 0.2, 0.1], 4, 1.0, 120),
    "torus": ('generate = { shape = "torus", major = 1, minor = 0.3, across = 4, around = 32, element = "tet" }', "x < -1.2", 2e6, 1000, [0, 0, -9.81], [1.3, 0, 0], 6, 1.5, 180),
    "bracket": ('mesh = "bracket.mesh"', "z < 1e-6", 1e6, 1000, [0, -9.81, 0], [1, 0.2, 1], 4, 1.5, 180),
    "octopus": ('generate = { shape = "octopus", length = 0.5, resolution = 30, element = "tet" }', "z > 0.21", 2e4, 1000, [3, 0, -9.81], [0.25, 0.1, -0.24], 9, 0.6, 60),
    "hand": ('mesh = "MESHES/surface/hand.obj"\nmesher = { resolution = 22, element = "tet" }', "y < 0.1", 1e5, 1000, [0, 0, -9.81], [-0.15, 0.93, 0], 8, 1.0, 80),
    "spoon": ('mesh = "MESHES/derived-tet/spoon_tets.msh"', "y < -0.06", 1e6, 1000, [0, 0, -9.81], [0, 0.087, 0], 5, 0.5, 120),
}


def bracket(file):
    """An L of two arms of 1 m, 0.2 m square: 8 x 2 x 2 cells each, six tets a cell."""
    n, h = 10, 0.1
    inside = lambda i, j, k: 0 <= j < 2 and ((0 <= i < 2 and 0 <= k < n) or (0 <= i < n and n - 2 <= k < n))
    number, points, tets = {}, [], []

    def vertex(place):
        if place not in number:
            number[place] = len(points) + 1
            points.append([h * c for c in place])
        return number[place]

    around = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]
    for i in range(n):
        for j in range(2):
            for k in range(n):
                if inside(i, j, k):
                    corners = [vertex((i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))) for c in range(8)]
                    tets += [[corners[c] for c in tet] for tet in around]
    lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(points))]
    lines += [f"{x!r} {y!r} {z!r} 0" for x, y, z in points]
    lines += ["Tetrahedra", str(len(tets))] + [" ".join(map(str, tet)) + " 0" for tet in tets] + ["End", ""]
    file.write_text("\n".join(lines))


class Study:
    def __init__(self, options):
        self.options, self.out, self.table = options, options.out, {}
        bracket(self.out / "bracket.mesh")

    def scene(self, name, load, model):
        body, held, young, density, gravity, point, _, seconds, steps = BODIES[name]
        if self.options.meshes:
            body = body.replace("MESHES", str(self.options.meshes.resolve()))
        return (f"[simulation]\ndt = {seconds / steps!r}\nduration = {seconds}\ngravity = {[load * g for g in gravity]}\n"
                f'integrator = "energy-momentum"\nnewton = {{ tolerance = 1e-7 }}\n[[body]]\nname = "{name}"\n{body}\n'
                f'material = {{ law = "stvk", young = {young}, poisson = 0.35, density = {density} }}\nfixed = ["{held}"]\n'
                f"model = {{ {model} }}\n[[probe]]\nname = \"tip\"\nnear = {point}\n")

    def ask(self, text, command, *more):
        """The program's answer; those of `full` are kept."""
        key = hashlib.sha256((text + command).encode()).hexdigest()[:16]
        kept = self.out / f"full_{key}.json"
        if '"full"' in text and kept.exists():
            return json.loads(kept.read_text())
        file = self.out / f"scene_{key}.toml"
        file.write_text(text)
        done = subprocess.run([self.options.program, command, str(file), "--json", "--quiet", *map(str, more)],
                              capture_output=True, text=True, check=False)
        if done.returncode > 1 or not done.stdout:
            sys.exit(f"{command} {file}: exit {done.returncode}\n{done.stderr}")
        if '"full"' in text:
            kept.write_text(done.stdout)
        return json.loads(done.stdout)

    def swing(self, name, load, model):
        result = self.ask(self.scene(name, load, model), "run", "--threads", 1, "--cache", self.out / "cache")
        return result, result["probes"]["tip"]["u"]

    def write(self):
        """table.json, and table.md for docs/theory/coupled.md."""
        (self.out / "table.json").write_text(json.dumps(self.table, indent=1))
        lines = ["| body | domains | worst of six frequencies | " + " | ".join(f"load × {load:g}: peak, largest / RMS" for load in self.options.loads) + " |",
                 "| --- | --- | --- |" + " --- |" * len(self.options.loads)]
        for name, row in self.table.items():
            swings = [row[f"load {load}"] for load in self.options.loads]
            worst = max(row["frequencies"], key=abs)
            cells = [f"{s['peak']:.2f} m, {100 * s['largest']:.1f} / {100 * s['rms']:.1f} %" + ("" if s["complete"][1] else f" (`full` fails after {s['complete'][2] - 1} steps)")
                     for s in swings]
            lines.append(f"| {name} | {row['domains']} | {100 * worst:+.2f} % | " + " | ".join(cells) + " |")
        (self.out / "table.md").write_text("\n".join([*lines, ""]))

    def one(self, name):
        count = BODIES[name][6]
        model = f'type = "coupled", domains = {{ auto = {count} }}'
        if self.options.set:
            model = ", ".join([part for part in [model] if "domains" not in self.options.set] or ['type = "coupled"']) + ", " + self.options.set
        row = {"domains": count}
        hz = [self.ask(self.scene(name, 1, m), "modes", "--count", 6)["bodies"][name]["frequencies_hz"] for m in (model, 'type = "full"')]
        row["frequencies"] = [a / b - 1 for a, b in zip(*hz)]
        for load in self.options.loads:
            result, u = self.swing(name, load, model)
            truth_result, truth = self.swing(name, load, 'type = "full"')
            n = min(len(u), len(truth))
            peak = max(math.hypot(*b) for b in truth[:n])
            gaps = [math.dist(a, b) for a, b in zip(u, truth)]
            row[f"load {load}"] = {"peak": peak, "largest": max(gaps) / peak, "rms": math.sqrt(sum(g * g for g in gaps) / n) / peak,
                                   "complete": [result["healthy"], truth_result["healthy"], n], "us": result["step_us"]["p50"],
                                   "damped": result.get("damped_steps", 0)}
        self.table[name] = row
        f = row["frequencies"]
        print(f"{name:8} frequencies {' '.join(f'{100 * x:.2f}' for x in f)} %")
        for load in self.options.loads:
            r = row[f"load {load}"]
            print(f"         load {load}: peak {r['peak']:.4f} m, largest {100 * r['largest']:.2f} %, RMS {100 * r['rms']:.2f} %, {r['us']:.0f} us, {r['complete']} damped {r['damped']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", nargs="*", default=list(BODIES))
    parser.add_argument("--set", default="")
    parser.add_argument("--loads", nargs="*", type=float, default=[0.2, 1.0])
    parser.add_argument("--meshes", type=pathlib.Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    study = Study(options)
    for name in options.only:
        if "MESHES" in BODIES[name][0] and not options.meshes:
            print(f"{name}: SKIPPED, no --meshes")
            continue
        study.one(name)
    study.write()


if __name__ == "__main__":
    main()
