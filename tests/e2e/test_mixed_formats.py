"""Tables whose partitions are not all of one format, as ALTER TABLE … SET FILEFORMAT of Hive and crawlers leave them."""

import json
import re

import pytest

from harness import distribution, session, sql_program, text_tables
from harness.glue import PARQUET
from harness.session import message_of

pytestmark = pytest.mark.modes("named")

HIVE = "org.apache.hadoop.hive.ql.io"
ORC = {
    "InputFormat": f"{HIVE}.orc.OrcInputFormat",
    "OutputFormat": f"{HIVE}.orc.OrcOutputFormat",
    "SerdeInfo": {"SerializationLibrary": f"{HIVE}.orc.OrcSerde", "Parameters": {}},
}
ORC_BY_POSITION = {**ORC, "SerdeInfo": {"SerializationLibrary": f"{HIVE}.orc.OrcSerde",
                                        "Parameters": {"orc.column.index.access": "true"}}}
UNKNOWN = {"InputFormat": "com.acme.Input", "OutputFormat": "com.acme.Output",
           "SerdeInfo": {"SerializationLibrary": "com.acme.SerDe", "Parameters": {}}}
FORMATS = {"parquet": PARQUET, "orc": ORC}
COLUMNS = {"id": "bigint", "note": "string", "s": "struct<a:bigint,b:string>"}


class Table:
    """A table of Hive with the partition column k."""

    def __init__(self, spark, database, form, name="t", columns=COLUMNS):
        self.spark, self.database, self.name = spark, database, name
        self.root = f"file:{database.location}/{name}"
        self.columns = [{"Name": n, "Type": t} for n, t in columns.items()]
        database.put({"Name": name, "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "any"},
                      "PartitionKeys": [{"Name": "k", "Type": "int"}],
                      "StorageDescriptor": {"Columns": self.columns, "Location": self.root, **form}})

    def __str__(self):
        return f"{self.database}.{self.name}"

    def register(self, k, form):
        self.database.glue.create_partition(
            CatalogId=self.database.account, DatabaseName=self.database.name, TableName=self.name,
            PartitionInput={"Values": [str(k)], "StorageDescriptor": {
                "Columns": self.columns, "Location": f"{self.root}/k={k}", **form}})

    def add(self, k, writer, form=None, query=None):
        """Three rows, whose ids are 10 k and two more, in a file of `writer`'s format."""
        query = query or (f"SELECT {k} * 10 + id AS id, '{writer}' AS note, named_struct('a', id, 'b', 'x') AS s "
                          "FROM range(0, 3, 1, 1)")
        self.spark.sql(query).write.format(writer).save(f"{self.root}/k={k}")
        self.register(k, form or FORMATS[writer])

    def serde(self, k):
        return self.database.partitions(self.name)[str(k),]["StorageDescriptor"]["SerdeInfo"]["SerializationLibrary"]


def rows(sql, query):
    return sorted((tuple(row) for row in sql(query)), key=str)


def explained(sql, query):
    return sql(f"EXPLAIN {query}")[0][0]


@pytest.fixture
def table(spark, database):
    """Partitions 1 and 3 are ORC, 2 and 4 of the table's own format, Parquet."""
    table = Table(spark, database, PARQUET)
    for k, writer in ((1, "orc"), (2, "parquet"), (3, "orc"), (4, "parquet")):
        table.add(k, writer)
    return table


def test_each_partition_is_read_in_its_own_format(sql, table):
    assert rows(sql, f"SELECT id, note, k FROM {table} WHERE id % 10 < 2") == [
        (10, "orc", 1), (11, "orc", 1), (20, "parquet", 2), (21, "parquet", 2), (30, "orc", 3), (31, "orc", 3),
        (40, "parquet", 4), (41, "parquet", 4)]
    assert sql(f"SELECT count(*) AS n FROM {table}")[0].n == 12
    assert rows(sql, f"SELECT k, note, count(*), sum(s.a) FROM {table} GROUP BY k, note") == [
        (1, "orc", 3, 3), (2, "parquet", 3, 3), (3, "orc", 3, 3), (4, "parquet", 3, 3)]
    assert rows(sql, f"SELECT id + k FROM {table} WHERE note = 'orc' AND k > 1") == [(33,), (34,), (35,)]
    assert rows(sql, f"SELECT DISTINCT k FROM {table}") == [(1,), (2,), (3,), (4,)]


