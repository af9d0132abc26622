#!/usr/bin/env python3
"""Draws figures 3, 7, 10, 12 and 14 and table 1 of [LuoEtAl2018] with our own bodies, and prints their numbers.

usage: blended_figures.py --program build/bin/pliant [--out docs/theory/blended] [--only 3 7 10 12 14 1]

All together take two or three minutes on one core. See docs/theory/blended.md, "Published figures".
"""

import argparse
import math
import pathlib
import tempfile

from coupled_figures import COLOURS, Plot, Program, simulation

WEIGHTS = ("principal", "pinned", "rbf", "biharmonic", "harmonic", "mean-value", "bounded-biharmonic")


def blended(seeds, more=""):
    places = ", ".join(f"[{x}, {y}, {z}]" for x, y, z in seeds)
    return f'model = {{ type = "blended", seeds = [{places}]{more} }}\n'


def tip_of(result):
    return result["probes"]["tip"]["u"][-1]


def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def axis(count):
    return [((i + 0.5) / count, 0.1, 0.05) for i in range(count)]


def rows(final):
    return [list(map(float, line.split())) for line in final.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def bent(program, element, model, name):
    """A bar whose free end is turned by a couple: tip, and the shape of its lower edge."""
    nx, ny, nz = 20, 4, 2
    force = 12.0
    text = simulation(0, 0, 0, "static") + f"""[[body]]
name = "bar"
generate = {{ shape = "box", size = [1, 0.2, 0.1], cells = [{nx}, {ny}, {nz}], element = "{element}" }}
material = {{ law = "stvk", young = 1e5, poisson = 0.3, density = 1000 }}
fixed = ["x < 1e-6"]
{model}[[body.load]]
where = "x > 1 - 1e-6 && z > 0.1 - 1e-6"
force = [{force}, 0, 0]
[[body.load]]
where = "x > 1 - 1e-6 && z < 1e-6"
force = [{-force}, 0, 0]
[[probe]]
name = "tip"
near = [1, 0.1, 0.05]
"""
    final = program.folder / f"{name}.txt".replace(" ", "_")
    result = program.run(text, final)
    moved = {int(row[0]): row[1:4] for row in rows(final)}
    edge = [(i / nx + moved[i][0], moved[i][2]) for i in range(nx + 1)] if element == "tet" else []
    return tip_of(result), edge, result["healthy"]


def figure3(program, out):
    """Pure bending: few quadratic domains beside affine and rigid ones, and quadratic tets as the truth."""
    truth, _, _ = bent(program, "tet10", 'model = { type = "full" }\n', "tet10")
    plot = Plot("a bar bent by a couple at its end", "x / m", "z / m", (0, 1), (-0.6, 0.1))
    smooth = ', gradients = "smooth"'
    kinds = (("full, linear tets", 'model = { type = "full" }\n', "-"),
             ("1 quadratic", blended(axis(1), smooth), 30), ("2 quadratic", blended(axis(2), smooth), 60),
             ("3 affine", blended(axis(3), smooth + ', coordinates = "affine"'), 36),
             ("5 rigid", blended(axis(5), smooth + ', coordinates = "rigid"'), 30))
    print(f"Fig. 3: deflection of the tip under a couple; {len(kinds)} models, full with quadratic tets: {truth[2]:.4f} m")
    for i, (name, model, size) in enumerate(kinds):
        tip, edge, healthy = bent(program, "tet", model, name)
        print(f"  {name:18} {size!s:>3} coordinates  {tip[2]:.4f} m  {100 * tip[2] / truth[2]:.1f} % of it, healthy: {healthy}")
        plot.add(name, edge, COLOURS[i])
    (out / "fig3.svg").write_text(plot.svg(), encoding="utf-8")


def cylinder(g, model):
    """1 m long, Young's modulus from 10,000 Pa at the clamp down to 1,000 Pa at the middle."""
    slabs = "".join(f'[[body.region]]\nwhere = "x > {0.05 * k} && x <= {0.05 * (k + 1)}"\nmaterial = {{ law = "stvk", '
                    f'young = {10000 - 9000 * min(1.0, 0.1 * (k + 0.5)):.0f}, poisson = 0.3, density = 100 }}\n' for k in range(20))
    return simulation(0, 0, g, "static") + f"""[[body]]
name = "cylinder"
generate = {{ shape = "cylinder", radius = 0.08, length = 1, across = 4, along = 24, element = "tet" }}
material = {{ law = "stvk", young = 1000, poisson = 0.3, density = 100 }}
fixed = ["x < 1e-6"]
{model}{slabs}[[probe]]
name = "tip"
near = [1, 0, 0]
"""


def figure12(program, out):
    """Which weights know that the body is stiff at one end."""
    g = 0.1
    truth = tip_of(program.run(cylinder(g, 'model = { type = "full" }\n')))
    size = distance(truth, (0, 0, 0))
    print(f"Fig. 12: two quadratic domains on a cylinder that softens; tip of full: {size:.4f} m")
    for kind in WEIGHTS:
        tip = tip_of(program.run(cylinder(g, blended([(0.25, 0, 0), (0.75, 0, 0)], f', weights = "{kind}"'))))
        print(f"  {kind:20} tip error {100 * distance(tip, truth) / size:.1f} %")
    for kind in ("principal", "harmonic"):
        scene = program.folder / f"{kind}.toml"
        scene.write_text(cylinder(g, blended([(0.25, 0, 0), (0.75, 0, 0)], f', weights = "{kind}"')), encoding="utf-8")
        program.call("weights", scene, "--svg", out / f"fig12_{kind}.svg")


def figure14(program, out):
    """Weights between 0 and 1 lock: they cannot be extrapolated."""
    print("Fig. 14: two domains at 1/4 and 3/4 of a beam, bounded and unbounded weights")
    beam = simulation(0, 0, 3, "static") + BEAM
    truth = tip_of(program.run(beam % 'model = { type = "full" }\n'))
    for kind in ("principal", "bounded-biharmonic"):
        text = beam % blended(axis(2), f', weights = "{kind}"')
        tip = tip_of(program.run(text))
        print(f"  {kind:20} tip error {100 * distance(tip, truth) / distance(truth, (0, 0, 0)):.1f} %")
        scene = program.folder / f"fig14_{kind}.toml"
        scene.write_text(text, encoding="utf-8")
        program.call("weights", scene, "--svg", out / f"fig14_{kind.replace('-', '_')}.svg")


def table1(program, out):
    """Bodies of the size of the published ones: one linear solve a step."""
    print("Table 1: elements, domains, points, error, build in s, steps/s (median)")
    for name, cells, domains, points in (("bunny", 40, 5, 78), ("stay-puft", 37, 5, 28), ("cactus", 28, 4, 26)):
        scene = ('[simulation]\ndt = 0.0041666667\nduration = 1\ngravity = [0, 0, -9.81]\nintegrator = "backward-euler"\nnewton = { iterations = 1 }\n'
                 f'[[body]]\nname = "rabbit"\ngenerate = {{ shape = "rabbit", element = "tet", length = 0.3, resolution = {cells} }}\n'
                 'material = { law = "stvk", young = 2e4, poisson = 0.4, density = 1000 }\nfixed = ["z < -0.06"]\n'
                 f'model = {{ type = "blended", domains = {{ auto = {domains} }}, integration = "cubature", '
                 f'cubature = {{ points = {points}, error = 1e-6 }} }}\n')
        result = program.run(scene)
        print(f"  as {name:10} {domains} domains, {domains * points} points, build {result['build_s']:.1f} s, "
              f"{1e6 / result['step_us']['p50']:.0f} steps/s, healthy: {result['healthy']}")


# Figures 7 and 14: a clamped beam under its weight.
BEAM = """[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [20, 5, 4], element = "tet" }
material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
%s[[probe]]
name = "tip"
near = [1, 0.1, 0.05]
"""


def figure7(program, out):
    """Weights along other directions than the principal one, which is z: towards the axis of the beam, and across it."""
    beam = simulation(0, 0, 3, "static") + BEAM
    truth = tip_of(program.run(beam % 'model = { type = "full" }\n'))
    size = distance(truth, (0, 0, 0))
    plot = Plot("a beam's tip when weights are solved for along other directions", "angle to the principal direction / degrees",
                "tip error / deflection", (0, 90), (0, 1))
    print("Fig. 7: tip error by the angle of the weights' direction, 0 15 30 45 60 75 90 degrees")
    curves = (("1 domain, to the axis", 1, 0), ("2 domains, to the axis", 2, 0), ("1 domain, across", 1, 1), ("2 domains, across", 2, 1))
    for i, (name, count, other) in enumerate(curves):
        points = []
        for angle in range(0, 91, 15):
            direction = [0.0, 0.0, math.cos(math.radians(angle))]
            direction[other] = math.sin(math.radians(angle))
            tip = tip_of(program.run(beam % blended(axis(count), f", direction = {direction}")))
            points.append((angle, distance(tip, truth) / size))
        print(f"  {name:24}", " ".join(f"{e:.3f}" for _, e in points))
        plot.add(name, points, COLOURS[i], dashed=other == 1)
    (out / "fig7.svg").write_text(plot.svg(), encoding="utf-8")


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


def figure10(program, _):
    four = '{ type = "blended", seeds = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.1, 0.3, 0.1], [0.3, 0.3, 0.1]] }'
    # Events have no meaning in statics: the brick comes to rest under the force instead.
    def settled(model, insert=""):
        scene = BRICK.format(model=model).replace('integrator = "static"\nnewton = { tolerance = 1e-6 }',
                                                  'integrator = "backward-euler"\ndt = 0.01\nduration = 0.4\n'
                                                  'damping = { stiffness = 0.01, stiffness_at = "rest" }')
        return program.run(scene + insert)

    truth = -tip_of(settled('{ type = "full" }'))[2]
    print(f"\nFigure 10: dent of {1000 * truth:.2f} mm (all vertices)\n\n| model | coordinates | dent |\n| --- | --- | --- |")
    rows = [("4 domains", ""), ("and an affine one, radius 0.12", 'radius = 0.12, shapes = "affine"')]
    for radius in [0.06, 0.08, 0.12, 0.2]:
        rows.append((f"and a quadratic one, radius {radius}", f"radius = {radius}"))
    rows += [("and three responses, radius 0.12", 'radius = 0.12, shapes = "response"'),
             ("and one response, radius 0.2", 'radius = 0.2, shapes = "response", direction = [0, 0, 1]')]
    for name, keys in rows:
        insert = f"\n[[event]]\nt = 0\ninsert = {{ at = [0.2, 0.2, 0.2], {keys} }}\n" if keys else ""
        result = settled(four, insert)
        print(f"| {name} | {result['dofs']} | {-tip_of(result)[2] / truth:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/theory/blended"))
    parser.add_argument("--only", type=int, nargs="*", default=[3, 7, 10, 12, 14, 1])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    figures = {3: figure3, 7: figure7, 10: figure10, 12: figure12, 14: figure14, 1: table1}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        for number in options.only:
            figures[number](program, options.out)


if __name__ == "__main__":
    main()
