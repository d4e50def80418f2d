"""Every operation on a Delta table, by name: what works, what it leaves in Glue, and what is refused.

`STATEMENTS` has those that are one statement on one table; the functions below it those that need more.
"""

import json
import shutil
from dataclasses import dataclass, field

import pytest
from pyspark.sql import functions

from harness import delta, distribution
from harness.distribution import installed_line
from harness.glue import Database, columns, table_input
from harness.session import message_of

ACCOUNT_A = "111111111111"
SPARK_4 = installed_line() != "3.5"


@pytest.fixture(scope="session")
def original(spark, scratch, glue, mode):
    """The table that every `t` is a copy of: its files and its entry. Copying costs a tenth of making it anew."""
    name = f"original_{mode}"
    catalog = "acct_a" if mode == "named" else "spark_catalog"
    database = Database.create(glue, ACCOUNT_A, catalog, name, scratch / name)
    spark.sql(f"CREATE TABLE {database}.t (id BIGINT, name STRING, day INT) USING delta PARTITIONED BY (day)")
    spark.sql(f"INSERT INTO {database}.t VALUES (1, 'a', 1), (2, 'b', 1)")
    spark.sql(f"INSERT INTO {database}.t VALUES (3, 'c', 2)")
    return database


@pytest.fixture
def t(original, database):
    """`id`, `name`, `day`, partitioned by `day`: (1, a, 1) and (2, b, 1) in version 1, (3, c, 2) in version 2."""
    shutil.copytree(original.location / "t", database.location / "t")
    entry = json.dumps(table_input(original.entry("t")))
    database.put(json.loads(entry.replace(str(original.location), str(database.location))))
    return f"{database}.t"


@dataclass(frozen=True)
class Statement:
    """A statement on `{t}`, and what is true after it: its ids, its columns in Glue, a query and its first row."""

    sql: str
    ids: tuple[int, ...] | None = None
    glue: dict[str, str] | None = None
    query: str | None = None
    row: tuple | None = None
    conf: dict[str, str] = field(default_factory=dict)


ALL = (1, 2, 3)
BEFORE = {"id": "bigint", "name": "string", "day": "int"}

