#!/usr/bin/env python3
"""Reads every #include of src/pliant and apps: a folder may use only the layers below it, and no file, through any
chain of includes, itself. The table is that of docs/architecture.md."""

import re

import project

MAY_USE = {
    "base": [],
    "math": ["base"],
    "mesh": ["math"],
    "material": ["math"],
    "solve": ["math"],
    "file": ["mesh"],
    "fem": ["mesh", "material", "solve"],
    "reduce": ["fem"],
    "contact": ["mesh"],
    "model": ["reduce", "fem"],
    "sim": ["model", "contact"],
    "store": ["sim", "file"],
    "scene": ["store", "reduce"],
    "view": ["scene"],
}

# Within model, only these know the full finite elements: a reduced model must not be able to assemble one in a step.
MODEL_FILES_WITH_FEM = re.compile(r"^src/pliant/model/(full/|modal/exact_projection\.)")

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def closure(folder):
    """All layers that `folder` may use, itself included."""
    found = {folder}
    for below in MAY_USE[folder]:
        found |= closure(below)
    return found


def includes(tree, name):
    for number, line in enumerate(tree.text(name).splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1]


def check_edge(name, target):
    """What is wrong with file `name` including "pliant/..." `target`, if anything."""
    to = target.split("/")[1]
    if to not in MAY_USE:
        return f"includes {target}: '{to}' is not a layer"
    if name.startswith("apps/"):
        return None
    own = name.split("/")[2]
    if own not in MAY_USE:
        return f"'{own}' is not a layer"
    if to not in closure(own):
        return f"includes {target}: {own} may not use {to}"
    if own == "model" and to == "fem" and not MODEL_FILES_WITH_FEM.match(name):
        return f"includes {target}: within model only full/ and the exact projection may"
    return None


def cycles(graph):
    """Files that include themselves through others."""
    state = {}

    def visit(name, path):
        state[name] = "open"
        for number, target in graph.get(name, []):
            if state.get(target) == "open":
                yield name, number, "includes in a circle: " + " -> ".join([*path[path.index(target):], target])
            elif target not in state:
                yield from visit(target, [*path, target])
        state[name] = "done"

    for name in sorted(graph):
        if name not in state:
            yield from visit(name, [name])


def check(tree):
    graph = {}
    for name in tree.select("src/pliant/", "apps/", suffixes=[".hpp", ".cpp"]):
        graph[name] = []
        for number, target in includes(tree, name):
            if target.startswith("pliant/"):
                graph[name].append((number, f"src/{target}"))
                if problem := check_edge(name, target):
                    yield name, number, problem
            elif name.startswith("src/pliant/"):
                yield name, number, f'includes "{target}": write the path from "pliant/" on'
    yield from cycles(graph)


if __name__ == "__main__":
    project.main(check, __doc__)