def test_a_table_of_orc_with_partitions_of_parquet(sql, spark, database):
    table = Table(spark, database, ORC)
    table.add(1, "parquet")
    table.add(2, "orc")
    assert rows(sql, f"SELECT id, s.a, note FROM {table} WHERE s.a > 1") == [(12, 2, "parquet"), (22, 2, "orc")]


def test_every_scan_is_vectorised_and_prunes_and_pushes_filters(sql, table):
    plan = explained(sql, f"SELECT id, s.a FROM {table} WHERE id > 11 AND k < 4")
    scans = [line for line in plan.splitlines() if "FileScan" in line]
    assert sorted(re.search("FileScan (\\w+)", scan)[1] for scan in scans) == ["orc", "parquet"], plan
    for scan in scans:
        assert "Batched: true" in scan and "GreaterThan(id,11)" in scan, plan
        assert "s:struct<a:bigint>" in scan and "note" not in scan, plan


def test_a_filter_that_leaves_one_format_leaves_one_scan(sql, table):
    for condition, form in (("k = 2", "parquet"), ("k IN (2, 4)", "parquet"), ("k % 2 = 0", "parquet"), ("k = 1", "orc"),
                            ("k % 2 = 1", "orc")):
        plan = explained(sql, f"SELECT id FROM {table} WHERE {condition}")
        assert "Union" not in plan and plan.count("FileScan") == 1 and f"FileScan {form}" in plan, plan
        assert {r.note for r in sql(f"SELECT note FROM {table} WHERE {condition}")} == {form}


def test_metadata(sql, table):
    found = rows(sql, f"SELECT id, _metadata.file_path, _metadata.file_size FROM {table} WHERE id % 10 = 0")
    assert [(id, re.search("k=(\\d)", path)[1]) for id, path, _ in found] == [(10, "1"), (20, "2"), (30, "3"), (40, "4")]
    assert all(size > 0 for *_, size in found)
    assert rows(sql, f"SELECT id FROM {table} WHERE _metadata.file_name LIKE '%.orc' AND id % 10 = 2") == [(12,), (32,)]
    assert rows(sql, f"SELECT _metadata.row_index FROM {table} WHERE k = 2") == [(0,), (1,), (2,)]
    with pytest.raises(Exception, match="_metadata.row_index"):
        sql(f"SELECT _metadata.row_index FROM {table}")


def test_a_join_prunes_partitions_of_every_format(sql, spark, table, database, requests):
    sql(f"CREATE TABLE {database}.days (day INT, kind STRING) USING parquet")
    sql(f"INSERT INTO {database}.days VALUES (1, 'holiday'), (2, 'holiday'), (3, 'none'), (4, 'none')")
    query = f"SELECT /*+ BROADCAST(d) */ t.id FROM {table} t JOIN {database}.days d ON t.k = d.day WHERE d.kind = 'holiday'"
    with requests() as seen:
        plan = explained(sql, query)
    assert seen.operations.count("GetPartitions") == 1, seen.operations
    assert plan.count("dynamicpruning") >= 2, plan
    with requests() as seen:
        assert rows(sql, query) == [(10,), (11,), (12,), (20,), (21,), (22,)]
    assert seen.operations.count("GetPartitions") == 1, seen.operations


def test_a_table_twice_in_a_query_is_listed_once(sql, table, requests):
    with requests() as seen:
        assert sql(f"SELECT count(*) AS n FROM {table} a JOIN {table} b ON a.id = b.id")[0].n == 12
    assert seen.operations.count("GetPartitions") == 1, seen.operations


@pytest.mark.parametrize("condition", ["", "WHERE k < 3", "WHERE id > 5", "WHERE rand() < 2 AND k < 3"])
def test_partitions_are_asked_for_once(sql, table, requests, condition):
    with requests() as seen:
        sql(f"SELECT sum(id) FROM {table} {condition}")
    assert seen.operations == ["GetTable", "GetPartitions"]


