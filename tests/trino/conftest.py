"""One Glue Data Catalog (`gluecat serve`) and one bucket (moto), used by Spark through gluecat and by Trino."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness import distribution, session  # noqa: E402
from harness.command import command, pytest_addoption, server  # noqa: E402, F401
from trino import Trino  # noqa: E402

ACCOUNT, BUCKET = "111111111111", "lake"


@pytest.fixture(scope="session")
def s3():
    """The address of an S3 that holds the bucket."""
    import boto3
    from moto.server import ThreadedMotoServer

    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id=ACCOUNT,
                 aws_secret_access_key="secret").create_bucket(Bucket=BUCKET)
    yield endpoint
    moto.stop()


@pytest.fixture(scope="session")
def spark(server, s3, tmp_path_factory):
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(AWS_ACCESS_KEY_ID=ACCOUNT, AWS_SECRET_ACCESS_KEY="secret")
    line = distribution.LINES["4.1"]
    s3a = [distribution.maven_repository() / path for path in os.environ["GLUECAT_S3A_JARS"].split(":")]
    conf = session.base_conf([ROOT / "dist" / line.jar_name, *distribution.delta_jars(line), *s3a],
                             tmp_path_factory.mktemp("spark"))
    spark = session.start({
        **conf,
        **session.catalog_conf("glue", glue__id=ACCOUNT, glue__endpoint=server.endpoint, client__region=session.REGION,
                               warehouse=f"s3://{BUCKET}/warehouse"),
        "spark.hadoop.fs.s3.impl": "org.apache.hadoop.fs.s3a.S3AFileSystem",
        "spark.hadoop.fs.s3a.endpoint": s3,
        "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.access.key": ACCOUNT,
        "spark.hadoop.fs.s3a.secret.key": "secret",
    })
    spark.sql("CREATE DATABASE glue.db")
    yield spark
    spark.stop()


@pytest.fixture(scope="session")
def trino(server, s3, tmp_path_factory):
    trino = Trino(Path(os.environ["GLUECAT_TRINO"]), tmp_path_factory.mktemp("trino"), {
        "connector.name": "hive",
        "hive.metastore": "glue",
        "hive.metastore.glue.region": session.REGION,
        "hive.metastore.glue.endpoint-url": server.endpoint,
        "hive.metastore.glue.aws-access-key": ACCOUNT,
        "hive.metastore.glue.aws-secret-key": "secret",
        "hive.metastore.glue.catalogid": ACCOUNT,
        "hive.metastore.glue.default-warehouse-dir": f"s3://{BUCKET}/trino",
        "hive.non-managed-table-writes-enabled": "true",
        "hive.metastore-cache-ttl": "0s",
        "hive.timestamp-precision": "MICROSECONDS",
        "fs.native-s3.enabled": "true",
        "s3.endpoint": s3,
        "s3.region": "us-east-1",
        "s3.path-style-access": "true",
        "s3.aws-access-key": ACCOUNT,
        "s3.aws-secret-key": "secret",
    })
    yield trino
    trino.stop()
