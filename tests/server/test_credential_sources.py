"""Where `gluecat` finds its identity, each source for real: processes, files, and services on the loopback interface."""

import hashlib
import json
import socket
import time

import pytest
from conftest import ACCOUNT_A, ACCOUNT_B

from harness.credential_sources import Source, container, instance
from harness.gluecat_command import SECRET, Command

ROLE = f"arn:aws:iam::{ACCOUNT_B}:role/etl"


@pytest.fixture
def gluecat(command, server, tmp_path):
    """Makes the command, with what an environment says besides the region and the server."""
    def make(**environment):
        return Command(command, tmp_path, **{"AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": server.endpoint,
                                             **environment})
    return make


@pytest.fixture
def profile(tmp_path):
    """Writes ~/.aws/config."""
    def write(text):
        (tmp_path / ".aws").mkdir(exist_ok=True)
        (tmp_path / ".aws" / "config").write_text(text)
    return write


def account_of(server, gluecat, *arguments) -> str:
    """The account that Glue took the command for."""
    with server.requests() as seen:
        gluecat.ok("ls", *arguments)
    (asked,) = [r for r in seen.requests if r.operation == "GetDatabases"]
    return asked.account


def refusal(gluecat) -> str:
    begin = time.monotonic()
    answer = gluecat.run("ls")
    assert answer.returncode != 0 and answer.stdout == ""
    assert time.monotonic() - begin < 20
    return answer.stderr


def printed(access_key) -> str:
    return json.dumps({"Version": 1, "AccessKeyId": access_key, "SecretAccessKey": SECRET})


def test_a_process_prints_them(server, gluecat, profile, tmp_path):
    (tmp_path / "keys.json").write_text(printed(ACCOUNT_B))
    profile(f"[default]\ncredential_process = cat {tmp_path}/keys.json\n")
    assert account_of(server, gluecat()) == ACCOUNT_B


@pytest.mark.parametrize("script, mentions", [
    ("echo no; exit 3", "status 3"),
    (f"echo password {SECRET}", "must print"),
    ("head -c 10000000 /dev/zero", "more than 64000 bytes"),
], ids=["fails", "garbage", "flood"])
def test_a_process_that_does_not(gluecat, profile, tmp_path, script, mentions):
    (tmp_path / "get-keys").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "get-keys").chmod(0o755)
    profile(f"[default]\ncredential_process = {tmp_path}/get-keys --token {SECRET}\n")
    error = refusal(gluecat())
    assert mentions in error and "get-keys" in error and "profile 'default'" in error


def test_a_process_that_hangs_ends_with_the_time_of_the_request(gluecat, profile):
    profile("[default]\ncredential_process = sleep 1000\n")
    begin = time.monotonic()
    answer = gluecat().run("ls", "--conf", "glue.request-timeout-ms=300")
    assert "credential_process sleep" in answer.stderr and "did not end in time" in answer.stderr
    assert time.monotonic() - begin < 20


def test_a_container_has_them(server, gluecat, tmp_path):
    (tmp_path / "token").write_text("of-the-pod\n")
    with container(ACCOUNT_B, SECRET, authorization="of-the-pod") as service:
        pod = gluecat(AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{service.url}/v1/credentials",
                      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=str(tmp_path / "token"))
        assert account_of(server, pod) == ACCOUNT_B
        assert service.asked == ["GET /v1/credentials"]
        (tmp_path / "token").write_text("wrong")
        assert "a token is wanted" in refusal(pod)


def test_an_instance_has_them_and_the_region(server, gluecat):
    with instance(ACCOUNT_B, SECRET) as service:
        node = gluecat(AWS_REGION="", AWS_EC2_METADATA_DISABLED="", AWS_EC2_METADATA_SERVICE_ENDPOINT=service.url)
        assert account_of(server, node) == ACCOUNT_B
        steps = {step["name"]: step for step in node.json("doctor")["steps"]}
        assert steps["region"]["tried"][-1] == {"source": "instance metadata", "result": "eu-central-1"}
        assert steps["credentials"]["tried"][-1] == {"source": "instance metadata", "result": "used"}
        assert steps["credentials"]["result"].startswith("access key ****2222, until 2099-01-01")


