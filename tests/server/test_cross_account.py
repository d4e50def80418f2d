"""Policies of users, roles, sessions and catalogs, across two accounts, as boto3 meets them."""

import json

import pytest
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A, ACCOUNT_B

from harness.server import GlueServer

REGION = "eu-central-1"
ADMIN = ("AKIAADMIN", "admin-secret")
READER = ("AKIAREADER", "reader-secret")
PLAIN = ("AKIAPLAIN", "plain-secret")
OWNER = ("AKIAOWNER", "owner-secret")
HOP = f"arn:aws:iam::{ACCOUNT_A}:role/hop"
TARGET = f"arn:aws:iam::{ACCOUNT_B}:role/target"


def arns(account: str, *names: str) -> list[str]:
    return [f"arn:aws:glue:{REGION}:{account}:{name}" for name in names]


def policy(*statements: dict) -> dict:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def statement(effect: str, action, resource, **more) -> dict:
    return {"Effect": effect, "Action": action, "Resource": resource, **more}


SALES_OF_B = arns(ACCOUNT_B, "catalog", "database/sales", "table/sales/*")

ACCOUNTS = {"accounts": {
    ACCOUNT_A: {
        "users": {
            "admin": {"access_key": ADMIN[0], "secret_key": ADMIN[1], "allow": ["*"]},
            "reader": {"access_key": READER[0], "secret_key": READER[1],
                       "policies": [policy(statement("Allow", "glue:Get*", SALES_OF_B),
                                           statement("Deny", "glue:*", arns(ACCOUNT_B, "table/sales/salaries")))]},
            "plain": {"access_key": PLAIN[0], "secret_key": PLAIN[1]},
        },
        "roles": {"hop": {"trust": [{"principal": ACCOUNT_A}], "max_duration": 7200,
                          "policies": [policy(statement("Allow", "sts:AssumeRole", TARGET))]}},
    },
    ACCOUNT_B: {
        "users": {"owner": {"access_key": OWNER[0], "secret_key": OWNER[1], "allow": ["*"]}},
        "roles": {"target": {"trust": [{"principal": HOP}], "allow": ["glue:*"]}},
    },
}}


