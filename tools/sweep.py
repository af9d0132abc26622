#!/usr/bin/env python3
"""Runs random scenes and looks for those that Pliant handles badly.

Tests check what somebody thought of. This draws what nobody did: every law, model, integrator, shape, load.
Most scenes are plausible: the time step follows from the body's frequency, loads from its stiffness. One in
seven has extreme numbers, which Pliant must refuse clearly. A scene is healthy when it runs to its end, and
reported when Pliant refuses it (exit 2) or says why it failed (exit 1). Bad are a crash, a time-out, another
exit code, a failure without a message or of a body on which nothing acts, an internal error, a report of a
sanitizer, a result that is no number, and energy from nowhere. Bad scenes are kept with their output. Scene K depends on seed and K alone:
--only K runs and keeps it. Give --memory 0 to a build with AddressSanitizer. Exit 1 if any is bad.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

POLYNOMIAL = ("linear", "stvk")  # laws whose forces need no loop over the elements in reduced models
LAWS = (*POLYNOMIAL, "corotational", "neohookean", "stable-neohookean")
MODELS = ("full", "modal", "tree", "coupled", "blended")
OUTCOMES = ("healthy", "reported", "bad")
GROWTH = 1.5         # of the energy that a body can have; docs/guide/output.md
LEAST_STRAIN = 1e-8  # energies of smaller strains are rounding
WILD = 0.15          # share of scenes with extreme numbers
EXTREMES = (0, -1, 1e-300, 1e300, -1e300, 1e-30, 1e30, 1e9, math.inf, math.nan, 2 ** 31, 2 ** 63 - 1)
# shape and parameters; low and high corner; thinnest part. {} are drawn, numbers with a point are lengths.
SOLIDS = """\
box size=[1.0,{t},{w}] cells=[{n},{k},{m}]; 0 0 0 1 {t} {w}; {t}
cylinder radius={r} length=1.0 across={m} along={n}; 0 -{r} -{r} 1 {r} {r}; {t}
sphere radius=0.5 across={m}; -0.5 -0.5 -0.5 0.5 0.5 0.5; 1
torus major=0.4 minor={r} across={m} around={n}; -0.4 -0.4 -{r} 0.4 0.4 {r}; {t}
tube radius={r} length=1.0 bend=0 across={m} along={n} wall={s} wall_cells={k}; 0 -{r} -{r} 1 {r} {r}; {t}
tube radius={r} length=1.0 bend=90 across={m} along={n}; 0 -{r} 0 0.63 {r} 0.63; {t}""".splitlines()
# these have many elements whatever their size
FIGURES = """\
tree levels=1 length=1.0 radius=0.25 resolution=10; -0.25 -0.25 0 0.25 0.25 1.17; 0.5
tree levels=2 length=1.0 radius=0.25 radius_ratio=0.8 resolution=16; -0.25 -0.59 0 0.25 0.59 1.77; 0.3
spoon length=0.2 width=0.06 thickness=0.012 resolution=36; 0 -0.03 0 0.2 0.03 0.042; 0.012
bridge length=10.0 width=2.0 height=2.4 thickness=0.6 rise=0.5 panels=2 resolution=36; 0 -1 0 10 1 3.5; 0.6
tower height=15.0 base=5.4 top=4.0 leg=1.3 brace=1.3 panels=2 resolution=26; -3.8 -3.8 0 3.8 3.8 15; 1.3
heart height=0.12 resolution=24; -0.04 -0.03 0 0.04 0.03 0.12; 0.02
flower height=0.4 resolution=40; -0.11 -0.08 0 0.1 0.09 0.39; 0.02
letters height=1.0 resolution=80; -0.1 -0.1 -0.1 7.65 0.1 1.06; 0.2
dragon length=6.0 resolution=64; -4.4 -2.6 0.02 2.9 2.6 3.7; 0.25
duck length=1.0 resolution=9; -0.42 -0.25 0 0.37 0.22 0.59; 0.3""".splitlines()


class Dice(random.Random):
    def log(self, low, high):
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def chance(self, share):
        return self.random() < share

    def direction(self, length):
        x = [self.gauss(0, 1) for _ in range(3)]
        return [length * c / math.hypot(*x) for c in x]


class Body:
    """A drawn body; `keys` is its table of the scene."""

    def __init__(self, dice, name, static):
        self.dice, self.static, self.keys, self.laws = dice, static, {"name": name}, []
        self.model, self.figure = dice.choice(MODELS), dice.chance(0.18)
        self.shape()
        self.young, self.density = dice.log(1e2, 1e12), dice.log(1, 2e4)
        self.keys["material"] = self.material()
        if dice.chance(0.25):
            self.keys["region"] = [{"where": self.part(dice.randrange(3), 0.4), "material": self.material()}]
        if self.model != "full":
            self.reduce()
        self.hold()
        # a slender body bends: how far it shall, the force that does it, and its lowest frequency
        self.bend = dice.log(1e-4, 0.5) * (30 if dice.chance(0.08) else 1)
        self.force = self.bend * self.young * self.thin ** 4 / (4 * self.size ** 2)
        self.sound = math.sqrt(self.young / self.density)
        self.frequency = 0.16 * self.thin / self.size ** 2 * self.sound

    def shape(self):
        dice, thin, few, transform = self.dice, self.dice.log(0.05, 0.4), self.dice.randint(3, 5), {}
        row = dice.choice(FIGURES if self.figure else SOLIDS).format(
            t=thin, r=thin / 2, s=dice.choice((0.0, 0.2)) * thin, w=dice.log(thin, 1), m=few, k=few - 2, n=9)
        (shape, *made), box, (thin,) = (part.split() for part in row.split(";"))
        made = {key: json.loads(x) for key, x in (pair.split("=") for pair in made)}
        self.size, box = dice.log(1e-3, 1e3), [float(x) for x in box]
        scale = self.size / max(b - a for a, b in zip(box, box[3:]))
        if dice.chance(0.5):
            transform["scale"] = scale
        else:
            for table, key in list(numbers(made)):
                table[key] *= scale if isinstance(table[key], float) and key != "radius_ratio" else 1
        shift = transform["translate"] = dice.direction(self.size * dice.choice((0, 0, 0, dice.log(0.1, 10))))
        self.low, self.high = ([scale * x + s for x, s in zip(end, shift)] for end in (box[:3], box[3:]))
        self.thin, self.solid = scale * float(thin), shape in ("box", "cylinder", "sphere")
        few = not self.figure or shape == "duck"  # others have too many tetrahedra
        made.update(shape=shape, element=dice.choice(("tet", "hex", "tet10")) if few else "hex")
        self.keys.update(generate=made, transform=transform)

    def part(self, axis, share, upper=True):
        """A selection: the last part of the body along an axis, or the first."""
        cut = self.low[axis] + (1 - share if upper else share) * (self.high[axis] - self.low[axis])
        return f"{'xyz'[axis]} {'>' if upper else '<'} {cut!r}"

    def material(self):
        dice = self.dice
        law = dice.choice(POLYNOMIAL if self.model != "full" and dice.chance(0.5) else LAWS)
        poisson = dice.uniform(*dice.choice(((0, 0.45), (-0.5, 0), (0.45, 0.499))))
        more = {"invertible": True} if law in ("stvk", "neohookean") and dice.chance(0.3) else {}
        self.laws.append(law)
        return {"law": law, "young": self.young * dice.log(0.3, 3), "poisson": poisson,
                "density": self.density * dice.log(0.5, 2), **more}

    def reduce(self):
        dice, most = self.dice, 15 if self.figure or self.dice.chance(0.8) else 40
        model = {"type": self.model, "linear_modes": dice.randint(1, 9), "modes": dice.randint(1, most)}
        if self.model == "tree":
            model.update(linear_modes=dice.randint(1, 6), domains={"auto": dice.randint(1, 8)})
            model.update(dice.choice((
                {}, {"modes": 0}, {"attachment": dice.chance(0.5)}, {"attachment_max": dice.randint(0, 24)},
                {"blend": dice.choice(("none", "c0", "c1"))}, {"inertia": dice.choice(("L1", "L2", "L3"))},
                {"modes_total": dice.randint(8, 60), "distribution": dice.choice(("log", "proportional"))})))
            if "modes_total" in model:
                del model["modes"]
        elif self.model == "coupled":
            model.update(linear_modes=dice.randint(1, 4), domains={"auto": dice.randint(1, 6)})
            model.update(dice.choice((
                {}, {}, {"modes": 0}, {"basis": "modes"}, {"basis": "attachment"}, {"rings": dice.randint(1, 3)})))
        elif self.model == "blended":
            model = {"type": self.model, "domains": {"auto": dice.randint(1, 5)}}
            model.update(dice.choice((
                {}, {}, {"coordinates": dice.choice(("affine", "rigid"))}, {"gradients": "smooth"},
                {"weights": dice.choice(("biharmonic", "harmonic", "rbf", "mean-value"))})))
        elif set(self.laws) <= set(POLYNOMIAL):
            model.update(dice.choice((
                {}, {"derivatives": False}, {"energy": dice.choice((0.9, 0.9999, 1))}, {"storage": "float"},
                {"modes_used": dice.randint(1, model["modes"])}, {"patch": [{"where": self.part(2, 0.2)}]},
                self.trained())))
        else:
            model.update(forces="exact", **(self.trained() if dice.chance(0.1) else {}))
        if "basis" in model:
            del model["linear_modes"]
        self.keys["model"] = model

    def trained(self):
        dice = self.dice
        more = dice.choice(({}, {}, {"error": 0.05}, {"amplitude": 0.4}, {"modes": 4}, {"seconds": 0}))
        return {"basis": "trained", "train": {"directions": dice.choice((1, 1, 4, 26)), **more}}

    def hold(self):
        dice, longest = self.dice, max(range(3), key=lambda a: self.high[a] - self.low[a])
        self.axis = longest if dice.chance(0.8) or self.model == "tree" else dice.randrange(3)
        foot, head = self.part(self.axis, 0.15, False), self.part(self.axis, 0.15)
        ways = [{"fixed": [foot]}] * 5 + [{"motion": [{"where": foot}]}] * 2 + [{}] * 3 * (not self.static)
        ways += [{"fixed": [foot, head]}, {"fixed": [foot, {"vertices": [0, 1, 2]}]}] * (self.model != "tree")
        ways += [{"fixed": [head], "motion": [{"where": foot}]}] * (self.model == "full")
        self.keys.update(dice.choice(ways))

    def act(self, dt, duration):
        """What happens to the body: motion of its supports, loads, a start; the run that trains its basis."""
        dice, reach = self.dice, self.size * self.dice.log(1e-4, 0.05)
        shake = {"oscillate": {"amplitude": dice.direction(reach), "frequency": 1 / (dice.log(8, 100) * dt)}}
        shift = {"translate": {"t": [0, duration], "by": [[0, 0, 0], dice.direction(reach)]}}
        turn = {"rotate": {"axis": dice.direction(1), "center": self.low, "t": [0, duration / 2, duration],
                           "degrees": [0, dice.uniform(-20, 20), dice.uniform(-20, 20)]}}
        train = self.keys.get("model", {}).get("train", {})
        train.update({"seconds": 0.3 / self.frequency} if "seconds" in train else {})
        for motion in self.keys.get("motion", []):
            motion.update(dice.choice((shake, shift, turn, {**shake, **shift}, {**shift, **turn})))
        self.keys["load"] = [self.load(duration) for _ in range(dice.choice((0, 0, 0, 1, 1, 2)))]
        # a speed whose energy bends the body about as far as its loads do, or a stretch like that
        strain = self.bend * self.thin / self.size
        speed = {"velocity": dice.direction(strain * self.sound)}
        spin = {**speed, "angular_velocity": dice.direction(strain * self.sound / self.size)}
        stretch = {**spin, "stretch": [math.exp(strain * dice.uniform(-1, 1)) for _ in range(3)]}
        mode = {"mode": dice.randint(1, 3), "speed": strain * self.sound}
        self.keys["initial"] = {} if self.static else dice.choice(({}, {}, speed, spin, stretch, mode))

    def load(self, duration):
        dice, force = self.dice, self.dice.direction(self.force * self.dice.log(0.1, 1))
        end, side = self.part(self.axis, 0.2), self.part(dice.randrange(3), 0.5)
        pressure = self.force / (self.size * self.thin) * dice.choice((-1, 1))
        wind = {"velocity": dice.direction(math.sqrt(abs(pressure))), "gust": 1, "gust_period": duration / 3}
        middle = [(a + b) / 2 for a, b in zip(self.low, self.high)]
        load = dice.choice((
            {"where": end, "force": force}, {"where": side, "force": force, "spread": "area"}, {"wind": wind},
            {"points": [middle], "force": force} if self.solid else {"vertices": [0, 1, 5], "force": force},
            {"where": side, "wind": wind}, {"where": dice.choice((end, "true")), "pressure": pressure}))
        table = {"t": [0, duration / 2, duration], "scale": [0, 1, dice.uniform(-1, 1)]}
        return {**load, "table": table} if dice.chance(0.3) else load

    def gravity(self):
        bears = self.force / (self.density * self.size * self.thin ** 2)
        return self.dice.direction(min(9.81, bears) if self.dice.chance(0.7) else bears)

    def event(self, duration):
        dice = self.dice
        values = {"frequency_scale": dice.log(0.5, 2), "damping": {"mass": dice.log(0.1, 10)}}
        events = [{"gravity": self.gravity()}, {"set": {"young": self.young * dice.log(0.3, 3)}},
                  {"set": {"poisson": dice.uniform(0, 0.4), "density": self.density}, "region": 0}]
        events += [{"domain": "part 0", "set": values}] * (self.model in ("tree", "coupled"))
        events += [{"detach": "part 1"}] * (self.model == "tree")
        return {"t": duration * dice.choice((0, 0.3, 0.7)), **dice.choice(events)}


def draw_scene(seed, k):
    """The scene as a table, and the model of its first body."""
    dice, scene = Dice(f"{seed}/{k}"), {}
    way = dice.choice(("newmark",) * 5 + ("backward-euler", "static", "central-differences") * 2 +
                      ("energy-momentum", "energy-momentum", "midpoint"))
    bodies = [Body(dice, f"body {i}", way == "static") for i in range(2 if dice.chance(0.08) else 1)]
    if way == "central-differences" and any(body.model != "modal" for body in bodies):
        way = "newmark"
    if way in ("energy-momentum", "midpoint") and any(body.model == "tree" for body in bodies):
        way = "newmark"
    fastest = max(body.frequency for body in bodies)
    dear = any(body.model == "full" for body in bodies) + any(body.figure for body in bodies)
    dt = min(max(1 / (dice.log(3, 500) * fastest), 1e-5), 1 / 15)
    if way in ("static", "central-differences"):  # a load factor; what the fastest shape needs
        dt = 1.0 if way == "static" else dice.log(1e-4, 2e-3) / fastest
    duration = dt * (1 if way == "static" else dice.randint(1, (60, 25, 6)[dear]))
    scene["simulation"] = simulation = {"integrator": way}
    if way != "static":
        simulation.update(dt=dt, duration=duration, substeps=dice.choice((1, 1, 1, 2)))
        scene["event"] = [bodies[0].event(duration)] if dice.chance(0.15) else []
    if dice.chance(0.6):
        simulation["gravity"] = min((body.gravity() for body in bodies), key=lambda g: math.hypot(*g))
    if dice.chance(0.4):
        damping = {"mass": fastest / dice.log(1, 1e3), "stiffness": dice.log(1e-4, 1e-2) / fastest}
        simulation["damping"] = {**damping, "stiffness_at": dice.choice(("tangent", "rest"))}
    if dice.chance(0.3):
        simulation["newton"] = {"iterations": dice.choice((1, 4, 20, 50)), "tolerance": dice.log(1e-10, 1e-5)}
    for body in bodies:
        body.act(dt, duration)
    scene["body"] = [{key: x for key, x in body.keys.items() if x} for body in bodies]
    scene["probe"] = [{"name": "tip", "body": "body 0", "near": bodies[0].high}]
    if dice.chance(WILD):
        make_wild(dice, scene)
    return scene, bodies[0].model


def numbers(value):
    """All (container, key) of numbers in a table."""
    for key, x in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(x, (dict, list)):
            yield from numbers(x)
        elif isinstance(x, (int, float)) and not isinstance(x, bool):
            yield value, key


def make_wild(dice, scene):
    """Extreme numbers, but no request for a great deal of honest work."""
    for table, key in dice.sample(list(numbers(scene)), dice.randint(1, 2)):
        near = () if isinstance(table[key], int) or key in ("dt", "duration") else (1e-6, 1e-3, 1e3, 1e6, -1)
        table[key] = dice.choice((*EXTREMES, *(factor * table[key] for factor in near)))
    times = scene["simulation"]
    if 100 < times.get("duration", 0) / (times.get("dt", 1) or 1) <= 1e9:
        times["duration"] = 20 * times["dt"]


def scene_text(scene):
    tables = [("[simulation]", scene["simulation"])]
    tables += [(f"[[{name}]]", table) for name in ("body", "event", "probe") for table in scene.get(name, [])]
    text = "\n".join(f"{title}\n" + "".join(f"{key} = {json.dumps(x)}\n" for key, x in table.items())
                     for title, table in tables)
    return re.sub(r'"(\w+)": ', r"\1 = ", text).replace("Infinity", "inf").replace("NaN", "nan")


def growth(scene, body, energy):
    """The most energy over what the body can have had; 0 where more than gravity does work on it."""
    if "load" in body or "motion" in body or scene.get("event") or "dt" not in scene["simulation"]:
        return 0.0
    size = body.get("transform", {}).get("scale", 1) * max(x[key] for x, key in numbers(body["generate"]))
    can = LEAST_STRAIN ** 2 * size ** 3 * max(x[key] for x, key in numbers(body) if key == "young")
    rows, worst = list(zip(energy["kinetic"], energy["strain"], energy["potential"])), 0.0
    for kinetic, strain, potential in rows:
        can = max(can, sum(rows[0][:2]), sum(rows[0]) - potential)
        worst = max(worst, (kinetic + strain) / (can or math.inf))
    return worst


def idle(scene):
    """Whether nothing acts on any body, and no explicit step asks for more than it can have."""
    acts = scene.get("event") or scene["simulation"].get("gravity")
    acts = acts or scene["simulation"]["integrator"] == "central-differences"
    return not acts and not any(key in body for body in scene["body"] for key in ("load", "motion", "initial"))


def judge(scene, code, out, err, state):
    """(outcome, why)"""
    said = re.search(r"(?m)^error: \S+ (.*)", err)
    if code not in (0, 1, 2):
        return "bad", "time-out" if code is None else f"exit code {code}"
    if re.search(r"Sanitizer|runtime error:|(?i:assert|internal(?! and))", out + err):
        return "bad", "an internal error, or the report of a sanitizer"
    if code == 1 and idle(scene):
        return "bad", "failed although nothing acts: " + (said[1] if said else "no message")
    if code:
        return ("reported", said[1]) if said else ("bad", f"exit code {code} without a message")
    result = json.loads(out)
    del result["step_us"]  # null when there was no step
    if "null" in json.dumps(result) or re.search(r"(?i)nan|inf", state):
        return "bad", "a result is no number"
    most = max(growth(scene, body, result["bodies"][body["name"]]["energy"]) for body in scene["body"])
    if most > GROWTH or not result["healthy"]:
        return "bad", f"healthy: {result['healthy']}, {most:.3g} times the energy that the body can have"
    return "healthy", ""


def run(k, options):
    """(k, model, outcome, why)"""
    scene, model = draw_scene(options.seed, k)
    limits = ((resource.RLIMIT_AS, (int(options.memory * 2 ** 30) or resource.RLIM_INFINITY,) * 2),
              (resource.RLIMIT_CPU, (math.ceil(options.seconds),) * 2))  # the same on a busy machine
    with tempfile.TemporaryDirectory() as name:
        folder, state = pathlib.Path(name), pathlib.Path(name, "state.txt")
        (folder / "scene.toml").write_text(scene_text(scene), encoding="utf-8")
        command = [options.program, "run", "scene.toml", "--json", "--quiet", "--no-cache", "--threads", "1",
                   "--final", "state.txt", *(["--out", "frames"] if k % 5 == 0 else [])]
        try:
            done = subprocess.run(command, cwd=name, capture_output=True, text=True, errors="replace",
                                  timeout=60 * options.seconds, preexec_fn=lambda: [resource.setrlimit(*limit) for limit in limits])
            code, out, err = done.returncode, done.stdout, done.stderr
            if code in (-signal.SIGXCPU, -signal.SIGKILL):
                code = None
        except subprocess.TimeoutExpired:
            code, out, err = None, "", ""
        outcome, why = judge(scene, code, out, err, state.read_text() if state.exists() else "")
        (folder / "output.txt").write_text(f"{outcome}: {why}\n{err}{out}", encoding="utf-8")
        if outcome == "bad" or options.only is not None:
            shutil.copytree(folder, options.keep / f"scene_{options.seed}_{k}", dirs_exist_ok=True)
    return k, model, outcome, why


def summarize(results, options):
    print(f"\n{'model':8}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES))
    for row in (*MODELS, "all"):
        count = collections.Counter(outcome for _, model, outcome, _ in results if row in (model, "all"))
        print(f"{row:8}" + "".join(f"{count[outcome]:10}" for outcome in OUTCOMES))
    print(f"{100 * count['healthy'] / len(results):.0f} % healthy; the most frequent reports:")
    reports = (re.sub(r"\d+", "#", why) for _, _, outcome, why in results if outcome == "reported")
    for report, n in collections.Counter(reports).most_common(10):
        print(f"{n:6}  {report[:160]}")
    for k, model, outcome, why in (result for result in results if result[2] == "bad"):
        print(f"bad: {options.keep / f'scene_{options.seed}_{k}'} ({model}): {why}\n"
              f"  tools/sweep.py --program {options.program} --seed {options.seed} --only {k}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("--count", type=int, default=300, help="scenes (300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="processor time limit of a scene (60)")
    parser.add_argument("--memory", type=float, default=4, help="memory limit of a scene, GB; 0: none (4)")
    parser.add_argument("--keep", type=pathlib.Path, default="sweep", help="folder for bad scenes (sweep)")
    parser.add_argument("--only", type=int, metavar="K", help="scene K alone")
    parser.add_argument("--jobs", type=int, default=1, help="scenes at a time (1)")
    options = parser.parse_args()

    scenes = range(options.count) if options.only is None else [options.only]
    begin, results, bad = time.monotonic(), [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda k: run(k, options), scenes):
            results.append(result)
            bad += result[2] == "bad"
            left = (time.monotonic() - begin) / len(results) * (len(scenes) - len(results))
            if sys.stderr.isatty():
                sys.stderr.write(f"\r{len(results)} of {len(scenes)}, {bad} bad, {left:.0f} s left  ")
    summarize(results, options)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
