"""The real `gluecat serve`, asked by boto3."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness.command import command, pytest_addoption  # noqa: E402, F401
from harness.server import GlueServer  # noqa: E402

ACCOUNT_A = "111111111111"
ACCOUNT_B = "222222222222"


@pytest.fixture(scope="module")
def server(command, tmp_path_factory):
    """A server without an accounts file."""
    server = GlueServer(command, tmp_path_factory.mktemp("server"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def glue(server):
    return server.client(ACCOUNT_A)


@pytest.fixture
def database(glue, request):
    name = "".join(c if c.isalnum() else "_" for c in request.node.name).lower()[:100]
    glue.create_database(DatabaseInput={"Name": name})
    yield name
    glue.delete_database(Name=name)


@pytest.fixture
def table(glue, database):
    glue.create_table(DatabaseName=database, TableInput={
        "Name": "t", "PartitionKeys": [{"Name": "k", "Type": "int"}],
        "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://bucket/t"}})
    return {"DatabaseName": database, "TableName": "t"}


def partition(*values: str) -> dict:
    return {"Values": list(values),
            "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}],
                                  "Location": f"s3://bucket/t/{'/'.join(values)}"}}
