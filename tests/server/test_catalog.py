"""Databases, tables, versions, partitions and functions as boto3 sees them."""

import pytest
from botocore.exceptions import ClientError
from conftest import ACCOUNT_A, ACCOUNT_B, partition


def code_of(call, **arguments) -> str:
    with pytest.raises(ClientError) as raised:
        call(**arguments)
    assert raised.value.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    return raised.value.response["Error"]["Code"]


def test_names_are_folded(glue, database):
    glue.create_table(DatabaseName=database.upper(), TableInput={"Name": "MixedCase"})
    found = glue.get_table(DatabaseName=database, Name="mixedCASE")["Table"]
    assert (found["Name"], found["DatabaseName"], found["CatalogId"]) == ("mixedcase", database, ACCOUNT_A)
    assert found["VersionId"] == "0" and found["IsRegisteredWithLakeFormation"] is False


def test_errors_are_the_modelled_exceptions(glue, database, table):
    with pytest.raises(glue.exceptions.EntityNotFoundException, match="nowhere"):
        glue.get_database(Name="nowhere")
    with pytest.raises(glue.exceptions.AlreadyExistsException):
        glue.create_database(DatabaseInput={"Name": database})
    with pytest.raises(glue.exceptions.InvalidInputException):
        glue.get_partitions(**table, Expression="nokey = 1")
    with pytest.raises(glue.exceptions.ConcurrentModificationException):
        glue.update_table(DatabaseName=database, TableInput={"Name": "t"}, VersionId="7")


def test_limits_are_checked_by_the_server(glue, database):
    with pytest.raises(ClientError) as raised:
        glue.create_table(DatabaseName=database, TableInput={"Name": "n" * 256})
    error = raised.value.response["Error"]
    assert error["Code"] == "ValidationException"
    assert error["Message"] == ("1 validation error detected: Value at 'tableInput.name' failed to satisfy "
                                "constraint: Member must have length less than or equal to 255")


def test_an_operation_that_is_not_there_is_a_modelled_error(glue):
    assert code_of(glue.list_jobs) == "InvalidInputException"


@pytest.mark.fault("P093")
def test_version_id_guards_updates(glue, database, table):
    def version():
        return glue.get_table(DatabaseName=database, Name="t")["Table"]["VersionId"]

    new = {"DatabaseName": database, "TableInput": {"Name": "t", "Description": "new"}}
    assert version() == "0"
    glue.update_table(**new, VersionId="0")
    assert version() == "1"
    assert code_of(glue.update_table, **new, VersionId="0") == "ConcurrentModificationException"
    assert version() == "1"


@pytest.mark.fault("P094")
def test_versions_are_archived_unless_told_otherwise(glue, database, table):
    def versions():
        return [v["VersionId"] for v in glue.get_table_versions(**table)["TableVersions"]]

    new = {"DatabaseName": database, "TableInput": {"Name": "t"}}
    glue.update_table(**new, SkipArchive=False)
    assert versions() == ["1", "0"]
    glue.update_table(**new, SkipArchive=True)
    assert len(versions()) == 2


@pytest.mark.fault("P082")
def test_every_database_and_table_is_listed(server):
    glue = server.client("333333333333")
    for i in range(120):
        glue.create_database(DatabaseInput={"Name": f"d{i}"})
    for i in range(230):
        glue.create_table(DatabaseName="d0", TableInput={"Name": f"t{i}"})
    databases = [d["Name"] for page in glue.get_paginator("get_databases").paginate() for d in page["DatabaseList"]]
    pages = list(glue.get_paginator("get_tables").paginate(DatabaseName="d0"))
    assert sorted(databases) == sorted(f"d{i}" for i in range(120))
    assert sorted(t["Name"] for page in pages for t in page["TableList"]) == sorted(f"t{i}" for i in range(230))
    assert [len(page["TableList"]) for page in pages] == [100, 100, 30]


@pytest.mark.fault("P081")
def test_partitions_come_in_pages_of_the_size_asked_for(glue, table):
    for start in range(0, 1200, 100):
        inputs = [partition(str(i)) for i in range(start, start + 100)]
        assert glue.batch_create_partition(**table, PartitionInputList=inputs)["Errors"] == []
    paginator = glue.get_paginator("get_partitions")
    for size, sizes in ((None, [1000, 200]), (500, [500, 500, 200])):
        pages = list(paginator.paginate(**table, PaginationConfig={"PageSize": size} if size else {}))
        assert [len(page["Partitions"]) for page in pages] == sizes
        assert len({p["Values"][0] for page in pages for p in page["Partitions"]}) == 1200
    segments = [paginator.paginate(**table, Segment={"SegmentNumber": i, "TotalSegments": 5}).build_full_result()
                for i in range(5)]
    values = [p["Values"][0] for segment in segments for p in segment["Partitions"]]
    assert len(values) == 1200 and len(set(values)) == 1200
    bare = glue.get_partitions(**table, ExcludeColumnSchema=True, MaxResults=1)["Partitions"][0]
    assert "Columns" not in bare["StorageDescriptor"] and bare["StorageDescriptor"]["Location"]


