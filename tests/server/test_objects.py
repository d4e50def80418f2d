"""Partition indexes, connections, tags, policies, catalogs and searches as boto3 sees them."""

import json

import pytest
from conftest import ACCOUNT_A, ACCOUNT_B, partition
from test_catalog import code_of

ARN = f"arn:aws:glue:eu-central-1:{ACCOUNT_A}:"
CONNECTION = {"Name": "warehouse", "ConnectionType": "JDBC",
              "ConnectionProperties": {"JDBC_CONNECTION_URL": "jdbc:postgresql://h/d", "USERNAME": "u",
                                       "PASSWORD": "p4ssw0rd"}}


def test_partition_indexes_come_and_go(glue, table):
    def indexes():
        return glue.get_partition_indexes(**table)["PartitionIndexDescriptorList"]

    assert indexes() == []
    glue.create_partition_index(**table, PartitionIndex={"IndexName": "i", "Keys": ["k"]})
    assert indexes() == [{"IndexName": "i", "Keys": [{"Name": "k", "Type": "int"}], "IndexStatus": "ACTIVE"}]
    with pytest.raises(glue.exceptions.AlreadyExistsException):
        glue.create_partition_index(**table, PartitionIndex={"IndexName": "i", "Keys": ["k"]})
    with pytest.raises(glue.exceptions.InvalidInputException, match="no partition key"):
        glue.create_partition_index(**table, PartitionIndex={"IndexName": "j", "Keys": ["a"]})
    for name in ("j", "l"):
        glue.create_partition_index(**table, PartitionIndex={"IndexName": name, "Keys": ["k"]})
    with pytest.raises(glue.exceptions.ResourceNumberLimitExceededException):
        glue.create_partition_index(**table, PartitionIndex={"IndexName": "m", "Keys": ["k"]})
    glue.delete_partition_index(**table, IndexName="i")
    assert [index["IndexName"] for index in indexes()] == ["j", "l"]
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.delete_partition_index(**table, IndexName="i")


def test_tables_are_searched(glue, database, table):
    glue.create_table(DatabaseName=database, TableInput={
        "Name": "other", "Description": "a needle in it", "Parameters": {"classification": "orc"}})
    here = {"Key": "DatabaseName", "Value": database}

    def search(**arguments):
        return [found["Name"] for found in glue.search_tables(**arguments)["TableList"]]

    assert search(Filters=[here]) == ["other", "t"]
    assert search(Filters=[here], SortCriteria=[{"FieldName": "Name", "Sort": "DESC"}]) == ["t", "other"]
    assert search(SearchText="needle") == ["other"]
    assert search(Filters=[here, {"Key": "classification", "Value": "ORC"}]) == ["other"]
    first = glue.search_tables(Filters=[here], MaxResults=1)
    assert search(Filters=[here], NextToken=first["NextToken"]) == ["t"]
    assert search(ResourceShareType="FOREIGN") == []


def test_connections_keep_their_passwords_to_themselves(server, glue):
    with server.requests() as requests:
        assert glue.create_connection(ConnectionInput=CONNECTION)["CreateConnectionStatus"] == "READY"
    assert requests.operations == ["CreateConnection"] and requests.requests[0].body == {}
    found = glue.get_connection(Name="warehouse")["Connection"]
    assert found["ConnectionProperties"] == CONNECTION["ConnectionProperties"]
    assert found["Status"] == "READY" and found["CreationTime"] == found["LastUpdatedTime"]
    hidden = glue.get_connections(Filter={"ConnectionType": "JDBC"}, HidePassword=True)["ConnectionList"]
    assert ["PASSWORD" in connection["ConnectionProperties"] for connection in hidden] == [False]
    glue.update_connection(Name="warehouse", ConnectionInput=CONNECTION | {"Description": "new"})
    assert glue.get_connection(Name="warehouse")["Connection"]["Description"] == "new"
    with pytest.raises(glue.exceptions.AlreadyExistsException):
        glue.create_connection(ConnectionInput=CONNECTION)
    answer = glue.batch_delete_connection(ConnectionNameList=["warehouse", "nothing"])
    assert answer["Succeeded"] == ["warehouse"]
    assert answer["Errors"]["nothing"]["ErrorCode"] == "EntityNotFoundException"
    assert code_of(glue.get_connection, Name="warehouse") == "EntityNotFoundException"
    assert glue.get_connections()["ConnectionList"] == []


