"""SHOW TABLES lists every entry of a database, whatever wrote it; what cannot be read says why."""

import time

import pytest

from harness.glue import parquet_entry
from harness.session import message_of

ODD_ENTRIES = {
    "iceberg": {"TableType": "EXTERNAL_TABLE",
                "Parameters": {"table_type": "ICEBERG", "metadata_location": "s3://b/i/metadata/1.json"},
                "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "int"}], "Location": "s3://b/i"}},
    "iceberg_without_metadata": {"Parameters": {"table_type": "ICEBERG"}},
    "athena_view": {"TableType": "VIRTUAL_VIEW", "ViewOriginalText": "/* Presto View: e30= */",
                    "ViewExpandedText": "/* Presto View */", "Parameters": {"presto_view": "true"},
                    "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "int"}], "Location": ""}},
    "no_descriptor": {},
    "unknown_type": parquet_entry("x", "file:/tmp/x", [{"Name": "a", "Type": "notarealtype"}]),
    "broken_type": parquet_entry("x", "file:/tmp/x", [{"Name": "a", "Type": "decimal(38,"}]),
    "no_serde": {"TableType": "EXTERNAL_TABLE",
                 "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://b/n"}},
    "crawled_ion": {"TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "ion"},
                    "StorageDescriptor": {
                        "Columns": [{"Name": "a", "Type": "string"}], "Location": "s3://b/ion",
                        "InputFormat": "com.amazon.ionhiveserde.formats.IonInputFormat",
                        "SerdeInfo": {"SerializationLibrary": "com.amazon.ionhiveserde.IonHiveSerDe"}}},
    "resource_link": {"TargetTable": {"CatalogId": "222222222222", "DatabaseName": "db1", "Name": "t1"}},
    "symlink": {"TableType": "EXTERNAL_TABLE",
                "StorageDescriptor": {
                    "Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://b/t/_symlink_format_manifest",
                    "InputFormat": "org.apache.hadoop.hive.ql.io.SymlinkTextInputFormat",
                    "SerdeInfo": {"SerializationLibrary":
                                  "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"}}},
}


@pytest.fixture
def mixed(sql, database):
    """Five good tables among every odd entry."""
    for number in range(3):
        sql(f"CREATE TABLE {database}.good_parquet_{number} USING parquet AS SELECT {number} AS id")
    for number in range(2):
        sql(f"CREATE TABLE {database}.good_delta_{number} USING delta AS SELECT {number} AS id")
    for name, entry in ODD_ENTRIES.items():
        database.put({**entry, "Name": name})
    return database


def listed(sql, database):
    return sorted(row.tableName for row in sql(f"SHOW TABLES IN {database}"))


@pytest.mark.fault("P046")
def test_every_entry_is_listed(sql, mixed):
    assert listed(sql, mixed) == mixed.tables()
    assert len(mixed.tables()) == 5 + len(ODD_ENTRIES)


@pytest.mark.fault("P046")
def test_spark_catalog_api_lists_every_entry(spark, mixed):
    assert sorted(table.name for table in spark.catalog.listTables(str(mixed))) == mixed.tables()


@pytest.mark.fault("P046")
def test_listing_loads_no_table(sql, mixed, requests):
    with requests() as seen:
        listed(sql, mixed)
    assert set(seen.operations) == {"GetTables"}


def test_show_tables_like(sql, mixed):
    rows = sql(f"SHOW TABLES IN {mixed} LIKE 'good_delta*'")
    assert sorted(row.tableName for row in rows) == ["good_delta_0", "good_delta_1"]


def test_good_tables_stay_usable_beside_odd_ones(sql, mixed):
    rows = sql(f"SELECT id FROM {mixed}.good_parquet_1 JOIN {mixed}.good_delta_1 USING (id)")
    assert [row.id for row in rows] == [1]


@pytest.mark.fault("P030", "P052", "P056", "P058", "P071", "P084", "P087")
@pytest.mark.modes("named")
@pytest.mark.parametrize("name, says", [
    ("crawled_ion", "IonInputFormat.*IonHiveSerDe"),
    ("resource_link", "(?i)link.*222222222222"),
    ("no_descriptor", "(?i)StorageDescriptor|location"),
    ("unknown_type", "notarealtype"),
    ("broken_type", r"decimal\(38,"),
    ("iceberg", "(?i)iceberg"),
    ("athena_view", "(?i)view"),
])
def test_an_entry_that_cannot_be_read_says_why(spark, database, name, says):
    database.put({**ODD_ENTRIES[name], "Name": name})
    start = time.monotonic()
    with pytest.raises(Exception, match=says) as raised:
        spark.sql(f"SELECT * FROM {database}.{name}").collect()
    text = message_of(raised.value)
    assert "acct_a" in text and database.account in text and name in text, text
    assert time.monotonic() - start < 10


@pytest.mark.fault("P082")
@pytest.mark.modes("named")
def test_more_tables_than_one_page(spark, sql, database):
    for number in range(250):
        database.put(parquet_entry(f"t{number:03}", f"{database.location}/t", [{"Name": "a", "Type": "int"}]))
    assert listed(sql, database) == [f"t{number:03}" for number in range(250)]
    assert spark.catalog.tableExists(f"{database}.t249")
    assert not spark.catalog.tableExists(f"{database}.t250")
