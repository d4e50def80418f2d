"""The command line itself: help, suggestions, completion in a real bash, JSON from every command."""

import json
import re
import subprocess

import pytest
from conftest import ACCOUNT_A

from harness.gluecat_command import SECRET, Command


@pytest.fixture
def gluecat(command, server, tmp_path):
    return Command(command, tmp_path, AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET,
                   AWS_REGION="eu-central-1", AWS_ENDPOINT_URL=server.endpoint)


def commands(gluecat) -> list[str]:
    return re.findall(r"^  ([a-z]+) ", gluecat.ok("--help").partition("Subcommands:")[2], re.MULTILINE)


def test_help_of_every_command(gluecat):
    names = commands(gluecat)
    assert {"ls", "show", "partitions", "get", "put", "export", "import", "copy", "doctor", "serve",
            "completion", "help"} == set(names)
    for name in names:
        text = gluecat.ok(name, "--help")
        assert text == gluecat.ok("help", name)
        assert f"Usage: gluecat {name} " in text and "Example" in text
        assert text.partition("Example")[2].count(f"gluecat {name}") >= 1


def test_suggestions(gluecat):
    wrong = gluecat.run("improt", "x")
    assert wrong.returncode == 2 and "is it 'import'?" in wrong.stderr
    wrong = gluecat.run("ls", "--regoin", "x")
    assert wrong.returncode == 2 and "is it --region?" in wrong.stderr
    assert re.fullmatch(r"gluecat \d+\.\d+\.\d+\n", gluecat.ok("--version"))


def test_every_command_answers_in_json(gluecat, database, table, tmp_path):
    name = f"{database}.t"
    entry = gluecat.ok("get", name)
    file = tmp_path / "d.jsonl"
    for arguments in (("ls",), ("ls", database), ("show", database), ("show", name), ("partitions", name),
                      ("get", name), ("get", database), ("put", name, "--update"), ("doctor",),
                      ("export", database, file), ("import", file), ("copy", database, "--as", "x", "--dry-run")):
        text = gluecat.ok(*arguments, "--json", input=entry)
        assert text.count("\n") == 1 and isinstance(json.loads(text), (dict, list)), arguments
    for arguments in (("ls", "nothing"), ("get", "nothing"), ("export", "nothing", tmp_path / "n.jsonl"),
                      ("copy", "nothing", "--as", "x")):
        failed = gluecat.run(*arguments, "--json")
        assert failed.returncode == 3 and json.loads(failed.stderr)["kind"] == "not_found", failed


class Bash:
    """A bash that has the completion of gluecat."""

    def __init__(self, command, script: str, folder):
        (folder / "completion").write_text(script)
        self._begin = f"source {folder}/completion; "
        self._folder = folder
        self._command = command

    def complete(self, *words: str) -> list[str]:
        """What bash offers for the last of the words behind `gluecat`."""
        quoted = " ".join(f"'{word}'" for word in ("gluecat", *words))
        run = subprocess.run(
            ["bash", "--norc", "-c", f"{self._begin} COMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _gluecat; "
             'printf "%s\\n" "${COMPREPLY[@]}"; complete -p gluecat >&2'],
            capture_output=True, text=True, cwd=self._folder, timeout=60, check=True)
        assert run.stderr == "complete -F _gluecat gluecat\n", run.stderr
        return run.stdout.split()


def test_completion_in_bash(gluecat, command, tmp_path):
    (tmp_path / "sales.jsonl").write_text("")
    bash = Bash(command, gluecat.ok("completion", "bash"), tmp_path)
    assert set(bash.complete("")) == set(commands(gluecat))
    assert bash.complete("co") == ["copy", "completion"]
    assert bash.complete("copy", "--source-r") == ["--source-region"]
    assert bash.complete("copy", "sales", "--on-conflict", "") == ["fail", "skip", "replace"]
    assert bash.complete("copy", "--on-conflict", "=", "re") == ["replace"]
    assert bash.complete("copy", "--statistics", "t") == ["tables"]
    assert bash.complete("import", "sal") == ["sales.jsonl"]
    assert bash.complete("put", "d.t", "--file", "sal") == ["sales.jsonl"]
    assert bash.complete("ls", "--region", "") == []
    assert bash.complete("completion", "z") == ["zsh"]
    assert bash.complete("help", "doc") == ["doctor"]
    assert bash.complete("--ver") == ["--version"]
    for name in commands(gluecat):
        offered = set(bash.complete(name, "--"))
        assert offered == set(re.findall(r"(--[a-z-]+)", gluecat.ok(name, "--help").partition("Example")[0])) - {
            "--source-…"}, name


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_of_other_shells_is_printed(gluecat, shell):
    script = gluecat.ok("completion", shell)
    assert "gluecat" in script and all(name in script for name in commands(gluecat))
