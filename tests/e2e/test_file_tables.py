"""Tables of data files: what Spark's own catalog does with them, ours does too, and what only ours can do.

tests/e2e/test_parquet.py has the everyday statements; here are the formats, the edges and the failures.
"""

import re
import threading

import pytest

from harness.session import message_of

# Statements on one table `{t}` (and a second one, `{u}`), with an external directory `{dir}`. Each runs in our catalog
# and in Spark's built-in one, and must give the same rows or fail in both.
SAME_AS_SPARK = {
    "every format, null partitions": [
        stmt
        for fmt in ("parquet", "orc", "csv", "json")
        for stmt in (
            f"CREATE TABLE {{t}}_{fmt} (v STRING, n INT, k STRING) USING {fmt} PARTITIONED BY (k)",
            f"INSERT INTO {{t}}_{fmt} VALUES ('a', 1, 'x'), ('b', 2, NULL), ('c', NULL, '')",
            f"SELECT * FROM {{t}}_{fmt}",
            f"SELECT v FROM {{t}}_{fmt} WHERE k IS NULL",
            f"SELECT v FROM {{t}}_{fmt} WHERE k = 'x' AND n = 1",
        )],
    "text": [
        "CREATE TABLE {t} (v STRING, k INT) USING text PARTITIONED BY (k)",
        "INSERT INTO {t} VALUES ('one', 1), ('two', 2)",
        "SELECT v FROM {t} WHERE k > 1",
        "CREATE TABLE {u} (n INT) USING text",
    ],
    "options of the format": [
        "CREATE TABLE {t} (id INT, v STRING) USING csv OPTIONS (header 'true', sep '|')",
        "INSERT INTO {t} VALUES (1, 'a,b'), (2, NULL)",
        "SELECT * FROM {t}",
    ],
    "types of partition columns": [
        "CREATE TABLE {t} (i INT, ts TIMESTAMP, d DATE, s STRING, c DECIMAL(5,2), b BOOLEAN, l BIGINT) "
        "USING parquet PARTITIONED BY (ts, d, s, c, b, l)",
        "INSERT INTO {t} VALUES "
        "(1, TIMESTAMP'2021-01-02 03:04:05', DATE'2021-01-02', 'a/b=c %:ü', 1.50, true, -7), "
        "(2, NULL, NULL, NULL, NULL, NULL, NULL), "
        "(3, TIMESTAMP'2021-01-02 00:00:00', DATE'2020-12-31', ' x', 20, false, 10)",
        "SELECT * FROM {t}",
        *(f"SELECT i FROM {{t}} WHERE {condition}" for condition in (
            "ts > TIMESTAMP'2021-01-02 01:00:00'", "d = DATE'2021-01-02'", "d < DATE'2021-01-01'",
            "s = 'a/b=c %:ü'", "s IS NULL", "s <=> NULL", "c = 1.5", "c > 9", "b", "NOT b", "s LIKE 'a%'",
            "d IN (DATE'2021-01-02', DATE'2020-12-31')", "year(d) = 2021", "s <> 'q'", "l > 9", "l < 0",
            "NOT (d = DATE'2021-01-02')", "d = DATE'2021-01-02' OR i = 3", "l NOT IN (10, 11)",
            "l = 10 OR s IS NULL", "cast(l AS STRING) = '10'", "s = ' x' AND l BETWEEN 1 AND 20")),
    ],
    "char, varchar, defaults": [
        "CREATE TABLE {t} (c CHAR(5), v VARCHAR(3), i INT DEFAULT 42) USING parquet",
        "INSERT INTO {t} VALUES ('ab', 'xy', DEFAULT)",
        "INSERT INTO {t} VALUES ('ab', 'too long', 1)",
        "INSERT INTO {t} VALUES ('abcdefg', 'x', 1)",
        "SELECT c, length(c), v, i FROM {t} WHERE c = 'ab'",
    ],
    "columns by name and position": [
        "CREATE TABLE {t} (a INT, b STRING, k INT) USING parquet PARTITIONED BY (k)",
        "INSERT INTO {t} (k, b, a) VALUES (1, 'x', 10)",
        "INSERT INTO {t} PARTITION (k = 2) VALUES (20, 'y')",
        "INSERT INTO {t} PARTITION (k = 3) (b, a) VALUES ('z', 30)",
        "INSERT INTO {t} BY NAME SELECT 4 AS k, 'w' AS b, 40 AS a",
        "INSERT INTO {t} VALUES (1, 2)",
        "INSERT INTO {t} VALUES ('not a number', 'x', 1)",
        "INSERT INTO {t} PARTITION (nokey = 1) VALUES (1, 'x')",
        "SELECT a, b, k FROM {t}",
    ],
    "static overwrites": [
        "CREATE TABLE {t} (id INT, a INT, b STRING) USING parquet PARTITIONED BY (a, b)",
        "INSERT INTO {t} VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'x')",
        "INSERT OVERWRITE {t} PARTITION (a = 1, b) SELECT 10, 'z'",
        "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
        "INSERT OVERWRITE {t} PARTITION (a = 2, b = 'x') SELECT 20",
        "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
        "INSERT OVERWRITE {t} PARTITION (a = 7, b = 'empty') SELECT 1 WHERE false",
        "SHOW PARTITIONS {t}",
        "INSERT OVERWRITE {t} SELECT 30, 3, 'q'",
        "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
    ],
    "dynamic overwrites": [
        "SET spark.sql.sources.partitionOverwriteMode = dynamic",
        "CREATE TABLE {t} (id INT, a INT, b STRING) USING parquet PARTITIONED BY (a, b)",
        "INSERT INTO {t} VALUES (1, 1, 'x'), (2, 1, 'y'), (3, 2, 'x')",
        "INSERT OVERWRITE {t} VALUES (10, 1, 'y'), (11, 5, 'n')",
        "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
        "INSERT OVERWRITE {t} PARTITION (a = 1, b) SELECT 12, 'x'",
        "SELECT * FROM {t}",
        "CREATE TABLE {u} USING parquet AS SELECT 1 AS id",
        "INSERT OVERWRITE {u} SELECT 2", "INSERT OVERWRITE {u} SELECT 3", "SELECT * FROM {u}",
    ],
    "partitions somewhere else": [
        "CREATE TABLE {t} (id INT, k INT) USING parquet PARTITIONED BY (k)",
        "ALTER TABLE {t} ADD PARTITION (k = 1) LOCATION '{dir}/one'",
        "INSERT INTO {t} VALUES (1, 1), (2, 2)",
        "SELECT id, regexp_extract(_metadata.file_path, '.*/([^/]+)/[^/]+', 1) FROM {t}",
        "INSERT OVERWRITE {t} PARTITION (k = 1) SELECT 10",
        "SELECT id, regexp_extract(_metadata.file_path, '.*/([^/]+)/[^/]+', 1) FROM {t}",
        "INSERT OVERWRITE {t} SELECT 20, 1",
        "SELECT id, regexp_extract(_metadata.file_path, '.*/([^/]+)/[^/]+', 1) FROM {t}",
        "SET spark.sql.sources.partitionOverwriteMode = dynamic",
        "INSERT OVERWRITE {t} VALUES (30, 1), (31, 3)",
        "SELECT id, regexp_extract(_metadata.file_path, '.*/([^/]+)/[^/]+', 1) FROM {t}",
    ],
    "adding, dropping, truncating partitions": [
        "CREATE TABLE {t} (id INT, k INT) USING parquet PARTITIONED BY (k)",
        "INSERT INTO {t} VALUES (1, 1), (2, 2)",
        "ALTER TABLE {t} ADD PARTITION (k = 5) PARTITION (k = 6)",
        "ALTER TABLE {t} ADD PARTITION (k = 5)",
        "ALTER TABLE {t} ADD IF NOT EXISTS PARTITION (k = 5) PARTITION (k = 7)",
        "SHOW PARTITIONS {t}", "SHOW PARTITIONS {t} PARTITION (k = 5)",
        "ALTER TABLE {t} DROP PARTITION (k = 6)", "ALTER TABLE {t} DROP PARTITION (k = 6)",
        "ALTER TABLE {t} DROP IF EXISTS PARTITION (k = 6)",
        "TRUNCATE TABLE {t} PARTITION (k = 2)", "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
        "TRUNCATE TABLE {t}", "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
    ],
    "create as select": [
        "CREATE TABLE {t} USING parquet PARTITIONED BY (k) AS SELECT id, id % 3 AS k, 'v' AS v FROM range(9)",
        "SELECT * FROM {t}", "SHOW PARTITIONS {t}",
        "CREATE TABLE {t} USING parquet AS SELECT 1 AS id",
        "CREATE TABLE IF NOT EXISTS {t} USING parquet AS SELECT 1 AS id",
        "CREATE TABLE {u} USING csv OPTIONS (header 'true') LOCATION '{dir}/ctas' AS SELECT 1 AS a, 'x' AS b",
        "SELECT * FROM {u}",
        "CREATE TABLE {t}_2 USING parquet PARTITIONED BY (nokey) AS SELECT 1 AS id",
        "CREATE TABLE {t}_3 USING parquet PARTITIONED BY (id) AS SELECT 1 AS id",
        "CREATE TABLE {t}_4 USING parquet AS SELECT 1 AS id, 2 AS ID",
        "CREATE TABLE {t}_5 USING nosuchformat AS SELECT 1 AS id",
    ],
    "a location that is not empty": [
        "CREATE TABLE {t} USING parquet LOCATION '{dir}/full' AS SELECT 1 AS id",
        "CREATE TABLE {u} USING parquet LOCATION '{dir}/full' AS SELECT 2 AS id",
        "CREATE TABLE {u} (id INT) USING parquet LOCATION '{dir}/full'",
        "SELECT * FROM {u}",
    ],
    "schema of existing files": [
        "CREATE TABLE {t} USING parquet PARTITIONED BY (k) LOCATION '{dir}/data' AS SELECT id, id % 2 AS k FROM range(4)",
        "CREATE TABLE {u} USING parquet LOCATION '{dir}/data'",
        "MSCK REPAIR TABLE {u}",
        "SELECT id, k FROM {u}", "SHOW PARTITIONS {u}",
        "CREATE TABLE {t}_2 USING parquet LOCATION '{dir}/nothing'",
    ],
    "repair": [
        "CREATE TABLE {t} (id INT, a INT, b STRING) USING parquet PARTITIONED BY (a, b) LOCATION '{dir}/r'",
        "INSERT INTO {t} VALUES (1, 1, 'x y'), (2, 2, NULL), (3, 3, 'z')",
        "CREATE TABLE {u} (id INT, a INT, b STRING) USING parquet PARTITIONED BY (a, b) LOCATION '{dir}/r'",
        "SELECT * FROM {u}",
        "ALTER TABLE {u} RECOVER PARTITIONS",
        "SELECT * FROM {u}",
        "MSCK REPAIR TABLE {u} SYNC PARTITIONS",
        "SELECT count(*) FROM {u}",
    ],
    "buckets": [
        "CREATE TABLE {t} USING parquet CLUSTERED BY (id) SORTED BY (id) INTO 4 BUCKETS "
        "AS SELECT id, id * 2 AS v FROM range(100)",
        "INSERT INTO {t} SELECT id + 100, id FROM range(10)",
        "SELECT sum(v), count(*) FROM {t} WHERE id = 7",
        "SELECT count(*) FROM {t} x JOIN {t} y ON x.id = y.id",
    ],
    "nested types": [
        "CREATE TABLE {t} (m MAP<STRING, ARRAY<INT>>, s STRUCT<aB: INT, `odd name`: STRING>) USING parquet",
        "INSERT INTO {t} VALUES (map('k', array(1, 2)), named_struct('aB', 1, 'odd name', 'x'))",
        "SELECT m['k'][1], s.ab, s.`odd name` FROM {t}",
    ],
    "column names": [
        "CREATE TABLE {t} (`a b` INT, `c.d` INT, `E` INT) USING parquet PARTITIONED BY (`E`)",
        "INSERT INTO {t} VALUES (1, 2, 3)",
        "SELECT `a b`, `c.d`, e FROM {t} WHERE E = 3",
        "INSERT OVERWRITE {t} PARTITION (e = 3) SELECT 4, 5",
        "SELECT * FROM {t}",
    ],
    "statistics in the way of nothing": [
        "CREATE TABLE {t} (id INT) USING parquet",
        "SELECT count(*), max(id) FROM {t}",
        "INSERT INTO {t} SELECT id FROM range(10)",
        "SELECT count(*), max(id) FROM {t}",
    ],
    "intervals and void": [
        "CREATE TABLE {t} (i INTERVAL) USING parquet",
        "CREATE TABLE {u} USING csv AS SELECT NULL AS nothing",
        "CREATE TABLE {u} (m MAP<STRING, INT>) USING csv",
    ],
}


