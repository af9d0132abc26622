#!/usr/bin/env python3
"""The benchmarks that people compare over time exist and run: bench_test.py PLIANT_BENCH. Times are not looked at."""

import json
import subprocess
import sys

NAMES = ["calibration_gemv/r:20", "calibration_gemv/r:30", "calibration_gemv/r:40", "fem_assembly/tets:10000",
         "fem_assembly/tets:10000/threads:2", "modal_step/r:20", "modal_step/r:30", "modal_step/r:40",
         "modal_step_float/r:20", "modal_polynomials_build/tets:14444/r:30", "tree_step/flower/L3", "tree_step/oak/L1",
         "tree_step/oak/L3", "tree_step/oak/L3/threads:2"]
QUICK = "^(calibration_gemv/r:20|modal_step/r:20|modal_step_float/r:20)$"


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=True).stdout


def main():
    listed = run("--benchmark_list_tests").splitlines()
    missing = [name for name in NAMES if not any(line == name or line.startswith(name + "/") for line in listed)]
    rows = json.loads(run(f"--benchmark_filter={QUICK}", "--benchmark_format=json"))["benchmarks"]
    failed = [row["name"] for row in rows if row.get("error_occurred")]
    steps = [row for row in rows if row["name"].startswith("modal_step")]
    allocating = [row["name"] for row in steps if row.get("allocations", 0) > 0.01]  # the first step may
    print(f"{len(listed)} benchmarks, {len(rows)} rows; missing: {missing}; failed: {failed}; allocating: {allocating}")
    return 1 if missing or failed or allocating or not steps else 0


if __name__ == "__main__":
    sys.exit(main())
