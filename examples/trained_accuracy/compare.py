#!/usr/bin/env python3
"""How far trained bases and bases of modes and modal derivatives are from `full` on the same mesh.

usage: compare.py PLIANT OUT [SUBJECT ...] [--meshes FOLDER] [--shapes R ...] [--cases CASE ...]

PLIANT is the program, OUT a folder for the scenes, their results (which a second call takes from there), table.json and
table.md. SUBJECTS are beam_hex, beam_tet10, tree_4, tree_8, flower, and spoon, hand, liver, octopus, whose files are in
FOLDER/derived-tet and FOLDER/surface; without any, all that can be found. CASES are of a subject, such as "g down". Trees have
12 and 20 shapes per domain, other bodies 20 and 30, unless --shapes says otherwise. Errors are the RMS of the distance of a far
point over the time, relative to its largest displacement in `full`.
"""

import argparse
import hashlib
import json
import math
import pathlib
import statistics
import subprocess
import sys

G = 9.81
# File, resolution of the mesher for a surface, what holds the body, a far point, the axis along which the support shakes, and
# the sag under gravity by the first mode over the size: young follows from it.
BODIES = {
    "spoon": ("derived-tet/spoon_tets.msh", None, "y < -0.07", (0.0, 0.0932, 0.0), 2, 0.2),
    "hand": ("surface/hand.obj", 30, "y < 0.06", (0.0, 0.935, 0.0), 2, 0.05),
    "liver": ("surface/liver.obj", 16, "x < -0.105", (0.111, 0.35, -0.05), 2, 0.05),
    "octopus": ("derived-tet/octopus_tets.mesh", None, "z > 0.3", (0.0, 0.3, -1.2), 0, 0.06),
}


