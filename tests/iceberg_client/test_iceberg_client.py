"""What Iceberg's GlueCatalog does with Glue: create, commit, rename, drop; commits that meet."""

from concurrent.futures import ThreadPoolExecutor

import pytest


def rows(spark, table: str) -> list[tuple]:
    return sorted(tuple(row) for row in spark.sql(f"SELECT * FROM {table}").collect())


def tables(spark) -> set[str]:
    return {row.tableName for row in spark.sql("SHOW TABLES IN g.db").collect()}


def test_create_insert_read(spark, glue):
    spark.sql("CREATE TABLE g.db.sales (id INT, day STRING COMMENT 'of the sale') USING iceberg PARTITIONED BY (day)")
    spark.sql("INSERT INTO g.db.sales VALUES (1, 'a'), (2, 'b')")
    spark.sql("INSERT INTO g.db.sales VALUES (3, 'a')")
    assert rows(spark, "g.db.sales") == [(1, "a"), (2, "b"), (3, "a")]
    entry = glue.get_table(DatabaseName="db", Name="sales")["Table"]
    assert entry["Parameters"]["table_type"] == "ICEBERG"
    assert entry["Parameters"]["metadata_location"] != entry["Parameters"]["previous_metadata_location"]
    assert [(c["Name"], c["Type"], c.get("Comment")) for c in entry["StorageDescriptor"]["Columns"]] == [
        ("id", "int", None), ("day", "string", "of the sale")]
    # One version for each commit.
    assert entry["VersionId"] == "2"


def test_columns_and_properties(spark, glue):
    spark.sql("CREATE TABLE g.db.wide (id INT) USING iceberg")
    spark.sql("ALTER TABLE g.db.wide ADD COLUMN more STRING")
    spark.sql("ALTER TABLE g.db.wide SET TBLPROPERTIES ('owner.team' = 'a')")
    spark.sql("INSERT INTO g.db.wide VALUES (1, 'x')")
    spark.sql("DELETE FROM g.db.wide WHERE id = 1")
    spark.sql("INSERT INTO g.db.wide VALUES (2, 'y')")
    assert rows(spark, "g.db.wide") == [(2, "y")]
    assert [c["Name"] for c in glue.get_table(DatabaseName="db", Name="wide")["Table"]["StorageDescriptor"][
        "Columns"]] == ["id", "more"]


def test_rename(spark):
    spark.sql("CREATE TABLE g.db.old (id INT) USING iceberg")
    spark.sql("INSERT INTO g.db.old VALUES (1)")
    spark.sql("ALTER TABLE g.db.old RENAME TO db.new")
    assert rows(spark, "g.db.new") == [(1,)]
    assert {"old", "new"} & tables(spark) == {"new"}


def test_drop(spark, glue):
    spark.sql("CREATE TABLE g.db.gone (id INT) USING iceberg")
    spark.sql("DROP TABLE g.db.gone")
    assert "gone" not in tables(spark)
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.get_table(DatabaseName="db", Name="gone")


def test_commits_that_meet_lose_nothing(spark, glue):
    spark.sql("CREATE TABLE g.db.busy (id INT) USING iceberg TBLPROPERTIES ('commit.retry.num-retries' = '50', "
              "'commit.retry.min-wait-ms' = '10', 'commit.retry.max-wait-ms' = '200')")

    def insert(number: int) -> None:
        spark.sql(f"INSERT INTO g.db.busy VALUES ({number})")

    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(insert, range(12)))
    assert rows(spark, "g.db.busy") == [(number,) for number in range(12)]
    assert glue.get_table(DatabaseName="db", Name="busy")["Table"]["VersionId"] == "12"
