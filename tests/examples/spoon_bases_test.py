"""The frequency of a ringing spoon in three bases is near that of the full model; see examples/spoon_bases."""

import json
import pathlib
import shutil
import subprocess
import sys

ALLOWED = {"full": 0.0, "full motion": 0.02, "derivatives": 0.05, "sketch": 0.10}

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "spoon_bases" / "compare.py"
shutil.rmtree(out, ignore_errors=True)
subprocess.run([sys.executable, str(script), program, str(out), "0.3"], check=True)
table = {row["basis"]: row for row in json.loads((out / "table.json").read_text(encoding="utf-8"))}
wrong = [name for name, part in ALLOWED.items() if abs(table[name]["ratio"] - 1.0) > part]
if wrong or not 5.0 < table["full"]["hz"] < 30.0 or not (out / "bowl.svg").exists():
    sys.exit(f"too far from full: {wrong}")
