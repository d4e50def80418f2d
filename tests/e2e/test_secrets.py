"""Secrets of a catalog's configuration, looked for wherever they could appear: what statements answer, their errors, plans,
the log, the entries in Glue, and what lies on S3."""

import json

import pytest

from harness import distribution, session
from harness.s3 import S3
from harness.sql_program import start

pytestmark = pytest.mark.timeout(600)

ACCOUNT = "111111111111"
BUCKET = "shared"
# Looked for without its end, so that a part of one is found too.
PLANTED = {name: f"planted-{name}-0123456789" for name in (
    "environment", "token", "s3a-a", "s3a-b", "s3a-token", "vault", "proxy", "url", "malformed")}


# A program in Python keeps back what is below WARN, unless spark.log.level changes the level that is configured.
LOGGING = """
rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c: %m%n%ex
logger.gluecat.name = io.github.sdaberdaku.gluecat
logger.gluecat.level = debug
logger.spark.name = org.apache.spark.sql.gluecat
logger.spark.level = debug
"""


@pytest.fixture(scope="module")
def s3():
    s3 = S3({"KEYA": "a", "KEYB": "b"})
    s3.create_bucket(BUCKET)
    for name in ("a", "b"):
        s3.reserve(BUCKET, name, name)
    yield s3
    s3.stop()


def statements_on(database: str) -> list[str]:
    p, d = f"{database}.p", f"{database}.d"
    looks = [look for table in (p, d) for look in (
        f"DESCRIBE EXTENDED {table}", f"SHOW CREATE TABLE {table}", f"SHOW TBLPROPERTIES {table}",
        f"EXPLAIN EXTENDED SELECT * FROM {table} WHERE id > 1", f"EXPLAIN FORMATTED SELECT * FROM {table}",
        f"EXPLAIN EXTENDED INSERT INTO {table} SELECT * FROM {table}", f"SELECT * FROM {table}.nothing",
        f"ALTER TABLE {table} ADD COLUMN id INT")]
    return [
        f"CREATE TABLE {p} (id INT, day INT) USING parquet PARTITIONED BY (day)",
        f"INSERT INTO {p} VALUES (1, 1), (2, 1)",
        f"CREATE TABLE {d} USING delta AS SELECT * FROM {p}",
        f"MERGE INTO {d} d USING (SELECT 3 AS id, 3 AS day) n ON d.id = n.id WHEN NOT MATCHED THEN INSERT *",
        f"ALTER TABLE {d} ADD COLUMN more STRING",
        *looks, f"DESCRIBE DETAIL {d}", f"DESCRIBE HISTORY {d}", f"EXPLAIN EXTENDED MERGE INTO {d} d "
        f"USING {p} p ON d.id = p.id WHEN MATCHED THEN DELETE", f"DESCRIBE DATABASE EXTENDED {database}",
    ]


FAILING = ["SHOW DATABASES IN vault", "SHOW DATABASES IN proxied", "SHOW DATABASES IN in_url",
           "SHOW DATABASES IN malformed"]


@pytest.fixture(scope="module")
def traces(server, s3, jars, line, tmp_path_factory):
    """Whatever a program left anywhere, by where."""
    folder = tmp_path_factory.mktemp("secrets")

    def glue(name, **more):
        return session.catalog_conf(name, **{"glue__id": ACCOUNT, "glue__endpoint": server.endpoint,
                                             "client__region": session.REGION, **more})

    def data(name, key):
        return {f"spark.sql.catalog.{name}.hadoop.fs.s3a.{option}": value for option, value in {
            "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
            "access.key": key, "secret.key": PLANTED[f"s3a-{name}"]}.items()}

    names = {name: f"secrets_{name}" for name in ("a", "b")}
    for name, database in names.items():
        server.client(ACCOUNT).create_database(DatabaseInput={
            "Name": database, "LocationUri": f"s3a://{BUCKET}/{name}"})
    (folder / "log4j2.properties").write_text(LOGGING)
    base = session.base_conf([*jars, *distribution.s3a_jars(line.spark)], folder / "warehouse")
    conf = {
        **base,
        "spark.log.level": "INFO",
        "spark.driver.extraJavaOptions": f"{base['spark.driver.extraJavaOptions']} "
                                         f"-Dlog4j2.configurationFile=file:{folder}/log4j2.properties",
        **session.hadoop(s3.s3a(folder / "buffer")),
        **glue("a"), **data("a", "KEYA"), **glue("b"), **data("b", "KEYB"),
        **glue("vault", client__credentials_provider="example.Absent"),
        "spark.sql.catalog.vault.client.credentials-provider.password": PLANTED["vault"],
        "spark.sql.catalog.vault.hadoop.fs.s3a.session.token": PLANTED["s3a-token"],
        **glue("proxied", http_client__proxy_endpoint=f"http://me:{PLANTED['proxy']}@127.0.0.1:1"),
        **glue("in_url", glue__endpoint=f"http://me:{PLANTED['url']}@127.0.0.1:1"),
        **glue("malformed", http_client__proxy_endpoint=f"ftp://me:{PLANTED['malformed']}@127.0.0.1"),
    }
    statements = [*(s for name, database in names.items() for s in statements_on(f"{name}.{database}")),
                  # One bucket with two identities, seen from the other side.
                  f"SELECT * FROM a.{names['a']}.d JOIN b.{names['b']}.p USING (id)",
                  f"SELECT * FROM parquet.`s3a://{BUCKET}/a/p`", *FAILING]
    with server.requests() as seen:
        program = start(conf, statements, {
            "AWS_ACCESS_KEY_ID": ACCOUNT, "AWS_SECRET_ACCESS_KEY": PLANTED["environment"],
            "AWS_SESSION_TOKEN": PLANTED["token"]})
        answers = program.answers(timeout=550)
    setup = s3.client()
    objects = {f"s3 {o['Key']}": setup.get_object(Bucket=BUCKET, Key=o["Key"])["Body"].read().decode("latin-1")
               for o in setup.list_objects_v2(Bucket=BUCKET)["Contents"]}
    entries = {f"entry {database}": json.dumps(server.client(ACCOUNT).get_tables(DatabaseName=database), default=str)
               for database in names.values()}
    by_statement = dict(zip(statements, answers))
    return by_statement, {
        **{statement: json.dumps(answer) for statement, answer in by_statement.items()}, **objects, **entries,
        "requests": json.dumps([r.body for r in seen.requests]), "log": program.log}


def test_the_program_did_what_it_should(traces):
    """What is not there cannot show anything."""
    answers, where = traces
    for database in ("a.secrets_a", "b.secrets_b"):
        for look in statements_on(database):
            if "nothing" not in look and "ADD COLUMN id" not in look:
                assert "rows" in answers[look], (look, answers[look])
    assert all("error" in answers[statement] for statement in FAILING)
    assert "INFO org.apache.spark" in where["log"] and any("_delta_log" in name for name in where)


def test_no_secret_is_anywhere(traces):
    shown = [f"{name} in {where}: …{text[max(0, at - 200):at + 100]}…" for where, text in traces[1].items()
             for name in PLANTED if (at := text.find(f"planted-{name}")) >= 0]
    assert not shown, "\n".join(shown)
