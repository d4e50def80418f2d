"""`gluecat export`, `import` and `copy`: whole databases, between two accounts of one server."""

import json
import os
import pty
import signal
import subprocess
import threading

import pytest
import sample_database
from conftest import ACCOUNT_A, ACCOUNT_B
from test_command import rows

from harness.gluecat_command import SECRET, Command
from harness.killing_proxy import KillingProxy

READS = ("Get",)
TO_B = ("--target-glue-id", ACCOUNT_B)


@pytest.fixture
def gluecat(command, server, tmp_path):
    return Command(command, tmp_path, AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY=SECRET,
                   AWS_REGION="eu-central-1", AWS_ENDPOINT_URL=server.endpoint, TMPDIR=str(tmp_path))


@pytest.fixture(scope="module")
def sales(glue):
    sample_database.make(glue, "sales")
    yield "sales"
    glue.delete_database(Name="sales")


@pytest.fixture
def in_b(server):
    """Account B's catalog; what is there afterwards goes."""
    client = server.client(ACCOUNT_B)
    yield client
    for database in client.get_databases()["DatabaseList"]:
        client.delete_database(Name=database["Name"])


def created(seen) -> list[int]:
    """How many partitions each BatchCreatePartition held."""
    return [len(r.body["PartitionInputList"]) for r in seen.requests if r.operation == "BatchCreatePartition"]


def exported(gluecat, path, *options) -> bytes:
    gluecat.ok("export", "sales", path, *options)
    return path.read_bytes()


def test_what_was_imported_is_exported_alike(gluecat, server, sales, in_b, tmp_path):
    with server.requests() as seen:
        before = exported(gluecat, tmp_path / "a.jsonl")
    # A listing of everything, and nothing about a table that the listing said already.
    assert {operation: seen.count(operation) for operation in seen.operations} == {
        "GetDatabase": 1, "GetUserDefinedFunctions": 1, "GetTables": 1, "GetPartitionIndexes": 1,
        "GetPartitions": 3, "GetColumnStatisticsForTable": 9}

    with server.requests() as seen:
        gluecat.ok("import", tmp_path / "a.jsonl", "--glue-id", ACCOUNT_B)
    assert created(seen) == [100] * 25
    assert {operation: seen.count(operation) for operation in seen.operations} == {
        "GetDatabase": 1, "CreateDatabase": 1, "CreateUserDefinedFunction": 3, "CreateTable": 12,
        "BatchCreatePartition": 25, "UpdateColumnStatisticsForTable": 1}

    assert exported(gluecat, tmp_path / "b.jsonl", "--glue-id", ACCOUNT_B) == before
    lines = [json.loads(line) for line in before.decode().splitlines()]
    assert lines[0] == {"kind": "header", "format": "gluecat-export", "version": 1}
    assert lines[-1] == {"kind": "end", "functions": 3, "tables": 12, "partitions": sample_database.PARTITIONS}
    names = [line["name"] for line in lines if line["kind"] == "table"]
    assert names == sorted(table["Name"] for table in sample_database.TABLES)
    indexes = in_b.get_partition_indexes(DatabaseName="sales", TableName="parquet_days")
    assert len(indexes["PartitionIndexDescriptorList"]) == 2


def test_entries_arrive_as_they_were(gluecat, glue, sales, in_b):
    gluecat.ok("copy", "sales", *TO_B)
    own = {"CreateTime", "UpdateTime", "CatalogId", "VersionId", "CreatedBy"}

    def entries(client):
        pages = client.get_paginator("get_tables").paginate(DatabaseName="sales")
        return [{key: value for key, value in table.items() if key not in own}
                for page in pages for table in page["TableList"]]

    assert entries(in_b) == entries(glue)
    assert gluecat.json("partitions", "sales.parquet_days", "--glue-id", ACCOUNT_B) == gluecat.json(
        "partitions", "sales.parquet_days")


