"""Exact inertia is near full, lumped inertia is not: a beam and a flower for a short time; see examples/tree_accuracy."""

import json
import pathlib
import shutil
import subprocess
import sys

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tree_accuracy" / "compare.py"
shutil.rmtree(out, ignore_errors=True)
subprocess.run([sys.executable, str(script), program, str(out), "0.25"], check=True)
table = {(row["body"], row["model"]): row for row in json.loads((out / "table.json").read_text(encoding="utf-8"))}
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


# The flower's path is off by 5.0 % at dt = 1/240 when its steps converge. It was 2.9 % when the violent first ones did
# not and were tried in parts, that is with a shorter dt.
for body, (allowed, path) in {"beam": (0.01, 0.02), "flower": (0.03, 0.06)}.items():
    exact, lumped = table[body, "L3"], table[body, "L1"]
    expect(abs(exact["ratios"][0] - 1.0) < allowed, f"{body}: first frequency of L3")
    expect(exact["rms_of_peak"] is not None and exact["rms_of_peak"] < path, f"{body}: path of L3")
    expect(lumped["ratios"][0] > 2.0, f"{body}: first frequency of L1")
    expect(lumped["ratios"][0] > table[body, "L2"]["ratios"][0] > 1.05, f"{body}: L2 lies between")
    expect((out / f"{body}.svg").read_text(encoding="utf-8").endswith("</svg>\n"), f"{body}: picture")
expect(table["flower", "L3"]["dofs"] == 240, "unknowns of the flower")
expect(table["beam", "L3"]["dofs"] == 92, "unknowns of the beam")
if problems:
    sys.exit("; ".join(problems))