def test_resources_have_tags(glue, database, table):
    for arn in (ARN + "catalog", ARN + "database/" + database, ARN + f"table/{database}/t"):
        glue.tag_resource(ResourceArn=arn, TagsToAdd={"team": "sales", "stage": "test"})
        glue.untag_resource(ResourceArn=arn, TagsToRemove=["stage"])
        assert glue.get_tags(ResourceArn=arn)["Tags"] == {"team": "sales"}
    assert code_of(glue.get_tags, ResourceArn=ARN + "database/nothing") == "EntityNotFoundException"
    more = {f"k{i}": "v" for i in range(50)}
    assert code_of(glue.tag_resource, ResourceArn=ARN + "catalog", TagsToAdd=more) == "InvalidInputException"


def test_a_catalog_has_a_policy(glue):
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.get_resource_policy()
    policy = json.dumps({"Version": "2012-10-17", "Statement": []})
    digest = glue.put_resource_policy(PolicyInJson=policy, PolicyExistsCondition="NOT_EXIST")["PolicyHash"]
    found = glue.get_resource_policy()
    assert (found["PolicyInJson"], found["PolicyHash"]) == (policy, digest)
    assert [each["PolicyHash"] for each in glue.get_resource_policies()["GetResourcePoliciesResponseList"]] == [digest]
    with pytest.raises(glue.exceptions.ConditionCheckFailureException):
        glue.put_resource_policy(PolicyInJson=policy, PolicyHashCondition="other")
    glue.delete_resource_policy(PolicyHashCondition=digest)
    with pytest.raises(glue.exceptions.EntityNotFoundException):
        glue.delete_resource_policy()


def test_encryption_settings_are_kept(server):
    glue = server.client(ACCOUNT_B)
    before = glue.get_data_catalog_encryption_settings()["DataCatalogEncryptionSettings"]
    assert before["EncryptionAtRest"] == {"CatalogEncryptionMode": "DISABLED"}
    new = {"EncryptionAtRest": {"CatalogEncryptionMode": "SSE-KMS", "SseAwsKmsKeyId": "key"}}
    glue.put_data_catalog_encryption_settings(DataCatalogEncryptionSettings=new)
    assert glue.get_data_catalog_encryption_settings()["DataCatalogEncryptionSettings"] == before | new


def test_catalogs_of_an_account(glue):
    glue.create_catalog(Name="lake", CatalogInput={"Description": "one"})
    catalog_id = f"{ACCOUNT_A}:lake"
    glue.create_database(CatalogId=catalog_id, DatabaseInput={"Name": "inside"})
    listed = glue.get_catalogs(IncludeRoot=True)["CatalogList"]
    assert [catalog["CatalogId"] for catalog in listed] == [ACCOUNT_A, catalog_id]
    glue.update_catalog(CatalogId=catalog_id, CatalogInput={"Description": "two"})
    assert glue.get_catalog(CatalogId=catalog_id)["Catalog"]["Description"] == "two"
    glue.delete_catalog(CatalogId=catalog_id)
    assert code_of(glue.get_catalog, CatalogId=catalog_id) == "EntityNotFoundException"
    assert glue.get_databases(CatalogId=catalog_id)["DatabaseList"] == []


def test_unfiltered_metadata(glue, table):
    glue.create_partition(**table, PartitionInput=partition("1"))
    what = {"CatalogId": ACCOUNT_A, "SupportedPermissionTypes": ["COLUMN_PERMISSION"]}
    found = glue.get_unfiltered_table_metadata(**what, DatabaseName=table["DatabaseName"], Name="t")
    assert found["Table"]["Name"] == "t" and found["AuthorizedColumns"] == ["a", "k"]
    assert found["IsRegisteredWithLakeFormation"] is False
    one = glue.get_unfiltered_partition_metadata(**what, **table, PartitionValues=["1"])
    assert one["Partition"]["Values"] == ["1"] and one["AuthorizedColumns"] == ["a", "k"]
    listed = glue.get_unfiltered_partitions_metadata(**what, **table, Expression="k = 1")
    assert [each["Partition"]["Values"] for each in listed["UnfilteredPartitions"]] == [["1"]]


def test_what_runs_something_is_refused(glue):
    assert code_of(glue.start_crawler, Name="c") == "InvalidInputException"
    assert code_of(glue.test_connection, ConnectionName="c") == "InvalidInputException"
    assert code_of(glue.get_table_optimizer, CatalogId=ACCOUNT_A, DatabaseName="d", TableName="t",
                   Type="compaction") == "InvalidInputException"