@pytest.fixture(scope="module")
def server(command, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cross")
    accounts = folder / "accounts.json"
    accounts.write_text(json.dumps(ACCOUNTS))
    server = GlueServer(command, folder / "data", accounts=accounts)
    glue = server.client(*OWNER)
    for database in ("sales", "hr"):
        glue.create_database(DatabaseInput={"Name": database})
    for table in ("orders", "offers", "salaries"):
        glue.create_table(DatabaseName="sales", TableInput={"Name": table})
    yield server
    server.stop()


@pytest.fixture
def share(server):
    """Puts the policy of account B's catalog, for one test."""
    glue = server.client(*OWNER)

    def put(*statements: dict) -> None:
        glue.put_resource_policy(PolicyInJson=json.dumps(policy(*statements)))

    yield put
    if glue.get_resource_policies()["GetResourcePoliciesResponseList"]:
        glue.delete_resource_policy()


def refusal(call, **arguments) -> str:
    with pytest.raises(ClientError) as raised:
        call(**arguments)
    error = raised.value.response["Error"]
    assert error["Code"] == "AccessDeniedException"
    return error["Message"]


ORDERS = {"CatalogId": ACCOUNT_B, "DatabaseName": "sales", "Name": "orders"}


def to_account_a(effect: str = "Allow", **more) -> dict:
    return statement(effect, "glue:Get*", SALES_OF_B, Principal={"AWS": f"arn:aws:iam::{ACCOUNT_A}:root"}, **more)


def test_the_callers_policy_alone_is_not_enough(server):
    message = refusal(server.client(*READER).get_table, **ORDERS)
    assert message == (
        f"User: arn:aws:iam::{ACCOUNT_A}:user/reader is not authorized to perform: glue:GetTable on resource: "
        f"arn:aws:glue:{REGION}:{ACCOUNT_B}:table/sales/orders because no resource-based policy allows the "
        "glue:GetTable action")


def test_the_catalogs_policy_alone_is_not_enough(server, share):
    share(to_account_a())
    message = refusal(server.client(*PLAIN).get_table, **ORDERS)
    assert message.endswith("because no identity-based policy allows the glue:GetTable action")


def test_both_together_are(server, share):
    share(to_account_a())
    glue = server.client(*READER)
    assert glue.get_table(**ORDERS)["Table"]["Name"] == "orders"
    # hr is in neither, salaries is denied.
    assert [d["Name"] for d in glue.get_databases(CatalogId=ACCOUNT_B)["DatabaseList"]] == ["sales"]
    tables = glue.get_tables(CatalogId=ACCOUNT_B, DatabaseName="sales")["TableList"]
    assert [t["Name"] for t in tables] == ["offers", "orders"]
    assert "no identity-based policy" in refusal(glue.delete_table, **ORDERS)


@pytest.fixture
def link(server):
    """A database of account A that leads to sales of account B; its owner may use all of A."""
    glue = server.client(*ADMIN)
    glue.create_database(DatabaseInput={
        "Name": "link", "TargetDatabase": {"CatalogId": ACCOUNT_B, "DatabaseName": "sales"}})
    yield glue
    glue.delete_database(Name="link")


def test_a_link_opens_nothing(link, share):
    behind = f"arn:aws:glue:{REGION}:{ACCOUNT_B}:table/sales/orders"
    message = refusal(link.get_table, DatabaseName="link", Name="orders")
    assert f"on resource: {behind} because no resource-based policy" in message
    refusal(link.get_tables, DatabaseName="link")
    share(to_account_a(), statement("Deny", "glue:*", arns(ACCOUNT_B, "table/sales/offers"), Principal="*"))
    assert link.get_table(DatabaseName="link", Name="orders")["Table"]["CatalogId"] == ACCOUNT_B
    assert "explicit deny in a resource-based policy" in refusal(link.get_table, DatabaseName="link", Name="offers")
    assert [t["Name"] for t in link.get_tables(DatabaseName="link")["TableList"]] == ["orders", "salaries"]
    assert "no resource-based policy" in refusal(link.delete_table, DatabaseName="link", Name="orders")


def test_a_deny_on_either_side_wins(server, share):
    share(to_account_a())
    glue = server.client(*READER)
    assert "explicit deny in an identity-based policy" in refusal(glue.get_table, **{**ORDERS, "Name": "salaries"})
    share(to_account_a(), statement("Deny", "glue:GetTable", arns(ACCOUNT_B, "table/sales/orders"), Principal="*"))
    assert "explicit deny in a resource-based policy" in refusal(glue.get_table, **ORDERS)
    assert "explicit deny in a resource-based policy" in refusal(
        server.client(*OWNER).get_table, DatabaseName="sales", Name="orders")


def test_within_an_account_the_catalogs_policy_is_enough(server):
    admin, plain = server.client(*ADMIN), server.client(*PLAIN)
    refusal(plain.get_databases)
    admin.put_resource_policy(PolicyInJson=json.dumps(policy(statement(
        "Allow", "glue:GetDatabases", arns(ACCOUNT_A, "catalog"),
        Principal={"AWS": f"arn:aws:iam::{ACCOUNT_A}:user/plain"}))))
    assert plain.get_databases()["DatabaseList"] == []
    admin.delete_resource_policy()
    refusal(plain.get_databases)


def test_conditions_of_the_catalogs_policy(server, share):
    from_here = {"IpAddress": {"aws:SourceIp": "127.0.0.0/8"}, "Bool": {"aws:SecureTransport": "false"}}
    share(to_account_a(Condition=from_here))
    server.client(*READER).get_table(**ORDERS)
    share(to_account_a(Condition={"IpAddress": {"aws:SourceIp": "192.0.2.0/24"}}))
    refusal(server.client(*READER).get_table, **ORDERS)


def test_policies_that_are_none_are_refused(server):
    glue = server.client(*OWNER)
    for broken in ("[]", json.dumps(policy(statement("Allow", "glue:*", "*", Principal="*"))),
                   json.dumps(policy(to_account_a(Condition={"StringEqual": {"aws:SourceIp": "x"}})))):
        with pytest.raises(glue.exceptions.InvalidInputException):
            glue.put_resource_policy(PolicyInJson=broken)
    lock_out = policy(statement("Deny", "glue:*", arns(ACCOUNT_B, "*"), Principal="*"))
    with pytest.raises(glue.exceptions.InvalidInputException, match="put another"):
        glue.put_resource_policy(PolicyInJson=json.dumps(lock_out))


def session_of(server, credentials, service="glue"):
    return server.client(credentials["AccessKeyId"], credentials["SecretAccessKey"], service=service,
                         aws_session_token=credentials["SessionToken"])


def assume(sts, role, **arguments):
    return sts.assume_role(RoleArn=role, RoleSessionName="chain", **arguments)["Credentials"]


def test_a_chain_of_roles(server):
    hop = session_of(server, assume(server.client(*ADMIN, service="sts"), HOP, DurationSeconds=7200), "sts")
    with pytest.raises(ClientError, match="role chaining"):
        assume(hop, TARGET, DurationSeconds=7200)
    glue = session_of(server, assume(hop, TARGET))
    assert glue.get_table(DatabaseName="sales", Name="orders")["Table"]["DatabaseName"] == "sales"
    with pytest.raises(ClientError, match="AccessDenied"):
        assume(server.client(*ADMIN, service="sts"), TARGET)


def test_a_session_policy_takes_away(server):
    only_orders = policy(statement("Allow", "glue:Get*", arns(
        ACCOUNT_B, "catalog", "database/sales", "table/sales/orders")))
    hop = session_of(server, assume(server.client(*ADMIN, service="sts"), HOP), "sts")
    glue = session_of(server, assume(hop, TARGET, Policy=json.dumps(only_orders)))
    glue.get_table(DatabaseName="sales", Name="orders")
    assert [t["Name"] for t in glue.get_tables(DatabaseName="sales")["TableList"]] == ["orders"]
    message = refusal(glue.get_table, DatabaseName="sales", Name="offers")
    assert message.endswith("because no session policy allows the glue:GetTable action")
    with pytest.raises(ClientError, match="MalformedPolicyDocument"):
        assume(hop, TARGET, Policy=json.dumps({"Statement": {"Effect": "Allow"}}))


def test_a_broken_accounts_file_stops_the_start(command, tmp_path):
    accounts = tmp_path / "accounts.json"
    broken = statement("Deny", "glue:*", "*", Condition={"StringEqual": {"aws:PrincipalArn": "x"}})
    accounts.write_text(json.dumps({"accounts": {ACCOUNT_A: {"users": {"u": {
        "access_key": "A", "secret_key": "s", "policies": [policy(broken)]}}}}}))
    with pytest.raises(RuntimeError, match="user/u, policy 1: Statement 1: Condition has the operator 'StringEqual'"):
        GlueServer(command, tmp_path / "data", accounts=accounts)


def test_a_hangup_reads_the_accounts_again(command, tmp_path):
    accounts = tmp_path / "accounts.json"
    user = {"access_key": "AKIAU", "secret_key": "s", "allow": ["glue:GetDatabases"]}

    def write(**more) -> None:
        accounts.write_text(json.dumps({"accounts": {ACCOUNT_A: {"users": {"u": user, **more}}}}))

    write()
    server = GlueServer(command, tmp_path / "data", accounts=accounts)
    glue = server.client("AKIAU", "s")  # keeps its connection
    glue.get_databases()
    write(v={"access_key": "AKIAV", "secret_key": "s", "allow": ["*"]})
    assert "read again" in server.hang_up()
    server.client("AKIAV", "s").create_database(DatabaseInput={"Name": "d"})
    assert [d["Name"] for d in glue.get_databases()["DatabaseList"]] == ["d"]
    accounts.write_text("{")
    assert "stay as they were" in server.hang_up()
    glue.get_databases()
    user["allow"] = []
    write()
    assert "read again" in server.hang_up()
    refusal(glue.get_databases)
    assert server.stop() == 0
