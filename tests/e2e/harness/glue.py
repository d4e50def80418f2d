"""Glue databases and entries as other tools see and write them (boto3)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Database:
    """A Glue database, reachable from Spark as `<catalog>.<name>`."""

    glue: Any
    account: str
    catalog: str
    name: str
    location: Path

    @classmethod
    def create(cls, glue, account: str, catalog: str, name: str, location: Path) -> "Database":
        glue.create_database(CatalogId=account,
                             DatabaseInput={"Name": name, "LocationUri": f"file:{location}"})
        return cls(glue, account, catalog, name, location)

    def __str__(self) -> str:
        """The name as SQL takes it."""
        return f"{self.catalog}.{self.name}"

    def entry(self, table: str) -> dict:
        return self.glue.get_table(CatalogId=self.account, DatabaseName=self.name, Name=table)["Table"]

    def tables(self) -> list[str]:
        pages = self.glue.get_paginator("get_tables").paginate(CatalogId=self.account,
                                                               DatabaseName=self.name)
        return sorted(table["Name"] for page in pages for table in page["TableList"])

    def partitions(self, table: str) -> dict[tuple[str, ...], dict]:
        """The partitions of a table by their values."""
        pages = self.glue.get_paginator("get_partitions").paginate(
            CatalogId=self.account, DatabaseName=self.name, TableName=table)
        return {tuple(p["Values"]): p for page in pages for p in page["Partitions"]}

    def drop_partitions(self, table: str, values: list[list[str]]) -> None:
        """Removes partitions from the entry; their files stay."""
        for start in range(0, len(values), 25):
            batch = [{"Values": one} for one in values[start:start + 25]]
            answer = self.glue.batch_delete_partition(CatalogId=self.account, DatabaseName=self.name, TableName=table,
                                                      PartitionsToDelete=batch)
            assert not answer.get("Errors"), answer

    def put(self, table_input: dict) -> None:
        """Creates an entry as it is, with nothing of Spark's in between."""
        self.glue.create_table(CatalogId=self.account, DatabaseName=self.name, TableInput=table_input)

    def versions(self, table: str) -> list[str]:
        pages = self.glue.get_paginator("get_table_versions").paginate(
            CatalogId=self.account, DatabaseName=self.name, TableName=table)
        return [v["VersionId"] for page in pages for v in page["TableVersions"]]


def columns(entry: dict) -> dict[str, str]:
    """Names and types of the data columns, in their order."""
    return {c["Name"]: c["Type"] for c in entry["StorageDescriptor"]["Columns"]}


def keys(entry: dict) -> dict[str, str]:
    return {c["Name"]: c["Type"] for c in entry.get("PartitionKeys", [])}


def table_input(entry: dict) -> dict:
    """The part of an entry that a client may write: what an ALTER must leave alone."""
    response_only = {"DatabaseName", "CreateTime", "UpdateTime", "CreatedBy", "CatalogId", "VersionId",
                     "IsRegisteredWithLakeFormation", "IsMultiDialectView", "FederatedTable",
                     "IsMaterializedView", "Status"}
    return {key: value for key, value in entry.items() if key not in response_only}


PARQUET = {
    "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
    "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
    "SerdeInfo": {
        "SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
        "Parameters": {"serialization.format": "1"},
    },
}


def parquet_entry(name: str, location: str, columns: list[dict], schema_json: str | None = None,
                  **more) -> dict:
    """A Parquet data source table as Spark's Hive catalog writes it."""
    parameters = {"spark.sql.sources.provider": "parquet"}
    if schema_json:
        parameters["spark.sql.sources.schema"] = schema_json
    return {
        "Name": name,
        "TableType": "EXTERNAL_TABLE",
        "Parameters": parameters,
        "StorageDescriptor": {"Columns": columns, "Location": location, **PARQUET},
        **more,
    }
