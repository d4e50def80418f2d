"""The commands of `gluecat` that look at a Glue Data Catalog, against its own server."""

import json

import pytest
from conftest import ACCOUNT_A, ACCOUNT_B, ROOT, partition

from harness.gluecat_command import SECRET, Command
from harness.server import GlueServer

ETL = {"AWS_ACCESS_KEY_ID": "AKIAEXAMPLEETL000001", "AWS_SECRET_ACCESS_KEY": "change-me-etl-secret"}


@pytest.fixture
def gluecat(command, server, tmp_path):
    return Command(command, tmp_path, AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET,
                   AWS_REGION="eu-central-1", AWS_ENDPOINT_URL=server.endpoint)


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_ls(gluecat, database, table):
    assert [database, "-", "-"] in rows(gluecat.ok("ls"))
    assert database in [d["name"] for d in gluecat.json("ls")]
    assert rows(gluecat.ok("ls", database))[0] == ["TABLE", "KIND", "FORMAT", "LOCATION"]
    listed, = gluecat.json("ls", database)
    assert (listed["name"], listed["kind"], listed["location"]) == ("t", "unsupported", "s3://bucket/t")
    assert "SerializationLibrary" in listed["reason"]


def test_show(gluecat, database, table):
    text = gluecat.ok("show", f"{database}.T")
    assert ["Table", f"{database}.t"] in rows(text) and ["a", "int"] in rows(text) and ["k", "int"] in rows(text)
    assert "Cannot be used" in text
    assert gluecat.json("show", f"{database}.t")["kind"] == "unsupported"
    assert gluecat.json("show", database)["name"] == database


def test_partitions(gluecat, glue, server, table):
    name = f"{table['DatabaseName']}.t"
    glue.batch_create_partition(**table, PartitionInputList=[partition(str(i)) for i in range(50)])
    assert len(gluecat.json("partitions", name)["partitions"]) == 50
    assert rows(gluecat.ok("partitions", name, "--where", "k >= 48")) == [
        ["k", "LOCATION"], ["48", "s3://bucket/t/48"], ["49", "s3://bucket/t/49"]]
    with server.requests() as seen:
        assert len(gluecat.json("partitions", name, "--limit", 3)["partitions"]) == 3
    assert seen.operations == ["GetTable", "GetPartitions"]
    assert gluecat.run("partitions", name, "--where", "nokey = 1").returncode == 1
    assert gluecat.run("partitions", name, "--limit", "0").returncode == 2


def test_get_and_put(gluecat, glue, database, table):
    name = f"{database}.t"
    before = glue.get_table(DatabaseName=database, Name="t")["Table"]
    entry = gluecat.json("get", name)
    assert {key: entry[key] for key in ("Name", "VersionId", "StorageDescriptor", "PartitionKeys")} == {
        key: before[key] for key in ("Name", "VersionId", "StorageDescriptor", "PartitionKeys")}
    entry["Parameters"] = {"owner": "etl"}
    entry["NobodyKnows"] = [{"a": 1.5}]
    assert gluecat.ok("put", name, input=json.dumps(entry)) == f"updated table {name}\n"
    after = gluecat.json("get", name)
    assert (after["Parameters"], after["NobodyKnows"], after["VersionId"]) == ({"owner": "etl"}, [{"a": 1.5}], "1")

    # The file's version is 0, and the table's is 1 by now.
    late = gluecat.run("put", name, "--update", input=json.dumps(entry))
    assert late.returncode == 1 and "ConcurrentModificationException" in late.stderr and "get" in late.stderr


def test_put_creates_and_copies(gluecat, glue, database, table, tmp_path):
    file = tmp_path / "entry.json"
    file.write_text(gluecat.ok("get", f"{database}.t"))
    assert gluecat.run("put", f"{database}.copy", "--update", "--file", file).returncode == 3
    assert gluecat.json("put", f"{database}.copy", "--create", "--file", file) == {
        "object": f"{database}.copy", "action": "created"}
    again = gluecat.run("put", f"{database}.copy", "--create", "--file", file)
    assert again.returncode == 1 and "AlreadyExistsException" in again.stderr
    copy = glue.get_table(DatabaseName=database, Name="copy")["Table"]
    assert copy["StorageDescriptor"] == glue.get_table(DatabaseName=database, Name="t")["Table"]["StorageDescriptor"]

    assert gluecat.ok("put", "made_by_put", input='{"Description": "d"}') == "created database made_by_put\n"
    assert glue.get_database(Name="made_by_put")["Database"]["Description"] == "d"
    glue.delete_database(Name="made_by_put")


