"""Hostile and broken HTTP: each gets a 4xx of the API's form, nothing is smuggled, and the server goes on."""

import json
import socket
from urllib.parse import urlsplit

import pytest
from conftest import ACCOUNT_A
from raw_http import RawAnswer, exchange, request, talk

SMUGGLED = request("Content-Length: 2\r\n", b"{}", target="Smuggled")


@pytest.fixture(autouse=True)
def goes_on(server):
    yield
    assert exchange(server, request("Content-Length: 2\r\n", b"{}")).status == 200


@pytest.mark.parametrize("head, body", [
    ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", b"0\r\n\r\n" + SMUGGLED),
    ("Content-Length: 2\r\nContent-Length: 400\r\n", b"{}" + SMUGGLED),
    ("Content-Length: 2, 400\r\n", b"{}" + SMUGGLED),
    ("Content-Length: -1\r\n", SMUGGLED),
    ("Content-Length: 0x2\r\n", b"{}" + SMUGGLED),
    ("Content-Length: +2\r\n", b"{}" + SMUGGLED),
    ("Content-Length: 99999999999999999999999\r\n", b"{}" + SMUGGLED),
    ("Transfer-Encoding: identity, gzip\r\n", b"{}" + SMUGGLED),
    ("Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n" + SMUGGLED),
    ("Transfer-Encoding: chunked\r\n", b"zz\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
    ("Transfer-Encoding: chunked\r\n", b"-2\r\n{}\r\n0\r\n\r\n" + SMUGGLED),
    ("Transfer-Encoding: chunked\r\n", b"ffffffffffffffff1\r\n{}" + SMUGGLED),
    ("Transfer-Encoding : chunked\r\n", b"0\r\n\r\n" + SMUGGLED),
    ("Content-Length : 2\r\n", b"{}" + SMUGGLED),
    ("X-Folded: a\r\n b\r\nContent-Length: 2\r\n", b"{}" + SMUGGLED),
    ("X-Nul: a\x00b\r\nContent-Length: 2\r\n", b"{}" + SMUGGLED),
], ids=["length-and-chunked", "chunked-and-length", "two-lengths", "length-list", "negative", "hex", "plus",
        "overflow", "unknown-coding", "chunked-not-last", "chunk-size", "negative-chunk", "chunk-overflow",
        "space-before-colon", "space-before-colon-of-length", "folded", "nul"])
def test_ambiguous_framing_is_refused_and_smuggles_nothing(server, head, body):
    with server.requests() as seen:
        answer = RawAnswer(talk(server, request(head, body)))
    assert 400 <= answer.status < 500
    assert answer.rest == b"", "one answer, and the connection is closed"
    assert answer.type in ("SerializationException", "RequestEntityTooLargeException")
    assert "Smuggled" not in seen.operations
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("head, status", [
    ("X-Long: " + "x" * 100_000 + "\r\n", 400),
    ("".join(f"X-Many-{i}: x\r\n" for i in range(10_000)), 400),
    ("X-" + "n" * 100_000 + ": x\r\n", 400),
], ids=["long-value", "many", "long-name"])
def test_huge_headers(server, head, status):
    answer = exchange(server, request(head + "Content-Length: 2\r\n", b"{}"))
    assert (answer.status, answer.type) == (status, "SerializationException")


def test_a_long_address(server):
    answer = exchange(server, b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (answer.status, answer.type) == (414, "RequestEntityTooLargeException")


@pytest.mark.parametrize("size", [33 * 1024 * 1024, 99_999_999_999])
def test_an_announced_body_that_is_too_large_is_not_read(server, size):
    answer = exchange(server, request(f"Content-Length: {size}\r\n"))
    assert (answer.status, answer.type) == (413, "RequestEntityTooLargeException")


def test_a_chunked_body_that_is_too_large(server):
    chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
    answer = exchange(server, request("Transfer-Encoding: chunked\r\n", chunk * 40 + b"0\r\n\r\n"))
    assert answer.status in (0, 413)  # 0: reset while we were still sending
    if answer.status:
        assert answer.type == "RequestEntityTooLargeException"


@pytest.mark.parametrize("body, code", [
    (b'{"CatalogId": "' + b"x" * 20_000_000 + b'"}', "ValidationException"),
    (b'{"Name": "\xff\xfe"}', "SerializationException"),
    (b'{"Name": "\xed\xa0\x80"}', "SerializationException"),
    (b'{"Name": "\\ud800"}', "SerializationException"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "SerializationException"),
    (b"[" * 1_000_000, "SerializationException"),
    (b"{}" + b"\x00" * 10, "SerializationException"),
    (b"{}" + SMUGGLED, "SerializationException"),
], ids=["20-mb", "no-utf-8", "surrogate", "escaped-surrogate", "deep-objects", "deep-arrays", "nul", "two-documents"])
def test_bad_bodies(server, body, code):
    answer = exchange(server, request(f"Content-Length: {len(body)}\r\n", body))
    assert (answer.status, answer.type) == (400, code)


def test_a_body_that_ends_too_early(server):
    answer = exchange(server, request("Content-Length: 100\r\n", b"{}"), half_close=True)
    assert (answer.status, answer.type) == (400, "SerializationException")


@pytest.mark.parametrize("value", [b"AWSGlue.\xff\xfe", b"AWSGlue." + b"x" * 8000, b"AWSGlue.a\tb"],
                         ids=["no-utf-8", "long", "tab"])
def test_operation_names_that_are_none(server, value):
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nX-Amz-Target: " + value + b"\r\n\r\n{}"
    with server.requests() as seen:
        answer = exchange(server, head)
    assert answer.status == 400
    assert len(seen) <= 1, "and the line of the log is JSON"


def test_requests_that_do_not_wait_are_answered_in_order(server):
    good = request("Content-Length: 2\r\n", b"{}")
    bad = request("Content-Length: 2\r\n", b"{}", target="Nothing")
    last = request("Connection: close\r\nContent-Length: 2\r\n", b"{}")
    rest, statuses = talk(server, good + bad + good + last), []
    while rest:
        answer = RawAnswer(rest)
        statuses.append(answer.status)
        rest = answer.rest
    assert statuses == [200, 400, 200, 200]


def test_silent_and_half_connections_do_not_hold_the_server(server):
    address = urlsplit(server.endpoint)
    connections = [socket.create_connection((address.hostname, address.port), timeout=10) for _ in range(40)]
    for connection in connections[::2]:
        connection.sendall(b"POST / HTTP/1.1\r\nContent-Le")
    assert exchange(server, request("Content-Length: 2\r\n", b"{}")).status == 200
    for connection in connections:
        connection.close()


def test_every_answer_of_the_log_has_its_latency_and_code(server):
    with server.requests():
        exchange(server, request("Content-Length: 2\r\n", b"{}", target="NoSuchThing"))
    line = json.loads(server.log_path.read_text().splitlines()[-1])
    assert line["code"] == "UnknownOperationException" and line["status"] == 400
    assert 0 <= line["latency_ms"] < 10_000 and line["account"] == ACCOUNT_A


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:4566"])
def test_web_pages_cannot_call_the_services(server, origin):
    with server.requests() as seen:
        answer = exchange(server, request(f"Origin: {origin}\r\nContent-Length: 2\r\n", b"{}"))
    assert (answer.status, answer.type) == (403, "AccessDeniedException")
    assert len(seen) == 0
