"""The servers that the same calls go to: ours, moto's, ministack."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Peer:
    endpoint: str
    pid: int


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@contextmanager
def _process(command: list[str], port: int, log: Path, health: str, environment: dict[str, str]):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "MOTO_"))}
    with open(log, "wb") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=log.parent,
                                   env={**clean, **environment})
    try:
        endpoint = f"http://127.0.0.1:{port}"
        for _ in range(600):
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended: {log.read_text()[-2000:]}")
            try:
                urllib.request.urlopen(endpoint + health, timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"{command} does not answer: {log.read_text()[-2000:]}")
        yield Peer(endpoint, process.pid)
    finally:
        process.kill()
        process.wait()


def moto(folder: Path):
    """moto's server, from the environment that runs this."""
    port = _free_port()
    return _process([str(Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(port)], port,
                    folder / "moto.log", "/moto-api/data.json", {})


def ministack_environment() -> Path | None:
    """Its Python environment; scripts/test-clients names it where it could be made."""
    folder = os.environ.get("GLUECAT_MINISTACK")
    return Path(folder) if folder else None


def ministack(folder: Path, **environment: str):
    """ministack on the loopback interface, with nothing kept and no listeners but the one, and settings of the test's."""
    port = _free_port()
    return _process([str(ministack_environment() / "bin" / "ministack")], port, folder / "ministack.log",
                    "/_ministack/health",
                    {"GATEWAY_PORT": str(port), "BIND_HOST": "127.0.0.1", "IOT_MTLS_ENABLED": "0",
                     "SFTP_ENABLED": "0", **environment})
