"""Many writers of one Delta table on S3: `S3LogStore`.

Most is tried with writers of their own that drive the log store directly: eight small JVMs fit two cores, eight Spark
sessions do not, and the races are at the log store. That Delta in Spark uses it, two sessions show.
"""

import json

import pytest

from conftest import ACCOUNT_A
from harness import distribution, log_writers, mishaps, session
from harness.mishaps import Mishaps
from harness.s3 import S3
from harness.sql_program import start

pytestmark = pytest.mark.modes("named")

BUCKET = "lake"
WRITERS = [f"WRITER{number}" for number in range(8)]
KEY = "spark.delta.logStore.s3a.impl"


@pytest.fixture
def s3():
    s3 = S3({name: name for name in ["SESSION", *WRITERS]})
    s3.create_bucket(BUCKET)
    yield s3
    s3.stop()


@pytest.fixture
def s3a(s3, tmp_path) -> dict[str, str]:
    """S3A's settings for it; what fails is repeated soon."""
    return {**s3.s3a(tmp_path / "buffer"), "fs.s3a.retry.interval": "10ms", "fs.s3a.retry.throttle.interval": "10ms"}


def versions(s3, prefix: str) -> dict[int, str]:
    """The log: each version's content."""
    client = s3.client()
    keys = [entry["Key"] for entry in client.list_objects_v2(Bucket=BUCKET, Prefix=f"{prefix}/")["Contents"]]
    return {int(key.rsplit("/", 1)[1].removesuffix(".json")):
            client.get_object(Bucket=BUCKET, Key=key)["Body"].read().decode()
            for key in keys if key.endswith(".json")}


def conditional_puts(s3) -> list[str]:
    return [r.keys[0] for r in s3.requests if r.method == "PUT" and r.conditional]


def test_eight_writers_and_mishaps(s3, s3a, jars, line, tmp_path):
    s3.mishaps = Mishaps()
    commits = 6
    writers = log_writers.run([*jars, *distribution.s3a_jars(line.spark)], tmp_path, f"s3a://{BUCKET}/log", WRITERS,
                              commits, s3a)
    log = versions(s3, "log")
    assert sorted(log) == list(range(len(WRITERS) * commits))
    winners = {version: writer for writer in writers for version in writer.won}
    assert sum(len(writer.won) for writer in writers) == len(winners) == len(log)
    for version, content in log.items():
        winner = winners[version]
        assert json.loads(content) == (
            {"writer": winner.name, "commit": winner.won[version]} if version % 2 == 0 else {})
    for writer in writers:
        assert sorted(writer.won.values()) == list(range(commits))
        assert not set(writer.lost) & set(writer.won)
    assert any(writer.lost for writer in writers), "nobody met"
    assert set(s3.mishaps.seen) == set(mishaps.KINDS)


def test_a_store_that_ignores_the_condition(s3, s3a, jars, line, tmp_path):
    """It is found out, and one driver may go on as with Delta's own log store, which looks first."""
    s3.ignores_conditions = True
    (writer,) = log_writers.run([*jars, *distribution.s3a_jars(line.spark)], tmp_path, f"s3a://{BUCKET}/log",
                                WRITERS[:1], 3, s3a)
    assert sorted(writer.won) == sorted(versions(s3, "log")) == [0, 1, 2]
    assert conditional_puts(s3) == ["log/00000000000000000000.json"] * 2
    (again,) = log_writers.run([*jars, *distribution.s3a_jars(line.spark)], tmp_path, f"s3a://{BUCKET}/log",
                               WRITERS[1:2], 1, s3a)
    assert again.lost == [0, 1, 2] and list(again.won) == [3]


def test_two_sessions_write_one_table(s3, s3a, spark, jars, line, server, database, tmp_path):
    """One by the name of a catalog, which needs no setting; one by path, with the setting and without a catalog."""
    spark.sql("SELECT 1 AS n, 'made' AS who").write.format("delta").save(f"file:{tmp_path}/table")
    for file in (tmp_path / "table").rglob("*"):
        if file.is_file() and not file.name.endswith(".crc"):
            s3.client().upload_file(str(file), BUCKET, f"table/{file.relative_to(tmp_path / 'table')}")
    database.put({"Name": "t", "TableType": "EXTERNAL_TABLE", "Parameters": {"table_type": "DELTA"},
                  "StorageDescriptor": {"Location": f"s3a://{BUCKET}/table", "Columns": [
                      {"Name": "n", "Type": "int"}, {"Name": "who", "Type": "string"}]}})
    inserts = 6
    common = {**session.base_conf([*jars, *distribution.s3a_jars(line.spark)], tmp_path / "warehouse"),
              "spark.master": "local[1]", **session.hadoop(s3a)}
    environment = {"AWS_ACCESS_KEY_ID": "SESSION", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": session.REGION}
    programs = [
        start({**common, **session.catalog_conf("g", glue__id=ACCOUNT_A, glue__endpoint=server.endpoint,
                                                client__region=session.REGION)},
              [f"INSERT INTO g.{database.name}.t VALUES ({n}, 'name')" for n in range(inserts)], environment),
        start({**common, KEY: log_writers.LOG_STORE},
              [f"INSERT INTO delta.`s3a://{BUCKET}/table` VALUES ({n}, 'path')" for n in range(inserts)]
              + [f"SELECT count(*) FROM delta.`s3a://{BUCKET}/table` WHERE who = 'path'"], environment),
    ]
    answers = [answer for program in programs for answer in program.answers()]
    assert [answer["error"] for answer in answers if "error" in answer] == []
    assert answers[-1]["rows"] == [[inserts]]
    log = versions(s3, "table/_delta_log")
    assert sorted(log) == list(range(1 + 2 * inserts))
    assert sum(content.count('"add":') for content in log.values()) == 1 + 2 * inserts
    assert {key.rsplit("/", 1)[1] for key in conditional_puts(s3)} == {f"{v:020}.json" for v in log if v > 0}


def test_it_is_in_nobodys_way(spark, another, database):
    """What the user has set stays."""
    conf = spark._jvm.org.apache.spark.SparkEnv.get().conf()

    def use_catalog():
        spark.sql(f"SHOW TABLES IN {another('log_store')}.{database.name}").collect()

    use_catalog()
    assert conf.get(KEY) == conf.get(KEY.replace("s3a", "s3")) == log_writers.LOG_STORE
    try:
        for key, value in ((KEY, "io.delta.storage.S3SingleDriverLogStore"),
                           (KEY.removeprefix("spark."), "io.delta.storage.S3SingleDriverLogStore"),
                           ("spark.delta.logStore.class", "org.apache.spark.sql.delta.storage.DelegatingLogStore")):
            conf.remove(KEY)
            conf.set(key, value)
            # A catalog is initialised once for each name and session.
            spark.newSession().sql(f"SHOW TABLES IN acct_a.{database.name}").collect()
            assert conf.get(KEY, "") == (value if key == KEY else ""), key
            conf.remove(key)
    finally:
        conf.set(KEY, log_writers.LOG_STORE)
