"""A server that may write no more: it answers, and goes on when it may again."""

import resource

import pytest
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A

from harness.server import GlueServer


@pytest.fixture
def limited(command, tmp_path):
    """A server, and what sets the size that its files may have."""
    server = GlueServer(command, tmp_path / "server")
    yield server, lambda size: resource.prlimit(server._process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    server.stop()


def test_writes_fail_while_files_cannot_grow(limited):
    server, set_limit = limited
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "d"})
    glue.create_table(DatabaseName="d", TableInput={"Name": "before"})

    set_limit(0)
    with pytest.raises(ClientError) as error:
        glue.create_table(DatabaseName="d", TableInput={"Name": "during", "Description": "x" * 2000})
    assert error.value.response["Error"]["Code"] == "InternalServiceException"
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 500
    assert "check the disk" in error.value.response["Error"]["Message"]
    assert [table["Name"] for table in glue.get_tables(DatabaseName="d")["TableList"]] == ["before"]

    set_limit(resource.RLIM_INFINITY)
    glue.create_table(DatabaseName="d", TableInput={"Name": "after"})
    assert [table["Name"] for table in glue.get_tables(DatabaseName="d")["TableList"]] == ["after", "before"]
