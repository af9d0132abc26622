#!/usr/bin/env python3
"""Draws which rooms (folders) of src/pliant include which, as an SVG.

usage: include_graph.py [-o OUT.svg] [--check] [--root ROOT]

A room stands above all that it includes. The numbers at the lower edge of a box are includes, each above its line. Includes of a
room that is reached through others as well are thin and grey; those to one room flow together. Includes against the rules of
check_layers.py, which lists them as exceptions, are red. --check says whether the stored picture is the one of today.
"""

import argparse
import collections
import pathlib
import sys

import check_layers
import project
from includes import SUFFIXES, own_includes, room

DRAWN = "docs/include_graph.svg"
DIRECT, INDIRECT, AGAINST = "direct", "indirect", "against"
HEIGHT, GAP, PIN, MARGIN, SPACE = 64, 72, 24, 24, 26  # of a box, between rows, between lines at a box, around, between boxes
SWEEPS = 60


def read(tree):
    """({room: [files, lines]}, {(room, room): includes}, rooms' edges that the rules forbid)."""
    rooms, edges, against = collections.defaultdict(lambda: [0, 0]), collections.Counter(), set()
    for name in tree.select("src/pliant/", suffixes=SUFFIXES):
        own = room(name)
        rooms[own][0] += 1
        rooms[own][1] += len(tree.text(name).splitlines())
        for _, target in own_includes(tree, name):
            if room(target) != own:
                edges[own, room(target)] += 1
                if {own, room(target)} <= set(check_layers.MAY_USE) and room(target) not in check_layers.allowed(name):
                    against.add((own, room(target)))
    for _, to in edges:
        rooms[to]  # also a room that has no file
    return dict(rooms), edges, against


def below(edges, start):
    """All rooms under `start`."""
    found, queue = set(), [start]
    for one in queue:
        more = sorted({to for own, to in edges if own == one} - found)
        found |= set(more)
        queue += more
    return found


def sort_edges(edges, against):
    """{(room, room): kind}."""
    ruled = set(edges) - against
    under = {own: below(ruled, own) for own, _ in ruled}
    if circle := sorted(own for own in under if own in under[own]):
        sys.exit("these rooms include one another: " + ", ".join(circle))
    steps = lambda own, to: any(to in under.get(middle, ()) for one, middle in ruled if one == own)
    return {edge: AGAINST if edge in against else INDIRECT if steps(*edge) else DIRECT for edge in sorted(edges)}


def ranks(rooms, kinds):
    """Each room one row above the highest room that it includes."""
    found = {}

    def rank(own):
        if own not in found:
            found[own] = 1 + max((rank(to) for (one, to), kind in kinds.items() if one == own and kind != AGAINST), default=-1)
        return found[own]

    for own in sorted(rooms):
        rank(own)
    return found


