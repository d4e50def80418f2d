"""Several identities in one session, and wrong ones, against a server that knows its accounts."""

import json

import pytest

from harness import session
from harness.server import GlueServer
from harness.sql_program import run

ROLE_A = "arn:aws:iam::111111111111:role/reader"
ROLE_B = "arn:aws:iam::222222222222:role/writer"

# A person of a third account, who may become a role in each of the two; and a user of account A who may only list.
ACCOUNTS = {
    "accounts": {
        "111111111111": {
            "users": {
                "owner": {"access_key": "AKIAOWNERA", "secret_key": "owner-a-key", "allow": ["glue:*"]},
                "guest": {"access_key": "AKIAGUESTA", "secret_key": "guest-a-key",
                          "allow": ["glue:Get*"], "deny": ["glue:GetTable"]},
            },
            "roles": {"reader": {"trust": [{"principal": "333333333333", "external_id": "shared-word"}],
                                 "allow": ["glue:*"]}},
        },
        "222222222222": {
            "users": {"owner": {"access_key": "AKIAOWNERB", "secret_key": "owner-b-key", "allow": ["glue:*"]}},
            "roles": {"writer": {"trust": [{"principal": "333333333333"}], "allow": ["glue:*"]}},
        },
        "333333333333": {
            "users": {"person": {"access_key": "AKIAPERSON", "secret_key": "person-key", "allow": ["sts:*"]}},
        },
    }
}


@pytest.fixture(scope="module")
def strict(command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("strict")
    (folder / "accounts.json").write_text(json.dumps(ACCOUNTS))
    server = GlueServer(command, folder, accounts=folder / "accounts.json")
    for key, secret in (("AKIAOWNERA", "owner-a-key"), ("AKIAOWNERB", "owner-b-key")):
        server.client(key, secret).create_database(DatabaseInput={"Name": f"of_{key[-6:].lower()}"})
    yield server
    server.stop()


@pytest.fixture(scope="module")
def conf(jars, tmp_path_factory):
    return session.base_conf(jars, tmp_path_factory.mktemp("identities") / "warehouse")


def glue(name, server, account, **more):
    return session.catalog_conf(name, glue__id=account, glue__endpoint=server.endpoint,
                                client__region=session.REGION, **more)


def keys(access_key, secret):
    return {"AWS_ACCESS_KEY_ID": access_key, "AWS_SECRET_ACCESS_KEY": secret}


@pytest.mark.fault("P001", "P008", "P009")
def test_two_roles_of_two_accounts_in_one_session(strict, conf, tmp_path):
    """The base identity comes from a profile file; it asks STS for the roles and Glue for nothing."""
    (tmp_path / "config").write_text("[profile work]\nregion = eu-central-1\n")
    (tmp_path / "credentials").write_text(
        "[work]\naws_access_key_id = AKIAPERSON\naws_secret_access_key = person-key\n")
    catalogs = {
        **glue("a", strict, "111111111111", client__assume_role__arn=ROLE_A,
               client__assume_role__external_id="shared-word", client__assume_role__session_name="nightly"),
        **glue("b", strict, "222222222222", client__assume_role__arn=ROLE_B),
    }
    environment = {"AWS_CONFIG_FILE": str(tmp_path / "config"), "AWS_PROFILE": "work",
                   "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
                   "AWS_ENDPOINT_URL_STS": strict.endpoint}
    with strict.requests() as seen:
        answers = run({**conf, **catalogs}, ["SHOW DATABASES IN a", "SHOW DATABASES IN b"], environment)
    assert [answer.get("rows") for answer in answers] == [[["of_ownera"]], [["of_ownerb"]]], answers
    asked = {(r.operation, r.account, r.catalog_id) for r in seen.requests if r.operation == "GetDatabases"}
    assert asked == {("GetDatabases", "111111111111", "111111111111"),
                     ("GetDatabases", "222222222222", "222222222222")}
    by_person = {r.operation for r in seen.requests if r.access_key == "AKIAPERSON"}
    assert by_person == {"AssumeRole"}


@pytest.fixture(scope="module")
def as_guest(strict, conf):
    """What a user sees who may list account A and nothing else."""
    catalogs = {
        **glue("own", strict, "111111111111"),
        **glue("foreign", strict, "222222222222"),
        **glue("closed_role", strict, "222222222222", client__assume_role__arn=ROLE_B),
    }
    statements = ["SHOW DATABASES IN own", "SELECT * FROM own.of_ownera.t",
                  "CREATE DATABASE own.mine", "CREATE TABLE own.of_ownera.t (id INT) USING parquet LOCATION 'file:/tmp/none'",
                  "SHOW DATABASES IN foreign", "SHOW DATABASES IN closed_role"]
    answers = run({**conf, **catalogs}, statements,
                  {**keys("AKIAGUESTA", "guest-a-key"), "AWS_ENDPOINT_URL_STS": strict.endpoint})
    return dict(zip(statements, answers))


def test_an_identity_that_may_list_lists(as_guest):
    assert as_guest["SHOW DATABASES IN own"]["rows"] == [["of_ownera"]]


@pytest.mark.parametrize("statement, mentions", [
    ("SELECT * FROM own.of_ownera.t", ("own", "111111111111", "of_ownera.t")),
    ("CREATE DATABASE own.mine", ("own", "111111111111", "mine")),
    ("SHOW DATABASES IN foreign", ("foreign", "222222222222")),
    ("SHOW DATABASES IN closed_role", ("closed_role", "222222222222", ROLE_B)),
], ids=["table", "database", "other-account", "role"])
def test_denied_is_reported_as_denied(as_guest, statement, mentions):
    answer = as_guest[statement]
    for mention in (*mentions, "enied"):
        assert mention in answer["error"], answer
    assert "does not exist" not in answer["error"] and "guest-a-key" not in answer["error"]
    assert answer["seconds"] < 10


@pytest.fixture(scope="module", params=["wrong-secret", "unknown-key", "no-credentials"])
def refused(request, strict, conf, tmp_path_factory):
    nobody = str(tmp_path_factory.mktemp("nobody") / "none")
    environment = {
        "wrong-secret": keys("AKIAOWNERA", "not-the-key"),
        "unknown-key": keys("AKIANOBODY", "not-the-key"),
        "no-credentials": {"AWS_CONFIG_FILE": nobody, "AWS_SHARED_CREDENTIALS_FILE": nobody},
    }[request.param]
    return run({**conf, **glue("a", strict, "111111111111")}, ["SHOW TABLES IN a.of_ownera"], environment)[0]


@pytest.mark.fault("P012")
def test_an_identity_that_is_none_is_reported(refused):
    error = refused["error"]
    assert "'a'" in error and "111111111111" in error and "of_ownera" in error, error
    assert "not-the-key" not in error and "does not exist" not in error
    assert refused["seconds"] < 10
