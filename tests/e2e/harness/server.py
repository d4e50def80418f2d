"""`gluecat serve` as a process, and what it was asked."""

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GlueRequest:
    """One line of the request log."""

    operation: str
    catalog_id: str
    account: str
    access_key: str
    status: int
    body: dict

    @property
    def database(self) -> str | None:
        return self.body.get("DatabaseName") or self.body.get("Name")


class RequestLog:
    """The requests that arrive while the `with` block runs."""

    def __init__(self, path: Path):
        self._path = path
        self._start = 0
        self.requests: list[GlueRequest] = []

    def __enter__(self) -> "RequestLog":
        self._start = self._path.stat().st_size if self._path.exists() else 0
        return self

    def __exit__(self, *exc) -> None:
        with open(self._path, encoding="utf-8") as log:
            log.seek(self._start)
            self.requests = [parse_line(line) for line in log if line.strip()]

    @property
    def operations(self) -> list[str]:
        return [request.operation for request in self.requests]

    def count(self, operation: str) -> int:
        return self.operations.count(operation)

    def __len__(self) -> int:
        return len(self.requests)


def parse_line(line: str) -> GlueRequest:
    entry = json.loads(line)
    return GlueRequest(operation=entry["operation"], catalog_id=entry.get("catalog_id", ""),
                       account=entry.get("account", ""), access_key=entry.get("access_key", ""),
                       status=entry.get("status", 0), body=entry.get("request") or {})


class GlueServer:
    """A `gluecat serve` of its own data directory on a free port of the loopback interface."""

    def __init__(self, command: Path, data: Path, accounts: Path | None = None, options: tuple[str, ...] = ()):
        data.mkdir(parents=True, exist_ok=True)
        self.log_path = data / "requests.jsonl"
        self._stderr_path = data / "server.log"
        self._stderr = open(data / "server.log", "wb")
        arguments = [str(command), "serve", "--listen", "127.0.0.1:0", "--data", str(data / "glue"),
                     "--request-log", str(self.log_path)]
        if accounts:
            arguments += ["--accounts", str(accounts)]
        arguments += options
        self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self._stderr,
                                         env={**os.environ, "GLUECAT_LOG": "info"}, text=True)
        self.endpoint = self._wait_for_endpoint(data / "server.log")

    def _wait_for_endpoint(self, log: Path) -> str:
        """The first line on standard output names the address: `listening on http://127.0.0.1:PORT`, or https."""
        line = self._process.stdout.readline()
        at = line.find("http")
        if at < 0:
            time.sleep(0.2)
            raise RuntimeError(f"gluecat serve did not start: {line!r} {log.read_text()}")
        return line[at:].split()[0].rstrip("/")

    def requests(self) -> RequestLog:
        return RequestLog(self.log_path)

    def client(self, account: str, secret: str = "secret", service: str = "glue", **more):
        """A boto3 client: the same entries, seen from outside."""
        import boto3
        from botocore.config import Config

        return boto3.client(service, endpoint_url=self.endpoint, region_name="eu-central-1",
                            aws_access_key_id=account, aws_secret_access_key=secret,
                            config=Config(retries={"total_max_attempts": 1}), **more)

    def hang_up(self) -> str:
        """Has the accounts file read again, and gives what the server says of it."""
        start = self._stderr_path.stat().st_size
        self._process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            text = self._stderr_path.read_text()[start:]
            if text.endswith("\n"):
                return text
            time.sleep(0.01)
        raise RuntimeError("gluecat serve said nothing about its accounts file")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        self._process.terminate()
        code = self._process.wait(timeout=10)
        self._stderr.close()
        return code
