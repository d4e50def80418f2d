"""Iceberg's own GlueCatalog (Java, AWS SDK 2) in Spark, with `gluecat serve` in the place of Glue."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness.command import command, pytest_addoption, server  # noqa: E402, F401
from harness.distribution import maven_repository  # noqa: E402

ACCOUNT, REGION = "123456789012", "eu-central-1"


def iceberg_jars() -> list[Path]:
    """As scripts/test-iceberg-client fetched them."""
    version = os.environ["GLUECAT_ICEBERG"]
    names = ("iceberg-spark-runtime-4.1_2.13", "iceberg-aws-bundle")
    return [maven_repository() / "org" / "apache" / "iceberg" / name / version / f"{name}-{version}.jar"
            for name in names]


@pytest.fixture(scope="session")
def spark(server, tmp_path_factory):
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        del os.environ[name]
    # The AWS SDK of the JVM reads them when Spark starts it.
    os.environ.update(AWS_ACCESS_KEY_ID=ACCOUNT, AWS_SECRET_ACCESS_KEY="secret", AWS_REGION=REGION)
    from pyspark.sql import SparkSession

    work = tmp_path_factory.mktemp("spark")
    catalog = "spark.sql.catalog.g"
    conf = {
        "spark.jars": ",".join(map(str, iceberg_jars())),
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(work / "spark"),
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type": "glue",
        f"{catalog}.glue.endpoint": server.endpoint,
        f"{catalog}.client.region": REGION,
        f"{catalog}.warehouse": str(work / "warehouse"),
        f"{catalog}.io-impl": "org.apache.iceberg.hadoop.HadoopFileIO",
        f"{catalog}.cache-enabled": "false",
    }
    builder = SparkSession.builder.master("local[4]")
    for key, value in conf.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.sql("CREATE DATABASE g.db")
    yield session
    session.stop()


@pytest.fixture
def glue(server):
    return server.client(ACCOUNT)