@pytest.mark.fault("P012")
def test_an_instance_is_not_asked_where_keys_and_a_region_are_given(server, gluecat):
    with instance(ACCOUNT_B, SECRET) as service:
        laptop = gluecat(AWS_EC2_METADATA_DISABLED="", AWS_EC2_METADATA_SERVICE_ENDPOINT=service.url,
                         AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET)
        assert account_of(server, laptop) == ACCOUNT_A
        assert service.asked == []


@pytest.mark.fault("P012")
def test_a_silent_metadata_service_takes_two_seconds(gluecat):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        begin = time.monotonic()
        error = refusal(gluecat(AWS_EC2_METADATA_DISABLED="", AWS_EC2_METADATA_SERVICE_ENDPOINT=url))
        assert 1.5 < time.monotonic() - begin < 8
    assert "instance metadata: the instance metadata service at 127.0.0.1" in error


def test_a_web_identity_opens_a_role(server, gluecat, tmp_path):
    (tmp_path / "token").write_text("any token is good for a server without accounts")
    pod = gluecat(AWS_WEB_IDENTITY_TOKEN_FILE=str(tmp_path / "token"), AWS_ROLE_ARN=ROLE)
    with server.requests() as seen:
        assert account_of(server, pod) == ACCOUNT_B
    assert "AssumeRoleWithWebIdentity" in seen.operations
    (tmp_path / "token").unlink()
    assert f"{tmp_path}/token cannot be read" in refusal(pod)


@pytest.mark.fault("P010")
def test_a_web_identity_that_fails_is_not_replaced_by_the_instance(gluecat, tmp_path):
    (tmp_path / "token").write_text("token")
    with instance(ACCOUNT_A, SECRET) as node, Source(lambda *_: (500, "")) as sts:
        error = refusal(gluecat(AWS_WEB_IDENTITY_TOKEN_FILE=str(tmp_path / "token"), AWS_ROLE_ARN=ROLE,
                                AWS_ENDPOINT_URL_STS=sts.url, AWS_EC2_METADATA_DISABLED="",
                                AWS_EC2_METADATA_SERVICE_ENDPOINT=node.url))
        assert "credentials from web identity" in error and ROLE in error
        assert node.asked == [] and len(sts.asked) == 3


def test_identity_center_gives_them(server, gluecat, profile, tmp_path):
    profile("[sso-session acme]\nsso_region = eu-west-1\nsso_start_url = https://acme.awsapps.com/start\n"
            f"[default]\nsso_session = acme\nsso_account_id = {ACCOUNT_B}\nsso_role_name = Reader\n")
    cache = tmp_path / ".aws" / "sso" / "cache"
    cache.mkdir(parents=True)
    token = cache / (hashlib.sha1(b"acme").hexdigest() + ".json")
    token.write_text(json.dumps({"accessToken": SECRET, "expiresAt": "2099-01-01T00:00:00Z"}))
    given = {"roleCredentials": {"accessKeyId": ACCOUNT_B, "secretAccessKey": SECRET, "sessionToken": "t",
                                 "expiration": 4070908800000}}
    seen_tokens = []

    def answer(method, path, headers):
        seen_tokens.append(headers["x-amz-sso_bearer_token"])
        return 200, json.dumps(given)

    with Source(answer) as portal:
        user = gluecat(AWS_ENDPOINT_URL_SSO=portal.url)
        assert account_of(server, user) == ACCOUNT_B
        assert portal.asked == [f"GET /federation/credentials?role_name=Reader&account_id={ACCOUNT_B}"]
        assert seen_tokens == [SECRET]
        token.write_text(json.dumps({"accessToken": SECRET, "expiresAt": "2020-01-01T00:00:00Z"}))
        assert "aws sso login --profile default" in refusal(user)


