"""Identities that a platform gives to a Spark program: a pod's web identity, a container's credentials, an instance's."""

import pytest

from harness import session
from harness.credential_sources import container, instance
from harness.sql_program import run

ACCOUNT_A = "111111111111"
ACCOUNT_B = "222222222222"
ROLE_A = f"arn:aws:iam::{ACCOUNT_A}:role/pod"
ROLE_B = f"arn:aws:iam::{ACCOUNT_B}:role/writer"


@pytest.fixture(scope="module")
def conf(jars, tmp_path_factory):
    return session.base_conf(jars, tmp_path_factory.mktemp("sources") / "warehouse")


@pytest.fixture(scope="module", autouse=True)
def databases(server):
    for account in (ACCOUNT_A, ACCOUNT_B):
        server.client(account).create_database(DatabaseInput={"Name": f"of_{account[0]}"})


def glue(name, server, **more):
    return session.catalog_conf(name, glue__endpoint=server.endpoint, **more)


def askers(seen) -> set:
    return {(r.operation, r.account) for r in seen.requests}


@pytest.mark.fault("P010")
def test_a_web_identity_and_a_role_assumed_with_it(server, conf, tmp_path):
    (tmp_path / "token").write_text("any token is good for a server without accounts")
    catalogs = {**glue("own", server, client__region=session.REGION),
                **glue("other", server, client__region=session.REGION, client__assume_role__arn=ROLE_B)}
    with server.requests() as seen, instance(ACCOUNT_B, "secret") as node:
        answers = run({**conf, **catalogs}, ["SHOW DATABASES IN own", "SHOW DATABASES IN other"],
                      {"AWS_WEB_IDENTITY_TOKEN_FILE": str(tmp_path / "token"), "AWS_ROLE_ARN": ROLE_A,
                       "AWS_ENDPOINT_URL_STS": server.endpoint, "AWS_EC2_METADATA_DISABLED": "",
                       "AWS_EC2_METADATA_SERVICE_ENDPOINT": node.url})
    assert ["of_1"] in answers[0]["rows"] and ["of_2"] not in answers[0]["rows"], answers
    assert ["of_2"] in answers[1]["rows"] and ["of_1"] not in answers[1]["rows"], answers
    assert node.asked == []
    assert {("GetDatabases", ACCOUNT_A), ("GetDatabases", ACCOUNT_B)} <= askers(seen)
    assert seen.count("AssumeRoleWithWebIdentity") == 2 and seen.count("AssumeRole") == 1


def test_a_pod_identity(server, conf, tmp_path):
    (tmp_path / "token").write_text("of-the-pod")
    with server.requests() as seen, container(ACCOUNT_B, "secret", authorization="of-the-pod") as service:
        (answer,) = run({**conf, **glue("own", server, client__region=session.REGION)}, ["SHOW DATABASES IN own"],
                        {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{service.url}/v1/credentials",
                         "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": str(tmp_path / "token")})
    assert ["of_2"] in answer["rows"], answer
    assert askers(seen) == {("GetDatabases", ACCOUNT_B)}
    assert service.asked == ["GET /v1/credentials"]


def test_an_instance_gives_region_and_identity(server, conf):
    with server.requests() as seen, instance(ACCOUNT_B, "secret", region="eu-north-1") as node:
        (answer,) = run({**conf, **glue("own", server)}, ["SHOW DATABASES IN own"],
                        {"AWS_EC2_METADATA_DISABLED": "", "AWS_EC2_METADATA_SERVICE_ENDPOINT": node.url})
    assert "rows" in answer, answer
    assert askers(seen) == {("GetDatabases", ACCOUNT_B)}
    assert "GET /latest/meta-data/placement/region" in node.asked
