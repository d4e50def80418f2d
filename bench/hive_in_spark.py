"""What Spark's own Hive catalog takes, with its metastore on Derby: the peer of partitions_in_spark.py.

Plans a query of one of 10,000 partitions and registers 2,000 directories. Prints one "<name> <value>" per line.
"""

import itertools
import tempfile
from pathlib import Path

from partitions_in_spark import late_median
from spark_server import milliseconds  # It says where the harness is.

from harness import session

REGIONS, DAYS = 20, 500
ONE = ("r7", "d250")
DIRECTORIES = 2_000


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="gluecat-bench-") as folder:
        work = Path(folder)
        # The compilers that a user has.
        conf = {**session.hive_conf(work), "spark.driver.extraJavaOptions": f"-Xss4m -Dderby.system.home={work}"}
        spark = session.start(conf)
        plan(spark, work / "planned")
        repair(spark, work / "repaired")
        spark.stop()


def plan(spark, location: Path) -> None:
    region, day = ONE
    spark.range(100).selectExpr("id", "'x' AS name").write.parquet(f"file:{location}/region={region}/day={day}")
    spark.sql("CREATE TABLE planned (id BIGINT, name STRING, region STRING, day STRING) USING parquet "
              f"PARTITIONED BY (region, day) LOCATION 'file:{location}'").collect()
    every = itertools.product(range(REGIONS), range(DAYS))
    while batch := list(itertools.islice(every, 500)):
        partitions = " ".join(f"PARTITION (region = 'r{r}', day = 'd{d}')" for r, d in batch)
        spark.sql(f"ALTER TABLE planned ADD {partitions}").collect()
    jvm = spark._jsparkSession
    query = f"SELECT * FROM planned WHERE region = '{region}' AND day = '{day}' AND id > 5"
    print("plan_table_ms", late_median(lambda: jvm.sql(query).queryExecution().executedPlan()))


def repair(spark, location: Path) -> None:
    spark.sql("CREATE TABLE repaired (id BIGINT, k INT) USING parquet PARTITIONED BY (k) "
              f"LOCATION 'file:{location}'").collect()
    for k in range(DIRECTORIES):
        (location / f"k={k}").mkdir(parents=True)
    print("repair_ms", milliseconds(lambda: spark.sql("MSCK REPAIR TABLE repaired").collect()))


if __name__ == "__main__":
    main()