class Layout:
    """Rows of nodes, from the bottom up. A node is a room (its name) or the place where lines to a room pass a row (a tuple)."""

    def __init__(self, rooms, edges, kinds):
        self.rooms, self.edges, self.kinds = rooms, edges, kinds
        self.rank = ranks(rooms, kinds)
        self.links = {}      # (upper node, lower node): kind
        self.pins = {}       # (room, node below): room at the end of the line
        self.loops = [edge for edge in kinds if self.rank[edge[0]] <= self.rank[edge[1]]]
        for (own, to), kind in kinds.items():
            if (own, to) not in self.loops:
                self.lead(own, to, kind)
        nodes = sorted(self.rank, key=str)
        self.rows = [[node for node in nodes if self.rank[node] == rank] for rank in range(1 + max(self.rank.values()))]
        self.lower, self.upper = collections.defaultdict(list), collections.defaultdict(list)
        for high, low in self.links:
            self.lower[high].append(low)
            self.upper[low].append(high)
        self.order()
        self.place()

    def lead(self, own, to, kind):
        """The links from room to room through all rows between."""
        node = own
        for rank in range(self.rank[own] - 1, self.rank[to] - 1, -1):
            after = to if rank == self.rank[to] else (to, kind, rank)
            self.rank.setdefault(after, rank)
            self.links[node, after] = kind
            if node == own:
                self.pins[own, after] = to
            node = after

    # the order within rows

    def crossings(self, upper, lower):
        place = {node: index for index, node in enumerate(lower)}
        ends = [(index, place[low], 3 if self.links[high, low] == DIRECT else 1)
                for index, high in enumerate(upper) for low in self.lower[high]]
        return sum(a[2] * b[2] for i, a in enumerate(ends) for b in ends[i + 1:] if (a[0] - b[0]) * (a[1] - b[1]) < 0)

    def cost(self, rank):
        """Crossings on both sides of a row, and what stands between rooms of the row that include one another."""
        row = self.rows[rank]
        apart = sum(4 * abs(row.index(own) - row.index(to)) for own, to in self.loops if own in row and to in row)
        return apart + sum(self.crossings(self.rows[high], self.rows[high - 1])
                           for high in (rank, rank + 1) if 0 < high < len(self.rows))

    def order(self):
        """Sorts rows by where their neighbours are, then moves single nodes while that takes crossings away."""
        for sweep in range(8):
            up = sweep % 2 == 0
            for rank in range(len(self.rows)) if up else reversed(range(len(self.rows))):
                near, other = (self.lower, rank - 1) if up else (self.upper, rank + 1)
                if 0 <= other < len(self.rows):
                    place = {node: index / len(self.rows[other]) for index, node in enumerate(self.rows[other])}
                    mean = lambda node: sum(place[one] for one in near[node]) / len(near[node]) if near[node] else 0.5
                    self.rows[rank].sort(key=mean)
        while any([self.improve(rank) for rank in range(len(self.rows))]):
            pass

    def improve(self, rank):
        better, row = False, self.rows[rank]
        for node in list(row):
            least, at, best = self.cost(rank), row.index(node), row.index(node)
            for index in range(len(row)):
                row.remove(node)
                row.insert(index, node)
                if (cost := self.cost(rank)) < least:
                    least, best = cost, index
            row.remove(node)
            row.insert(best, node)
            better = better or best != at
        return better

    # the places

    def width(self, node):
        if not isinstance(node, str):
            return 2
        return max(152, 9 * len(node) + 16, PIN * (len(self.lower[node]) + 0.5))

    def ends(self, node, others):
        """{other: x of its line at the node, from the middle of it} in the order of their rows."""
        place = {one: index for row in self.rows for index, one in enumerate(row)}
        others = sorted(others, key=place.get)
        spread = PIN if isinstance(node, str) else 0
        return {other: spread * (index - (len(others) - 1) / 2) for index, other in enumerate(others)}

    def place(self):
        """Pulls each node to where its lines come from and go to; keeps the order and the distances."""
        self.out = {node: self.ends(node, self.lower[node]) for row in self.rows for node in row}
        self.into = {node: self.ends(node, self.upper[node]) for row in self.rows for node in row}
        self.x = {node: 0.0 for row in self.rows for node in row}
        for sweep in range(SWEEPS):
            for row in self.rows if sweep % 2 else reversed(self.rows):
                self.x.update(zip(row, self.spread(row)))
        left = min(self.x[node] - self.width(node) / 2 for row in self.rows for node in row)
        for node in self.x:
            self.x[node] = round(self.x[node] - left + MARGIN)

    def pull(self, node):
        """(weight, place) that the lines of a node wish for it; a line that passes rows wants to be straight."""
        wishes = [(high, node, self.x[high] + self.out[high][node] - self.into[node][high]) for high in self.upper[node]]
        wishes += [(node, low, self.x[low] + self.into[low][node] - self.out[node][low]) for low in self.lower[node]]
        straight = lambda a, b: 8 if not isinstance(a, str) and not isinstance(b, str) else 1
        weights = [straight(high, low) * (3 if self.links[high, low] == DIRECT else 1) for high, low, _ in wishes]
        if not wishes:
            return 1e-3, self.x[node]
        return sum(weights), sum(w * wish[2] for w, wish in zip(weights, wishes)) / sum(weights)

    def space(self, left, right):
        if (left, right) in self.loops or (right, left) in self.loops:
            return 2 * SPACE
        return SPACE if isinstance(left, str) or isinstance(right, str) else 14

    def spread(self, row):
        """The places nearest to the wishes that keep order and distances: neighbours that collide move as one."""
        offsets = [0.0]
        for left, right in zip(row, row[1:]):
            offsets.append(offsets[-1] + (self.width(left) + self.width(right)) / 2 + self.space(left, right))
        groups = []  # [weight, place, count]
        for node, offset in zip(row, offsets):
            weight, wish = self.pull(node)
            groups.append([weight, wish - offset, 1])
            while len(groups) > 1 and groups[-2][1] > groups[-1][1]:
                weight, wish, count = groups.pop()
                last = groups[-1]
                last[1] = (last[0] * last[1] + weight * wish) / (last[0] + weight)
                last[0] += weight
                last[2] += count
        bases = [wish for _, wish, count in groups for _ in range(count)]
        return [base + offset for base, offset in zip(bases, offsets)]


STYLE = {DIRECT: 'stroke="#1e3a5f" stroke-width="2"', INDIRECT: 'stroke="#9aa7b5" stroke-width="1.1"',
         AGAINST: 'stroke="#c62828" stroke-width="1.8" stroke-dasharray="5 3"'}
INK = {DIRECT: "#1e3a5f", INDIRECT: "#6b7886", AGAINST: "#c62828"}


LEGEND = {DIRECT: "includes (how many: above the line)", INDIRECT: "includes what it reaches through other rooms as well",
          AGAINST: "against the rules, a listed exception"}


def y(layout, rank):
    """The upper edge of a row."""
    return MARGIN + (len(layout.rows) - 1 - rank) * (HEIGHT + GAP)


def draw_link(layout, high, low, kind):
    x0 = layout.x[high] + layout.out[high][low]
    x1 = layout.x[low] + layout.into[low][high]
    y0, y1 = y(layout, layout.rank[high]) + HEIGHT, y(layout, layout.rank[low])
    down = "" if isinstance(low, str) else f"V{y1 + HEIGHT}"
    middle = (y0 + y1) / 2
    end = f' marker-end="url(#{kind})"' if isinstance(low, str) else ""
    return f'<path d="M{x0:g},{y0}C{x0:g},{middle:g} {x1:g},{middle:g} {x1:g},{y1}{down}" {STYLE[kind]}{end}/>'