def test_a_copy_that_was_killed_is_finished_by_the_next(command, gluecat, server, sales, in_b, tmp_path):
    proxy = KillingProxy(server.endpoint, "BatchCreatePartition", "behind", count=7)
    try:
        with server.requests() as first:
            copy = subprocess.Popen(
                [str(command), "copy", "sales", *TO_B, "--target-endpoint", proxy.address],
                env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], "AWS_ACCESS_KEY_ID": ACCOUNT_A,
                     "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "eu-central-1", "TMPDIR": str(tmp_path),
                     "AWS_ENDPOINT_URL": server.endpoint}, stdout=subprocess.DEVNULL)
            proxy.kill = copy.kill
            assert copy.wait(timeout=60) == -signal.SIGKILL
    finally:
        proxy.close()
    assert sum(created(first)) == 700
    assert [name for name in os.listdir(tmp_path) if "gluecat" in name] == []

    with server.requests() as second:
        report = gluecat.json("copy", "sales", *TO_B)
    counts = report["databases"][0]["counts"]
    assert counts["partition"]["same"] == 700 and counts["partition"]["created"] == 1800
    assert created(second) == [100] * 18
    assert second.count("CreateDatabase") == 0
    done = {r.body["TableInput"]["Name"] for r in first.requests if r.operation == "CreateTable"}
    again = {r.body["TableInput"]["Name"] for r in second.requests if r.operation == "CreateTable"}
    assert done.isdisjoint(again) and len(done | again) == 12
    assert report["conflicts"] == report["failures"] == [] and report["unfinished"] == 0

    with server.requests() as third:
        assert gluecat.json("copy", "sales", *TO_B)["databases"][0]["counts"]["table"]["same"] == 12
    assert all(operation.startswith(READS) for operation in third.operations)
    assert exported(gluecat, tmp_path / "b.jsonl", "--glue-id", ACCOUNT_B) == exported(gluecat, tmp_path / "a.jsonl")


def test_a_dry_run_changes_nothing(gluecat, server, sales, in_b, tmp_path):
    exported(gluecat, tmp_path / "a.jsonl")
    for arguments in (("copy", "sales", *TO_B), ("import", tmp_path / "a.jsonl", "--glue-id", ACCOUNT_B)):
        with server.requests() as seen:
            text = gluecat.ok(*arguments, "--dry-run")
        assert all(operation.startswith(READS) for operation in seen.operations)
        assert text.startswith("dry run: nothing was written\n")
        assert "create: table sales.delta_orders\n" in text
        assert "create: 2500 partitions of table sales.parquet_days\n" in text
        assert ["sales", "partition", "2500", "0", "0", "0", "0", "0"] in rows(text)
    with server.requests() as seen:
        assert gluecat.json("import", tmp_path / "a.jsonl", "--glue-id", ACCOUNT_B, "--dry-run")["outcome"] == "dry_run"
    assert seen.operations == ["GetDatabase"]
    assert in_b.get_databases()["DatabaseList"] == []


def test_conflicts(gluecat, server, sales, in_b, tmp_path):
    gluecat.ok("copy", "sales", *TO_B)
    in_b.update_table(DatabaseName="sales", TableInput={"Name": "bare", "Owner": "somebody"})
    changed = sample_database.partition(7)
    changed["Parameters"] = {"numRows": "0"}
    in_b.update_partition(DatabaseName="sales", TableName="parquet_days", PartitionValueList=changed["Values"],
                          PartitionInput=changed)
    in_b.delete_table(DatabaseName="sales", Name="orc_lines")

    with server.requests() as seen:
        refused = gluecat.run("copy", "sales", *TO_B)
    assert refused.returncode == 1 and all(operation.startswith(READS) for operation in seen.operations)
    assert "conflicting: table sales.bare\n    Owner  source  (none)  target  \"somebody\"\n" in refused.stdout
    assert "conflicting: partition sales.parquet_days [2022, 1]\n" in refused.stdout
    assert "Parameters.numRows" in refused.stdout and "--on-conflict" in refused.stdout
    report = json.loads(gluecat.run("copy", "sales", *TO_B, "--json").stdout)
    assert report["outcome"] == "refused"
    assert [(c["kind"], c["object"], c.get("values")) for c in report["conflicts"]] == [
        ("table", "sales.bare", None), ("partition", "sales.parquet_days", ["2022", "1"])]

    counts = gluecat.json("copy", "sales", *TO_B, "--on-conflict", "skip")["databases"][0]["counts"]
    assert (counts["table"]["created"], counts["table"]["skipped"], counts["partition"]["skipped"]) == (1, 1, 1)
    assert in_b.get_table(DatabaseName="sales", Name="bare")["Table"]["Owner"] == "somebody"

    with server.requests() as seen:
        counts = gluecat.json("copy", "sales", *TO_B, "--on-conflict", "replace")["databases"][0]["counts"]
    assert (counts["table"]["changed"], counts["partition"]["changed"]) == (1, 1)
    assert [o for o in seen.operations if not o.startswith(READS)] == ["UpdateTable", "BatchUpdatePartition"]
    assert exported(gluecat, tmp_path / "b.jsonl", "--glue-id", ACCOUNT_B) == exported(gluecat, tmp_path / "a.jsonl")


