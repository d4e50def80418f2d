"""Tables of text files that a SerDe reads: LazySimpleSerDe, OpenCSVSerde, RegexSerDe, and others by their class."""

import datetime
import json
import re
from decimal import Decimal

import pytest

from harness import session, sql_program
from harness.text_tables import (LAZY, OPEN_CSV, REGEX, jar_of_own_serde, lines, put, register, spark_without_hive,
                                 write)

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def conf(spark):
    """Sets a setting of the session for the test."""
    before = {}

    def set_one(name, value):
        before.setdefault(name, spark.conf.get(name, None))
        spark.conf.set(name, value)
    yield set_one
    for name, value in before.items():
        spark.conf.set(name, value) if value is not None else spark.conf.unset(name)


# ---- LazySimpleSerDe ----

def test_a_crawled_csv_table_is_read_with_its_partitions(rows, database, requests):
    columns = [("id", "bigint"), ("name", "string"), ("amount", "double")]
    root = database.location / "t"
    table = put(database, "t", root, columns, LAZY, {"field.delim": ","}, [("year", "string")],
                **{"skip.header.line.count": "1"})
    for year in ("2023", "2024"):
        place = write(root / year / "part.csv", f"id,name,amount\n1,{year},1.5\n2,b\n\nx,c,1e3,extra\n")
        register(database, "t", [year], table, place)
    with requests() as seen:
        found = rows(f"SELECT id, name, amount, year FROM {database}.t WHERE year = '2024'")
    assert found == [(1, "2024", 1.5, "2024"), (2, "b", None, "2024"), (None, "c", 1000.0, "2024"),
                     (None, None, None, "2024")]
    assert seen.operations == ["GetTable", "GetPartitions"]
    assert rows(f"SELECT amount FROM {database}.t WHERE id = 1 AND year = '2023'") == [(1.5,)]
    assert rows(f"SELECT count(*) FROM {database}.t") == [(8,)]


def test_values_are_read_as_hive_reads_them(rows, database):
    columns = [("i", "int"), ("s", "string"), ("b", "boolean"), ("d", "decimal(6,2)"), ("day", "date"),
               ("t", "timestamp"), ("c", "char(3)"), ("v", "varchar(2)")]
    root = write(database.location / "t" / "f", "\n".join([
        r"\N|\N|\N|\N|\N|\N|\N|\N",
        '3.9|"q"|TRUE|1.005|2020-1-2|2020-01-02 03:04:05.6|a|xyz',
        "+5||true|2|2020-02-30|2020-01-02T03:04:05|abcd|",
        " 1|a b|1|1e2|18263|2020-01-02|||",
        "99999999999|plain|yes|12345.678",
    ]) + "\n")
    put(database, "t", root, columns, LAZY, {"field.delim": "|"})
    assert rows(f"SELECT i, s, b, d FROM {database}.t") == sorted([
        (None, None, None, None), (3, '"q"', True, Decimal("1.01")), (5, "", True, Decimal("2.00")),
        (None, "a b", None, Decimal("100.00")), (None, "plain", None, None)], key=str)
    assert rows(f"SELECT day, t, c, v FROM {database}.t WHERE i = 3") == [
        (datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 600000), "a  ", "xy")]


def test_nested_values_by_their_delimiters(rows, database):
    columns = [("id", "int"), ("a", "array<string>"), ("m", "map<string,int>"), ("s", "struct<x:int,y:array<int>>")]
    root = write(database.location / "t" / "f", "1\ta,b\tk:1,l:2\t7,8:9\n2\t\t\t\n3\tNULL\tNULL\tNULL\n4\ta\\,b\n")
    put(database, "t", root, columns, LAZY,
        {"field.delim": "\t", "collection.delim": ",", "mapkey.delim": ":", "escape.delim": "\\",
         "serialization.null.format": "NULL"})
    assert rows(f"SELECT * FROM {database}.t ORDER BY id") == [
        (1, ["a", "b"], {"k": 1, "l": 2}, (7, [8, 9])),
        (2, [], {}, (None, None)),
        (3, None, None, None),
        (4, ["a,b"], None, None)]
    assert rows(f"SELECT id FROM {database}.t WHERE s.y[1] = 9") == [(1,)]


