"""Commands on file tables: what they leave in Glue, and what they refuse."""

import time

import pytest

from harness.session import message_of

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def table(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, v STRING, k INT) USING parquet PARTITIONED BY (k)")
    sql(f"INSERT INTO {database}.t VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2)")
    return f"{database}.t"


def test_statistics_of_a_table_and_its_columns_reach_the_optimizer(sql, database, table):
    sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS FOR COLUMNS id, v")
    parameters = database.entry("t")["Parameters"]
    assert parameters["spark.sql.statistics.numRows"] == "3"
    assert int(parameters["spark.sql.statistics.totalSize"]) > 0
    assert parameters["spark.sql.statistics.colStats.id.distinctCount"] == "3"
    assert parameters["spark.sql.statistics.colStats.v.maxLen"] == "1"
    sql("SET spark.sql.cbo.enabled = true")
    try:
        plan = sql(f"EXPLAIN COST SELECT id FROM {table} WHERE id = 2")[0].plan
    finally:
        sql("RESET spark.sql.cbo.enabled")
    assert "rowCount=1)" in plan, plan
    sql(f"INSERT INTO {table} VALUES (4, 'd', 2)")
    assert not [p for p in database.entry("t")["Parameters"] if p.startswith("spark.sql.statistics")]


def test_noscan_counts_bytes_only(sql, database, table, requests):
    with requests() as seen:
        sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS NOSCAN")
    assert seen.operations == ["GetTable", "GetPartitions", "UpdateTable"]
    parameters = database.entry("t")["Parameters"]
    assert "spark.sql.statistics.totalSize" in parameters and "spark.sql.statistics.numRows" not in parameters


def test_statistics_of_partitions_are_theirs(sql, database, table):
    sql(f"ANALYZE TABLE {table} PARTITION (k) COMPUTE STATISTICS")
    rows = {values: p["Parameters"]["spark.sql.statistics.numRows"]
            for values, p in database.partitions("t").items()}
    assert rows == {("1",): "2", ("2",): "1"}
    assert "numRows=2" in str(sql(f"DESCRIBE EXTENDED {table} PARTITION (k = 1)"))


def test_analyzing_partitions_takes_a_request_per_hundred(sql, database, table, requests):
    storage = database.entry("t")["StorageDescriptor"]
    batch = [{"Values": [str(k)], "StorageDescriptor": {**storage, "Location": f"file:{database.location}/t/k={k}"}}
             for k in range(100, 250)]
    for start in (0, 100):
        database.glue.batch_create_partition(CatalogId=database.account, DatabaseName=database.name, TableName="t",
                                             PartitionInputList=batch[start:start + 100])
    statement = f"ANALYZE TABLE {table} PARTITION (k) COMPUTE STATISTICS NOSCAN"
    with requests() as seen:
        sql(statement)
    assert seen.operations == ["GetTable", "GetPartitions", "BatchGetPartition", "BatchUpdatePartition",
                               "BatchUpdatePartition"]
    partitions = database.partitions("t")
    assert partitions["149",]["Parameters"]["spark.sql.statistics.totalSize"] == "0"
    assert partitions["149",]["StorageDescriptor"]["Columns"] == storage["Columns"]
    with requests() as seen:
        sql(statement)
    assert seen.operations == ["GetTable", "GetPartitions", "BatchGetPartition"]


def column_statistics(database, columns: list[str]) -> dict[str, dict]:
    answer = database.glue.get_column_statistics_for_table(
        CatalogId=database.account, DatabaseName=database.name, TableName="t", ColumnNames=columns)
    return {c["ColumnName"]: c["StatisticsData"] for c in answer["ColumnStatisticsList"]}


