"""What check_layers.py and include_graph.py share: the includes of a file, and the room that a file is in. A room is a folder
with sources, named from src/pliant on (fem, model/tree) or as it stands (apps/cli)."""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SUFFIXES = [".hpp", ".cpp"]


def includes(tree, name):
    """(line, path) of each #include "path" of a file."""
    for number, line in enumerate(tree.text(name).splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def own_includes(tree, name):
    """(line, file) of each #include "pliant/..." of a file."""
    for number, path in includes(tree, name):
        if path.startswith("pliant/"):
            yield number, f"src/{path}"


def room(name):
    return name.removeprefix("src/pliant/").rpartition("/")[0]