def test_another_name_and_other_locations(gluecat, sales, in_b):
    gluecat.ok("copy", "sales", *TO_B, "--as", "sales_test", "--location-prefix", "s3://old-bucket/=s3://new/")
    assert in_b.get_database(Name="sales_test")["Database"]["LocationUri"] == "s3://new/sales"
    table = in_b.get_table(DatabaseName="sales_test", Name="delta_orders")["Table"]
    assert table["StorageDescriptor"]["SerdeInfo"]["Parameters"]["path"] == "s3://new/sales/delta_orders"
    found, = gluecat.json("partitions", "sales_test.parquet_days", "--glue-id", ACCOUNT_B, "--where",
                          "year = 2020 AND day = '7'")["partitions"]
    assert found["location"] == "s3://new/sales/parquet_days/year=2020/day=7"


def test_every_database_into_a_directory_and_back(gluecat, glue, sales, in_b, tmp_path):
    glue.create_database(DatabaseInput={"Name": "other"})
    try:
        listed = gluecat.json("export", f"{tmp_path}/backup/", "--statistics", "none")
        assert [d["database"] for d in listed["databases"]] == ["other", "sales"]
        local = ("--endpoint", f"local:{tmp_path / 'catalog'}")
        report = gluecat.json("import", f"{tmp_path}/backup", *local)
        assert [d["name"] for d in report["databases"]] == ["other", "sales"]
        assert [d["name"] for d in gluecat.json("ls", *local)] == ["other", "sales"]
        # And from the directory to the server.
        gluecat.ok("copy", "--all", "--source-endpoint", f"local:{tmp_path / 'catalog'}", *TO_B)
        assert [d["Name"] for d in in_b.get_databases()["DatabaseList"]] == ["other", "sales"]
    finally:
        glue.delete_database(Name="other")


def test_a_file_that_cannot_be_used_changes_nothing(gluecat, server, sales, in_b, tmp_path):
    lines = exported(gluecat, tmp_path / "a.jsonl").decode().splitlines()
    broken = tmp_path / "broken.jsonl"
    for content, place in (("\n".join(lines[:-1]) + "\n", f":{len(lines)}:"),
                           ("\n".join(lines[:10] + ["nonsense"] + lines[11:]), ":11:"),
                           (lines[0].replace('"version":1', '"version":9') + "\n", ":1:")):
        broken.write_text(content)
        with server.requests() as seen:
            refused = gluecat.run("import", broken, "--glue-id", ACCOUNT_B)
        assert refused.returncode == 1 and str(broken) + place in refused.stderr, refused
        assert all(operation.startswith(READS) for operation in seen.operations)
    error = json.loads(gluecat.run("import", broken, "--glue-id", ACCOUNT_B, "--json").stderr)
    assert error["kind"] == "invalid_data"
    assert gluecat.run("import", tmp_path / "absent.jsonl").returncode == 2
    assert gluecat.run("copy", "nothing", *TO_B).returncode == 3
    assert gluecat.run("copy", "sales").returncode == 2
    assert in_b.get_databases()["DatabaseList"] == []


def test_progress_is_for_terminals(command, gluecat, server, sales, in_b, tmp_path):
    def on_terminal(*options) -> str:
        """What is written to standard error, which is a terminal."""
        mine, its = pty.openpty()
        seen = []

        def read():
            while True:
                try:
                    piece = os.read(mine, 65536)
                except OSError:  # the other end is closed
                    return
                seen.append(piece)

        reader = threading.Thread(target=read)
        reader.start()
        subprocess.run([str(command), "copy", "sales", *TO_B, *options], stdout=subprocess.DEVNULL, stderr=its,
                       check=True, timeout=60,
                       env={"HOME": str(tmp_path), "AWS_ACCESS_KEY_ID": ACCOUNT_A, "AWS_SECRET_ACCESS_KEY": SECRET,
                            "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": server.endpoint})
        os.close(its)
        reader.join()
        os.close(mine)
        return b"".join(seen).decode()

    shown = on_terminal()
    assert "reading: " in shown and "] 2517 of 2519, sales" in shown and shown.endswith("\r\x1b[K")
    assert on_terminal("--quiet") == on_terminal("--json") == ""