def test_identity_centers_token_is_renewed(server, gluecat, profile, tmp_path):
    profile("[sso-session acme]\nsso_region = eu-west-1\nsso_start_url = https://acme.awsapps.com/start\n"
            f"[default]\nsso_session = acme\nsso_account_id = {ACCOUNT_B}\nsso_role_name = Reader\n")
    cache = tmp_path / ".aws" / "sso" / "cache"
    cache.mkdir(parents=True)
    token = cache / (hashlib.sha1(b"acme").hexdigest() + ".json")
    token.write_text(json.dumps({
        "accessToken": "old", "expiresAt": "2020-01-01T00:00:00Z", "refreshToken": SECRET, "clientId": "c",
        "clientSecret": SECRET, "registrationExpiresAt": "2099-01-01T00:00:00Z", "startUrl": "kept"}))
    given = {"roleCredentials": {"accessKeyId": ACCOUNT_B, "secretAccessKey": SECRET, "sessionToken": "t",
                                 "expiration": 4070908800000}}

    def portal_answer(method, path, headers):
        return (200, json.dumps(given)) if headers["x-amz-sso_bearer_token"] == "new" else (401, "{}")

    def token_answer(method, path, headers):
        return 200, json.dumps({"accessToken": "new", "expiresIn": 3600, "refreshToken": "next"})

    with Source(portal_answer) as portal, Source(token_answer) as tokens:
        user = gluecat(AWS_ENDPOINT_URL_SSO=portal.url, AWS_ENDPOINT_URL_SSO_OIDC=tokens.url)
        assert account_of(server, user) == ACCOUNT_B
        assert account_of(server, user) == ACCOUNT_B
        assert tokens.asked == ["POST /token"]
    kept = json.loads(token.read_text())
    assert (kept["accessToken"], kept["refreshToken"], kept["startUrl"]) == ("new", "next", "kept")
    assert token.stat().st_mode & 0o777 == 0o600


def test_without_any_the_chain_is_listed_in_its_order(gluecat):
    error = refusal(gluecat())
    sources = ["system properties: ", "environment: AWS_ACCESS_KEY_ID", "web identity: AWS_WEB_IDENTITY_TOKEN_FILE",
               "profile: ", "container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
               "instance metadata: AWS_EC2_METADATA_DISABLED is true"]
    positions = [error.find(source) for source in sources]
    assert -1 not in positions and positions == sorted(positions), error


@pytest.mark.parametrize("config, mentions", [
    ("[default", "line 1 of the config file"),
    (f"[default]\nrole_arn = {ROLE}\nsource_profile = b\n[profile b]\nrole_arn = {ROLE}\nsource_profile = default\n",
     "leads back to itself"),
    (f"[default]\nrole_arn = {ROLE}\nsource_profile = absent\n", "'absent', which is missing"),
    (f"[default]\naws_secret_access_key = {SECRET}\n", "has no aws_access_key_id"),
    (f"[default]\nrole_arn = {ROLE}\ncredential_source = Environment\nmfa_serial = arn:aws:iam::1:mfa/me\n",
     "has mfa_serial, and nobody can be asked"),
], ids=["broken", "loop", "missing-source", "half-a-key", "mfa"])
def test_profiles_that_are_wrong(gluecat, profile, config, mentions):
    profile(config)
    assert mentions in refusal(gluecat())


def test_a_profile_that_cannot_be_read(gluecat, tmp_path):
    (tmp_path / "folder").mkdir()
    assert f"cannot read {tmp_path}/folder" in refusal(gluecat(AWS_CONFIG_FILE=str(tmp_path / "folder")))


def test_a_region_that_does_not_exist(gluecat):
    """Whose endpoint has no address; no name server is asked for that of AWS's."""
    error = refusal(gluecat(AWS_REGION="eu-nowhere-1", AWS_ENDPOINT_URL="http://glue.eu-nowhere-1.example.invalid",
                            AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET))
    assert "glue.eu-nowhere-1.example.invalid" in error and "cannot be resolved (check the region" in error, error


def test_a_proxy_that_refuses(gluecat):
    with Source(lambda *_: (407, "")) as proxy:
        error = refusal(gluecat(AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET,
                                AWS_ENDPOINT_URL="http://glue.example.invalid",
                                http_proxy=f"http://me:{SECRET}@{proxy.url.removeprefix('http://')}"))
    assert "refuses the request to glue.example.invalid:80 (HTTP status 407)" in error
