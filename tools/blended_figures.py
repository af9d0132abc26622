#!/usr/bin/env python3
"""Measures what figures 3, 10 and 12 of [LuoEtAl2018] show, with our own bodies, and prints tables in Markdown.

usage: blended_figures.py --program build/bin/pliant [--only 3 10 12] [--plot docs/theory/blended_insertion.svg]

--plot draws a beam that swings while a domain is inserted and removed, beside the same beam without it.

Every run is bounded in time (300 s); all together take about a minute on one quiet core. See docs/theory/blended.md, "Published figures".
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 300  # seconds for one run


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.count = path, pathlib.Path(folder), 0

    def run(self, scene):
        self.count += 1
        file = self.folder / f"scene_{self.count}.toml"
        file.write_text(scene, encoding="utf-8")
        done = subprocess.run([self.path, "run", file, "--json", "--quiet", "--threads", "1"], capture_output=True, text=True, timeout=LIMIT)
        if done.returncode not in (0, 1):
            sys.exit(f"{scene}\n{done.stderr}")
        return json.loads(done.stdout)


def last(result, probe="tip"):
    return result["probes"][probe]["u"][-1]


def distance(a, b):
    return math.dist(a, b)


# Figure 3: a beam bent by a couple at its end. Published: one quadratic domain (30 coordinates) shears less than three affine (36) and
# five rigid ones (30); linear tets of all vertices fail; quadratic tets are the truth.
BENT = """[simulation]
integrator = "static"
newton = {{ tolerance = 1e-6 }}
[[body]]
name = "beam"
generate = {{ shape = "box", size = [1, 0.1, 0.1], cells = [16, 2, 2], element = "{element}" }}
material = {{ law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }}
fixed = ["x < 1e-6"]
model = {model}
[[body.load]]
where = "x > 0.999999 && z > 0.0999"
force = [{force}, 0, 0]
[[body.load]]
where = "x > 0.999999 && z < 1e-6"
force = [-{force}, 0, 0]
[[probe]]
name = "tip"
near = [1, 0.05, 0.05]
"""


def seeds(count):
    return ", ".join(f"[{(i + 0.5) / count:.6g}, 0.05, 0.05]" for i in range(count))


def figure_3(program):
    force = 100
    truth = last(program.run(BENT.format(element="tet10", model='{ type = "full" }', force=force)))
    size = math.hypot(*truth)
    print(f"\nFigure 3: way of the tip {size:.3f} m (quadratic tets)\n\n| model | coordinates | tip error |\n| --- | --- | --- |")
    rows = [("all linear tets", '{ type = "full" }')]
    for count, kind in [(1, "quadratic"), (3, "affine"), (5, "rigid"), (2, "quadratic"), (4, "quadratic")]:
        rows.append((f"{count} {kind}", f'{{ type = "blended", seeds = [{seeds(count)}], coordinates = "{kind}", gradients = "smooth" }}'))
    for name, model in rows:
        result = program.run(BENT.format(element="tet", model=model, force=force))
        state = "" if result["healthy"] else " (not in equilibrium)"
        print(f"| {name}{state} | {result['dofs']} | {100 * distance(last(result), truth) / size:.1f} % |", flush=True)


# Figure 10: a force on the middle of a brick; domains inserted there.
BRICK = """[simulation]
integrator = "static"
newton = {{ tolerance = 1e-6 }}
[[body]]
name = "brick"
generate = {{ shape = "box", size = [0.4, 0.4, 0.2], cells = [12, 12, 6], element = "tet" }}
material = {{ law = "stvk", young = 1e5, poisson = 0.3, density = 1000 }}
fixed = ["z < 1e-6"]
model = {model}
[[body.load]]
where = "z > 0.1999 && abs(x - 0.2) < 0.035 && abs(y - 0.2) < 0.035"
force = [0, 0, -60]
[[probe]]
name = "tip"
near = [0.2, 0.2, 0.2]
"""


def figure_10(program):
    four = '{ type = "blended", seeds = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.1, 0.3, 0.1], [0.3, 0.3, 0.1]] }'
    # Events have no meaning in statics: the brick comes to rest under the force instead.
    def settled(model, insert=""):
        scene = BRICK.format(model=model).replace('integrator = "static"\nnewton = { tolerance = 1e-6 }',
                                                  'integrator = "backward-euler"\ndt = 0.01\nduration = 0.4\n'
                                                  'damping = { stiffness = 0.01, stiffness_at = "rest" }')
        return program.run(scene + insert)

    truth = -last(settled('{ type = "full" }'))[2]
    print(f"\nFigure 10: dent of {1000 * truth:.2f} mm (all vertices)\n\n| model | coordinates | dent |\n| --- | --- | --- |")
    rows = [("4 domains", ""), ("and an affine one, radius 0.12", 'radius = 0.12, shapes = "affine"')]
    for radius in [0.06, 0.08, 0.12, 0.2]:
        rows.append((f"and a quadratic one, radius {radius}", f"radius = {radius}"))
    rows += [("and three responses, radius 0.12", 'radius = 0.12, shapes = "response"'),
             ("and one response, radius 0.2", 'radius = 0.2, shapes = "response", direction = [0, 0, 1]')]
    for name, keys in rows:
        insert = f"\n[[event]]\nt = 0\ninsert = {{ at = [0.2, 0.2, 0.2], {keys} }}\n" if keys else ""
        result = settled(four, insert)
        print(f"| {name} | {result['dofs']} | {-last(result)[2] / truth:.3f} |", flush=True)


# Figure 12: a cylinder, stiff at the wall and soft from the middle on, under its weight; two quadratic domains. Published: principal weights
# are nearest to all vertices.
CYLINDER = """[simulation]
integrator = "static"
gravity = [0, 0, -0.09]
newton = {{ tolerance = 1e-6 }}
[[body]]
name = "cylinder"
generate = {{ shape = "box", size = [1, 0.14, 0.14], cells = [24, 3, 3], element = "tet" }}
material = {{ law = "stvk", young = 1000, poisson = 0.3, density = 1000 }}
fixed = ["x < 1e-6"]
model = {model}
{regions}
[[probe]]
name = "tip"
near = [1, 0.07, 0.07]
"""


def figure_12(program):
    regions = "".join(f'[[body.region]]\nwhere = "x >= {i / 12:.9f} && x < {(i + 1) / 12:.9f}"\n'
                      f'material = {{ law = "stvk", young = {10000 - 9000 * (i + 0.5) / 6:.6g}, poisson = 0.3, density = 1000 }}\n' for i in range(6))
    truth = last(program.run(CYLINDER.format(model='{ type = "full" }', regions=regions)))
    size = math.hypot(*truth)
    print(f"\nFigure 12: way of the tip {size:.3f} m (all vertices)\n\n| weights | tip error |\n| --- | --- |")
    for kind in ["principal", "rbf", "pinned", "biharmonic", "harmonic", "mean-value", "bounded-biharmonic"]:
        model = f'{{ type = "blended", seeds = [[0.25, 0.07, 0.07], [0.75, 0.07, 0.07]], weights = "{kind}" }}'
        result = program.run(CYLINDER.format(model=model, regions=regions))
        state = "" if result["healthy"] else " (not in equilibrium)"
        print(f"| {kind}{state} | {100 * distance(last(result), truth) / size:.1f} % |", flush=True)


SWINGING = """[simulation]
dt = 0.005
duration = 1.5
gravity = [0, 0, -9.81]
integrator = "energy-momentum"
[[body]]
name = "beam"
generate = {{ shape = "box", size = [1, 0.2, 0.1], cells = [16, 4, 2], element = "tet" }}
material = {{ law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }}
fixed = ["x < 1e-6"]
model = {{ type = "blended", seeds = [[0.25, 0.1, 0.05], [0.75, 0.1, 0.05]] }}
{events}
[[probe]]
name = "tip"
near = [1, 0.1, 0.05]
"""


def plot(program, file):
    events = ('[[event]]\nt = 0.5\ninsert = { name = "one", at = [0.6, 0.1, 0.1], radius = 0.2 }\n'
              '[[event]]\nt = 0.9\nremove = "one"\nfade = 0.3\n')
    runs = [("without", "#64748b", program.run(SWINGING.format(events=""))),
            ("inserted at 0.5 s, fades from 0.9 s to 1.2 s", "#dc2626", program.run(SWINGING.format(events=events)))]
    panels = [("tip, m", lambda r: [u[2] for u in r["probes"]["tip"]["u"]]),
              ("energy, J", lambda r: [sum(e) for e in zip(r["energy"]["kinetic"], r["energy"]["strain"], r["energy"]["potential"])])]
    width, height, left, top = 640, 170, 64, 24
    text = 'font-family="sans-serif" font-size="12" fill="#334155"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {2 * (height + 40) + 20}">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, (label, values_of) in enumerate(panels):
        y0 = top + i * (height + 40)
        all_values = [v for _, _, run in runs for v in values_of(run)]
        low, high = min(all_values), max(all_values)
        span = (high - low) or 1.0
        place = lambda t, v: (left + (width - left - 16) * t / 1.5, y0 + height * (high - v) / span)
        out.append(f'<text x="{left}" y="{y0 - 8}" {text}>{label}: {low:.4g} to {high:.4g}</text>')
        for t in (0.5, 0.9, 1.2):
            x = place(t, low)[0]
            out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y0}" y2="{y0 + height}" stroke="#cbd5e1" stroke-dasharray="4 3"/>')
            out.append(f'<text x="{x - 12:.1f}" y="{y0 + height + 14}" {text}>{t} s</text>')
        for _, colour, run in runs:
            points = " ".join("{:.1f},{:.1f}".format(*place(t, v)) for t, v in zip(run["energy"]["t"], values_of(run)))
            out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>')
    for k, (name, colour, _) in enumerate(runs):
        out.append(f'<text x="{left + 120 + 90 * k}" y="{2 * (height + 40) + 12}" {text.replace("#334155", colour)}>{name}</text>')
    out.append("</svg>\n")
    pathlib.Path(file).write_text("\n".join(out), encoding="utf-8")
    for name, _, run in runs:
        energy = panels[1][1](run)
        print(name, run["healthy"], f"energy {min(energy):.6g} to {max(energy):.6g} J,",
              "at the insertion", [f"{energy[i]:.9g}" for i in (99, 100, 101)])


FIGURES = {3: figure_3, 10: figure_10, 12: figure_12}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bin/pliant")
    parser.add_argument("--only", type=int, nargs="*", choices=sorted(FIGURES), default=sorted(FIGURES))
    parser.add_argument("--plot")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(pathlib.Path(options.program).resolve(), folder)
        if options.plot:
            plot(program, options.plot)
            return
        for number in options.only:
            FIGURES[number](program)


if __name__ == "__main__":
    main()
