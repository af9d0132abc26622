#!/usr/bin/env python3
"""Every .cpp is named in the CMakeLists.txt of its folder (or of the nearest folder above that has one): what nobody
builds is not there. The root of a project of its own, such as tests/consumer, counts as well."""

import pathlib
import re

import project


def check(tree):
    for name in tree.select("src/", "apps/", "tests/", "bench/", "fuzz/", suffixes=[".cpp"]):
        source = pathlib.PurePosixPath(name)
        for folder in source.parents:
            lists = str(folder / "CMakeLists.txt")
            if lists not in tree.names:
                continue
            relative = str(source.relative_to(folder))
            if not re.search(rf"(?<![\w./-]){re.escape(relative)}(?![\w.-])", tree.text(lists)):
                yield name, 1, f"is not named in {lists}"
            break


if __name__ == "__main__":
    project.main(check, __doc__)
