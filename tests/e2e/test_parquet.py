"""Parquet data source tables: their partitions live in Glue."""

import re

import pytest

from harness.glue import columns, keys


@pytest.fixture
def visits(sql, database):
    """Partitioned by two keys, four partitions of one row each."""
    sql(f"CREATE TABLE {database}.visits (id INT, page STRING, month INT, day INT) USING parquet "
        "PARTITIONED BY (month, day)")
    sql(f"INSERT INTO {database}.visits VALUES (1, 'a', 1, 1), (2, 'b', 1, 2), (3, 'c', 2, 1), (4, 'd', 2, 2)")
    return f"{database}.visits"


@pytest.fixture
def dynamic(spark):
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    yield
    spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


def ids(rows):
    return sorted(row.id for row in rows)


def test_create_writes_an_entry_other_engines_read(sql, database):
    sql(f"CREATE TABLE {database}.t (Id INT COMMENT 'key', name STRING, day DATE) USING parquet "
        "PARTITIONED BY (day) COMMENT 'people'")
    entry = database.entry("t")
    assert columns(entry) == {"id": "int", "name": "string"}
    assert keys(entry) == {"day": "date"}
    assert "parquet" in entry["StorageDescriptor"]["InputFormat"].lower()
    assert "ParquetHiveSerDe" in entry["StorageDescriptor"]["SerdeInfo"]["SerializationLibrary"]
    assert entry["Parameters"]["spark.sql.sources.provider"] == "parquet"


def test_unpartitioned_create_insert_select(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, name STRING) USING parquet")
    sql(f"INSERT INTO {database}.t VALUES (1, 'x'), (2, 'y')")
    sql(f"INSERT INTO {database}.t VALUES (3, 'z')")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [1, 2, 3]
    assert list((database.location / "t").glob("*.parquet"))


