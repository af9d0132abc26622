#!/usr/bin/env python3
"""Runs coupled bodies with all elements between their domains, and with few: errors by the number of elements, motions, times.

usage: compare.py PLIANT OUT [--quick]

PLIANT is the program, OUT a folder for the scenes, table.json, tables.md, fig5.svg and fig6.svg: Fig. 5 and 6 and Tables 3 and 4
of [WuMukherjeeWang2015] in our own geometries, published values beside ours. --quick: the beam alone.
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


def plot(title, across, up, curves, logarithmic):
    """Curves (name, points, colour, dashed) as SVG; `logarithmic`: the upright axis."""
    width, height, left, right, top, bottom = 640, 360, 62, 180, 34, 46
    scale = math.log10 if logarithmic else (lambda v: v)
    xs = [x for _, points, _, _ in curves for x, _ in points]
    ys = [scale(y) for _, points, _, _ in curves for _, y in points]
    low, high = (math.floor(min(ys)), math.ceil(max(ys))) if logarithmic else (min(ys), max(ys))
    to_x = lambda v: left + (width - left - right) * (v - min(xs)) / (max(xs) - min(xs))
    to_y = lambda v: height - bottom - (height - top - bottom) * (scale(v) - low) / (high - low)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>', f'<text x="{left}" y="20" font-size="13">{title}</text>']
    steps = high - low if logarithmic else 5
    for i in range(steps + 1):
        v = 10.0 ** (low + i) if logarithmic else low + (high - low) * i / 5
        lines.append(f'<path d="M{left},{to_y(v):.1f}H{width - right}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{to_y(v) + 4:.1f}" text-anchor="end">{v:.3g}</text>')
    for v in sorted(set(xs)) if len(set(xs)) < 10 else [min(xs) + (max(xs) - min(xs)) * i / 5 for i in range(6)]:
        lines.append(f'<path d="M{to_x(v):.1f},{top}V{height - bottom}" stroke="#ddd"/>')
        lines.append(f'<text x="{to_x(v):.1f}" y="{height - bottom + 18}" text-anchor="middle">{v:.3g}</text>')
    for i, (name, points, colour, dashed) in enumerate(curves):
        dash = ' stroke-dasharray="5 3"' if dashed else ""
        lines.append('<polyline points="' + " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in points) +
                     f'" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>')
        at = top + 14 + 17 * i
        lines.append(f'<path d="M{width - right + 10},{at - 4}h22" stroke="{colour}" stroke-width="2"{dash}/>')
        lines.append(f'<text x="{width - right + 38}" y="{at}">{name}</text>')
    lines.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{across}</text>')
    lines.append(f'<text transform="translate(16 {(height - bottom + top) / 2}) rotate(-90)" text-anchor="middle">{up}</text>')
    return "\n".join([*lines, "</svg>", ""])


class Study:
    def __init__(self, program, out):
        self.program, self.out, self.lines, self.table = program, out, [], {}

    def scene(self, name, text):
        file = self.out / f"{name}.toml"
        file.write_text(text)
        return file

    def run(self, name, text):
        return ask(self.program, "run", self.scene(name, text), "--threads", 1, "--cache", self.out / "cache")

    def with_few(self, name, text, interface, count, exact):
        """The beam with so many elements per interface, of their kind of weights."""
        few = with_cubature(text, f'interior = "polynomial", interface = "{interface}", error = 1e-9, points = {count}')
        scene = self.scene(name, few)
        made = ask(self.program, "build", scene, "--cache", self.out / "cache")["bodies"]["beam"]
        rms, largest = difference(self.run(name, few)["probes"]["tip"]["u"], exact)
        return {"error": max(one["curve"][-1]["held_out"] for one in made["cubature"]), "motion": (rms, largest), "scene": scene}

    def beam_by_count(self, counts):
        """Fig. 5, and what it does to frequencies and motion."""
        truth = self.run("beam_exact", BEAM)["probes"]["tip"]["u"]
        modes = ask(self.program, "modes", self.scene("beam_exact", BEAM), "--count", 6, "--cache", self.out / "cache")["bodies"]["beam"]
        self.lines += ["### Errors by the number of elements (Fig. 5)", "",
                       "Beam of 3 domains of 20 shapes, 72 elements in each interface. Error: of forces in the norm of their work, on "
                       "poses held out. Motion: tip, 1 s under g = 9.81, RMS / largest over the peak.", "",
                       "| elements per interface | " + " | ".join(map(str, counts)) + " |",
                       "| --- |" + " --- |" * len(counts)]
        rows = {"uniform": [], "nonuniform": [], "worst of six frequencies": []}
        for count in counts:
            for kind in ("uniform", "nonuniform"):
                rows[kind].append(self.with_few(f"beam_{kind}_{count}", BEAM, kind, count, truth))
            found = ask(self.program, "modes", rows["uniform"][-1].pop("scene"), "--count", 6,
                        "--cache", self.out / "cache")["bodies"]["beam"]
            rows["nonuniform"][-1].pop("scene")
            ratios = [a / b for a, b in zip(found["frequencies_hz"], modes["frequencies_hz"])]
            rows["worst of six frequencies"].append(max(ratios, key=lambda x: abs(x - 1.0)))
        self.table["beam"] = rows
        percent = lambda kind: " | ".join("{:.2f} / {:.2f}".format(*(100 * x for x in row["motion"])) for row in rows[kind])
        errors = lambda kind: " | ".join(f'{row["error"]:.3f}' for row in rows[kind])
        self.lines += [f"| error, uniform | {errors('uniform')} |", f"| error, by kind | {errors('nonuniform')} |",
                       "| worst of six frequencies | " + " | ".join(f"{x:.4f}" for x in rows["worst of six frequencies"]) + " |",
                       f"| motion, uniform, % | {percent('uniform')} |", f"| motion, by kind, % | {percent('nonuniform')} |", ""]
        curves = [(name, [(n, row[what] if what == "error" else row[what][0]) for n, row in zip(counts, rows[kind])], colour, dashed)
                  for name, kind, what, colour, dashed in (("forces, uniform", "uniform", "error", "#1d4ed8", False),
                                                           ("forces, by kind", "nonuniform", "error", "#dc2626", False),
                                                           ("motion, uniform", "uniform", "motion", "#1d4ed8", True),
                                                           ("motion, by kind", "nonuniform", "motion", "#dc2626", True))]
        (self.out / "fig5.svg").write_text(plot("errors by the number of elements", "elements per interface", "error", curves, True))

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
        if shape == "caterpillar":
            curves = [(name, [(t, u[2]) for t, u in zip(run["probes"][probe]["t"], run["probes"][probe]["u"])], colour, dashed)
                      for name, run, colour, dashed in (("all elements", exact, "#1d4ed8", False), ("few", quick, "#dc2626", True))]
            (self.out / "fig6.svg").write_text(plot(f"{shape}: height of its {probe}", "t / s", "z / m", curves, False))
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
