"""Each catalog talks to its own account only, as its own identity."""

import pytest

from conftest import ACCOUNT_A, ACCOUNT_B

pytestmark = pytest.mark.modes("named")


def round_of_statements(sql, database):
    sql(f"CREATE TABLE {database}.d USING delta AS SELECT 1 AS id")
    sql(f"MERGE INTO {database}.d t USING (SELECT 2 AS id) s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *")
    sql(f"ALTER TABLE {database}.d ADD COLUMN c INT")
    sql(f"CREATE TABLE {database}.p USING parquet PARTITIONED BY (k) AS SELECT id, id AS k FROM range(2)")
    sql(f"SELECT * FROM {database}.p WHERE k = 1")
    sql(f"SHOW TABLES IN {database}")
    sql(f"ALTER TABLE {database}.p RENAME TO {database.name}.q")
    sql(f"DROP TABLE {database}.q")
    sql(f"DESCRIBE DATABASE {database}")


@pytest.mark.fault("P001", "P004", "P016")
@pytest.mark.parametrize("account", [ACCOUNT_A, ACCOUNT_B])
def test_every_request_names_its_own_catalog(sql, catalog, database, database_b, requests, account):
    target = database if account == ACCOUNT_A else database_b
    with requests() as seen:
        sql(f"CREATE DATABASE IF NOT EXISTS {target}")
        round_of_statements(sql, target)
    assert len(seen) > 10
    assert {r.body.get("CatalogId") for r in seen.requests} == {account}
    assert {r.access_key for r in seen.requests} == {ACCOUNT_A}


def test_one_account_never_sees_the_tables_of_the_other(sql, database, database_b):
    sql(f"CREATE TABLE {database}.only_here USING parquet AS SELECT 1 AS id")
    assert sql(f"SHOW TABLES IN {database_b}") == []
    assert database.tables() == ["only_here"]


@pytest.mark.fault("P006")
def test_a_statement_over_both_accounts_asks_each_for_its_own(sql, database, database_b, requests):
    for target in (database, database_b):
        sql(f"CREATE TABLE {target}.t USING delta AS SELECT 1 AS id")
    with requests() as seen:
        sql(f"SELECT * FROM {database}.t JOIN {database_b}.t USING (id)")
    assert sorted((r.operation, r.body["CatalogId"]) for r in seen.requests) == [
        ("GetTable", ACCOUNT_A), ("GetTable", ACCOUNT_B)]


def test_an_insert_from_one_account_into_the_other(sql, database, database_b):
    sql(f"CREATE TABLE {database}.source USING parquet AS SELECT id FROM range(3)")
    sql(f"CREATE TABLE {database_b}.target USING delta AS SELECT * FROM {database}.source")
    sql(f"INSERT INTO {database_b}.target SELECT id + 10 FROM {database}.source")
    assert sorted(r.id for r in sql(f"SELECT id FROM {database_b}.target")) == [0, 1, 2, 10, 11, 12]
    assert (database.tables(), database_b.tables()) == (["source"], ["target"])


@pytest.mark.fault("P050")
@pytest.mark.parametrize("catalog_id", ["222222222222:s3tablescatalog/bucket", "lake_house"])
def test_a_catalog_id_that_is_no_account_is_sent_as_it_is(sql, another, requests, catalog_id):
    name = another("elsewhere", catalog_id)
    with requests() as seen:
        assert sql(f"SHOW DATABASES IN {name}") == []
    assert [r.body.get("CatalogId") for r in seen.requests] == [catalog_id]
