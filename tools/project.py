"""What the checks of this folder share: which files belong to the project, and how problems are told."""

import argparse
import pathlib
import subprocess
import sys


class Project:
    """The files below `root` that git tracks or would add; without git (a source archive) all but build folders."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        git = None
        if (self.root / ".git").exists():
            git = subprocess.run(["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True)
        if git and git.returncode == 0:
            names = [name for name in git.stdout.split("\0") if name]
        else:
            skip = ("build", "out", "node_modules", ".git")
            names = [str(file.relative_to(self.root)) for file in self.root.rglob("*") if file.is_file()
                     and not file.relative_to(self.root).parts[0].startswith(skip)]
        self.names = sorted(name for name in names if (self.root / name).is_file())

    def select(self, *prefixes, suffixes=()):
        """Names that start with one of the prefixes and end in one of the suffixes."""
        return [name for name in self.names
                if name.startswith(prefixes) and (not suffixes or name.endswith(tuple(suffixes)))]

    def text(self, name):
        """The file's text; empty when it is binary."""
        try:
            return (self.root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            return ""


def main(check, description):
    """Runs check(project), which yields (file, line, problem); exit 1 when there is any."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parent.parent)
    project = Project(parser.parse_args().root)
    problems = sorted(check(project), key=lambda problem: (problem[0], problem[1]))
    for name, line, problem in problems:
        print(f"{name}:{line}: {problem}")
    print(f"{len(problems)} problems in {len(project.names)} files")
    sys.exit(1 if problems else 0)
