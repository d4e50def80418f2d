"""What a user waits for in a Spark session: the first SHOW TABLES of a catalog, a table's schema by name, and what the name
adds to planning a query of a Delta table and to writing a row.

Prints one "<name> <value>" per line. The server is `gluecat serve`, with 100 tables in a database.
"""

import statistics
from pathlib import Path

from spark_server import ROOT, milliseconds, run  # It says where the harness is.

from harness import distribution, session
from harness.glue import Database, parquet_entry
from harness.server import GlueServer

TABLES = 100
LOADS = 200
SESSIONS = 99
PLANS = 100
INSERTS = 30


def measure(line, work: Path, server: GlueServer) -> None:
    database = Database.create(server.client("111111111111"), "111111111111", "acct_a", "db", work / "db")
    columns = [{"Name": f"column_{n}", "Type": "decimal(18,2)"} for n in range(20)]
    for number in range(TABLES):
        database.put(parquet_entry(f"t{number}", f"{database.location}/t{number}", columns))
    conf = {**session.base_conf([ROOT / "dist" / line.jar_name, *distribution.delta_jars(line)], work / "warehouse"),
            **session.named_catalogs(server.endpoint),
            "spark.driver.extraJavaOptions": "-Xss4m"}
    spark = session.start(conf)
    # The first command, query and table of a session take longer than what is measured.
    spark.sql("SHOW TABLES IN spark_catalog.default").collect()
    spark.range(3).write.format("delta").save(str(work / "delta"))
    spark.sql(f"DESCRIBE TABLE delta.`{work / 'delta'}`").collect()
    spark.range(10).selectExpr("sum(id)").collect()

    print("show_tables_first_ms", milliseconds(lambda: spark.sql("SHOW TABLES IN acct_a.db").collect()))
    print("show_tables_warm_ms", statistics.median(
        milliseconds(lambda: spark.sql("SHOW TABLES IN acct_a.db").collect()) for _ in range(20)))
    # Through the JVM's own session: Python's side of a DataFrame is not what is measured.
    load = [milliseconds(lambda n=n: spark._jsparkSession.table(f"acct_a.db.t{n % TABLES}").schema())
            for n in range(LOADS)]
    print("schema_by_name_ms", statistics.median(load[LOADS // 2:]))
    # What a new session has of its own but for the catalog is Spark's.
    managers = [spark._jsparkSession.newSession().sessionState().catalogManager() for _ in range(SESSIONS)]
    opened = [milliseconds(lambda m=m: m.catalog("acct_a")) for m in managers]
    print("catalog_of_session_ms", statistics.median(opened[SESSIONS // 2:]))
    measure_delta(spark, database)
    spark.stop()


def measure_delta(spark, database: Database) -> None:
    """The same on two tables by turns, one by its name and one by its path: the medians of the later half."""
    for table in ("by_name", "by_path"):
        spark.sql(f"CREATE TABLE acct_a.db.{table} (id BIGINT, name STRING) USING delta")
        spark.sql(f"INSERT INTO acct_a.db.{table} VALUES (1, 'one')")
    names = {"name": "acct_a.db.by_name", "path": f"delta.`{database.location}/by_path`"}

    def plan(table: str) -> None:
        spark._jsparkSession.sql(f"SELECT * FROM {table} LIMIT 1").queryExecution().executedPlan()

    def insert(table: str) -> None:
        spark._jsparkSession.sql(f"INSERT INTO {table} VALUES (2, 'two')")

    for what, action, times in (("plan", plan, PLANS), ("insert", insert, INSERTS)):
        took = {by: [] for by in names}
        for _ in range(times):
            for by, table in names.items():
                took[by].append(milliseconds(lambda table=table: action(table)))
        for by, all_times in took.items():
            print(f"delta_{what}_by_{by}_ms", statistics.median(all_times[times // 2:]))


if __name__ == "__main__":
    run(measure)
