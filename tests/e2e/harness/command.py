"""The option --gluecat and the fixtures `command` and `server`, for suites that need nothing else of what is built."""

from pathlib import Path

import pytest

from harness.distribution import ROOT
from harness.server import GlueServer


def pytest_addoption(parser):
    parser.addoption("--gluecat", default=str(ROOT / "dist" / "gluecat"), help="the command to test")


@pytest.fixture(scope="session")
def command(request) -> Path:
    return Path(request.config.getoption("--gluecat")).resolve()


@pytest.fixture(scope="session")
def server(command, tmp_path_factory):
    """One without an accounts file, for the whole run."""
    server = GlueServer(command, tmp_path_factory.mktemp("server"))
    yield server
    server.stop()
