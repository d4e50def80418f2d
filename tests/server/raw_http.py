"""Requests as bytes: what no HTTP client would send."""

import json
import socket
from urllib.parse import urlsplit

from conftest import ACCOUNT_A

AUTHORIZATION = (f"AWS4-HMAC-SHA256 Credential={ACCOUNT_A}/20260101/eu-central-1/glue/aws4_request, "
                 f"SignedHeaders=host, Signature={'0' * 64}")


class RawAnswer:
    def __init__(self, data: bytes):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0] else 0
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}

    @property
    def type(self) -> str:
        return json.loads(self.body)["__type"]


def exchange(server, request: bytes) -> RawAnswer:
    """What the server says until it closes the connection."""
    address = urlsplit(server.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused before the end
        received = b""
        while True:
            try:
                piece = connection.recv(65536)
            except ConnectionResetError:
                break
            if not piece:
                break
            received += piece
    return RawAnswer(received)


def request(head: str, body: bytes = b"", target: str = "GetDatabases") -> bytes:
    """A Glue request whose headers, beyond those every one has, are `head`."""
    return (f"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: AWSGlue.{target}\r\nAuthorization: {AUTHORIZATION}\r\n"
            f"{head}\r\n").encode("latin-1") + body