def test_insert_overwrite_replaces_all_rows(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    sql(f"INSERT OVERWRITE {database}.t VALUES (2)")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [2]


def test_create_with_location_reads_what_lies_there(spark, sql, database, tmp_path):
    spark.range(4).write.parquet(f"file:{tmp_path}/there")
    sql(f"CREATE TABLE {database}.t (id BIGINT) USING parquet LOCATION 'file:{tmp_path}/there'")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [0, 1, 2, 3]


def test_ctas_unpartitioned(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT id, id * 2 AS twice FROM range(3)")
    assert columns(database.entry("t")) == {"id": "bigint", "twice": "bigint"}
    assert [r.twice for r in sql(f"SELECT twice FROM {database}.t ORDER BY id")] == [0, 2, 4]


def test_ctas_partitioned_registers_its_partitions(sql, database):
    sql(f"CREATE TABLE {database}.t USING parquet PARTITIONED BY (k) AS SELECT id, id % 3 AS k FROM range(9)")
    assert set(database.partitions("t")) == {("0",), ("1",), ("2",)}
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k = 1")) == [1, 4, 7]


def test_insert_registers_its_partitions(sql, database, visits):
    partitions = database.partitions("visits")
    assert set(partitions) == {("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")}
    location = partitions[("1", "2")]["StorageDescriptor"]["Location"].rstrip("/")
    assert location == f"file:{database.location}/visits/month=1/day=2"


def test_select_reads_all_partitions(sql, visits):
    assert ids(sql(f"SELECT * FROM {visits}")) == [1, 2, 3, 4]


def test_insert_into_a_static_partition(sql, database, visits):
    sql(f"INSERT INTO {visits} PARTITION (month = 3, day = 9) VALUES (5, 'e')")
    assert ("3", "9") in database.partitions("visits")
    assert ids(sql(f"SELECT id FROM {visits} WHERE month = 3")) == [5]


def test_insert_into_an_existing_partition_appends(sql, visits, database):
    sql(f"INSERT INTO {visits} VALUES (11, 'k', 1, 1)")
    assert ids(sql(f"SELECT id FROM {visits} WHERE month = 1 AND day = 1")) == [1, 11]
    assert len(database.partitions("visits")) == 4


def test_dynamic_overwrite_replaces_only_the_partitions_it_writes(sql, database, visits, dynamic):
    sql(f"INSERT OVERWRITE {visits} VALUES (20, 'n', 1, 2), (30, 'o', 3, 1)")
    assert ids(sql(f"SELECT id FROM {visits}")) == [1, 3, 4, 20, 30]
    assert set(database.partitions("visits")) == {("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("3", "1")}


def test_static_overwrite_removes_the_other_partitions(sql, database, visits):
    sql(f"INSERT OVERWRITE {visits} VALUES (40, 'p', 2, 2)")
    assert ids(sql(f"SELECT id FROM {visits}")) == [40]
    assert set(database.partitions("visits")) == {("2", "2")}


def test_static_partition_overwrite_touches_that_partition(sql, database, visits):
    sql(f"INSERT OVERWRITE {visits} PARTITION (month = 1, day = 1) VALUES (50, 'q')")
    assert ids(sql(f"SELECT id FROM {visits}")) == [2, 3, 4, 50]


def test_pruned_read_asks_glue_for_the_matching_partitions_only(sql, spark, visits, requests):
    with requests() as seen:
        rows = sql(f"SELECT id FROM {visits} WHERE month = 2 AND day = 1")
    assert ids(rows) == [3]
    asked = [r for r in seen.requests if r.operation == "GetPartitions"]
    assert asked and all(re.search(r"month\s*=\s*2", r.body.get("Expression", "")) for r in asked), asked


def test_pruned_read_opens_the_matching_files_only(spark, visits):
    frame = spark.sql(f"SELECT id FROM {visits} WHERE month = 2")
    files = frame.inputFiles()
    assert frame.count() == 2
    plan = frame._jdf.queryExecution().executedPlan().toString()
    assert "PartitionFilters" in plan and "month" in plan
    assert len(files) == 4 or all("month=2" in f for f in files)


def test_partition_added_by_another_tool_is_seen_at_once(sql, database, visits, tmp_path, spark):
    spark.sql("SELECT 77 AS id, 'w' AS page").write.parquet(f"file:{tmp_path}/late")
    descriptor = dict(database.entry("visits")["StorageDescriptor"], Location=f"file:{tmp_path}/late")
    database.glue.create_partition(
        CatalogId=database.account, DatabaseName=database.name, TableName="visits",
        PartitionInput={"Values": ["7", "7"], "StorageDescriptor": descriptor})
    assert ids(sql(f"SELECT id FROM {visits} WHERE month = 7")) == [77]


def test_null_and_odd_partition_values(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING parquet PARTITIONED BY (k)")
    sql(f"INSERT INTO {database}.t VALUES (1, NULL), (2, 'a b/c=d'), (3, \"it's\"), (4, 'ü')")
    assert set(database.partitions("t")) == {("__HIVE_DEFAULT_PARTITION__",), ("a b/c=d",), ("it's",), ("ü",)}
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k IS NULL")) == [1]
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k = \"it's\"")) == [3]
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k = 'a b/c=d'")) == [2]
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k = 'ü'")) == [4]


@pytest.mark.fault("P072")
def test_date_partitions_prune(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, `date` DATE) USING parquet PARTITIONED BY (`date`)")
    sql(f"INSERT INTO {database}.t VALUES (1, DATE'2021-06-07'), (2, DATE'2021-06-08')")
    assert ids(sql(f"SELECT id FROM {database}.t WHERE `date` = DATE'2021-06-07'")) == [1]
    assert ids(sql(f"SELECT id FROM {database}.t WHERE `date` > DATE'2021-06-07'")) == [2]


@pytest.mark.fault("P081")
@pytest.mark.modes("named")
def test_more_partitions_than_one_page(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, k INT) USING parquet PARTITIONED BY (k)")
    descriptor = database.entry("t")["StorageDescriptor"]
    for start in range(0, 2500, 100):
        database.glue.batch_create_partition(
            CatalogId=database.account, DatabaseName=database.name, TableName="t",
            PartitionInputList=[{"Values": [str(k)], "StorageDescriptor":
                                 dict(descriptor, Location=f"{descriptor['Location'].rstrip('/')}/k={k}")}
                                for k in range(start, start + 100)])
    sql(f"INSERT INTO {database}.t VALUES (1, 7), (2, 2499)")
    assert len(database.partitions("t")) == 2500
    assert ids(sql(f"SELECT id FROM {database}.t WHERE k > 2400")) == [2]
    assert sql(f"SELECT count(*) AS n FROM {database}.t WHERE k IN (7, 2499)")[0].n == 2


@pytest.mark.fault("P101")
def test_save_as_table_partitioned(spark, sql, database):
    frame = spark.sql("SELECT id, id % 2 AS odd FROM range(4)")
    frame.write.format("parquet").partitionBy("odd").saveAsTable(f"{database}.t")
    frame.write.format("parquet").partitionBy("odd").mode("append").saveAsTable(f"{database}.t")
    assert set(database.partitions("t")) == {("0",), ("1",)}
    assert ids(sql(f"SELECT id FROM {database}.t WHERE odd = 1")) == [1, 1, 3, 3]


def test_insert_into_and_write_to(spark, sql, database, visits):
    spark.sql("SELECT 5 AS id, 'e' AS page, 5 AS month, 5 AS day").write.insertInto(visits)
    spark.sql("SELECT 6 AS id, 'f' AS page, 6 AS month, 6 AS day").writeTo(visits).append()
    assert {("5", "5"), ("6", "6")} <= set(database.partitions("visits"))
    assert ids(sql(f"SELECT id FROM {visits}")) == [1, 2, 3, 4, 5, 6]


def test_add_column(sql, database, visits):
    sql(f"ALTER TABLE {visits} ADD COLUMN agent STRING")
    assert columns(database.entry("visits"))["agent"] == "string"
    assert [r.agent for r in sql(f"SELECT agent FROM {visits}")] == [None] * 4
    sql(f"INSERT INTO {visits} (id, page, agent, month, day) VALUES (5, 'e', 'fox', 5, 1)")
    assert [r.agent for r in sql(f"SELECT agent FROM {visits} WHERE month = 5")] == ["fox"]


@pytest.mark.fault("P048")
def test_drop_keeps_the_data(sql, database, visits):
    files = list((database.location / "visits").rglob("*.parquet"))
    sql(f"DROP TABLE {visits}")
    assert database.tables() == []
    assert files and all(file.exists() for file in files)


@pytest.mark.fault("P041")
def test_rename_takes_the_partitions_along(sql, database, visits):
    before = {values: p["StorageDescriptor"]["Location"] for values, p in database.partitions("visits").items()}
    sql(f"ALTER TABLE {visits} RENAME TO {database.name}.calls")
    after = {values: p["StorageDescriptor"]["Location"] for values, p in database.partitions("calls").items()}
    assert database.tables() == ["calls"] and after == before
    assert ids(sql(f"SELECT id FROM {database}.calls WHERE month = 1")) == [1, 2]


@pytest.mark.fault("P061")
def test_column_case_is_kept_in_spark_and_folded_in_glue(sql, database):
    sql(f"CREATE TABLE {database}.MixedCase (userId INT, S STRUCT<aB: INT>) USING parquet")
    sql(f"INSERT INTO {database}.mixedcase VALUES (1, named_struct('aB', 5))")
    assert columns(database.entry("mixedcase")) == {"userid": "int", "s": "struct<aB:int>"}
    row = sql(f"SELECT * FROM {database}.MIXEDCASE")[0]
    assert row.asDict(recursive=True) == {"userId": 1, "S": {"aB": 5}}
    assert sql(f"SELECT USERID, s.AB FROM {database}.mixedcase")[0][1] == 5


@pytest.mark.fault("P068")
def test_timestamp_ntz_keeps_its_type(spark, sql, database):
    sql(f"CREATE TABLE {database}.t (a TIMESTAMP_NTZ, s STRUCT<x: TIMESTAMP_NTZ>) USING parquet")
    sql(f"INSERT INTO {database}.t SELECT TIMESTAMP_NTZ'2026-01-02 03:04:05', "
        "named_struct('x', TIMESTAMP_NTZ'2026-01-02 03:04:05')")
    assert columns(database.entry("t"))["a"] == "timestamp"
    assert dict(spark.table(f"{database}.t").dtypes) == {"a": "timestamp_ntz", "s": "struct<x:timestamp_ntz>"}
    assert sql(f"SELECT cast(a AS STRING) AS a FROM {database}.t")[0].a == "2026-01-02 03:04:05"


@pytest.mark.fault("P064")
def test_long_and_multi_line_comments(sql, database):
    long = "c" * 256
    sql(f"CREATE TABLE {database}.t (a INT COMMENT '{long}', b INT COMMENT 'one\\ntwo') USING parquet")
    stored = {c["Name"]: c["Comment"] for c in database.entry("t")["StorageDescriptor"]["Columns"]}
    assert len(stored["a"]) == 255 and stored["b"] == "one two"
    shown = {row.col_name: row.comment for row in sql(f"DESCRIBE {database}.t")}
    assert shown["a"] == long and shown["b"] == "one\ntwo"
