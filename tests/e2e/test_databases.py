"""Databases: Spark's namespaces over Glue's."""

import pytest

from conftest import ACCOUNT_A


def names(rows):
    return {row[0] for row in rows}


def described(sql, namespace):
    return {row[0]: row[1] for row in sql(f"DESCRIBE DATABASE EXTENDED {namespace}")}


def test_show_databases_lists_what_glue_holds(sql, catalog, database):
    assert database.name in names(sql(f"SHOW DATABASES IN {catalog}"))


def test_show_databases_like_filters(sql, catalog, database):
    assert names(sql(f"SHOW DATABASES IN {catalog} LIKE '{database.name}'")) == {database.name}


@pytest.mark.fault("P082")
@pytest.mark.modes("named")
def test_show_databases_reads_every_page(sql, spark, server):
    other = server.client("333333333333")
    for number in range(250):
        other.create_database(DatabaseInput={"Name": f"d{number:03}"})
    spark.conf.set("spark.sql.catalog.many", spark.conf.get("spark.sql.catalog.acct_a"))
    spark.conf.set("spark.sql.catalog.many.glue.id", "333333333333")
    spark.conf.set("spark.sql.catalog.many.client.region", "eu-central-1")
    spark.conf.set("spark.sql.catalog.many.glue.endpoint", server.endpoint)
    assert names(sql("SHOW DATABASES IN many")) == {f"d{number:03}" for number in range(250)}


def test_create_database_writes_comment_location_and_properties(sql, catalog, glue, database_name, tmp_path):
    sql(f"CREATE DATABASE {catalog}.{database_name} COMMENT 'sales of 2026' "
        f"LOCATION 'file:{tmp_path}/sales' WITH DBPROPERTIES ('team' = 'blue')")
    entry = glue.get_database(CatalogId=ACCOUNT_A, Name=database_name)["Database"]
    assert entry["Description"] == "sales of 2026"
    assert entry["LocationUri"].rstrip("/") == f"file:{tmp_path}/sales"
    assert entry["Parameters"]["team"] == "blue"


def test_create_database_folds_its_name(sql, catalog, glue, database_name):
    sql(f"CREATE DATABASE {catalog}.{database_name.upper()}")
    assert glue.get_database(CatalogId=ACCOUNT_A, Name=database_name)["Database"]["Name"] == database_name
    assert database_name in names(sql(f"SHOW DATABASES IN {catalog}"))


def test_create_database_if_not_exists_leaves_the_existing_one(sql, catalog, glue, database):
    sql(f"CREATE DATABASE IF NOT EXISTS {database} COMMENT 'another'")
    assert "Description" not in glue.get_database(CatalogId=ACCOUNT_A, Name=database.name)["Database"]


def test_describe_database_shows_what_was_set(sql, catalog, database_name, tmp_path):
    sql(f"CREATE DATABASE {catalog}.{database_name} COMMENT 'described' LOCATION 'file:{tmp_path}/d' "
        "WITH DBPROPERTIES ('a' = '1')")
    shown = described(sql, f"{catalog}.{database_name}")
    assert shown["Namespace Name"] == database_name
    assert shown["Comment"] == "described"
    assert shown["Location"].rstrip("/") == f"file:{tmp_path}/d"
    assert "(a,1)" in shown["Properties"]


def test_alter_database_sets_properties_and_keeps_the_rest(sql, catalog, glue, database_name, tmp_path):
    sql(f"CREATE DATABASE {catalog}.{database_name} COMMENT 'kept' LOCATION 'file:{tmp_path}/d'")
    sql(f"ALTER DATABASE {catalog}.{database_name} SET DBPROPERTIES ('owner_team' = 'red')")
    entry = glue.get_database(CatalogId=ACCOUNT_A, Name=database_name)["Database"]
    assert entry["Parameters"]["owner_team"] == "red"
    assert entry["Description"] == "kept"
    assert entry["LocationUri"].rstrip("/") == f"file:{tmp_path}/d"


