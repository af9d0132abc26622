#!/usr/bin/env python3
"""tools/header_chains.py leaves no header out, and puts nothing before a header that it does not include."""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import header_chains

TREE = {"p/a.hpp": "", "p/b.hpp": '#include "p/a.hpp"\n', "p/c.hpp": '#include "p/b.hpp"\n', "p/d.hpp": "#include <vector>\n",
        "p/e.hpp": '#include "p/a.hpp"\n#include "p/d.hpp"\n', "p/f.hpp": '#include "p/e.hpp"\n',
        "p/f.cpp": '#include "p/f.hpp"\n#include "p/c.hpp"\n', "p/g.cpp": "#include <vector>\n"}


def chains(src, *sources):
    done = subprocess.run([sys.executable, ROOT / "tools" / "header_chains.py", src, *sources], capture_output=True, text=True, check=True)
    result = {}
    for line in done.stdout.splitlines():
        number, header = line.split()
        result.setdefault(number, []).append(header)
    return sorted(result.values())


def main():
    with tempfile.TemporaryDirectory() as folder:
        src = pathlib.Path(folder)
        (src / "p").mkdir()
        for name, text in TREE.items():
            (src / name).write_text(text, encoding="utf-8")
        # f is shown by its source; e and the three that include one another need two
        assert sorted(sum(chains(src, src / "p/f.cpp", src / "p/g.cpp"), [])) == ["p/a.hpp", "p/b.hpp", "p/c.hpp", "p/d.hpp", "p/e.hpp"]
        assert len(chains(src, src / "p/f.cpp", src / "p/g.cpp")) == 2
        assert sorted(sum(chains(src), [])) == sorted(name for name in TREE if name.endswith(".hpp"))

    reached = header_chains.reached_headers(ROOT / "src")
    found = chains(ROOT / "src")
    assert sorted(sum(found, [])) == sorted(reached)
    for chain in found:
        for header, user in zip(chain, chain[1:]):
            assert header in reached[user], f"{user} does not reach {header}"
    assert "pliant/base/diagnostic.hpp" in reached["pliant/serve/server.hpp"], "includes of includes are missed"
    print(f"{len(reached)} headers in {len(found)} chains")


if __name__ == "__main__":
    main()