def test_only_the_first_character_of_a_delimiter_counts(rows, database):
    root = write(database.location / "t" / "f", "a||b\n")
    put(database, "t", root, [("x", "string"), ("y", "string"), ("z", "string")], LAZY, {"field.delim": "||"})
    assert rows(f"SELECT * FROM {database}.t") == [("a", "", "b")]


def test_parameters_of_the_table_count_for_the_serde(rows, database):
    root = write(database.location / "t" / "f", "-,02/01/2020 03:04\n")
    put(database, "t", root, [("x", "string"), ("t", "timestamp")], LAZY, {"field.delim": ","},
        **{"serialization.null.format": "-", "timestamp.formats": "dd/MM/yyyy HH:mm"})
    assert rows(f"SELECT * FROM {database}.t") == [(None, datetime.datetime(2020, 1, 2, 3, 4))]


def test_times_are_in_the_zone_of_the_session(rows, database, conf):
    root = write(database.location / "t" / "f", "2020-07-01 12:00:00\n")
    put(database, "t", root, [("t", "timestamp")])
    conf("spark.sql.session.timeZone", "Asia/Tokyo")
    assert rows(f"SELECT string(t), unix_seconds(t) FROM {database}.t") == [("2020-07-01 12:00:00", 1593572400)]
    rows(f"INSERT INTO {database}.t VALUES (TIMESTAMP '2021-07-01 12:00:00')")
    assert lines(root) == ["2020-07-01 12:00:00", "2021-07-01 12:00:00"]


# ---- Files and lines ----

def test_parts_of_a_file_give_each_line_once(rows, database, conf):
    text = "id,name\n" + "".join(f"{n},name {'x' * (n % 40)}\r\n" for n in range(500))
    root = write(database.location / "t" / "f.csv", text)
    put(database, "t", root, [("id", "int"), ("name", "string")], LAZY, {"field.delim": ","},
        **{"skip.header.line.count": "1"})
    conf("spark.sql.files.maxPartitionBytes", "97")
    conf("spark.sql.files.openCostInBytes", "0")
    assert rows(f"SELECT count(*), count(DISTINCT id), sum(id), max(length(name)) FROM {database}.t") == [
        (500, 500, 124750, 44)]
    assert rows(f"SELECT count(DISTINCT _metadata.file_block_start) > 20 FROM {database}.t") == [(True,)]


@pytest.mark.parametrize("name", ["f.csv", "f.csv.gz"])
def test_headers_and_footers_are_left_out_of_each_file(rows, database, conf, name):
    text = "a long title, of the file\nid,name\n1,a\n2,b\ntotal,2\n"
    root = write(database.location / "t" / name, text)
    write(database.location / "t" / "below" / name, "title\nid,name\n3,c\ntotal,1\n")
    write(database.location / "t" / ("short" + name), "title\n")
    put(database, "t", root, [("id", "int"), ("name", "string")], LAZY, {"field.delim": ","},
        **{"skip.header.line.count": "2", "skip.footer.line.count": "1"})
    conf("spark.sql.files.maxPartitionBytes", "8")
    assert rows(f"SELECT * FROM {database}.t ORDER BY id") == [(1, "a"), (2, "b"), (3, "c")]


def test_lines_may_end_otherwise(rows, database):
    root = write(database.location / "t" / "f", "1,a\nb;2,c;")
    put(database, "t", root, [("id", "int"), ("v", "string")], LAZY, {"field.delim": ",", "line.delim": ";"})
    assert rows(f"SELECT * FROM {database}.t ORDER BY id") == [(1, "a\nb"), (2, "c")]


def test_a_stream_reads_what_arrives(spark, rows, database, scratch):
    root = write(database.location / "t" / "f", "1;'a;b'\n")
    put(database, "t", root, [("id", "int"), ("v", "string")], OPEN_CSV, {"separatorChar": ";", "quoteChar": "'"})
    query = (spark.readStream.table(f"{database}.t").writeStream.format("memory").queryName("text_stream")
             .option("checkpointLocation", str(scratch / f"{database.name}_checkpoint"))
             .trigger(availableNow=True).start())
    query.awaitTermination()
    assert rows("SELECT * FROM text_stream") == [(1, "a;b")]