def test_other_engines_find_the_statistics_of_columns(sql, database, requests):
    sql(f"CREATE TABLE {database}.t (Id BIGINT, price DECIMAL(10, 2), born DATE, v STRING, ok BOOLEAN, b BINARY, "
        "r DOUBLE, k INT) USING parquet PARTITIONED BY (k)")
    sql(f"INSERT INTO {database}.t VALUES (1, -1.28, DATE'1969-12-31', 'abc', true, X'00', 0.5, 1), "
        "(5, 327.68, DATE'2024-02-29', NULL, true, X'0000', 1.5, 1)")
    with requests() as seen:
        sql(f"ANALYZE TABLE {database}.t COMPUTE STATISTICS FOR ALL COLUMNS")
    assert seen.operations.count("UpdateColumnStatisticsForTable") == 1, seen.operations
    found = column_statistics(database, ["id", "price", "born", "v", "ok", "b", "r", "k"])
    assert set(found) == {"id", "price", "born", "v", "ok", "b", "r"}
    assert found["id"]["LongColumnStatisticsData"] == {
        "MinimumValue": 1, "MaximumValue": 5, "NumberOfNulls": 0, "NumberOfDistinctValues": 2}
    price = found["price"]["DecimalColumnStatisticsData"]
    assert price["MinimumValue"] == {"UnscaledValue": b"\x80", "Scale": 2}
    assert price["MaximumValue"] == {"UnscaledValue": b"\x00\x80\x00", "Scale": 2}
    born = found["born"]["DateColumnStatisticsData"]
    assert (born["MinimumValue"].timestamp(), born["MaximumValue"].timestamp()) == (-86400, 1709164800)
    assert found["v"]["StringColumnStatisticsData"] == {
        "MaximumLength": 3, "AverageLength": 3.0, "NumberOfNulls": 1, "NumberOfDistinctValues": 1}
    assert found["ok"]["BooleanColumnStatisticsData"] == {"NumberOfTrues": 2, "NumberOfFalses": 0, "NumberOfNulls": 0}
    assert found["b"]["BinaryColumnStatisticsData"]["MaximumLength"] == 2
    assert found["r"]["DoubleColumnStatisticsData"]["MaximumValue"] == 1.5


def test_statistics_that_other_engines_made_reach_the_optimizer(sql, spark, database, requests):
    sql(f"CREATE TABLE {database}.t (Id INT, v STRING) USING parquet")
    sql(f"INSERT INTO {database}.t SELECT id, 'a' FROM range(10)")
    sql(f"ANALYZE TABLE {database}.t COMPUTE STATISTICS")
    # Ids from 0 to 100 leave one in ten rows above 90; without them all ten are expected.
    database.glue.update_column_statistics_for_table(
        CatalogId=database.account, DatabaseName=database.name, TableName="t", ColumnStatisticsList=[{
            "ColumnName": "id", "ColumnType": "int", "AnalyzedTime": time.time() + 2,
            "StatisticsData": {"Type": "LONG", "LongColumnStatisticsData": {
                "MinimumValue": 0, "MaximumValue": 100, "NumberOfNulls": 0, "NumberOfDistinctValues": 10}}}])

    def plan() -> tuple[str, list[str]]:
        """What EXPLAIN COST shows, which itself analyzes the query twice, and what one analysis asks Glue."""
        with requests() as seen:
            text = spark.sql(f"SELECT id FROM {database}.t WHERE id > 90")._jdf.queryExecution().stringWithStats()
        return text, seen.operations

    assert plan()[1] == ["GetTable"]
    sql("SET spark.sql.cbo.enabled = true")
    try:
        text, operations = plan()
        assert operations == ["GetTable", "GetColumnStatisticsForTable"]
        assert "rowCount=1)" in text, text
        assert "rowCount=1)" in sql(f"EXPLAIN COST SELECT id FROM {database}.t WHERE id > 90")[0].plan
        # After a write they are wrong, and without the number of rows nothing asks for them.
        sql(f"INSERT INTO {database}.t VALUES (1000, 'z')")
        text, operations = plan()
        assert operations == ["GetTable"] and "rowCount" not in text, text
        # With the number of rows they are worth a request again.
        sql(f"ANALYZE TABLE {database}.t COMPUTE STATISTICS")
        assert plan()[1] == ["GetTable", "GetColumnStatisticsForTable"]
    finally:
        sql("RESET spark.sql.cbo.enabled")


