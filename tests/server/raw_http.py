"""Requests as bytes: what no HTTP client would send."""

import json
import socket
from urllib.parse import urlsplit

from conftest import ACCOUNT_A

AUTHORIZATION = (f"AWS4-HMAC-SHA256 Credential={ACCOUNT_A}/20260101/eu-central-1/glue/aws4_request, "
                 f"SignedHeaders=host, Signature={'0' * 64}")


class RawAnswer:
    def __init__(self, data: bytes):
        """The first answer in `data`; `rest` is what follows it."""
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if lines[0] else 0
        self.headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        length = int(self.headers.get("content-length", 0))
        self.body, self.rest = body[:length], body[length:]
        self.complete = bool(lines[0]) and len(self.body) == length

    @property
    def type(self) -> str:
        return json.loads(self.body)["__type"]


def talk(server, request: bytes, until_closed: bool = True, half_close: bool = False) -> bytes:
    """What the server says until it closes the connection, or until the first answer is complete."""
    address = urlsplit(server.endpoint)
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        received = b""
        try:
            connection.sendall(request)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            while until_closed or not RawAnswer(received).complete:
                if not (piece := connection.recv(65536)):
                    break
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass  # refused before the end
        return received


def exchange(server, request: bytes, half_close: bool = False) -> RawAnswer:
    return RawAnswer(talk(server, request, until_closed=False, half_close=half_close))


def request(head: str, body: bytes = b"", target: str = "GetDatabases") -> bytes:
    """A Glue request whose headers, beyond those every one has, are `head`."""
    return (f"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: AWSGlue.{target}\r\nAuthorization: {AUTHORIZATION}\r\n"
            f"{head}\r\n").encode("latin-1") + body