# ---- OpenCSVSerde ----

def test_quotes_and_escapes(rows, database):
    root = write(database.location / "t" / "f", "\n".join([
        'a,"b,""c""",d', r'"x\"y",\N,a\nb', '"un"q,mid"dle"x, s ', r"a\,b,c", "", "only", "1,2,3,4", '"open,2,3', "z,,"]) + "\n")
    put(database, "t", root, [("x", "string"), ("y", "string"), ("z", "string")], OPEN_CSV)
    assert rows(f"SELECT * FROM {database}.t") == sorted([
        ("a", 'b,"c"', "d"), ('x"y', "N", "anb"), ('un"q', 'mid"dle"x', " s "), ("a", "b", "c"), (None, None, None),
        ("only", None, None), ("1", "2", "3"), (None, None, None), ("z", "", "")], key=str)


def test_declared_types_are_those_of_athena(rows, database):
    columns = [("i", "int"), ("l", "bigint"), ("f", "double"), ("b", "boolean"), ("d", "date"), ("t", "timestamp"),
               ("n", "decimal(5,2)")]
    root = write(database.location / "t" / "f", "i\tl\tf\tb\td\tt\tn\n'7'\t'8'\t1.5\tTRUE\t18263\t1577934245600\t1.5\n")
    put(database, "t", root, columns, OPEN_CSV, {"separatorChar": "\t", "quoteChar": "'"},
        **{"skip.header.line.count": "1"})
    assert rows(f"SELECT * FROM {database}.t") == [
        (7, 8, 1.5, True, datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 600000), Decimal("1.50"))]
    assert rows(f"SELECT l FROM {database}.t WHERE d = DATE '2020-01-02'") == [(8,)]


def test_what_is_no_number_is_an_error_or_null(rows, database):
    root = write(database.location / "t" / "f.csv", '1,""\n2,5\n3,x\n')
    put(database, "t", root, [("id", "int"), ("n", "int")], OPEN_CSV)
    with pytest.raises(Exception, match=rf"table {database.name}.t: row 1 of .*f\.csv .*'' in column n is no int"):
        rows(f"SELECT n FROM {database}.t")
    # What is not asked for is not looked at.
    assert rows(f"SELECT id FROM {database}.t") == [(1,), (2,), (3,)]
    put(database, "lenient", root, [("id", "int"), ("n", "int")], OPEN_CSV, **{"use.null.for.invalid.data": "TRUE"})
    assert rows(f"SELECT * FROM {database}.lenient ORDER BY id") == [(1, None), (2, 5), (3, None)]


def test_opencsv_holds_no_nested_values(rows, database):
    root = write(database.location / "t" / "f", "1\n")
    put(database, "t", root, [("a", "array<int>")], OPEN_CSV)
    with pytest.raises(Exception, match=f"table {database.name}.t has the column a of type array<int>"):
        rows(f"SELECT * FROM {database}.t")


# ---- RegexSerDe and other classes ----

def test_groups_of_a_regular_expression_are_columns(rows, database):
    root = write(database.location / "t" / "f", "h1 200\nh2 404 x\nnonsense\n")
    put(database, "t", root, [("host", "string"), ("status", "int"), ("rest", "string")], REGEX,
        {"input.regex": r"^(\S+) (\d+)(?: (.*))?$"})
    assert rows(f"SELECT * FROM {database}.t") == sorted(
        [("h1", 200, None), ("h2", 404, "x"), (None, None, None)], key=str)
    with pytest.raises(Exception, match=f"table {database.name}.t is read with the SerDe .*RegexSerDe.*reads only"):
        rows(f"INSERT INTO {database}.t VALUES ('h', 1, '')")


def test_groups_that_are_not_as_many_as_columns(rows, database):
    root = write(database.location / "t" / "f.log", "a b\n")
    put(database, "t", root, [("x", "string")], REGEX, {"input.regex": r"(\S+) (\S+)"})
    with pytest.raises(Exception, match=rf"table {database.name}.t: row 1 of .*f\.log cannot be read by .*RegexSerDe"):
        rows(f"SELECT * FROM {database}.t")


