"""Tables whose directories hold manifests, as a crawler or Athena leaves them for a Delta table's Parquet files."""

import pytest

from harness.glue import PARQUET

pytestmark = [pytest.mark.modes("named"), pytest.mark.fault("P031")]

SYMLINK = {**PARQUET, "InputFormat": "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat"}
COLUMNS = [{"Name": "id", "Type": "bigint"}, {"Name": "name", "Type": "string"}]


@pytest.fixture
def delta(sql, database):
    """A Delta table, and a way to write its manifests; they stay as they are when the table is written again."""
    path = f"file:{database.location}/lake"
    sql(f"CREATE TABLE {database}.lake (id BIGINT, name STRING, k INT) USING delta PARTITIONED BY (k) LOCATION '{path}'")
    sql(f"INSERT INTO {database}.lake VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 2)")
    sql(f"DELETE FROM {database}.lake WHERE id = 3")
    return lambda: sql(f"GENERATE symlink_format_manifest FOR TABLE delta.`{path}`")


def put(database, name, location, keys=(), **parameters):
    descriptor = {"Columns": COLUMNS, "Location": location, **SYMLINK}
    database.put({"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "parquet", **parameters},
                  "PartitionKeys": list(keys), "StorageDescriptor": descriptor})
    return descriptor


@pytest.fixture
def manifests(database, delta):
    """The table of its manifests, which a crawler registers with its partitions."""
    delta()
    root = f"file:{database.location}/lake/_symlink_format_manifest"
    descriptor = put(database, "m", root, [{"Name": "k", "Type": "int"}])
    for k in ("1", "2"):
        database.glue.create_partition(
            CatalogId=database.account, DatabaseName=database.name, TableName="m",
            PartitionInput={"Values": [k], "StorageDescriptor": {**descriptor, "Location": f"{root}/k={k}"}})
    return f"{database}.m"


def rows(sql, query):
    return sorted(tuple(row) for row in sql(query))


def test_exactly_the_named_files_are_read(sql, database, manifests, delta, requests):
    assert rows(sql, f"SELECT id, name, k FROM {manifests}") == [(1, "one", 1), (2, "two", 2)]
    sql(f"INSERT INTO {database}.lake VALUES (4, 'four', 1)")
    assert rows(sql, f"SELECT id FROM {manifests}") == [(1,), (2,)]
    delta()
    with requests() as seen:
        assert rows(sql, f"SELECT id, k FROM {manifests} WHERE k = 1 AND id > 1") == [(4, 1)]
    assert seen.operations == ["GetTable", "GetPartitions"]
    assert sql(f"SELECT _metadata.file_path AS p FROM {manifests} WHERE id = 4")[0].p.count("/lake/k=1/part-") == 1


def test_without_partitions(sql, database):
    path = f"file:{database.location}/flat"
    sql(f"CREATE TABLE {database}.flat USING delta LOCATION '{path}' AS SELECT id, 'x' AS name FROM range(5)")
    sql(f"DELETE FROM {database}.flat WHERE id > 2")
    sql(f"GENERATE symlink_format_manifest FOR TABLE delta.`{path}`")
    put(database, "m", f"{path}/_symlink_format_manifest/")
    assert sql(f"SELECT count(*) AS n FROM {database}.m")[0].n == 3
    # The size is that of the files, not of the text that names them.
    size = sum(f.stat().st_size for f in (database.location / "flat").glob("*.parquet"))
    manifest = (database.location / "flat" / "_symlink_format_manifest" / "manifest").stat().st_size
    sql(f"ANALYZE TABLE {database}.m COMPUTE STATISTICS NOSCAN")
    analyzed = int(database.entry("m")["Parameters"]["spark.sql.statistics.totalSize"])
    assert manifest < analyzed < size


def test_a_table_without_manifests_is_empty(sql, database):
    put(database, "m", f"file:{database.location}/nothing/_symlink_format_manifest")
    assert rows(sql, f"SELECT * FROM {database}.m") == []


def test_a_named_file_that_is_gone_is_an_error(sql, database, manifests):
    next((database.location / "lake" / "k=1").glob("part-*.parquet")).unlink()
    with pytest.raises(Exception, match=r"table .*\.m: .*k=1/manifest names .*\.parquet, which is not there"):
        sql(f"SELECT * FROM {manifests}")
    assert rows(sql, f"SELECT id FROM {manifests} WHERE k = 2") == [(2,)]


@pytest.mark.parametrize("statement", [
    "INSERT INTO {m} VALUES (9, 'nine', 1)", "INSERT OVERWRITE {m} PARTITION (k = 1) VALUES (9, 'nine')",
    "TRUNCATE TABLE {m}", "TRUNCATE TABLE {m} PARTITION (k = 1)", "DELETE FROM {m} WHERE k = 1",
    "LOAD DATA INPATH '{root}/k=1' INTO TABLE {m} PARTITION (k = 2)"])
def test_it_is_not_written(sql, database, manifests, statement):
    before = sorted(p for p in (database.location / "lake").rglob("*"))
    root = f"file:{database.location}/lake"
    with pytest.raises(Exception, match="lists its files in manifests"):
        sql(statement.format(m=manifests, root=root))
    assert sorted(p for p in (database.location / "lake").rglob("*")) == before


def test_no_stream_reads_it(spark, manifests):
    with pytest.raises(Exception, match="lists its files in manifests"):
        spark.readStream.table(manifests).schema  # noqa: B018 - it is resolved here


def test_its_partitions_can_be_changed(sql, database, manifests):
    sql(f"ALTER TABLE {manifests} DROP PARTITION (k = 2)")
    assert rows(sql, f"SELECT id FROM {manifests}") == [(1,)]
    sql(f"MSCK REPAIR TABLE {manifests}")
    assert rows(sql, f"SELECT id FROM {manifests}") == [(1,), (2,)]
    added = database.partitions("m")[("2",)]["StorageDescriptor"]
    assert added["InputFormat"] == SYMLINK["InputFormat"]
