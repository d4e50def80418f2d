"""One list of Glue calls for every server of the differential test: all families of a Data Catalog, errors too.

Each call has a label, `<operation>: <what is particular about it>`, which differential.toml names it by. The list runs
from top to bottom on an empty store; later calls see what earlier ones did.
"""

from dataclasses import dataclass

ACCOUNT, REGION = "123456789012", "us-east-1"
ARN = f"arn:aws:glue:{REGION}:{ACCOUNT}:"


@dataclass(frozen=True)
class Call:
    label: str
    arguments: dict

    @property
    def operation(self) -> str:
        return self.label.split(":")[0]


CALLS: list[Call] = []


def call(label: str, **arguments) -> None:
    CALLS.append(Call(label, arguments))


def columns(*names: str, kind: str = "int") -> list[dict]:
    return [{"Name": name, "Type": kind} for name in names]


def storage(*names: str, location: str = "s3://bucket/x") -> dict:
    return {"Columns": columns(*names), "Location": location,
            "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
            "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
                          "Parameters": {"serialization.format": "1"}}}


def table_input(name: str, *names: str, **more) -> dict:
    return {"Name": name, "StorageDescriptor": storage(*(names or ("a",))), "TableType": "EXTERNAL_TABLE", **more}


# --- databases
call("GetDatabases: of an empty catalog")
call("GetDatabase: absent", Name="absent")
call("CreateDatabase: plain", DatabaseInput={"Name": "plain"})
call("CreateDatabase: with everything", DatabaseInput={
    "Name": "full", "Description": "all of it", "LocationUri": "s3://bucket/full", "Parameters": {"k": "v"}})
call("CreateDatabase: upper case", DatabaseInput={"Name": "MixedCase"})
call("CreateDatabase: that exists", DatabaseInput={"Name": "plain"})
call("GetDatabase: plain", Name="plain")
call("GetDatabase: with everything", Name="full")
call("GetDatabase: other case", Name="FULL")
call("GetDatabase: created in upper case", Name="mixedcase")
call("GetDatabases: three", )
call("GetDatabases: one a page", MaxResults=1)
call("GetDatabases: page of 0", MaxResults=0)
call("GetDatabases: page of 101", MaxResults=101)
call("GetDatabases: a token that is none", NextToken="nonsense")
call("GetDatabases: of another catalog", CatalogId="999999999999")
# What some servers take nevertheless comes after the listings.
call("CreateDatabase: that exists in another case", DatabaseInput={"Name": "PLAIN"})
call("CreateDatabase: no name", DatabaseInput={"Description": "x"})
call("CreateDatabase: empty name", DatabaseInput={"Name": ""})
call("CreateDatabase: name of 256", DatabaseInput={"Name": "n" * 256})
call("CreateDatabase: no input")
call("CreateDatabase: description of 2049", DatabaseInput={"Name": "described", "Description": "d" * 2049})
call("UpdateDatabase: description", Name="full", DatabaseInput={"Name": "full", "Description": "changed"})
call("GetDatabase: after the update", Name="full")
call("UpdateDatabase: absent", Name="absent", DatabaseInput={"Name": "absent"})
call("UpdateDatabase: no input", Name="full")
call("DeleteDatabase: absent", Name="absent")
call("DeleteDatabase: created in upper case", Name="mixedcase")
call("GetDatabase: deleted", Name="mixedcase")

# --- tables; what is wrong goes to a database of its own, for some servers take it
call("CreateDatabase: of what is wrong", DatabaseInput={"Name": "loose"})
call("GetTables: none", DatabaseName="plain")
call("GetTables: of no database", DatabaseName="absent")
call("CreateTable: plain", DatabaseName="plain", TableInput=table_input("t", "a", "b"))
call("CreateTable: name only", DatabaseName="plain", TableInput={"Name": "bare"})
call("CreateTable: with everything", DatabaseName="plain", TableInput=table_input(
    "full", "a", Description="all", Owner="me", Retention=7, Parameters={"classification": "parquet"},
    PartitionKeys=columns("p", kind="string"), ViewOriginalText="o", ViewExpandedText="e"))
