#!/usr/bin/env python3
"""Reads every #include of src/pliant and apps. A room (a folder with sources) reaches, directly or through any chain of headers,
only rooms that the table allows; no file includes itself; nothing above the building of models names a kind of model. The table
is that of docs/architecture.md."""

import ast
import re

import project
from includes import SUFFIXES, includes, own_includes, room

# What a room may use: these, and what these may use. Rooms of one folder are siblings unless the table says otherwise.
MAY_USE = {
    "base": [],
    "math": ["base"],
    "mesh/core": ["math"],
    "mesh/fill": ["mesh/core"],
    "mesh/domains": ["mesh/core"],
    "mesh/assembly": ["mesh/core"],
    "mesh/cut": ["mesh/core"],
    "mesh/generate": ["mesh/fill", "mesh/assembly"],
    "material": ["math"],
    "solve/block": ["math"],
    "solve": ["math"],
    "file": ["mesh/assembly"],
    "subspace": ["mesh/core", "material"],
    "fem": ["subspace", "solve"],
    "reduce": ["fem", "mesh/domains"],
    "contact": ["mesh/core"],
    "model": ["mesh/cut", "material"],
    "model/full": ["model", "reduce"],
    "model/reduced": ["model", "subspace"],
    "model/modal": ["model/reduced", "solve/block"],
    "model/tree": ["model/reduced"],
    "model/coupled": ["model/reduced", "solve/block"],
    "model/blended": ["model/modal", "solve/block"],
    "sim": ["model", "contact"],
    "store": ["sim", "file", "subspace", "solve/block"],
    "build": ["store", "model/full", "model/modal", "model/tree", "model/coupled", "model/blended", "mesh/domains"],
    "scene": ["build", "mesh/generate"],
    "draw": ["scene"],
    "edit": ["draw"],
    "serve": ["edit"],
    "apps/cli": ["serve"],
}

# What a room must not see though it uses what uses it: who shows a simulation must not know what kind of model computes it.
KINDS = {"model/full", "model/modal", "model/tree", "model/coupled", "model/blended"}
HIDDEN = {one: KINDS for one in ["draw", "edit", "serve", "apps/cli"]}

# What is made of a kind, and what is asked for before it is made. A scene asks for kinds, as its text does; all others see Model,
# Domains, PartTables, BuildReport and Subspace.
KINDS_UNNAMED_IN = ("src/pliant/sim/", "src/pliant/store/", "src/pliant/scene/",
                    "src/pliant/draw/", "src/pliant/edit/", "src/pliant/serve/", "apps/")
KIND_MADE = re.compile(r"\b(?:Tree(?:Body|Outcome|Model|Dynamics)|DomainClass|Reduced(?:Body|Outcome)|Modal(?:Model|Dynamics)"
                       r"|FullModel"
                       r"|Coupled(?:Body|Outcome|Model|Dynamics)|Blended(?:Body|Outcome|Model))\b")
KIND_ASKED_FOR = re.compile(r"\b(?:Tree(?:Domain|Plan|Spec)|ClassPlan|ModalSpec|FullSpec|Coupled(?:Spec|DomainSpec|Plan)|BlendedSpec)\b")

# The exceptions: a file, and what it includes or names against the rules. Who mends one deletes its line: an exception that excuses
# nothing is itself a problem, so this list can only shrink.
EXCEPTIONS = [
    # by design: the cache of `build` stores reduced bodies; nobody else opens it, but programs that run built models
    ("src/pliant/store/reduced_cache.cpp", "ReducedBody"),
    ("src/pliant/store/reduced_cache.hpp", "ReducedBody"),
]
TOOL = "tools/check_layers.py"

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def closure(own):
    """All rooms that the room `own` may use, itself included."""
    found = {own}
    for below in MAY_USE[own]:
        found |= closure(below)
    return found


def allowed(name):
    """The rooms that a file may reach."""
    return closure(room(name)) - HIDDEN.get(room(name), set())


def exceptions(tree):
    """[(line, (file, what))] of the list above as the tree under check has it, which may be that of a test."""
    if TOOL not in tree.names:
        return []
    for node in ast.parse(tree.text(TOOL)).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "EXCEPTIONS":
            return [(entry.lineno, ast.literal_eval(entry)) for entry in node.value.elts]
    return []


