"""S3 and STS in this process: moto's, with a recorder in front that knows who may reach what.

Every request is recorded with the access key that signed it, before moto sees it. Access keys are known by name: the
session's own, and those of roles, which are learned from what AssumeRole answers. S3A says in the audit header from which
process it asks.

moto looks for an object and then writes it; here nothing comes in between when a PUT is conditional. What else befalls
such a PUT, `S3.mishaps` decides (`harness.mishaps`).
"""

import io
import re
import threading
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from harness.mishaps import NoMishaps
from harness.session import REGION
from moto.moto_api._internal import moto_api_backend
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

DENIED = (b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code>'
          b"<Message>this key may not reach this prefix</Message></Error>")


@dataclass(frozen=True)
class S3Request:
    identity: str
    method: str
    bucket: str
    keys: tuple[str, ...]  # an object's key, a listing's prefix, or all keys of a bulk delete
    denied: bool
    process: str | None  # S3A's name for the JVM that asked, where it audits its requests
    conditional: bool = False  # whether it has If-None-Match


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_):
        pass


class S3:
    """Listens on a free port of the loopback interface."""

    def __init__(self, identities: dict[str, str]):
        """`identities`: names by access key."""
        self._identities = dict(identities)
        self._owners: dict[str, str] = {}
        self._requests: list[S3Request] = []
        self._creating = threading.Lock()
        self.mishaps = NoMishaps()
        self.ignores_conditions = False
        self._lock = threading.Lock()
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server("127.0.0.1", 0, self._answer, threaded=True, request_handler=_Quiet)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.endpoint = f"http://127.0.0.1:{self._server.server_address[1]}"
        # moto keeps its state in the process, whatever server it answers through.
        moto_api_backend.reset()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def client(self, access_key: str = "setup"):
        import boto3

        with self._lock:
            self._identities.setdefault(access_key, access_key)
        return boto3.client("s3", endpoint_url=self.endpoint, region_name=REGION,
                            aws_access_key_id=access_key, aws_secret_access_key="secret")

    def create_bucket(self, name: str) -> None:
        self.client().create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": REGION})

    def s3a(self, buffer: Path) -> dict[str, str]:
        """Hadoop's settings with which S3A finds it; `buffer` is a directory for what is on its way."""
        return {"fs.s3a.endpoint": self.endpoint, "fs.s3a.endpoint.region": REGION,
                "fs.s3a.path.style.access": "true", "fs.s3a.connection.ssl.enabled": "false",
                "fs.s3a.buffer.dir": str(buffer)}

    def reserve(self, bucket: str, prefix: str, identity: str) -> None:
        """Whatever lies under the prefix is for this identity alone; others get 403."""
        with self._lock:
            self._owners[f"{bucket}/{prefix.strip('/')}/"] = identity

    def requests_under(self, bucket: str, prefix: str) -> list[S3Request]:
        """Those that reached, or tried to reach, something under the prefix."""
        start = prefix.strip("/") + "/"
        return [r for r in self.requests
                if r.bucket == bucket and any((key.rstrip("/") + "/").startswith(start) for key in r.keys)]

    @property
    def requests(self) -> list[S3Request]:
        with self._lock:
            return list(self._requests)

    @property
    def denied(self) -> list[S3Request]:
        return [r for r in self.requests if r.denied]

    def _answer(self, environ, start_response):
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        if environ.get("HTTP_TRANSFER_ENCODING") != "chunked":
            environ["wsgi.input"] = io.BytesIO(body)
        path = urllib.parse.unquote(environ["PATH_INFO"]).lstrip("/")
        if not path:
            return self._remember_role(environ, start_response, body)
        bucket, _, key = path.partition("/")
        query = urllib.parse.parse_qs(environ.get("QUERY_STRING", ""), keep_blank_values=True)
        keys = (key,)
        if not key and "delete" in query:
            keys = tuple(re.findall(r"<Key>([^<]*)</Key>", body.decode()))
        elif not key:
            keys = tuple(query.get("prefix", [""]))
        denied = self._record(environ, bucket, keys)
        if denied:
            start_response("403 Forbidden", [("Content-Type", "application/xml"),
                                             ("Content-Length", str(len(DENIED)))])
            return [b"" if environ["REQUEST_METHOD"] == "HEAD" else DENIED]
        if environ["REQUEST_METHOD"] == "PUT" and "HTTP_IF_NONE_MATCH" in environ:
            return self.mishaps.befall(self._identity(environ), key, environ, start_response, self._create)
        return self._moto(environ, start_response)

    def _create(self, environ, start_response):
        if self.ignores_conditions:
            del environ["HTTP_IF_NONE_MATCH"]
        with self._creating:
            return list(self._moto(environ, start_response))

    def _identity(self, environ) -> str:
        found = re.search(r"Credential=([^/]+)/", environ.get("HTTP_AUTHORIZATION", ""))
        with self._lock:
            return self._identities.get(found[1], f"unknown key {found[1]}") if found else "anonymous"

    def _record(self, environ, bucket: str, keys: tuple[str, ...]) -> bool:
        identity = self._identity(environ)
        process = re.search(r"[?&]ps=([^&]+)", environ.get("HTTP_REFERER", ""))
        with self._lock:
            denied = any(
                f"{bucket}/{key.rstrip('/')}/".startswith(prefix) and identity not in (owner, "setup")
                for key in keys for prefix, owner in self._owners.items())
            self._requests.append(S3Request(identity, environ["REQUEST_METHOD"], bucket, keys, denied,
                                            process[1] if process else None, "HTTP_IF_NONE_MATCH" in environ))
        return denied

    def _remember_role(self, environ, start_response, body: bytes):
        """A call to STS."""
        role = urllib.parse.parse_qs(body.decode()).get("RoleArn", [""])[0]
        answer = b"".join(self._moto(environ, start_response))
        found = re.search(rb"<AccessKeyId>([^<]+)</AccessKeyId>", answer)
        if role and found:
            with self._lock:
                self._identities[found[1].decode()] = role.rsplit("/", 1)[-1]
        return [answer]