@pytest.mark.fault("P075")
def test_expressions_are_read_right_or_refused(glue, table):
    glue.batch_create_partition(**table, PartitionInputList=[partition(v) for v in ("1", "2", "10", "11")])

    def where(expression):
        return {p["Values"][0] for p in glue.get_partitions(**table, Expression=expression)["Partitions"]}

    assert code_of(glue.get_partitions, **table, Expression="nokey IS NULL") == "InvalidInputException"
    assert code_of(glue.get_partitions, **table, Expression="k = ") == "InvalidInputException"
    assert where("k BETWEEN 2 AND 10") == {"2", "10"}
    assert where("NOT k IN (1,2)") == {"10", "11"}
    glue.create_partition(**table, PartitionInput=partition("ten"))
    with pytest.raises(glue.exceptions.InvalidStateException):
        where("k > 1")


@pytest.mark.fault("P096")
def test_partition_batches_report_per_partition(glue, table):
    def errors(answer, key):
        return [(e[key], e["ErrorDetail"]["ErrorCode"]) for e in answer["Errors"]]

    glue.create_partition(**table, PartitionInput=partition("1"))
    created = glue.batch_create_partition(**table, PartitionInputList=[partition("1"), partition("2")])
    assert errors(created, "PartitionValues") == [(["1"], "AlreadyExistsException")]
    updated = glue.batch_update_partition(**table, Entries=[
        {"PartitionValueList": ["9"], "PartitionInput": partition("9")}])
    assert errors(updated, "PartitionValueList") == [(["9"], "EntityNotFoundException")]
    assert glue.get_partition(**table, PartitionValues=["2"])["Partition"]["Values"] == ["2"]
    found = glue.batch_get_partition(**table, PartitionsToGet=[{"Values": ["2"]}, {"Values": ["9"]}])
    assert [p["Values"] for p in found["Partitions"]] == [["2"]]
    glue.delete_partition(**table, PartitionValues=["2"])
    assert code_of(glue.delete_partition, **table, PartitionValues=["2"]) == "EntityNotFoundException"
    assert code_of(glue.create_partition, **table, PartitionInput=partition("1", "2")) == "InvalidInputException"


@pytest.mark.fault("P098")
def test_functions(glue, database):
    function = {"FunctionName": "f", "ClassName": "x.Y", "ResourceUris": [{"ResourceType": "JAR", "Uri": "s3://j"}]}
    glue.create_user_defined_function(DatabaseName=database, FunctionInput=function)
    named = {"DatabaseName": database, "FunctionName": "F"}
    assert glue.get_user_defined_function(**named)["UserDefinedFunction"]["ClassName"] == "x.Y"
    glue.update_user_defined_function(**named, FunctionInput={**function, "ClassName": "x.Z"})
    listed = glue.get_user_defined_functions(DatabaseName=database, Pattern="f.*")["UserDefinedFunctions"]
    assert [f["ClassName"] for f in listed] == ["x.Z"]
    glue.delete_user_defined_function(**named)
    assert code_of(glue.get_user_defined_function, **named) == "EntityNotFoundException"


@pytest.mark.fault("P099")
def test_what_cannot_be_done_yet_is_refused(glue, database):
    call = {"DatabaseName": database, "TableInput": {"Name": "t"},
            "OpenTableFormatInput": {"IcebergInput": {"MetadataOperation": "CREATE", "Version": "2"}}}
    assert code_of(glue.create_table, **call) == "InvalidInputException"
    assert glue.get_tables(DatabaseName=database)["TableList"] == []


def test_statistics(glue, database, table):
    statistics = {"ColumnName": "a", "ColumnType": "int", "AnalyzedTime": 1700000000, "StatisticsData": {
        "Type": "DECIMAL", "DecimalColumnStatisticsData": {
            "MinimumValue": {"UnscaledValue": b"\x01\x02", "Scale": 2}, "NumberOfNulls": 0,
            "NumberOfDistinctValues": 3}}}
    assert glue.update_column_statistics_for_table(**table, ColumnStatisticsList=[statistics])["Errors"] == []
    answer = glue.get_column_statistics_for_table(**table, ColumnNames=["a", "b"])
    data = answer["ColumnStatisticsList"][0]["StatisticsData"]["DecimalColumnStatisticsData"]
    assert data["MinimumValue"]["UnscaledValue"] == b"\x01\x02"
    assert [e["ColumnName"] for e in answer["Errors"]] == ["b"]


def test_accounts_catalogs_and_regions_are_apart(server, glue, database):
    other = server.client(ACCOUNT_B)
    assert database not in [d["Name"] for d in other.get_databases()["DatabaseList"]]
    assert other.get_database(CatalogId=ACCOUNT_A, Name=database)["Database"]["CatalogId"] == ACCOUNT_A
    assert code_of(glue.get_database, CatalogId=ACCOUNT_B, Name=database) == "EntityNotFoundException"
    glue.create_database(CatalogId=ACCOUNT_B, DatabaseInput={"Name": database})
    other.delete_database(Name=database)
    assert glue.get_database(Name=database)


def test_tokens_belong_to_their_listing(glue, database):
    for name in ("a", "b", "c"):
        glue.create_table(DatabaseName=database, TableInput={"Name": name})
    token = glue.get_tables(DatabaseName=database, MaxResults=1)["NextToken"]
    assert [t["Name"] for t in glue.get_tables(DatabaseName=database, NextToken=token)["TableList"]] == ["b", "c"]
    assert code_of(glue.get_databases, NextToken=token) == "InvalidInputException"
    assert code_of(glue.get_tables, DatabaseName=database, NextToken="x") == "InvalidInputException"
