"""Spark sessions with Glue catalogs, the way a user configures them."""

import re
from pathlib import Path

from harness.distribution import installed_line

CATALOG_CLASS = "io.github.sdaberdaku.gluecat.GlueCatalog"
GLUECAT_EXTENSION = "io.github.sdaberdaku.gluecat.GlueCatalogExtensions"
DELTA_EXTENSION = "io.delta.sql.DeltaSparkSessionExtension"
DELTA_CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
REGION = "eu-central-1"


def catalog_conf(name: str, **options: str) -> dict[str, str]:
    """The settings of one Glue catalog; an option's dots and dashes are written as `__` and `_`."""
    prefix = f"spark.sql.catalog.{name}"
    conf = {prefix: CATALOG_CLASS}
    for key, value in options.items():
        conf[f"{prefix}.{key.replace('__', '.').replace('_', '-')}"] = value
    return conf


def extensions() -> list[str]:
    """Nothing of gluecat's where Spark finds it by itself. PySpark 3.5 makes its session without looking."""
    return [DELTA_EXTENSION, *([GLUECAT_EXTENSION] if installed_line() == "3.5" else [])]


def base_conf(jars: list[Path], warehouse: Path) -> dict[str, str]:
    """Everything but the catalogs: Delta's usual lines and settings that keep a small test small."""
    return {
        "spark.master": "local[2]",
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.extensions": ",".join(extensions()),
        "spark.sql.catalog.spark_catalog": DELTA_CATALOG,
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.warehouse.dir": f"file:{warehouse}",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss4m",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def hive_conf(folder: Path) -> dict[str, str]:
    """Nothing of gluecat's or Delta's: Spark's own Hive catalog, with its metastore on Derby in the folder."""
    conf = base_conf([], folder / "warehouse")
    del conf["spark.sql.catalog.spark_catalog"], conf["spark.jars"]
    return {**conf, "spark.sql.catalogImplementation": "hive", "spark.sql.extensions": "",
            "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
            "spark.driver.extraJavaOptions":
                f"{conf['spark.driver.extraJavaOptions']} -Dderby.system.home={folder}"}


def hadoop(conf: dict[str, str]) -> dict[str, str]:
    """Settings of Hadoop as Spark takes them."""
    return {f"spark.hadoop.{key}": value for key, value in conf.items()}


def named_catalogs(endpoint: str) -> dict[str, str]:
    """Two accounts under names of their own, beside Delta's session catalog."""
    return {
        **catalog_conf("acct_a", glue__id="111111111111", glue__endpoint=endpoint,
                       client__region=REGION),
        **catalog_conf("acct_b", glue__id="222222222222", glue__endpoint=endpoint,
                       client__region=REGION),
    }


def session_catalog(endpoint: str) -> dict[str, str]:
    """Account 111111111111 as `spark_catalog`, and the other account under a name."""
    return {
        **catalog_conf("spark_catalog", glue__id="111111111111", glue__endpoint=endpoint,
                       client__region=REGION),
        **catalog_conf("acct_b", glue__id="222222222222", glue__endpoint=endpoint,
                       client__region=REGION),
    }


def start(conf: dict[str, str]):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("gluecat-e2e")
    for key, value in conf.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel(conf.get("spark.log.level", "ERROR"))
    return session


def message_of(error: BaseException) -> str:
    """What a user sees of a failed statement, without the JVM's stack."""
    text = str(error)
    return re.split(r"\n\s+at |\nJVM stacktrace", text)[0]
