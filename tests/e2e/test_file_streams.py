"""Streams into file tables: partitions are registered batch by batch, and a repeated batch is in the table once."""

import pytest

from harness.session import message_of

pytestmark = pytest.mark.modes("named", "spark_catalog")


@pytest.fixture
def events(sql, database):
    """A table to read from."""
    sql(f"CREATE TABLE {database}.events (id INT, k STRING) USING parquet")
    return f"{database}.events"


@pytest.fixture
def arrive(sql, events):
    """Adds rows to it in one file, which is one batch."""
    return lambda values: sql(f"INSERT INTO {events} SELECT /*+ COALESCE(1) */ * FROM VALUES {values}")


@pytest.fixture
def stream(spark, database, events, tmp_path):
    """Moves what is new in `events` into a table, in batches of one file, and ends."""
    def run(target: str, mode: str = "append", checkpoint: str = "checkpoint"):
        query = (spark.readStream.option("maxFilesPerTrigger", 1).table(events).writeStream.outputMode(mode)
                 .option("checkpointLocation", str(tmp_path / checkpoint)).trigger(availableNow=True)
                 .toTable(f"{database}.{target}"))
        query.awaitTermination()
        return query

    return run


def rows(sql, table: str) -> list[tuple]:
    return sorted(tuple(row) for row in sql(f"SELECT * FROM {table}"))


@pytest.mark.parametrize("provider", ["parquet", "orc", "json"])
def test_a_stream_registers_the_partitions_it_makes(sql, database, arrive, stream, provider):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING {provider} PARTITIONED BY (k)")
    arrive("(1, 'a'), (2, 'b')")
    stream("t")
    assert set(database.partitions("t")) == {("a",), ("b",)}
    arrive("(3, 'b'), (4, 'c')")
    arrive("(5, 'c')")
    assert "FileTableSink" in stream("t").lastProgress["sink"]["description"]
    assert rows(sql, f"{database}.t") == [(1, "a"), (2, "b"), (3, "b"), (4, "c"), (5, "c")]
    assert set(database.partitions("t")) == {("a",), ("b",), ("c",)}


def test_a_stream_makes_its_table(spark, sql, database, events, arrive, tmp_path):
    arrive("(1, 'a'), (2, 'b')")
    query = (spark.readStream.table(events).writeStream.format("parquet").partitionBy("k").trigger(availableNow=True)
             .option("checkpointLocation", str(tmp_path / "checkpoint")).toTable(f"{database}.made"))
    query.awaitTermination()
    assert database.entry("made")["PartitionKeys"][0]["Name"] == "k"
    assert rows(sql, f"{database}.made") == [(1, "a"), (2, "b")]


def progress(database, table: str):
    [file] = (database.location / table / "_gluecat_streams").glob("_*")
    return file


def files(database) -> dict[str, tuple[int, int]]:
    """Which file is behind each name: the inode alone may be one that a removed file has given back."""
    stats = {path.name: path.stat() for path in (database.location / "t").rglob("k=*/*.parquet")}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def forget_last_batch(tmp_path, state: str | None, file) -> None:
    """What a driver leaves that is killed before Spark has noted that the batch is done."""
    for commit in (tmp_path / "checkpoint" / "commits").glob("*0*"):
        commit.unlink()
    if state is not None:
        file.write_text(state)
        file.with_name(f".{file.name}.crc").unlink()


@pytest.mark.parametrize("state", [None, "0 begun", "", "0 beg"])
def test_a_repeated_batch_is_in_the_table_once(sql, database, arrive, stream, tmp_path, state):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING parquet PARTITIONED BY (k)")
    arrive("(1, 'a'), (2, 'b')")
    stream("t")
    before = files(database)
    # The partition of a batch that ended between its files and Glue.
    if state is not None:
        database.drop_partitions("t", [["b"]])
    forget_last_batch(tmp_path, state, progress(database, "t"))
    stream("t")
    assert rows(sql, f"{database}.t") == [(1, "a"), (2, "b")]
    # Left alone where the table knew that the batch is done; else written again, under the same names.
    assert files(database).keys() == before.keys() and (files(database) == before) == (state is None)
    assert progress(database, "t").read_text() == "0 written"


def test_a_batch_that_fails_is_written_when_the_stream_starts_again(spark, sql, database, arrive, stream):
    sql(f"CREATE TABLE {database}.t (id INT, k INT) USING parquet PARTITIONED BY (k)")
    arrive("(1, '1'), (2, 'not a number')")
    with pytest.raises(Exception) as failure:
        stream("t")
    assert "not a number" in message_of(failure.value) or "INCOMPATIBLE_DATA" in message_of(failure.value)
    assert rows(sql, f"{database}.t") == [] and database.partitions("t") == {}


def test_several_streams_have_one_target(sql, database, arrive, stream):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING parquet")
    arrive("(1, 'a')")
    stream("t", checkpoint="one")
    stream("t", checkpoint="two")
    assert rows(sql, f"{database}.t") == [(1, "a"), (1, "a")]
    assert len(list((database.location / "t" / "_gluecat_streams").glob("_*"))) == 2


def test_what_streams_keep_is_no_data(sql, database, arrive, stream):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING json PARTITIONED BY (k)")
    arrive("(1, 'a')")
    stream("t")
    sql(f"MSCK REPAIR TABLE {database}.t SYNC PARTITIONS")
    assert set(database.partitions("t")) == {("a",)}
    sql(f"TRUNCATE TABLE {database}.t")
    stream("t")
    assert rows(sql, f"{database}.t") == [] and progress(database, "t").read_text() == "0 written"


def test_only_appends(spark, sql, database, events, arrive, tmp_path):
    arrive("(1, 'a')")
    sql(f"CREATE TABLE {database}.counts (k STRING, n BIGINT) USING parquet")
    counts = spark.readStream.table(events).groupBy("k").count().withColumnRenamed("count", "n")
    with pytest.raises(Exception) as failure:
        (counts.writeStream.outputMode("complete").option("checkpointLocation", str(tmp_path / "c"))
         .toTable(f"{database}.counts"))
    message = message_of(failure.value)
    assert "append only, not Complete" in message and "foreachBatch" in message and database.account in message


def test_each_batch_costs_what_an_insert_costs(sql, database, arrive, stream, requests):
    sql(f"CREATE TABLE {database}.t (id INT, k STRING) USING parquet PARTITIONED BY (k)")
    arrive("(1, 'a')")
    stream("t")
    for k in ("a", "b"):
        arrive(f"(2, '{k}')")
    with requests() as seen:
        stream("t")
    # The last two batches, one without a new partition and one with.
    assert seen.operations[-5:] == ["GetTable", "GetPartitions", "GetTable", "GetPartitions", "BatchCreatePartition"]
