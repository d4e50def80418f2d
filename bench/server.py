"""Measures `gluecat serve` next to moto's server and ministack. Called by bench/run-server; docs/benchmarks.md explains
the rows."""

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "clients"))

from peers import ministack, ministack_environment, moto  # noqa: E402

BUILD = ROOT / "build" / "bench"
FEW, MANY, VERY_MANY = 2_000, 100_000, 1_000_000
CLIENTS, SECONDS = 4, 5
TABLE = {"DatabaseName": "db", "TableName": "t"}


@dataclass(frozen=True)
class Row:
    """One line of the table. Rows without peers are ours alone."""

    name: str
    unit: str
    ours: float
    moto: float | None = None
    ministack: float | None = None
    most: float | None = None
    least: float | None = None
    least_ratio: float | None = None  # to the faster peer, where more is better

    @property
    def target(self) -> str:
        parts = []
        if self.most is not None:
            parts.append(f"≤ {self.most:g} {self.unit}")
        if self.least is not None:
            parts.append(f"≥ {self.least:g} {self.unit}")
        if self.least_ratio is not None:
            parts.append(f"≥ {self.least_ratio:g} times the faster peer")
        return ", ".join(parts)

    @property
    def met(self) -> bool:
        peers = [peer for peer in (self.moto, self.ministack) if peer is not None]
        return ((self.most is None or self.ours <= self.most) and (self.least is None or self.ours >= self.least)
                and (self.least_ratio is None or not peers or self.ours >= self.least_ratio * max(peers)))


class Glue:
    """Calls without an SDK, so that it is the server that takes the time."""

    def __init__(self, endpoint: str):
        self.port = int(endpoint.rsplit(":", 1)[1])
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)

    def call(self, operation: str, body: dict) -> bytes:
        self._connection.request("POST", "/", json.dumps(body), {
            "Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": f"AWSGlue.{operation}",
            "X-Amz-Date": "20260101T000000Z",
            "Authorization": "AWS4-HMAC-SHA256 Credential=123456789012/20260101/us-east-1/glue/aws4_request, "
                             "SignedHeaders=host;x-amz-date, Signature=" + "0" * 64})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{operation}: {answer.status} {text[:500]!r}")
        return text

    def make_table(self) -> None:
        self.call("CreateDatabase", {"DatabaseInput": {"Name": "db"}})
        self.call("CreateTable", {"DatabaseName": "db", "TableInput": {
            "Name": "t", "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "parquet"},
            "PartitionKeys": [{"Name": "day", "Type": "string"}, {"Name": "n", "Type": "int"}],
            "StorageDescriptor": storage("s3://bucket/t")}})

    def add_partitions(self, start: int, end: int) -> float:
        """Seconds for the partitions of these numbers, 100 a call. Making the requests is not counted."""
        seconds = 0.0
        for first in range(start, end, 100):
            body = {**TABLE, "PartitionInputList": [partition(n) for n in range(first, min(first + 100, end))]}
            begun = time.perf_counter()
            answer = self.call("BatchCreatePartition", body)
            seconds += time.perf_counter() - begun
            if b"ErrorCode" in answer:
                raise RuntimeError(answer[:500])
        return seconds

    def list_partitions(self, expect: int, **more) -> float:
        """Seconds for all pages of a listing."""
        begun, found, token = time.perf_counter(), 0, {}
        while True:
            page = self.call("GetPartitions", {**TABLE, **more, **token})
            found += page.count(b'"Values"')
            following = re.search(rb'"NextToken": ?"([^"]*)"', page[-2000:]) or re.match(
                rb'\{"NextToken": ?"([^"]*)"', page[:2000])
            if following is None:
                break
            token = {"NextToken": following[1].decode()}
        seconds = time.perf_counter() - begun
        if found != expect:
            raise RuntimeError(f"{found} partitions, not {expect}")
        return seconds

    def get_table_rate(self) -> float:
        """Answers a second."""
        body = json.dumps({"DatabaseName": "db", "Name": "t"})
        text = run(BUILD / "load", self.port, CLIENTS, SECONDS, "GetTable", body)
        return float(text.split()[1])


def storage(location: str) -> dict:
    return {"Columns": [{"Name": f"column_{n}", "Type": "decimal(18,2)"} for n in range(20)], "Location": location,
            "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
            "OutputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
            "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
                          "Parameters": {"serialization.format": "1"}}}


def partition(number: int) -> dict:
    day = f"day-{number // 100:05}"
    return {"Values": [day, str(number)], "StorageDescriptor": storage(f"s3://bucket/t/day={day}/n={number}"),
            "Parameters": {"transient_lastDdlTime": "1700000000"}}


def run(*command) -> str:
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True).stdout


@contextmanager
def gluecat(command: Path, data: Path):
    """Our server: its address and its process."""
    process = subprocess.Popen([command, "serve", "--listen", "127.0.0.1:0", "--data", data], stdout=subprocess.PIPE,
                               text=True)
    try:
        yield process.stdout.readline().split()[-1], process
    finally:
        process.terminate()
        process.wait()


def resident_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def get_table(glue: Glue, pid: int) -> dict[str, float]:
    """Answers a second, and what CPU time of the server one takes. Other processes disturb the second less."""
    before = cpu_seconds(pid)
    rate = glue.get_table_rate()
    return {"rate": rate, "cpu": (cpu_seconds(pid) - before) / (rate * SECONDS)}