class Program:
    """Runs the program; keeps results by what was asked."""

    def __init__(self, path, out):
        self.path, self.out = path, out
        out.mkdir(parents=True, exist_ok=True)

    def ask(self, command, text, *arguments, keep=True):
        kind = b"" if keep else pathlib.Path(self.path).read_bytes()
        name = hashlib.sha256((command + text + str(arguments)).encode() + kind).hexdigest()[:16]
        kept = self.out / f"{name}.json"
        if kept.exists():
            return json.loads(kept.read_text(encoding="utf-8"))
        scene = self.out / f"{name}.toml"
        scene.write_text(text, encoding="utf-8")
        done = subprocess.run([self.path, command, str(scene), "--json", "--quiet", "--cache", str(self.out / "cache"),
                               *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode > 1 or not done.stdout:
            sys.exit(f"{command} {scene}: exit {done.returncode}\n{done.stderr}")
        kept.write_text(done.stdout, encoding="utf-8")
        return json.loads(done.stdout)


def simulation(dt, duration, gravity, more=""):
    return f"[simulation]\ndt = {dt!r}\nduration = {duration!r}\ngravity = {list(gravity)}\n{more}\n"


class Subject:
    """A body with its cases: text of the simulation, and what is added to the body."""

    def __init__(self, name, body, tip, cases, models):
        self.name, self.body, self.tip, self.cases, self.models = name, body, tip, cases, models

    def scene(self, case, model):
        head, more = self.cases[case]
        # An empty model is the full one; keys of the body come before its sections.
        keys, _, sections = more.partition("[[")
        return (f"{head}\n[[body]]\nname = \"body\"\n{self.body}\n{model}\n{keys}\n"
                f"{'[[' + sections if sections else ''}\n[[probe]]\nname = \"tip\"\nnear = {list(self.tip)}\n")


def modal(rank, basis):
    more = f"linear_modes = {rank // 2}" if basis == "modes" else 'basis = "trained"'
    return f'model = {{ type = "modal", modes = {rank}, {more} }}'


def beam(element, cells, ranks):
    body = (f'generate = {{ shape = "box", size = [1, 0.2, 0.1], cells = {cells}, element = "{element}" }}\n'
            'material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }')
    fixed = 'fixed = ["x < 1e-6"]\n'

    def swing(gravity, more=fixed):
        return simulation(1 / 240, 2.0, gravity), more

    driven = '[[body.motion]]\nwhere = "x < 1e-6"\n'
    cases = {
        "g down": swing((0, 0, -G)), "g up": swing((0, 0, G)), "g oblique": swing((0, -0.6 * G, -0.8 * G)),
        "g 3": swing((0, 0, -3)),
        **{f"mode {i}": swing((0, 0, 0), f"{fixed}initial = {{ mode = {i}, speed = 2 }}\n") for i in range(1, 6)},
        "twist": swing((0, 0, 0), driven + "rotate = { axis = [1, 0, 0], center = [0, 0.1, 0.05], "
                       "t = [0, 0.5, 1.5, 2], degrees = [0, 60, -60, 0] }\n"),
        "shake": swing((0, 0, 0), driven + "oscillate = { amplitude = [0, 0.05, 0], frequency = 1 }\n"),
    }
    models = {(basis, r): modal(r, basis) for r in ranks for basis in ("modes", "trained")}
    return Subject(f"beam_{element}", body, (1.0, 0.2, 0.1), cases, models)


def tree(domains, ranks):
    body = ('generate = { shape = "box", size = [1, 0.2, 0.1], cells = [24, 4, 3], element = "tet" }\n'
            'material = { law = "stvk", young = 1e6, poisson = 0.3, density = 1000 }\nfixed = ["x < 1e-6"]')
    cut = "".join(f'\n[[body.domain]]\nname = "d{i}"\nwhere = "x < {(i + 1) / domains if i + 1 < domains else 9}"\n'
                  for i in range(domains))
    cases = {"g down": (simulation(1 / 240, 2.0, (0, 0, -G)), cut), "g 3": (simulation(1 / 240, 2.0, (0, 0, -3)), cut),
             "g oblique": (simulation(1 / 240, 2.0, (0, -0.6 * G, -0.8 * G)), cut)}
    models = {(basis, r): f'model = {{ type = "tree", modes = {r}, basis = "{basis}" }}'
              for r in ranks for basis in ("modes", "trained")}
    return Subject(f"tree_{domains}", body, (1.0, 0.2, 0.1), cases, models)


def flower(ranks):
    body = ('generate = { shape = "flower", height = 0.4 }\n'
            'material = { law = "stvk", young = 2e7, poisson = 0.35, density = 800 }\nfixed = ["z < 0.001"]')
    damping = "damping = { mass = 0.2, stiffness = 0.0001 }\n"
    still = simulation(1 / 240, 1.0, (0, 0, 0), damping)
    cases = {"struck": (still, "initial = { mode = 1, speed = 3.2 }\n"),
             "tilted": (simulation(1 / 240, 1.0, (2 * G, 0, -G), damping), "")}
    models = {(basis, r): f'model = {{ type = "tree", modes = {r}, domains = {{ from = "labels" }}, basis = "{basis}" }}'
              for r in ranks for basis in ("modes", "trained")}
    return Subject("flower", body, (0.03, 0.0, 0.35), cases, models)


def real(program, name, meshes, ranks):
    """Young's modulus lets the body sag by a part of its size; two periods of the first mode."""
    file, resolution, held, tip, axis, sag = BODIES[name]
    file = (meshes / file).resolve()
    if resolution:
        surface, file = file, program.out.resolve() / f"{name}_{resolution}.msh"
        subprocess.run([program.path, "mesh", str(surface), "-o", str(file), "--resolution", str(resolution), "--quiet"], check=True)
    text = f'mesh = "{file}"\nfixed = ["{held}"]\nmaterial = {{ law = "stvk", young = %r, poisson = 0.3, density = 1000 }}'
    frame = '[simulation]\ndt = 0.01\nduration = 1.0\n[[body]]\nname = "body"\n'
    mesh = json.loads(subprocess.run([program.path, "info", str(file), "--json"], capture_output=True, text=True,
                                     check=True).stdout)
    box = mesh["bbox"]
    size = math.dist(*box)
    hz = program.ask("modes", frame + text % 1e6, "--count", 1)["bodies"]["body"]["frequencies_hz"][0]
    wanted = math.sqrt(1.5 * G / (sag * size)) / (2 * math.pi)
    young = float(f"{1e6 * (wanted / hz) ** 2:.3g}")
    period = 1 / (hz * math.sqrt(young / 1e6))
    body = text % young
    dt, duration = period / 60, 2 * period
    pull = [0.0, 0.0, 0.0]
    pull[axis] = 0.25 * G * 1000 * mesh["volume"]  # a quarter of its weight at the far point
    still = simulation(dt, duration, (0, 0, 0))
    reach = max(range(3), key=lambda k: abs(tip[k] - (box[0][k] + box[1][k]) / 2))
    side = math.copysign(1.0, tip[reach] - (box[0][reach] + box[1][reach]) / 2)
    where = f"{'xyz'[reach]} {'>' if side > 0 else '<'} {tip[reach] - 0.08 * side * (box[1][reach] - box[0][reach]):.6g}"
    load = (f'[[body.load]]\nwhere = "{where}"\nforce = {pull}\n'
            f'table = {{ t = [0, {period / 2}, {period / 2 + dt}], scale = [0, 1, 0] }}\n')
    shake = [0.0, 0.0, 0.0]
    shake[axis] = 0.04 * size
    cases = {f"g {'xyz'[k]}": (simulation(dt, duration, [G if i == k else 0.0 for i in range(3)]), "") for k in range(3)}
    cases["pull"] = (still, load)
    cases["shake"] = (still, f'[[body.motion]]\nwhere = "{held}"\noscillate = {{ amplitude = {shake}, frequency = {1.3 / period} }}\n')
    models = {(basis, r): modal(r, basis) for r in ranks for basis in ("modes", "trained")}
    subject = Subject(name, body, tip, cases, models)
    subject.driven = body.replace(f'fixed = ["{held}"]\n', "")
    return subject


def rms_of_peak(u, truth):
    if len(u) < len(truth):
        return math.inf  # it stopped before its end
    square = sum(math.dist(a, b) ** 2 for a, b in zip(u, truth)) / len(truth)
    return math.sqrt(square) / max(math.hypot(*b) for b in truth)


def expectation(built):
    found = built["bodies"]["body"].get("training", {}).get("expected_error", {})
    return found.get("swing", found.get("static_gravity"))


def measure(program, subject):
    rows = []
    hz = None
    for case in subject.cases:
        moved = "[[body.motion]]" in subject.cases[case][1] and hasattr(subject, "driven")
        held, subject.body = subject.body, subject.driven if moved else subject.body
        full = program.ask("run", subject.scene(case, ""))
        if not full["healthy"]:
            print(f"{subject.name} {case} is left out: full: {full['failure']}", file=sys.stderr)
            subject.body = held
            continue
        truth = full["probes"]["tip"]["u"]
        if hz is None and not moved:
            hz = program.ask("modes", subject.scene(case, ""), "--count", 6)
        for (basis, rank), model in subject.models.items():
            text = subject.scene(case, model)
            built = program.ask("build", text, keep=False)
            done = program.ask("run", text, keep=False)
            row = {"subject": subject.name, "case": case, "basis": basis, "shapes": rank, "dofs": done["dofs"],
                   "error": rms_of_peak(done["probes"]["tip"]["u"], truth), "expected": expectation(built),
                   "build_s": built["build_s"], "step_us": done["step_us"]["p50"],
                   "peak": max(math.hypot(*u) for u in truth)}
            if hz and not moved:
                own = program.ask("modes", text, "--count", 6, keep=False)["bodies"]["body"]["frequencies_hz"]
                row["frequencies"] = max(abs(a / b - 1) for a, b in zip(own, hz["bodies"]["body"]["frequencies_hz"]))
            rows.append(row)
            print(f"{subject.name} {case}: {basis} {rank}: {100 * row['error']:.3f} %"
                  + (f", expected {100 * row['expected']:.3f} %" if row["expected"] is not None else ""), file=sys.stderr)
        subject.body = held
    return rows


def percent(x):
    return "–" if x is None else "failed" if math.isinf(x) else f"{100 * x:.2g}"


def markdown(rows):
    """One line per case; columns: number of shapes, modes / trained (expected)."""
    ranks = sorted({row["shapes"] for row in rows})
    lines = ["| body | case | peak / m | " + " | ".join(f"{r}: modes | {r}: trained | {r}: expected" for r in ranks) + " |",
             "| --- | --- | ---: |" + " ---: | ---: | ---: |" * len(ranks)]
    found = {(row["subject"], row["case"], row["basis"], row["shapes"]): row for row in rows}
    for subject, case in dict.fromkeys((row["subject"], row["case"]) for row in rows):
        cells, peak = [], 0.0
        for r in ranks:
            old, new = (found.get((subject, case, basis, r)) for basis in ("modes", "trained"))
            cells += [percent(old and old["error"]), percent(new and new["error"]), percent(new and new["expected"])]
            peak = old["peak"] if old else peak
        lines.append(f"| {subject} | {case} | {peak:.2g} | " + " | ".join(cells) + " |")
    for subject in dict.fromkeys(row["subject"] for row in rows):
        own = [row for row in rows if row["subject"] == subject and row["basis"] == "trained"]
        cells = []
        for r in ranks:
            pairs = [(row, found[subject, row["case"], "modes", r]) for row in own if row["shapes"] == r]
            ratios = [new["error"] / old["error"] for new, old in pairs]
            off = [new["expected"] / new["error"] for new, _ in pairs if new["expected"] and 0.0 < new["error"] < math.inf]
            cells += ["", f"{statistics.median(ratios):.2f} × (worst {max(ratios):.2f})" if ratios else "–",
                      f"{min(off):.2f} … {max(off):.2f} ×" if off else "–"]
        lines.append(f"| {subject} | median of trained over modes; expected over true | | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--meshes", type=pathlib.Path)
    parser.add_argument("--shapes", type=int, nargs="+", default=None)
    parser.add_argument("--cases", nargs="+")
    parser.add_argument("subjects", nargs="*")
    options = parser.parse_args()
    program = Program(options.program, options.out)
    whole, parts = options.shapes or [20, 30], options.shapes or [12, 20]
    makers = {"beam_hex": lambda: beam("hex", "[20, 4, 2]", whole), "beam_tet10": lambda: beam("tet10", "[10, 2, 1]", whole),
              "tree_4": lambda: tree(4, parts), "tree_8": lambda: tree(8, parts), "flower": lambda: flower(parts)}
    if options.meshes:
        for name in BODIES:
            makers[name] = lambda name=name: real(program, name, options.meshes, whole)
    rows = []
    for name in options.subjects or makers:
        if name not in makers:
            parser.error(f"{name}: take one of {', '.join(makers)}" + ("" if options.meshes else "; others need --meshes"))
        subject = makers[name]()
        subject.cases = {case: text for case, text in subject.cases.items() if not options.cases or case in options.cases}
        rows += measure(program, subject)
    (options.out / "table.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    (options.out / "table.md").write_text(markdown(rows) + "\n", encoding="utf-8")
    print(markdown(rows))


if __name__ == "__main__":
    main()
