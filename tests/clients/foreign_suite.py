"""Runs the tests of somebody else's project, unmodified, and compares the outcome with a list of known differences."""

import os
import subprocess
import sys
import tarfile
import tomllib
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("GLUECAT_CACHE") or Path.home() / ".cache" / "gluecat") / "sdists"


def pinned(name: str) -> str:
    """The line of sdists.txt, version and hash."""
    for line in (HERE / "sdists.txt").read_text().splitlines():
        if line.startswith(name + "=="):
            return line
    raise KeyError(f"sdists.txt does not pin {name}")


def source_distribution(name: str) -> Path:
    """The tests of the source distribution, unpacked; the calling test is skipped where it cannot be had."""
    line = pinned(name)
    version = line.split()[0].removeprefix(name + "==")
    folder = CACHE / f"{name}-{version}"
    archive = CACHE / f"{name}-{version}.tar.gz"
    if not archive.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        requirement = CACHE / f"{name}.txt"
        requirement.write_text(line + "\n")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--no-binary", name, "--require-hashes", "-r", str(requirement), "-d", str(CACHE)]
        answer = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if answer.returncode != 0:
            if "DO NOT MATCH THE HASHES" in answer.stderr:
                raise RuntimeError(answer.stderr)
            pytest.skip(f"the source of {name} {version} cannot be had: {answer.stderr.strip().splitlines()[-1:]}")
    if not folder.exists():
        with tarfile.open(archive) as tar:
            # Not the package itself: that one is installed.
            wanted = tuple(f"{folder.name}/{part}" for part in ("tests/", "pyproject.toml", "setup.cfg"))
            tar.extractall(CACHE, members=[
                member for member in tar.getmembers()
                if member.name.startswith(wanted) and ".." not in member.name and (member.isfile() or member.isdir())])
    return folder


@dataclass(frozen=True)
class Outcome:
    passed: list[str]
    skipped: list[str]
    failed: dict[str, str]  # the test and its error


def run_tests(folder: Path, report: Path, plugin: str, arguments: list[str], environment: dict[str, str]) -> Outcome:
    """Their pytest in a process of its own. `arguments` choose the tests."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "PYTEST_"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", plugin, "-q", "--tb=short",
               f"--junitxml={report}", *arguments]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            env={**clean, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(HERE / "plugins"),
                                 **environment})
    # 0: all passed, 1: some failed. Anything else is no outcome at all.
    assert answer.returncode in (0, 1), answer.stdout[-5000:] + answer.stderr[-5000:]
    return read_reports([report])


def read_reports(reports: list[Path]) -> Outcome:
    """What reports in JUnit's format say."""
    outcome = Outcome([], [], {})
    for case in (case for report in reports for case in ElementTree.parse(report).getroot().iter("testcase")):
        name = f"{case.get('classname').rsplit('.', 1)[-1]}::{case.get('name')}"
        failure = next((child for child in case if child.tag in ("failure", "error")), None)
        if failure is not None:
            outcome.failed[name] = failure.text or failure.get("message") or ""
        elif case.find("skipped") is not None:
            outcome.skipped.append(name)
        else:
            outcome.passed.append(name)
    return outcome


def check(outcome: Outcome, differences: Path, expected_tests: int) -> None:
    """Every failure is in the list, for the error that the list gives; every entry of the list still fails."""
    known = {test: entry for entry in tomllib.loads(differences.read_text()).get("difference", [])
             for test in entry["tests"]}
    wrong = []
    for test, error in outcome.failed.items():
        if test not in known:
            wrong.append(f"{test} fails and is not in {differences.name}:\n{error[-1500:]}")
        elif known[test]["error"] not in error:
            wrong.append(f"{test} fails, but not with {known[test]['error']!r}:\n{error[-1500:]}")
    wrong += [f"{test} is in {differences.name} and does not fail: take it out" for test in known
              if test not in outcome.failed]
    print(f"{differences.stem}: {len(outcome.passed)} passed, {len(outcome.failed)} differ as listed, "
          f"{len(outcome.skipped)} skipped by their authors")
    assert not wrong, "\n\n".join(wrong)
    found = len(outcome.passed) + len(outcome.failed) + len(outcome.skipped)
    assert found == expected_tests, "the selection no longer finds the tests that it found when it was written"
