#!/usr/bin/env python3
"""No paths of one machine, no notes to oneself, no file that has outgrown its idea."""

import re

import project

MACHINE_PATH = re.compile(r"(?<![\w.$}~-])/(?:home|root|Users|work|tmp|mnt|scratch)/\w")
NOTE = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
MOST_LINES = 600  # the aim is 500; a file beyond this holds two ideas


def check(tree):
    for name in tree.names:
        if name == "LICENSE" or name == "package-lock.json":
            continue
        lines = tree.text(name).splitlines()
        for number, line in enumerate(lines, 1):
            if MACHINE_PATH.search(line):
                yield name, number, "holds a path of one machine"
            if NOTE.search(line):
                yield name, number, "holds a note to oneself: open an issue instead"
        generated = any("make_protocol.py" in line for line in lines[:3]) and not name.startswith("tools/")
        if name.endswith((".cpp", ".hpp", ".py")) and len(lines) > MOST_LINES and not generated:
            yield name, len(lines), f"has {len(lines)} lines, more than {MOST_LINES}: split it"


if __name__ == "__main__":
    project.main(check, __doc__)
