"""What Spark writes through gluecat, Trino reads from the same Glue Data Catalog; and the other way round."""

import pytest
from trino import TrinoError

EVERY_TYPE = """
SELECT true AS a_boolean, CAST(1 AS TINYINT) AS a_tinyint, CAST(2 AS SMALLINT) AS a_smallint, 3 AS an_int,
       4L AS a_bigint, CAST(0.5 AS FLOAT) AS a_float, 0.25D AS a_double, CAST('12.340' AS DECIMAL(20, 3)) AS a_decimal,
       'ü' AS a_string, DATE '2024-02-29' AS a_date, TIMESTAMP '2024-02-29 12:34:56.123456' AS a_timestamp,
       X'00FF' AS a_binary, array(1, 2) AS an_array, map('k', 1) AS a_map, named_struct('x', 1, 'y', 'z') AS a_struct
"""


@pytest.mark.parametrize("provider", ["parquet", "orc"])
def test_trino_reads_every_type(spark, trino, provider):
    spark.sql(f"CREATE TABLE glue.db.types_{provider} USING {provider} AS {EVERY_TYPE}")
    rows = trino.sql(f"SELECT * FROM glue.db.types_{provider}")
    assert rows == [(True, 1, 2, 3, 4, 0.5, 0.25, "12.340", "ü", "2024-02-29", "2024-02-29 12:34:56.123456",
                     "AP8=", [1, 2], {"k": 1}, [1, "z"])]


def test_trino_reads_the_partitions_that_spark_registered(spark, trino):
    spark.sql("CREATE TABLE glue.db.days (amount BIGINT, day DATE, shop STRING) USING parquet PARTITIONED BY (day, shop)")
    spark.sql("INSERT INTO glue.db.days SELECT id, DATE '2024-01-01' + CAST(id % 3 AS INT), concat('s', id % 2)"
              " FROM range(12)")
    assert trino.sql("SELECT day, shop, sum(amount) FROM glue.db.days GROUP BY 1, 2 ORDER BY 1, 2") == [
        ("2024-01-01", "s0", 6), ("2024-01-01", "s1", 12), ("2024-01-02", "s0", 14),
        ("2024-01-02", "s1", 8), ("2024-01-03", "s0", 10), ("2024-01-03", "s1", 16)]
    assert trino.sql("SELECT count(*) FROM glue.db.\"days$partitions\"") == [(6,)]


def test_a_filter_on_partitions_is_answered_by_the_server(spark, trino, server):
    spark.sql("CREATE TABLE glue.db.pruned (v INT, p STRING) USING parquet PARTITIONED BY (p)")
    spark.sql("INSERT INTO glue.db.pruned SELECT id, id FROM range(10)")
    with server.requests() as log:
        assert trino.sql("SELECT v FROM glue.db.pruned WHERE p IN ('3', '7') ORDER BY v") == [(3,), (7,)]
    expressions = [r.body.get("Expression") for r in log.requests if r.operation == "GetPartitions"]
    assert any(expressions), log.operations


def test_spark_reads_what_trino_inserts_into_its_table(spark, trino):
    spark.sql("CREATE TABLE glue.db.shared (v INT, p STRING) USING parquet PARTITIONED BY (p)"
              " LOCATION 's3://lake/shared'")
    spark.sql("INSERT INTO glue.db.shared VALUES (1, 'spark')")
    trino.sql("INSERT INTO glue.db.shared VALUES (2, 'trino'), (3, 'spark')")
    rows = spark.sql("SELECT v, p FROM glue.db.shared ORDER BY v").collect()
    assert [tuple(row) for row in rows] == [(1, "spark"), (2, "trino"), (3, "spark")]


def test_trino_shows_a_table_as_spark_made_it(spark, trino):
    spark.sql("CREATE TABLE glue.db.commented (v INT COMMENT 'the value') USING parquet COMMENT 'a table'")
    assert trino.sql("DESCRIBE glue.db.commented") == [("v", "integer", "", "the value")]
    assert "COMMENT 'a table'" in trino.sql("SHOW CREATE TABLE glue.db.commented")[0][0]


def test_trino_says_that_a_delta_table_is_one(spark, trino):
    spark.sql("CREATE TABLE glue.db.a_delta_table USING delta AS SELECT 1 AS v")
    with pytest.raises(TrinoError, match="Delta Lake"):
        trino.sql("SELECT * FROM glue.db.a_delta_table")


def test_trino_makes_changes_and_drops_its_own_objects(trino, server):
    """The server under a client that uses column statistics, views, functions and versions in its own way."""
    trino.sql("CREATE SCHEMA glue.own")
    trino.sql("CREATE TABLE glue.own.t WITH (format = 'PARQUET', partitioned_by = ARRAY['p'])"
              " AS SELECT 1 AS v, 'a' AS w, 'x' AS p UNION ALL SELECT 2, 'bb', 'y'")
    assert trino.sql("SELECT * FROM glue.own.t ORDER BY v") == [(1, "a", "x"), (2, "bb", "y")]
    trino.sql("ANALYZE glue.own.t")
    statistics = {row[0]: row for row in trino.sql("SHOW STATS FOR glue.own.t")}
    # Distinct values are those of the partition that has most.
    assert statistics["v"][2] == 1.0 and statistics[None][4] == 2.0
    trino.sql("ALTER TABLE glue.own.t ADD COLUMN added DATE")
    assert trino.sql("SELECT count(added) FROM glue.own.t") == [(0,)]
    trino.sql("DELETE FROM glue.own.t WHERE p = 'x'")
    assert trino.sql("SELECT p FROM glue.own.t") == [("y",)]
    trino.sql("CREATE VIEW glue.own.w AS SELECT count(*) AS n FROM glue.own.t")
    assert trino.sql("SELECT n FROM glue.own.w") == [(1,)]
    trino.sql("CREATE FUNCTION glue.own.twice(x INTEGER) RETURNS INTEGER RETURN x * 2")
    assert trino.sql("SELECT glue.own.twice(21)") == [(42,)]
    assert sorted(row[0] for row in trino.sql("SHOW TABLES FROM glue.own")) == ["t", "w"]
    trino.sql("DROP FUNCTION glue.own.twice(INTEGER)")
    trino.sql("DROP VIEW glue.own.w")
    trino.sql("DROP TABLE glue.own.t")
    trino.sql("DROP SCHEMA glue.own")
    names = [database["Name"] for database in server.client("111111111111").get_databases()["DatabaseList"]]
    assert "own" not in names
