"""An HTTP proxy that wants a name and a password."""

import base64
import http.client
import select
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Proxy:
    """Forwards requests, and tunnels for HTTPS, of whoever knows the password; remembers where to, in order."""

    def __init__(self, user: str, password: str):
        self._login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
        self.asked: list[str] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self._is_refused():
                    return
                target = urlsplit(self.path)
                onward = http.client.HTTPConnection(target.netloc, timeout=30)
                headers = {k: v for k, v in self.headers.items() if not k.lower().startswith("proxy-")}
                onward.request("POST", target.path or "/", body, headers)
                answer = onward.getresponse()
                text = answer.read()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("connection", "content-length", "transfer-encoding", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)
                onward.close()

            def do_CONNECT(self):
                if self._is_refused():
                    return
                host, port = self.path.rsplit(":", 1)
                with socket.create_connection((host, int(port)), timeout=30) as onward:
                    self.send_response(200, "Connection established")
                    self.end_headers()
                    _pump(self.connection, onward)
                self.close_connection = True

            def _is_refused(self) -> bool:
                proxy.asked.append(f"{self.command} {self.path}")
                if self.headers.get("Proxy-Authorization") == proxy._login:
                    return False
                self.send_response(407)
                self.send_header("Proxy-Authenticate", 'Basic realm="proxy"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return True

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *exc) -> None:
        self._server.shutdown()
        self._server.server_close()


def _pump(one: socket.socket, other: socket.socket) -> None:
    """Passes bytes both ways until one side has no more."""
    while True:
        for readable in select.select([one, other], [], [])[0]:
            data = readable.recv(65536)
            if not data:
                return
            (other if readable is one else one).sendall(data)
