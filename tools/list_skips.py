#!/usr/bin/env python3
"""Lists the skipped tests of a ctest run by name and reason: list_skips.py RESULTS.xml (of ctest --output-junit).

With CI=true a skip is a failure, unless the test is a long one (PLIANT_LONG_TESTS) or ../shared is not there: a run
that left out the page, the validator or a benchmark must not pass.
"""

import os
import re
import sys
import xml.etree.ElementTree as xml

MAY_SKIP = ("--long", "../shared is not there")


def reason(output):
    """What a test said on skipping: GoogleTest's message, or a line `SKIPPED: why`."""
    for pattern in (r": Skipped\n(.+)", r"SKIPPED: (.+)"):
        found = re.search(pattern, output)
        if found:
            return found.group(1).strip()
    return "gave no reason"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    skips = [(case.get("name"), reason(case.findtext("system-out") or ""))
             for case in xml.parse(sys.argv[1]).getroot().iter("testcase") if case.find("skipped") is not None]
    if not skips:
        print("No test was skipped.")
        return 0
    print(f"\n{len(skips)} tests were skipped:")
    refused = []
    for name, why in skips:
        bad = os.environ.get("CI") == "true" and not any(words in why for words in MAY_SKIP)
        print(f"  {name}: {why}{'   <-- may not skip in CI' if bad else ''}")
        if bad:
            refused.append(name)
    if refused:
        print(f"error: {len(refused)} tests may not be skipped in CI: install what they need (./dev does) or mend them")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
