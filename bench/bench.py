"""Measures gluecat next to its peers and prints the ratios. Called by bench/run; docs/benchmarks.md explains the rows."""

import json
import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCH = ROOT / "bench"
BUILD = ROOT / "build" / "bench"
JAR = ROOT / "dist" / "gluecat-spark-4.1_2.13.jar"
RUNS = 5
# Iceberg 1.12.0's GlueCatalog on Spark 4.1.1, measured once on a machine of two cores (docs/benchmarks.md).
ICEBERG_SHOW_TABLES_MS, ICEBERG_SCHEMA_MS = 2400, 47


@dataclass(frozen=True)
class Row:
    """One line of the table. `target` limits the value itself, its ratio to the peer's, or how far it is above it."""

    name: str
    unit: str
    ours: float
    peer: float | None = None
    most: float | None = None
    most_ratio: float | None = None
    most_more: float | None = None

    @property
    def ratio(self) -> float | None:
        """Ours as a part of the peer's: below 1 is better."""
        return None if self.peer is None else self.ours / self.peer

    @property
    def target(self) -> str:
        if self.most is not None:
            return f"≤ {self.most:g} {self.unit}"
        if self.most_more is not None:
            return f"≤ {self.most_more:g} {self.unit} more"
        return "" if self.most_ratio is None else f"≤ {self.most_ratio:.3g} of the peer"

    @property
    def met(self) -> bool:
        return ((self.most is None or self.ours <= self.most)
                and (self.most_ratio is None or self.ratio <= self.most_ratio)
                and (self.most_more is None or self.ours - self.peer <= self.most_more))


def run(*command: str | Path, **options) -> str:
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def peer_classpath() -> str:
    """The jars of the peer; Maven fetches what its local repository lacks."""
    listing = BUILD / "peer.classpath"
    if not listing.exists():
        command = ["mvn", "-q", "-f", BENCH / "peer" / "pom.xml",
                   "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
                   f"-Dmdep.outputFile={listing}"]
        try:
            run(*command[:1], "-o", *command[1:])
        except subprocess.CalledProcessError:
            run(*command)
    return listing.read_text().strip()


def our_classpath() -> str:
    import pyspark

    jackson = sorted((Path(pyspark.__file__).parent / "jars").glob("jackson-*.jar"))
    return ":".join(map(str, [JAR, *jackson]))


def compile_java(name: str, classpath: str) -> str:
    folder = BUILD / name
    shutil.rmtree(folder, ignore_errors=True)
    run("javac", "-nowarn", "-d", folder, "-cp", classpath, BENCH / "Measure.java", *(BENCH / name).glob("*.java"))
    return f"{folder}:{classpath}"


def values(output: str) -> dict[str, float]:
    return {name: float(value) for name, value in (line.split() for line in output.splitlines())}


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def client_runs(endpoint: str) -> tuple[dict[str, float], dict[str, float]]:
    """Both sides by turns, each time in a fresh JVM."""
    sides = {"ours": compile_java("ours", our_classpath()), "peer": compile_java("peer", peer_classpath())}
    main = {"ours": "OurBenchmark", "peer": "PeerBenchmark"}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AWS_")}
    found: dict[str, list] = {"ours": [], "peer": []}
    for number in range(RUNS):
        for side, classpath in sides.items():
            print(f"run {number + 1} of {RUNS}: {side}", file=sys.stderr)
            found[side].append(values(run("java", "-cp", classpath, main[side], endpoint, env=environment,
                                          stderr=subprocess.DEVNULL)))
    return medians(found["ours"]), medians(found["peer"])


