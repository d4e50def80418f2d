"""Iceberg's own integration tests of its GlueCatalog, with our server for Glue and moto for S3 and DynamoDB."""

import os
import subprocess
from pathlib import Path

import boto3
import peers
import pytest
from foreign_suite import HERE, check, read_reports

BUCKET, REGION = "iceberg-suite", "us-east-1"


@pytest.fixture
def sources() -> Path:
    checkout = os.environ.get("GLUECAT_ICEBERG_SOURCES")
    if not checkout:
        pytest.skip("Iceberg publishes these tests in its repository only: name a checkout in GLUECAT_ICEBERG_SOURCES")
    return Path(checkout).resolve()


@pytest.mark.timeout(1200)
def test_unmodified(server, sources, tmp_path):
    with peers.moto(tmp_path) as moto:
        boto3.client("s3", endpoint_url=moto.endpoint, region_name=REGION, aws_access_key_id="key",
                     aws_secret_access_key="secret").create_bucket(Bucket=BUCKET)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
        answer = subprocess.run(
            ["mvn", "-q", "-B", "-f", str(HERE / "iceberg_suite" / "pom.xml"), "test", f"-Diceberg.sources={sources}",
             f"-Doutput={tmp_path}"],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env={**environment, "AWS_ENDPOINT_URL": moto.endpoint, "AWS_ENDPOINT_URL_GLUE": server.endpoint,
                 "AWS_REGION": REGION, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
                 "AWS_SESSION_TOKEN": "token", "AWS_TEST_BUCKET": BUCKET, "AWS_TEST_ACCOUNT_ID": "123456789012"})
    reports = sorted((tmp_path / "surefire-reports").glob("TEST-*.xml"))
    assert answer.returncode == 0 and reports, answer.stdout[-5000:] + answer.stderr[-5000:]
    check(read_reports(reports), HERE / "iceberg_differences.toml", expected_tests=48)
