"""What every measurement in Spark runs on: a `gluecat serve` of its own, and an environment that knows no other account."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness import distribution  # noqa: E402
from harness.server import GlueServer  # noqa: E402


def milliseconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def run(measure: Callable[[distribution.SparkLine, Path, GlueServer], None]) -> None:
    """Calls `measure` with the Spark that is installed, an empty folder and a server whose store lies there."""
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(AWS_ACCESS_KEY_ID="111111111111", AWS_SECRET_ACCESS_KEY="secret")
    line = distribution.LINES[distribution.installed_line()]
    with tempfile.TemporaryDirectory(prefix="gluecat-bench-") as folder:
        work = Path(folder)
        server = GlueServer(ROOT / "dist" / "gluecat", work / "server")
        try:
            measure(line, work, server)
        finally:
            server.stop()
