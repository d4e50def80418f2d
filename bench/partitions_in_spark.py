"""What long lists of partitions cost in a Spark session: finding them, planning with them, registering them.

Takes the address of bench/replay.cc and prints one "<name> <value>" per line. The tables that are planned with and
written are on `gluecat serve`; one has 100,000 partitions with three keys, of which one has a directory.
"""

import http.client
import itertools
import json
import statistics
import sys
from pathlib import Path

from spark_server import ROOT, milliseconds, run  # It says where the harness is.

from harness import distribution, session
from harness.glue import PARQUET, Database, parquet_entry
from harness.server import GlueServer

REGIONS, DAYS, HOURS = 20, 500, 10
ONE = ("r7", "d250", "3")
COLUMNS = [{"Name": "id", "Type": "bigint"}, {"Name": "name", "Type": "string"}]
KEYS = [{"Name": "region", "Type": "string"}, {"Name": "day", "Type": "string"}, {"Name": "hour", "Type": "int"}]
ROUNDS = 20


def late_median(action) -> float:
    """Of the second half: the first rounds are still compiling."""
    return statistics.median([milliseconds(action) for _ in range(ROUNDS)][ROUNDS // 2:])


class Requests:
    """The Glue requests of a statement, by their log."""

    def __init__(self, server: GlueServer):
        self._path = server.log_path

    def writing_ms(self, statement) -> float:
        """From the first request that makes partitions to the answer of the last."""
        start = self._path.stat().st_size
        statement()
        with open(self._path, encoding="utf-8") as log:
            log.seek(start)
            lines = [line for line in map(json.loads, log) if line["operation"] == "BatchCreatePartition"]
        first = lines[0]["time"] * 1000 - lines[0]["latency_ms"]
        return lines[-1]["time"] * 1000 - first


def fill(endpoint: str, location: Path) -> None:
    """Makes the partitions, without an SDK: they are many."""
    connection = http.client.HTTPConnection(endpoint.split("//")[1], timeout=600)
    headers = {"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "AWSGlue.BatchCreatePartition",
               "X-Amz-Date": "20260101T000000Z",
               "Authorization": "AWS4-HMAC-SHA256 Credential=111111111111/20260101/eu-central-1/glue/aws4_request, "
                                "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64}
    every = itertools.product(range(REGIONS), range(DAYS), range(HOURS))
    while batch := list(itertools.islice(every, 100)):
        partitions = [{"Values": [f"r{r}", f"d{d}", str(h)],
                       "StorageDescriptor": {"Columns": COLUMNS, **PARQUET,
                                             "Location": f"file:{location}/region=r{r}/day=d{d}/hour={h}"}}
                      for r, d, h in batch]
        connection.request("POST", "/", json.dumps({"CatalogId": "111111111111", "DatabaseName": "db",
                                                    "TableName": "t", "PartitionInputList": partitions}), headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200 or b"ErrorCode" in text:
            raise RuntimeError(text[:500])


def measure(line, work: Path, server: GlueServer, replay: str) -> None:
    database = Database.create(server.client("111111111111"), "111111111111", "acct_a", "db", work / "db")
    location = database.location / "t"
    database.put(parquet_entry("t", f"file:{location}", COLUMNS, PartitionKeys=KEYS))
    fill(server.endpoint, location)
    conf = {**session.base_conf([ROOT / "dist" / line.jar_name, *distribution.delta_jars(line)], work / "warehouse"),
            **session.named_catalogs(server.endpoint),
            **session.catalog_conf("replay", glue__id="111111111111", glue__endpoint=replay,
                                   client__region=session.REGION),
            "spark.driver.extraJavaOptions": "-Xss4m"}
    spark = session.start(conf)
    path = str(location / "region={}/day={}/hour={}".format(*ONE))
    spark.range(100).selectExpr("id", "'x' AS name").write.parquet(f"file:{path}")

    index(spark)
    plan(spark, path)
    register(spark, database, Requests(server))
    spark.stop()


def index(spark) -> None:
    """All partitions of the replayed table as Spark's file index takes them, without the files in them."""
    identifiers = spark._jvm.org.apache.spark.sql.connector.catalog.Identifier
    namespace = spark.sparkContext._gateway.new_array(spark._jvm.java.lang.String, 1)
    namespace[0] = "db"
    manager = spark._jsparkSession.sessionState().catalogManager()
    table = manager.catalog("replay").loadTable(identifiers.of(namespace, "t"))
    nothing = getattr(getattr(spark._jvm.scala.collection.immutable, "Nil$"), "MODULE$")
    # The locations are on S3, whose file system is asked for its address only.
    conf = spark._jsc.hadoopConfiguration()
    conf.set("fs.s3.impl", "org.apache.hadoop.fs.RawLocalFileSystem")
    qualifier = spark._jvm.org.apache.spark.sql.gluecat.files.Qualifier(conf)
    print("index_ms", late_median(lambda: table.partitions().find(nothing, qualifier)))


def plan(spark, path: str) -> None:
    # Through the JVM's own session: Python's side of a DataFrame is not what is measured.
    jvm = spark._jsparkSession
    region, day, hour = ONE
    query = f"SELECT * FROM acct_a.db.t WHERE region = '{region}' AND day = '{day}' AND hour = {hour} AND id > 5"
    print("plan_table_ms", late_median(lambda: jvm.sql(query).queryExecution().executedPlan()))
    print("plan_path_ms", late_median(
        lambda: jvm.read().schema("id BIGINT, name STRING").format("parquet").load(f"file:{path}")
        .filter("id > 5").queryExecution().executedPlan()))


def register(spark, database: Database, requests: Requests) -> None:
    def make(name: str, directories: int = 0) -> str:
        spark.sql(f"CREATE TABLE {database}.{name} (id BIGINT, k INT) USING parquet PARTITIONED BY (k)").collect()
        for k in range(directories):
            (database.location / name / f"k={k}").mkdir(parents=True)
        return f"{database}.{name}"

    inserted = make("inserted")
    print("insert_glue_ms", requests.writing_ms(
        lambda: spark.sql(f"INSERT INTO {inserted} SELECT id, CAST(id AS INT) FROM range(2000)").collect()))
    few, many = make("few", 2_000), make("many", 10_000)
    print("repair_ms", milliseconds(lambda: spark.sql(f"MSCK REPAIR TABLE {few}").collect()))
    spent = []
    glue = requests.writing_ms(lambda: spent.append(
        milliseconds(lambda: spark.sql(f"MSCK REPAIR TABLE {many}").collect())))
    print("repair_many_ms", spent[0])
    print("repair_many_glue_ms", glue)


if __name__ == "__main__":
    run(lambda line, work, server: measure(line, work, server, sys.argv[1]))