@pytest.mark.parametrize("parameters, why", [({}, "input.regex"), ({"input.regex": "("}, "Unclosed group")])
def test_parameters_that_the_serde_refuses(rows, database, parameters, why):
    root = write(database.location / "t" / "f", "a\n")
    put(database, "t", root, [("x", "string")], REGEX, parameters)
    with pytest.raises(Exception, match=f"table {database.name}.t cannot be used: .*RegexSerDe refuses.*{why}"):
        rows(f"SELECT * FROM {database}.t")


def test_a_class_that_is_missing_is_named(rows, sql, database):
    root = write(database.location / "t" / "f", "1||a\n")
    put(database, "t", root, [("id", "int"), ("v", "string")], "org.apache.hadoop.hive.serde2.MultiDelimitSerDe",
        {"field.delim": "||"})
    assert [r.col_name for r in sql(f"DESCRIBE {database}.t")] == ["id", "v"]
    with pytest.raises(Exception, match=f"table {database.name}.t is read with the SerDe .*MultiDelimitSerDe, which is not "
                                        "on the class path: add its jar"):
        rows(f"SELECT * FROM {database}.t")


@pytest.mark.parametrize("name", ["java.lang.String", "org.apache.spark.sql.gluecat.files.serde.TextSerDeFormat"])
def test_a_class_that_is_no_serde_is_not_run(rows, database, name):
    root = write(database.location / "t" / "f", "1\n")
    put(database, "t", root, [("id", "int")], name)
    with pytest.raises(Exception, match=f"table {database.name}.t names the class {name} as its SerDe, which is none"):
        rows(f"SELECT * FROM {database}.t")


def test_a_serde_of_ones_own_by_its_jar(rows, sql, database, scratch):
    root = write(database.location / "t" / "f.txt", "7 a 2020-01-02\n8\nx b\n")
    put(database, "t", root, [("n", "int"), ("v", "string"), ("d", "date")], "UpperCaseSerDe")
    with pytest.raises(Exception, match=f"table {database.name}.t is read with the SerDe UpperCaseSerDe, which is not on"):
        rows(f"SELECT * FROM {database}.t")
    sql(f"ADD JAR {jar_of_own_serde(scratch / database.name)}")
    assert rows(f"SELECT * FROM {database}.t") == sorted(
        [(7, "A", datetime.date(2020, 1, 2)), (8, None, None), (None, "B", None)], key=str)
    write(root / "g.txt", "1 a\nfail\n")
    with pytest.raises(Exception, match=rf"table {database.name}.t: row 2 of .*g\.txt cannot be read by UpperCaseSerDe: .*"
                                        rf"a line of {database.name}.t that says so.*Mend the file"):
        rows(f"SELECT * FROM {database}.t")
    with pytest.raises(Exception, match=f"table {database.name}.t is read with the SerDe UpperCaseSerDe, which reads only"):
        rows(f"INSERT INTO {database}.t VALUES (1, 'a', NULL)")


def test_without_hives_jars_the_error_says_which_are_missing(database, server, jars, scratch):
    root = write(database.location / "t" / "f", "1\n")
    put(database, "t", root, [("id", "int")])
    home = scratch / f"{database.name}_home"
    conf = {**session.base_conf(jars, home / "warehouse"), **session.named_catalogs(server.endpoint)}
    environment = {"AWS_ACCESS_KEY_ID": database.account, "AWS_SECRET_ACCESS_KEY": "secret",
                   "SPARK_HOME": str(spark_without_hive(home))}
    described, read = sql_program.run(conf, [f"DESCRIBE {database}.t", f"SELECT * FROM {database}.t"], environment)
    assert described["rows"] == [["id", "int", None]]
    assert re.search(f"table {database.name}.t is read with .*LazySimpleSerDe, which needs org.apache.*hive.*, and that is "
                     "not on the class path.*hive-serde", read["error"]), read


# ---- Writing ----

