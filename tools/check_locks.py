#!/usr/bin/env python3
"""Every optional dependency that a package names has an entry in the lock file. npm 11 refuses a lock file that lacks
one; npm 9 and 10 do not notice, so that such a file looks fine until a newer npm reads it."""

import json

import project


def entry_of(packages, user, name):
    """The place where node looks for `name` from inside the package at `user`, nearest folder first; None if nowhere."""
    folder = user
    while True:
        place = f"{folder}/node_modules/{name}".lstrip("/")
        if place in packages:
            return place
        if not folder:
            return None
        folder = folder.rpartition("node_modules/")[0].rstrip("/")


def check(tree):
    for name in tree.select("", suffixes=["package.json"]):
        lock = name.replace("package.json", "package-lock.json")
        if lock not in tree.names:
            yield name, 1, f"{lock} is missing: run `npm install --package-lock-only` there"
            continue
        packages = json.loads(tree.text(lock))["packages"]
        for user, package in packages.items():
            for wanted in package.get("optionalDependencies", {}):
                if entry_of(packages, user, wanted) is None:
                    yield lock, 1, (f"{user or 'the package itself'} names {wanted}, which has no entry: the registry lacks it;"
                                    " choose a version whose packages are all there (\"overrides\" in package.json)")
            if "resolved" in package:
                yield lock, 1, f"{user} names a download address (npm install --omit-lockfile-registry-resolved)"


if __name__ == "__main__":
    project.main(check, __doc__)
