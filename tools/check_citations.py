#!/usr/bin/env python3
"""Every [Key2005] in code and docs is an entry of docs/references.bib, and no comment speaks of "the paper" without
saying which."""

import re

import project

CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{4}[a-z]?)\]")
ENTRY = re.compile(r"^@\w+\{\s*([^,\s]+)\s*,", re.MULTILINE)
OTHER_NAMES = re.compile(r"^\s*ids\s*=\s*\{([^}]*)\}", re.MULTILINE)  # BibLaTeX: further keys of the same entry
VAGUE = re.compile(r"\bthe paper\b", re.IGNORECASE)
BIBLIOGRAPHY = "docs/references.bib"


def comment_blocks(text):
    """[(first line number, [lines])] of consecutive comment lines."""
    block, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.lstrip().startswith("//"):
            start = start if block else number
            block.append(line)
        elif block:
            yield start, block
            block = []


def check(tree):
    bibliography = tree.text(BIBLIOGRAPHY) if BIBLIOGRAPHY in tree.names else ""
    keys = ENTRY.findall(bibliography)
    for names in OTHER_NAMES.findall(bibliography):
        keys += [name.strip() for name in names.split(",")]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        yield BIBLIOGRAPHY, 1, f"'{key}' stands there twice"
    for name in tree.select("src/", "apps/", "tests/", "bench/", "docs/", suffixes=[".hpp", ".cpp", ".md"]):
        text = tree.text(name)
        for number, line in enumerate(text.splitlines(), 1):
            for key in CITATION.findall(line):
                if key not in keys:
                    yield name, number, f"cites [{key}], which {BIBLIOGRAPHY} does not have"
        if name.startswith("src/"):
            for start, block in comment_blocks(text):
                if VAGUE.search("\n".join(block)) and not CITATION.search("\n".join(block)):
                    yield name, start, "'the paper': name it by its key, [Key2005]"


if __name__ == "__main__":
    project.main(check, __doc__)
