#!/usr/bin/env python3
"""Chooses the sources that show that every header compiles alone: header_chains.py SRC LONE_SOURCE... prints a line
`CHAIN HEADER` each, in the order in which a source of that chain includes them.

A header that a source names first has compiled alone when that source has. Of the others, several share a source: each header of a chain is
reached by the next one anyway, so that none sees anything that it does not include itself. As few chains as possible: a
maximal matching of headers with headers that reach them (Dilworth).
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r"^\s*#\s*include\s+(\S+)", re.MULTILINE)


def included(file):
    return [name.strip('"<>') for name in INCLUDE.findall(file.read_text(encoding="utf-8"))]


def reached_headers(src):
    """{header: the headers of src that it reaches}, all by their paths in src."""
    names = sorted(str(file.relative_to(src)) for file in src.rglob("*.hpp"))
    direct = {name: [other for other in included(src / name) if (src / other).is_file()] for name in names}
    reached = {}
    for name in names:
        reached[name], todo = set(), list(direct[name])
        while todo:
            other = todo.pop()
            if other not in reached[name]:
                reached[name].add(other)
                todo += direct.get(other, [])
    return reached


def chains(headers, reached):
    """Lists of headers, each of which is reached by the next one of its list."""
    users = {header: [user for user in headers if header in reached[user]] for header in headers}
    following, preceding = {}, {}

    def find_user(header, seen):
        for user in users[header]:
            if user not in seen:
                seen.add(user)
                if user not in preceding or find_user(preceding[user], seen):
                    preceding[user], following[header] = header, user
                    return True
        return False

    for header in sorted(headers, key=lambda header: -len(reached[header])):
        find_user(header, set())
    result = []
    for header in headers:
        if header not in preceding:
            chain = [header]
            while chain[-1] in following:
                chain.append(following[chain[-1]])
            result.append(chain)
    return result


def main():
    src, sources = pathlib.Path(sys.argv[1]), map(pathlib.Path, sys.argv[2:])
    reached = reached_headers(src)
    shown = {names[0] for names in map(included, sources) if names}
    for number, chain in enumerate(chains([header for header in reached if header not in shown], reached)):
        for header in chain:
            print(number, header)


if __name__ == "__main__":
    main()
