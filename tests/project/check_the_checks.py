#!/usr/bin/env python3
"""Each check of tools/ passes on a small clean tree and fails, at the right place, on the same tree with one fault."""

import pathlib
import subprocess
import sys
import tempfile

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
DASH = "—"

CLEAN = {
    "docs/references.bib": "@article{Known2001,\n  title = {A}\n}\n",
    "src/pliant/base/a.hpp": f"// base/a.hpp {DASH} a number.\n#pragma once\n\n/// One [Known2001].\nint one();\nint two();\n",
    "src/pliant/base/a.cpp": '#include "pliant/base/a.hpp"\n\nint one() { return 1; }\nint two() { return 2; }\n',
    "src/pliant/base/CMakeLists.txt": "pliant_library(base SOURCES a.cpp)\n",
    "src/pliant/mesh/b.hpp": f'// mesh/b.hpp {DASH} more.\n#pragma once\n\n#include "pliant/base/a.hpp"\n',
    "src/pliant/model/full/c.hpp": f'// model/full/c.hpp {DASH} full.\n#pragma once\n\n#include "pliant/fem/d.hpp"\n',
    "src/pliant/fem/d.hpp": f'// fem/d.hpp {DASH} elements.\n#pragma once\n\n#include "pliant/mesh/b.hpp"\n',
    "apps/cli/main.cpp": '#include "pliant/mesh/b.hpp"\n\nint main() { return one(); }\n',
    "apps/cli/CMakeLists.txt": "add_executable(pliant_cli main.cpp)\n",
    "page/package.json": "{}\n",
    "page/package-lock.json": '{"packages": {"node_modules/a": {"optionalDependencies": {"b": "1", "c": "1"}},'
                              ' "node_modules/b": {}, "node_modules/a/node_modules/c": {}}}\n',
    "README.md": "All is well in include/ and at example.org/ho" + "me/x.\n",
}

# (check, file, added text, where the problem must be told, a word of it)
FAULTS = [
    ("layers", "src/pliant/base/a.hpp", '#include "pliant/mesh/b.hpp"\n', "src/pliant/base/a.hpp:7:", "may not use"),
    ("layers", "src/pliant/contact/e.hpp", '#include "pliant/fem/d.hpp"\n', "src/pliant/contact/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/file/e.hpp", '#include "pliant/material/m.hpp"\n', "src/pliant/file/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/model/modal/e.hpp", '#include "pliant/fem/d.hpp"\n', "src/pliant/model/modal/e.hpp:1:", "only full/"),
    ("layers", "src/pliant/mesh/b.hpp", '#include "pliant/util/u.hpp"\n', "src/pliant/mesh/b.hpp:5:", "not a layer"),
    ("layers", "src/pliant/mesh/b.hpp", '#include "pliant/mesh/b.hpp"\n', "src/pliant/mesh/b.hpp:5:", "circle"),
    ("layers", "src/pliant/mesh/b.hpp", '#include "b2.hpp"\n', "src/pliant/mesh/b.hpp:5:", "path"),
    ("citations", "src/pliant/base/a.cpp", "// [Unknown1999] Eq. 3\n", "src/pliant/base/a.cpp:5:", "Unknown1999"),
    ("citations", "src/pliant/base/a.cpp", "// as the paper says\n", "src/pliant/base/a.cpp:5:", "name it"),
    ("citations", "docs/references.bib", "@book{Known2001,\n}\n", "docs/references.bib:1:", "twice"),
    ("sources", "src/pliant/base/forgotten.cpp", "\n", "src/pliant/base/forgotten.cpp:1:", "not named"),
    ("sources", "src/pliant/base/xa.cpp", "\n", "src/pliant/base/xa.cpp:1:", "not named"),
    ("text", "README.md", "see /ho" + "me/someone/x\n", "README.md:2:", "machine"),
    ("text", "apps/cli/main.cpp", 'auto p = "/tm' + 'p/x";\n', "apps/cli/main.cpp:4:", "machine"),
    ("text", "src/pliant/base/a.cpp", "// TO" + "DO: later\n", "src/pliant/base/a.cpp:5:", "note"),
    ("text", "src/pliant/base/a.cpp", "\n" * 700, "src/pliant/base/a.cpp:704:", "split"),
    ("locks", "tools/package.json", "{}\n", "tools/package.json:1:", "missing"),
    ("locks", "tools/package-lock.json", '{"packages": {"node_modules/a": {"optionalDependencies": {"b": "1"}}}}\n',
     "tools/package-lock.json:1:", "no entry"),
    ("locks", "tools/package-lock.json", '{"packages": {"": {"optionalDependencies": {"c": "1"}}, "node_modules/a/node_modules/c": {}}}\n',
     "tools/package-lock.json:1:", "no entry"),
    ("locks", "tools/package-lock.json", '{"packages": {"node_modules/a": {"resolved": "x"}}}\n', "tools/package-lock.json:1:", "address"),
    ("headers", "src/pliant/base/a.hpp", "\nint three();\n", "src/pliant/base/a.hpp:8:", "comment"),
    ("headers", "src/pliant/base/a.hpp", "\n[[nodiscard]] std::vector<int> four(int a,\n    int b);\n", "src/pliant/base/a.hpp:8:", "comment"),
    ("headers", "src/pliant/base/e.hpp", "#pragma once\n", "src/pliant/base/e.hpp:1:", "open with"),
    ("headers", "src/pliant/base/f.hpp", f"// base/f.hpp {DASH} none.\n", "src/pliant/base/f.hpp:1:", "pragma"),
]


def run(check, files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, TOOLS / f"check_{check}.py", "--root", folder],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def main():
    failures = []
    for check in sorted({fault[0] for fault in FAULTS}):
        code, output = run(check, CLEAN)
        if code != 0:
            failures.append(f"{check} finds fault with a clean tree:\n{output}")
    for check, name, added, where, word in FAULTS:
        extra = {"tools/package.json": "{}"} if name == "tools/package-lock.json" else {}
        code, output = run(check, CLEAN | extra | {name: CLEAN.get(name, "") + added})
        if code != 1 or not any(line.startswith(where) and word in line for line in output.splitlines()):
            failures.append(f"{check} does not tell '{word}' at {where}\n{output}")
    print("\n".join(failures) or f"{len(FAULTS)} faults were all found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
