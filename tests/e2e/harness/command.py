"""The option --gluecat and the fixture `command`, for suites that need nothing else of what is built."""

from pathlib import Path

import pytest

from harness.distribution import ROOT


def pytest_addoption(parser):
    parser.addoption("--gluecat", default=str(ROOT / "dist" / "gluecat"), help="the command to test")


@pytest.fixture(scope="session")
def command(request) -> Path:
    return Path(request.config.getoption("--gluecat")).resolve()
