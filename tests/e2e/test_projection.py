"""Partition projection: partitions that Athena computes from table properties, over real files."""

import datetime

import pytest

from harness.glue import PARQUET, parquet_entry
from harness.session import message_of

pytestmark = pytest.mark.modes("named")


def athena_entry(name, location, columns, keys, parameters):
    """A Parquet table as Athena's DDL leaves it: no Spark provider."""
    return {"Name": name, "TableType": "EXTERNAL_TABLE", "PartitionKeys": keys,
            "Parameters": {"EXTERNAL": "TRUE", "projection.enabled": "true", **parameters},
            "StorageDescriptor": {"Columns": columns, "Location": location, **PARQUET}}


@pytest.fixture
def clicks(spark, database):
    """Three days in two regions, under directories of the template's own form."""
    root = f"file:{database.location}/clicks"
    for region in ("eu", "us"):
        for day in (1, 2, 3):
            for hour in (0, 9):
                spark.range(day).write.parquet(f"{root}/{region}/2024/01/{day:02}/{hour:02}")
    database.put(athena_entry(
        "clicks", root, [{"Name": "id", "Type": "bigint"}],
        [{"Name": "region", "Type": "string"}, {"Name": "dt", "Type": "string"}, {"Name": "hh", "Type": "int"}],
        {"projection.region.type": "enum", "projection.region.values": "eu,us,ap",
         "projection.dt.type": "date", "projection.dt.format": "yyyy/MM/dd", "projection.dt.range": "2023/12/01,NOW",
         "projection.hh.type": "integer", "projection.hh.range": "0,23", "projection.hh.digits": "2",
         "storage.location.template": f"{root}/${{region}}/${{dt}}/${{hh}}"}))
    return f"{database}.clicks"


def test_only_what_the_filter_keeps_is_read_and_glue_is_asked_for_no_partition(sql, clicks, requests):
    with requests() as seen:
        rows = sql(f"SELECT region, dt, hh, count(*) AS n FROM {clicks} WHERE dt BETWEEN '2024/01/02' AND '2024/01/03' "
                   f"AND region <> 'ap' AND hh < 9 GROUP BY region, dt, hh")
    assert sorted(tuple(r) for r in rows) == [
        ("eu", "2024/01/02", 0, 2), ("eu", "2024/01/03", 0, 3),
        ("us", "2024/01/02", 0, 2), ("us", "2024/01/03", 0, 3)]
    assert seen.operations == ["GetTable"]


def test_partitions_outside_the_range_are_not_there(sql, clicks):
    assert sql(f"SELECT * FROM {clicks} WHERE dt = '2023/01/01'") == []
    assert sql(f"SELECT count(*) AS n FROM {clicks} WHERE dt = '2024/01/01' AND hh IN (9, 77)")[0].n == 2


def test_joins_prune_by_the_other_side(sql, spark, clicks):
    spark.createDataFrame([("2024/01/02",)], ["day"]).createOrReplaceTempView("wanted")
    assert sql(f"SELECT count(*) AS n FROM {clicks} JOIN wanted ON dt = day WHERE dt < '2024/01/04'")[0].n == 8


def test_dates_relative_to_now_in_the_default_layout(sql, spark, database):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    root = f"file:{database.location}/recent"
    for back in (0, 1, 40):
        spark.range(1).write.parquet(f"{root}/d={today - datetime.timedelta(days=back)}")
    database.put(athena_entry(
        "recent", root, [{"Name": "id", "Type": "bigint"}], [{"Name": "d", "Type": "date"}],
        {"projection.d.type": "date", "projection.d.format": "yyyy-MM-dd", "projection.d.range": "NOW-30DAYS,NOW"}))
    assert {r.d for r in sql(f"SELECT d FROM {database}.recent")} == {today, today - datetime.timedelta(days=1)}
    assert len(sql(f"SHOW PARTITIONS {database}.recent")) == 31


def test_an_injected_column_needs_its_value(sql, spark, database):
    root = f"file:{database.location}/devices"
    spark.range(2).write.parquet(f"{root}/device=a1")
    database.put(athena_entry(
        "devices", root, [{"Name": "id", "Type": "bigint"}], [{"Name": "device", "Type": "string"}],
        {"projection.device.type": "injected"}))
    assert sql(f"SELECT count(*) AS n FROM {database}.devices WHERE device = 'a1'")[0].n == 2
    assert sql(f"SELECT count(*) AS n FROM {database}.devices WHERE device IN ('a1', 'b2')")[0].n == 2
    with pytest.raises(Exception) as raised:
        sql(f"SELECT count(*) FROM {database}.devices")
    text = message_of(raised.value)
    assert "device is injected" in text and "acct_a" in text and f"{database.name}.devices" in text


def test_a_spark_table_with_projection_is_projected(sql, spark, database):
    spark.range(3).write.parquet(f"file:{database.location}/t/k=2")
    database.put(parquet_entry(
        "t", f"file:{database.location}/t", [{"Name": "id", "Type": "bigint"}],
        PartitionKeys=[{"Name": "k", "Type": "int"}],
        Parameters={"spark.sql.sources.provider": "parquet", "projection.enabled": "true",
                    "projection.k.type": "integer", "projection.k.range": "1,5"}))
    assert sql(f"SELECT k, count(*) AS n FROM {database}.t GROUP BY k") == [(2, 3)]


@pytest.mark.parametrize("statement", [
    "INSERT INTO {t} VALUES (1, 'eu', '2024/01/01', 1)", "MSCK REPAIR TABLE {t}", "TRUNCATE TABLE {t}",
    "ALTER TABLE {t} ADD PARTITION (region = 'eu', dt = '2022/01/09', hh = 1)",
])
def test_writes_are_refused(sql, clicks, statement):
    with pytest.raises(Exception, match="projection.enabled"):
        sql(statement.format(t=clicks))


def test_a_setting_that_cannot_be_understood_is_named(sql, database):
    database.put(athena_entry(
        "broken", f"file:{database.location}/b", [{"Name": "id", "Type": "bigint"}],
        [{"Name": "d", "Type": "string"}],
        {"projection.d.type": "date", "projection.d.format": "yyyy-ww", "projection.d.range": "NOW,NOW"}))
    with pytest.raises(Exception, match="'projection.d.format' is 'yyyy-ww'"):
        sql(f"SELECT * FROM {database}.broken")
