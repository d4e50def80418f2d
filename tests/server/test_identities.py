"""Signatures, permissions and roles, with the accounts file that the documentation shows."""

import datetime

import boto3
import botocore.auth
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A, ACCOUNT_B, ROOT

from harness.server import GlueServer

ETL = ("AKIAEXAMPLEETL000001", "change-me-etl-secret")
ANALYST = ("AKIAEXAMPLEANALYST01", "change-me-analyst-secret")
AUDITOR = ("AKIAEXAMPLEAUDITOR01", "change-me-auditor-secret")
OWNER = ("AKIAEXAMPLEOWNER0001", "change-me-owner-secret")
WRITER = f"arn:aws:iam::{ACCOUNT_B}:role/writer"
READER = f"arn:aws:iam::{ACCOUNT_A}:role/reader"


@pytest.fixture(scope="module")
def server(command, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("strict"), accounts=ROOT / "server/accounts.example.json")
    server.client(*ETL).create_database(DatabaseInput={"Name": "of_a"})
    server.client(*OWNER).create_database(DatabaseInput={"Name": "of_b"})
    yield server
    server.stop()


def error_of(call, **arguments) -> dict:
    with pytest.raises(ClientError) as raised:
        call(**arguments)
    return raised.value.response["Error"]


def names(glue, **arguments) -> list[str]:
    return [d["Name"] for d in glue.get_databases(**arguments)["DatabaseList"]]


def assumed(server, user, role, **arguments):
    sts = server.client(*user, service="sts")
    return sts.assume_role(RoleArn=role, RoleSessionName="nightly", **arguments)["Credentials"]


def with_credentials(server, credentials, service="glue"):
    return server.client(credentials["AccessKeyId"], credentials["SecretAccessKey"], service=service,
                         aws_session_token=credentials["SessionToken"])


def test_the_right_secret_is_let_in(server):
    assert names(server.client(*ETL)) == ["of_a"]
    assert names(server.client(*OWNER)) == ["of_b"]


def test_wrong_secret_and_unknown_key(server):
    wrong = server.client(ETL[0], "not the secret")
    assert error_of(wrong.get_databases)["Code"] == "InvalidSignatureException"
    unknown = server.client("AKIANOBODY", "secret")
    assert error_of(unknown.get_databases)["Code"] == "UnrecognizedClientException"
    # A 12-digit key means nothing where there are accounts.
    assert error_of(server.client(ACCOUNT_A).get_databases)["Code"] == "UnrecognizedClientException"
    unsigned = boto3.client("glue", endpoint_url=server.endpoint, region_name="eu-central-1",
                            config=Config(signature_version=__import__("botocore").UNSIGNED))
    assert error_of(unsigned.get_databases)["Code"] == "MissingAuthenticationTokenException"


def test_sts_uses_its_own_words(server):
    wrong = server.client(ETL[0], "not the secret", service="sts")
    assert error_of(wrong.get_caller_identity)["Code"] == "SignatureDoesNotMatch"
    unknown = server.client("AKIANOBODY", "secret", service="sts")
    assert error_of(unknown.get_caller_identity)["Code"] == "InvalidClientTokenId"


def test_a_clock_that_is_off_is_refused(server, monkeypatch):
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=10)
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *_, **__: then.replace(tzinfo=None))
    error = error_of(server.client(*ETL).get_databases)
    assert error["Code"] == "InvalidSignatureException" and "Signature expired" in error["Message"]


def test_a_changed_body_is_refused(server):
    glue = server.client(*ETL)

    def change(request, **_):
        request.body = b'{"CatalogId":"222222222222"}'

    glue.meta.events.register("before-send.glue.GetDatabases", change)
    assert error_of(glue.get_databases)["Code"] == "InvalidSignatureException"


def test_actions_are_allowed_and_denied(server):
    denied = error_of(server.client(*ANALYST).create_table, DatabaseName="of_a", TableInput={"Name": "t"})
    assert denied["Code"] == "AccessDeniedException"
    assert denied["Message"].startswith(
        f"User: arn:aws:iam::{ACCOUNT_A}:user/analyst is not authorized to perform: glue:CreateTable on resource: "
        f"arn:aws:glue:eu-central-1:{ACCOUNT_A}:table/of_a/t")
    denied = error_of(server.client(*ETL).delete_database, Name="of_a")
    assert denied["Code"] == "AccessDeniedException" and "explicit deny" in denied["Message"]
    assert "of_a" in names(server.client(*ETL))