def test_exit_codes_and_messages(gluecat, server, database):
    absent = gluecat.run("show", f"{database}.nothing")
    assert (absent.returncode, absent.stdout) == (3, "")
    assert server.endpoint in absent.stderr and f"table {database}.nothing" in absent.stderr
    assert "gluecat ls" in absent.stderr
    error = json.loads(gluecat.run("show", f"{database}.nothing", "--json").stderr)
    assert (error["kind"], error["code"]) == ("not_found", "EntityNotFoundException")
    assert error["object"] == f"{database}.nothing"
    for wrong in ((), ("nonsense",), ("show",), ("show", ".t"), ("ls", "--region", "not a region"),
                  ("ls", "--conf", "nonsense"), ("put", "d.t", "--create", "--update"),
                  ("ls", "--endpoint", "ftp://host"), ("serve",)):
        assert gluecat.run(*wrong).returncode == 2, wrong
    unreachable = gluecat.run("ls", "--endpoint", "http://127.0.0.1:1")
    assert unreachable.returncode == 1 and "127.0.0.1:1" in unreachable.stderr and "doctor" in unreachable.stderr


@pytest.mark.parametrize("name", ["ls", "show", "partitions", "get", "put", "export", "import", "copy", "doctor",
                                  "serve", "completion", "help"])
def test_help_has_examples(gluecat, name):
    assert "Example" in gluecat.ok(name, "--help")


def test_which_catalog(gluecat, server):
    server.client(ACCOUNT_B).create_database(DatabaseInput={"Name": "only_in_b"})
    try:
        assert "only_in_b" not in [d["name"] for d in gluecat.json("ls")]
        for how in (("--glue-id", ACCOUNT_B), ("--conf", f"glue.id={ACCOUNT_B}"),
                    ("--conf", f"client.assume-role.arn=arn:aws:iam::{ACCOUNT_B}:role/any")):
            assert "only_in_b" in [d["name"] for d in gluecat.json("ls", *how)], how
    finally:
        server.client(ACCOUNT_B).delete_database(Name="only_in_b")


def test_a_profile(gluecat, server, tmp_path):
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "config").write_text(
        f"[profile b]\nregion = us-east-1\naws_access_key_id = {ACCOUNT_B}\naws_secret_access_key = {SECRET}\n")
    with server.requests() as seen:
        gluecat.ok("ls", "--profile", "b")
    assert [r.account for r in seen.requests] == [ACCOUNT_B]
    assert gluecat.run("ls", "--profile", "absent").returncode == 1


def test_a_local_directory(command, tmp_path):
    gluecat = Command(command, tmp_path)
    local = ("--endpoint", f"local:{tmp_path / 'catalog'}")
    missing = gluecat.run("ls", *local)
    assert missing.returncode == 2 and "no directory" in missing.stderr and not (tmp_path / "catalog").exists()
    assert gluecat.ok("put", "d", *local, input="{}") == "created database d\n"
    assert gluecat.json("ls", *local) == [{"name": "d"}]
    assert gluecat.json("doctor", *local)["ok"] is True


def test_doctor(gluecat, server):
    answer = gluecat.json("doctor")
    steps = {step["name"]: step for step in answer["steps"]}
    assert answer["ok"] and [step["state"] for step in answer["steps"]] == ["ok"] * 7
    assert steps["endpoint"]["result"] == server.endpoint
    assert ACCOUNT_A in steps["identity"]["result"]
    text = gluecat.ok("doctor")
    assert "region: ok: eu-central-1" in text and "access: ok" in text


def test_doctor_finds_what_is_wrong(command, tmp_path):
    server = GlueServer(command, tmp_path, accounts=ROOT / "server/accounts.example.json")
    try:
        def diagnose(*arguments, **environment):
            gluecat = Command(command, tmp_path, AWS_REGION="eu-central-1", AWS_ENDPOINT_URL=server.endpoint,
                              **environment)
            answer = gluecat.run("doctor", "--json", *arguments)
            assert "change-me" not in answer.stdout + answer.stderr
            return answer.returncode, {step["name"]: step for step in json.loads(answer.stdout)["steps"]}

        assert diagnose(**ETL)[0] == 0
        code, steps = diagnose()
        assert code == 1 and steps["credentials"]["state"] == "failed" and "access" not in steps
        code, steps = diagnose(**{**ETL, "AWS_SECRET_ACCESS_KEY": SECRET})
        assert code == 1 and steps["identity"]["state"] == steps["access"]["state"] == "failed"
        code, steps = diagnose("--glue-id", ACCOUNT_B, **ETL)
        assert code == 1 and steps["identity"]["state"] == "ok" and steps["access"]["state"] == "failed"
        assert "glue:GetDatabases" in steps["access"]["advice"]
    finally:
        server.stop()
