"""`glue.endpoint = local:<directory>`: the store in the very process, and several processes on one directory."""

import sqlite3

import pytest

from harness import session
from harness.server import GlueServer
from harness.sql_program import run, start

ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "secret"}


@pytest.fixture
def conf(jars, tmp_path):
    return {**session.base_conf(jars, tmp_path / "warehouse"),
            **session.catalog_conf("g", glue__endpoint=f"local:{tmp_path}/new/glue", glue__id="111111111111",
                                   client__region=session.REGION, warehouse=f"file:{tmp_path}/tables")}


def intact(directory) -> bool:
    files = list(directory.rglob("*.sqlite")) + list(directory.rglob("*.db"))
    return bool(files) and all(
        sqlite3.connect(file).execute("PRAGMA integrity_check").fetchone() == ("ok",) for file in files)


@pytest.mark.fault("P101")
def test_one_setting_is_enough_for_the_whole_cycle(conf, tmp_path):
    """No server, no account: the directory is made, and everything works offline."""
    answers = run(conf, [
        "CREATE DATABASE g.d", "CREATE TABLE g.d.t (id INT) USING delta", "INSERT INTO g.d.t VALUES (1)",
        "CREATE TABLE g.d.p USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(3)",
        "SELECT id FROM g.d.p WHERE k = 2", "SELECT id FROM g.d.t", "SHOW TABLES IN g.d"], ENVIRONMENT)
    assert [a["error"] for a in answers if "error" in a] == []
    assert answers[4]["rows"] == [[2]] and answers[5]["rows"] == [[1]]
    assert sorted(row[1] for row in answers[6]["rows"]) == ["p", "t"]


def test_two_processes_share_a_directory(conf, tmp_path):
    """Both write at the same time; nothing is lost and nothing is broken."""
    first, second = (
        start(conf, ["CREATE DATABASE IF NOT EXISTS g.d"] + [
            f"CREATE TABLE g.d.{name}{n} (id INT) USING parquet" for n in range(10)] + [
            f"ALTER TABLE g.d.{name}{n} SET TBLPROPERTIES ('n' = '{n}')" for n in range(10)], ENVIRONMENT)
        for name in ("left", "right"))
    answers = first.answers() + second.answers()
    assert [a["error"] for a in answers if "error" in a] == []
    listing = run(conf, ["SHOW TABLES IN g.d"], ENVIRONMENT)[0]["rows"]
    assert sorted(row[1] for row in listing) == sorted(f"{name}{n}" for name in ("left", "right") for n in range(10))
    assert intact(tmp_path / "new" / "glue")


def test_acknowledged_writes_survive_a_kill(command, tmp_path):
    server = GlueServer(command, tmp_path / "server")
    client = server.client("111111111111")
    client.create_database(DatabaseInput={"Name": "d"})
    for number in range(50):
        client.create_table(DatabaseName="d", TableInput={"Name": f"t{number:02}"})
    server.kill()
    again = GlueServer(command, tmp_path / "server")
    try:
        tables = again.client("111111111111").get_tables(DatabaseName="d")["TableList"]
        assert [t["Name"] for t in tables] == [f"t{n:02}" for n in range(50)]
    finally:
        again.stop()


def test_a_server_and_a_local_session_see_the_same(command, conf, tmp_path):
    """The data directory of a server may be opened in process at the same time."""
    server = GlueServer(command, tmp_path / "server")
    try:
        client = server.client("111111111111")
        client.create_database(DatabaseInput={"Name": "d"})
        conf["spark.sql.catalog.g.glue.endpoint"] = f"local:{tmp_path}/server/glue"
        answers = run(conf, ["SHOW DATABASES IN g", "CREATE TABLE g.d.t (id INT) USING parquet"], ENVIRONMENT)
        assert answers[0]["rows"] == [["d"]], answers
        assert [t["Name"] for t in client.get_tables(DatabaseName="d")["TableList"]] == ["t"]
    finally:
        server.stop()