def test_catalogs_of_others_need_a_grant(server):
    assert names(server.client(*ANALYST), CatalogId=ACCOUNT_B) == ["of_b"]
    denied = error_of(server.client(*ETL).get_databases, CatalogId=ACCOUNT_B)
    assert denied["Code"] == "AccessDeniedException"
    assert f"{ACCOUNT_B}:catalog" in denied["Message"] and "user/etl" in denied["Message"]


def test_a_group_with_a_policy(server):
    etl, auditor = server.client(*ETL), server.client(*AUDITOR)
    etl.create_database(DatabaseInput={"Name": "sales"})
    for table in ("orders", "salaries"):
        etl.create_table(DatabaseName="sales", TableInput={"Name": table})
    assert names(auditor) == ["sales"]
    assert [t["Name"] for t in auditor.get_tables(DatabaseName="sales")["TableList"]] == ["orders"]
    denied = error_of(auditor.get_table, DatabaseName="sales", Name="salaries")
    assert denied["Code"] == "AccessDeniedException" and "explicit deny" in denied["Message"]
    assert "of_a" in error_of(auditor.get_database, Name="of_a")["Message"]


def test_assume_role_with_external_id(server):
    credentials = assumed(server, ETL, WRITER, ExternalId="nightly-load")
    left = credentials["Expiration"] - datetime.datetime.now(datetime.timezone.utc)
    assert 3590 <= left.total_seconds() <= 3601
    assert names(with_credentials(server, credentials)) == ["of_b"]
    who = with_credentials(server, credentials, "sts").get_caller_identity()
    assert (who["Account"], who["Arn"]) == (ACCOUNT_B, f"arn:aws:sts::{ACCOUNT_B}:assumed-role/writer/nightly")
    denied = error_of(with_credentials(server, credentials).get_databases, CatalogId=ACCOUNT_A)
    assert denied["Code"] == "AccessDeniedException"


@pytest.mark.parametrize("user, role, arguments", [
    (ETL, WRITER, {}),
    (ETL, WRITER, {"ExternalId": "another"}),
    (ANALYST, WRITER, {"ExternalId": "nightly-load"}),
    (ETL, READER, {}),
    (ETL, f"arn:aws:iam::{ACCOUNT_B}:role/absent", {}),
], ids=["no-external-id", "wrong-external-id", "not-trusted", "own-account-not-trusted", "no-such-role"])
def test_roles_are_closed_to_others(server, user, role, arguments):
    sts = server.client(*user, service="sts")
    error = error_of(sts.assume_role, RoleArn=role, RoleSessionName="nightly", **arguments)
    assert error["Code"] == "AccessDenied" and role in error["Message"]


def test_durations(server):
    credentials = assumed(server, ETL, WRITER, ExternalId="nightly-load", DurationSeconds=7200)
    left = credentials["Expiration"] - datetime.datetime.now(datetime.timezone.utc)
    assert left.total_seconds() > 7000
    sts = server.client(*ETL, service="sts")
    for seconds in (7201, 50000):  # boto3 itself refuses less than 900
        error = error_of(sts.assume_role, RoleArn=WRITER, RoleSessionName="nightly", ExternalId="nightly-load",
                         DurationSeconds=seconds)
        assert error["Code"] == "ValidationError"


def test_session_tokens_belong_to_their_keys(server):
    credentials = assumed(server, OWNER, READER)
    assert "of_a" in names(with_credentials(server, credentials))
    for change in ({"SessionToken": credentials["SessionToken"][:-1] + "0"}, {"SessionToken": "x"},
                   {"AccessKeyId": credentials["AccessKeyId"][:-1] + "Z"}):
        changed = with_credentials(server, {**credentials, **change})
        assert error_of(changed.get_databases)["Code"] == "UnrecognizedClientException"
    wrong = with_credentials(server, {**credentials, "SecretAccessKey": "x"})
    assert error_of(wrong.get_databases)["Code"] == "InvalidSignatureException"


def test_nothing_secret_is_logged(server):
    credentials = assumed(server, OWNER, READER)
    with_credentials(server, credentials).get_databases()
    log = server.log_path.read_text()
    for secret in (OWNER[1], ETL[1], credentials["SecretAccessKey"], credentials["SessionToken"]):
        assert secret not in log
