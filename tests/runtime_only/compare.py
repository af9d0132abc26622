"""compare.py PLIANT RUN_BUILT SCENE NM ARCHIVE...: builds the scene into a cache of its own, lets `run_built` run the file in
it, and compares with `pliant run`. Nothing of the archives may be in `run_built`, and no sparse solver beside it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TIP = 98  # the vertex of the scene's probe
SAME = 1e-12  # of the displacement: the same steps from the same numbers
ALIKE = 1e-6  # the tree solves the same equations, but in other steps of Newton's method
FORBIDDEN = re.compile(r"cholmod|suitesparse|amd|colamd|openblas|lapack", re.IGNORECASE)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def distance(u, v):
    return sum((a - b) ** 2 for a, b in zip(u, v)) ** 0.5


def own_symbols(nm, file):
    """Names that the file defines itself; weak ones, which every file with the same header defines, are left out."""
    lines = (line.split() for line in output(nm, "--defined-only", "--extern-only", file).splitlines())
    return {line[2] for line in lines if len(line) == 3 and line[1] in "TDBR" and "pliant" in line[2]}


def check_run(pliant, run_built, scene):
    with tempfile.TemporaryDirectory() as cache:
        built = json.loads(output(pliant, "build", scene, "--cache", cache, "--quiet", "--json"))
        tips = {name: [float(x) for x in numbers] for name, *numbers in
                map(str.split, output(run_built, built["bodies"]["beam"]["file"], str(TIP)).splitlines())}
        run = json.loads(output(pliant, "run", scene, "--cache", cache, "--quiet", "--json"))
    truth = run["probes"]["tip"]["u"][-1]
    size = distance(truth, (0, 0, 0))
    for name, bound in ("modal", SAME), ("tree", ALIKE):
        if name == "tree" and name not in tips:
            continue  # of laws without a polynomial it needs elements
        error = distance(tips[name], truth) / size
        print(f"{name}: tip {tips[name]}, {error:.1e} from {truth}")
        if not (run["healthy"] and size > 0.01 and error <= bound):
            yield f"{name}: the tip is {error:.1e} of its displacement away, which may be {bound}"


def check_links(nm, run_built, archives):
    symbols = own_symbols(nm, run_built)
    for archive in archives:
        theirs = own_symbols(nm, archive)
        if not theirs:
            yield f"{archive} defines nothing: this test does not see what it should"
        for symbol in sorted(symbols & theirs):
            yield f"{symbol} of {os.path.basename(archive)} is linked"
    libraries = ["ldd"] if shutil.which("ldd") else ["otool", "-L"]
    for line in output(*libraries, run_built).splitlines():
        if FORBIDDEN.search(line.split("=>")[0]):
            yield f"it needs {line.strip()}"


def main(pliant, run_built, scene, nm, *archives):
    problems = [*check_run(pliant, run_built, scene), *check_links(nm, run_built, archives)]
    for problem in problems:
        print(f"error: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
