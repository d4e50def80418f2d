"""A driver that is killed in the middle of a write: nothing wrong is seen, and repeating the statement finishes it."""

import pytest

from harness import session, sql_program
from harness.killing_proxy import KillingProxy

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def killed_at(server, jars, scratch, database):
    """Runs a statement in a driver of its own, which is killed at an operation of Glue."""
    def run(statement: str, operation: str, when: str) -> None:
        proxy = KillingProxy(server.endpoint, operation, when)
        try:
            conf = {**session.base_conf(jars, scratch / "killed"), **session.named_catalogs(proxy.address)}
            program = sql_program.start(conf, [statement],
                                        {"AWS_ACCESS_KEY_ID": database.account, "AWS_SECRET_ACCESS_KEY": "secret"})
            proxy.kill = program.kill
            program.until_killed()
            assert proxy.reached.is_set()
        finally:
            proxy.close()

    return run


@pytest.fixture
def table(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, k INT) USING parquet PARTITIONED BY (k)")
    sql(f"INSERT INTO {database}.t VALUES (1, 1), (2, 2)")
    return f"{database}.t"


def rows(sql, table: str) -> list[tuple]:
    return sorted(tuple(row) for row in sql(f"SELECT id, k FROM {table}"))


def test_an_append_is_finished_by_msck(sql, table, killed_at):
    killed_at(f"INSERT INTO {table} VALUES (3, 3), (4, 4)", "BatchCreatePartition", "before")
    assert rows(sql, table) == [(1, 1), (2, 2)]
    sql(f"MSCK REPAIR TABLE {table} SYNC PARTITIONS")
    assert rows(sql, table) == [(1, 1), (2, 2), (3, 3), (4, 4)]


@pytest.mark.parametrize("operation, when", [("BatchCreatePartition", "before"), ("BatchDeletePartition", "behind")])
def test_an_overwrite_is_finished_by_repeating_it(sql, table, killed_at, operation, when):
    statement = f"INSERT OVERWRITE {table} VALUES (22, 2), (3, 3)"
    killed_at(statement, operation, when)
    assert set(rows(sql, table)) <= {(22, 2), (3, 3)}
    sql(statement)
    assert rows(sql, table) == [(3, 3), (22, 2)]


@pytest.mark.parametrize("operation, when", [("CreateTable", "before"), ("CreateTable", "behind")])
def test_a_table_made_from_a_query_is_finished_by_repeating_it(sql, database, killed_at, operation, when):
    statement = (f"CREATE OR REPLACE TABLE {database}.made USING parquet PARTITIONED BY (k) AS "
                 "SELECT id, id % 2 AS k FROM range(4)")
    killed_at(statement, operation, when)
    assert database.tables() == ([] if when == "before" else ["made"])
    sql(statement)
    assert rows(sql, f"{database}.made") == [(0, 0), (1, 1), (2, 0), (3, 1)]