call("CreateTable: upper case", DatabaseName="plain", TableInput={"Name": "UPPER"})
call("CreateTable: that exists", DatabaseName="plain", TableInput=table_input("t"))
call("CreateTable: in the database of what is wrong", DatabaseName="loose", TableInput=table_input("t"))
call("CreateTable: that exists in another case", DatabaseName="loose", TableInput=table_input("T"))
call("CreateTable: in no database", DatabaseName="absent", TableInput=table_input("t"))
call("CreateTable: no name", DatabaseName="loose", TableInput={"Description": "x"})
call("CreateTable: empty name", DatabaseName="loose", TableInput={"Name": ""})
call("CreateTable: name of 256", DatabaseName="loose", TableInput={"Name": "n" * 256})
call("CreateTable: no input", DatabaseName="loose")
call("CreateTable: column comment of 256", DatabaseName="loose", TableInput={
    "Name": "c", "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int", "Comment": "c" * 256}]}})
call("CreateTable: negative retention", DatabaseName="loose", TableInput={"Name": "r", "Retention": -1})
call("CreateTable: with an index", DatabaseName="plain", TableInput=table_input(
    "indexed", PartitionKeys=columns("p", "q")), PartitionIndexes=[{"IndexName": "i", "Keys": ["p"]}])
call("CreateTable: with an index over no key", DatabaseName="loose", TableInput=table_input(
    "badly_indexed", PartitionKeys=columns("p")), PartitionIndexes=[{"IndexName": "i", "Keys": ["z"]}])
call("GetTable: plain", DatabaseName="plain", Name="t")
call("GetTable: name only", DatabaseName="plain", Name="bare")
call("GetTable: with everything", DatabaseName="plain", Name="full")
call("GetTable: other case", DatabaseName="PLAIN", Name="FULL")
call("GetTable: created in upper case", DatabaseName="plain", Name="upper")
call("GetTable: absent", DatabaseName="plain", Name="absent")
call("GetTable: in no database", DatabaseName="absent", Name="t")
call("GetTable: no name", DatabaseName="plain")
call("GetTables: all", DatabaseName="plain")
call("GetTables: one a page", DatabaseName="plain", MaxResults=1)
call("GetTables: page of 101", DatabaseName="plain", MaxResults=101)
call("GetTables: by expression", DatabaseName="plain", Expression="f.*")
call("GetTables: by a broken expression", DatabaseName="plain", Expression="(")
call("UpdateTable: plain", DatabaseName="plain", TableInput=table_input("t", "a", "b", "c"))
call("GetTable: after the update", DatabaseName="plain", Name="t")
call("UpdateTable: without an archive", DatabaseName="plain", SkipArchive=True, TableInput=table_input("t", "a"))
call("UpdateTable: stale version", DatabaseName="loose", VersionId="77", TableInput=table_input("t", "z"))
call("UpdateTable: absent", DatabaseName="plain", TableInput=table_input("absent"))
call("UpdateTable: in no database", DatabaseName="absent", TableInput=table_input("t"))
call("UpdateTable: no input", DatabaseName="loose")
call("GetTable: after a stale update", DatabaseName="loose", Name="t")
call("DeleteTable: created in upper case", DatabaseName="plain", Name="UPPER")
call("DeleteTable: absent", DatabaseName="plain", Name="absent")
call("DeleteTable: in no database", DatabaseName="absent", Name="t")
call("GetTable: deleted", DatabaseName="plain", Name="upper")
call("BatchDeleteTable: one of two", DatabaseName="plain", TablesToDelete=["bare", "absent"])
call("BatchDeleteTable: in no database", DatabaseName="absent", TablesToDelete=["t"])
call("BatchDeleteTable: 101", DatabaseName="plain", TablesToDelete=[f"t{i}" for i in range(101)])
call("SearchTables: by text", SearchText="full")
call("SearchTables: page of 0", MaxResults=0)

# --- versions
call("GetTableVersions: three updates", DatabaseName="plain", TableName="t")
call("GetTableVersions: of no table", DatabaseName="plain", TableName="absent")
call("GetTableVersions: in no database", DatabaseName="absent", TableName="t")
call("GetTableVersion: the first", DatabaseName="plain", TableName="t", VersionId="0")
call("GetTableVersion: absent", DatabaseName="plain", TableName="t", VersionId="99")
call("GetTableVersion: no number", DatabaseName="plain", TableName="t", VersionId="x")
call("GetTableVersion: the newest", DatabaseName="plain", TableName="t")
call("DeleteTableVersion: absent", DatabaseName="plain", TableName="t", VersionId="99")
call("DeleteTableVersion: the first", DatabaseName="plain", TableName="t", VersionId="0")
call("DeleteTableVersion: of no table", DatabaseName="plain", TableName="absent", VersionId="0")
call("BatchDeleteTableVersion: absent", DatabaseName="plain", TableName="t", VersionIds=["98"])

