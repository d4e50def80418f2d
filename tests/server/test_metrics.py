"""GET /metrics, read as Prometheus reads it."""

import re
import socket
import time
import urllib.request
from urllib.parse import urlsplit

import pytest
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A
from raw_http import exchange, request

from harness.server import GlueServer

SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)((?:\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*\})?) (\S+)$')


@pytest.fixture
def server(command, tmp_path):
    server = GlueServer(command, tmp_path)
    yield server
    server.stop()


def metrics(server) -> dict[str, float]:
    with urllib.request.urlopen(server.endpoint + "/metrics", timeout=10) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = answer.read().decode()
    assert text.endswith("\n")
    samples, typed = {}, set()
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            typed.add(line.split()[2])
        if line.startswith("#"):
            continue
        match = SAMPLE.match(line)
        assert match, line
        name = match[1] + match[2]
        assert name not in samples, f"{name} twice"
        assert match[1] in typed or re.sub("_(bucket|sum|count)$", "", match[1]) in typed
        samples[name] = float(match[3])
    return samples


def test_requests_are_counted_by_what_they_were(server):
    glue, sts = server.client(ACCOUNT_A), server.client(ACCOUNT_A, service="sts")
    before = metrics(server)
    for _ in range(3):
        glue.get_databases()
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.get_table(DatabaseName="nowhere", Name="t")
    sts.get_caller_identity()
    with pytest.raises(ClientError):
        sts.get_session_token()
    after = metrics(server)
    assert not [name for name in before if name.startswith("gluecat_requests_total")]
    total = "gluecat_requests_total"
    assert after[total + '{service="glue",operation="GetDatabases",code="OK"}'] == 3
    assert after[total + '{service="glue",operation="GetTable",code="EntityNotFoundException"}'] == 1
    assert after[total + '{service="sts",operation="GetCallerIdentity",code="OK"}'] == 1
    assert after[total + '{service="sts",operation="other",code="InvalidAction"}'] == 1
    of = '{service="glue",operation="GetDatabases"'
    duration = "gluecat_request_duration_seconds"
    assert after[duration + "_count" + of + "}"] == 3
    assert 0 < after[duration + "_sum" + of + "}"] < 10
    buckets = [value for name, value in after.items() if name.startswith(duration + "_bucket" + of)]
    assert buckets == sorted(buckets) and buckets[-1] == 3


def test_made_up_operations_make_no_series(server):
    glue = server.client(ACCOUNT_A)
    glue.get_databases()
    exchange(server, request("Content-Length: 2\r\n", b"{}", target="First"))
    before = metrics(server)
    for i in range(50):
        exchange(server, request("Content-Length: 2\r\n", b"{}", target=f'Made"Up\\{i}'))
        exchange(server, f"GET /?Action=MadeUp{i} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        exchange(server, f"GET /made-up-{i} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    after = metrics(server)
    assert after['gluecat_requests_total{service="glue",operation="other",code="UnknownOperationException"}'] == 51
    assert len(after) <= len(before) + 20, "one more series of each kind, for STS"


def test_the_process_and_what_is_open(server):
    samples = metrics(server)
    assert abs(samples["process_start_time_seconds"] - time.time()) < 60
    assert [name for name in samples if re.match(r'gluecat_build_info\{version="\d+\.\d+', name)]
    assert samples["gluecat_requests_in_flight"] == 0
    address = urlsplit(server.endpoint)
    connections = [socket.create_connection((address.hostname, address.port)) for _ in range(5)]
    deadline = time.monotonic() + 10
    while metrics(server)["gluecat_open_connections"] < 6:
        assert time.monotonic() < deadline
    for connection in connections:
        connection.close()
    while metrics(server)["gluecat_open_connections"] > 1:
        assert time.monotonic() < deadline
