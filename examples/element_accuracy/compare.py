#!/usr/bin/env python3
"""How far each kind of element is from the truth: a beam 1 x 0.2 x 0.1 m, clamped, of tets, hexes and quadratic tets.

usage: compare.py PLIANT OUT [--untrained] [CELLS ...]

PLIANT is the program, OUT a folder for the scenes, table.json, table.md and the picture error.svg. CELLS are sizes such
as 10x3x2; without them, all sizes of the table in README.md. Trained bases are made for quadratic tets only, and not at
all with --untrained: the larger meshes take minutes.

The truth is the continuum's: frequency and mean displacement of the end face under g = 9.81 (StVK), from cubic tets on
meshes that are graded towards the clamped edges (dolfinx). Its last digits: 1e-4 in the frequency, 2e-4 in the tip.
"""

import json
import math
import pathlib
import subprocess
import sys

FREQUENCY, TIP = 0.51107, (-0.40082, 0.0, -0.74716)
SIZES = ["10x2x1", "10x3x2", "20x4x2", "40x8x4"]
ELEMENTS = {"tet": "#c2410c", "hex": "#15803d", "tet10": "#1d4ed8"}
MODELS = {"full": "", "modal": 'model = { type = "modal", linear_modes = 10, modes = 20 }',
          "trained": 'model = { type = "modal", modes = 20, basis = "trained" }'}


def end_face(cells, element):
    """Places in the end face and their weights in the mean of a displacement field of this element."""
    across, up = cells[1:]
    weights = {}

    def add(i, j, weight):  # in halves of a cell
        weights[i, j] = weights.get((i, j), 0.0) + weight / (across * up)

    for i in range(0, 2 * across, 2):
        for j in range(0, 2 * up, 2):
            if element == "tet10":  # two triangles, each integrated exactly by its midside vertices
                for a, b, weight in ((1, 0, 1), (0, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2)):
                    add(i + a, j + b, weight / 6)
            elif element == "hex":
                for a, b in ((0, 0), (2, 0), (0, 2), (2, 2)):
                    add(i + a, j + b, 1 / 4)
            else:  # two triangles along the diagonal
                for a, b, weight in ((0, 0, 2), (2, 0, 1), (0, 2, 1), (2, 2, 2)):
                    add(i + a, j + b, weight / 6)
    return [((1.0, 0.1 * i / across, 0.05 * j / up), weight) for (i, j), weight in sorted(weights.items())]


def scene_text(cells, element, model, static):
    text = f"""[simulation]
{'integrator = "static"' if static else 'dt = 0.001'}
{'' if static else 'duration = 2.0'}
gravity = [0, 0, -9.81]

[[body]]
name = "beam"
generate = {{ shape = "box", size = [1, 0.2, 0.1], cells = {cells}, element = "{element}" }}
material = {{ law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }}
fixed = ["x < 1e-6"]
{MODELS[model]}
"""
    for i, (place, _) in enumerate(end_face(cells, element) if static else []):
        text += f'\n[[probe]]\nname = "{i}"\nnear = {list(place)}\n'
    return text


