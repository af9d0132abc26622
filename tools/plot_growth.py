#!/usr/bin/env python3
"""Draws the time of a step over the number of domains, from the JSON of `./dev bench`.

usage: plot_growth.py BENCH.json OUT.svg [NAME ...]

NAME: benchmarks whose names end in the number of domains, each a curve; tree_step/grown/domains if none is given. Both axes are
logarithmic; the line is what time proportional to the number of domains would be, through the first point.
"""

import json
import math
import pathlib
import re
import sys

MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}


def points(document, name):
    """Median milliseconds per step by domains; single runs where there are no medians."""
    found = {}
    pattern = re.compile(re.escape(name) + r"[:/](\d+)")
    for row in document["benchmarks"]:
        match = pattern.match(row["name"])
        if not match or row.get("error_occurred"):
            continue
        median = row.get("aggregate_name") == "median"
        if row.get("run_type") == "aggregate" and not median:
            continue
        domains = int(match.group(1))
        if median or domains not in found or not found[domains][1]:
            found[domains] = (row["cpu_time"] * MILLISECONDS[row["time_unit"]], median)
    return sorted((domains, time) for domains, (time, _) in found.items())


def label(time):
    return f"{time:,.0f}" if time >= 1000 else f"{time:.3g}"


COLOURS = ["#1d4ed8", "#dc2626", "#059669"]


def draw(curves):
    width, height, left, right, top, bottom = 560, 340, 70, 20, 20, 50
    every = [row for _, rows in curves for row in rows]
    low_x, high_x = math.log10(min(n for n, _ in every)) - 0.2, math.log10(max(n for n, _ in every)) + 0.2
    low_y = math.floor(math.log10(min(time for _, time in every)))
    high_y = math.ceil(math.log10(max(time for _, time in every)))
    x = lambda n: left + (width - left - right) * (math.log10(n) - low_x) / (high_x - low_x)
    y = lambda t: height - bottom - (height - top - bottom) * (math.log10(t) - low_y) / (high_y - low_y)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(low_y, high_y + 1):
        lines.append(f'<path d="M{left},{y(10.0 ** power):.1f}H{width - right}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{y(10.0 ** power) + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
    for domains in sorted({n for n, _ in curves[0][1]}):
        lines.append(f'<path d="M{x(domains):.1f},{top}V{height - bottom}" stroke="#ddd"/>')
        lines.append(f'<text x="{x(domains):.1f}" y="{height - bottom + 18}" text-anchor="middle">{domains:,}</text>')
    for i, (name, rows) in enumerate(curves):
        first, last = rows[0], rows[-1]
        if i == 0:
            lines.append(f'<path d="M{x(first[0]):.1f},{y(first[1]):.1f}L{x(last[0]):.1f},'
                         f'{y(first[1] * last[0] / first[0]):.1f}" stroke="#888" stroke-dasharray="5 4" fill="none"/>')
        lines.append('<polyline points="' + " ".join(f"{x(n):.1f},{y(t):.1f}" for n, t in rows) +
                     f'" fill="none" stroke="{COLOURS[i]}" stroke-width="1.5"/>')
        for domains, time in rows:
            lines.append(f'<circle cx="{x(domains):.1f}" cy="{y(time):.1f}" r="4" fill="{COLOURS[i]}"/>')
            above = domains == last[0] or i > 0
            anchor, shift, down = ("end", -9, -4) if above else ("start", 9, 14)
            lines.append(f'<text x="{x(domains) + shift:.1f}" y="{y(time) + down:.1f}" text-anchor="{anchor}">{label(time)} ms</text>')
        if len(curves) > 1:
            lines.append(f'<text x="{left + 12}" y="{top + 16 + 17 * i}" fill="{COLOURS[i]}">{name}</text>')
    lines.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">domains</text>')
    lines.append(f'<text transform="translate(18 {(height - bottom + top) / 2}) rotate(-90)" text-anchor="middle">'
                 "time per step / ms</text>")
    return "\n".join([*lines, "</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    document = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    curves = []
    for name in sys.argv[3:] or ["tree_step/grown/domains"]:
        rows = points(document, name)
        if len(rows) < 2:
            sys.exit(f"{sys.argv[1]}: has fewer than two sizes of {name}")
        curves.append((name.split("/")[1], rows))
        for domains, time in rows:
            print(f"{name} {domains:8} domains {time:10.3f} ms {1e3 * time / domains:8.3f} us each")
    pathlib.Path(sys.argv[2]).write_text(draw(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