@pytest.mark.parametrize("condition", ["", "WHERE k < 3", "WHERE id > 5"])
def test_a_table_of_one_format_has_its_usual_plan(sql, spark, database, requests, condition):
    table = Table(spark, database, PARQUET)
    for k in (1, 2):
        table.add(k, "parquet")
    query = f"SELECT count(*) FROM {table} a JOIN (SELECT DISTINCT id AS i FROM {table} {condition}) ON a.id = i"
    plan = explained(sql, query)
    assert "Union" not in plan and "PartIndex" not in plan and plan.count("FileScan parquet") == 2, plan
    with requests() as seen:
        sql(query)
    assert seen.operations.count("GetPartitions") == (2 if "k <" in condition else 1), seen.operations


def test_a_plain_explain_looks_at_no_files(sql, spark, database, requests):
    table = Table(spark, database, PARQUET)
    table.register(1, ORC)
    table.register(2, PARQUET)
    with requests() as seen:
        plan = explained(sql, f"SELECT id FROM {table}")
    assert "FileScan orc" in plan and "FileScan parquet" in plan
    assert seen.operations.count("GetPartitions") == 1, seen.operations


def test_what_is_not_deterministic_is_not_repeated(sql, table):
    assert sql(f"SELECT count(DISTINCT i) AS n FROM (SELECT monotonically_increasing_id() AS i FROM {table})")[0].n == 12


def test_a_partition_that_no_reader_reads_is_refused_only_if_it_is_read(sql, spark, database, table):
    table.register(9, UNKNOWN)
    with pytest.raises(Exception) as failure:
        sql(f"SELECT * FROM {table}")
    assert f"partition k=9 of table {database.name}.t" in message_of(failure.value)
    assert "com.acme.SerDe" in message_of(failure.value)
    assert sql(f"SELECT count(*) AS n FROM {table} WHERE k < 9")[0].n == 12
    # Only Spark itself knows what this condition leaves out.
    assert sql(f"SELECT count(*) AS n FROM {table} WHERE k * 2 <> 18")[0].n == 12
    assert len(sql(f"SHOW PARTITIONS {table}")) == 5


def test_parameters_of_single_partitions(sql, spark, database):
    table = Table(spark, database, ORC, columns={"id": "bigint", "note": "string"})
    by_position = "SELECT id AS x, 'by position' AS id FROM range(0, 1, 1, 1)"
    table.add(1, "orc", ORC_BY_POSITION, by_position)
    table.add(2, "orc", ORC, "SELECT 'by name' AS note, id AS id FROM range(1, 2, 1, 1)")
    assert rows(sql, f"SELECT k, id, note FROM {table}") == [(1, 0, "by position"), (2, 1, "by name")]
    assert rows(sql, f"SELECT note FROM {table} WHERE k = 1") == [("by position",)]


def test_a_partition_by_position_in_a_pruned_scan(sql, spark, database):
    columns = {"id": "bigint", "s": "struct<a:bigint,b:string>", "l": "array<struct<x:int,y:int>>",
               "m": "map<string,struct<p:int,q:int>>"}
    table = Table(spark, database, PARQUET, columns=columns)
    names = ("id", "s", "l", "m"), ("c0", "c1", "c2", "c3")
    for k, writer, form, (id, s, l, m) in ((1, "parquet", PARQUET, names[0]), (2, "orc", ORC_BY_POSITION, names[1])):
        table.add(k, writer, form,
                  f"SELECT id AS {id}, named_struct('a', id, 'b', 'b{k}') AS {s}, array(named_struct('x', 1, 'y', {k})) "
                  f"AS {l}, map('e', named_struct('p', 1, 'q', {k})) AS {m} FROM range(7, 8, 1, 1)")
    for selected in ("s.b", "l.y", "m['e'].q", "s.b, id", "transform(l, e -> e.y)"):
        one, two = (sql(f"SELECT {selected} FROM {table} WHERE k = {k}") for k in (1, 2))
        assert str(two) == str(one).replace("b1", "b2").replace("y=1", "y=2").replace("[1]", "[2]").replace("=1)", "=2)")
    assert rows(sql, f"SELECT s.b, k FROM {table} WHERE s.a = 7") == [("b1", 1), ("b2", 2)]


