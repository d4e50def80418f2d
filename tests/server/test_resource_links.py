"""Resource links between two accounts, as boto3 sees them."""

import pytest
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A, ACCOUNT_B


@pytest.fixture
def theirs(server):
    glue = server.client(ACCOUNT_B)
    glue.create_database(DatabaseInput={"Name": "shared", "LocationUri": "s3://theirs/"})
    glue.create_table(DatabaseName="shared", TableInput={
        "Name": "orders", "PartitionKeys": [{"Name": "k", "Type": "int"}],
        "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://theirs/orders"}})
    glue.create_partition(DatabaseName="shared", TableName="orders", PartitionInput={"Values": ["1"]})
    yield glue
    glue.delete_database(Name="shared")


@pytest.fixture
def links(glue, theirs):
    glue.create_database(DatabaseInput={
        "Name": "link", "TargetDatabase": {"CatalogId": ACCOUNT_B, "DatabaseName": "shared"}})
    glue.create_database(DatabaseInput={"Name": "mine"})
    glue.create_table(DatabaseName="mine", TableInput={
        "Name": "theirs", "TargetTable": {"CatalogId": ACCOUNT_B, "DatabaseName": "shared", "Name": "orders"}})
    yield glue
    glue.delete_database(Name="link")
    glue.delete_database(Name="mine")


def test_reading_follows(links):
    assert links.get_database(Name="link")["Database"]["LocationUri"] == "s3://theirs/"
    assert [(table["Name"], table["CatalogId"]) for table in links.get_tables(DatabaseName="link")["TableList"]] == [
        ("orders", ACCOUNT_B)]
    table = links.get_table(DatabaseName="mine", Name="theirs")["Table"]
    assert (table["Name"], table["CatalogId"]) == ("theirs", ACCOUNT_A)
    assert table["StorageDescriptor"]["Location"] == "s3://theirs/orders"
    assert table["TargetTable"]["Name"] == "orders"
    for database, name in [("link", "orders"), ("mine", "theirs")]:
        partitions = links.get_partitions(DatabaseName=database, TableName=name)["Partitions"]
        assert [partition["Values"] for partition in partitions] == [["1"]]


def test_writing_follows_and_deleting_does_not(links, theirs):
    links.create_partition(DatabaseName="mine", TableName="theirs", PartitionInput={"Values": ["2"]})
    links.create_table(DatabaseName="link", TableInput={"Name": "new"})
    assert theirs.get_table(DatabaseName="shared", Name="new")["Table"]["CatalogId"] == ACCOUNT_B
    assert len(theirs.get_partitions(DatabaseName="shared", TableName="orders")["Partitions"]) == 2
    links.delete_table(DatabaseName="mine", Name="theirs")
    assert theirs.get_table(DatabaseName="shared", Name="orders")


def test_a_link_that_leads_nowhere(links, theirs):
    theirs.delete_table(DatabaseName="shared", Name="orders")
    assert "StorageDescriptor" not in links.get_table(DatabaseName="mine", Name="theirs")["Table"]
    with pytest.raises(links.exceptions.EntityNotFoundException, match="resource link to table shared.orders"):
        links.get_partitions(DatabaseName="mine", TableName="theirs")
    with pytest.raises(ClientError, match="cannot lead to another resource link"):
        links.create_database(DatabaseInput={"Name": "again", "TargetDatabase": {"DatabaseName": "link"}})
