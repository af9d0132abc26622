#!/usr/bin/env python3
"""Groups sources that can be compiled as one: batches.py LIMIT SOURCE... prints a line `GROUP SOURCE` each.

Nearly all of a compiler's time on our sources goes into reading Eigen's templates and instantiating the same ones in every
source, so several sources in one translation unit cost little more than one. Two sources cannot stand together if both
declare a helper of one name in an unnamed namespace; such pairs get different groups. The build (cmake/PliantTargets.cmake)
and clang-tidy (tools/tidy.py) use the same groups.
"""

import pathlib
import re
import sys

# the name that a line at the left margin declares: a function, a constant, a type
DECLARED = re.compile(r"^(?:(?:struct|class|enum class|concept) |(?!using )[^\s/#}][^(=;\n]*?)(\w+)(?=[({\[;=]| [={:]| final)", re.MULTILINE)
CONSTANTS = re.compile(r"\b(k[A-Z]\w*)\s*(?:=|\{)")  # several may share a declaration
UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
USING = re.compile(r"^using namespace ([\w:]+);", re.MULTILINE)
# what acts on everything behind it
SPREADS = re.compile(r"^#define |^static ", re.MULTILINE)


class Source:
    """A source, the helpers that it declares in unnamed namespaces, and what decides who it may stand with."""

    def __init__(self, path):
        text = RAW_STRING.sub('""', path.read_text(encoding="utf-8"))
        self.path = path
        names = (name for part in UNNAMED.findall(text) for name in DECLARED.findall(part) + CONSTANTS.findall(part))
        self.helpers = {name for name in names if not name.isupper()}  # TEST and other macros declare what they are given
        self.kind = str(path) if SPREADS.search(text) else " ".join(sorted(USING.findall(text)))


def batches(paths, limit):
    """Lists of paths, as few as possible of about equal length, at most `limit` long."""
    kinds = {}
    for path in paths:
        source = Source(path)
        kinds.setdefault(source.kind, []).append(source)
    result = []
    for sources in kinds.values():
        groups = [([], set()) for _ in range(-(-len(sources) // limit))]
        for source in sorted(sources, key=lambda source: -len(source.helpers)):
            fitting = [group for group in groups if len(group[0]) < limit and not group[1] & source.helpers]
            if not fitting:
                fitting = [([], set())]
                groups.append(fitting[0])
            members, names = min(fitting, key=lambda group: len(group[0]))
            members.append(source.path)
            names |= source.helpers
        result += [sorted(members) for members, _ in groups if members]
    return result


def main():
    limit, names = int(sys.argv[1]), sys.argv[2:]
    for number, members in enumerate(batches([pathlib.Path(name) for name in names], limit)):
        for source in members:
            print(number, source)


if __name__ == "__main__":
    main()