def test_columns_that_a_format_lacks_are_null(sql, spark, database):
    table = Table(spark, database, PARQUET)
    table.add(1, "orc", ORC, "SELECT id FROM range(0, 1, 1, 1)")
    table.add(2, "parquet", PARQUET, "SELECT 'p' AS note FROM range(0, 1, 1, 1)")
    assert rows(sql, f"SELECT k, id, note, s.a FROM {table}") == [(1, 0, None, None), (2, None, "p", None)]


def test_directories_below_partitions_of_both_formats(sql, spark, database):
    table = Table(spark, database, PARQUET, columns={"id": "bigint"})
    for k, form in ((1, "orc"), (2, "parquet")):
        spark.range(k).write.format(form).save(f"{table.root}/k={k}/below/deeper")
        table.register(k, FORMATS[form])
    assert rows(sql, f"SELECT k, id FROM {table}") == [(1, 0), (2, 0), (2, 1)]


@pytest.mark.modes("named", "spark_catalog")
def test_a_data_source_table(sql, spark, database):
    name = f"{database}.d"
    sql(f"CREATE TABLE {name} (id INT, v STRING, k INT) USING csv OPTIONS (header 'true') PARTITIONED BY (k)")
    sql(f"INSERT INTO {name} VALUES (1, 'csv', 1), (2, 'csv', 2)")
    location = f"file:{database.location}/elsewhere"
    spark.sql("SELECT 'orc' AS v, 3 AS id FROM range(0, 1, 1, 1)").write.orc(location)
    database.glue.create_partition(
        CatalogId=database.account, DatabaseName=database.name, TableName="d",
        PartitionInput={"Values": ["3"], "StorageDescriptor": {"Location": location, **ORC}})
    assert rows(sql, f"SELECT id, v, k FROM {name}") == [(1, "csv", 1), (2, "csv", 2), (3, "orc", 3)]
    assert rows(sql, f"SELECT v FROM {name} WHERE id > 1") == [("csv",), ("orc",)]


def test_cache_and_statistics(sql, table, database):
    sql(f"CACHE TABLE cached AS SELECT * FROM {table}")
    assert sql("SELECT count(*) AS n FROM cached")[0].n == 12
    sql("UNCACHE TABLE cached")
    sql(f"ANALYZE TABLE {table} COMPUTE STATISTICS FOR COLUMNS id")
    known = {k.rpartition(".")[2]: v for k, v in database.entry("t")["Parameters"].items() if ".colStats.id." in k}
    assert (known["min"], known["max"], known["distinctCount"]) == ("10", "42", "12"), known


def test_rows_are_not_added_to_files_of_another_format(sql, table, database, requests):
    before = {k: p["StorageDescriptor"] for k, p in database.partitions("t").items()}
    row = "named_struct('a', 1, 'b', 'y')"
    for statement in (f"INSERT INTO {table} PARTITION (k = 1) SELECT 99, 'new', {row}",
                      f"INSERT INTO {table} SELECT 99 + id, 'new', {row}, id AS k FROM range(1, 6)"):
        with requests() as seen, pytest.raises(Exception) as failure:
            sql(statement)
        assert "of another format than its own in k=1" in message_of(failure.value)
        assert seen.operations == ["GetTable", "GetPartitions"]
    assert sql(f"SELECT count(*) AS n FROM {table}")[0].n == 12
    assert {k: p["StorageDescriptor"] for k, p in database.partitions("t").items()} == before
    assert not (database.location / "t" / "k=5").exists()
    # To the others they are.
    sql(f"INSERT INTO {table} SELECT 99 + id, 'new', {row}, id AS k FROM range(4, 6)")
    assert rows(sql, f"SELECT id FROM {table} WHERE k > 4 OR note = 'new'") == [(103,), (104,)]


