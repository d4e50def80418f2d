#!/usr/bin/env python3
"""Fails when a source file includes something that its layer may not (cmake/layers.txt).

check_layering.py <source root>   checks the tree
check_layering.py --self-test     proves, on small trees, that each kind of fault is found
"""

import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
SUFFIXES = {".h", ".cc", ".c", ".hpp", ".cpp", ".inc"}
# Only these may reach for what layers.txt lists after the bar.
TEST_FILE = re.compile(r"_(test|bench|fuzz)\.cc$|_testing\.(h|cc)$")


def read_layers(text):
    """{folder: (folders below, folders for tests only)}, in the order of the file."""
    layers = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        folder, colon, rest = line.partition(":")
        if not colon:
            raise ValueError(f"layers.txt:{number}: no colon")
        below, _, for_tests = rest.partition("|")
        for dependency in below.split():
            if dependency not in layers:
                raise ValueError(f"layers.txt:{number}: {folder} depends on {dependency}, which is not below it")
        layers[folder.strip()] = (set(below.split()), set(for_tests.split()))
    unknown = {d for _, tests in layers.values() for d in tests} - layers.keys()
    if unknown:
        raise ValueError(f"layers.txt: unknown {sorted(unknown)}")
    return layers


def faults(root):
    """Every fault below root, as lines for a person; and the number of includes looked at."""
    layers = read_layers((root / "cmake" / "layers.txt").read_text())
    found, seen = [], 0
    tops = {folder.split("/")[0] for folder in layers}
    files = sorted(f for top in tops for f in (root / top).rglob("*") if f.suffix in SUFFIXES)
    for file in files:
        path = file.relative_to(root)
        layer = path.parent.as_posix()
        if layer not in layers:
            found.append(f"{path}: folder {layer} is not in cmake/layers.txt")
            continue
        below, for_tests = layers[layer]
        allowed = {layer} | below | (for_tests if TEST_FILE.search(path.name) else set())
        for match in INCLUDE.finditer(file.read_text(encoding="utf-8")):
            seen += 1
            line = file.read_text(encoding="utf-8").count("\n", 0, match.start()) + 1
            included = pathlib.PurePosixPath(match[1])
            target = included.parent.as_posix()
            where = f"{path}:{line}: "
            if target not in layers:
                found.append(where + f'"{included}" is not a path from the root into a layer')
            elif target not in allowed:
                found.append(where + f'{layer} may not include "{included}"')
            elif not (root / included).is_file():
                found.append(where + f'"{included}" does not exist')
    return found, seen


def self_test():
    table = "low:\nmiddle: low\nhigh: middle low | side\nside: low\n"
    cases = [  # name, {file: text}, part of the expected fault or None
        ("downward", {"middle/a.cc": '#include "low/l.h"\n', "low/l.h": ""}, None),
        ("own folder", {"low/a.cc": '#include "low/l.h"\n', "low/l.h": ""}, None),
        ("upward", {"low/a.h": '#pragma once\n#  include "high/h.h"\n', "high/h.h": ""}, "low/a.h:2: low may not"),
        ("undeclared", {"side/a.cc": '#include "middle/m.h"\n', "middle/m.h": ""}, "side may not include"),
        ("for tests", {"high/a_test.cc": '#include "side/s.h"\n', "side/s.h": ""}, None),
        ("only for tests", {"high/a.cc": '#include "side/s.h"\n', "side/s.h": ""}, "high may not include"),
        ("not from the root", {"low/a.cc": '#include "l.h"\n', "low/l.h": ""}, "not a path from the root"),
        ("missing", {"low/a.cc": '#include "low/none.h"\n'}, "does not exist"),
        ("unknown folder", {"low/deep/a.cc": ""}, "is not in cmake/layers.txt"),
        ("in a comment", {"low/a.cc": '// #include "high/h.h"\n'}, None),
    ]
    failed = 0
    for name, tree, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in {"cmake/layers.txt": table, **tree}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            found, _ = faults(root)
        good = found == [] if expected is None else len(found) == 1 and expected in found[0]
        failed += not good
        if not good:
            print(f"{name}: expected {expected!r}, found {found}")
    for text in ("low: high\nhigh:\n", "low\n", "low: | nowhere\n"):
        try:
            read_layers(text)
        except ValueError:
            continue
        failed += 1
        print(f"no fault found in the table {text!r}")
    print(f"layering self-test: {len(cases) + 3 - failed} passed, {failed} failed")
    return failed


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found, seen = faults(pathlib.Path(arguments[0]))
    for fault in found:
        print(fault)
    print(f"layering: {seen} includes, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