# Spark 3.5 has no default for a column that is left out when the table is not in its own catalog.
SINCE_4_0 = {
    "columns left out": [
        "CREATE TABLE {t} (a INT, b STRING, c INT DEFAULT 42, k INT) USING parquet PARTITIONED BY (k)",
        "INSERT INTO {t} (a, k) VALUES (1, 1)",
        "INSERT INTO {t} (b) VALUES ('x')",
        "SELECT a, b, c, k FROM {t}",
    ],
}


def outcome(spark, statement):
    """Rows in any order, or that it failed."""
    try:
        return sorted((tuple(map(str, row)) for row in spark.sql(statement).collect()))
    except Exception as error:  # Spark has a class for nearly every error
        return f"fails: {type(error).__name__}" if "Analysis" in type(error).__name__ else "fails"


@pytest.fixture
def plain_session(spark):
    yield spark
    for key in ("spark.sql.sources.partitionOverwriteMode",):
        spark.conf.unset(key)


@pytest.mark.modes("named")
@pytest.mark.parametrize("name", [*SAME_AS_SPARK, *SINCE_4_0])
def test_same_as_sparks_own_catalog(plain_session, database, tmp_path, line, name):
    if name in SINCE_4_0 and line.spark == "3.5":
        pytest.skip("Spark 3.5 has no defaults here")
    statements = SAME_AS_SPARK.get(name) or SINCE_4_0[name]
    spark = plain_session
    own = f"spark_catalog.{database.name}"
    spark.sql(f"CREATE DATABASE {own} LOCATION 'file:{tmp_path}/own'")
    try:
        results = {}
        for place in (own, str(database)):
            directory = tmp_path / ("dir_own" if place == own else "dir_ours")
            names = {"t": f"{place}.t", "u": f"{place}.u", "dir": f"file:{directory}"}
            results[place] = [(s, outcome(spark, s.format(**names))) for s in statements]
            spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
        for (statement, expected), (_, ours) in zip(results[own], results[str(database)]):
            assert str(ours)[:5] == str(expected)[:5] if "fails" in str(expected) else ours == expected, statement
    finally:
        spark.sql(f"DROP DATABASE {own} CASCADE")


