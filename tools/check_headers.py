#!/usr/bin/env python3
"""Every header opens by saying what it is for, has its guard, and every function declared at namespace scope has a
comment: above it, behind it, or above the group that it stands in without a blank line. What comes first in a header
is told by its opening; short inline definitions are their own comment."""

import re

import project

FUNCTION = re.compile(r"^(?:\[\[nodiscard\]\] )?(?:[A-Za-z_][\w:]*(?:<.*>)?[&*]*\s+)+[&*]*[a-z]\w*\(")
NOT_A_DECLARATION = ("inline ", "[[nodiscard]] inline ", "using ", "return ", "static_assert", "namespace ", "constexpr ", "friend ", "#", "//")


def declared_functions(lines):
    """[(line index, documented)] of functions declared at column 0."""
    documented = False  # of the group of lines without a blank one between them
    opened = False      # the namespace has begun, and nothing else yet
    depth = 0
    for index, line in enumerate(lines):
        if not line.strip():
            documented = documented and depth > 0
            continue
        if line.startswith("namespace pliant"):
            opened = True
            continue
        if line.startswith("//"):
            documented = True
            continue
        starts_here = depth == 0 and FUNCTION.match(line) and not line.startswith(NOT_A_DECLARATION)
        if starts_here and not line.rstrip().endswith("{"):
            yield index, documented or opened or "//" in line
        opened = False
        # parentheses and braces left open: what follows belongs to this declaration
        code = line.split("//")[0]
        if not code.startswith("namespace") and not code.startswith("}  // namespace"):
            depth += code.count("(") + code.count("{") - code.count(")") - code.count("}")
        depth = max(depth, 0)


def check(tree):
    for name in tree.select("src/pliant/", suffixes=[".hpp"]):
        lines = tree.text(name).splitlines()
        short = name.removeprefix("src/pliant/")
        if not lines or not re.match(rf"// {re.escape(short)} — \S", lines[0]):
            yield name, 1, f"must open with '// {short} — what it is for'"
        if "#pragma once" not in lines:
            yield name, 1, "has no #pragma once"
        for index, documented in declared_functions(lines):
            if not documented:
                yield name, index + 1, "a function without a comment (///)"


if __name__ == "__main__":
    project.main(check, __doc__)
