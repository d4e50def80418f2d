"""Delta tables by name: their whole life, and what other tools see of them in Glue."""

import pytest

from harness.glue import columns, table_input


@pytest.fixture
def orders(sql, database):
    """A managed Delta table with three rows, in versions 1 and 2."""
    sql(f"CREATE TABLE {database}.orders (id BIGINT, item STRING, price DECIMAL(9,2)) USING delta")
    sql(f"INSERT INTO {database}.orders VALUES (1, 'pen', 1.50), (2, 'ink', 7.25)")
    sql(f"INSERT INTO {database}.orders VALUES (3, 'pad', 3.00)")
    return f"{database}.orders"


def ids(rows):
    return sorted(row.id for row in rows)


@pytest.mark.fault("P023")
def test_create_writes_the_real_columns(sql, database):
    sql(f"CREATE TABLE {database}.t (Id BIGINT COMMENT 'the key', s STRUCT<aB: INT>, day DATE) "
        "USING delta PARTITIONED BY (day) COMMENT 'a table'")
    entry = database.entry("t")
    descriptor = entry["StorageDescriptor"]
    assert columns(entry) | {k["Name"]: k["Type"] for k in entry.get("PartitionKeys", [])} == {
        "id": "bigint", "s": "struct<aB:int>", "day": "date"}
    assert entry["Parameters"]["spark.sql.sources.provider"].lower() == "delta"
    assert "SequenceFile" not in descriptor.get("InputFormat", "")
    assert descriptor["Location"].rstrip("/").endswith("/t")
    assert descriptor["Columns"][0]["Comment"] == "the key"