@pytest.mark.parametrize("serde, parameters, second, expected", [
    (LAZY, {"field.delim": ",", "escape.delim": "\\"}, "(2, NULL, NULL, NULL, NULL)",
     ["1,a\\,b,1.50,2020-01-02,2020-01-02 03:04:05.6", "2,\\N,\\N,\\N,\\N"]),
    (OPEN_CSV, {}, "(2, NULL, 0, DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.9999')",
     ['"1","a,b","1.50","18263","1577934245600"', '"2",,"0.00","-1","-1"']),
])
def test_rows_are_written_as_the_serde_reads_them(rows, database, serde, parameters, second, expected):
    root = database.location / "t"
    put(database, "t", root, [("id", "int"), ("v", "string"), ("n", "decimal(5,2)"), ("d", "date"), ("t", "timestamp")],
        serde, parameters)
    rows(f"INSERT INTO {database}.t VALUES (1, 'a,b', 1.5, DATE '2020-01-02', TIMESTAMP '2020-01-02 03:04:05.6'), {second}")
    assert lines(root) == expected
    assert rows(f"SELECT id, v, n, d, t FROM {database}.t WHERE id = 1") == [
        (1, "a,b", Decimal("1.50"), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 600000))]
    assert rows(f"SELECT count(*) FROM {database}.t") == [(2,)]


def test_opencsv_cannot_write_null_as_a_number(rows, database):
    root = database.location / "t"
    put(database, "t", root, [("id", "int"), ("n", "int")], OPEN_CSV)
    with pytest.raises(Exception, match=f"table {database.name}.t: column n of type int is NULL in a row"):
        rows(f"INSERT INTO {database}.t VALUES (1, NULL)")
    put(database, "lenient", root, [("id", "int"), ("n", "int")], OPEN_CSV, **{"use.null.for.invalid.data": "true"})
    rows(f"INSERT INTO {database}.lenient VALUES (1, NULL)")
    assert rows(f"SELECT * FROM {database}.lenient") == [(1, None)]


def test_inserts_register_partitions_in_the_tables_format(rows, database):
    root = database.location / "t"
    put(database, "t", root, [("id", "int"), ("m", "map<string,array<int>>")], LAZY, {"field.delim": ";"},
        [("k", "string")], **{"skip.header.line.count": "1", "write.compression": "GZIP"})
    before = database.entry("t")
    rows(f"INSERT INTO {database}.t VALUES (1, map('a', array(1, 2)), 'x'), (2, NULL, 'y')")
    rows(f"INSERT OVERWRITE {database}.t PARTITION (k = 'x') SELECT 3, map()")
    assert rows(f"SELECT * FROM {database}.t") == [(2, None, "y"), (3, {}, "x")]
    assert lines(root / "k=x") == ["3;", "id;m"]
    assert [path.suffix for path in (root / "k=y").glob("part*")] == [".gz"]
    assert {v: p["StorageDescriptor"]["SerdeInfo"] for v, p in database.partitions("t").items()} == {
        ("x",): before["StorageDescriptor"]["SerdeInfo"], ("y",): before["StorageDescriptor"]["SerdeInfo"]}
    assert database.entry("t")["StorageDescriptor"] == before["StorageDescriptor"]


def test_a_line_break_in_a_value_is_refused(rows, database):
    put(database, "t", database.location / "t", [("v", "string")])
    with pytest.raises(Exception, match=f"table {database.name}.t: a value holds a line break"):
        rows(f"INSERT INTO {database}.t VALUES ('a\\nb')")
    assert rows(f"SELECT * FROM {database}.t") == []


@pytest.mark.parametrize("parameters, why", [({"skip.header.line.count": "2"}, "begin with 2 lines"),
                                             ({"skip.footer.line.count": "1"}, "skip.footer.line.count")])
def test_what_cannot_be_written_is_refused_and_partitions_are_not(rows, sql, database, parameters, why):
    root = database.location / "t"
    put(database, "t", root, [("id", "int")], keys=[("k", "string")], **parameters)
    with pytest.raises(Exception, match=f"table {database.name}.t has files that {why if 'begin' in why else '.*' + why}"):
        rows(f"INSERT INTO {database}.t VALUES (1, 'x')")
    place = write(root / "elsewhere" / "f", "h\n1\n2\n3\n")
    sql(f"ALTER TABLE {database}.t ADD PARTITION (k = 'x') LOCATION 'file:{place}'")
    assert rows(f"SELECT max(id) FROM {database}.t") == ([(3,)] if "begin" in why else [(2,)])