@pytest.mark.parametrize("statement", [
    "ALTER TABLE {t} ADD PARTITION (k = 9)", "ALTER TABLE {t} DROP PARTITION (k = 1)",
    "ALTER TABLE {t} PARTITION (k = 1) SET LOCATION '{d}/elsewhere'", "MSCK REPAIR TABLE {t} SYNC PARTITIONS"])
def test_what_changes_the_rows_removes_the_statistics(sql, database, table, statement):
    sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS")
    (database.location / "t" / "k=3").mkdir()
    sql(statement.format(t=table, d=f"file:{database.location}"))
    assert not [p for p in database.entry("t")["Parameters"] if p.startswith("spark.sql.statistics")]


def test_a_renamed_table_takes_statistics_and_indexes_along(sql, database, table):
    database.glue.create_partition_index(CatalogId=database.account, DatabaseName=database.name, TableName="t",
                                         PartitionIndex={"IndexName": "by_k", "Keys": ["k"]})
    sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS FOR COLUMNS id")
    before = column_statistics(database, ["id"])
    sql(f"ALTER TABLE {table} RENAME TO {database.name}.renamed")
    answer = database.glue.get_column_statistics_for_table(
        CatalogId=database.account, DatabaseName=database.name, TableName="renamed", ColumnNames=["id"])
    assert [c["StatisticsData"] for c in answer["ColumnStatisticsList"]] == [before["id"]]
    indexes = database.glue.get_partition_indexes(CatalogId=database.account, DatabaseName=database.name,
                                                  TableName="renamed")["PartitionIndexDescriptorList"]
    assert [index["IndexName"] for index in indexes] == ["by_k"]
    assert database.tables() == ["renamed"]
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.renamed")) == [1, 2, 3]


@pytest.fixture
def repair_log(spark):
    """What MSCK logs, as text that grows."""
    log4j = spark._jvm.org.apache.logging.log4j
    text = spark._jvm.java.io.StringWriter()
    layout = log4j.core.layout.PatternLayout.createDefaultLayout()
    appender = log4j.core.appender.WriterAppender.createAppender(layout, None, text, "repair", False, True)
    appender.start()
    logger = log4j.LogManager.getLogger("org.apache.spark.sql.gluecat.files.RepairPartitions")
    logger.addAppender(appender)
    logger.setLevel(log4j.Level.INFO)
    yield text.toString
    logger.removeAppender(appender)


def test_a_long_repair_says_how_far_it_is(sql, database, repair_log, requests):
    sql(f"CREATE TABLE {database}.t (id INT, day INT, hour INT) USING parquet PARTITIONED BY (day, hour)")
    for day in range(1000):
        (database.location / "t" / f"day={day}" / "hour=0").mkdir(parents=True)
    with requests() as seen:
        sql(f"MSCK REPAIR TABLE {database}.t SYNC PARTITIONS")
    assert seen.operations == ["GetTable", "GetPartitions", *["BatchCreatePartition"] * 10]
    lines = repair_log().splitlines()
    assert len(lines) == 2, lines
    assert "read 1000 directories" in lines[0] and f"acct_a.{database.name}.t" in lines[0]
    assert "read 1001 directories, adding 1000 partitions, dropping 0" in lines[1]


def test_a_partition_moves_without_its_files(sql, spark, database, table, requests):
    spark.sql("SELECT 9 AS id, 'z' AS v").write.parquet(f"file:{database.location}/other")
    with requests() as seen:
        sql(f"ALTER TABLE {table} PARTITION (k = 1) SET LOCATION 'file:{database.location}/other'")
    assert seen.operations == ["GetTable", "GetPartitions", "BatchGetPartition", "BatchUpdatePartition"]
    assert [r.id for r in sql(f"SELECT id FROM {table} WHERE k = 1")] == [9]
    assert (database.location / "t" / "k=1").is_dir()


