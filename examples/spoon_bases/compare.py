#!/usr/bin/env python3
"""Runs the spoon in full and with three bases; prints a table and draws a plot of its bowl's height over time.

usage: compare.py PLIANT OUT [DURATION]

PLIANT is the program, OUT a folder for the scenes, the files that they need and the plot bowl.svg.
"""

import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COLOURS = {"full": "#222222", "full motion": "#1b7f4b", "derivatives": "#c2410c", "sketch": "#1d4ed8"}


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout) if "--json" in arguments else done.stdout


def frequency(t, y):
    """Of the strongest oscillation after the knock: the peak of the windowed Fourier amplitude."""
    rows = [(a, b) for a, b in zip(t, y) if a >= 0.02]
    mean = sum(b for _, b in rows) / len(rows)
    length = rows[-1][0] - rows[0][0]

    def amplitude(hz):
        re = im = 0.0
        for a, b in rows:
            window = 1.0 - math.cos(2.0 * math.pi * (a - rows[0][0]) / length)
            re += window * (b - mean) * math.cos(2.0 * math.pi * hz * a)
            im += window * (b - mean) * math.sin(2.0 * math.pi * hz * a)
        return re * re + im * im

    coarse = max((2.0 + 0.25 * i for i in range(300)), key=amplitude)
    return max((coarse - 0.25 + 0.01 * i for i in range(51)), key=amplitude)


def plot(series, file):
    width, height, left, bottom = 760, 360, 60, 40
    end = max(t[-1] for t, _ in series.values())
    top = 1.1 * max(max(map(abs, y)) for _, y in series.values())
    x = lambda a: left + (width - left - 150) * a / end
    y = lambda b: (height - bottom) / 2 * (1.0 - b / top) + 10
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<path d="M{left},10V{height - bottom + 10}M{left},{y(0)}H{x(end)}" stroke="#999" fill="none"/>']
    for mark in (-top / 1.1, 0.0, top / 1.1):
        lines.append(f'<text x="{left - 6}" y="{y(mark) + 4}" text-anchor="end">{1000 * mark:.0f}</text>')
    for i in range(5):
        lines.append(f'<text x="{x(end * i / 4)}" y="{height - 12}" text-anchor="middle">{end * i / 4:.2f}</text>')
    lines.append(f'<text x="{x(end / 2)}" y="{height - 1}" text-anchor="middle">t / s</text>')
    lines.append(f'<text x="12" y="{y(0)}" transform="rotate(-90 12 {y(0)})" text-anchor="middle">height of the bowl / mm</text>')
    for row, (name, (t, heights)) in enumerate(series.items()):
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(t, heights))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="1.5"/>')
        lines.append(f'<text x="{x(end) + 12}" y="{30 + 18 * row}" fill="{COLOURS[name]}">{name}</text>')
    file.write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, out = sys.argv[1], pathlib.Path(sys.argv[2])
    more = ["--duration", sys.argv[3]] if len(sys.argv) == 4 else []
    out.mkdir(parents=True, exist_ok=True)
    scene = (HERE / "spoon.toml").read_text(encoding="utf-8")
    model = 'model = { type = "modal", linear_modes = 6, modes = 12 }'
    assert model in scene
    cache = ["--cache", out / "cache", "--quiet", "--json"]

    def variant(name, settings):
        file = out / f"{name}.toml"
        file.write_text(scene.replace(model, f"model = {settings}"), encoding="utf-8")
        return file

    runs = {"full": run(program, "run", variant("full", '{ type = "full" }'), *cache, *more,
                        "--snapshots", out / "shapes", "--snapshots-every", "5")}
    run(program, "sketch", variant("plain", '{ type = "full" }'), HERE / "pulls.toml", "-o", out / "pulls.txt", "--quiet")
    bases = {"full motion": '{ type = "modal", modes = 12, shapes = ["shapes"] }',
             "derivatives": '{ type = "modal", linear_modes = 6, modes = 12 }',
             "sketch": '{ type = "modal", modes = 12, sketch = "pulls.txt" }'}
    for name, settings in bases.items():
        runs[name] = run(program, "run", variant(name.replace(" ", "_"), settings), *cache, *more)

    series = {}
    for name, result in runs.items():
        probe = result["probes"]["bowl"]
        series[name] = (probe["t"], [u[2] for u in probe["u"]])
    plot(series, out / "bowl.svg")
    truth = frequency(*series["full"])
    peak = max(map(abs, series["full"][1]))
    table = []
    for name, (t, heights) in series.items():
        hz = frequency(t, heights)
        rms = math.sqrt(sum((a - b) ** 2 for a, b in zip(heights, series["full"][1])) / len(t))
        table.append({"basis": name, "hz": hz, "ratio": hz / truth, "rms_of_peak": rms / peak,
                      "step_us": runs[name]["step_us"]["mean"], "build_s": runs[name]["build_s"]})
    (out / "table.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    print(f"{'basis':12} {'frequency':>10} {'of full':>8} {'RMS/peak':>9} {'step':>11} {'build':>8}")
    for row in table:
        print(f"{row['basis']:12} {row['hz']:7.2f} Hz {row['ratio']:8.4f} {100 * row['rms_of_peak']:7.1f} % "
              f"{row['step_us']:8.1f} us {row['build_s']:6.2f} s")
    print(f"peak {1000 * peak:.1f} mm; plot {out / 'bowl.svg'}")


if __name__ == "__main__":
    main()
