#!/usr/bin/env python3
"""Each check of tools/ passes on a small clean tree and fails, at the right place, on the same tree with one fault. So does the
check of the picture of includes."""

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
    "src/pliant/mesh/core/b.hpp": f'// mesh/core/b.hpp {DASH} more.\n#pragma once\n\n#include "pliant/base/a.hpp"\n',
    "src/pliant/model/full/c.hpp": f'// model/full/c.hpp {DASH} full.\n#pragma once\n\n#include "pliant/fem/d.hpp"\n',
    "src/pliant/fem/d.hpp": f'// fem/d.hpp {DASH} elements.\n#pragma once\n\n#include "pliant/mesh/core/b.hpp"\n',
    "src/pliant/reduce/r.hpp": f'// reduce/r.hpp {DASH} bases.\n#pragma once\n\n#include "pliant/fem/d.hpp"\n',
    "src/pliant/scene/s.hpp": f'// scene/s.hpp {DASH} builds.\n#pragma once\n\n#include "pliant/model/full/c.hpp"\n',
    "apps/cli/main.cpp": '#include "pliant/mesh/core/b.hpp"\n\nint main() { return one(); }  // names no TreeBody\n',
    "apps/cli/CMakeLists.txt": "add_executable(pliant_cli main.cpp)\n",
    "page/package.json": "{}\n",
    "page/package-lock.json": '{"packages": {"node_modules/a": {"optionalDependencies": {"b": "1", "c": "1"}},'
                              ' "node_modules/b": {}, "node_modules/a/node_modules/c": {}}}\n',
    "README.md": "All is well in include/ and at example.org/ho" + "me/x.\n",
}

