"""AssumeRoleWithWebIdentity, with tokens as a provider of OpenID Connect signs them."""

import base64
import json
import time

import boto3
import botocore
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from harness.server import GlueServer

ISSUER = "https://ci.example.com"
DEPLOY = f"arn:aws:iam::{ACCOUNT_A}:role/deploy"
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int, size: int) -> str:
    return encode(value.to_bytes(size, "big"))


def token(key, **claims) -> str:
    now = int(time.time())
    claims = {"iss": ISSUER, "sub": "repo:acme/lake", "aud": "sts.amazonaws.com", "iat": now - 5, "exp": now + 300,
              **claims}
    is_rsa = isinstance(key, rsa.RSAPrivateKey)
    header = {"alg": "RS256" if is_rsa else "ES256", "kid": "rsa" if is_rsa else "curve"}
    signed = encode(json.dumps(header).encode()) + "." + encode(json.dumps(claims).encode())
    if is_rsa:
        return signed + "." + encode(key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return signed + "." + encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


@pytest.fixture(scope="module")
def server(command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    public, point = RSA.public_key().public_numbers(), CURVE.public_key().public_numbers()
    (folder / "ci.jwks").write_text(json.dumps({"keys": [
        {"kty": "RSA", "kid": "rsa", "use": "sig", "n": number(public.n, 256), "e": number(public.e, 3)},
        {"kty": "EC", "crv": "P-256", "kid": "curve", "x": number(point.x, 32), "y": number(point.y, 32)}]}))
    (folder / "accounts.json").write_text(json.dumps({"accounts": {ACCOUNT_A: {
        "oidc": {"ci": {"issuer": ISSUER, "audiences": ["sts.amazonaws.com"], "jwks_file": "ci.jwks"}},
        "roles": {"deploy": {"trust": [{"web_identity": {"provider": "ci", "subject": "repo:acme/*"}}],
                             "allow": ["glue:*"]}}}}}))
    server = GlueServer(command, folder / "data", accounts=folder / "accounts.json")
    yield server
    server.stop()


def assume(server, web_token, **more):
    sts = boto3.client("sts", endpoint_url=server.endpoint, region_name="eu-central-1",
                       config=Config(signature_version=botocore.UNSIGNED, retries={"total_max_attempts": 1}))
    return sts.assume_role_with_web_identity(RoleArn=DEPLOY, RoleSessionName="run-1", WebIdentityToken=web_token,
                                             **more)


@pytest.mark.parametrize("key", [RSA, CURVE], ids=["RS256", "ES256"])
def test_a_token_opens_a_role(server, key):
    answer = assume(server, token(key))
    assert answer["SubjectFromWebIdentityToken"] == "repo:acme/lake"
    assert answer["Audience"] == "sts.amazonaws.com"
    assert answer["AssumedRoleUser"]["Arn"] == f"arn:aws:sts::{ACCOUNT_A}:assumed-role/deploy/run-1"
    credentials = answer["Credentials"]
    glue = server.client(credentials["AccessKeyId"], credentials["SecretAccessKey"],
                         aws_session_token=credentials["SessionToken"])
    assert glue.get_databases()["DatabaseList"] == []


@pytest.mark.parametrize("web_token, code", [
    (lambda: token(rsa.generate_private_key(public_exponent=65537, key_size=2048)), "InvalidIdentityToken"),
    (lambda: token(RSA, iss="https://other.example.com"), "InvalidIdentityToken"),
    (lambda: token(RSA, aud="somebody"), "InvalidIdentityToken"),
    (lambda: token(CURVE, exp=int(time.time()) - 1), "ExpiredTokenException"),
    (lambda: token(CURVE, nbf=int(time.time()) + 3600), "IDPRejectedClaim"),
    (lambda: token(CURVE, sub="repo:other/lake"), "AccessDenied"),
], ids=["another-key", "another-issuer", "another-audience", "expired", "not-yet", "another-subject"])
def test_tokens_that_are_refused(server, web_token, code):
    with pytest.raises(ClientError) as raised:
        assume(server, web_token())
    assert raised.value.response["Error"]["Code"] == code


def test_the_default_chain_of_an_sdk_uses_it(server, tmp_path, monkeypatch):
    (tmp_path / "token").write_text(token(RSA))
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("AWS_ROLE_ARN", DEPLOY)
    monkeypatch.setenv("AWS_ROLE_SESSION_NAME", "sdk")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.endpoint)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    who = boto3.Session(region_name="eu-central-1").client("sts").get_caller_identity()
    assert who["Arn"] == f"arn:aws:sts::{ACCOUNT_A}:assumed-role/deploy/sdk"


def test_tokens_are_not_logged(server):
    web_token = token(RSA)
    secret = assume(server, web_token)["Credentials"]["SecretAccessKey"]
    log = server.log_path.read_text()
    assert web_token not in log and secret not in log
    assert f"arn:aws:sts::{ACCOUNT_A}:assumed-role/deploy/run-1" in log


def test_without_accounts_any_token_opens_any_role(command, tmp_path):
    server = GlueServer(command, tmp_path)
    assert assume(server, "some token")["AssumedRoleUser"]["Arn"].startswith(f"arn:aws:sts::{ACCOUNT_A}:")
    server.stop()


def test_a_key_may_be_pem(command, tmp_path):
    pem = CURVE.public_key().public_bytes(serialization.Encoding.PEM,
                                          serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    (tmp_path / "accounts.json").write_text(json.dumps({"accounts": {ACCOUNT_A: {
        "oidc": {"ci": {"issuer": ISSUER, "audiences": ["sts.amazonaws.com"], "pem": pem}},
        "roles": {"deploy": {"trust": [{"web_identity": {"provider": "ci", "subject": "*"}}]}}}}}))
    server = GlueServer(command, tmp_path / "data", accounts=tmp_path / "accounts.json")
    assert assume(server, token(CURVE))["Credentials"]
    server.stop()
