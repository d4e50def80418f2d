"""Delta tables that are not what their entry says, and names and schemas at the edge of what is possible."""

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from conftest import ACCOUNT_A
from harness.glue import columns
from harness.session import message_of

pytestmark = pytest.mark.modes("named")


def delta_entry(name, location, *names_and_types):
    return {"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": {"table_type": "DELTA"},
            "StorageDescriptor": {"Location": f"file:{location}", "Columns": [
                {"Name": column, "Type": kind} for column, kind in names_and_types]}}


@pytest.fixture
def files(spark, tmp_path):
    """A Delta table at a path, of which Delta remembers nothing."""
    spark.range(3).write.format("delta").save(f"file:{tmp_path}/written")
    return shutil.copytree(tmp_path / "written", tmp_path / "files")


@pytest.fixture
def fails(spark, catalog, database):
    def run(statement, *mentions):
        with pytest.raises(Exception) as raised:
            spark.sql(statement).collect()
        text = message_of(raised.value)
        for mention in mentions:
            assert mention in text, text
        return text

    return run


def test_there_is_no_log(sql, fails, catalog, database, tmp_path):
    database.put(delta_entry("t", tmp_path / "nowhere", ("id", "int")))
    for statement in ("SELECT * FROM {t}", "INSERT INTO {t} VALUES (1)", "ALTER TABLE {t} ADD COLUMN c INT",
                      "OPTIMIZE {t}"):
        fails(statement.format(t=f"{database}.t"), catalog, ACCOUNT_A, f"{database.name}.t", f"{tmp_path}/nowhere")
    assert not (tmp_path / "nowhere").exists()
    sql(f"DROP TABLE {database}.t")
    assert database.tables() == []


def test_the_log_is_damaged(fails, sql, database, files):
    (files / "_delta_log" / "00000000000000000000.json").write_text("{not json\n")
    for checksum in (files / "_delta_log").glob("*.crc"):
        checksum.unlink()
    for checksum in (files / "_delta_log").glob(".*.crc"):
        checksum.unlink()
    database.put(delta_entry("t", files, ("id", "bigint")))
    fails(f"SELECT * FROM {database}.t", f"{database.name}.t", str(files))
    sql(f"DROP TABLE {database}.t")


def test_the_log_is_of_a_newer_protocol(fails, database, files):
    log = files / "_delta_log" / "00000000000000000001.json"
    log.write_text(json.dumps({"protocol": {"minReaderVersion": 99, "minWriterVersion": 99}}) + "\n")
    database.put(delta_entry("t", files, ("id", "bigint")))
    fails(f"SELECT * FROM {database}.t", f"{database.name}.t", "cannot be read")


def test_the_location_has_other_files(fails, sql, catalog, database, spark, tmp_path):
    spark.range(3).write.parquet(f"file:{tmp_path}/parquet")
    database.put(delta_entry("t", tmp_path / "parquet", ("id", "bigint")))
    fails(f"SELECT * FROM {database}.t", catalog, f"{database.name}.t", "no Delta log")
    with pytest.raises(Exception):
        sql(f"CREATE TABLE {database}.u USING delta LOCATION 'file:{tmp_path}/parquet'")
    assert database.tables() == ["t"]


def test_the_log_wins_over_the_columns_of_the_entry(sql, database, files):
    database.put(delta_entry("t", files, ("other", "string")))
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.t")) == [0, 1, 2]
    assert columns(database.entry("t")) == {"other": "string"}, "a read does not write"
    sql(f"INSERT INTO {database}.t VALUES (7)")
    assert columns(database.entry("t")) == {"id": "bigint"}


