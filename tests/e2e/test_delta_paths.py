"""Delta tables that SQL names by their path, as in delta.`/some/where`, while the current catalog is one of ours."""

import pytest

from harness.session import message_of


@pytest.fixture
def t(spark, catalog, tmp_path):
    """A table of three rows that no catalog knows."""
    spark.range(3).write.format("delta").save(f"file:{tmp_path}/t")
    before = spark.catalog.currentCatalog()
    if before != catalog:
        spark.catalog.setCurrentCatalog(catalog)
    yield f"delta.`{tmp_path}/t`"
    if before != catalog:
        spark.catalog.setCurrentCatalog(before)


def test_they_are_read_and_written_without_glue(sql, t, requests):
    with requests() as log:
        sql(f"INSERT INTO {t} VALUES (7)")
        sql(f"UPDATE {t} SET id = 8 WHERE id = 7")
        sql(f"DELETE FROM {t} WHERE id = 0")
        sql(f"MERGE INTO {t} x USING (SELECT 9L AS id) y ON x.id = y.id WHEN NOT MATCHED THEN INSERT *")
        sql(f"ALTER TABLE {t} ADD COLUMN name STRING")
        sql(f"OPTIMIZE {t}")
        sql(f"VACUUM {t} DRY RUN")
        assert sorted(r.id for r in sql(f"SELECT id FROM {t} WHERE name IS NULL")) == [1, 2, 8, 9]
        assert sql(f"SELECT count(*) AS n FROM {t} VERSION AS OF 0")[0].n == 3
        assert [r.col_name for r in sql(f"DESCRIBE {t}")][:2] == ["id", "name"]
        assert sql(f"DESCRIBE DETAIL {t}")[0].format == "delta"
        assert {r.operation for r in sql(f"DESCRIBE HISTORY {t}")} >= {"WRITE", "MERGE", "ADD COLUMNS"}
    assert log.operations == []


def test_they_are_not_created(spark, t, tmp_path):
    for statement in (f"CREATE TABLE delta.`{tmp_path}/new` (id INT) USING delta",
                      f"CREATE TABLE delta.`{tmp_path}/new` USING delta AS SELECT 1 AS id"):
        with pytest.raises(Exception) as raised:
            spark.sql(statement).collect()
        assert f"LOCATION '{tmp_path}/new'" in message_of(raised.value)
    assert not (tmp_path / "new").exists()


def test_they_can_be_turned_off(spark, sql, t):
    spark.conf.set("spark.sql.runSQLOnFiles", "false")
    try:
        with pytest.raises(Exception) as raised:
            sql(f"SELECT * FROM {t}")
        assert "delta" in message_of(raised.value)
    finally:
        spark.conf.unset("spark.sql.runSQLOnFiles")
