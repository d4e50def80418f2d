"""The Glue entry of a Delta table follows its log: once per change of schema, never otherwise, also after failures."""

import json
import re
import time

import pytest

from conftest import ACCOUNT_A
from harness.glue import Database, columns
from harness.server import GlueServer
from harness.session import message_of

pytestmark = pytest.mark.modes("named")

READ, CHANGE = ["GetTable"], ["GetTable", "UpdateTable"]

COSTS = [
    ("INSERT INTO {t} VALUES (3, 'c')", READ),
    ("SELECT * FROM {t}", READ),
    ("SELECT * FROM {t} VERSION AS OF 0", READ),
    ("UPDATE {t} SET name = 'x' WHERE id = 1", READ),
    ("DELETE FROM {t} WHERE id = 3", READ),
    ("MERGE INTO {t} t USING (SELECT 9L AS id, 'n' AS name) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *", READ),
    ("OPTIMIZE {t}", READ),
    ("VACUUM {t} RETAIN 200 HOURS DRY RUN", READ),
    ("DESCRIBE {t}", READ),
    ("DESCRIBE DETAIL {t}", READ),
    ("DESCRIBE HISTORY {t}", READ),
    ("SHOW CREATE TABLE {t}", READ),
    ("SHOW TBLPROPERTIES {t}", READ),
    ("ALTER TABLE {t} SET TBLPROPERTIES ('a' = 'b')", READ),
    ("ALTER TABLE {t} ADD CONSTRAINT positive CHECK (id > 0)", READ),
    ("ALTER TABLE {t} DROP CONSTRAINT positive", READ),
    ("ALTER TABLE {t} ADD COLUMN more INT", CHANGE),
    ("ALTER TABLE {t} ALTER COLUMN name COMMENT 'who'", CHANGE),
    ("COMMENT ON TABLE {t} IS 'a table'", CHANGE),
    ("RESTORE TABLE {t} TO VERSION AS OF 0", CHANGE),
    ("TRUNCATE TABLE {t}", READ),
    ("REFRESH TABLE {t}", READ),
    ("DROP TABLE {t}", ["GetTable", "DeleteTable"]),
]


def test_what_statements_cost(sql, database, requests):
    """One table through its life, so that a change of the schema is followed by statements that change nothing."""
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} (id BIGINT, name STRING) USING delta")
    sql(f"INSERT INTO {table} VALUES (1, 'a'), (2, 'b')")
    seen = {}
    for statement, expected in COSTS:
        start = time.monotonic()
        with requests() as log:
            sql(statement.format(t=table))
        # After five seconds the entry is read once more before it is changed.
        slow = time.monotonic() - start > 4 and "UpdateTable" in expected
        if log.operations not in ([expected, READ + expected] if slow else [expected]):
            seen[statement] = log.operations
        for request in log.requests:
            if request.operation == "UpdateTable":
                assert request.body["SkipArchive"] is True and request.body["VersionId"], statement
    assert seen == {}, seen


@pytest.mark.fault("P024")
def test_writes_that_change_the_schema_cost_one_update(spark, sql, database, requests):
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} (id BIGINT) USING delta")
    writer = spark.sql("SELECT 1L AS id, 'x' AS a").write.format("delta")
    with requests() as log:
        writer.mode("append").option("mergeSchema", "true").saveAsTable(table)
    assert log.count("UpdateTable") == 1 and list(columns(database.entry("t"))) == ["id", "a"]
    with requests() as log:
        writer.mode("append").option("mergeSchema", "true").saveAsTable(table)
    assert log.count("UpdateTable") == 0
    for updates in (1, 0):
        with requests() as log:
            sql(f"CREATE OR REPLACE TABLE {table} (id INT) USING delta")
        assert log.count("UpdateTable") == updates
    with requests() as log:
        spark.range(1).write.format("delta").mode("overwrite").option("overwriteSchema", "true").saveAsTable(table)
    assert log.count("UpdateTable") == 1 and list(columns(database.entry("t"))) == ["id"]


