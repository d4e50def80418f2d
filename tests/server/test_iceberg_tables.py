"""Iceberg tables that the server creates and commits, as boto3 and a reader of the files see them."""

import json
from urllib.parse import urlsplit

import pytest
from conftest import ACCOUNT_A

from harness.server import GlueServer

SCHEMA = {"Type": "struct", "Fields": [
    {"Id": 1, "Name": "id", "Type": "long", "Required": True},
    {"Id": 2, "Name": "tags", "Required": False,
     "Type": {"type": "list", "element-id": 3, "element": "string", "element-required": False}}]}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    return tmp_path_factory.mktemp("warehouse")


@pytest.fixture(scope="module")
def glue(command, warehouse, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("server"), options=("--warehouse", str(warehouse)))
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "d"})
    yield glue
    server.stop()


def create(glue, name: str, location: str) -> None:
    glue.create_table(DatabaseName="d", Name=name, OpenTableFormatInput={"IcebergInput": {
        "MetadataOperation": "CREATE", "Version": "2", "CreateIcebergTableInput": {
            "Location": location, "Schema": SCHEMA,
            "PartitionSpec": {"Fields": [{"SourceId": 1, "Transform": "bucket[4]", "Name": "id_bucket"}]}}}})


def metadata_of(table: dict) -> dict:
    with open(urlsplit(table["Parameters"]["metadata_location"]).path, encoding="utf-8") as file:
        return json.load(file)


def test_create_and_commit(glue, warehouse):
    location = f"file://{warehouse}/d/t"
    create(glue, "t", location)
    table = glue.get_table(DatabaseName="d", Name="t")["Table"]
    assert table["Parameters"]["table_type"] == "ICEBERG"
    assert [(column["Name"], column["Type"]) for column in table["StorageDescriptor"]["Columns"]] == [
        ("id", "bigint"), ("tags", "array<string>")]
    first = metadata_of(table)
    assert (first["format-version"], first["location"], first["last-column-id"]) == (2, location, 3)
    assert first["partition-specs"][0]["fields"][0]["field-id"] == 1000

    update = {"Updates": [{"Action": "set-properties", "Schema": SCHEMA, "Location": location,
                           "Properties": {"owner": "me"}}]}
    request = {"DatabaseName": "d", "Name": "t", "VersionId": table["VersionId"],
               "UpdateOpenTableFormatInput": {"UpdateIcebergInput": {"UpdateIcebergTableInput": update}}}
    glue.update_table(**request)
    with pytest.raises(glue.exceptions.ConcurrentModificationException):
        glue.update_table(**request)
    changed = glue.get_table(DatabaseName="d", Name="t")["Table"]
    assert changed["Parameters"]["previous_metadata_location"] == table["Parameters"]["metadata_location"]
    second = metadata_of(changed)
    assert second["properties"] == {"owner": "me"}
    assert second["table-uuid"] == first["table-uuid"]
    assert [entry["metadata-file"] for entry in second["metadata-log"]] == [table["Parameters"]["metadata_location"]]


@pytest.mark.parametrize("location", ["s3://bucket/t", "file:///etc/t", "file://{warehouse}/../t"])
def test_locations_elsewhere_are_refused(glue, warehouse, location):
    with pytest.raises(glue.exceptions.InvalidInputException):
        create(glue, "elsewhere", location.format(warehouse=warehouse))