STATEMENTS = {
    "insert_by_name": Statement("INSERT INTO {t} (day, id) VALUES (2, 4)", ids=(1, 2, 3, 4)),
    "insert_overwrite_partition": Statement("INSERT OVERWRITE {t} PARTITION (day = 2) VALUES (9, 'x')", ids=(1, 2, 9)),
    "insert_overwrite_dynamic": Statement(
        "INSERT OVERWRITE {t} VALUES (9, 'x', 2)", ids=(1, 2, 9),
        conf={"spark.sql.sources.partitionOverwriteMode": "dynamic"}),
    "insert_replace_where": Statement("INSERT INTO {t} REPLACE WHERE day = 2 VALUES (9, 'x', 2)", ids=(1, 2, 9)),
    "truncate": Statement("TRUNCATE TABLE {t}", ids=(), glue=BEFORE),
    "optimize_where": Statement("OPTIMIZE {t} WHERE day = 1", ids=ALL),
    "optimize_zorder": Statement("OPTIMIZE {t} ZORDER BY (id)", ids=ALL),
    "reorg": Statement("REORG TABLE {t} APPLY (PURGE)", ids=ALL),
    "vacuum": Statement("VACUUM {t} RETAIN 200 HOURS DRY RUN", ids=ALL),
    "restore": Statement("RESTORE TABLE {t} TO VERSION AS OF 1", ids=(1, 2), glue=BEFORE),
    "generate_manifest": Statement("GENERATE symlink_format_manifest FOR TABLE {t}"),
    "refresh": Statement("REFRESH TABLE {t}", glue=BEFORE),
    "nested_column": Statement("ALTER TABLE {t} ADD COLUMN more STRUCT<a: INT>",
                               glue=BEFORE | {"more": "struct<a:int>"}),
    "column_first": Statement("ALTER TABLE {t} ALTER COLUMN name FIRST", glue=BEFORE, query="DESCRIBE {t}",
                              row=("name", "string", None)),
    "column_mapping": Statement("ALTER TABLE {t} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')", ids=ALL,
                                glue=BEFORE),
    "show_columns": Statement("SHOW COLUMNS IN {t}", query="SHOW COLUMNS IN {t}", row=("id",)),
    "describe_extended": Statement("DESCRIBE EXTENDED {t}"),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement(name, spark, sql, database, t):
    case = STATEMENTS[name]
    for key, value in case.conf.items():
        spark.conf.set(key, value)
    try:
        sql(case.sql.format(t=t))
    finally:
        for key in case.conf:
            spark.conf.unset(key)
    if case.ids is not None:
        assert tuple(sorted(r.id for r in sql(f"SELECT id FROM {t}"))) == case.ids
    if case.glue is not None:
        assert columns(database.entry("t")) == case.glue
    if case.query is not None:
        rows = sql(case.query.format(t=t))
        assert rows and (case.row is None or tuple(rows[0]) == case.row), rows


# Streaming


def stream_into(spark, source, table, tmp_path, name="cp", **options):
    writer = source.writeStream.format("delta").option("checkpointLocation", f"file:{tmp_path}/{name}")
    for key, value in options.items():
        writer = writer.option(key, value)
    writer.trigger(availableNow=True).toTable(table).awaitTermination()


def test_a_stream_makes_its_table(spark, sql, database, t, tmp_path):
    stream_into(spark, spark.readStream.table(t), f"{database}.sink", tmp_path)
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.sink")) == [1, 2, 3]
    assert columns(database.entry("sink")) == BEFORE


def test_a_stream_goes_on_where_it_stopped(spark, sql, database, t, tmp_path):
    stream_into(spark, spark.readStream.table(t), f"{database}.sink", tmp_path)
    sql(f"INSERT INTO {t} VALUES (4, 'd', 3)")
    stream_into(spark, spark.readStream.table(t), f"{database}.sink", tmp_path)
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.sink")) == [1, 2, 3, 4]


@pytest.mark.fault("P024")
def test_a_stream_that_adds_a_column_takes_the_entry_along(spark, sql, database, t, tmp_path, requests):
    sql(f"CREATE TABLE {database}.sink (id BIGINT) USING delta")
    with requests() as seen:
        stream_into(spark, spark.readStream.table(t), f"{database}.sink", tmp_path, mergeSchema="true")
    assert columns(database.entry("sink")) == BEFORE
    assert seen.count("UpdateTable") == 1
    sql(f"INSERT INTO {t} VALUES (4, 'd', 3)")
    with requests() as seen:
        stream_into(spark, spark.readStream.table(t), f"{database}.sink", tmp_path, mergeSchema="true")
    assert seen.count("UpdateTable") == 0


def test_a_stream_reads_the_change_data_feed(spark, sql, database, tmp_path):
    sql(f"CREATE TABLE {database}.s (id BIGINT) USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
    sql(f"INSERT INTO {database}.s VALUES (1), (2)")
    sql(f"DELETE FROM {database}.s WHERE id = 1")
    changes = (spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table(f"{database}.s")
               .selectExpr("id", "_change_type AS kind"))
    stream_into(spark, changes, f"{database}.feed", tmp_path)
    assert sorted((r.id, r.kind) for r in sql(f"SELECT * FROM {database}.feed")) == [
        (1, "delete"), (1, "insert"), (2, "insert")]


def test_a_stream_may_merge_in_every_batch(spark, sql, database, t, tmp_path):
    sql(f"CREATE TABLE {database}.sink (id BIGINT, name STRING) USING delta")

    def merge(batch, _):
        batch.createOrReplaceTempView("batch")
        batch.sparkSession.sql(f"MERGE INTO {database}.sink s USING batch b ON s.id = b.id "
                               "WHEN NOT MATCHED THEN INSERT (id, name) VALUES (b.id, b.name)")

    (spark.readStream.table(t).writeStream.foreachBatch(merge)
     .option("checkpointLocation", f"file:{tmp_path}/cp").trigger(availableNow=True).start().awaitTermination())
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.sink")) == [1, 2, 3]


# The DeltaTable API


def test_for_name(spark, sql, database, t):
    table = delta.for_name(spark, t)
    assert table.toDF().count() == 3
    table.delete("id = 1")
    table.update(delta.expression(spark, "id = 2"), delta.assignments(spark, name="'z'"))
    assert [(r.id, r.name) for r in sql(f"SELECT id, name FROM {t} ORDER BY id")] == [(2, "z"), (3, "c")]
    assert table.history(1).collectAsList()[0].getString(4) == "UPDATE"
    table.optimize().executeCompaction()
    table.restoreToVersion(1)
    assert sorted(r.id for r in sql(f"SELECT id FROM {t}")) == [1, 2]


@pytest.mark.fault("P024")
def test_for_name_merge_with_schema_evolution(spark, sql, database, t):
    source = spark.sql("SELECT 4L AS id, 'd' AS name, 2 AS day, true AS fresh")
    (delta.for_name(spark, t).alias("t").merge(source._jdf.alias("s"), "t.id = s.id")
     .withSchemaEvolution().whenNotMatched().insertAll().execute())
    assert sql(f"SELECT fresh FROM {t} WHERE id = 4")[0].fresh is True
    assert columns(database.entry("t")) == BEFORE | {"fresh": "boolean"}


def test_for_name_without_the_catalog(spark, sql, database, t):
    before = [r.catalog for r in sql("SELECT current_catalog() AS catalog")][0]
    sql(f"USE {database}")
    try:
        assert delta.for_name(spark, f"{database.name}.t").toDF().count() == 3
    finally:
        sql(f"USE {before}.default" if before == "spark_catalog" and database.catalog != "spark_catalog"
            else f"USE {database}")


def test_for_name_of_what_is_no_delta_table(spark, sql, database):
    sql(f"CREATE TABLE {database}.p (id INT) USING parquet")
    for name in ("p", "missing"):
        with pytest.raises(Exception) as raised:
            delta.for_name(spark, f"{database}.{name}")
        assert name in message_of(raised.value)


def test_builder(spark, sql, database, tmp_path):
    (delta.create(spark).tableName(f"{database}.b").addColumn("id", "BIGINT").addColumn("name", "STRING")
     .comment("built").property("quality", "gold").execute())
    assert columns(database.entry("b")) == {"id": "bigint", "name": "string"}
    assert database.entry("b")["Description"] == "built"
    delta.create_or_replace(spark).tableName(f"{database}.b").addColumn("other", "INT").execute()
    assert columns(database.entry("b")) == {"other": "int"}
    delta.create_if_not_exists(spark).tableName(f"{database}.b").addColumn("x", "INT").execute()
    assert columns(database.entry("b")) == {"other": "int"}
    (delta.create(spark).tableName(f"{database}.c").addColumn("id", "INT").location(f"file:{tmp_path}/own").execute())
    assert (tmp_path / "own" / "_delta_log").is_dir()


# Writers


def test_writer_v1(spark, sql, database, tmp_path):
    name = f"{database}.w"
    spark.range(2).write.format("delta").saveAsTable(name)
    spark.range(2, 3).write.format("delta").mode("append").saveAsTable(name)
    spark.range(3, 4).write.insertInto(name)
    assert sorted(r.id for r in sql(f"SELECT id FROM {name}")) == [0, 1, 2, 3]
    spark.sql("SELECT 9L AS id, 'x' AS more").write.format("delta").mode("overwrite").option(
        "overwriteSchema", "true").saveAsTable(name)
    assert columns(database.entry("w")) == {"id": "bigint", "more": "string"}
    spark.sql("SELECT 8L AS id, 'x' AS more").write.format("delta").mode("overwrite").option(
        "replaceWhere", "id = 8").saveAsTable(name)
    assert sorted(r.id for r in sql(f"SELECT id FROM {name}")) == [8, 9]
    spark.range(1).write.format("delta").option("path", f"file:{tmp_path}/own").saveAsTable(f"{database}.own")
    assert (tmp_path / "own" / "_delta_log").is_dir()


def test_writer_v2(spark, sql, database):
    name = f"{database}.w"
    spark.range(2).writeTo(name).using("delta").tableProperty("quality", "gold").create()
    spark.range(2, 3).writeTo(name).append()
    spark.range(5, 6).writeTo(name).overwrite(functions.expr("id >= 2"))
    assert sorted(r.id for r in sql(f"SELECT id FROM {name}")) == [0, 1, 5]
    spark.sql("SELECT 1 AS other").writeTo(name).using("delta").replace()
    assert columns(database.entry("w")) == {"other": "int"}
    spark.sql("SELECT 1 AS day, 2 AS n").writeTo(name).using("delta").partitionedBy(
        functions.col("day")).createOrReplace()
    spark.sql("SELECT 1 AS day, 3 AS n").writeTo(name).overwritePartitions()
    assert [(r.day, r.n) for r in sql(f"SELECT * FROM {name}")] == [(1, 3)]


# Creating in other ways


def test_create_table_like(sql, database, t, tmp_path):
    sql(f"CREATE TABLE {database}.like_t LIKE {t}")
    assert columns(database.entry("like_t")) == BEFORE
    assert sql(f"SELECT * FROM {database}.like_t") == []
    assert sql(f"DESCRIBE DETAIL {database}.like_t")[0].partitionColumns == ["day"]
    sql(f"CREATE TABLE IF NOT EXISTS {database}.like_t LIKE {t}")
    sql(f"CREATE TABLE {database}.pq LIKE {t} USING parquet LOCATION 'file:{tmp_path}/pq'")
    assert database.entry("pq")["Parameters"]["spark.sql.sources.provider"] == "parquet"
    assert sql(f"SELECT * FROM {database}.pq") == []
    with pytest.raises(Exception, match="(?i)exist"):
        sql(f"CREATE TABLE {database}.like_t LIKE {t}")
    with pytest.raises(Exception, match="missing"):
        sql(f"CREATE TABLE {database}.other LIKE {database}.missing")


def test_create_table_like_a_temporary_view(spark, sql, database):
    spark.sql("SELECT 1 AS a, 'x' AS b").createOrReplaceTempView("shape")
    sql(f"CREATE TABLE {database}.v LIKE shape USING delta")
    assert columns(database.entry("v")) == {"a": "int", "b": "string"}


def test_shallow_clone(sql, database, t, tmp_path):
    sql(f"CREATE TABLE {database}.c SHALLOW CLONE {t}")
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.c")) == [1, 2, 3]
    assert columns(database.entry("c")) == BEFORE
    assert database.entry("c")["Parameters"]["gluecat.managed"] == "true"
    sql(f"DELETE FROM {database}.c")
    assert len(sql(f"SELECT * FROM {t}")) == 3


def test_shallow_clone_of_a_version_to_a_location(sql, database, t, tmp_path):
    sql(f"CREATE TABLE {database}.c SHALLOW CLONE {t} VERSION AS OF 1 LOCATION 'file:{tmp_path}/clone'")
    assert (tmp_path / "clone" / "_delta_log").is_dir()
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.c")) == [1, 2]
    assert database.entry("c")["StorageDescriptor"]["Location"] == f"file:{tmp_path}/clone"


def test_shallow_clone_onto_a_table(sql, database, t):
    sql(f"CREATE TABLE {database}.c (other INT) USING delta")
    sql(f"CREATE TABLE IF NOT EXISTS {database}.c SHALLOW CLONE {t}")
    assert columns(database.entry("c")) == {"other": "int"}
    sql(f"CREATE OR REPLACE TABLE {database}.c SHALLOW CLONE {t}")
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.c")) == [1, 2, 3]
    assert columns(database.entry("c")) == BEFORE


@pytest.mark.modes("named")
def test_shallow_clone_from_a_path_and_to_one(sql, spark, database, t, tmp_path):
    spark.range(4).write.format("delta").save(f"file:{tmp_path}/src")
    sql(f"CREATE TABLE {database}.c SHALLOW CLONE delta.`file:{tmp_path}/src`")
    assert columns(database.entry("c")) == {"id": "bigint"}
    sql(f"CREATE TABLE delta.`file:{tmp_path}/out` SHALLOW CLONE {t}")
    assert spark.read.format("delta").load(f"file:{tmp_path}/out").count() == 3


def test_convert_to_delta(sql, database):
    sql(f"CREATE TABLE {database}.p (id INT, day INT) USING parquet PARTITIONED BY (day) "
        "TBLPROPERTIES ('quality' = 'gold')")
    sql(f"INSERT INTO {database}.p VALUES (1, 1), (2, 2)")
    sql(f"CONVERT TO DELTA {database}.p")
    entry = database.entry("p")
    assert entry["Parameters"]["spark.sql.sources.provider"] == "delta"
    assert entry["Parameters"]["table_type"] == "DELTA"
    assert entry["Parameters"]["quality"] == "gold"
    assert columns(entry) == {"id": "int", "day": "int"} and not entry.get("PartitionKeys")
    assert database.partitions("p") == {}
    sql(f"INSERT INTO {database}.p VALUES (3, 3)")
    sql(f"DELETE FROM {database}.p WHERE id = 1")
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.p")) == [2, 3]
    sql(f"CONVERT TO DELTA {database}.p")


def test_convert_to_delta_refuses_what_is_not_parquet(sql, database):
    sql(f"CREATE TABLE {database}.j (id INT) USING json")
    with pytest.raises(Exception, match="json") as raised:
        sql(f"CONVERT TO DELTA {database}.j")
    assert f"{database.name}.j" in message_of(raised.value)


def test_convert_to_delta_refuses_partitions_that_lie_elsewhere(sql, database, tmp_path):
    sql(f"CREATE TABLE {database}.p (id INT, day INT) USING parquet PARTITIONED BY (day)")
    sql(f"ALTER TABLE {database}.p ADD PARTITION (day = 1) LOCATION 'file:{tmp_path}/far'")
    with pytest.raises(Exception, match="far"):
        sql(f"CONVERT TO DELTA {database}.p")
    assert not (database.location / "p" / "_delta_log").exists()
    assert database.entry("p")["Parameters"]["spark.sql.sources.provider"] == "parquet"


# Showing


def test_show_create_table_makes_the_same_table(sql, database, tmp_path):
    sql(f"CREATE TABLE {database}.s (`a b` BIGINT NOT NULL COMMENT 'it\\'s', s STRUCT<x: INT>, day DATE, "
        f"ts TIMESTAMP, hour INT GENERATED ALWAYS AS (hour(ts))) USING delta PARTITIONED BY (day) COMMENT 'shown' "
        f"LOCATION 'file:{tmp_path}/s' TBLPROPERTIES ('quality' = 'gold', 'delta.appendOnly' = 'true', "
        "'delta.columnMapping.mode' = 'name')")
    sql(f"ALTER TABLE {database}.s ADD CONSTRAINT positive CHECK (`a b` > 0)")
    text = sql(f"SHOW CREATE TABLE {database}.s")[0].createtab_stmt
    assert text.startswith(f"CREATE TABLE {database}.s (")
    for part in ("USING delta", "PARTITIONED BY (day)", "'quality' = 'gold'", "COMMENT 'shown'", f"file:{tmp_path}/s"):
        assert part in text
    again = text.replace(f"{database}.s ", f"{database}.again ").replace(f"{tmp_path}/s'", f"{tmp_path}/again'")
    sql(again)
    assert columns(database.entry("again")) == columns(database.entry("s"))
    with pytest.raises(Exception, match="(?i)positive"):
        sql(f"INSERT INTO {database}.again (`a b`, ts) VALUES (-1, timestamp'2024-01-02 03:04:05')")
    sql(f"INSERT INTO {database}.again (`a b`, ts) VALUES (1, timestamp'2024-01-02 03:04:05')")
    assert sql(f"SELECT hour FROM {database}.again")[0].hour == 3
    assert sql(f"SHOW CREATE TABLE {database}.again")[0].createtab_stmt == again


def test_show_create_table_of_a_managed_table_has_no_location(sql, database, t):
    assert "LOCATION" not in sql(f"SHOW CREATE TABLE {t}")[0].createtab_stmt


def test_describe_detail(sql, database, t):
    detail = sql(f"DESCRIBE DETAIL {t}")[0]
    assert detail.format == "delta" and detail.numFiles >= 2 and detail.partitionColumns == ["day"]
    assert database.name in detail["name"] and detail["name"].endswith("t")


@pytest.fixture
def partitions(sql, line):
    """What SHOW PARTITIONS says. From 4.4 on Delta answers itself: in no order, a column for each partition column."""
    def show(table):
        rows = sql(f"SHOW PARTITIONS {table}")
        if distribution.delta_version(line) < (4, 4):
            return [row.partition for row in rows]
        return sorted("/".join(f"{name}={value}" for name, value in row.asDict().items()) for row in rows)

    return show


def test_show_partitions(partitions, t):
    assert partitions(t) == ["day=1", "day=2"]
    assert partitions(f"{t} PARTITION (day = 2)") == ["day=2"]


def test_show_partitions_with_mapped_names_and_nulls(sql, database, partitions, line):
    sql(f"CREATE TABLE {database}.m (id INT, `the day` INT, k STRING) USING delta PARTITIONED BY (`the day`, k) "
        "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    sql(f"INSERT INTO {database}.m VALUES (1, 2, 'x/y'), (2, 1, NULL), (3, 1, NULL)")
    null, slash = (("__HIVE_DEFAULT_PARTITION__", "x%2Fy") if distribution.delta_version(line) < (4, 4)
                   else ("None", "x/y"))
    assert partitions(f"{database}.m") == [f"the day=1/k={null}", f"the day=2/k={slash}"]
    assert partitions(f"{database}.m PARTITION (k = 'x/y')") == [f"the day=2/k={slash}"]


def test_show_partitions_of_an_unpartitioned_table(sql, database):
    sql(f"CREATE TABLE {database}.u (id INT) USING delta")
    with pytest.raises(Exception, match="not partitioned"):
        sql(f"SHOW PARTITIONS {database}.u")


# Features of tables


def test_generated_column(sql, database):
    sql(f"CREATE TABLE {database}.g (ts TIMESTAMP, d DATE GENERATED ALWAYS AS (CAST(ts AS DATE))) USING delta")
    sql(f"INSERT INTO {database}.g (ts) VALUES (timestamp'2024-01-02 03:04:05')")
    assert str(sql(f"SELECT d FROM {database}.g")[0].d) == "2024-01-02"
    assert columns(database.entry("g")) == {"ts": "timestamp", "d": "date"}


@pytest.mark.skipif(not SPARK_4, reason="no syntax for it in Spark 3.5")
def test_identity_column(sql, database, requests):
    sql(f"CREATE TABLE {database}.i (id BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5), v STRING) "
        "USING delta")
    with requests() as seen:
        sql(f"INSERT INTO {database}.i (v) VALUES ('a')")
    assert sql(f"SELECT id FROM {database}.i")[0].id == 10
    assert seen.operations == ["GetTable"], "the high water mark is the log's own"


def test_column_default(sql, database):
    sql(f"CREATE TABLE {database}.d (id INT, v STRING DEFAULT 'x') USING delta "
        "TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')")
    sql(f"INSERT INTO {database}.d (id) VALUES (1)")
    sql(f"ALTER TABLE {database}.d ALTER COLUMN v SET DEFAULT 'y'")
    sql(f"INSERT INTO {database}.d (id) VALUES (2)")
    assert [r.v for r in sql(f"SELECT v FROM {database}.d ORDER BY id")] == ["x", "y"]


@pytest.mark.skipif(not SPARK_4, reason="no syntax for it in Spark 3.5")
def test_check_in_create(sql, database):
    sql(f"CREATE TABLE {database}.c (id INT, CONSTRAINT positive CHECK (id > 0)) USING delta")
    with pytest.raises(Exception, match="(?i)positive"):
        sql(f"INSERT INTO {database}.c VALUES (-1)")


def test_constraint_is_enforced_and_dropped(sql, database, t):
    sql(f"ALTER TABLE {t} ADD CONSTRAINT positive CHECK (id > 0)")
    with pytest.raises(Exception, match="(?i)positive"):
        sql(f"INSERT INTO {t} VALUES (-1, 'x', 1)")
    sql(f"ALTER TABLE {t} DROP CONSTRAINT positive")
    sql(f"INSERT INTO {t} VALUES (-1, 'x', 1)")


def test_liquid_clustering(sql, database):
    sql(f"CREATE TABLE {database}.l (id INT, v STRING) USING delta CLUSTER BY (id)")
    sql(f"INSERT INTO {database}.l VALUES (1, 'a')")
    sql(f"ALTER TABLE {database}.l CLUSTER BY (v)")
    assert sql(f"DESCRIBE DETAIL {database}.l")[0].clusteringColumns == ["v"]
    sql(f"OPTIMIZE {database}.l")
    assert "CLUSTER BY (v)" in sql(f"SHOW CREATE TABLE {database}.l")[0].createtab_stmt
    sql(f"ALTER TABLE {database}.l CLUSTER BY NONE")
    assert sql(f"DESCRIBE DETAIL {database}.l")[0].clusteringColumns == []


def test_deletion_vectors(sql, database):
    sql(f"CREATE TABLE {database}.v USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true') "
        "AS SELECT id FROM range(100)")
    sql(f"DELETE FROM {database}.v WHERE id < 40")
    assert sql(f"SELECT count(*) AS n FROM {database}.v")[0].n == 60
    sql(f"REORG TABLE {database}.v APPLY (PURGE)")
    assert sql(f"SELECT count(*) AS n FROM {database}.v")[0].n == 60


@pytest.mark.skipif(not SPARK_4, reason="Spark 3.5 has no VARIANT")
def test_variant(sql, database):
    sql(f"CREATE TABLE {database}.v (id INT, j VARIANT) USING delta")
    sql(f"INSERT INTO {database}.v SELECT 1, parse_json('{{\"a\": 7}}')")
    assert sql(f"SELECT variant_get(j, '$.a', 'int') AS a FROM {database}.v")[0].a == 7
    assert columns(database.entry("v")) == {"id": "int", "j": "string"}


def test_timestamp_without_time_zone(sql, database):
    sql(f"CREATE TABLE {database}.n (at TIMESTAMP_NTZ) USING delta")
    sql(f"INSERT INTO {database}.n VALUES (timestamp_ntz'2024-01-02 03:04:05')")
    assert str(sql(f"SELECT at FROM {database}.n")[0]["at"]) == "2024-01-02 03:04:05"
    assert columns(database.entry("n")) == {"at": "timestamp"}


def test_char_and_varchar(sql, database):
    sql(f"CREATE TABLE {database}.c (c CHAR(3), v VARCHAR(4)) USING delta")
    sql(f"INSERT INTO {database}.c VALUES ('a', 'bcd')")
    assert sql(f"SELECT concat(c, '|') AS c FROM {database}.c")[0].c == "a  |"
    assert columns(database.entry("c")) == {"c": "char(3)", "v": "varchar(4)"}
    with pytest.raises(Exception):
        sql(f"INSERT INTO {database}.c VALUES ('a', 'too long')")


def test_change_data_feed(spark, sql, database):
    sql(f"CREATE TABLE {database}.f (id INT) USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
    sql(f"INSERT INTO {database}.f VALUES (1)")
    sql(f"UPDATE {database}.f SET id = 2")
    assert sql(f"SELECT count(*) AS n FROM table_changes('{database}.f', 1)")[0].n == 3
    read = spark.read.option("readChangeFeed", "true").option("startingVersion", 2).table(f"{database}.f")
    assert sorted(r._change_type for r in read.collect()) == ["update_postimage", "update_preimage"]


def test_table_comment(sql, database, t):
    sql(f"COMMENT ON TABLE {t} IS 'what it is'")
    assert database.entry("t")["Description"] == "what it is"
    sql(f"COMMENT ON TABLE {t} IS NULL")
    assert not database.entry("t").get("Description")


# Moving and removing


def test_set_location(spark, sql, database, t, tmp_path):
    spark.sql("SELECT 7L AS id, true AS other").write.format("delta").save(f"file:{tmp_path}/moved")
    sql(f"ALTER TABLE {t} SET LOCATION 'file:{tmp_path}/moved'")
    assert columns(database.entry("t")) == {"id": "bigint", "other": "boolean"}
    assert [r.id for r in sql(f"SELECT id FROM {t}")] == [7]
    assert not database.entry("t")["Parameters"].get("gluecat.managed")
    with pytest.raises(Exception, match="no Delta table"):
        sql(f"ALTER TABLE {t} SET LOCATION 'file:{tmp_path}/nowhere'")
    assert database.entry("t")["StorageDescriptor"]["Location"] == f"file:{tmp_path}/moved"


def test_rename_to_an_existing_name(sql, database, t):
    sql(f"CREATE TABLE {database}.u (id INT) USING delta")
    with pytest.raises(Exception, match="(?i)exist"):
        sql(f"ALTER TABLE {t} RENAME TO {database.name}.u")
    assert database.tables() == ["t", "u"]


def test_purge_is_refused(sql, database, t):
    with pytest.raises(Exception, match="purge.enabled"):
        sql(f"DROP TABLE {t} PURGE")
    assert database.tables() == ["t"]


def test_purge_deletes_a_managed_table(sql, database, t, another):
    catalog = another("purging", purge__enabled="true")
    sql(f"DROP TABLE {catalog}.{database.name}.t PURGE")
    assert database.tables() == []
    assert not (database.location / "t").exists()
    sql(f"CREATE TABLE {database}.t (other INT) USING delta")
    sql(f"INSERT INTO {database}.t VALUES (1)")
    assert [r.other for r in sql(f"SELECT * FROM {database}.t")] == [1]


def test_purge_refuses_a_table_that_lies_elsewhere(sql, database, another, tmp_path):
    sql(f"CREATE TABLE {database}.own (id INT) USING delta LOCATION 'file:{tmp_path}/own'")
    catalog = another("purging", purge__enabled="true")
    with pytest.raises(Exception, match="(?i)LOCATION"):
        sql(f"DROP TABLE {catalog}.{database.name}.own PURGE")
    assert database.tables() == ["own"] and (tmp_path / "own" / "_delta_log").is_dir()


# What Delta must not touch


@pytest.mark.modes("named")
def test_the_session_catalogs_table_of_the_same_name_stays(spark, sql, database, tmp_path):
    sql(f"CREATE DATABASE spark_catalog.{database.name}")
    sql(f"CREATE TABLE spark_catalog.{database.name}.t (mine INT) USING delta LOCATION 'file:{tmp_path}/mine'")
    sql(f"INSERT INTO spark_catalog.{database.name}.t VALUES (42)")
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    spark.conf.set("spark.databricks.delta.catalog.update.enabled", "true")
    try:
        for statement in ("ALTER TABLE {t} ADD COLUMN n INT", "INSERT INTO {t} VALUES (1)",
                          "CREATE OR REPLACE TABLE {t} SHALLOW CLONE {t}"):
            with pytest.raises(Exception, match="catalog.update.enabled"):
                sql(statement.format(t=f"{database}.t"))
    finally:
        spark.conf.unset("spark.databricks.delta.catalog.update.enabled")
    for statement in ("INSERT INTO {t} VALUES (1)", "ALTER TABLE {t} ADD COLUMN n INT", "OPTIMIZE {t}",
                      "REORG TABLE {t} APPLY (PURGE)", "RESTORE TABLE {t} TO VERSION AS OF 1", "TRUNCATE TABLE {t}",
                      "CREATE TABLE {t}_like LIKE {t}", "CREATE TABLE {t}_clone SHALLOW CLONE {t}",
                      "CREATE OR REPLACE TABLE {t}_clone SHALLOW CLONE {t}", "DROP TABLE {t}"):
        sql(statement.format(t=f"{database}.t"))
    session = f"spark_catalog.{database.name}.t"
    assert [r.operation for r in sql(f"DESCRIBE HISTORY {session}")] == ["WRITE", "CREATE TABLE"]
    assert sql(f"DESCRIBE DETAIL {session}")[0].location == f"file:{tmp_path}/mine"
    assert [tuple(r) for r in sql(f"SELECT * FROM {session}")] == [(42,)]
    tables = sql(f"SHOW TABLES IN spark_catalog.{database.name}")
    assert [r.tableName for r in tables if not r.isTemporary] == ["t"]
