#!/usr/bin/env python3
"""Runs coupled bodies with all elements between their domains, and with few: errors by the number of elements, motions, times.

usage: compare.py PLIANT OUT [--quick]

PLIANT is the program, OUT a folder for the scenes, table.json and tables.md: Fig. 5 and Tables 3 and 4 of
[WuMukherjeeWang2015] in our own geometries, published values beside ours. --quick: the beam alone.
"""

import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BEAM = """[simulation]
dt = 0.0041666667
duration = 1.0
gravity = [0, 0, -9.81]
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [24, 4, 3] }
material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "coupled", modes = 20, domains = { auto = 3 } }
[[probe]]
name = "tip"
near = [1, 0.1, 0.05]
"""
# Published: cubature elements between domains and in all, ms per step; frames per second with and without those between.
PUBLISHED = {("creature", 20): (395, 928, 16.7, 59.9, 16.0), ("creature", 30): (492, 1702, 30.3, 33.0, 12.2),
             ("creature", 40): (563, 2051, 45.1, 22.2, 8.6), ("octopus", 40): (951, 3945, 59.8, 16.7, 11.4),
             ("caterpillar", 20): (165, 740, 11.4, 87.5, 67.3)}


def ask(program, command, scene, *arguments):
    done = subprocess.run([program, command, str(scene), "--json", "--quiet", *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    if done.returncode > 1 or not done.stdout:
        sys.exit(f"{command} {scene}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def with_cubature(text, settings):
    """The scene with `settings` in the braces of its coupled model."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        if line.startswith("model = "):
            lines[i] = line.rstrip().removesuffix("}").rstrip() + f", cubature = {{ {settings} }} }}\n"
    return "".join(lines)


def difference(u, truth):
    """RMS distance over the largest displacement, and the largest distance over it."""
    if len(u) < len(truth):
        return None
    distances = [math.dist(a, b) for a, b in zip(u, truth)]
    peak = max(math.hypot(*b) for b in truth)
    return math.sqrt(sum(d * d for d in distances) / len(distances)) / peak, max(distances) / peak


class Study:
    def __init__(self, program, out):
        self.program, self.out, self.lines, self.table = program, out, [], {}

    def scene(self, name, text):
        file = self.out / f"{name}.toml"
        file.write_text(text)
        return file

    def run(self, name, text):
        return ask(self.program, "run", self.scene(name, text), "--threads", 1, "--cache", self.out / "cache")

    def beam_by_count(self, counts):
        """Fig. 5, and what it does to frequencies and motion."""
        exact = self.run("beam_exact", BEAM)
        truth = exact["probes"]["tip"]["u"]
        modes = ask(self.program, "modes", self.scene("beam_exact", BEAM), "--count", 6)["bodies"]["beam"]
        self.lines += ["### Errors by the number of elements (Fig. 5)", "",
                       "Beam of 3 domains of 20 shapes, 72 elements in each interface. Error: of forces in the norm of their work, on "
                       "poses held out. Motion: tip, 1 s under g = 9.81, RMS / largest over the peak.", "",
                       "| elements per interface | " + " | ".join(map(str, counts)) + " |",
                       "| --- |" + " --- |" * len(counts)]
        rows = {"error": [], "worst of six frequencies": [], "motion": []}
        for count in counts:
            text = with_cubature(BEAM, f'interior = "polynomial", interface = "uniform", error = 1e-9, points = {count}')
            name = f"beam_{count}"
            made = ask(self.program, "build", self.scene(name, text), "--cache", self.out / "cache")["bodies"]["beam"]
            found = ask(self.program, "modes", self.scene(name, text), "--count", 6)["bodies"]["beam"]
            ratios = [a / b for a, b in zip(found["frequencies_hz"], modes["frequencies_hz"])]
            rms, largest = difference(self.run(name, text)["probes"]["tip"]["u"], truth)
            rows["error"].append(max(one["curve"][-1]["held_out"] for one in made["cubature"]))
            rows["worst of six frequencies"].append(max(ratios, key=lambda x: abs(x - 1.0)))
            rows["motion"].append((rms, largest))
        self.table["beam"] = rows
        self.lines += ["| error | " + " | ".join(f"{e:.3f}" for e in rows["error"]) + " |",
                       "| worst of six frequencies | " + " | ".join(f"{f:.4f}" for f in rows["worst of six frequencies"]) + " |",
                       "| motion, % | " + " | ".join(f"{100 * r:.2f} / {100 * m:.2f}" for r, m in rows["motion"]) + " |", ""]

    def example(self, shape, modes, points, duration):
        """One of examples/: all elements, and few."""
        text = (HERE.parent / f"{shape}.toml").read_text()
        lines = [f"duration = {duration}\n" if line.startswith("duration") else line for line in text.splitlines(keepends=True)]
        text = "".join(lines)
        old = [line for line in lines if line.startswith("model = ")][0]
        start = old.index("modes = ")
        new = old[:start] + f"modes = {modes}" + old[start + len("modes = "):].lstrip("0123456789")
        text = text.replace(old, new)
        few = with_cubature(text, f'interior = "polynomial", interface = "uniform", error = 1e-9, points = {points}')
        exact, quick = self.run(f"{shape}_exact_{modes}", text), self.run(f"{shape}_{modes}", few)
        made = ask(self.program, "build", self.out / f"{shape}_{modes}.toml", "--cache", self.out / "cache")["bodies"][shape]
        probe = next(iter(exact["probes"]))
        return {"dofs": exact["dofs"], "between": sum(one["points"] for one in made["cubature"]),
                "motion": difference(quick["probes"][probe]["u"], exact["probes"][probe]["u"]),
                "exact_ms": exact["step_us"]["p50"] / 1e3, "ms": quick["step_us"]["p50"] / 1e3}

    def examples(self, cases):
        self.lines += ["### Bodies (Fig. 6, Tables 3 and 4)", "",
                       "`examples/`, with their meshes; ms per step on one thread (median), inner elements by polynomials. Published: "
                       "armadillo (here: creature), octopus, caterpillar, on other meshes and an Intel Core i7-2600.", "",
                       "| body | r | unknowns | elements between domains, kept | motion, % RMS / largest | ms, all | ms, few | published: "
                       "kept between | in all | ms | frames/s | frames/s without |", "| --- |" + " ---: |" * 11]
        for shape, modes, points, duration in cases:
            row = self.example(shape, modes, points, duration)
            self.table[f"{shape}/{modes}"] = row
            motion = "stopped" if row["motion"] is None else f'{100 * row["motion"][0]:.2f} / {100 * row["motion"][1]:.2f}'
            published = " | ".join(map(str, PUBLISHED.get((shape, modes), ("–",) * 5)))
            self.lines.append(f'| {shape} | {modes} | {row["dofs"]} | {row["between"]} | {motion} | {row["exact_ms"]:.2f} | '
                              f'{row["ms"]:.2f} | {published} |')
            self.write()

    def write(self):
        (self.out / "table.json").write_text(json.dumps(self.table, indent=1))
        (self.out / "tables.md").write_text("\n".join([*self.lines, ""]))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    study = Study(sys.argv[1], out)
    quick = "--quick" in sys.argv
    study.beam_by_count([8, 24] if quick else [4, 8, 12, 16, 24, 32, 48])
    if not quick:
        study.examples([("creature", 20, 40, 1.0), ("creature", 30, 49, 1.0), ("creature", 40, 56, 1.0),
                        ("octopus", 40, 60, 1.0), ("caterpillar", 20, 24, 1.0)])
    study.write()
    print("\n".join(study.lines))


if __name__ == "__main__":
    main()
