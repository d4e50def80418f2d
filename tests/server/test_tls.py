"""HTTPS, with a certificate of an authority that the test makes."""

import socket
import ssl
import subprocess
import urllib.error
import urllib.request

import boto3
import pytest
from botocore.config import Config
from conftest import ACCOUNT_A

from harness.authority import certificate, new_key, write_key
from harness.server import GlueServer


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """An authority, one below it that signs the server's certificate, and the server's chain and key."""
    folder = tmp_path_factory.mktemp("tls")
    root, middle, own = (new_key() for _ in range(3))
    (folder / "ca.pem").write_bytes(certificate("root", root, "root", root, is_authority=True))
    chain = certificate("server", own, "middle", middle) + certificate("middle", middle, "root", root, True)
    (folder / "chain.pem").write_bytes(chain)
    write_key(own, folder / "key.pem")
    write_key(middle, folder / "other-key.pem")
    write_key(own, folder / "locked-key.pem", b"word")
    return folder


@pytest.fixture(scope="module")
def server(command, files, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("https"), options=(
        "--tls-certificate", str(files / "chain.pem"), "--tls-key", str(files / "key.pem")))
    yield server
    assert server.stop() == 0


def client(server, files, **more):
    return boto3.client("glue", endpoint_url=server.endpoint, region_name="eu-central-1",
                        aws_access_key_id=ACCOUNT_A, aws_secret_access_key="secret", verify=str(files / "ca.pem"),
                        config=Config(retries={"total_max_attempts": 1}), **more)


def test_boto3_over_https(server, files):
    assert server.endpoint.startswith("https://127.0.0.1:")
    glue = client(server, files)
    glue.create_database(DatabaseInput={"Name": "d"})
    assert [d["Name"] for d in glue.get_databases()["DatabaseList"]] == ["d"]
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.get_database(Name="absent")


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/ui/"])
def test_everything_else_too(server, files, path):
    context = ssl.create_default_context(cafile=str(files / "ca.pem"))
    with urllib.request.urlopen(server.endpoint + path, context=context) as answer:
        assert answer.status == 200


def test_a_client_that_does_not_know_the_authority(server):
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(server.endpoint + "/healthz", context=ssl.create_default_context())


def test_plain_http_gets_no_answer(server):
    port = int(server.endpoint.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        try:
            while data := connection.recv(4096):
                answer += data
        except ConnectionResetError:
            pass
    assert b"HTTP/" not in answer and b"ok" not in answer


@pytest.mark.parametrize("version, works", [(ssl.TLSVersion.TLSv1_3, True), (ssl.TLSVersion.TLSv1_2, True),
                                            (ssl.TLSVersion.TLSv1_1, False)], ids=["1.3", "1.2", "1.1"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_versions(server, files, version, works):
    context = ssl.create_default_context(cafile=str(files / "ca.pem"))
    context.minimum_version = context.maximum_version = version
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    if works:
        assert urllib.request.urlopen(server.endpoint + "/healthz", context=context).status == 200
    else:
        with pytest.raises(urllib.error.URLError):
            urllib.request.urlopen(server.endpoint + "/healthz", context=context)


@pytest.mark.parametrize("chain, key, mention", [
    ("chain.pem", "other-key.pem", "other-key.pem"),
    ("chain.pem", "locked-key.pem", "locked-key.pem"),
    ("chain.pem", "absent.pem", "absent.pem cannot be read"),
    ("absent.pem", "key.pem", "absent.pem cannot be read"),
    ("key.pem", "key.pem", "key.pem is no chain of certificates"),
    ("chain.pem", "chain.pem", "chain.pem is no private key"),
    ("chain.pem", None, "both a certificate and its key"),
], ids=["another-key", "locked", "no-key-file", "no-file", "no-certificate", "no-key", "no-option"])
def test_files_that_do_not_fit_stop_the_start(command, files, tmp_path, chain, key, mention):
    options = ["--tls-certificate", str(files / chain)]
    if key:
        options += ["--tls-key", str(files / key)]
    result = subprocess.run([str(command), "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "d"), *options],
                            capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
    assert result.returncode != 0 and mention in result.stderr, result.stderr
    assert "listening" not in result.stdout
