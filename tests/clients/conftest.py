"""`gluecat serve --reset`, asked by clients and tests that others wrote."""

import os
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness.command import command, pytest_addoption  # noqa: E402, F401
from harness.server import GlueServer  # noqa: E402

ACCOUNT = "123456789012"


@pytest.fixture(scope="session")
def server(command, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("server"), options=("--reset",))
    yield server
    server.stop()


@pytest.fixture
def empty_server(server):
    request = urllib.request.Request(server.endpoint + "/reset", method="POST")
    urllib.request.urlopen(request, timeout=30).close()
    return server


@pytest.fixture
def glue(empty_server):
    return empty_server.client(ACCOUNT)


@pytest.fixture(autouse=True)
def no_configuration_of_this_machine(monkeypatch):
    for name in list(os.environ):
        if name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