# --- partitions
PARTITIONED = {"DatabaseName": "plain", "TableName": "parts"}
call("CreateTable: with partition keys", DatabaseName="plain", TableInput=table_input(
    "parts", PartitionKeys=[{"Name": "d", "Type": "string"}, {"Name": "h", "Type": "int"}]))


def partition(*values: str) -> dict:
    return {"Values": list(values), "StorageDescriptor": storage("a", location="s3://bucket/" + "/".join(values)),
            "Parameters": {"made": "here"}}


LOOSE = {"DatabaseName": "loose", "TableName": "parts"}
call("CreateTable: of wrong partitions", DatabaseName="loose", TableInput=table_input(
    "parts", PartitionKeys=[{"Name": "d", "Type": "string"}, {"Name": "h", "Type": "int"}]))
call("GetPartitions: none", **PARTITIONED)
call("CreatePartition: first", **PARTITIONED, PartitionInput=partition("x", "1"))
call("CreatePartition: that exists", **PARTITIONED, PartitionInput=partition("x", "1"))
call("CreatePartition: values only", **PARTITIONED, PartitionInput={"Values": ["x", "2"]})
call("CreatePartition: too few values", **LOOSE, PartitionInput=partition("x"))
call("CreatePartition: too many values", **LOOSE, PartitionInput=partition("x", "1", "2"))
call("CreatePartition: no values", **LOOSE, PartitionInput={"Parameters": {}})
call("CreatePartition: of no table", DatabaseName="plain", TableName="absent", PartitionInput=partition("x", "1"))
call("CreatePartition: in no database", DatabaseName="absent", TableName="t", PartitionInput=partition("x", "1"))
call("CreatePartition: no input", **LOOSE)
call("CreatePartition: of a table without keys", DatabaseName="plain", TableName="t", PartitionInput=partition("x"))
call("BatchCreatePartition: three, one exists", **PARTITIONED, PartitionInputList=[
    partition("x", "1"), partition("y", "3"), partition("y", "4")])
call("BatchCreatePartition: none", **PARTITIONED, PartitionInputList=[])
call("BatchCreatePartition: 101", **LOOSE, PartitionInputList=[partition("z", str(i)) for i in range(101)])
call("BatchCreatePartition: of no table", DatabaseName="plain", TableName="absent",
     PartitionInputList=[partition("x", "1")])
call("GetPartition: first", **PARTITIONED, PartitionValues=["x", "1"])
call("GetPartition: values only", **PARTITIONED, PartitionValues=["x", "2"])
call("GetPartition: absent", **PARTITIONED, PartitionValues=["x", "9"])
call("GetPartition: of no table", DatabaseName="plain", TableName="absent", PartitionValues=["x", "9"])
call("GetPartition: too few values", **PARTITIONED, PartitionValues=["x"])
call("GetPartitions: all", **PARTITIONED)
call("GetPartitions: of no table", DatabaseName="plain", TableName="absent")
call("GetPartitions: without columns", **PARTITIONED, ExcludeColumnSchema=True)
call("GetPartitions: two a page", **PARTITIONED, MaxResults=2)
call("GetPartitions: page of 1001", **PARTITIONED, MaxResults=1001)
for name, expression in {
        "equal": "d = 'x'", "equal to a number": "h = 3", "greater": "h > 2", "between": "h BETWEEN 2 AND 3",
        "in": "d IN ('y', 'z')", "not in": "h NOT IN (1, 2)", "and": "d = 'x' AND h = 2", "or": "h = 1 OR h = 4",
        "and or": "d = 'y' AND h = 3 OR h = 1", "like": "d LIKE 'x%'", "not like": "d NOT LIKE '_'",
        "is null": "d IS NULL", "is not null": "d IS NOT NULL", "not equal": "h <> 1", "not equal with !": "h != 1",
        "in parentheses": "(d = 'x' OR d = 'y') AND h >= 3", "blank": " ", "an unknown key": "z = 1",
        "no expression": "nonsense", "a word for a number": "h = 'word'", "not of a comparison": "NOT h = 1",
        "a string in double quotes": "d = \"x\"", "a quote in a string": "d = 'it''s'", "like on a number": "h LIKE '1'"
        }.items():
    call(f"GetPartitions: {name}", **PARTITIONED, Expression=expression)
call("GetPartitions: expression of 2049", **PARTITIONED, Expression="d = '" + "x" * 2043 + "'")
for number in range(2):
    call(f"GetPartitions: segment {number} of 2", **PARTITIONED,
         Segment={"SegmentNumber": number, "TotalSegments": 2})