def draw_loop(layout, own, to):
    """An include upwards, or within a row: between neighbours straight, otherwise in an arch."""
    x0, x1 = layout.x[own], layout.x[to]
    y0, y1 = y(layout, layout.rank[own]), y(layout, layout.rank[to])
    row = layout.rows[layout.rank[own]]
    if to in row and abs(row.index(own) - row.index(to)) == 1:
        side = 1 if x0 < x1 else -1
        x0, x1, y0 = x0 + side * layout.width(own) / 2, x1 - side * layout.width(to) / 2, y0 + 24
        line, label = f"M{x0:g},{y0}H{x1:g}", y0 - 5
    elif to in row:
        line, label = f"M{x0},{y0}C{x0},{y0 - 48} {x1},{y1 - 48} {x1},{y1}", y0 - 41
    else:
        x0, x1, y1 = x0 + layout.width(own) / 2 - 6, x1 + layout.width(to) / 2 - 6, y1 + HEIGHT
        line, label = f"M{x0:g},{y0}C{x0:g},{(y0 + y1) / 2:g} {x1:g},{(y0 + y1) / 2:g} {x1:g},{y1}", (y0 + y1) / 2 - 5
    kind = layout.kinds[own, to]
    yield f'<path d="{line}" fill="none" {STYLE[kind]} marker-end="url(#{kind})"/>'
    yield number(layout, own, to, (x0 + x1) / 2, label)


def number(layout, own, to, x, base):
    """The number of includes from room to room."""
    count, kind = layout.edges[own, to], layout.kinds[own, to]
    weight = "" if kind == INDIRECT else ' font-weight="bold"'
    return (f'<text x="{x:g}" y="{base:g}" font-size="10.5"{weight} fill="{INK[kind]}">{count}'
            f"<title>{own} includes {to}: {count}</title></text>")


def draw_room(layout, name):
    files, lines = layout.rooms[name]
    width, middle, top = layout.width(name), layout.x[name], y(layout, layout.rank[name])
    yield (f'<rect x="{middle - width / 2:g}" y="{top}" width="{width:g}" height="{HEIGHT}" rx="6" fill="#e8eff7" '
           'stroke="#1e3a5f"/>')
    yield f'<text x="{middle}" y="{top + 20}" font-size="15" font-weight="bold" fill="#12263f">{name}</text>'
    yield f'<text x="{middle}" y="{top + 37}" font-size="11" fill="#3d4f63">{files} files, {lines / 1000:.1f}k lines</text>'
    for low, shift in layout.out[name].items():
        yield number(layout, name, layout.pins[name, low], middle + shift, top + HEIGHT - 6)


def draw_legend(base):
    x = MARGIN
    for kind, text in LEGEND.items():
        yield f'<path d="M{x},{base - 4}h26" fill="none" {STYLE[kind]}/>'
        yield f'<text x="{x + 32}" y="{base}" font-size="11" fill="#3d4f63" text-anchor="start">{text}</text>'
        x += 32 + round(6.3 * len(text)) + 24


def draw(layout):
    width = max(960, max(layout.x[node] + layout.width(node) / 2 for node in layout.x) + MARGIN)
    height = y(layout, 0) + HEIGHT + 2 * MARGIN + 12
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" font-family="Helvetica, Arial, sans-serif" '
           'text-anchor="middle">')
    yield "<!-- made by tools/include_graph.py -->"
    yield "<title>Rooms of src/pliant and their includes</title>"
    for kind in STYLE:
        yield (f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto" '
               f'markerUnits="userSpaceOnUse"><path d="M0,0.5L8,4L0,7.5z" fill="{INK[kind]}"/></marker>')
    yield f'<rect width="{width:g}" height="{height}" rx="10" fill="#fbfcfe"/>'
    yield '<g fill="none">'
    for kind in (INDIRECT, DIRECT, AGAINST):
        yield from (draw_link(layout, high, low, one) for (high, low), one in layout.links.items() if one == kind)
    yield "</g>"
    for name in sorted(layout.rooms):
        yield from draw_room(layout, name)
    for own, to in layout.loops:
        yield from draw_loop(layout, own, to)
    yield from draw_legend(height - MARGIN)
    yield "</svg>"


def picture(root):
    rooms, edges, against = read(project.Project(root))
    return "\n".join(draw(Layout(rooms, edges, sort_edges(edges, against)))) + "\n"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=root)
    parser.add_argument("-o", "--output", type=pathlib.Path, help=f"default: {DRAWN} of the root")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    path, text = options.output or options.root / DRAWN, picture(options.root)
    if not options.check:
        path.write_text(text, encoding="utf-8")
    elif not path.is_file() or path.read_text(encoding="utf-8") != text:
        sys.exit(f"{path} is not the picture of today's includes: run tools/include_graph.py")


if __name__ == "__main__":
    main()
