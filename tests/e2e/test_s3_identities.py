"""Data on S3 under the identity of the catalog, seen from S3: which access key signed which request.

The statements run in a program of their own. The recorder in front of S3 answers 403 to whoever reaches into another's
prefix.
"""

import pytest

from harness import distribution, session
from harness.s3 import S3
from harness.sql_program import run, stream

# Some thirty statements in a JVM of their own, each with many requests.
pytestmark = pytest.mark.timeout(1000)

BUCKET, SINGLE = "shared", "single"
ACCOUNTS = {"a": "111111111111", "b": "222222222222", "c": "333333333333", "magic": "444444444444",
            "plain": "111111111111"}
ROLES = {"a": "role-a", "b": "role-b", "c": "role-c", "magic": "role-magic"}


def location(catalog: str) -> tuple[str, str]:
    return (SINGLE, "lake") if catalog == "c" else (BUCKET, f"lake-{catalog}")


@pytest.fixture
def s3():
    s3 = S3({"SESSIONKEY": "session"})
    for bucket in (BUCKET, SINGLE):
        s3.create_bucket(bucket)
    for catalog in ACCOUNTS:
        s3.reserve(*location(catalog), ROLES.get(catalog, "session"))
    yield s3
    s3.stop()


@pytest.fixture
def database(server, database_name, s3):
    """A database of the same name in every catalog's account; those of account A have names of their own."""
    names = {}
    for catalog, account in ACCOUNTS.items():
        bucket, prefix = location(catalog)
        names[catalog] = f"{database_name}_{catalog}"
        server.client(account).create_database(DatabaseInput={
            "Name": names[catalog], "LocationUri": f"s3a://{bucket}/{prefix}"})
    return lambda catalog: f"{catalog}.{names[catalog]}"


@pytest.fixture
def program(server, s3, jars, line, tmp_path):
    """Runs statements with a master, in catalogs with a role each, and gives the answers; none may be an error."""
    sts = {} if line.spark != "3.5" else {
        # The AWS SDK v1 knows no variable for it.
        "hadoop.fs.s3a.assumed.role.sts.endpoint": s3.endpoint,
        "hadoop.fs.s3a.assumed.role.sts.endpoint.region": session.REGION}

    def catalog_conf(name):
        role = ROLES.get(name)
        options = {"glue.id": ACCOUNTS[name], "glue.endpoint": server.endpoint, "client.region": session.REGION,
                   **({"client.assume-role.arn": f"arn:aws:iam::{ACCOUNTS[name]}:role/{role}", **sts} if role else {}),
                   **({"hadoop.fs.s3a.committer.name": "magic"} if name == "magic" else {})}
        prefix = f"spark.sql.catalog.{name}"
        return {prefix: session.CATALOG_CLASS, **{f"{prefix}.{key}": value for key, value in options.items()}}

    conf = {
        **session.base_conf([*jars, *distribution.s3a_jars(line.spark)], tmp_path / "warehouse"),
        **session.hadoop(s3.s3a(tmp_path / "buffer")),
        "spark.hadoop.fs.s3a.audit.enabled": "true",
        "spark.hadoop.fs.s3.impl": "org.apache.hadoop.fs.s3a.S3AFileSystem",
    }
    for name in ACCOUNTS:
        conf.update(catalog_conf(name))
    environment = {"AWS_ACCESS_KEY_ID": "SESSIONKEY", "AWS_SECRET_ACCESS_KEY": "secret",
                   "AWS_REGION": session.REGION, "AWS_ENDPOINT_URL_STS": s3.endpoint,
                   "AWS_EC2_METADATA_DISABLED": "true", "SPARK_HOME": str(distribution.spark_home(tmp_path / "spark"))}

    def run_all(master, statements):
        answers = run({**conf, "spark.master": master}, statements, environment, timeout=900)
        failed = {str(s): a["error"] for s, a in zip(statements, answers) if "error" in a}
        assert not failed, failed
        return [answer["rows"] for answer in answers]

    return run_all