@pytest.mark.parametrize("dynamic", [False, True])
def test_an_overwritten_partition_takes_the_table_s_format(sql, spark, table, dynamic, requests):
    row = "named_struct('a', 1, 'b', 'y')"
    if dynamic:
        spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
        statement = f"INSERT OVERWRITE {table} SELECT 99, 'new', {row}, 1"
    else:
        statement = f"INSERT OVERWRITE {table} PARTITION (k = 1) SELECT 99, 'new', {row}"
    try:
        with requests() as seen:
            sql(statement)
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    assert seen.operations == ["GetTable", "GetPartitions", "BatchGetPartition", "BatchUpdatePartition"]
    assert table.serde(1) == PARQUET["SerdeInfo"]["SerializationLibrary"]
    assert table.serde(3) == ORC["SerdeInfo"]["SerializationLibrary"]
    assert rows(sql, f"SELECT id FROM {table} WHERE k = 1") == [(99,)]
    sql(f"INSERT INTO {table} PARTITION (k = 1) SELECT 100, 'more', {row}")
    assert sql(f"SELECT count(*) AS n FROM {table}")[0].n == 11


def test_a_whole_table_is_overwritten_from_itself(sql, table):
    sql(f"INSERT OVERWRITE {table} SELECT * FROM {table} WHERE k < 4")
    assert {table.serde(k) for k in (1, 2, 3)} == {PARQUET["SerdeInfo"]["SerializationLibrary"]}
    assert rows(sql, f"SELECT count(*), count(DISTINCT note) FROM {table}") == [(9, 2)]
    assert "Union" not in explained(sql, f"SELECT * FROM {table}")


def test_load_data(sql, spark, table, database):
    spark.sql("SELECT 77L AS id FROM range(0, 1, 1, 1)").write.parquet(f"file:{database.location}/new")
    load = f"LOAD DATA INPATH 'file:{database.location}/new' {{}} INTO TABLE {table} PARTITION (k = 3)"
    with pytest.raises(Exception, match="of another format than its own in k=3"):
        sql(load.format(""))
    assert sql(f"SELECT count(*) AS n FROM {table} WHERE k = 3")[0].n == 3
    sql(load.format("OVERWRITE"))
    assert rows(sql, f"SELECT id FROM {table} WHERE k = 3") == [(77,)]


def test_a_stream_into_such_a_partition_stops(sql, spark, table, database, tmp_path):
    sql(f"CREATE TABLE {database}.events (id BIGINT, note STRING, s STRUCT<a: BIGINT, b: STRING>, k INT) USING parquet")
    sql(f"INSERT INTO {database}.events SELECT 5, 'new', named_struct('a', 1L, 'b', 'y'), 1")
    query = (spark.readStream.table(f"{database}.events").writeStream.trigger(availableNow=True)
             .option("checkpointLocation", str(tmp_path / "checkpoint")).toTable(str(table)))
    with pytest.raises(Exception, match="of another format than its own in k=1"):
        query.awaitTermination()
    assert sql(f"SELECT count(*) AS n FROM {table}")[0].n == 12


def test_an_unreadable_partition_is_healed_by_an_overwrite(sql, table):
    table.register(9, UNKNOWN)
    sql(f"INSERT OVERWRITE {table} PARTITION (k = 9) SELECT 90, 'new', NULL")
    assert rows(sql, f"SELECT id FROM {table} WHERE k > 3 AND id % 10 = 0") == [(40,), (90,)]


def avro(*fields, name="row"):
    """The SerDe of Avro with a schema of its own."""
    schema = {"type": "record", "name": name, "fields": list(fields)}
    return {"SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.serde2.avro.AvroSerDe",
                          "Parameters": {"avro.schema.literal": json.dumps(schema)}}}


