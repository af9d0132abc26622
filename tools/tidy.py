#!/usr/bin/env python3
"""Runs clang-tidy on every source of src/ and apps/.

Two things keep it short, because nearly all of clang-tidy's time goes into walking Eigen's headers (10 s a file):
  - a source that passed is skipped as long as nothing that it depends on has changed: its own text, the project
    headers it reaches, .clang-tidy, its compile command and the tool's version;
  - sources of one folder are checked as one batch (tools/batches.py). A batch that is not clean, or whose members cannot stand
    together (two helpers of one name), is checked again by halves; of what fails only a verdict on one source counts.
"""

import argparse
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import batches

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "clang-tidy-16"
COMPILER = "clang++-16"
BATCH = 16
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


def content_key(source, command, common):
    digest = hashlib.sha256(common + command.encode())
    for file in sorted(project_files(source, set())):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def compile_flags(command):
    """The flags of a compile command, without launcher, compiler, input and output."""
    words = shlex.split(command)
    words = words[next(i for i, word in enumerate(words) if pathlib.Path(word).name.startswith("clang++")) + 1:]
    flags, skip = [], False
    for word in words:
        if skip or word in ("-o", "-c"):
            skip = not skip
        else:
            flags.append(word)
    return flags


def tidy(arguments):
    run = subprocess.run([TOOL, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", *arguments],
                         capture_output=True, text=True)
    good = run.returncode == 0 and not run.stdout.strip()
    return good, run.stdout + ("" if good else run.stderr)


class Source:
    def __init__(self, entry, common):
        self.path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        self.flags = compile_flags(entry["command"])
        self.mark = content_key(self.path, entry["command"], common)
        self.name = str(self.path.relative_to(ROOT))


def stand_together(file, flags):
    """Whether a batch compiles: that takes a tenth of the time."""
    return subprocess.run([COMPILER, "-fsyntax-only", "-w", *flags, str(file)], capture_output=True).returncode == 0


def check(name, batch, folder):
    """[(source, good, output)]"""
    if len(batch) == 1:
        return [(batch[0], *tidy([str(batch[0].path), "--", *batch[0].flags]))]
    together = folder / f"batch_{name}.cpp"
    together.write_text("".join(f'#include "{source.path}"  // NOLINT\n' for source in batch))
    if stand_together(together, batch[0].flags) and tidy([str(together), "--", *batch[0].flags])[0]:
        return [(source, True, "") for source in batch]
    half = len(batch) // 2
    return check(f"{name}a", batch[:half], folder) + check(f"{name}b", batch[half:], folder)


def check_batch(name, batch, folder):
    """The same, and the seconds it took."""
    start = time.monotonic()
    return check(name, batch, folder), time.monotonic() - start


def group(sources):
    """Sources of one folder with the same flags that can stand together; the heaviest group first."""
    alike = {}
    for source in sorted(sources, key=lambda source: source.name):
        alike.setdefault((source.path.parent, tuple(source.flags)), {})[source.path] = source
    groups = [[members[path] for path in paths] for members in alike.values() for paths in batches.batches(members, BATCH)]
    return sorted(groups, key=lambda members: -sum(source.path.stat().st_size for source in members))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="folder with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="check also what passed before and has not changed")
    arguments = parser.parse_args()

    start = time.monotonic()
    cache = arguments.build.resolve() / "tidy-cache"
    work = arguments.build.resolve() / "tidy-batch"
    cache.mkdir(exist_ok=True)
    work.mkdir(exist_ok=True)
    version = subprocess.run([TOOL, "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()
    wanted = (ROOT / "src", ROOT / "apps")
    sources = [Source(entry, common)
               for entry in json.loads((arguments.build / "compile_commands.json").read_text())
               if any(pathlib.Path(entry["directory"], entry["file"]).resolve().is_relative_to(top) for top in wanted)]
    todo = [source for source in sources if arguments.all or not (cache / source.mark).exists()]
    print(f"{len(sources) - len(todo)} sources passed before and have not changed, {len(todo)} to check", flush=True)

    failed = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(check_batch, i, batch, work) for i, batch in enumerate(group(todo))]
        for job in as_completed(jobs):
            results, seconds = job.result()
            print(f"-- {seconds:.0f} s for {len(results)}", flush=True)
            for source, good, output in results:
                print(f"{'ok  ' if good else 'FAIL'} {source.name}", flush=True)
                if good:
                    (cache / source.mark).touch()
                else:
                    failed.append(source.name)
                    print(output, flush=True)
    for old in sorted(cache.iterdir(), key=lambda file: -file.stat().st_mtime)[5000:]:
        old.unlink()

    print(f"clang-tidy: {len(sources) - len(failed)} of {len(sources)} sources are clean"
          f" ({time.monotonic() - start:.0f} s)")
    for name in sorted(failed):
        print(f"  not clean: {name}")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
