"""What hands out credentials beside a machine or a container, on the loopback interface."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EXPIRATION = "2099-01-01T00:00:00Z"


def credentials(access_key: str, secret: str, token: str = "a-session") -> dict:
    return {"AccessKeyId": access_key, "SecretAccessKey": secret, "Token": token, "Expiration": EXPIRATION}


class Source:
    """An HTTP server whose `answer(method, path, headers)` gives status and text; it remembers what it was asked."""

    def __init__(self, answer):
        self.asked = asked = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                asked.append(f"{self.command} {self.path}")
                status, text = answer(self.command, self.path, self.headers)
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_PUT = do_POST = answer

            def log_message(self, *arguments):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> "Source":
        return self

    def __exit__(self, *exc) -> None:
        self.stop()


def instance(access_key: str, secret: str, region: str = "eu-central-1", role: str = "node") -> Source:
    """The instance metadata service, version 2 only."""
    session = "session-of-the-instance"

    def answer(method, path, headers):
        if (method, path) == ("PUT", "/latest/api/token"):
            return (200, session) if headers.get("X-aws-ec2-metadata-token-ttl-seconds") else (400, "")
        if headers.get("X-aws-ec2-metadata-token") != session:
            return 401, ""
        return 200, {
            "/latest/meta-data/placement/region": region,
            "/latest/meta-data/iam/security-credentials/": role,
            f"/latest/meta-data/iam/security-credentials/{role}":
                json.dumps({"Code": "Success", **credentials(access_key, secret)}),
        }[path]

    return Source(answer)


def container(access_key: str, secret: str, authorization: str | None = None) -> Source:
    """The credentials service of a container, which may want a token."""

    def answer(method, path, headers):
        if authorization and headers.get("Authorization") != authorization:
            return 401, json.dumps({"code": "InvalidToken", "message": "a token is wanted"})
        return 200, json.dumps(credentials(access_key, secret))

    return Source(answer)
