"""The process: its address, its directory, its end, and requests that are none."""

import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from conftest import ACCOUNT_A
from raw_http import AUTHORIZATION

from harness.server import GlueServer


def post(server, body: bytes, **headers) -> tuple[int, dict]:
    all_headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSGlue.GetDatabases",
                   "Authorization": AUTHORIZATION, **headers}
    request = urllib.request.Request(server.endpoint + "/", data=body, headers=all_headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def run_serve(command, *arguments) -> subprocess.CompletedProcess:
    return subprocess.run([str(command), "serve", *arguments], capture_output=True, text=True, timeout=10)


def test_version(command):
    answer = subprocess.run([str(command), "--version"], capture_output=True, text=True, timeout=10)
    assert answer.returncode == 0 and answer.stdout.startswith("gluecat ")


def test_health(server):
    with urllib.request.urlopen(server.endpoint + "/healthz", timeout=10) as answer:
        assert (answer.status, answer.read()) == (200, b"ok\n")


@pytest.mark.parametrize("body, code", [
    (b"{", "SerializationException"),
    (b"[]", "SerializationException"),
    (b'{"MaxResults": "1"}', "SerializationException"),
    (b'"\xff"', "SerializationException"),
    (b"[" * 100_000, "SerializationException"),
    (b'{"MaxResults": 0}', "ValidationException"),
    (b'{"CatalogId": "' + b"x" * 10_000_000 + b'"}', "ValidationException"),
], ids=["cut-off", "list", "type", "utf-8", "nesting", "range", "10-mb"])
def test_bad_bodies_are_answered(server, body, code):
    status, answer = post(server, body)
    assert (status, answer["__type"]) == (400, code)
    assert post(server, b"{}")[0] == 200


@pytest.mark.parametrize("headers, code", [
    ({"X-Amz-Target": "AWSGlue.NoSuchThing"}, "UnknownOperationException"),
    ({"X-Amz-Target": "Other.GetDatabases"}, "UnknownOperationException"),
    ({"Authorization": "nonsense"}, "IncompleteSignatureException"),
    ({"Authorization": AUTHORIZATION.replace("/glue/", "/s3/")}, "InvalidSignatureException"),
], ids=["operation", "service", "authorization", "scope"])
def test_bad_headers_are_answered(server, headers, code):
    status, answer = post(server, b"{}", **headers)
    assert (status, answer["__type"]) == (400, code)


def test_too_large_and_nowhere(server):
    address = urlsplit(server.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert b" 413 " in connection.recv(65536)
    with pytest.raises(urllib.error.HTTPError) as raised:
        urllib.request.urlopen(server.endpoint + "/elsewhere", timeout=10)
    assert raised.value.code == 404


def test_the_connection_stays_open_after_a_modelled_error(server):
    address = urlsplit(server.endpoint)
    body = b'{"Name": "nowhere"}'
    request = (f"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: AWSGlue.GetDatabase\r\nAuthorization: {AUTHORIZATION}"
               f"\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        for _ in range(3):
            connection.sendall(request)
            assert b"EntityNotFoundException" in connection.recv(65536)


@pytest.mark.parametrize("request_text", [
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x00\x01\x02\r\n\r\n",
])
def test_what_is_no_http_does_not_stop_the_server(server, request_text):
    address = urlsplit(server.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(request_text)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.recv(65536)
        assert b" 200 " not in answer.split(b"\r\n", 1)[0]
    assert post(server, b"{}")[0] == 200


def test_only_loopback_without_accounts(command, tmp_path):
    answer = run_serve(command, "--listen", "0.0.0.0:0", "--data", str(tmp_path / "data"))
    assert answer.returncode == 1
    assert "0.0.0.0" in answer.stderr and "--accounts" in answer.stderr
    assert not (tmp_path / "data").exists()


def test_clear_messages_at_the_start(command, tmp_path, server):
    data = str(tmp_path / "data")
    address = server.endpoint.removeprefix("http://")
    (tmp_path / "accounts.json").write_text('{"accounts": {"1": {}}}')
    (tmp_path / "file").write_text("x")
    for arguments, mention in (
            (("--listen", "nonsense", "--data", data), "nonsense"),
            (("--listen", address, "--data", data), address),
            (("--accounts", str(tmp_path / "absent.json"), "--data", data), "absent.json"),
            (("--accounts", str(tmp_path / "accounts.json"), "--data", data), "12 digits"),
            (("--listen", "127.0.0.1:0", "--data", str(tmp_path / "file" / "inside")), "inside"),
            (("--listen", "127.0.0.1:0", "--data", data, "--request-log", str(tmp_path / "no" / "log")), "log")):
        answer = run_serve(command, *arguments)
        assert answer.returncode == 1 and mention in answer.stderr, (arguments, answer)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stops_when_told_with_connections_open(command, tmp_path, how):
    server = GlueServer(command, tmp_path)
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "d"})
    os.kill(server._process.pid, how)
    assert server._process.wait(timeout=5) == 0
    assert not list((tmp_path / "glue").glob("process-*")), "the directory is left clean"


def test_the_request_log_has_every_request(server):
    glue = server.client(ACCOUNT_A)
    with server.requests() as seen:
        glue.get_databases(CatalogId="222222222222")
        with pytest.raises(glue.exceptions.EntityNotFoundException):
            glue.get_table(DatabaseName="nowhere", Name="t")
    assert seen.operations == ["GetDatabases", "GetTable"]
    assert [r.status for r in seen.requests] == [200, 400]
    assert seen.requests[0].catalog_id == "222222222222" and seen.requests[0].account == ACCOUNT_A
    last = json.loads(server.log_path.read_text().splitlines()[-1])
    assert (last["database"], last["table"], last["code"]) == ("nowhere", "t", "EntityNotFoundException")
    assert last["latency_ms"] >= 0 and last["request"] == {"DatabaseName": "nowhere", "Name": "t"}


def test_open_server_gives_roles_to_everybody(server):
    sts = server.client("AKIAANY", service="sts")
    credentials = sts.assume_role(RoleArn="arn:aws:iam::222222222222:role/team/any", RoleSessionName="me")["Credentials"]
    glue = server.client(credentials["AccessKeyId"], credentials["SecretAccessKey"],
                         aws_session_token=credentials["SessionToken"])
    glue.create_database(DatabaseInput={"Name": "of_the_role"})
    assert server.client("222222222222").get_database(Name="of_the_role")["Database"]["CatalogId"] == "222222222222"
    glue.delete_database(Name="of_the_role")