def ask(program, command, scene, *arguments):
    done = subprocess.run([program, command, str(scene), "--json", "--quiet", *map(str, arguments)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command} {scene}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def measure(program, out, cells, element, model):
    name = f"{element}_{'x'.join(map(str, cells))}_{model}"
    cache = ("--cache", out / "cache")
    files = {}
    for static in (False, True):
        files[static] = out / f"{name}{'_static' if static else ''}.toml"
        files[static].write_text(scene_text(cells, element, model, static), encoding="utf-8")
    hz = ask(program, "modes", files[True], "--count", 1, *cache)["bodies"]["beam"]["frequencies_hz"][0]
    rest = ask(program, "run", files[True], *cache)
    tip = [0.0, 0.0, 0.0]
    for i, (_, weight) in enumerate(end_face(cells, element)):
        tip = [sum(pair) for pair in zip(tip, (weight * x for x in rest["probes"][str(i)]["u"][-1]))]
    row = {"cells": "x".join(map(str, cells)), "element": element, "model": model,
           "elements": math.prod(cells) * (1 if element == "hex" else 6), "dofs": rest["dofs"], "hz": hz, "tip": tip,
           "error_hz": hz / FREQUENCY - 1, "error_tip": math.dist(tip, TIP) / math.hypot(*TIP)}
    if model == "modal":
        row["step_us"] = ask(program, "run", files[False], *cache)["step_us"]["p50"]
    return row


def picture(table, file):
    """Error of the first frequency over degrees of freedom, both on logarithmic scales."""
    full = [row for row in table if row["model"] == "full"]
    low, high = math.floor(math.log10(min(row["dofs"] for row in full))), 5
    bottom, top = -4, 1
    left, right, upper, lower = 70, 560, 30, 330

    def x(dofs):
        return left + (right - left) * (math.log10(dofs) - low) / (high - low)

    def y(error):
        return lower - (lower - upper) * (math.log10(error) - bottom) / (top - bottom)

    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 390" font-family="sans-serif" font-size="12">',
             '<rect width="640" height="390" fill="white"/>']
    for power in range(low, high + 1):
        lines.append(f'<line x1="{x(10 ** power):.1f}" y1="{upper}" x2="{x(10 ** power):.1f}" y2="{lower}" stroke="#ddd"/>'
                     f'<text x="{x(10 ** power):.1f}" y="{lower + 18}" text-anchor="middle">{10 ** power:,}</text>')
    for power in range(bottom, top + 1):
        lines.append(f'<line x1="{left}" y1="{y(10 ** power):.1f}" x2="{right}" y2="{y(10 ** power):.1f}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{100 * 10 ** power:g} %</text>')
    lines.append(f'<text x="{(left + right) / 2}" y="{lower + 42}" text-anchor="middle">degrees of freedom of the mesh</text>')
    lines.append('<text x="70" y="18">error of the first frequency of a clamped beam</text>')
    for element, colour in ELEMENTS.items():
        rows = [row for row in full if row["element"] == element]
        points = [(x(row["dofs"]), y(abs(row["error_hz"]))) for row in rows]
        lines.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" stroke="{colour}" '
                     'stroke-width="2"/>')
        lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3.5" fill="{colour}"/>' for a, b in points]
        lines.append(f'<text x="{points[-1][0] + 8:.1f}" y="{points[-1][1] + 4:.1f}" fill="{colour}">{element}</text>')
    file.write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")


def markdown(table):
    lines = ["| cells | element | elements | degrees of freedom | f₁, `full` | tip, `full` | f₁, `modal` | tip, `modal` | f₁, trained | tip, trained | `modal` step |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    found = {(row["cells"], row["element"], row["model"]): row for row in table}
    for full in (row for row in table if row["model"] == "full"):
        rows = [found.get((full["cells"], full["element"], model)) for model in MODELS]
        errors = [f"{100 * row['error_hz']:+.2f} % | {100 * row['error_tip']:.2f} %" if row else "– | –" for row in rows]
        modal = rows[1]
        lines.append(f"| {full['cells'].replace('x', ' × ')} | `{full['element']}` | {full['elements']:,} | {full['dofs']:,} | "
                     f"{' | '.join(errors)} | {modal['step_us']:.1f} µs |")
    return "\n".join(lines)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, out = sys.argv[1], pathlib.Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    table = []
    sizes = [size for size in sys.argv[3:] if size != "--untrained"]
    for size in sizes or SIZES:
        for element in ELEMENTS:
            for model in MODELS:
                if model == "trained" and (element != "tet10" or "--untrained" in sys.argv):
                    continue
                table.append(measure(program, out, [int(n) for n in size.split("x")], element, model))
                print(f"{size} {element} {model}: f1 {table[-1]['hz']:.6f} Hz, tip {table[-1]['tip']}", file=sys.stderr)
    (out / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    (out / "table.md").write_text(markdown(table) + "\n", encoding="utf-8")
    picture(table, out / "error.svg")
    print(markdown(table))
    print(f"picture: {out / 'error.svg'}")


if __name__ == "__main__":
    main()
