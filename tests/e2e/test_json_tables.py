"""Tables of JSON lines with the SerDes of openx and of Hive, none of whose classes Spark has."""

import datetime
import json
from decimal import Decimal

import pytest

from harness.text_tables import lines, put, register, write

pytestmark = pytest.mark.modes("named")

OPENX = "org.openx.data.jsonserde.JsonSerDe"
HCATALOG = "org.apache.hive.hcatalog.data.JsonSerDe"
HIVE = "org.apache.hadoop.hive.serde2.JsonSerDe"
ALL = pytest.mark.parametrize("serde", [OPENX, HCATALOG, HIVE], ids=["openx", "hcatalog", "hive"])


@ALL
def test_a_crawled_table_is_read_with_its_partitions(rows, database, requests, serde):
    root = database.location / "t"
    columns = [("id", "int"), ("user", "struct<name:string,tags:array<string>>"), ("m", "map<string,bigint>"),
               ("price", "decimal(6,2)"), ("at", "timestamp")]
    table = put(database, "t", root, columns, serde, {"paths": "at,id,m,price,user"}, [("day", "string")],
                classification="json")
    for day in ("1", "2"):
        text = json.dumps({"ID": int(day), "User": {"Name": "ü", "TAGS": ["a", None]}, "m": {"k": 5}, "price": 1.5,
                           "at": "2020-01-02 03:04:05.6", "unknown": {"deep": [1]}}) + '\n{"id": 9}\n'
        register(database, "t", [day], table, write(root / day / f"part{'.gz' if day == '2' else ''}", text))
    with requests() as seen:
        found = rows(f"SELECT * FROM {database}.t WHERE day = '2' ORDER BY id")
    assert found == [(2, ("ü", ["a", None]), {"k": 5}, Decimal("1.50"),
                      datetime.datetime(2020, 1, 2, 3, 4, 5, 600000), "2"), (9, None, None, None, None, "2")]
    assert seen.operations == ["GetTable", "GetPartitions"]
    assert rows(f"SELECT user.tags[0] FROM {database}.t WHERE id = 1") == [("a",)]
    assert rows(f"SELECT count(*) FROM {database}.t") == [(4,)]


@ALL
def test_a_malformed_line_is_an_error_or_a_row_of_nulls(rows, database, serde):
    root = write(database.location / "t" / "f.json", '{"id": 1}\n{"id": \n')
    put(database, "t", root, [("id", "int")], serde)
    with pytest.raises(Exception, match=rf"table {database.name}.t: row 2 of .*f\.json cannot be read by {serde}"):
        rows(f"SELECT * FROM {database}.t")
    put(database, "lenient", root, [("id", "int")], serde, {"ignore.malformed.json": "true"})
    assert rows(f"SELECT * FROM {database}.lenient") == [(1,), (None,)]


def test_parameters_of_openx_count(rows, database):
    root = write(database.location / "t" / "f", '{"Time.Stamp": "x", "a.b": 1, "id": "7", "Up": 1}\n\nplain text\n[1, 2]\n')
    put(database, "t", root, [("ts", "string"), ("a_b", "int"), ("id", "int"), ("up", "int")], OPENX,
        {"case.insensitive": "TRUE", "dots.in.keys": "TRUE", "mapping.ts": "time.stamp"})
    assert rows(f"SELECT * FROM {database}.t") == sorted(
        [("x", 1, 7, 1), (None,) * 4, (None,) * 4, ("1", 2, None, None)], key=str)


def test_parts_of_a_file_give_each_line_once(rows, spark, database):
    text = "".join(json.dumps({"Id": n, "v": "x" * (n % 50)}) + "\n" for n in range(300))
    root = write(database.location / "t" / "f", text)
    put(database, "t", root, [("id", "int"), ("v", "string")], OPENX)
    spark.conf.set("spark.sql.files.maxPartitionBytes", "101")
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    try:
        assert rows(f"SELECT count(*), count(DISTINCT id), sum(id) FROM {database}.t") == [(300, 300, 44850)]
    finally:
        spark.conf.unset("spark.sql.files.maxPartitionBytes")
        spark.conf.unset("spark.sql.files.openCostInBytes")


@pytest.mark.parametrize("serde, second", [
    (OPENX, '{"id":2}'), (HCATALOG, '{"id":2,"name":null,"s":null,"d":null}')], ids=["openx", "hcatalog"])
def test_rows_are_written_as_lines(rows, database, serde, second):
    root = database.location / "t"
    put(database, "t", root, [("id", "int"), ("name", "string"), ("s", "struct<x:array<int>>"), ("d", "date")], serde,
        keys=[("k", "string")])
    rows(f"INSERT INTO {database}.t VALUES (1, 'a\\n\"b', named_struct('x', array(1, 2)), DATE '2020-01-02', 'p'), "
         "(2, NULL, NULL, NULL, 'q')")
    assert lines(root / "k=p") == ['{"id":1,"name":"a\\n\\"b","s":{"x":[1,2]},"d":"2020-01-02"}']
    assert lines(root / "k=q") == [second]
    assert rows(f"SELECT * FROM {database}.t") == [
        (1, 'a\n"b', ([1, 2],), datetime.date(2020, 1, 2), "p"), (2, None, None, None, "q")]
    assert database.partitions("t")[("p",)]["StorageDescriptor"]["SerdeInfo"]["SerializationLibrary"] == serde


def test_what_the_parser_refuses_names_the_table(rows, database):
    root = write(database.location / "t" / "f", "{}\n")
    put(database, "t", root, [("t", "timestamp")], OPENX, {"timestamp.formats": "not a pattern"})
    with pytest.raises(Exception, match=f"table {database.name}.t cannot be used: {OPENX} refuses"):
        rows(f"SELECT * FROM {database}.t")
    put(database, "headed", root, [("id", "int")], OPENX, **{"skip.header.line.count": "1"})
    with pytest.raises(Exception, match=f"table {database.name}.headed has files that begin with a line that is no row"):
        rows(f"INSERT INTO {database}.headed VALUES (1)")
