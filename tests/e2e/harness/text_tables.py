"""Entries of tables of text files, as crawlers, Athena and Hive write them, and their files."""

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pyspark

from harness.glue import Database

SPARK_JARS = Path(pyspark.__file__).parent / "jars"
_OWN_SERDE = Path(__file__).with_name("UpperCaseSerDe.java")
_JAVA = Path(os.environ["JAVA_HOME"]) / "bin" if "JAVA_HOME" in os.environ else Path(shutil.which("javac")).parent

LAZY = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe"
OPEN_CSV = "org.apache.hadoop.hive.serde2.OpenCSVSerde"
REGEX = "org.apache.hadoop.hive.serde2.RegexSerDe"


def descriptor(location: Path | str, columns: list[tuple[str, str]], serde: str, parameters: dict[str, str]) -> dict:
    return {
        "Columns": [{"Name": n, "Type": t} for n, t in columns],
        "Location": f"file:{location}",
        "InputFormat": "org.apache.hadoop.mapred.TextInputFormat",
        "OutputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
        "NumberOfBuckets": -1,
        "SerdeInfo": {"SerializationLibrary": serde, "Parameters": parameters},
    }


def put(database: Database, name: str, location: Path | str, columns: list[tuple[str, str]], serde: str = LAZY,
        serde_parameters: dict[str, str] | None = None, keys: list[tuple[str, str]] = (), **parameters: str) -> dict:
    """Makes the entry of a table and gives its descriptor, which partitions repeat."""
    made = descriptor(location, columns, serde, serde_parameters or {})
    database.put({"Name": name, "TableType": "EXTERNAL_TABLE", "Owner": "owner",
                  "Parameters": {"classification": "csv", "typeOfData": "file", **parameters},
                  "PartitionKeys": [{"Name": n, "Type": t} for n, t in keys], "StorageDescriptor": made})
    return made


def register(database: Database, table: str, values: list[str], of_table: dict, location: Path | str) -> None:
    database.glue.create_partition(
        CatalogId=database.account, DatabaseName=database.name, TableName=table,
        PartitionInput={"Values": values, "StorageDescriptor": {**of_table, "Location": f"file:{location}"}})


def write(path: Path, text: str | bytes) -> Path:
    """A file, compressed if its name says so; gives its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text if isinstance(text, bytes) else text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path.parent


def lines(directory: Path) -> list[str]:
    """The lines of all data files, sorted."""
    found = []
    for path in directory.rglob("*"):
        if path.is_file() and not path.name.startswith((".", "_")):
            data = path.read_bytes()
            found += (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()
    return sorted(found)


def jar_of_own_serde(folder: Path) -> Path:
    """The jar of `UpperCaseSerDe`."""
    classes, jar = folder / "classes", folder / "own-serde.jar"
    classes.mkdir(parents=True)
    subprocess.run([_JAVA / "javac", "-nowarn", "-cp", SPARK_JARS / "*", "-d", classes, _OWN_SERDE], check=True)
    subprocess.run([_JAVA / "jar", "--create", "--file", jar, "-C", classes, "."], check=True)
    return jar


def spark_without_hive(folder: Path) -> Path:
    """A SPARK_HOME like pyspark's, but without the jars of Hive."""
    home = folder / "spark"
    (home / "jars").mkdir(parents=True)
    for part in SPARK_JARS.parent.iterdir():
        if part.name != "jars":
            (home / part.name).symlink_to(part)
    for jar in SPARK_JARS.iterdir():
        if "hive" not in jar.name:
            (home / "jars" / jar.name).symlink_to(jar)
    return home
