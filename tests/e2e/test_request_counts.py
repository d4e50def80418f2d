"""How many Glue requests a statement costs. The limits are part of the product."""

import pytest

from harness.session import message_of

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def cost(sql, requests):
    def run(statement: str) -> list[str]:
        with requests() as seen:
            sql(statement)
        return seen.operations

    return run


@pytest.fixture(params=["delta", "parquet"])
def provider(request):
    return request.param


@pytest.fixture
def table(sql, database, provider):
    sql(f"CREATE TABLE {database}.t (id INT, name STRING) USING {provider}")
    return f"{database}.t"


def test_create(cost, database, provider):
    operations = cost(f"CREATE TABLE {database}.t (id INT) USING {provider}")
    assert len(operations) <= 3 and operations.count("CreateTable") == 1, operations
    assert operations.count("GetTable") <= 1 and operations.count("GetDatabase") <= 1, operations


def test_create_with_location(cost, database, provider, tmp_path):
    operations = cost(f"CREATE TABLE {database}.t (id INT) USING {provider} LOCATION 'file:{tmp_path}/t'")
    assert len(operations) <= 3, operations


def test_ctas(cost, database, provider):
    operations = cost(f"CREATE TABLE {database}.t USING {provider} AS SELECT 1 AS id")
    assert len(operations) <= 3, operations


def test_create_if_not_exists_of_an_existing_table(cost, table, provider):
    operations = cost(f"CREATE TABLE IF NOT EXISTS {table} (id INT) USING {provider}")
    assert "CreateTable" not in operations and len(operations) <= 2, operations


def test_insert(cost, table):
    assert cost(f"INSERT INTO {table} VALUES (1, 'a')") == ["GetTable"]


def test_select(cost, table):
    assert cost(f"SELECT count(*) FROM {table}") == ["GetTable"]


@pytest.mark.fault("P024")
def test_add_column(cost, table):
    operations = cost(f"ALTER TABLE {table} ADD COLUMN more INT")
    assert len(operations) <= 2 and operations.count("UpdateTable") == 1, operations


def test_describe(cost, table):
    assert cost(f"DESCRIBE {table}") == ["GetTable"]


def test_merge(cost, sql, database):
    sql(f"CREATE TABLE {database}.t (id INT) USING delta")
    operations = cost(f"MERGE INTO {database}.t t USING (SELECT 1 AS id) s ON t.id = s.id "
                      "WHEN NOT MATCHED THEN INSERT *")
    assert operations == ["GetTable"]


def test_drop(cost, table):
    operations = cost(f"DROP TABLE {table}")
    assert len(operations) <= 2 and operations.count("DeleteTable") == 1, operations


def test_show_tables_costs_one_request_per_hundred(cost, database):
    assert cost(f"SHOW TABLES IN {database}") == ["GetTables"]
    for number in range(101):
        database.put({"Name": f"t{number}"})
    assert cost(f"SHOW TABLES IN {database}") == ["GetTables", "GetTables"]


@pytest.mark.fault("P080")
def test_partitioned_insert_registers_in_batches(cost, sql, database):
    sql(f"CREATE TABLE {database}.p (id INT, k INT) USING parquet PARTITIONED BY (k)")
    operations = cost(f"INSERT INTO {database}.p SELECT id, id AS k FROM range(130)")
    assert operations.count("BatchCreatePartition") <= 2, operations
    assert "CreatePartition" not in operations and len(operations) <= 6, operations


@pytest.mark.fault("P036")
def test_alters_leave_no_old_versions(sql, database, table):
    for number in range(3):
        sql(f"ALTER TABLE {table} ADD COLUMN c{number} INT")
    assert len(database.versions("t")) == 1


def test_the_catalogs_of_a_hundred_new_sessions(spark, requests):
    sessions = [spark._jsparkSession.newSession() for _ in range(100)]
    with requests() as seen:
        for session in sessions:
            assert session.sessionState().catalogManager().catalog("acct_a").name() == "acct_a"
    assert seen.operations == []


@pytest.mark.modes("named")
@pytest.mark.parametrize("provider", ["delta", "parquet"])
def test_remembered_entries(cost, sql, database, another, provider):
    catalog = another("remembering", cache__expiration_interval_ms="3600000")
    remembered = f"{catalog}.{database.name}.t"
    sql(f"CREATE TABLE {database}.t USING {provider} AS SELECT 1 AS id")
    assert cost(f"SELECT id FROM {remembered}") == ["GetTable"]
    assert cost(f"SELECT id FROM {remembered}") == []
    # Whatever this process writes is seen, others' writes after REFRESH.
    sql(f"ALTER TABLE {database}.t ADD COLUMN more INT")
    assert cost(f"SELECT id, more FROM {remembered}") == ["GetTable"]
    assert cost(f"SELECT id FROM {remembered}") == []
    database.glue.delete_table(CatalogId=database.account, DatabaseName=database.name, Name="t")
    assert cost(f"SELECT id FROM {remembered}") == []
    sql(f"REFRESH TABLE {remembered}")
    with pytest.raises(Exception) as failure:
        sql(f"SELECT id FROM {remembered}")
    assert "does not exist" in message_of(failure.value)
