"""Every paginator that boto3 has, for the operations that the server answers."""

import botocore.session
import pytest
from conftest import ACCOUNT
from botocore.exceptions import ClientError, ParamValidationError

TABLE = {"DatabaseName": "d", "TableName": "t"}
COLUMN = {"Name": "a", "Type": "int"}


def many(count: int) -> list[str]:
    return [f"n{i:03}" for i in range(count)]


def databases(glue) -> list[str]:
    for name in many(230):
        glue.create_database(DatabaseInput={"Name": name})
    return many(230)


def tables(glue) -> list[str]:
    glue.create_database(DatabaseInput={"Name": "d"})
    for name in many(230):
        glue.create_table(DatabaseName="d", TableInput={"Name": name})
    return many(230)


def table(glue, **more) -> None:
    glue.create_database(DatabaseInput={"Name": "d"})
    glue.create_table(DatabaseName="d", TableInput={
        "Name": "t", "PartitionKeys": [{"Name": "k", "Type": "string"}, {"Name": "j", "Type": "int"}],
        "StorageDescriptor": {"Columns": [COLUMN]}}, **more)


def table_versions(glue) -> list[str]:
    table(glue)
    for i in range(120):
        glue.update_table(DatabaseName="d", TableInput={"Name": "t", "Description": str(i), "PartitionKeys": [
            {"Name": "k", "Type": "string"}, {"Name": "j", "Type": "int"}]})
    return [str(i) for i in range(121)]


def partitions(glue) -> list[str]:
    table(glue)
    values = many(2300)
    for start in range(0, len(values), 100):
        answer = glue.batch_create_partition(**TABLE, PartitionInputList=[
            {"Values": [value, "1"], "StorageDescriptor": {"Columns": [COLUMN]}}
            for value in values[start:start + 100]])
        assert not answer["Errors"]
    return values


def partition_indexes(glue) -> list[str]:
    table(glue, PartitionIndexes=[{"IndexName": "n0", "Keys": ["k"]}, {"IndexName": "n1", "Keys": ["j"]},
                                  {"IndexName": "n2", "Keys": ["k", "j"]}])
    return ["n0", "n1", "n2"]


def functions(glue) -> list[str]:
    glue.create_database(DatabaseInput={"Name": "d"})
    for name in many(120):
        glue.create_user_defined_function(DatabaseName="d", FunctionInput={
            "FunctionName": name, "ClassName": "c", "OwnerName": "o", "OwnerType": "USER"})
    return many(120)


def connections(glue) -> list[str]:
    for name in many(120):
        glue.create_connection(ConnectionInput={"Name": name, "ConnectionType": "NETWORK", "ConnectionProperties": {}})
    return many(120)


def resource_policies(glue) -> list[str]:
    arn = f"arn:aws:glue:eu-central-1:{ACCOUNT}:catalog"
    policy = f'{{"Version": "2012-10-17", "Statement": [{{"Effect": "Allow", "Action": "glue:*", "Resource": "{arn}", '\
             '"Principal": {"AWS": "*"}}]}'
    glue.put_resource_policy(PolicyInJson=policy)
    return [policy]


# The operation: what there is, what the call needs, how an item of the answer is called, size of the largest page.
CASES = {
    "GetConnections": (connections, {}, "Name", 1000),
    "GetDatabases": (databases, {}, "Name", 100),
    "GetPartitionIndexes": (partition_indexes, TABLE, "IndexName", None),
    "GetPartitions": (partitions, TABLE, lambda item: item["Values"][0], 1000),
    "GetResourcePolicies": (resource_policies, {}, "PolicyInJson", 1000),
    "GetTableVersions": (table_versions, TABLE, "VersionId", 100),
    "GetTables": (tables, {"DatabaseName": "d"}, "Name", 100),
    "GetUserDefinedFunctions": (functions, {"DatabaseName": "d", "Pattern": ".*"}, "FunctionName", 100),
}
CONFIGURATION = botocore.session.get_session().get_paginator_model("glue")._paginator_config


def method_of(operation: str) -> str:
    return botocore.xform_name(operation)


def result_key(operation: str) -> str:
    key = CONFIGURATION[operation]["result_key"]
    return key if isinstance(key, str) else key[0]


def names(operation: str, items: list) -> list[str]:
    name = CASES[operation][2]
    return sorted(name(item) if callable(name) else item[name] for item in items)


@pytest.mark.parametrize("operation", CASES)
def test_the_paginator_gives_everything_once(glue, operation):
    make, arguments, _, largest = CASES[operation]
    expected = sorted(make(glue))
    paginator = glue.get_paginator(method_of(operation))
    whole = paginator.paginate(**arguments).build_full_result()[result_key(operation)]
    assert names(operation, whole) == expected
    if largest is None:
        return
    # In pages of a size of the client's choice.
    size = min(largest, max(1, len(expected) // 7))
    pages = list(paginator.paginate(**arguments, PaginationConfig={"PageSize": size}))
    assert all(len(page[result_key(operation)]) <= size for page in pages)
    assert len(pages) >= len(expected) / size
    assert names(operation, [item for page in pages for item in page[result_key(operation)]]) == expected


@pytest.mark.parametrize("operation", [name for name, case in CASES.items() if case[3]])
def test_a_listing_stops_and_goes_on(glue, operation):
    make, arguments, *_ = CASES[operation]
    expected = sorted(make(glue))
    limit = max(1, len(expected) // 3)
    paginator = glue.get_paginator(method_of(operation))
    found, token = [], None
    for _ in range(len(expected)):
        answer = paginator.paginate(**arguments, PaginationConfig={
            "MaxItems": limit, "StartingToken": token, "PageSize": min(limit, CASES[operation][3])}).build_full_result()
        assert len(answer[result_key(operation)]) <= limit
        found += answer[result_key(operation)]
        token = answer.get("NextToken")
        if token is None:
            break
    assert names(operation, found) == expected


@pytest.mark.parametrize("operation", [name for name, case in CASES.items() if case[3]])
def test_a_token_that_is_none_is_refused(glue, operation):
    make, arguments, *_ = CASES[operation]
    make(glue)
    with pytest.raises(ClientError) as raised:
        getattr(glue, method_of(operation))(**arguments, NextToken="not-a-token")
    assert raised.value.response["Error"]["Code"] == "InvalidInputException"


def test_partitions_in_segments(glue):
    expected = partitions(glue)
    paginator = glue.get_paginator("get_partitions")
    segments = [names("GetPartitions", paginator.paginate(
        **TABLE, Segment={"SegmentNumber": number, "TotalSegments": 4}).build_full_result()["Partitions"])
        for number in range(4)]
    assert all(segments)
    assert sorted(name for segment in segments for name in segment) == sorted(expected)


@pytest.mark.parametrize("operation", sorted(set(CONFIGURATION) - set(CASES)))
def test_the_others_belong_to_operations_that_are_no_part_of_a_catalog(glue, operation):
    required = glue.meta.service_model.operation_model(operation).input_shape.required_members
    values = {name: {"SchemaName": "s"} if name == "SchemaId" else "n" for name in required}
    try:
        with pytest.raises(ClientError) as raised:
            getattr(glue, method_of(operation))(**values)
    except ParamValidationError as error:
        pytest.fail(f"the arguments of {operation} do not fit: {error}")
    assert raised.value.response["Error"]["Code"] == "InvalidInputException"
    assert "not supported" in raised.value.response["Error"]["Message"]
