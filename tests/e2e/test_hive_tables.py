"""Tables without a Spark provider, as crawlers, Athena, Trino and Hive leave them."""

import pytest

from harness.glue import PARQUET

pytestmark = pytest.mark.modes("named")

ORC = {
    "InputFormat": "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
    "OutputFormat": "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
    "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.ql.io.orc.OrcSerde", "Parameters": {}},
}
FORMATS = {"parquet": PARQUET, "orc": ORC}


def crawled(database, name, form, location, columns, keys=(), **parameters):
    descriptor = {"Columns": [{"Name": n, "Type": t} for n, t in columns], "Location": location, **FORMATS[form],
                  "NumberOfBuckets": -1}
    database.put({"Name": name, "TableType": "EXTERNAL_TABLE", "Owner": "owner",
                  "Parameters": {"classification": form, "typeOfData": "file", **parameters},
                  "PartitionKeys": [{"Name": n, "Type": t} for n, t in keys], "StorageDescriptor": descriptor})
    return descriptor


def register(database, table, values, descriptor, location):
    database.glue.create_partition(
        CatalogId=database.account, DatabaseName=database.name, TableName=table,
        PartitionInput={"Values": values, "StorageDescriptor": {**descriptor, "Location": location}})


@pytest.mark.parametrize("form", ["parquet", "orc"])
def test_a_crawled_table_is_read_by_name_in_any_case(sql, spark, database, form, requests):
    root = f"file:{database.location}/t"
    rows = spark.sql("SELECT 'x' AS Note, id AS Id, named_struct('Inner', id) AS S FROM range(4)")
    rows.write.format(form).save(f"{root}/year=2024/month=6")
    descriptor = crawled(database, "t", form, root,
                         [("id", "bigint"), ("note", "string"), ("s", "struct<inner:bigint>"), ("later", "int")],
                         [("year", "string"), ("month", "string")])
    register(database, "t", ["2024", "6"], descriptor, f"{root}/year=2024/month=6/")
    register(database, "t", ["2024", "7"], descriptor, f"{root}/year=2024/month=7/")
    with requests() as seen:
        found = sql(f"SELECT id, note, s.inner, later, year, month FROM {database}.t WHERE month = '6' AND id > 1 "
                    "ORDER BY id")
    assert [tuple(r) for r in found] == [(2, "x", 2, None, "2024", "6"), (3, "x", 3, None, "2024", "6")]
    assert seen.operations == ["GetTable", "GetPartitions"]


@pytest.mark.parametrize("form", ["parquet", "orc"])
def test_files_in_directories_below_are_read_too(sql, spark, database, form):
    root = f"file:{database.location}/t"
    spark.range(1).write.format(form).save(f"{root}/k=1/one/two")
    spark.range(2).write.format(form).save(f"{root}/k=1/HIVE_UNION_SUBDIR_1")
    spark.range(4).write.format(form).save(f"{root}/k=1/_hidden")
    descriptor = crawled(database, "t", form, root, [("id", "bigint")], [("k", "int")])
    register(database, "t", ["1"], descriptor, f"{root}/k=1")
    assert sql(f"SELECT count(*) AS n FROM {database}.t WHERE k = 1")[0].n == 3
    crawled(database, "plain", form, f"{root}/k=1", [("id", "bigint")])
    assert sql(f"SELECT count(*) AS n FROM {database}.plain")[0].n == 3


def test_orc_files_of_hive_without_column_names(sql, spark, database):
    root = f"file:{database.location}/t"
    spark.sql("SELECT id AS _col0, 'v' AS _col1 FROM range(2)").write.orc(root)
    crawled(database, "t", "orc", root, [("a", "bigint"), ("b", "string")])
    assert sorted(tuple(r) for r in sql(f"SELECT a, b FROM {database}.t")) == [(0, "v"), (1, "v")]


def test_orc_by_position_where_the_entry_says_so(sql, spark, database):
    root = f"file:{database.location}/t"
    spark.sql("SELECT id AS x, 'v' AS y FROM range(1)").write.orc(root)
    crawled(database, "t", "orc", root, [("y", "bigint"), ("x", "string")], **{"orc.column.index.access": "true"})
    assert [tuple(r) for r in sql(f"SELECT y, x FROM {database}.t")] == [(0, "v")]


@pytest.mark.parametrize("form", ["parquet", "orc"])
def test_inserts_register_partitions_and_keep_the_entry(sql, database, form):
    root = f"file:{database.location}/t"
    crawled(database, "t", form, root, [("id", "bigint"), ("v", "string")], [("k", "string")])
    before = database.entry("t")
    sql(f"INSERT INTO {database}.t VALUES (1, 'a', 'x'), (2, 'b', 'y')")
    sql(f"INSERT OVERWRITE {database}.t PARTITION (k = 'x') SELECT 3, 'c'")
    assert sorted(tuple(r) for r in sql(f"SELECT * FROM {database}.t")) == [(2, "b", "y"), (3, "c", "x")]
    assert set(database.partitions("t")) == {("x",), ("y",)}
    for partition in database.partitions("t").values():
        assert partition["StorageDescriptor"]["SerdeInfo"] == FORMATS[form]["SerdeInfo"]
    after = database.entry("t")
    assert after["Parameters"] == before["Parameters"]
    assert after["StorageDescriptor"] == before["StorageDescriptor"]


def test_a_table_bucketed_by_hive_is_read_and_not_written(sql, spark, database):
    root = f"file:{database.location}/t"
    spark.range(5).write.parquet(root)
    crawled(database, "t", "parquet", root, [("id", "bigint")])
    entry = database.entry("t")
    descriptor = {**entry["StorageDescriptor"], "NumberOfBuckets": 4, "BucketColumns": ["id"]}
    database.put({"Name": "b", "TableType": "EXTERNAL_TABLE", "Parameters": {"bucketing_format": "hive"},
                  "StorageDescriptor": descriptor})
    assert sql(f"SELECT count(DISTINCT id) AS n FROM {database}.b WHERE id IN (1, 3)")[0].n == 2
    with pytest.raises(Exception, match="bucketed by Hive"):
        sql(f"INSERT INTO {database}.b VALUES (9)")