def test_names_with_dots_spaces_and_letters_of_all_kinds(sql, database):
    names = ["a.b", "two words", "Größe", "日本", "UPPER", "semi;colon"]
    declared = ", ".join(f"`{name}` INT" for name in names)
    sql(f"CREATE TABLE {database}.`mixed Ünï` ({declared}) USING delta "
        "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    sql(f"INSERT INTO {database}.`mixed Ünï` VALUES (1, 2, 3, 4, 5, 6)")
    row = sql(f"SELECT * FROM {database}.`mixed Ünï`")[0]
    assert row.asDict() == dict(zip(names, range(1, 7)))
    (table,) = database.tables()
    assert [c["Name"] for c in database.entry(table)["StorageDescriptor"]["Columns"]] == [n.lower() for n in names]


def test_four_thousand_columns(spark, sql, database, requests):
    declared = ", ".join(f"column_{number:04} INT" for number in range(4000))
    sql(f"CREATE TABLE {database}.wide ({declared}) USING delta")
    sql(f"ALTER TABLE {database}.wide ADD COLUMN one_more STRING")
    with requests() as log:
        assert len(spark.table(f"{database}.wide").columns) == 4001
    assert log.operations == ["GetTable"]
    assert len(columns(database.entry("wide"))) == 4001


def test_the_location_of_another_table(sql, fails, database):
    """It can have a second name, which is the same table, but nothing else can be made of it."""
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    sql(f"INSERT INTO {database}.t VALUES (1)")
    there = f"LOCATION 'file:{database.location}/t'"
    before = database.entry("t")
    fails(f"CREATE TABLE {database}.u (other STRING) USING delta {there}", "other")
    fails(f"CREATE TABLE {database}.u USING delta {there} AS SELECT 'x' AS other")
    assert database.tables() == ["t"] and database.entry("t") == before
    sql(f"CREATE TABLE {database}.u USING delta {there}")
    sql(f"ALTER TABLE {database}.u ADD COLUMN more STRING")
    assert sql(f"SELECT * FROM {database}.t")[0].asDict() == {"id": 1, "more": None}
    sql(f"DROP TABLE {database}.u")
    assert [r.id for r in sql(f"SELECT id FROM {database}.t")] == [1]


def at_once(spark, statements_of_sessions):
    """Runs each session's statements in a thread of its own and gives their errors, None for none."""
    start = Barrier(len(statements_of_sessions))

    def run(statements):
        session = spark.newSession()
        errors = []
        for statement in statements:
            start.wait(60)
            try:
                session.sql(statement).collect()
                errors.append(None)
            except Exception as error:  # noqa: BLE001 - it is the answer
                errors.append(message_of(error))
        return errors

    with ThreadPoolExecutor(len(statements_of_sessions)) as pool:
        return list(pool.map(run, statements_of_sessions))


def test_two_sessions_alter_at_once(spark, sql, database):
    """Changes that have nothing to do with each other are all made, and the entry has them all."""
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    errors = at_once(spark, [[f"ALTER TABLE {database}.t ADD COLUMN {session}{number} INT" for number in range(4)]
                             for session in "ab"])
    assert errors == [[None] * 4] * 2
    expected = {"id", *(f"{session}{number}" for session in "ab" for number in range(4))}
    assert set(spark.table(f"{database}.t").columns) == expected
    assert set(columns(database.entry("t"))) == expected


def test_two_sessions_add_the_same_column_at_once(spark, sql, database):
    """One adds it; the other is told that there is one."""
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    pairs = zip(*at_once(spark, [[f"ALTER TABLE {database}.t ADD COLUMN c{number} INT" for number in range(3)]] * 2))
    for number, pair in enumerate(pairs):
        (said,) = [error for error in pair if error]
        # Delta's words if they met, Spark's if one came late.
        assert f"c{number}" in said and re.search("duplicate|already exist", said, re.IGNORECASE), said
    assert columns(database.entry("t")) == {"id": "int", "c0": "int", "c1": "int", "c2": "int"}


def test_a_crash_between_the_log_and_the_entry(sql, database):
    """What the log of a new table has and Glue has not, the same statement registers."""
    create = f"CREATE TABLE {database}.t (id INT) USING delta"
    sql(create)
    database.glue.delete_table(CatalogId=database.account, DatabaseName=database.name, Name="t")
    sql(create)
    assert database.tables() == ["t"]
    sql(f"INSERT INTO {database}.t VALUES (4)")
    assert [r.id for r in sql(f"SELECT * FROM {database}.t")] == [4]
