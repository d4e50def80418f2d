"""Several accounts and every kind of identity at somebody else's Glue and STS: ministack, with IAM."""

import json

import boto3
import pytest
from botocore.config import Config
from peers import ministack, ministack_environment

from harness.gluecat_command import Command

REGION = "eu-central-1"
ACCOUNT_A, ACCOUNT_B, PEOPLE = "111111111111", "222222222222", "333333333333"
GLUE = ["glue:GetDatabase", "glue:GetDatabases", "glue:GetTables", "glue:GetTable"]

pytestmark = pytest.mark.skipif(ministack_environment() is None, reason="ministack cannot be had (scripts/test-clients)")


def client(peer, service: str, access_key: str):
    """A 12-digit access key is the root of that account."""
    return boto3.client(service, endpoint_url=peer.endpoint, region_name=REGION, aws_access_key_id=access_key,
                        aws_secret_access_key="secret", config=Config(retries={"total_max_attempts": 1}))


def policy(**statement) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", **statement}]})


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Two accounts with a database and a role each, which a person of a third one may assume."""
    with ministack(tmp_path_factory.mktemp("strict"), AUTH="true") as peer:
        for account, condition in ((ACCOUNT_A, {"StringEquals": {"sts:ExternalId": "shared-word"}}), (ACCOUNT_B, {})):
            client(peer, "glue", account).create_database(DatabaseInput={"Name": f"of_{account[0]}"})
            iam = client(peer, "iam", account)
            iam.create_role(RoleName="reader", AssumeRolePolicyDocument=policy(
                Principal={"AWS": f"arn:aws:iam::{PEOPLE}:root"}, Action="sts:AssumeRole", Condition=condition))
            iam.put_role_policy(RoleName="reader", PolicyName="p", PolicyDocument=policy(Action=GLUE, Resource="*"))
        iam = client(peer, "iam", PEOPLE)
        iam.create_user(UserName="person")
        iam.put_user_policy(UserName="person", PolicyName="p",
                            PolicyDocument=policy(Action="sts:AssumeRole", Resource="*"))
        yield peer, iam.create_access_key(UserName="person")["AccessKey"]


@pytest.fixture
def gluecat(command, strict, tmp_path):
    peer, key = strict
    return Command(command, tmp_path, AWS_ACCESS_KEY_ID=key["AccessKeyId"], AWS_REGION=REGION,
                   AWS_SECRET_ACCESS_KEY=key["SecretAccessKey"], AWS_ENDPOINT_URL=peer.endpoint)


def as_role(account: str, **more: str) -> list[str]:
    options = {"glue.id": account, "client.assume-role.arn": f"arn:aws:iam::{account}:role/reader", **more}
    return [argument for key, value in options.items() for argument in ("--conf", f"{key}={value}")]


def test_each_account_is_reached_as_its_role(gluecat):
    first = gluecat.json("ls", *as_role(ACCOUNT_A, **{"client.assume-role.external-id": "shared-word"}))
    second = gluecat.json("ls", *as_role(ACCOUNT_B))
    assert ([d["name"] for d in first], [d["name"] for d in second]) == (["of_1"], ["of_2"])


@pytest.mark.parametrize("options, mentions", [
    ([], ("user/person", "glue:GetDatabases")),
    (as_role(ACCOUNT_A), ("cannot assume the role", f"{ACCOUNT_A}:role/reader", "user/person")),
    (as_role(ACCOUNT_A, **{"client.assume-role.external-id": "another"}), ("cannot assume the role", "AccessDenied")),
    (["--conf", f"client.assume-role.arn=arn:aws:iam::{ACCOUNT_B}:role/none"], ("cannot assume the role", "role/none")),
], ids=["without-a-role", "no-external-id", "wrong-external-id", "no-such-role"])
def test_denied_says_who_may_not_do_what(gluecat, options, mentions):
    answer = gluecat.run("ls", *options)
    assert answer.returncode == 1 and answer.stdout == ""
    for mention in mentions:
        assert mention in answer.stderr


def test_a_role_that_may_only_read_is_refused_a_write(gluecat):
    table = json.dumps({"Name": "t"})
    answer = gluecat.run("put", "of_2.t", *as_role(ACCOUNT_B), input=table)
    assert answer.returncode == 1 and "glue:CreateTable" in answer.stderr and "assumed-role/reader" in answer.stderr
    assert gluecat.json("ls", "of_2", *as_role(ACCOUNT_B)) == []


def test_a_wrong_secret_is_refused(command, strict, tmp_path):
    peer, key = strict
    answer = Command(command, tmp_path, AWS_ACCESS_KEY_ID=key["AccessKeyId"], AWS_SECRET_ACCESS_KEY="wrong",
                     AWS_REGION=REGION, AWS_ENDPOINT_URL=peer.endpoint).run("ls")
    assert answer.returncode == 1 and "InvalidSignatureException" in answer.stderr


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A machine and a task of ministack's, whose metadata service takes version 2 only; it does not check its own keys."""
    with ministack(tmp_path_factory.mktemp("machine"), MINISTACK_IMDS_V2_REQUIRED="1",
                   MINISTACK_REGION="eu-north-1") as peer:
        client(peer, "glue", "000000000000").create_database(DatabaseInput={"Name": "of_the_machine"})
        yield peer


def test_an_instance_gives_region_and_identity(command, machine, tmp_path):
    node = Command(command, tmp_path, AWS_EC2_METADATA_DISABLED="", AWS_ENDPOINT_URL=machine.endpoint,
                   AWS_EC2_METADATA_SERVICE_ENDPOINT=machine.endpoint)
    diagnosis = node.json("doctor")
    steps = {step["name"]: step for step in diagnosis["steps"]}
    assert diagnosis["ok"] and steps["region"]["result"] == "eu-north-1"
    assert steps["credentials"]["tried"][-1] == {"source": "instance metadata", "result": "used"}


def test_a_task_gives_its_identity(command, machine, tmp_path):
    task = Command(command, tmp_path, AWS_REGION="eu-north-1", AWS_ENDPOINT_URL=machine.endpoint,
                   AWS_CONTAINER_CREDENTIALS_FULL_URI=f"{machine.endpoint}/v2/credentials/0a1b2c3d")
    diagnosis = task.json("doctor")
    steps = {step["name"]: step for step in diagnosis["steps"]}
    assert diagnosis["ok"]
    assert steps["credentials"]["tried"][-1] == {"source": "container", "result": "used"}