def test_a_comment_in_glue_stays_if_the_log_has_none(sql, database, glue):
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} (id BIGINT) USING delta")
    entry = {k: v for k, v in database.entry("t").items()
             if k in ("Name", "TableType", "Parameters", "StorageDescriptor", "PartitionKeys")}
    glue.update_table(CatalogId=ACCOUNT_A, DatabaseName=database.name,
                      TableInput={**entry, "Description": "from the console"})
    sql(f"ALTER TABLE {table} ADD COLUMN more INT")
    sql(f"REFRESH TABLE {table}")
    assert database.entry("t")["Description"] == "from the console"
    assert columns(database.entry("t"))["more"] == "int"


class Denying:
    """A server whose only user may be denied operations from one moment to the next."""

    def __init__(self, command, folder):
        folder.mkdir(parents=True)
        self._accounts = folder / "accounts.json"
        self._write([])
        self.server = GlueServer(command, folder, accounts=self._accounts)

    def _write(self, denied):
        user = {"access_key": "111111111111", "secret_key": "secret", "allow": ["glue:*"], "deny": denied}
        self._accounts.write_text(json.dumps({"accounts": {ACCOUNT_A: {"users": {"etl": user}}}}))

    def deny(self, *operations):
        self._write([f"glue:{operation}" for operation in operations])
        self.server.hang_up()


@pytest.fixture
def denying(command, tmp_path):
    denying = Denying(command, tmp_path / "denying")
    yield denying
    denying.server.stop()


@pytest.fixture
def watched(denying, another, database_name, tmp_path):
    """A database on that server."""
    name = another("denied", glue__endpoint=denying.server.endpoint)
    return Database.create(denying.server.client(ACCOUNT_A), ACCOUNT_A, name, database_name, tmp_path / "lake")


def fails(spark, statement):
    with pytest.raises(Exception) as raised:
        spark.sql(statement).collect()
    text = message_of(raised.value)
    assert "is committed to its Delta log" in text and ACCOUNT_A in text and "secret" not in text
    return text


def test_an_entry_left_behind_is_repaired_by_the_next_write_or_refresh(spark, sql, denying, watched):
    table = f"{watched}.t"
    sql(f"CREATE TABLE {table} (id BIGINT) USING delta")
    for number, repair in enumerate((f"INSERT INTO {table} (id) VALUES (1)", f"REFRESH TABLE {table}")):
        denying.deny("UpdateTable")
        text = fails(spark, f"ALTER TABLE {table} ADD COLUMN c{number} INT")
        assert f"REFRESH TABLE {table}" in text and f"{watched.location}/t" in text
        assert f"c{number}" not in columns(watched.entry("t"))
        denying.deny()
        with denying.server.requests() as log:
            sql(repair)
        assert log.count("UpdateTable") == 1 and set(log.operations) == set(CHANGE)
        assert columns(watched.entry("t"))[f"c{number}"] == "int"


def test_a_table_whose_registration_failed(spark, sql, denying, watched):
    table = f"{watched}.t"
    denying.deny("CreateTable")
    fails(spark, f"CREATE TABLE {table} (id BIGINT, day INT) USING delta PARTITIONED BY (day)")
    text = fails(spark, f"CREATE TABLE {watched}.rows USING delta AS SELECT 1 AS id")
    assert watched.tables() == []
    denying.deny()
    sql(f"CREATE TABLE {table} (id BIGINT, day INT) USING delta PARTITIONED BY (day)")
    assert columns(watched.entry("t")) == {"id": "bigint", "day": "int"}
    with pytest.raises(Exception, match="registers it"):
        sql(f"CREATE TABLE {watched}.rows USING delta AS SELECT 2 AS id")
    sql(re.search(r"(CREATE TABLE \S+ USING delta LOCATION '[^']+')", text).group(1))
    assert [r.id for r in sql(f"SELECT id FROM {watched}.rows")] == [1]
