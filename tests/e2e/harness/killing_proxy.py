"""A Glue endpoint that kills the one who asks at a certain request."""

import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class KillingProxy(ThreadingHTTPServer):
    """
    Passes requests on to a server. At the `count`th `operation` it calls `kill`, `before` the server sees the request or
    `behind` it, and answers nothing from then on.
    """

    daemon_threads = True

    def __init__(self, endpoint: str, operation: str, when: str, count: int = 1):
        self.endpoint, self.operation, self.when, self.left = endpoint, operation, when, count
        self.kill: Callable[[], None] | None = None
        self.reached = threading.Event()
        super().__init__(("127.0.0.1", 0), _PassOn)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def close(self) -> None:
        self.shutdown()
        self.server_close()


class _PassOn(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        hit = False
        if self.headers["X-Amz-Target"].split(".")[-1] == self.server.operation:
            self.server.left -= 1
            hit = self.server.left == 0
        if self.server.reached.is_set() or (hit and self.server.when == "before"):
            self._die()
            return
        status, content = self._ask(body)
        if hit:
            self._die()
            return
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _ask(self, body: bytes) -> tuple[int, bytes]:
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.server.endpoint, body, headers)) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def _die(self) -> None:
        self.close_connection = True
        if not self.server.reached.is_set():
            self.server.reached.set()
            self.server.kill()

    def log_message(self, *arguments):
        pass
