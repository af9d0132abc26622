#!/usr/bin/env python3
"""Draws figures 3, 4, 7 and 8 of [WuMukherjeeWang2015] with our own bodies, and prints their numbers.

usage: coupled_figures.py --program build/bin/pliant [--out docs/theory/coupled] [--only 3 4 7 8]

Every run is bounded in time (300 s); all together take a few minutes on one core. See docs/theory/coupled.md, "Published figures".
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 300  # seconds for one run
COLOURS = ["#1d4ed8", "#dc2626", "#059669", "#d97706", "#7c3aed", "#0891b2"]
BEAM = """[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [24, 4, 3], element = "tet" }
material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
"""
HALVES = """[[body.domain]]
name = "held"
where = "x < 0.5"
[[body.domain]]
name = "free"
where = "true"
"""
TIP = """[[probe]]
name = "tip"
near = [1, 0.2, 0.1]
"""


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.count = path, pathlib.Path(folder), 0

    def call(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(map(str, arguments))}:\n{done.stderr}")
        return done.stdout

    def run(self, scene, final=None):
        self.count += 1
        file = self.folder / f"scene_{self.count}.toml"
        file.write_text(scene, encoding="utf-8")
        more = ["--final", final] if final else []
        return json.loads(self.call("run", file, "--json", "--quiet", "--threads", "1", "--cache", self.folder / "cache", *more))


def simulation(dt, duration, gravity, integrator=None):
    lines = ["[simulation]", f"gravity = [0, 0, -{gravity}]"]
    if integrator:
        lines.append(f'integrator = "{integrator}"')
    if integrator != "static":
        lines += [f"dt = {dt!r}", f"duration = {duration!r}"]
    return "\n".join([*lines, ""])


def model(modes=20, more=""):
    return f'model = {{ type = "coupled", modes = {modes}{more} }}\n' + HALVES


def ticks(low, high, most=6):
    """Round numbers between two, at most so many."""
    step = next(s for s in (10.0 ** (n // 3) * (1, 2, 5)[n % 3] for n in range(-30, 30)) if (high - low) / s <= most)
    first = math.ceil(low / step - 1e-9)
    return [step * i for i in range(first, math.floor(high / step + 1e-9) + 1)]


class Plot:
    """Curves over two axes, as SVG; `decades`: the second is logarithmic, and its values are powers of ten."""

    def __init__(self, title, across, up, x, y, decades=False):
        self.title, self.across, self.up, self.x, self.y, self.decades = title, across, up, x, y, decades
        self.curves, self.notes = [], []

    def add(self, name, points, colour, dashed=False, width=1.5):
        self.curves.append((name, points, colour, dashed, width))

    def svg(self, width=640, height=360):
        left, right, top, bottom = 60, 170 if any(curve[0] for curve in self.curves) else 20, 34, 46
        to_x = lambda v: left + (width - left - right) * (v - self.x[0]) / (self.x[1] - self.x[0])
        to_y = lambda v: height - bottom - (height - top - bottom) * (v - self.y[0]) / (self.y[1] - self.y[0])
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
                 f'<rect width="{width}" height="{height}" fill="white"/>',
                 f'<clipPath id="frame"><rect x="{left}" y="{top}" width="{width - left - right}" height="{height - top - bottom}"/></clipPath>',
                 f'<text x="{left}" y="20" font-size="13">{self.title}</text>']
        for v in ticks(*self.x):
            lines.append(f'<path d="M{to_x(v):.1f},{top}V{height - bottom}" stroke="#ddd"/>')
            lines.append(f'<text x="{to_x(v):.1f}" y="{height - bottom + 18}" text-anchor="middle">{v:.3g}</text>')
        for v in ticks(*self.y) if self.up else []:
            name = f'10<tspan dy="-5" font-size="9">{v:.0f}</tspan>' if self.decades else f"{v:.3g}"
            lines.append(f'<path d="M{left},{to_y(v):.1f}H{width - right}" stroke="#ddd"/>')
            lines.append(f'<text x="{left - 8}" y="{to_y(v) + 4:.1f}" text-anchor="end">{name}</text>')
        for i, (name, points, colour, dashed, thick) in enumerate(self.curves):
            shown = points[::max(1, len(points) // 400)]
            dash = ' stroke-dasharray="6 4"' if dashed else ""
            lines.append('<polyline clip-path="url(#frame)" points="' + " ".join(f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in shown) +
                         f'" fill="none" stroke="{colour}" stroke-width="{thick}"{dash}/>')
            if name:
                at = top + 14 + 17 * i
                lines.append(f'<path d="M{width - right + 10},{at - 4}h22" stroke="{colour}" stroke-width="{thick + 0.5}"{dash}/>')
                lines.append(f'<text x="{width - right + 38}" y="{at}">{name}</text>')
        for x, y, text in self.notes:
            lines.append(f'<text x="{to_x(x):.1f}" y="{to_y(y):.1f}">{text}</text>')
        lines.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">{self.across}</text>')
        lines.append(f'<text transform="translate(16 {(height - bottom + top) / 2}) rotate(-90)" text-anchor="middle">{self.up}</text>')
        return "\n".join([*lines, "</svg>", ""])


def energies(program, scheme, rate, seconds, bend):
    """Times and energies over that at the start, of a bent beam that is let go."""
    integrator = None if scheme == "newton" else "backward-euler"
    result = program.run(simulation(1.0 / rate, seconds, 0, integrator) + BEAM + f'initial = {{ file = "{bend}" }}\n' +
                         model(more=f', scheme = "{scheme}"'))
    e = result["energy"]
    total = [k + s for k, s in zip(e["kinetic"], e["strain"])]
    return [(t, v / total[0]) for t, v in zip(e["t"], total)]


def figure3(program, out):
    bend = program.folder / "bend.txt"
    program.run(simulation(0, 0, 3, "static") + BEAM + model(), bend)
    print("Fig. 3: energy left after 0.5, 2 and 5 s")
    for scheme in ("one-step", "two-step", "newton"):
        lossless = scheme == "newton"
        plot = (Plot("energy lost or gained, energy-momentum", "t / s", "|E / E(0) − 1|", (0, 5), (-9, 0), decades=True) if lossless
                else Plot(f"energy left, {scheme}", "t / s", "E / E(0)", (0, 5), (0, 1.05)))
        for i, rate in enumerate((30, 60, 90, 240, 1000)):
            curve = energies(program, scheme, rate, 5.0, bend)
            at = lambda t: min(curve, key=lambda p: abs(p[0] - t))[1]
            worst = max(abs(e - 1) for _, e in curve)
            print(f"  {scheme:9} 1/{rate:<5} {at(0.5):.4f} {at(2):.4f} {at(5):.4f}, largest change {worst:.1e}")
            if lossless:  # the largest so far: it swings through zero
                most, curve = 0.0, list(curve)
                for n, (t, e) in enumerate(curve):
                    most = max(most, abs(e - 1), 1e-12)
                    curve[n] = (t, math.log10(most))
            plot.add(f"Δt = 1/{rate} s", curve, COLOURS[i])
        (out / f"fig3_{scheme.replace('-', '_')}.svg").write_text(plot.svg(), encoding="utf-8")


def figure4(program, out):
    print("Fig. 4: the matrix of the creature's eleven domains")
    scene = program.folder / "creature.toml"
    scene.write_text('[simulation]\ndt = 0.01\nduration = 0.01\n[[body]]\nname = "creature"\n'
                     'generate = { shape = "creature", length = 0.8, element = "tet", resolution = 24 }\n'
                     'material = { law = "stvk", young = 3e4, poisson = 0.4, density = 1000 }\n'
                     'model = { type = "coupled", domains = { from = "labels" }, modes = 20 }\n', encoding="utf-8")
    print("  " + program.call("decompose", scene, "--matrix", out / "fig4_matrix.svg").strip().replace("\n", "\n  "))


BLOCK_CELLS = (16, 6, 6)


def block_outline(final, shift):
    """Lines of the face y = 0 of the block at its end: (x, z) of the vertices of each line."""
    nx, ny, nz = BLOCK_CELLS
    rows = [list(map(float, line.split())) for line in final.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    moved = {int(row[0]): row[1:4] for row in rows}
    place = lambda i, k: (i / nx + moved[i + (nx + 1) * (ny + 1) * k][0], 0.4 * k / nz + moved[i + (nx + 1) * (ny + 1) * k][2] + shift)
    return ([[place(i, k) for i in range(nx + 1)] for k in range(nz + 1)] +
            [[place(i, k) for k in range(nz + 1)] for i in range(nx + 1)])


def figure7(program, out):
    block = ('[[body]]\nname = "block"\ngenerate = { shape = "box", size = [1, 0.4, 0.4], cells = [%d, %d, %d], element = "tet" }\n' % BLOCK_CELLS +
             'material = { law = "stvk", young = 1.2e4, poisson = 0.4, density = 1000 }\nfixed = ["x < 1e-6"]\n')
    print("Fig. 7: a thick block of two domains, stretched by its weight: its end, and its height at the interface")
    plot = Plot("a block of two domains, held at the left, that its weight stretches to the right", "x / m", "", (0, 1.3), (-0.96, 0.5))
    kinds = (("rigid interface (tree)", 'model = { type = "tree", linear_modes = 8, modes = 30 }\n' + HALVES, 0.0),
             ("deformable interface (coupled)", model(30), -0.47), ("full", 'model = { type = "full" }\n', -0.94))
    tip = TIP.replace("[1, 0.2, 0.1]", "[1, 0, 0]")
    for i, (name, text, shift) in enumerate(kinds):
        final = program.folder / f"block_{i}.txt"
        statics = simulation(0, 0, 9.81, "static").replace("[0, 0, -9.81]", "[9.81, 0, 0]")
        result = program.run(statics + block + text + tip, final)
        lines = block_outline(final, shift)
        cut = BLOCK_CELLS[2] + 1 + BLOCK_CELLS[0] // 2
        height = lines[cut][-1][1] - lines[cut][0][1]
        print(f"  {name:30} {1.0 + result['probes']['tip']['u'][-1][0]:.4f} m, {height:.4f} m, healthy: {result['healthy']}")
        for j, line in enumerate(lines):
            plot.add("", line, COLOURS[i], width=2.5 if j in (cut, cut - 1) else 1)
        plot.notes.append((0.02, shift + 0.425, name))
    (out / "fig7.svg").write_text(plot.svg(640, 560), encoding="utf-8")


def figure8(program, out):
    seconds, rate = 1.0, 240.0
    plot = Plot("height of the beam's end, domains joined in different ways", "t / s", "z / m", (0, seconds), (-1.2, 0.1))
    ways = [("full", 'model = { type = "full" }\n'), ("elements", model(30))]
    ways += [(f"springs {name} N/m", model(30, f", springs = {float(name)!r}")) for name in ("3", "30", "300", "1e5", "1e7")]
    truth = None
    print("Fig. 8: height of the tip against full, RMS over its peak")
    for i, (name, text) in enumerate(ways):
        scene = simulation(1.0 / rate, seconds, 3, "newmark" if name == "full" else None) + BEAM + text + TIP
        result = program.run(scene)
        tip = result["probes"]["tip"]
        curve = [(t, u[2]) for t, u in zip(tip["t"], tip["u"])]
        truth = truth or curve
        rms = (sum((a[1] - b[1]) ** 2 for a, b in zip(curve, truth)) / len(curve)) ** 0.5 / max(abs(p[1]) for p in truth)
        print(f"  {name:20} lowest {min(p[1] for p in curve):.4f} m, RMS {100 * rms:.2f} %, healthy: {result['healthy']}")
        # `full` broad and grey, below all others
        plot.add(name, curve, "#9ca3af" if name == "full" else COLOURS[i - 1], name == "elements", 5 if name == "full" else 1.5)
    (out / "fig8.svg").write_text(plot.svg(), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/theory/coupled"))
    parser.add_argument("--only", type=int, nargs="*", default=[3, 4, 7, 8])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    figures = {3: figure3, 4: figure4, 7: figure7, 8: figure8}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        for number in options.only:
            figures[number](program, options.out)


if __name__ == "__main__":
    main()
