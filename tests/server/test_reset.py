"""POST /reset: an empty store between tests, and only for those who may."""

import urllib.error
import urllib.request

import pytest
from conftest import ACCOUNT_A, ACCOUNT_B, partition
from raw_http import exchange

from harness.server import GlueServer


@pytest.fixture(scope="module")
def server(command, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("reset"), options=("--reset",))
    yield server
    server.stop()


def reset(server, method: str = "POST", **headers) -> int:
    request = urllib.request.Request(server.endpoint + "/reset", method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_everything_is_gone(server, glue, table):
    glue.create_partition(**table, PartitionInput=partition("1"))
    server.client(ACCOUNT_B).create_database(DatabaseInput={"Name": "of_b"})
    assert reset(server) == 200
    for account in (ACCOUNT_A, ACCOUNT_B):
        assert server.client(account).get_databases()["DatabaseList"] == []
    # What comes after it is as in a new store.
    name = table["DatabaseName"]
    glue.create_database(DatabaseInput={"Name": name})
    assert glue.get_tables(DatabaseName=name)["TableList"] == []
    assert reset(server) == 200
    assert reset(server) == 200
    glue.create_database(DatabaseInput={"Name": name})


def test_credentials_stay(server):
    sts = server.client("AKIAANY", service="sts")
    credentials = sts.assume_role(RoleArn="arn:aws:iam::222222222222:role/any", RoleSessionName="me")["Credentials"]
    assert reset(server) == 200
    glue = server.client(credentials["AccessKeyId"], credentials["SecretAccessKey"],
                         aws_session_token=credentials["SessionToken"])
    assert glue.get_databases()["DatabaseList"] == []


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
    {"Host": "evil.example", "Origin": "http://evil.example"}])
def test_not_for_pages_of_others(server, glue, database, headers):
    assert reset(server, **headers) == 404
    assert glue.get_database(Name=database)


def test_not_by_other_methods_and_not_without_a_host(server, glue, database):
    assert reset(server, "GET") == 404
    assert reset(server, "DELETE") == 404
    assert exchange(server, b"POST /reset HTTP/1.1\r\nContent-Length: 0\r\n\r\n").status in (400, 404)
    assert glue.get_database(Name=database)


def test_not_without_the_option(command, tmp_path):
    server = GlueServer(command, tmp_path)
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "d"})
    assert reset(server) == 404
    assert glue.get_database(Name="d")
    server.stop()
