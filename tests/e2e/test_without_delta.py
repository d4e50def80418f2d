"""A session without Delta on the class path."""

import pytest

from conftest import ACCOUNT_A
from harness import session
from harness.sql_program import run

pytestmark = pytest.mark.modes("named")


def test_everything_else_works_and_delta_tables_say_what_to_add(server, database, jars, line, tmp_path):
    database.put({"Name": "d", "TableType": "EXTERNAL_TABLE", "Parameters": {"table_type": "DELTA"},
                  "StorageDescriptor": {"Location": f"file:{tmp_path}/d", "Columns": [{"Name": "id", "Type": "int"}]}})
    conf = {**session.base_conf(jars[:1], tmp_path / "warehouse"),
            **session.catalog_conf("g", glue__id=ACCOUNT_A, glue__endpoint=server.endpoint,
                                   client__region=session.REGION),
            "spark.sql.extensions": ",".join(e for e in session.extensions() if e != session.DELTA_EXTENSION)}
    del conf["spark.sql.catalog.spark_catalog"]
    db = f"g.{database.name}"
    works = [f"CREATE TABLE {db}.p (id INT, day INT) USING parquet PARTITIONED BY (day)",
             f"INSERT INTO {db}.p VALUES (1, 1), (2, 2)",
             f"SELECT id FROM {db}.p WHERE day = 2",
             f"SHOW TABLES IN {db}"]
    fails = [f"SELECT * FROM {db}.d", f"INSERT INTO {db}.d VALUES (1)", f"CREATE TABLE {db}.e (id INT) USING delta"]
    answers = run(conf, works + fails, {"AWS_ACCESS_KEY_ID": ACCOUNT_A, "AWS_SECRET_ACCESS_KEY": "secret"})
    assert [a["error"] for a in answers[:len(works)] if "error" in a] == []
    assert answers[2]["rows"] == [[2]]
    assert sorted(row[1] for row in answers[3]["rows"]) == ["d", "p"]
    for answer in answers[len(works):]:
        for mention in ("io.delta:delta-spark", "--packages", session.DELTA_EXTENSION):
            assert mention in answer["error"], answer