def best(times: int, action) -> float:
    return min(action() for _ in range(times))


def first_answer(command: Path, data: Path) -> float:
    begun = time.perf_counter()
    with gluecat(command, data) as (endpoint, _):
        Glue(endpoint).call("GetTable", {"DatabaseName": "db", "Name": "t"})
        return time.perf_counter() - begun


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure_peer(name: str, server, work: Path) -> dict[str, float]:
    """What is measured of everybody, with few partitions: a listing of many takes moto minutes."""
    progress(name)
    with server(work) as peer:
        glue = Glue(peer.endpoint)
        glue.make_table()
        return {**get_table(glue, peer.pid), "create": glue.add_partitions(0, FEW),
                "list": best(3, lambda: glue.list_partitions(FEW))}


def measure(command: Path, work: Path) -> list[Row]:
    BUILD.mkdir(parents=True, exist_ok=True)
    run("g++", "-std=c++23", "-O2", "-pthread", ROOT / "bench" / "load.cc", "-o", BUILD / "load")
    peers = {"moto": measure_peer("moto", moto, work)}
    if ministack_environment() is not None:
        peers["ministack"] = measure_peer("ministack", ministack, work)
    progress("gluecat")
    ours = {}
    data = work / "glue"
    with gluecat(command, data) as (endpoint, process):
        glue = Glue(endpoint)
        glue.make_table()
        ours.update(get_table(glue, process.pid))
        before = cpu_seconds(process.pid)
        few = glue.add_partitions(0, FEW)
        ours.update(create=few, list=best(3, lambda: glue.list_partitions(FEW)))
        progress(f"{MANY:,} partitions")
        create_many = few + glue.add_partitions(FEW, MANY)
        create_many_cpu = cpu_seconds(process.pid) - before
        list_many = best(3, lambda: glue.list_partitions(MANY))
        first_key = best(5, lambda: glue.list_partitions(100, Expression="day = 'day-00500'"))
        second_key = best(5, lambda: glue.list_partitions(1, Expression="n = 50000"))
        memory = resident_megabytes(process.pid)
    start = best(5, lambda: first_answer(command, data))
    with gluecat(command, data) as (endpoint, _):
        progress(f"{VERY_MANY:,} partitions")
        glue = Glue(endpoint)
        glue.add_partitions(MANY, VERY_MANY)
        list_very_many = glue.list_partitions(VERY_MANY)
        first_key_very_many = best(5, lambda: glue.list_partitions(100, Expression="day = 'day-00500'"))

    def all_three(name: str, unit: str, key: str, scale: float = 1, **targets) -> Row:
        return Row(name, unit, ours[key] * scale, *(peers[peer][key] * scale if peer in peers else None
                                                    for peer in ("moto", "ministack")), **targets)

    return [
        all_three(f"GetTable, {CLIENTS} clients", "1/s", "rate", least=5000, least_ratio=50),
        all_three("… CPU time of the server for one", "µs", "cpu", 1e6),
        all_three(f"{FEW:,} partitions created, 100 a call", "ms", "create", 1000),
        all_three(f"{FEW:,} partitions listed", "ms", "list", 1000),
        Row(f"{MANY:,} partitions created, 100 a call", "s", create_many, most=15),
        Row("… CPU time of the server", "s", create_many_cpu),
        Row(f"{MANY:,} partitions listed", "s", list_many, most=2),
        Row(f"… filtered by the first key, 100 of {MANY:,}", "ms", first_key * 1000, most=50),
        Row(f"… filtered by the second key, 1 of {MANY:,}", "ms", second_key * 1000, most=50),
        Row("… resident memory of the server", "MB", memory, most=100),
        Row("start to first answer", "ms", start * 1000, most=100),
        Row(f"{VERY_MANY:,} partitions listed, a tenth of the time", "s", list_very_many / 10, most=1.3 * list_many),
        Row(f"… filtered by the first key, 100 of {VERY_MANY:,}", "ms", first_key_very_many * 1000, most=50),
    ]


def report(rows: list[Row]) -> None:
    def cell(value: float | None) -> str:
        return f"{'':>10}" if value is None else f"{value:10,.1f}"

    width = max(len(row.name) for row in rows)
    print(f"{'':{width}}  {'unit':4}  {'ours':>10}  {'moto':>10}  {'ministack':>10}  target")
    for row in rows:
        print(f"{row.name:{width}}  {row.unit:4}  {cell(row.ours)}  {cell(row.moto)}  {cell(row.ministack)}  "
              f"{row.target}{'' if row.met else '  MISSED'}")
    lines = [json.dumps({"name": row.name, "unit": row.unit, "ours": round(row.ours, 3), "moto": row.moto,
                         "ministack": row.ministack, "met": row.met}, ensure_ascii=False) for row in rows]
    (ROOT / "build" / "bench-server.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gluecat", type=Path, default=ROOT / "dist" / "gluecat", help="the command to measure")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gluecat-bench-") as folder:
        before = os.getloadavg()[0]
        rows = measure(arguments.gluecat.resolve(), Path(folder))
        print(f"load of the machine, last minute: {before:.1f} before, {os.getloadavg()[0]:.1f} at the end; "
              f"{os.cpu_count()} cores")
        report(rows)
