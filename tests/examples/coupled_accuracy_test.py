"""A bracket of automatic coupled domains beside full: frequencies and a swing by a third of its size; see examples/coupled_accuracy."""

import json
import pathlib
import shutil
import subprocess
import sys

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "coupled_accuracy" / "compare.py"
shutil.rmtree(out, ignore_errors=True)
subprocess.run([sys.executable, str(script), program, str(out), "--only", "bracket", "--loads", "0.2"], check=True)
row = json.loads((out / "table.json").read_text(encoding="utf-8"))["bracket"]
swing = row["load 0.2"]
problems = []


def expect(holds, what):
    if not holds:
        problems.append(what)


expect(max(map(abs, row["frequencies"])) < 0.02, f"frequencies: {row['frequencies']}")
expect(swing["complete"][:2] == [True, True], "both end")
expect(swing["peak"] > 0.3, f"it swings far: {swing['peak']}")
expect(0.0 < swing["largest"] < 0.05, f"swing: {swing['largest']}")
if problems:
    sys.exit("; ".join(problems))
