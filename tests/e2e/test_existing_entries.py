"""Entries that other tools wrote: read as they are, and changed in nothing but what was asked."""

import json
import threading

import pytest

from harness.glue import columns, parquet_entry, table_input
from harness.session import message_of

pytestmark = pytest.mark.modes("named")


def schema_json(*names_and_types):
    return json.dumps({"type": "struct", "fields": [
        {"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in names_and_types]})


@pytest.fixture
def files(spark, tmp_path):
    """Three rows of Parquet at a place of their own."""
    spark.range(3).write.parquet(f"file:{tmp_path}/files")
    return f"file:{tmp_path}/files"


@pytest.fixture
def foreign(database, files):
    """An entry with every field that somebody else's tool may have set."""
    entry = parquet_entry(
        "t", files, [{"Name": "id", "Type": "bigint", "Comment": "from the console",
                      "Parameters": {"iceberg.field.id": "1"}}],
        schema_json(("id", "long")), Description="kept", Owner="crawler", Retention=7)
    entry["Parameters"].update(classification="parquet", crawler="nightly")
    entry["StorageDescriptor"].update(
        Parameters={"sd": "1"}, StoredAsSubDirectories=False, Compressed=True, NumberOfBuckets=-1,
        SkewedInfo={"SkewedColumnNames": ["id"], "SkewedColumnValues": ["1"]})
    database.put(entry)
    return f"{database}.t"


@pytest.mark.fault("P039")
def test_set_properties_changes_nothing_else(sql, database, foreign):
    before = table_input(database.entry("t"))
    sql(f"ALTER TABLE {foreign} SET TBLPROPERTIES ('a' = 'b')")
    after = table_input(database.entry("t"))
    assert after["Parameters"].pop("a") == "b"
    assert after == before


@pytest.mark.fault("P038")
def test_add_column_keeps_descriptions(sql, database, foreign):
    sql(f"ALTER TABLE {foreign} ADD COLUMN extra STRING")
    entry = database.entry("t")
    assert entry["Description"] == "kept" and entry["Owner"] == "crawler" and entry["Retention"] == 7
    first = entry["StorageDescriptor"]["Columns"][0]
    assert first["Comment"] == "from the console" and first["Parameters"] == {"iceberg.field.id": "1"}
    assert columns(entry)["extra"] == "string"


@pytest.mark.fault("P038")
def test_insert_keeps_the_entry(sql, database, foreign):
    before = table_input(database.entry("t"))
    sql(f"INSERT INTO {foreign} VALUES (9)")
    assert table_input(database.entry("t")) == before
    assert sql(f"SELECT count(*) AS n FROM {foreign}")[0].n == 4


@pytest.mark.fault("P041", "P042")
def test_rename_copies_the_whole_entry(sql, database, foreign):
    before = table_input(database.entry("t"))
    sql(f"ALTER TABLE {foreign} RENAME TO {database.name}.u")
    after = table_input(database.entry("u"))
    assert {**after, "Name": "t"} == before


@pytest.mark.fault("P042")
def test_rename_onto_an_existing_name_changes_nothing(sql, spark, database, foreign):
    sql(f"CREATE TABLE {database}.u USING parquet AS SELECT 1 AS id")
    before = [table_input(database.entry(name)) for name in ("t", "u")]
    with pytest.raises(Exception, match="(?i)exist"):
        spark.sql(f"ALTER TABLE {foreign} RENAME TO {database.name}.u").collect()
    assert [table_input(database.entry(name)) for name in ("t", "u")] == before


@pytest.mark.fault("P054")
def test_an_entry_without_table_type_is_external_and_stays_so(sql, database, files):
    entry = parquet_entry("t", files, [{"Name": "id", "Type": "bigint"}], schema_json(("id", "long")))
    del entry["TableType"]
    database.put(entry)
    assert sql(f"SELECT count(*) AS n FROM {database}.t")[0].n == 3
    sql(f"ALTER TABLE {database}.t SET TBLPROPERTIES ('a' = 'b')")
    assert not database.entry("t").get("TableType")


@pytest.mark.fault("P062")
def test_a_schema_in_parts_is_joined_in_order(sql, spark, database, files):
    text = schema_json(("id", "long"))
    entry = parquet_entry("t", files, [{"Name": "id", "Type": "bigint"}])
    entry["Parameters"].update({"spark.sql.sources.schema.numParts": "3",
                                **{f"spark.sql.sources.schema.part.{n}": text[n * 40:(n + 1) * 40 if n < 2 else None]
                                   for n in range(3)}})
    database.put(entry)
    assert spark.table(f"{database}.t").dtypes == [("id", "bigint")]


@pytest.mark.fault("P062")
def test_an_alter_leaves_no_stale_schema_parts(sql, database, files):
    text = schema_json(("id", "long"))
    entry = parquet_entry("t", files, [{"Name": "id", "Type": "bigint"}])
    entry["Parameters"].update({"spark.sql.sources.schema.numParts": "2",
                                "spark.sql.sources.schema.part.0": text[:30],
                                "spark.sql.sources.schema.part.1": text[30:]})
    database.put(entry)
    sql(f"ALTER TABLE {database}.t ADD COLUMN c INT")
    parameters = database.entry("t")["Parameters"]
    whole = parameters.get("spark.sql.sources.schema") or "".join(
        parameters[f"spark.sql.sources.schema.part.{n}"]
        for n in range(int(parameters["spark.sql.sources.schema.numParts"])))
    assert [f["name"] for f in json.loads(whole)["fields"]] == ["id", "c"]
    assert len([k for k in parameters if k.startswith("spark.sql.sources.schema")]) in (1, 2)
    assert [r.id for r in sql(f"SELECT id, c FROM {database}.t ORDER BY id")] == [0, 1, 2]


@pytest.mark.fault("P062")
def test_a_missing_schema_part_is_named(spark, database, files):
    entry = parquet_entry("t", files, [{"Name": "id", "Type": "bigint"}])
    entry["Parameters"].update({"spark.sql.sources.schema.numParts": "2",
                                "spark.sql.sources.schema.part.0": schema_json(("id", "long"))})
    database.put(entry)
    try:
        assert spark.table(f"{database}.t").dtypes == [("id", "bigint")]
    except Exception as error:
        assert "spark.sql.sources.schema.part.1" in message_of(error)


@pytest.mark.fault("P026")
def test_the_path_beside_a_placeholder_location_is_used(spark, sql, database, tmp_path):
    spark.range(2).write.format("delta").save(f"file:{tmp_path}/real")
    database.put({
        "Name": "t", "TableType": "EXTERNAL_TABLE", "Parameters": {"spark.sql.sources.provider": "delta"},
        "StorageDescriptor": {"Columns": [{"Name": "col", "Type": "array<string>"}],
                              "Location": f"file:{tmp_path}/t-__PLACEHOLDER__",
                              "SerdeInfo": {"Parameters": {"path": f"file:{tmp_path}/real"}}}})
    sql(f"INSERT INTO {database}.t VALUES (7)")
    assert sorted(r.id for r in sql(f"SELECT id FROM {database}.t")) == [0, 1, 7]
    sql(f"DROP TABLE {database}.t")
    assert (tmp_path / "real" / "_delta_log").is_dir()
    assert not (tmp_path / "t-__PLACEHOLDER__").exists()


@pytest.mark.fault("P066")
def test_types_as_other_tools_write_them(spark, database, tmp_path):
    database.put(parquet_entry("t", f"file:{tmp_path}/none", [
        {"Name": "m", "Type": "map<string,decimal(9,2)>"},
        {"Name": "s", "Type": "STRUCT<a:decimal(38,18), b:array<map<string,struct<c:decimal(1,0)>>>>"}]))
    assert dict(spark.table(f"{database}.t").dtypes) == {
        "m": "map<string,decimal(9,2)>",
        "s": "struct<a:decimal(38,18),b:array<map<string,struct<c:decimal(1,0)>>>>"}


@pytest.mark.fault("P035")
def test_concurrent_property_changes_are_all_kept(spark, database, foreign):
    errors = []

    def alter(number):
        try:
            spark.sql(f"ALTER TABLE {foreign} SET TBLPROPERTIES ('k{number}' = '{number}')")
        except Exception as error:  # noqa: BLE001 - shown below
            errors.append(message_of(error))

    threads = [threading.Thread(target=alter, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert {f"k{number}" for number in range(20)} <= set(database.entry("t")["Parameters"])