def measure() -> list[Row]:
    BUILD.mkdir(parents=True, exist_ok=True)
    replay = BUILD / "replay"
    run("g++", "-std=c++23", "-O2", "-pthread", BENCH / "replay.cc", "-o", replay)
    server = subprocess.Popen([replay], stdout=subprocess.PIPE, text=True)
    try:
        endpoint = server.stdout.readline().split()[-1]
        ours, peer = client_runs(endpoint)
        print("in Spark", file=sys.stderr)
        spark = values(run(sys.executable, BENCH / "in_spark.py", stderr=subprocess.DEVNULL))
        print("in Spark, long partition lists", file=sys.stderr)
        partitions = values(run(sys.executable, BENCH / "partitions_in_spark.py", endpoint, stderr=subprocess.DEVNULL))
        print("in Spark, Hive's metastore on Derby", file=sys.stderr)
        derby = values(run(sys.executable, BENCH / "hive_in_spark.py", stderr=subprocess.DEVNULL))
    finally:
        server.kill()
        server.wait()
    megabytes = 1024 * 1024
    peer_size = sum(Path(jar).stat().st_size for jar in peer_classpath().split(":"))

    def client(name: str, unit: str, key: str, **targets) -> Row:
        return Row(name, unit, ours[key], peer[key], **targets)

    return [
        client("library load and first GetTable, fresh JVM", "ms", "first_get_table_ms", most=100),
        client("100,000 partitions, cold", "ms", "cold_listing_ms", most_ratio=1 / 15),
        client("100,000 partitions, cold, CPU", "ms", "cold_listing_cpu_ms", most_ratio=1 / 10),
        client("100,000 partitions, warm", "ms", "warm_listing_ms", most_ratio=1 / 10),
        client("100,000 partitions, warm, CPU", "ms", "warm_listing_cpu_ms", most_ratio=1 / 10),
        client("100,000 partitions, growth of peak memory", "MB", "cold_listing_memory_mb", most_ratio=1 / 4),
        client("100,000 partitions, heap held until one is used, each", "B", "held_bytes", most=200),
        client("GetTable, warm", "µs", "get_table_us", most_ratio=0.6),
        client("another client of the same configuration", "µs", "another_client_us", most=1000),
        Row("jar (peer: SDK modules glue and sts)", "MB", JAR.stat().st_size / megabytes, peer_size / megabytes,
            most=12),
        Row("first SHOW TABLES in a warm Spark session (peer: Iceberg, recorded)", "ms",
            spark["show_tables_first_ms"], ICEBERG_SHOW_TABLES_MS, most=300),
        Row("schema by name in Spark (peer: Iceberg, recorded)", "ms", spark["schema_by_name_ms"], ICEBERG_SCHEMA_MS,
            most=12),
        Row("the catalog in a new Spark session", "ms", spark["catalog_of_session_ms"], most=1),
        Row("planning SELECT … LIMIT 1 of a Delta table by name (peer: by path)", "ms", spark["delta_plan_by_name_ms"],
            spark["delta_plan_by_path_ms"], most_more=5),
        Row("INSERT of a row into a Delta table by name (peer: by path)", "ms", spark["delta_insert_by_name_ms"],
            spark["delta_insert_by_path_ms"], most_more=5),
        Row("100,000 partitions to those of Spark's file index (peer: the SDK's listing, warm)", "ms",
            partitions["index_ms"], peer["warm_listing_ms"], most_ratio=1 / 10),
        Row("planning a query of 1 of 100,000 partitions (peer: Derby, 10,000)", "ms",
            partitions["plan_table_ms"], derby["plan_table_ms"]),
        Row("… more than the same query of that partition's path", "ms",
            partitions["plan_table_ms"] - partitions["plan_path_ms"], most=50),
        Row("INSERT of 2,000 new partitions: what Glue takes", "ms", partitions["insert_glue_ms"], most=2000),
        Row("MSCK of 2,000 directories (peer: Derby)", "ms", partitions["repair_ms"], derby["repair_ms"],
            most=2000),
        Row("MSCK of 10,000 directories", "ms", partitions["repair_many_ms"]),
        Row("… what Glue takes", "ms", partitions["repair_many_glue_ms"]),
    ]


def report(rows: list[Row]) -> None:
    width = max(len(row.name) for row in rows)
    print(f"{'':{width}}  {'unit':4}  {'ours':>9}  {'peer':>9}  {'ratio':>7}  target")
    for row in rows:
        verdict = "" if row.met else "  MISSED"
        peer = " " * 18 if row.peer is None else f"{row.peer:9.1f}  {row.ratio:7.3f}"
        print(f"{row.name:{width}}  {row.unit:4}  {row.ours:9.1f}  {peer}  {row.target}{verdict}")
    lines = [json.dumps({"name": row.name, "unit": row.unit, "ours": round(row.ours, 3),
                         **({} if row.peer is None else {"peer": round(row.peer, 3), "ratio": round(row.ratio, 5)})},
                        ensure_ascii=False) for row in rows]
    (ROOT / "build" / "bench.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    report(measure())