def test_managed_table_lies_under_its_database(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    assert (database.location / "t" / "_delta_log" / "00000000000000000000.json").exists()


def test_create_with_location(sql, database, tmp_path):
    sql(f"CREATE TABLE {database}.t (id INT) USING delta LOCATION 'file:{tmp_path}/own'")
    sql(f"INSERT INTO {database}.t VALUES (1)")
    assert (tmp_path / "own" / "_delta_log").is_dir()
    assert database.entry("t")["StorageDescriptor"]["Location"].rstrip("/") == f"file:{tmp_path}/own"
    assert ids(sql(f"SELECT * FROM {database}.t")) == [1]


@pytest.mark.fault("P025")
def test_location_is_enough_where_the_database_has_none(sql, glue, catalog, database_name, tmp_path):
    glue.create_database(DatabaseInput={"Name": database_name})
    sql(f"CREATE TABLE {catalog}.{database_name}.t (id INT) USING delta LOCATION 'file:{tmp_path}/t'")
    assert sql(f"SELECT * FROM {catalog}.{database_name}.t") == []


def test_create_registers_an_existing_delta_table(spark, sql, database, tmp_path):
    spark.range(5).write.format("delta").save(f"file:{tmp_path}/there")
    sql(f"CREATE TABLE {database}.found USING delta LOCATION 'file:{tmp_path}/there'")
    assert columns(database.entry("found")) == {"id": "bigint"}
    assert sql(f"SELECT count(*) AS n FROM {database}.found")[0].n == 5


def test_create_if_not_exists_leaves_the_existing_table(sql, database, orders):
    before = database.entry("orders")
    sql(f"CREATE TABLE IF NOT EXISTS {orders} (other INT) USING delta")
    assert database.entry("orders") == before


def test_ctas(sql, database, orders):
    sql(f"CREATE TABLE {database}.dear USING delta AS SELECT id, price FROM {orders} WHERE price > 2")
    assert ids(sql(f"SELECT * FROM {database}.dear")) == [2, 3]
    assert columns(database.entry("dear")) == {"id": "bigint", "price": "decimal(9,2)"}


def test_create_or_replace_as_select(sql, database, orders):
    sql(f"CREATE OR REPLACE TABLE {orders} USING delta AS SELECT 9 AS id, true AS fresh")
    assert ids(sql(f"SELECT * FROM {orders}")) == [9]
    assert columns(database.entry("orders")) == {"id": "int", "fresh": "boolean"}


def test_insert_and_select(sql, orders):
    rows = sql(f"SELECT id, item, price FROM {orders} ORDER BY id")
    assert [(r.id, r.item, str(r.price)) for r in rows] == [
        (1, "pen", "1.50"), (2, "ink", "7.25"), (3, "pad", "3.00")]


def test_insert_overwrite(sql, orders):
    sql(f"INSERT OVERWRITE {orders} VALUES (8, 'cup', 4.00)")
    assert ids(sql(f"SELECT * FROM {orders}")) == [8]


def test_version_as_of(sql, orders):
    assert ids(sql(f"SELECT * FROM {orders} VERSION AS OF 1")) == [1, 2]


def test_timestamp_as_of(spark, sql, orders):
    stamp = spark.sql(f"DESCRIBE HISTORY {orders}").where("version = 1").selectExpr(
        "cast(timestamp AS STRING) AS at").first().at
    assert ids(sql(f"SELECT * FROM {orders} TIMESTAMP AS OF '{stamp}'")) == [1, 2]


def test_merge(sql, orders):
    sql(f"MERGE INTO {orders} t USING (SELECT * FROM VALUES (2, 'ink', 8.00), (4, 'tape', 2.00) "
        "AS s(id, item, price)) s ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET price = s.price WHEN NOT MATCHED THEN INSERT *")
    assert [(r.id, float(r.price)) for r in sql(f"SELECT * FROM {orders} ORDER BY id")] == [
        (1, 1.5), (2, 8.0), (3, 3.0), (4, 2.0)]


def test_update(sql, orders):
    sql(f"UPDATE {orders} SET item = upper(item) WHERE id < 3")
    assert [r.item for r in sql(f"SELECT item FROM {orders} ORDER BY id")] == ["PEN", "INK", "pad"]


def test_delete(sql, orders):
    sql(f"DELETE FROM {orders} WHERE price > 2")
    assert ids(sql(f"SELECT * FROM {orders}")) == [1]


def test_describe_history(sql, orders):
    history = sql(f"DESCRIBE HISTORY {orders}")
    assert [row.operation for row in history] == ["WRITE", "WRITE", "CREATE TABLE"]


def test_optimize(sql, orders):
    sql(f"OPTIMIZE {orders}")
    assert sql(f"DESCRIBE HISTORY {orders} LIMIT 1")[0].operation == "OPTIMIZE"
    assert ids(sql(f"SELECT * FROM {orders}")) == [1, 2, 3]


def test_describe_shows_the_columns(sql, orders):
    shown = {row.col_name: row.data_type for row in sql(f"DESCRIBE {orders}")}
    assert {name: shown[name] for name in ("id", "item", "price")} == {
        "id": "bigint", "item": "string", "price": "decimal(9,2)"}


def test_partitioned_delta_registers_no_partitions(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, day INT) USING delta PARTITIONED BY (day)")
    sql(f"INSERT INTO {database}.t VALUES (1, 1), (2, 2)")
    assert ids(sql(f"SELECT id FROM {database}.t WHERE day = 2")) == [2]
    assert database.partitions("t") == {}


@pytest.mark.fault("P024")
def test_add_column_follows_in_glue(sql, database, orders):
    sql(f"ALTER TABLE {orders} ADD COLUMN note STRING COMMENT 'a remark'")
    assert columns(database.entry("orders"))["note"] == "string"
    assert [r.note for r in sql(f"SELECT note FROM {orders}")] == [None] * 3


def test_rename_and_drop_column_follow_in_glue(sql, database, orders):
    sql(f"ALTER TABLE {orders} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    sql(f"ALTER TABLE {orders} RENAME COLUMN item TO article")
    assert list(columns(database.entry("orders"))) == ["id", "article", "price"]
    sql(f"ALTER TABLE {orders} DROP COLUMN price")
    assert list(columns(database.entry("orders"))) == ["id", "article"]
    assert sorted(r.article for r in sql(f"SELECT article FROM {orders}")) == ["ink", "pad", "pen"]


def test_column_comment_follows_in_glue(sql, database, orders):
    sql(f"ALTER TABLE {orders} ALTER COLUMN item COMMENT 'what was sold'")
    comments = {c["Name"]: c.get("Comment") for c in database.entry("orders")["StorageDescriptor"]["Columns"]}
    assert comments["item"] == "what was sold"


@pytest.mark.fault("P024")
def test_merge_schema_append_follows_in_glue(spark, sql, database, orders):
    spark.sql("SELECT 4L AS id, 'red' AS colour").write.format("delta").mode("append").option(
        "mergeSchema", "true").saveAsTable(orders)
    assert columns(database.entry("orders"))["colour"] == "string"


@pytest.mark.fault("P024")
def test_reading_never_writes_to_glue(spark, sql, database, orders, tmp_path, requests):
    location = database.entry("orders")["StorageDescriptor"]["Location"]
    spark.sql("SELECT 4L AS id, 'red' AS colour").write.format("delta").mode("append").option(
        "mergeSchema", "true").save(location)
    with requests() as seen:
        rows = sql(f"SELECT colour FROM {orders} WHERE id = 4")
    assert [r.colour for r in rows] == ["red"], "the log is the truth"
    assert set(seen.operations) <= {"GetTable", "GetDatabase"}


def test_set_and_unset_table_properties(sql, database, orders):
    sql(f"ALTER TABLE {orders} SET TBLPROPERTIES ('quality' = 'gold')")
    assert {r.key: r.value for r in sql(f"SHOW TBLPROPERTIES {orders}")}["quality"] == "gold"
    sql(f"ALTER TABLE {orders} UNSET TBLPROPERTIES ('quality')")
    assert "quality" not in {r.key for r in sql(f"SHOW TBLPROPERTIES {orders}")}


def test_drop_removes_the_entry_and_keeps_the_data(sql, database, orders):
    sql(f"DROP TABLE {orders}")
    assert database.tables() == []
    assert (database.location / "orders" / "_delta_log").is_dir()


@pytest.mark.fault("P042")
def test_rename_keeps_data_and_entry(sql, database, orders):
    before = table_input(database.entry("orders"))
    sql(f"ALTER TABLE {orders} RENAME TO {database.name}.sales")
    after = table_input(database.entry("sales"))
    assert database.tables() == ["sales"]
    assert after["StorageDescriptor"] == before["StorageDescriptor"]
    assert ids(sql(f"SELECT * FROM {database}.sales")) == [1, 2, 3]


def test_save_as_table(spark, sql, database):
    spark.range(3).write.format("delta").saveAsTable(f"{database}.t")
    spark.range(3, 5).write.format("delta").mode("append").saveAsTable(f"{database}.t")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [0, 1, 2, 3, 4]
    assert columns(database.entry("t")) == {"id": "bigint"}


@pytest.mark.fault("P028")
@pytest.mark.modes("named")
def test_same_names_in_two_accounts_stay_apart(sql, database, database_b):
    for target, number in ((database, 1), (database_b, 2)):
        sql(f"CREATE TABLE {target}.t (id INT) USING delta")
        sql(f"INSERT INTO {target}.t VALUES ({number})")
    sql(f"UPDATE {database}.t SET id = 10")
    sql(f"MERGE INTO {database_b}.t t USING (SELECT 3 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *")
    sql(f"OPTIMIZE {database_b}.t")
    sql(f"DELETE FROM {database_b}.t WHERE id = 2")
    assert ids(sql(f"SELECT * FROM {database}.t")) == [10]
    assert ids(sql(f"SELECT * FROM {database_b}.t")) == [3]
    assert sql(f"DESCRIBE HISTORY {database_b}.t LIMIT 1")[0].operation == "DELETE"


def test_join_across_accounts(sql, database, database_b):
    sql(f"CREATE TABLE {database}.fact USING delta AS SELECT * FROM VALUES (1, 10), (2, 20) AS v(id, n)")
    sql(f"CREATE TABLE {database_b}.names USING delta AS SELECT * FROM VALUES (1, 'one'), (2, 'two') AS v(id, name)")
    rows = sql(f"SELECT name, n FROM {database}.fact JOIN {database_b}.names USING (id) ORDER BY n")
    assert [(r.name, r.n) for r in rows] == [("one", 10), ("two", 20)]


@pytest.mark.modes("named")
def test_refresh_and_cache(sql, spark, database, orders):
    sql(f"CACHE TABLE {orders}")
    sql(f"INSERT INTO {orders} VALUES (5, 'cap', 1.00)")
    sql(f"REFRESH TABLE {orders}")
    assert ids(sql(f"SELECT * FROM {orders}")) == [1, 2, 3, 5]
    sql(f"UNCACHE TABLE {orders}")
