"""The catalog functions of awswrangler (AWS SDK for pandas)."""

import awswrangler
import boto3
import pytest
from conftest import ACCOUNT

catalog = awswrangler.catalog
COLUMNS = {"id": "bigint", "name": "string", "price": "decimal(10,2)"}
PARTITIONS = {"day": "date", "hour": "int"}
VALUES = {"s3://bucket/sales/day=2026-01-01/hour=1/": ["2026-01-01", "1"],
          "s3://bucket/sales/day=2026-01-01/hour=2/": ["2026-01-01", "2"],
          "s3://bucket/sales/day=2026-01-02/hour=1/": ["2026-01-02", "1"]}
SALES = {"database": "shop", "table": "sales"}


@pytest.fixture
def session(empty_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_GLUE", empty_server.endpoint)
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", empty_server.endpoint)
    return boto3.Session(aws_access_key_id=ACCOUNT, aws_secret_access_key="secret", region_name="eu-central-1")


@pytest.fixture
def shop(session):
    catalog.create_database("shop", description="a shop", boto3_session=session)
    return session


@pytest.fixture
def sales(shop):
    catalog.create_parquet_table(
        **SALES, path="s3://bucket/sales/", columns_types=COLUMNS, partitions_types=PARTITIONS, compression="snappy",
        description="what was sold", parameters={"owner": "etl"}, columns_comments={"id": "of the sale"},
        boto3_session=shop)
    return shop


def test_databases(session):
    for name in ("one", "two"):
        catalog.create_database(name, description=f"number {name}", boto3_session=session)
    assert {d["Name"] for d in catalog.get_databases(boto3_session=session)} == {"one", "two"}
    assert list(catalog.databases(boto3_session=session)["Description"]) == ["number one", "number two"]
    with pytest.raises(awswrangler.exceptions.AlreadyExists):
        catalog.create_database("one", boto3_session=session)
    catalog.create_database("one", description="changed", exist_ok=True, boto3_session=session)
    assert next(catalog.get_databases(boto3_session=session))["Description"] == "changed"
    catalog.delete_database("two", boto3_session=session)
    assert [d["Name"] for d in catalog.get_databases(boto3_session=session)] == ["one"]


def test_a_parquet_table(sales):
    assert catalog.does_table_exist(**SALES, boto3_session=sales)
    assert not catalog.does_table_exist(database="shop", table="absent", boto3_session=sales)
    assert catalog.get_table_types(**SALES, boto3_session=sales) == {**COLUMNS, **PARTITIONS}
    assert catalog.get_table_location(**SALES, boto3_session=sales) == "s3://bucket/sales/"
    assert catalog.get_table_description(**SALES, boto3_session=sales) == "what was sold"
    assert catalog.get_columns_comments(**SALES, boto3_session=sales)["id"] == "of the sale"
    assert catalog.get_table_parameters(**SALES, boto3_session=sales)["owner"] == "etl"
    assert list(catalog.table(**SALES, boto3_session=sales)["Column Name"]) == [*COLUMNS, *PARTITIONS]


def test_csv_and_orc_and_json_tables(shop):
    catalog.create_csv_table(database="shop", table="csv", path="s3://bucket/csv/", columns_types=COLUMNS, sep=";",
                             skip_header_line_count=1, boto3_session=shop)
    catalog.create_orc_table(database="shop", table="orc", path="s3://bucket/orc/", columns_types=COLUMNS,
                             boto3_session=shop)
    catalog.create_json_table(database="shop", table="json", path="s3://bucket/json/", columns_types=COLUMNS,
                              boto3_session=shop)
    assert catalog.get_table_parameters(database="shop", table="csv", boto3_session=shop)[
        "skip.header.line.count"] == "1"
    assert {t["Name"] for t in catalog.get_tables(database="shop", boto3_session=shop)} == {"csv", "orc", "json"}
    for part, names in ({"name_prefix": "o"}, {"orc"}), ({"name_contains": "s"}, {"csv", "json"}), (
            {"name_suffix": "n"}, {"json"}):
        assert {t["Name"] for t in catalog.get_tables(database="shop", **part, boto3_session=shop)} == names


def test_parameters(sales):
    catalog.upsert_table_parameters(parameters={"quality": "good", "owner": "team"}, **SALES, boto3_session=sales)
    found = catalog.get_table_parameters(**SALES, boto3_session=sales)
    assert (found["quality"], found["owner"]) == ("good", "team")
    catalog.overwrite_table_parameters(parameters={"only": "this"}, **SALES, boto3_session=sales)
    assert catalog.get_table_parameters(**SALES, boto3_session=sales) == {"only": "this"}
    assert catalog.get_table_types(**SALES, boto3_session=sales) == {**COLUMNS, **PARTITIONS}


def test_partitions(sales):
    catalog.add_parquet_partitions(**SALES, partitions_values=VALUES, compression="snappy", boto3_session=sales)
    assert catalog.get_parquet_partitions(**SALES, boto3_session=sales) == VALUES
    assert catalog.get_partitions(**SALES, boto3_session=sales) == VALUES
    first_day = catalog.get_partitions(**SALES, expression="day = '2026-01-01' AND hour > 1", boto3_session=sales)
    assert list(first_day.values()) == [["2026-01-01", "2"]]
    # What is there already is no error.
    catalog.add_parquet_partitions(**SALES, partitions_values=VALUES, boto3_session=sales)
    catalog.delete_partitions(**SALES, partitions_values=[["2026-01-02", "1"]], boto3_session=sales)
    assert len(catalog.get_partitions(**SALES, boto3_session=sales)) == 2
    catalog.delete_all_partitions(**SALES, boto3_session=sales)
    assert catalog.get_partitions(**SALES, boto3_session=sales) == {}


def test_many_partitions(sales):
    values = {f"s3://bucket/sales/day=2026-01-{day:02}/hour={hour}/": [f"2026-01-{day:02}", str(hour)]
              for day in range(1, 29) for hour in range(24)}
    catalog.add_parquet_partitions(**SALES, partitions_values=values, boto3_session=sales)
    assert catalog.get_partitions(**SALES, boto3_session=sales) == values


def test_columns_come_and_go(sales):
    catalog.add_column(**SALES, column_name="note", column_type="string", column_comment="free", boto3_session=sales)
    assert catalog.get_table_types(**SALES, boto3_session=sales)["note"] == "string"
    catalog.delete_column(**SALES, column_name="note", boto3_session=sales)
    assert "note" not in catalog.get_table_types(**SALES, boto3_session=sales)


def test_versions(sales):
    for quality in ("poor", "good"):
        catalog.upsert_table_parameters(parameters={"quality": quality}, **SALES, catalog_versioning=True,
                                        boto3_session=sales)
    assert catalog.get_table_number_of_versions(**SALES, boto3_session=sales) == 3
    catalog.create_parquet_table(**SALES, path="s3://bucket/sales/", columns_types={**COLUMNS, "more": "string"},
                                 partitions_types=PARTITIONS, mode="append", catalog_versioning=True,
                                 boto3_session=sales)
    assert catalog.get_table_number_of_versions(**SALES, boto3_session=sales) == 4
    assert catalog.get_table_types(**SALES, boto3_session=sales)["more"] == "string"


def test_overwriting_a_table_without_versions(sales):
    catalog.create_parquet_table(**SALES, path="s3://bucket/other/", columns_types={"only": "int"}, mode="overwrite",
                                 catalog_versioning=False, boto3_session=sales)
    assert catalog.get_table_types(**SALES, boto3_session=sales) == {"only": "int"}


def test_search(sales):
    assert [t["Name"] for t in catalog.search_tables(text="sold", boto3_session=sales)] == ["sales"]
    assert list(catalog.tables(database="shop", boto3_session=sales)["Table"]) == ["sales"]


def test_delete_table(sales):
    assert catalog.delete_table_if_exists(**SALES, boto3_session=sales) is True
    assert catalog.delete_table_if_exists(**SALES, boto3_session=sales) is False
    with pytest.raises(sales.client("glue").exceptions.EntityNotFoundException):
        catalog.get_table_location(**SALES, boto3_session=sales)
