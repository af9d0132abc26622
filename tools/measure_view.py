#!/usr/bin/env python3
"""How often a page of `pliant view` is told of a new state, how long those messages are, and how far the simulation falls
behind the clock: a client that reads as fast as it can, so that no browser's drawing counts.

usage: tools/measure_view.py PLIANT SCENE [SECONDS]"""

import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "view"))
from client import Server, Watcher


def main():
    program, scene = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
    dt = float(re.search(r"(?m)^dt\s*=\s*([0-9.e/-]+)", pathlib.Path(scene).read_text(encoding="utf-8"))[1])
    began = time.monotonic()
    server = Server(program, scene)
    ready = time.monotonic() - began
    try:
        watcher = Watcher(server.port)
        time.sleep(2.0)
        steps, states, size, start = watcher.steps, watcher.states, watcher.bytes, time.monotonic()
        time.sleep(seconds)
        passed = time.monotonic() - start
        states, size = watcher.states - states, watcher.bytes - size
        print(f"{scene}: served after {ready:.2f} s; {states / passed:.1f} states/s of {size / max(states, 1) / 1e3:.1f} kB, "
              f"{(watcher.steps - steps) * dt / passed:.2f} of real time, {server.memory():.0f} MB")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
