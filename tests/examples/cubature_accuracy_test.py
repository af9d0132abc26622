"""Few elements between domains do as all of them: a beam of three domains; see examples/cubature_accuracy."""

import json
import pathlib
import shutil
import subprocess
import sys

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "cubature_accuracy" / "compare.py"
shutil.rmtree(out, ignore_errors=True)
subprocess.run([sys.executable, str(script), program, str(out), "--quick"], check=True)
beam = json.loads((out / "table.json").read_text(encoding="utf-8"))["beam"]
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


few, more = beam["uniform"]
expect(more["error"] < 0.5 * few["error"], "24 elements are no better than 8")
expect(abs(beam["worst of six frequencies"][1] - 1.0) < 0.002, "frequencies with 24 of 72 elements")
expect(more["motion"][0] < 0.01, "motion with 24 of 72 elements")
expect(few["motion"][0] > more["motion"][0] > 0.0, "motion with 8 of 72 elements")
if problems:
    sys.exit("; ".join(problems))
