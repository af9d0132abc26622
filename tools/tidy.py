#!/usr/bin/env python3
"""Runs clang-tidy on every source of src/ and apps/, several at once.

A source that passed is skipped next time as long as nothing that it depends on has changed: its own text, the
project headers it reaches, .clang-tidy, its compile command and the tool's version. Failures are never cached.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "clang-tidy-16"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def project_files(source, seen):
    """The source and all project headers it reaches."""
    if source in seen:
        return seen
    seen.add(source)
    for name in INCLUDE.findall(source.read_text(errors="replace")):
        for folder in (ROOT / "src", source.parent, ROOT):
            header = folder / name
            if header.is_file():
                project_files(header.resolve(), seen)
                break
    return seen


def key(source, command, common):
    digest = hashlib.sha256(common + command.encode())
    for file in sorted(project_files(source, set())):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def check(source, build):
    start = time.monotonic()
    run = subprocess.run([TOOL, "-p", str(build), "--quiet", str(source)], capture_output=True, text=True)
    # stderr only counts warnings that were suppressed in system headers, unless the run failed
    output = run.stdout if run.returncode == 0 else run.stdout + run.stderr
    return run.returncode == 0 and not run.stdout.strip(), output, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    cache = arguments.build / "tidy-cache"
    cache.mkdir(exist_ok=True)
    version = subprocess.run([TOOL, "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()

    todo, passed = [], 0
    wanted = (ROOT / "src", ROOT / "apps")
    for entry in json.loads((arguments.build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if not any(source.is_relative_to(folder) for folder in wanted):
            continue
        mark = cache / key(source, entry["command"], common)
        if mark.exists():
            mark.touch()
            passed += 1
        else:
            todo.append((source, mark))
    print(f"{passed} sources passed before and have not changed, {len(todo)} to check", flush=True)

    failed = []
    start = time.monotonic()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        # the largest first: they take longest, and then no core idles at the end
        todo.sort(key=lambda item: -item[0].stat().st_size)
        jobs = {pool.submit(check, source, arguments.build): (source, mark) for source, mark in todo}
        for job in as_completed(jobs):
            source, mark = jobs[job]
            good, output, seconds = job.result()
            name = source.relative_to(ROOT)
            print(f"{'ok  ' if good else 'FAIL'} {seconds:5.1f} s  {name}", flush=True)
            if good:
                mark.touch()
            else:
                failed.append(str(name))
                print(output, flush=True)
    for old in sorted(cache.iterdir(), key=lambda file: -file.stat().st_mtime)[2000:]:
        old.unlink()

    print(f"clang-tidy: {len(todo) - len(failed)} of {len(todo)} checked sources are clean,"
          f" {time.monotonic() - start:.0f} s")
    for name in sorted(failed):
        print(f"  not clean: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