def why_not(own, to):
    if "/" in own and "/" in to and own.partition("/")[0] == to.partition("/")[0] and own not in closure(to):
        return f"{own} and {to} are siblings: what both need goes into a room below them"
    return f"{own} may not use {to}"


def chains(graph, name):
    """Chains of includes, [(line, file), ...], from `name` to what it may not reach: the shortest for each of its own includes and
    each room. Files of its own room tell their own problems."""
    may, told = allowed(name), set()
    seen, queue = {name}, [[edge] for edge in graph[name]]
    for chain in queue:
        target = chain[-1][1]
        to = room(target)
        if target in seen or to == room(name):
            continue
        seen.add(target)
        if to in may or to not in MAY_USE:
            queue += [[*chain, edge] for edge in graph.get(target, [])]
        elif (chain[0], to) not in told:
            told.add((chain[0], to))
            yield chain


def check_reach(graph, name):
    for chain in chains(graph, name):
        line, target = chain[0][0], chain[-1][1]
        through = " through " + " -> ".join(file for _, file in chain[:-1]) if chain[1:] else ""
        verb = "reaches" if through else "includes"
        yield name, line, f"{verb} {target}{through}: {why_not(room(name), room(target))}"


def reach_problems(graph):
    for name in sorted(graph):
        if room(name) in MAY_USE:
            yield from check_reach(graph, name)


def without(graph, cut):
    """The graph without the includes (file, what) of `cut`."""
    return {name: [edge for edge in edges if (name, edge[1].removeprefix("src/")) not in cut] for name, edges in graph.items()}


def check_includes(graph, excused):
    """Problems of the graph without the excused includes, and excuses that can be given up without a new one."""
    cut = [pair for _, pair in excused]
    problems = set(reach_problems(without(graph, cut)))
    yield from problems
    for index, (line, pair) in enumerate(excused):
        others = cut[:index] + cut[index + 1:]
        if set(reach_problems(without(graph, others))) <= problems:
            yield TOOL, line, f"the exception {pair[0]} -> {pair[1]} is no longer needed: delete it"


def code_only(text):
    """The text with comments, strings and characters blanked, line by line where it was."""
    return NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def kinds_in(name, line):
    """The words of a line that name a kind of model where the file may not."""
    asked_for = [] if room(name) == "scene" else KIND_ASKED_FOR.findall(line)
    return sorted({*KIND_MADE.findall(line), *asked_for})


def kinds_named(tree):
    """[(file, line, word)] of the kinds of models that are named where none may be."""
    return [(name, number, word) for name in tree.select(*KINDS_UNNAMED_IN, suffixes=SUFFIXES)
            for number, line in enumerate(code_only(tree.text(name)).splitlines(), 1) for word in kinds_in(name, line)]


def check_kinds(tree, excused):
    named = kinds_named(tree)
    pairs = [pair for _, pair in excused]
    for name, number, word in named:
        if (name, word) not in pairs:
            yield name, number, f"names {word}: nothing above the building of models names a kind of model"
    for index, (line, pair) in enumerate(excused):
        if pair in pairs[:index] or pair not in {(name, word) for name, _, word in named}:
            yield TOOL, line, f"the exception {pair[0]} names {pair[1]} is no longer needed: delete it"


def check_rooms(tree, graph):
    """Rooms that the table does not have, and includes that do not say where from."""
    for name in graph:
        if room(name) not in MAY_USE:
            yield name, 1, f"'{room(name)}' is not a room of the table"
        for number, target in graph[name]:
            if room(target) not in MAY_USE:
                yield name, number, f"includes {target}: '{room(target)}' is not a room of the table"
        for number, path in includes(tree, name):
            if name.startswith("src/pliant/") and not path.startswith("pliant/"):
                yield name, number, f'includes "{path}": write the path from "pliant/" on'


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
    graph = {name: list(own_includes(tree, name)) for name in tree.select("src/pliant/", "apps/", suffixes=SUFFIXES)}
    excused = exceptions(tree)
    yield from check_rooms(tree, graph)
    yield from check_includes(graph, [entry for entry in excused if "/" in entry[1][1]])
    yield from check_kinds(tree, [entry for entry in excused if "/" not in entry[1][1]])
    yield from cycles(graph)


if __name__ == "__main__":
    project.main(check, __doc__)
