"""The command `gluecat`, run with nothing of the caller's configuration."""

import json
import os
import subprocess

SECRET = "not-to-be-shown"


class Command:
    """`gluecat` with an environment of its own, in which only what is given is set."""

    def __init__(self, path, home, **environment):
        self._path = path
        self._environment = {"HOME": str(home), "PATH": os.environ["PATH"], "AWS_EC2_METADATA_DISABLED": "true",
                             **environment}

    def run(self, *arguments, input: str = "") -> subprocess.CompletedProcess:
        answer = subprocess.run([str(self._path), *map(str, arguments)], input=input, env=self._environment,
                                capture_output=True, text=True, timeout=60)
        assert SECRET not in answer.stdout + answer.stderr
        return answer

    def ok(self, *arguments, input: str = "") -> str:
        answer = self.run(*arguments, input=input)
        assert answer.returncode == 0, answer
        assert answer.stderr == ""
        return answer.stdout

    def json(self, *arguments, input: str = ""):
        return json.loads(self.ok(*arguments, "--json", input=input))
