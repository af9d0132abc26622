#!/usr/bin/env python3
"""tools/list_skips.py names every skipped test with its reason, and with CI=true fails unless the skip is allowed."""

import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "list_skips.py"
PASSED = '<testcase name="a: passes" status="run"><system-out>fine</system-out></testcase>'
LONG = '<testcase name="b: long"><skipped/><system-out>x_test.cpp:3: Skipped\ntakes long: ./dev test --long\n</system-out></testcase>'
PAGE = '<testcase name="c: page"><skipped/><system-out>SKIPPED: the page is NOT tested: no browser\n</system-out></testcase>'


def run(cases, ci):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "results.xml")
        file.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
        done = subprocess.run([sys.executable, TOOL, file], capture_output=True, text=True, env=os.environ | {"CI": ci})
        return done.returncode, done.stdout


def main():
    problems = []
    for cases, ci, code, words in (([PASSED], "true", 0, "No test was skipped"),
                                   ([PASSED, LONG], "true", 0, "b: long: takes long"),
                                   ([PASSED, LONG, PAGE], "", 0, "c: page: the page is NOT tested: no browser"),
                                   ([PASSED, LONG, PAGE], "true", 1, "may not skip in CI")):
        got, output = run(cases, ci)
        if got != code or words not in output:
            problems.append(f"expected exit {code} and '{words}', got {got}:\n{output}")
    print("\n".join(problems) or "every skip is told")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
