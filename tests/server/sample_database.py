"""A database with a table of every kind, for tests that move it."""

PARTITIONS = 2500

HIVE_PARQUET = {
    "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
    "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
    "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
                  "Parameters": {"serialization.format": "1"}}}
HIVE_TEXT = {
    "InputFormat": "org.apache.hadoop.mapred.TextInputFormat",
    "OutputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat"}


def storage(name: str, **more) -> dict:
    return {"Columns": [{"Name": "id", "Type": "bigint", "Comment": "the key"},
                        {"Name": "payload", "Type": "struct<a:int,b:array<string>>", "Parameters": {"k": "v"}}],
            "Location": f"s3://old-bucket/sales/{name}", **more}


def spark(name: str, provider: str) -> dict:
    """A table that Spark keeps in table parameters and in the parameters of the SerDe."""
    return {"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": {"spark.sql.sources.provider": provider},
            "StorageDescriptor": storage(name, SerdeInfo={"Parameters": {"path": f"s3://old-bucket/sales/{name}"}})}


TABLES = [
    spark("delta_orders", "delta"),
    {"Name": "iceberg_events", "TableType": "EXTERNAL_TABLE", "StorageDescriptor": storage("iceberg_events"),
     "Parameters": {"table_type": "ICEBERG", "metadata_location": "s3://old-bucket/sales/iceberg_events/1.json"}},
    {"Name": "hudi_trips", "TableType": "EXTERNAL_TABLE", "StorageDescriptor": storage("hudi_trips", **HIVE_PARQUET),
     "Parameters": {"spark.sql.sources.provider": "hudi"}},
    {"Name": "parquet_days", "TableType": "EXTERNAL_TABLE", "Owner": "etl", "Retention": 7,
     "StorageDescriptor": storage("parquet_days", **HIVE_PARQUET),
     "PartitionKeys": [{"Name": "year", "Type": "int"}, {"Name": "day", "Type": "string", "Comment": "of the year"}]},
    spark("orc_lines", "orc"),
    {"Name": "csv_raw", "TableType": "EXTERNAL_TABLE",
     "Parameters": {"skip.header.line.count": "1", "comment": "tab \t, quote ', ü and 😀"},
     "StorageDescriptor": storage("csv_raw", **HIVE_TEXT, SerdeInfo={
         "SerializationLibrary": "org.apache.hadoop.hive.serde2.OpenCSVSerde",
         "Parameters": {"separatorChar": ",", "quoteChar": '"', "escapeChar": "\\"}})},
    spark("json_raw", "json"),
    spark("text_raw", "text"),
    {"Name": "bucketed", "TableType": "EXTERNAL_TABLE", "StorageDescriptor": storage(
        "bucketed", **HIVE_PARQUET, NumberOfBuckets=8, BucketColumns=["id"], Compressed=True,
        SortColumns=[{"Column": "id", "SortOrder": 0}],
        SkewedInfo={"SkewedColumnNames": ["id"], "SkewedColumnValues": ["1"],
                    "SkewedColumnValueLocationMaps": {"1": "s3://old-bucket/skew"}})},
    {"Name": "a_view", "TableType": "VIRTUAL_VIEW", "ViewOriginalText": "/* Presto View: e30= */",
     "ViewExpandedText": "SELECT 1", "Parameters": {"presto_view": "true"}},
    {"Name": "a_link", "TargetTable": {"CatalogId": "333333333333", "DatabaseName": "shared", "Name": "t"}},
    {"Name": "bare"},
]


def partition(number: int) -> dict:
    year, day = 2020 + number % 5, number // 5
    return {"Values": [str(year), str(day)], "Parameters": {"numRows": str(number)},
            "StorageDescriptor": storage(f"parquet_days/year={year}/day={day}", **HIVE_PARQUET)}


def statistics(distinct: int) -> list[dict]:
    return [{"ColumnName": "id", "ColumnType": "bigint", "AnalyzedTime": 1_700_000_000,
             "StatisticsData": {"Type": "LONG", "LongColumnStatisticsData": {
                 "MinimumValue": 1, "MaximumValue": 9, "NumberOfNulls": 0, "NumberOfDistinctValues": distinct}}}]


def make(glue, name: str, partitions: int = PARTITIONS) -> None:
    glue.create_database(DatabaseInput={"Name": name, "Description": "sales, as they were", "Parameters": {"a": "b"},
                                        "LocationUri": "s3://old-bucket/sales"})
    for number in range(3):
        glue.create_user_defined_function(DatabaseName=name, FunctionInput={
            "FunctionName": f"f{number}", "ClassName": "org.example.F", "OwnerName": "etl", "OwnerType": "USER",
            "ResourceUris": [{"ResourceType": "JAR", "Uri": "s3://old-bucket/f.jar"}]})
    for table in TABLES:
        glue.create_table(DatabaseName=name, TableInput=table)
    for index, keys in (("by_year", ["year"]), ("by_day", ["day", "year"])):
        glue.create_partition_index(DatabaseName=name, TableName="parquet_days",
                                    PartitionIndex={"IndexName": index, "Keys": keys})
    glue.update_column_statistics_for_table(DatabaseName=name, TableName="parquet_days",
                                            ColumnStatisticsList=statistics(5))
    for start in range(0, partitions, 100):
        answer = glue.batch_create_partition(DatabaseName=name, TableName="parquet_days", PartitionInputList=[
            partition(number) for number in range(start, min(start + 100, partitions))])
        assert answer["Errors"] == []