def statements(db, checkpoints) -> list:
    """Both kinds of tables under both identities, reading from and writing to each other's."""
    a, b = db("a"), db("b")
    return [
        f"CREATE TABLE {a}.p (id INT, name STRING, month INT) USING parquet PARTITIONED BY (month)",
        f"INSERT INTO {a}.p VALUES (1, 'one', 1), (2, 'two', 2), (3, 'three', 2)",
        f"CREATE TABLE {b}.t (id INT, name STRING) USING delta",
        f"INSERT INTO {b}.t VALUES (1, 'uno'), (2, 'due')",
        f"CREATE TABLE {b}.p USING parquet AS SELECT * FROM {a}.p",
        f"CREATE TABLE {a}.t USING delta AS SELECT id, name FROM {b}.t",
        f"INSERT OVERWRITE {a}.p PARTITION (month = 2) SELECT id, upper(name) FROM {b}.p WHERE month = 2",
        f"MERGE INTO {a}.t x USING (SELECT id, name FROM {b}.p) y ON x.id = y.id "
        "WHEN MATCHED THEN UPDATE SET name = y.name WHEN NOT MATCHED THEN INSERT *",
        f"UPDATE {b}.t SET name = 'dos' WHERE id = 2",
        f"OPTIMIZE {a}.t",
        f"VACUUM {b}.t",
        f"CREATE TABLE {a}.sink (id INT, name STRING) USING delta",
        f"CREATE TABLE {b}.sink (id INT, name STRING) USING delta",
        stream(f"{b}.t", f"{a}.sink", str(checkpoints / "to-a")),
        stream(f"{a}.t", f"{b}.sink", str(checkpoints / "to-b")),
        f"SELECT p.id, p.name, q.name, t.name, u.name, s.name, r.name FROM {a}.p p JOIN {b}.p q USING (id) "
        f"JOIN {a}.t t USING (id) JOIN {b}.t u USING (id) JOIN {a}.sink s USING (id) JOIN {b}.sink r USING (id) "
        "ORDER BY id",
    ]


JOINED = [[1, "one", "one", "one", "uno", "uno", "one"], [2, "TWO", "two", "two", "dos", "dos", "two"]]


@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"], ids=["local", "executors"])
def test_two_roles_on_one_bucket(program, master, s3, database, tmp_path):
    c, magic, plain = database("c"), database("magic"), database("plain")
    rows = program(master, [
        # A bucket of one role, while S3A is Hadoop's own.
        f"CREATE TABLE {c}.t (id INT) USING delta",
        f"INSERT INTO {c}.t VALUES (1), (2)",
        f"CREATE TABLE {c}.sink (id INT) USING delta",
        stream(f"{c}.t", f"{c}.sink", str(tmp_path / "single")),
        *statements(database, tmp_path),
        # A third role with S3A's own committer, and a catalog without one, all on the same bucket.
        f"CREATE TABLE {magic}.c (id INT, name STRING) USING csv",
        f"INSERT INTO {magic}.c SELECT id, name FROM {database('a')}.t",
        f"CREATE TABLE {plain}.p USING parquet AS SELECT * FROM {magic}.c",
        f"SELECT count(*) FROM {plain}.p",
        f"SELECT count(*) FROM {c}.sink",
    ])
    assert rows[4 + 15] == JOINED
    assert rows[-2:] == [[[3]], [[2]]]
    assert s3.denied == []
    requests = {catalog: s3.requests_under(*location(catalog)) for catalog in ACCOUNTS}
    assert {catalog: {r.identity for r in seen} for catalog, seen in requests.items()} == {
        "a": {"role-a"}, "b": {"role-b"}, "c": {"role-c"}, "magic": {"role-magic"}, "plain": {"session"}}
    assert any("__magic" in key for r in s3.requests for key in r.keys), "the magic committer was not used"
    single = {r.identity for r in s3.requests if r.bucket == SINGLE} - {"setup"}
    assert single == {"role-c"}
    # The JVMs that asked: the driver's alone, or the executors' too, each under every identity.
    processes = {catalog: {r.process for r in seen} - {None} for catalog, seen in requests.items()}
    if master.startswith("local["):
        assert len(set.union(*processes.values())) == 1
    else:
        assert len(processes["a"]) == len(processes["b"]) == 3 and len(processes["magic"]) > 1, processes