def files_of(path):
    return sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith((".", "_")))


def ids(rows):
    return sorted(row.id for row in rows)


@pytest.mark.modes("named")
def test_options_of_a_writer_are_kept_for_readers(spark, sql, database):
    frame = spark.createDataFrame([(1, "a;b")], "id int, v string")
    frame.write.format("csv").option("header", True).option("sep", ";").saveAsTable(f"{database}.t")
    assert [tuple(r) for r in sql(f"SELECT * FROM {database}.t")] == [(1, "a;b")]
    parameters = database.entry("t")["StorageDescriptor"]["SerdeInfo"]["Parameters"]
    assert parameters["sep"] == ";" and parameters["header"] == "true"


@pytest.mark.modes("named")
def test_compression_of_table_and_writer(spark, sql, database):
    sql(f"CREATE TABLE {database}.t (id BIGINT) USING parquet OPTIONS (compression 'gzip')")
    sql(f"INSERT INTO {database}.t VALUES (1)")
    spark.range(1).coalesce(1).writeTo(f"{database}.t").option("compression", "zstd").append()
    names = [f.name for f in files_of(database.location / "t")]
    assert sorted(n.split(".")[-2] for n in names) == ["gz", "zstd"]


def test_overwrite_from_itself(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 2 AS k FROM range(6)")
    sql(f"INSERT OVERWRITE {database}.t SELECT id + 10, k FROM {database}.t WHERE k = 1")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [11, 13, 15]
    assert set(database.partitions("t")) == {("1",)}


@pytest.mark.parametrize("mode_of_overwrite", ["static", "dynamic"])
def test_failed_overwrite_changes_nothing(plain_session, sql, database, mode_of_overwrite):
    plain_session.conf.set("spark.sql.sources.partitionOverwriteMode", mode_of_overwrite)
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 2 AS k FROM range(4)")
    before = files_of(database.location / "t")
    with pytest.raises(Exception, match="boom"):
        sql(f"INSERT OVERWRITE {database}.t SELECT CAST(raise_error('boom') AS BIGINT), 1L")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [0, 1, 2, 3]
    assert files_of(database.location / "t") == before
    assert set(database.partitions("t")) == {("0",), ("1",)}


def test_failed_create_as_select_leaves_nothing(sql, database):
    with pytest.raises(Exception, match="boom"):
        sql(f"CREATE TABLE {database}.t USING parquet AS SELECT id, CAST(raise_error('boom') AS INT) FROM range(3)")
    assert database.tables() == []
    assert files_of(database.location / "t") == []
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT id FROM range(3)")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [0, 1, 2]


@pytest.mark.modes("named")
def test_create_as_select_that_loses_a_race_leaves_the_winner_alone(spark, sql, database, server):
    """Another session makes the same table while our rows are being written."""
    location = f"file:{database.location}/t"
    endpoint, name = server.endpoint, database.name

    def create_elsewhere(value):
        import boto3
        boto3.client("glue", endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id="111111111111",
                     aws_secret_access_key="secret").create_table(
            CatalogId="111111111111", DatabaseName=name, TableInput={
                "Name": "t", "Description": "the winner",
                "StorageDescriptor": {"Columns": [], "Location": location}})
        return value

    spark.udf.register("competitor", create_elsewhere, "int")
    with pytest.raises(Exception) as failure:
        sql(f"CREATE TABLE {database}.t USING parquet AS SELECT competitor(1) AS id")
    assert "already exists" in message_of(failure.value)
    assert database.entry("t")["Description"] == "the winner"
    assert files_of(database.location / "t") == []


def test_failure_between_commit_and_registering_says_what_to_do(spark, sql, database, server):
    sql(f"CREATE TABLE {database}.t (id INT, k INT) USING parquet PARTITIONED BY (k)")
    endpoint, name = server.endpoint, database.name

    def delete_elsewhere(value):
        import boto3
        boto3.client("glue", endpoint_url=endpoint, region_name="eu-central-1", aws_access_key_id="111111111111",
                     aws_secret_access_key="secret").delete_table(
            CatalogId="111111111111", DatabaseName=name, Name="t")
        return value

    spark.udf.register("vandal", delete_elsewhere, "int")
    with pytest.raises(Exception) as failure:
        sql(f"INSERT INTO {database}.t SELECT vandal(1), 1")
    message = message_of(failure.value)
    assert "MSCK REPAIR TABLE" in message and "Do not repeat" in message, message
    assert database.account in message and f"{database.name}.t" in message
    assert len(files_of(database.location / "t")) == 1


@pytest.mark.fault("P077")
@pytest.mark.modes("named")
def test_repair_of_more_partitions_than_one_batch(sql, database, requests):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(250)")
    database.drop_partitions("t", [[str(k)] for k in range(200, 250)])
    with requests() as seen:
        sql(f"MSCK REPAIR TABLE {database}.t")
    assert len(database.partitions("t")) == 250
    batches = [r.body["PartitionInputList"] for r in seen.requests if r.operation == "BatchCreatePartition"]
    assert sum(map(len, batches)) == 50 and max(map(len, batches)) <= 100
    sql(f"ALTER TABLE {database}.t ADD IF NOT EXISTS PARTITION (k = 1) PARTITION (k = 999)")
    assert len(database.partitions("t")) == 251
    with pytest.raises(Exception) as failure:
        sql(f"ALTER TABLE {database}.t ADD PARTITION (k = 2)")
    message = message_of(failure.value)
    assert "exist" in message and "2" in message and "999" not in message, message


@pytest.mark.fault("P078")
@pytest.mark.modes("named")
def test_more_partitions_go_than_one_batch(sql, database, requests):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(130)")
    with requests() as seen:
        sql(f"INSERT OVERWRITE {database}.t SELECT 1L AS id, 7L AS k")
    assert set(database.partitions("t")) == {("7",)}
    batches = [r.body["PartitionsToDelete"] for r in seen.requests if r.operation == "BatchDeletePartition"]
    assert sum(map(len, batches)) == 129 and max(map(len, batches)) <= 25


@pytest.mark.fault("P073")
@pytest.mark.modes("named")
def test_a_condition_longer_than_glue_takes(sql, database, requests):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(20)")
    wanted = ", ".join(str(number) for number in [3, 5, *range(1_000_000, 1_000_400)])
    with requests() as seen:
        assert ids(sql(f"SELECT id FROM {database}.t WHERE k IN ({wanted})")) == [3, 5]
    groups = " OR ".join(f"(k >= {2 * n} AND k < {2 * n + 1} AND k <> {10_000_000 + n})" for n in range(1, 60))
    with requests() as more:
        assert ids(sql(f"SELECT id FROM {database}.t WHERE {groups}")) == list(range(2, 20, 2))
    for request in seen.requests + more.requests:
        assert len(request.body.get("Expression", "")) <= 2048


def test_replace_table(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 2 AS k FROM range(4)")
    sql(f"CREATE OR REPLACE TABLE {database}.t USING parquet PARTITIONED BY (j) COMMENT 'second' "
        f"AS SELECT id, k + 5 AS j FROM {database}.t WHERE id > 1")
    assert [tuple(r) for r in sql(f"SELECT id, j FROM {database}.t ORDER BY id")] == [(2, 5), (3, 6)]
    assert set(database.partitions("t")) == {("5",), ("6",)}
    assert database.entry("t")["Description"] == "second"
    assert len(files_of(database.location / "t")) == 2
    sql(f"REPLACE TABLE {database}.t (x STRING) USING parquet")
    assert sql(f"SELECT x FROM {database}.t") == []


def test_failed_replace_keeps_the_table(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    with pytest.raises(Exception, match="boom"):
        sql(f"CREATE OR REPLACE TABLE {database}.t USING parquet AS SELECT CAST(raise_error('boom') AS INT) AS other")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [1]


def test_save_as_table_in_every_mode(spark, sql, database):
    def write(mode, start):
        frame = spark.sql(f"SELECT id, id % 2 AS k FROM range({start}, {start} + 2)")
        frame.write.format("parquet").partitionBy("k").mode(mode).saveAsTable(f"{database}.t")

    write("errorifexists", 0)
    with pytest.raises(Exception, match="already exists"):
        write("errorifexists", 0)
    write("ignore", 2)
    write("append", 4)
    assert ids(sql(f"SELECT id FROM {database}.t")) == [0, 1, 4, 5]
    write("overwrite", 6)
    assert ids(sql(f"SELECT id FROM {database}.t")) == [6, 7]
    assert set(database.partitions("t")) == {("0",), ("1",)}


def test_write_to(spark, sql, database):
    from pyspark.sql.functions import col
    table = f"{database}.t"
    spark.sql("SELECT id, id % 3 AS k FROM range(6)").writeTo(table).using("orc").partitionedBy(col("k")).create()
    spark.sql("SELECT 10L AS id, 1L AS k").writeTo(table).overwritePartitions()
    assert ids(sql(f"SELECT id FROM {table}")) == [0, 2, 3, 5, 10]
    spark.sql("SELECT 20L AS id, 9L AS k").writeTo(table).overwrite(col("k") >= 1)
    assert ids(sql(f"SELECT id FROM {table}")) == [0, 3, 20]
    assert set(database.partitions("t")) == {("0",), ("9",)}
    with pytest.raises(Exception) as failure:
        spark.sql("SELECT 1L AS id, 1L AS k").writeTo(table).overwrite(col("id") == 3)
    assert "partition columns (k)" in message_of(failure.value) and database.account in message_of(failure.value)
    assert ids(sql(f"SELECT id FROM {table}")) == [0, 3, 20]


@pytest.mark.modes("named")
def test_overwrite_mode_of_the_writer_goes_before_the_sessions(spark, sql, database):
    """In the session catalog, Spark itself drops the option of insertInto."""
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 2 AS k FROM range(4)")
    frame = spark.sql("SELECT 10L AS id, 1L AS k")
    frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(f"{database}.t")
    assert ids(sql(f"SELECT id FROM {database}.t")) == [0, 2, 10]


@pytest.mark.parametrize("statement", [
    "DELETE FROM {t} WHERE id = 1", "UPDATE {t} SET id = 2",
    "MERGE INTO {t} t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE"])
def test_row_changes_are_refused_with_a_name(sql, database, statement):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    with pytest.raises(Exception) as failure:
        sql(statement.format(t=f"{database}.t"))
    message = message_of(failure.value)
    assert statement.split()[0] in message and f"{database.name}.t" in message and database.account in message
    assert ids(sql(f"SELECT * FROM {database}.t")) == [1]


def test_streams_read_tables(spark, sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 2 AS k FROM range(4)")
    query = (spark.readStream.table(f"{database}.t").writeStream.format("memory")
             .queryName(f"seen_{database.name}").trigger(availableNow=True).start())
    query.awaitTermination(60)
    assert ids(sql(f"SELECT * FROM seen_{database.name}")) == [0, 1, 2, 3]


@pytest.mark.modes("named")
def test_dynamic_partition_pruning(spark, sql, database):
    sql(f"CREATE TABLE {database}.facts USING parquet PARTITIONED BY (k) AS SELECT id, id % 10 AS k FROM range(100)")
    sql(f"CREATE TABLE {database}.names USING parquet AS SELECT id AS k, concat('n', id) AS name FROM range(10)")
    spark.conf.set("spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly", "false")
    try:
        frame = spark.sql(f"SELECT f.id FROM {database}.facts f JOIN {database}.names n ON f.k = n.k "
                          "WHERE n.name = 'n2'")
        assert "dynamicpruning" in frame._jdf.queryExecution().optimizedPlan().toString()
        assert ids(frame.collect()) == list(range(2, 100, 10))
    finally:
        spark.conf.unset("spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly")


@pytest.mark.modes("named")
def test_buckets_spare_the_shuffle(spark, sql, database):
    for name in ("a", "b"):
        sql(f"CREATE TABLE {database}.{name} USING parquet CLUSTERED BY (id) INTO 2 BUCKETS AS SELECT id FROM range(20)")
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    try:
        frame = spark.sql(f"SELECT count(*) FROM {database}.a JOIN {database}.b USING (id)")
        assert "Exchange hashpartitioning" not in frame._jdf.queryExecution().executedPlan().toString()
        assert frame.collect()[0][0] == 20
    finally:
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")


@pytest.mark.parametrize("layout", ["", "PARTITIONED BY (k)"])
@pytest.mark.parametrize("provider", ["parquet", "csv"])
def test_cached_tables_follow_writes(spark, sql, database, provider, layout):
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} USING {provider} {layout} AS SELECT 1L AS id, 1L AS k")
    sql(f"CACHE TABLE {table}")
    assert "InMemory" in spark.table(table)._jdf.queryExecution().executedPlan().toString()
    sql(f"INSERT INTO {table} VALUES (2, 2)")
    assert ids(sql(f"SELECT id FROM {table}")) == [1, 2]
    sql(f"INSERT OVERWRITE {table} VALUES (3, 2)")
    assert ids(sql(f"SELECT id FROM {table}")) == [3]
    sql(f"TRUNCATE TABLE {table}")
    assert sql(f"SELECT id FROM {table}") == []
    sql(f"UNCACHE TABLE {table}")


def test_cached_tables_follow_commands_on_partitions(sql, database):
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(1, 6)")
    sql(f"CREATE TABLE {database}.other USING parquet AS SELECT 9L AS id")
    sql(f"CACHE TABLE {table}")
    for statement, expected in [
            (f"TRUNCATE TABLE {table} PARTITION (k = 1)", {2: 2, 3: 3, 4: 4, 5: 5}),
            (f"DELETE FROM {table} WHERE k = 2", {3: 3, 4: 4, 5: 5}),
            (f"ALTER TABLE {table} DROP PARTITION (k = 3)", {4: 4, 5: 5}),
            (f"ALTER TABLE {table} ADD PARTITION (k = 3)", {3: 3, 4: 4, 5: 5}),
            (f"ALTER TABLE {table} PARTITION (k = 4) RENAME TO PARTITION (k = 6)", {3: 3, 5: 5, 4: 6}),
            (f"ALTER TABLE {table} PARTITION (k = 5) SET LOCATION 'file:{database.location}/other'", {3: 3, 4: 6, 9: 5}),
            (f"ALTER TABLE {table} ADD PARTITION (k = 7) LOCATION 'file:{database.location}/other'",
             {3: 3, 4: 6, 9: 7})]:
        sql(statement)
        assert dict(sql(f"SELECT id, k FROM {table} ORDER BY k")) == expected, statement
    sql(f"UNCACHE TABLE {table}")


@pytest.mark.modes("named")
def test_refresh_sees_files_of_others_behind_a_cached_table(spark, sql, database):
    table = f"{database}.t"
    sql(f"CREATE TABLE {table} USING parquet AS SELECT 1L AS id")
    sql(f"CACHE TABLE {table}")
    assert ids(sql(f"SELECT id FROM {table}")) == [1]
    spark.sql("SELECT 2L AS id").write.mode("append").parquet(f"file:{database.location}/other")
    for file in files_of(database.location / "other"):
        file.rename(database.location / "t" / file.name)
    sql(f"REFRESH TABLE {table}")
    assert ids(sql(f"SELECT id FROM {table}")) == [1, 2]


@pytest.mark.modes("named")
def test_statistics_that_a_write_makes_wrong_go(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    entry = database.entry("t")
    allowed = ("Name", "Description", "Owner", "Retention", "StorageDescriptor", "PartitionKeys", "TableType",
               "Parameters")
    changed = {k: entry[k] for k in allowed if k in entry}
    changed["Parameters"] = {**entry["Parameters"], "spark.sql.statistics.totalSize": "1",
                             "spark.sql.statistics.numRows": "1"}
    database.glue.update_table(CatalogId=database.account, DatabaseName=database.name, TableInput=changed)
    sql(f"INSERT INTO {database}.t VALUES (2)")
    assert not [k for k in database.entry("t")["Parameters"] if "statistics" in k]


def test_dropped_tables_rows_do_not_come_back(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    sql(f"DROP TABLE {database}.t")
    for statement in (f"CREATE TABLE {database}.t (id INT) USING parquet",
                      f"CREATE TABLE {database}.t USING parquet AS SELECT 2 AS id"):
        with pytest.raises(Exception) as failure:
            sql(statement)
        assert "is not empty" in message_of(failure.value) and f"{database.name}.t" in message_of(failure.value)
    assert database.tables() == []
    sql(f"CREATE TABLE {database}.t (id INT) USING parquet LOCATION 'file:{database.location}/t'")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [1]


@pytest.mark.modes("named")
@pytest.mark.parametrize("fmt", ["parquet", "json"])
def test_appends_at_once_do_not_meet(spark, sql, database, fmt):
    sql(f"CREATE TABLE {database}.t (id BIGINT, k BIGINT) USING {fmt} PARTITIONED BY (k)")
    failures = []

    def append(number):
        try:
            spark.sql(f"INSERT INTO {database}.t SELECT id, id % 5 AS k FROM range({number} * 10, {number} * 10 + 10)")
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=append, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert ids(sql(f"SELECT id FROM {database}.t")) == list(range(40))
    assert len(database.partitions("t")) == 5
    assert not [p for p in (database.location / "t").iterdir() if p.name == "_temporary"]


@pytest.mark.modes("named")
def test_requests_of_partitioned_writes(sql, database, requests):
    sql(f"CREATE TABLE {database}.t (id INT, k INT) USING parquet PARTITIONED BY (k)")
    sql(f"INSERT INTO {database}.t VALUES (1, 1)")
    with requests() as seen:
        sql(f"INSERT INTO {database}.t PARTITION (k = 1) VALUES (2)")
    assert seen.operations == ["GetTable", "GetPartitions"]
    with requests() as seen:
        sql(f"SELECT * FROM {database}.t WHERE k = 1")
    assert seen.operations == ["GetTable", "GetPartitions"]


@pytest.fixture
def days(sql, database):
    sql(f"CREATE TABLE {database}.days (id INT, m INT, d DATE, s STRING) USING parquet PARTITIONED BY (m, d, s)")
    sql(f"INSERT INTO {database}.days VALUES (1, 1, DATE'2021-01-01', 'a'), (2, 2, DATE'2021-02-01', 'b'), "
        "(3, 10, DATE'2021-10-01', \"it's\"), (4, 11, DATE'2022-01-01', NULL)")
    return f"{database}.days"


# The condition, the rows, and what must be said to Glue about it: None if it cannot be said.
PUSHED = [
    ("m = 2", [2], r"m\s*=\s*2"),
    ("m > 2", [3, 4], r"m\s*>\s*2"),
    ("2 >= m", [1, 2], r"m\s*<=\s*2"),
    ("m IN (1, 10)", [1, 3], r"(?i)m\s+in\s*\(|m\s*=\s*1"),
    ("d = DATE'2021-02-01'", [2], r"d\s*=\s*'2021-02-01'"),
    ("d BETWEEN DATE'2021-01-15' AND DATE'2021-12-31'", [2, 3], r"d\s*>=\s*'2021-01-15'.*d\s*<=\s*'2021-12-31'"),
    ("s IS NULL", [4], r"s\s*=\s*'__HIVE_DEFAULT_PARTITION__'"),
    ('s = "it\'s"', [3], r"s\s*=\s*'it''s'"),
    ("m = 1 OR s = 'b'", [1, 2], r"(?i)m\s*=\s*1.*or.*s\s*=\s*'b'"),
    ("m = 1 AND length(s) = 1", [1], r"m\s*=\s*1"),
    ("m = 1 OR length(s) = 4", [1, 3], None),
    ("m = 1 AND id = 1", [1], r"m\s*=\s*1"),
    ("year(d) = 2021", [1, 2, 3], None),
]


@pytest.mark.modes("named")
@pytest.mark.parametrize("condition, expected, pattern", PUSHED)
def test_conditions_reach_glue(sql, days, requests, condition, expected, pattern):
    with requests() as seen:
        rows = sql(f"SELECT id FROM {days} WHERE {condition}")
    assert ids(rows) == expected
    said = [r.body.get("Expression", "") for r in seen.requests if r.operation == "GetPartitions"]
    assert said
    if pattern:
        assert all(re.search(pattern, expression) for expression in said), said


@pytest.mark.modes("named")
def test_catalog_options_stay_out_of_sight(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT) USING csv OPTIONS (header 'true')")
    assert {r.key for r in sql(f"SHOW TBLPROPERTIES {database}.t")} <= {"option.header", "option.serialization.format"}