def test_alter_database_set_location(sql, catalog, glue, database, tmp_path):
    sql(f"ALTER DATABASE {database} SET LOCATION 'file:{tmp_path}/elsewhere'")
    entry = glue.get_database(CatalogId=ACCOUNT_A, Name=database.name)["Database"]
    assert entry["LocationUri"].rstrip("/") == f"file:{tmp_path}/elsewhere"


def test_comment_on_database(sql, catalog, glue, database):
    sql(f"COMMENT ON DATABASE {database} IS 'a remark'")
    assert glue.get_database(CatalogId=ACCOUNT_A, Name=database.name)["Database"]["Description"] == "a remark"


def test_drop_database(sql, catalog, database):
    sql(f"DROP DATABASE {database}")
    assert database.name not in names(sql(f"SHOW DATABASES IN {catalog}"))


def test_drop_database_if_exists_is_quiet_when_there_is_none(sql, catalog, database_name):
    sql(f"DROP DATABASE IF EXISTS {catalog}.{database_name}")


def test_drop_database_cascade_takes_its_entries_and_leaves_the_data(sql, catalog, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    files = list(database.location.glob("t/*.parquet"))
    sql(f"DROP DATABASE {database} CASCADE")
    assert database.name not in names(sql(f"SHOW DATABASES IN {catalog}"))
    assert files and all(file.exists() for file in files)


def test_use_makes_short_names_work(sql, spark, catalog, database):
    sql(f"CREATE TABLE {database}.short USING parquet AS SELECT 7 AS id")
    other = spark.newSession()
    other.sql(f"USE {database}")
    assert other.sql("SELECT id FROM short").collect()[0].id == 7
    assert [row.tableName for row in other.sql("SHOW TABLES").collect()] == ["short"]


@pytest.mark.fault("P019")
def test_use_and_temp_views_never_ask_glue_for_global_temp(spark, database, requests):
    other = spark.newSession()
    with requests() as seen:
        other.sql(f"USE {database}")
        other.sql("SHOW TABLES").collect()
        other.sql("CREATE OR REPLACE GLOBAL TEMPORARY VIEW gv AS SELECT 1 AS one")
        assert other.sql("SELECT * FROM global_temp.gv").collect()[0].one == 1
    assert not [r for r in seen.requests if "global_temp" in str(r.body)]


@pytest.mark.fault("P020")
@pytest.mark.modes("named")
def test_the_default_database_is_neither_needed_nor_made(sql, glue, database, requests):
    with requests() as seen:
        sql(f"SHOW TABLES IN {database}")
    assert not [r for r in seen.requests if r.database == "default"]
    assert "default" not in [d["Name"] for d in glue.get_databases(CatalogId=ACCOUNT_A)["DatabaseList"]]


def test_warehouse_places_a_database_without_location(spark, sql, server, glue, database_name, tmp_path, mode):
    for key, value in {"": spark.conf.get("spark.sql.catalog.acct_b"), ".glue.id": ACCOUNT_A,
                       ".client.region": "eu-central-1", ".glue.endpoint": server.endpoint,
                       ".warehouse": f"file:{tmp_path}/wh/"}.items():
        spark.conf.set(f"spark.sql.catalog.housed_{mode}_{database_name}{key}", value)
    sql(f"CREATE DATABASE housed_{mode}_{database_name}.{database_name}")
    entry = glue.get_database(CatalogId=ACCOUNT_A, Name=database_name)["Database"]
    assert entry["LocationUri"].rstrip("/") == f"file:{tmp_path}/wh/{database_name}.db"


def test_nested_namespaces_are_refused(spark, catalog):
    with pytest.raises(Exception, match="(?i)namespace|single|nested|part"):
        spark.sql(f"CREATE DATABASE {catalog}.a.b").collect()
