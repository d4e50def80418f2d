"""Each mistake gives one clear error, soon, that names the catalog, the glue.id and the object, and changes nothing."""

import contextlib
import socket
import time

import pytest

from conftest import ACCOUNT_A
from harness.session import message_of

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def fails(spark):
    """Runs a statement that must fail, within 10 seconds, and gives its message."""
    def run(statement: str, *mentions: str) -> str:
        start = time.monotonic()
        with pytest.raises(Exception) as raised:
            spark.sql(statement).collect()
        seconds = time.monotonic() - start
        text = message_of(raised.value)
        for mention in mentions:
            assert mention in text, text
        assert seconds < 10, f"{seconds:.1f} s: {text}"
        assert "secret" not in text.lower().replace("secret key", "").replace("secret_access_key", ""), text
        return text

    return run


@pytest.fixture
def nothing_changes(database):
    """The database holds what it held before."""
    before = {name: database.entry(name) for name in database.tables()}
    yield
    assert {name: database.entry(name) for name in database.tables()} == before


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_endpoint_that_refuses_connections(fails, another):
    name = another("closed", glue__endpoint=f"http://127.0.0.1:{closed_port()}")
    text = fails(f"SHOW TABLES IN {name}.sales", name, ACCOUNT_A, "127.0.0.1")
    assert "sales" in text


def test_endpoint_that_drops_connection_attempts(fails, another):
    """A full backlog: the kernel answers no further SYN, as a wrong security group would not."""
    with contextlib.ExitStack() as stack:
        deaf = stack.enter_context(socket.socket())
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(deaf.getsockname())
        name = another("deaf", glue__endpoint=f"http://127.0.0.1:{deaf.getsockname()[1]}")
        fails(f"SHOW TABLES IN {name}.sales", name, ACCOUNT_A, "sales", "127.0.0.1")


def test_endpoint_that_never_answers(fails, another):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)
        name = another("silent", glue__endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}",
                       http_client__apache__socket_timeout_ms="1000")
        fails(f"SHOW TABLES IN {name}.sales", name, ACCOUNT_A, "sales")


def test_endpoint_host_that_does_not_exist(fails, another):
    name = another("nowhere", glue__endpoint="http://glue.invalid:80")
    fails(f"SHOW TABLES IN {name}.sales", name, ACCOUNT_A, "glue.invalid")


def test_missing_database(fails, catalog):
    fails(f"SHOW TABLES IN {catalog}.nowhere_at_all", catalog, ACCOUNT_A, "nowhere_at_all")
    fails(f"CREATE TABLE {catalog}.nowhere_at_all.t (id INT) USING delta", catalog, ACCOUNT_A, "nowhere_at_all")
    fails(f"DROP DATABASE {catalog}.nowhere_at_all", catalog, ACCOUNT_A, "nowhere_at_all")


@pytest.mark.parametrize("statement", [
    "SELECT * FROM {t}", "INSERT INTO {t} VALUES (1)", "DESCRIBE {t}", "DROP TABLE {t}",
    "ALTER TABLE {t} ADD COLUMN c INT", "ALTER TABLE {t} RENAME TO {d}.u", "DELETE FROM {t}",
    "UPDATE {t} SET a = 1", "MERGE INTO {t} t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE",
], ids=lambda s: s.split(" {")[0].lower().replace(" ", "_"))
def test_missing_table(fails, catalog, database, nothing_changes, statement):
    fails(statement.format(t=f"{database}.absent", d=database.name), catalog, ACCOUNT_A, f"{database.name}", "absent")


@pytest.mark.parametrize("provider", ["delta", "parquet"])
def test_table_that_exists(fails, sql, catalog, database, provider):
    sql(f"CREATE TABLE {database}.t USING {provider} AS SELECT 1 AS id")
    before = database.entry("t")
    fails(f"CREATE TABLE {database}.t (other STRING) USING {provider}", catalog, ACCOUNT_A, database.name, "t")
    fails(f"CREATE TABLE {database}.t USING {provider} AS SELECT 2 AS id", catalog, ACCOUNT_A, database.name, "t")
    assert database.entry("t") == before
    assert [r.id for r in sql(f"SELECT id FROM {database}.t")] == [1]


def test_database_that_exists(fails, catalog, database):
    fails(f"CREATE DATABASE {database}", catalog, ACCOUNT_A, database.name)


def test_database_that_is_not_empty(fails, sql, catalog, database):
    sql(f"CREATE TABLE {database}.t USING parquet AS SELECT 1 AS id")
    fails(f"DROP DATABASE {database}", catalog, ACCOUNT_A, database.name)
    fails(f"DROP DATABASE {database} RESTRICT", catalog, ACCOUNT_A, database.name)
    assert database.tables() == ["t"]


@pytest.mark.parametrize("name", ["``", "`" + "n" * 256 + "`"], ids=["empty", "over-long"])
def test_unacceptable_table_name(fails, catalog, database, nothing_changes, name):
    text = fails(f"CREATE TABLE {database}.{name} (id INT) USING parquet")
    if name != "``":  # an empty identifier is the parser's: it never reaches a catalog
        assert catalog in text and ACCOUNT_A in text and "255" in text, text
    assert not (database.location / "n").exists()


def test_unacceptable_database_name(fails, catalog):
    fails(f"CREATE DATABASE {catalog}.{'n' * 256}", catalog, ACCOUNT_A, "255")


def test_column_type_that_glue_cannot_hold(fails, catalog, database, nothing_changes):
    fields = ", ".join(f"field_{number:05}: STRING" for number in range(8000))
    fails(f"CREATE TABLE {database}.t (wide STRUCT<{fields}>) USING parquet", catalog, ACCOUNT_A, "wide", "131072")


@pytest.mark.parametrize("provider", ["delta", "parquet"])
@pytest.mark.fault("P025")
def test_managed_table_with_nowhere_to_lie(fails, glue, catalog, database_name, provider):
    glue.create_database(DatabaseInput={"Name": database_name})
    for statement in (f"CREATE TABLE {catalog}.{database_name}.t (id INT) USING {provider}",
                      f"CREATE TABLE {catalog}.{database_name}.t USING {provider} AS SELECT 1 AS id"):
        fails(statement, catalog, ACCOUNT_A, database_name, "warehouse")
    assert glue.get_tables(DatabaseName=database_name)["TableList"] == []


@pytest.mark.fault("P013")
def test_missing_region_names_the_key_and_can_be_mended(fails, sql, spark, another, database):
    name = another("placeless", client__region="", glue__endpoint="")
    fails(f"SHOW DATABASES IN {name}", name, "client.region")
    mended = another("placed")
    assert database.name in [row[0] for row in sql(f"SHOW DATABASES IN {mended}")]


@pytest.mark.fault("P017")
def test_a_misspelt_option_is_pointed_out(spark, another):
    name = another("misspelt", glue__idd="1")
    spark.sql(f"SHOW DATABASES IN {name}").collect()


@pytest.mark.parametrize("option, value", [
    ("client__assume_role__arn", "not-an-arn"), ("glue__endpoint", "ftp://x"),
    ("client__assume_role__timeout_sec", "soon"), ("glue__skip_archive", "maybe")])
def test_an_unusable_option_value_names_key_and_value(fails, another, option, value):
    more = {"client__assume_role__arn": "arn:aws:iam::111111111111:role/x"} if "timeout" in option else {}
    name = another("bad_value", **{**more, option: value})
    fails(f"SHOW DATABASES IN {name}", name, option.replace("__", ".").replace("_", "-"), value)