def test_a_renamed_partition_takes_its_directory_along(sql, database, table):
    sql(f"ALTER TABLE {table} PARTITION (k = 1) RENAME TO PARTITION (k = 7)")
    assert set(database.partitions("t")) == {("7",), ("2",)}
    assert (database.location / "t" / "k=7").is_dir() and not (database.location / "t" / "k=1").exists()
    assert sorted(r.id for r in sql(f"SELECT id FROM {table} WHERE k = 7")) == [1, 2]


def test_delete_takes_whole_partitions(sql, database, table):
    sql(f"DELETE FROM {table} AS x WHERE x.k < 2 OR x.k > 100")
    assert set(database.partitions("t")) == {("2",)}
    assert [r.id for r in sql(f"SELECT id FROM {table}")] == [3]
    assert not list((database.location / "t" / "k=1").glob("*.parquet"))
    sql(f"DELETE FROM {table}")
    assert sql(f"SELECT id FROM {table}") == []


@pytest.mark.parametrize("condition", ["id = 1", "k = 1 AND id = 1", "k = (SELECT 1)"])
def test_delete_of_rows_is_refused_and_deletes_nothing(sql, database, table, condition):
    with pytest.raises(Exception) as raised:
        sql(f"DELETE FROM {table} WHERE {condition}")
    text = message_of(raised.value)
    assert "whole partitions" in text and "acct_a" in text and f"{database.name}.t" in text, text
    assert sql(f"SELECT count(*) AS n FROM {table}")[0].n == 3


def test_a_table_like_another(sql, spark, database, table):
    sql(f"USE {database}")
    try:
        sql("CREATE TABLE copy LIKE t")
        sql("CREATE TABLE IF NOT EXISTS copy LIKE t USING csv")
        with pytest.raises(Exception, match="(?i)exist"):
            sql("CREATE TABLE copy LIKE t")
        sql("INSERT INTO copy SELECT * FROM t")
    finally:
        sql("USE spark_catalog.default")
    assert set(database.partitions("copy")) == {("1",), ("2",)}
    assert database.entry("copy")["Parameters"]["spark.sql.sources.provider"] == "parquet"
    assert spark.table(f"{database}.copy").schema == spark.table(table).schema


@pytest.mark.fault("P077")
def test_repair_registers_what_is_missing_and_no_more(sql, spark, database):
    spark.range(250).selectExpr("id", "id AS k").write.partitionBy("k").parquet(f"file:{database.location}/many")
    sql(f"CREATE TABLE {database}.many (id BIGINT, k BIGINT) USING parquet PARTITIONED BY (k) "
        f"LOCATION 'file:{database.location}/many'")
    sql(f"MSCK REPAIR TABLE {database}.many")
    database.drop_partitions("many", [[str(k)] for k in range(50)])
    assert len(database.partitions("many")) == 200
    sql(f"MSCK REPAIR TABLE {database}.many")
    assert len(database.partitions("many")) == 250
    assert sql(f"SELECT count(*) AS n FROM {database}.many")[0].n == 250


@pytest.mark.modes("named", "spark_catalog")
def test_tables_are_listed_with_what_they_are(sql, database, table):
    sql(f"CREATE TABLE {database}.u (id INT) USING csv LOCATION 'file:{database.location}/elsewhere'")
    listed = {row.tableName: row.information.splitlines()
              for row in sql(f"SHOW TABLE EXTENDED IN {database} LIKE '*'") if not row.isTemporary}
    assert set(listed) == {"t", "u"}
    assert {f"Table: t", f"Catalog: {database.catalog}", "Type: MANAGED", "Provider: parquet",
            " |-- k: integer (nullable = true)"} <= set(listed["t"])
    assert {"Type: EXTERNAL", f"Location: file:{database.location}/elsewhere"} <= set(listed["u"])
    [of_partition] = sql(f"SHOW TABLE EXTENDED IN {database} LIKE 't' PARTITION (k = 2)")
    assert "Partition Values: [k=2]" in of_partition.information and "t/k=2" in of_partition.information
    assert sql(f"SHOW TABLE EXTENDED IN {database} LIKE 'nosuch'") == []
    with pytest.raises(Exception) as failure:
        sql(f"SHOW TABLE EXTENDED IN {database} LIKE 't' PARTITION (k = 9)")
    assert "PARTITIONS_NOT_FOUND" in message_of(failure.value)


