"""Quadratic tets are right, not only alike: a small part of the table of examples/element_accuracy."""

import json
import math
import pathlib
import shutil
import subprocess
import sys

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "element_accuracy" / "compare.py"
shutil.rmtree(out, ignore_errors=True)
table = {}
for arguments in (["10x3x2"], ["--untrained", "20x4x2"]):
    subprocess.run([sys.executable, str(script), program, str(out), *arguments], check=True)
    table |= {(row["cells"], row["element"], row["model"]): row
              for row in json.loads((out / "table.json").read_text(encoding="utf-8"))}

# Errors in f1 that dolfinx has on the same meshes, in %; it shares elements, integration and mass with `full`.
PEER = {("10x3x2", "tet"): 66.55, ("10x3x2", "hex"): 20.18, ("10x3x2", "tet10"): 0.67,
        ("20x4x2", "tet"): 40.64, ("20x4x2", "hex"): 6.99, ("20x4x2", "tet10"): 0.27}
problems = []
for (cells, element), peer in PEER.items():
    full, modal = table[cells, element, "full"], table[cells, element, "modal"]
    if abs(100 * full["error_hz"] - peer) > 0.01:  # two printed digits
        problems.append(f"{cells} {element}: f1 of full is {100 * full['error_hz']:.3f} % off, {peer} % expected")
    if abs(modal["hz"] / full["hz"] - 1) > 1e-5:
        problems.append(f"{cells} {element}: f1 of modal is {modal['hz']} Hz, of full {full['hz']} Hz")
for model in ("full", "trained"):
    quadratic = table["10x3x2", "tet10", model]
    if abs(quadratic["tip"][2] / -0.74716 - 1) > 0.01 or abs(quadratic["error_hz"]) > 0.01:
        problems.append(f"10x3x2 tet10, {model}: {quadratic}")
full, trained = (table["10x3x2", "tet10", model]["tip"] for model in ("full", "trained"))
if math.dist(trained, full) > 1e-4 * math.hypot(*full):  # the trained shapes contain this one
    problems.append(f"tip of the trained beam: {trained}, in full {full}")
if not (out / "error.svg").read_text(encoding="utf-8").endswith("</svg>\n"):
    problems.append("no picture")
if problems:
    sys.exit("; ".join(problems))