def test_lines_of_text_beside_other_formats(sql, spark, database):
    """A crawler's CSV table, of which one partition has another delimiter, one is JSON and one Parquet."""
    columns = {"id": "bigint", "note": "string", "s": "struct<a:bigint,b:string>"}
    place = database.location / "t"
    csv = text_tables.descriptor(place, [], text_tables.LAZY, {"field.delim": ",", "collection.delim": ":"})
    of = {1: csv, 2: text_tables.descriptor(place, [], text_tables.LAZY, {"field.delim": "|"}),
          3: text_tables.descriptor(place, [], "org.openx.data.jsonserde.JsonSerDe", {})}
    form = {k: {n: v for n, v in d.items() if n not in ("Columns", "Location")} for k, d in of.items()}
    table = Table(spark, database, form[1], columns=columns)
    for k, line in ((1, "10,one,1:x"), (2, "20|one,two|2:y"), (3, '{"ID": 30, "note": "three", "S": {"a": 3, "b": "z"}}')):
        text_tables.write(place / f"k={k}" / "f", line + "\n")
        table.register(k, form[k])
    table.add(4, "parquet", query="SELECT 40L AS id, 'four' AS note, named_struct('a', 4L, 'b', 'w') AS s")
    assert rows(sql, f"SELECT id, note, s.b, k FROM {table}") == [
        (10, "one", "x", 1), (20, "one,two", "y", 2), (30, "three", "z", 3), (40, "four", "w", 4)]
    assert rows(sql, f"SELECT s.a FROM {table} WHERE k IN (2, 4) AND id > 5") == [(2,), (4,)]
    # A line that cannot be read names the table, in whatever partition it is.
    text_tables.write(place / "k=3" / "g", '{"id": \n')
    with pytest.raises(Exception, match=rf"table {database.name}.t: row 1 of .*k=3/g"):
        sql(f"SELECT id FROM {table}")
    with pytest.raises(Exception, match="another format"):
        sql(f"INSERT INTO {table} PARTITION (k = 2) VALUES (21, 'more', NULL)")
    sql(f"INSERT INTO {table} PARTITION (k = 1) VALUES (11, 'more', NULL)")
    sql(f"INSERT OVERWRITE {table} PARTITION (k = 3) VALUES (31, 'new', named_struct('a', 5L, 'b', 'v'))")
    assert table.serde(3) == text_tables.LAZY
    assert rows(sql, f"SELECT id, note, s.b FROM {table}") == [
        (10, "one", "x"), (11, "more", None), (20, "one,two", "y"), (31, "new", "v"), (40, "four", "w")]


def test_three_formats_and_two_schemas_of_avro(spark, database, server, jars, line, scratch):
    """In a program of its own, which has Spark's jar for Avro."""
    table = Table(spark, database, PARQUET, columns={"id": "bigint", "s": "struct<a:int,b:string>"})
    nested = {"type": "record", "name": "s", "fields": [{"name": "a", "type": "int"}, {"name": "b", "type": "string"}]}
    added = {"name": "id", "type": "long", "default": 99}
    forms = {1: ("avro", avro({"name": "id", "type": "long"}, {"name": "s", "type": nested})), 2: ("orc", ORC),
             3: ("parquet", PARQUET), 4: ("avro", avro(added, {"name": "s", "type": nested}))}
    written = []
    for k, (form, descriptor) in forms.items():
        table.register(k, descriptor)
        ident = "" if k == 4 else f"{k}L AS id, "
        written.append(f"INSERT OVERWRITE DIRECTORY '{table.root}/k={k}' USING {form} "
                       f"SELECT {ident}named_struct('a', {k}, 'b', '{form}') AS s")
    queries = [f"SELECT k, id, s.b, s.a FROM {table} ORDER BY k", f"SELECT k FROM {table} WHERE s.a > 1 AND k <> 2",
               f"SELECT s.b FROM {table} WHERE k = 1", f"INSERT INTO {table} VALUES (1, NULL, 4)",
               f"INSERT OVERWRITE {table} PARTITION (k = 4) SELECT 7, NULL", f"SELECT id FROM {table} WHERE k = 4"]
    conf = {**session.base_conf([*jars, *distribution.avro_jars(line.spark)], scratch / "avro"),
            **session.named_catalogs(server.endpoint)}
    answers = sql_program.run(conf, written + queries, {"AWS_ACCESS_KEY_ID": database.account,
                                                        "AWS_SECRET_ACCESS_KEY": "secret"}, timeout=600)
    assert not [a for a in answers[:len(written)] if "error" in a]
    every, filtered, one, appended, overwritten, healed = answers[len(written):]
    assert every["rows"] == [[1, 1, "avro", 1], [2, 2, "orc", 2], [3, 3, "parquet", 3], [4, 99, "avro", 4]], every
    assert sorted(filtered["rows"]) == [[3], [4]] and one["rows"] == [["avro"]]
    assert "k=4" in appended["error"] and "error" not in overwritten and healed["rows"] == [[7]]