@pytest.mark.modes("named", "spark_catalog")
def test_columns_are_listed(sql, database, table):
    assert [row.col_name for row in sql(f"SHOW COLUMNS IN {table}")] == ["id", "v", "k"]
    with pytest.raises(Exception) as failure:
        sql(f"SHOW COLUMNS IN {table} IN another")
    assert "conflicting" in message_of(failure.value)


@pytest.mark.modes("named", "spark_catalog")
def test_inserts_into_a_partition_only_if_there_is_none(sql, database, table, requests):
    statement = f"INSERT OVERWRITE {table} PARTITION (k = {{k}}) IF NOT EXISTS SELECT 9, 'new'"
    with requests() as seen:
        sql(statement.format(k="'01'"))
    assert seen.operations == ["GetTable", "GetPartitions"]
    sql(f"WITH n AS (SELECT 8 AS id, 'with' AS v) INSERT OVERWRITE {table} PARTITION (K = 7) IF NOT EXISTS "
        "SELECT * FROM n")
    assert sorted(map(tuple, sql(f"SELECT * FROM {table}"))) == [(1, "a", 1), (2, "b", 1), (3, "c", 2), (8, "with", 7)]
    assert ("7",) in database.partitions("t")


def test_a_delta_table_refuses_if_not_exists_and_stays(sql, database):
    sql(f"CREATE TABLE {database}.d USING delta PARTITIONED BY (k) AS SELECT 1 AS id, 1 AS k")
    with pytest.raises(Exception) as failure:
        sql(f"INSERT OVERWRITE {database}.d PARTITION (k = 1) IF NOT EXISTS SELECT 2")
    assert "IF NOT EXISTS" in message_of(failure.value)
    assert [tuple(r) for r in sql(f"SELECT * FROM {database}.d")] == [(1, 1)]


@pytest.mark.modes("named", "spark_catalog")
@pytest.mark.parametrize("definition", [
    "(id INT COMMENT 'it\\'s', v STRING DEFAULT 'x', `odd name` STRUCT<a: INT, b: ARRAY<STRING>>, c CHAR(4), w VARCHAR(7), "
    "m DECIMAL(10,2), k INT COMMENT 'key', d DATE) USING parquet PARTITIONED BY (k, d) COMMENT 'a \\'quoted\\' comment' "
    "TBLPROPERTIES ('p' = '1', 'compression' = 'zstd')",
    "(id INT, v STRING) USING orc CLUSTERED BY (id) SORTED BY (v) INTO 4 BUCKETS",
    "(id INT, v STRING) USING csv OPTIONS (header 'true', sep '|') LOCATION '{location}'"])
def test_show_create_table_makes_the_same_table_again(sql, database, definition):
    sql(f"CREATE TABLE {database}.t {definition}".replace("{location}", f"file:{database.location}/elsewhere"))
    statement = sql(f"SHOW CREATE TABLE {database}.t")[0].createtab_stmt
    before = made(database.entry("t"))
    sql(f"DROP TABLE {database}.t")
    sql(statement)
    assert made(database.entry("t")) == before
    assert sql(f"SHOW CREATE TABLE {database}.t")[0].createtab_stmt == statement


def made(entry: dict) -> dict:
    """What of an entry a statement decides, and not the moment."""
    parameters = {k: v for k, v in entry["Parameters"].items() if k != "transient_lastDdlTime"}
    return {**entry, "Parameters": parameters, "CreateTime": None, "UpdateTime": None, "VersionId": None}