call("GetPartitions: segment beyond", **PARTITIONED, Segment={"SegmentNumber": 2, "TotalSegments": 2})
call("GetPartitions: 11 segments", **PARTITIONED, Segment={"SegmentNumber": 0, "TotalSegments": 11})
call("BatchGetPartition: two of three", **PARTITIONED, PartitionsToGet=[
    {"Values": ["x", "1"]}, {"Values": ["x", "9"]}, {"Values": ["y", "3"]}])
call("BatchGetPartition: of no table", DatabaseName="plain", TableName="absent",
     PartitionsToGet=[{"Values": ["x", "1"]}])
call("UpdatePartition: parameters", **PARTITIONED, PartitionValueList=["x", "1"],
     PartitionInput={**partition("x", "1"), "Parameters": {"made": "anew"}})
call("CreatePartition: to be moved", **LOOSE, PartitionInput=partition("x", "1"))
call("UpdatePartition: to other values", **LOOSE, PartitionValueList=["x", "1"],
     PartitionInput=partition("x", "7"))
call("UpdatePartition: absent", **PARTITIONED, PartitionValueList=["q", "1"], PartitionInput=partition("q", "1"))
call("GetPartition: after the update", **PARTITIONED, PartitionValues=["x", "1"])
call("BatchUpdatePartition: one of two", **PARTITIONED, Entries=[
    {"PartitionValueList": ["y", "3"], "PartitionInput": partition("y", "3")},
    {"PartitionValueList": ["q", "1"], "PartitionInput": partition("q", "1")}])
call("BatchUpdatePartition: none", **PARTITIONED, Entries=[])
call("DeletePartition: one", **PARTITIONED, PartitionValues=["y", "4"])
call("DeletePartition: absent", **PARTITIONED, PartitionValues=["y", "4"])
call("DeletePartition: of no table", DatabaseName="plain", TableName="absent", PartitionValues=["y", "4"])
call("BatchDeletePartition: one of two", **PARTITIONED, PartitionsToDelete=[
    {"Values": ["y", "3"]}, {"Values": ["q", "1"]}])
call("BatchDeletePartition: 26", **PARTITIONED, PartitionsToDelete=[{"Values": ["z", str(i)]} for i in range(26)])
call("UpdateTable: other partition keys", DatabaseName="plain", TableInput=table_input(
    "parts", PartitionKeys=columns("other")))

# --- partition indexes
call("GetPartitionIndexes: one", DatabaseName="plain", TableName="indexed")
call("GetPartitionIndexes: of no table", DatabaseName="plain", TableName="absent")
call("CreatePartitionIndex: second", DatabaseName="plain", TableName="indexed",
     PartitionIndex={"IndexName": "j", "Keys": ["q"]})
call("CreatePartitionIndex: that exists", DatabaseName="plain", TableName="indexed",
     PartitionIndex={"IndexName": "j", "Keys": ["q"]})
call("CreatePartitionIndex: over no key", DatabaseName="plain", TableName="indexed",
     PartitionIndex={"IndexName": "k", "Keys": ["z"]})
call("DeletePartitionIndex: one", DatabaseName="plain", TableName="indexed", IndexName="j")
call("DeletePartitionIndex: absent", DatabaseName="plain", TableName="indexed", IndexName="zzz")

# --- functions
FUNCTION = {"FunctionName": "f", "ClassName": "com.example.F", "OwnerName": "o", "OwnerType": "USER",
            "ResourceUris": [{"ResourceType": "JAR", "Uri": "s3://bucket/f.jar"}]}
call("CreateUserDefinedFunction: f", DatabaseName="plain", FunctionInput=FUNCTION)
call("CreateUserDefinedFunction: that exists", DatabaseName="plain", FunctionInput=FUNCTION)
call("CreateUserDefinedFunction: in no database", DatabaseName="absent", FunctionInput=FUNCTION)
call("GetUserDefinedFunction: f", DatabaseName="plain", FunctionName="f")
call("GetUserDefinedFunction: absent", DatabaseName="plain", FunctionName="absent")
call("GetUserDefinedFunctions: all", DatabaseName="plain", Pattern=".*")
call("UpdateUserDefinedFunction: class", DatabaseName="plain", FunctionName="f",
     FunctionInput={**FUNCTION, "ClassName": "com.example.G"})
call("UpdateUserDefinedFunction: absent", DatabaseName="plain", FunctionName="absent", FunctionInput=FUNCTION)
call("DeleteUserDefinedFunction: f", DatabaseName="plain", FunctionName="f")
call("DeleteUserDefinedFunction: absent", DatabaseName="plain", FunctionName="f")