# (check, file, added text, where the problem must be told, a word of it)
FAULTS = [
    ("layers", "src/pliant/base/a.hpp", '#include "pliant/mesh/core/b.hpp"\n', "src/pliant/base/a.hpp:7:", "may not use"),
    ("layers", "src/pliant/contact/e.hpp", '#include "pliant/fem/d.hpp"\n', "src/pliant/contact/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/file/e.hpp", '#include "pliant/material/m.hpp"\n', "src/pliant/file/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/model/modal/e.hpp", '#include "pliant/fem/d.hpp"\n', "src/pliant/model/modal/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/mesh/core/b.hpp", '#include "pliant/util/u.hpp"\n', "src/pliant/mesh/core/b.hpp:5:", "not a room"),
    ("layers", "src/pliant/mesh/core/b.hpp", '#include "pliant/mesh/core/b.hpp"\n', "src/pliant/mesh/core/b.hpp:5:", "circle"),
    ("layers", "src/pliant/mesh/core/b.hpp", '#include "b2.hpp"\n', "src/pliant/mesh/core/b.hpp:5:", "path"),
    ("layers", "src/pliant/mesh/e.hpp", "\n", "src/pliant/mesh/e.hpp:1:", "not a room"),
    # what runs built models and what builds them
    ("layers", "src/pliant/model/modal/e.hpp", '\n#include "pliant/reduce/r.hpp"\n', "src/pliant/model/modal/e.hpp:2:",
     "model/modal may not use reduce"),
    ("layers", "src/pliant/subspace/e.hpp", '#include "pliant/fem/d.hpp"\n', "src/pliant/subspace/e.hpp:1:", "may not use fem"),
    ("layers", "src/pliant/store/e.hpp", '#include "pliant/reduce/r.hpp"\n', "src/pliant/store/e.hpp:1:", "may not use reduce"),
    # through other headers
    ("layers", "src/pliant/draw/e.hpp", '#include "pliant/scene/s.hpp"\n', "src/pliant/draw/e.hpp:1:",
     "reaches src/pliant/model/full/c.hpp through src/pliant/scene/s.hpp: draw may not use model/full"),
    ("layers", "apps/cli/main.cpp", '#include "pliant/scene/s.hpp"\n', "apps/cli/main.cpp:4:", "apps/cli may not use model/full"),
    # between siblings, and from the interface of models to a kind
    ("layers", "src/pliant/model/tree/e.hpp", '#include "pliant/model/full/c.hpp"\n', "src/pliant/model/tree/e.hpp:1:",
     "siblings"),
    ("layers", "src/pliant/model/e.hpp", '#include "pliant/model/full/c.hpp"\n', "src/pliant/model/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/contact/e.hpp", '#include "pliant/model/full/c.hpp"\n', "src/pliant/contact/e.hpp:1:", "may not use"),
    # between the rooms of mesh, and from drawing to editing
    ("layers", "src/pliant/mesh/domains/e.hpp", '#include "pliant/mesh/fill/f.hpp"\n', "src/pliant/mesh/domains/e.hpp:1:", "siblings"),
    ("layers", "src/pliant/mesh/core/b.hpp", '#include "pliant/mesh/fill/f.hpp"\n', "src/pliant/mesh/core/b.hpp:5:",
     "mesh/core may not use mesh/fill"),
    ("layers", "src/pliant/draw/e.hpp", '#include "pliant/edit/f.hpp"\n', "src/pliant/draw/e.hpp:1:", "draw may not use edit"),
    # kinds of models above the building of them
    ("layers", "src/pliant/sim/e.hpp", '#include "pliant/model/full/c.hpp"\n', "src/pliant/sim/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/store/e.hpp", '#include "pliant/model/full/c.hpp"\n', "src/pliant/store/e.hpp:1:", "may not use"),
    ("layers", "src/pliant/draw/e.cpp", 'auto a = "\\"TreeBody"; /* TreeBody\n*/ FullModel b;\n', "src/pliant/draw/e.cpp:2:",
     "names FullModel"),
    ("layers", "apps/cli/main.cpp", "TreeBody* body;\n", "apps/cli/main.cpp:4:", "names TreeBody"),
    ("layers", "src/pliant/scene/e.cpp", "TreePlan plan;\nTreeBody body;\n", "src/pliant/scene/e.cpp:2:", "names TreeBody"),
    ("layers", "src/pliant/draw/e.cpp", "TreePlan plan;\n", "src/pliant/draw/e.cpp:1:", "names TreePlan"),
    # exceptions: of an include that is allowed, and of files and words that are gone
    ("layers", "tools/check_layers.py", 'EXCEPTIONS = [\n("src/pliant/mesh/core/b.hpp", "pliant/base/a.hpp"),\n]\n',
     "tools/check_layers.py:2:", "no longer needed"),
    ("layers", "tools/check_layers.py", 'EXCEPTIONS = [("src/pliant/model/tree/gone.hpp", "pliant/model/modal/gone.hpp")]\n',
     "tools/check_layers.py:1:", "no longer needed"),
    ("layers", "tools/check_layers.py", 'EXCEPTIONS = [\n\n("apps/cli/main.cpp", "TreeBody")]\n', "tools/check_layers.py:3:",
     "no longer needed"),
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


def call(tool, folder, *options):
    done = subprocess.run([sys.executable, TOOLS / tool, "--root", folder, *options], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def write(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def run(check, files):
    with tempfile.TemporaryDirectory() as folder:
        write(folder, files)
        return call(f"check_{check}.py", folder)


def check_picture():
    """The picture of includes is wanted, good when fresh, and old after one more include."""
    with tempfile.TemporaryDirectory() as folder:
        write(folder, CLEAN)
        codes = [call("include_graph.py", folder, *options)[0] for options in (["--check"], [], ["--check"])]
        write(folder, {"src/pliant/mesh/core/more.hpp": '#include "pliant/base/a.hpp"\n'})
        codes.append(call("include_graph.py", folder, "--check")[0])
    return [] if codes == [1, 0, 0, 1] else [f"include_graph --check: missing, drawn, fresh, old give {codes}"]


def main():
    failures = check_picture()
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