def test_such_a_table_cannot_be_created(sql, database):
    with pytest.raises(Exception, match="provider hive-text .*cannot be created"):
        sql(f"CREATE TABLE {database}.t (id INT) USING `hive-text`")


# ---- Next to Hive tables of Spark ----

SAME = {
    "lazy": (LAZY, {"field.delim": ",", "colelction.delim": "|", "mapkey.delim": ":", "escape.delim": "\\",
                    "serialization.null.format": "nil"},
             "i int, l bigint, f float, n decimal(8,3), b boolean, s string, d date, t timestamp, bin binary, "
             "a array<double>, m map<string,int>, st struct<x:int,y:string>",
             ["1,2,3.5,4.5678,true,text,2020-01-02,2020-01-02 03:04:05,YWI=,1|2.5|x,k:1|l:z|n,5|five",
              "nil,nil,nil,nil,nil,nil,nil,nil,nil,nil,nil,nil", "", ",,,,,,,,,,,", " 1, 2, 3, 4,True , s ,2020-1-2 ,2020-1-2 3:4:5",
              "-0,+7,1e3,1e3,FALSE,a\\,b,1500-01-01,1500-01-01 00:00:00,???,||,:|:,|", "0x1F,1_0,NaN,-,t,\\\\,2020-13-01,x",
              "128,9223372036854775808,Infinity,123456.7,1,ü€,2020-06-31,2020-01-02 25:00:00,,1,a,1|2|3,more,fields",
              "2147483648,1L,1f,00012.50,false,\ttab,1582-10-10,1970-01-01 00:00:00.123456789"]),
    "regex": (REGEX, {"input.regex": r"(\S*) ?(\d+)?", "input.regex.case.insensitive": "true"}, "a string, n int",
              ["x 1", "x", "", " 2", "x y z", "x 99999999999"]),
    "opencsv": (OPEN_CSV, {"separatorChar": ";", "quoteChar": "'", "escapeChar": "/"}, "a string, b string, c string",
                ["a;b;c", "'a;b';'it''s'", "/'x;y", "", ";;", "a;'b", "'a'b;c", " a ; b ; c ", "a;b;c;d", "'/n';/n;'/;'"]),
}


@pytest.fixture(scope="module")
def hive_answers(scratch):
    """The directory of each case's file, and the rows that a Hive table of Spark's own catalog has over it."""
    home = scratch / "text_in_hive"
    conf = session.hive_conf(home)
    conf["spark.driver.extraJavaOptions"] += " -Duser.timezone=UTC"
    statements = []
    for name, (serde, parameters, schema, text) in SAME.items():
        root = write(home / name / "f", "\n".join(text) + "\n")
        quoted = ", ".join("'{}' = '{}'".format(k, v.replace("\\", "\\\\").replace("'", "\\'"))
                           for k, v in parameters.items())
        statements += [f"CREATE EXTERNAL TABLE {name} ({schema}) ROW FORMAT SERDE '{serde}' "
                       f"WITH SERDEPROPERTIES ({quoted}) STORED AS TEXTFILE LOCATION 'file:{root}'",
                       f"SELECT * FROM {name}"]
    answers = sql_program.run(conf, statements, timeout=300)
    assert all("error" not in a for a in answers), answers
    return {name: (home / name, answers[2 * n + 1]["rows"]) for n, name in enumerate(SAME)}


@pytest.mark.parametrize("name", SAME)
def test_gives_the_rows_of_sparks_hive_table(sql, database, hive_answers, name):
    serde, parameters, schema, text = SAME[name]
    root, expected = hive_answers[name]
    put(database, name, root, [tuple(c.split(" ", 1)) for c in schema.split(", ")], serde, parameters)
    ours = json.loads(json.dumps([list(r) for r in sql(f"SELECT * FROM {database}.{name}")], default=str))
    assert len(ours) == len(text)
    assert [str(r) for r in ours] == [str(r) for r in expected]