# --- column statistics
STATISTICS = {"ColumnName": "a", "ColumnType": "int", "AnalyzedTime": 1700000000, "StatisticsData": {
    "Type": "LONG", "LongColumnStatisticsData": {"MinimumValue": 1, "MaximumValue": 9, "NumberOfNulls": 0,
                                                 "NumberOfDistinctValues": 5}}}
T = {"DatabaseName": "plain", "TableName": "t"}
call("UpdateColumnStatisticsForTable: a", **T, ColumnStatisticsList=[STATISTICS])
call("GetColumnStatisticsForTable: a", **T, ColumnNames=["a"])
call("GetColumnStatisticsForTable: of a column without", **T, ColumnNames=["absent"])
call("GetColumnStatisticsForTable: of no table", DatabaseName="plain", TableName="absent", ColumnNames=["a"])
call("DeleteColumnStatisticsForTable: a", **T, ColumnName="a")
call("DeleteColumnStatisticsForTable: absent", **T, ColumnName="a")
P = {**PARTITIONED, "PartitionValues": ["x", "1"]}
call("UpdateColumnStatisticsForPartition: a", **P, ColumnStatisticsList=[STATISTICS])
call("GetColumnStatisticsForPartition: a", **P, ColumnNames=["a"])
call("DeleteColumnStatisticsForPartition: a", **P, ColumnName="a")
call("GetColumnStatisticsForPartition: of no partition", **PARTITIONED, PartitionValues=["q", "1"], ColumnNames=["a"])

# --- connections
CONNECTION = {"Name": "jdbc", "ConnectionType": "JDBC", "ConnectionProperties": {
    "JDBC_CONNECTION_URL": "jdbc:postgresql://host/db", "USERNAME": "u", "PASSWORD": "p"}}
call("CreateConnection: jdbc", ConnectionInput=CONNECTION)
call("CreateConnection: that exists", ConnectionInput=CONNECTION)
call("CreateConnection: of no type", ConnectionInput={**CONNECTION, "Name": "x", "ConnectionType": "NONSENSE"})
call("GetConnection: jdbc", Name="jdbc")
call("GetConnection: without the password", Name="jdbc", HidePassword=True)
call("GetConnection: absent", Name="absent")
call("GetConnections: all")
call("GetConnections: by type", Filter={"ConnectionType": "NETWORK"})
call("UpdateConnection: description", Name="jdbc", ConnectionInput={**CONNECTION, "Description": "changed"})
call("BatchDeleteConnection: absent", ConnectionNameList=["absent"])
call("DeleteConnection: jdbc", ConnectionName="jdbc")
call("DeleteConnection: absent", ConnectionName="jdbc")

# --- tags, policies, encryption
call("TagResource: database", ResourceArn=ARN + "database/plain", TagsToAdd={"team": "a", "cost": "b"})
call("GetTags: database", ResourceArn=ARN + "database/plain")
call("UntagResource: database", ResourceArn=ARN + "database/plain", TagsToRemove=["cost"])
call("GetTags: after removal", ResourceArn=ARN + "database/plain")
call("GetTags: of no database", ResourceArn=ARN + "database/absent")
POLICY = ('{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, '
          f'"Action": "glue:GetTable", "Resource": "{ARN}catalog"}}]}}')
call("GetResourcePolicy: none")
call("PutResourcePolicy: first", PolicyInJson=POLICY)
call("PutResourcePolicy: must not exist", PolicyInJson=POLICY, PolicyExistsCondition="NOT_EXIST")
call("PutResourcePolicy: wrong hash", PolicyInJson=POLICY, PolicyHashCondition="nonsense")
call("GetResourcePolicy: first")
call("DeleteResourcePolicy: wrong hash", PolicyHashCondition="nonsense")
call("DeleteResourcePolicy: first")
call("DeleteResourcePolicy: none")
call("GetDataCatalogEncryptionSettings: of a new catalog")
call("PutDataCatalogEncryptionSettings: passwords", DataCatalogEncryptionSettings={
    "EncryptionAtRest": {"CatalogEncryptionMode": "DISABLED"},
    "ConnectionPasswordEncryption": {"ReturnConnectionPasswordEncrypted": False}})
call("GetDataCatalogEncryptionSettings: as put")

# --- the end: what is deleted takes along what is in it
call("DeleteTable: with partitions", DatabaseName="plain", Name="parts")
call("GetPartitions: of a deleted table", **PARTITIONED)
call("DeleteDatabase: with tables", Name="plain")
call("GetTable: of a deleted database", DatabaseName="plain", Name="full")
call("CreateDatabase: again", DatabaseInput={"Name": "plain"})
call("GetTables: of a database made again", DatabaseName="plain")
