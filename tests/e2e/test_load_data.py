"""LOAD DATA: files become files of a table, moved or copied."""

import pytest

from harness.session import message_of

pytestmark = pytest.mark.modes("named")


@pytest.fixture
def csv(sql, database):
    sql(f"CREATE TABLE {database}.t (id INT, v STRING, k INT) USING csv PARTITIONED BY (k)")
    return f"{database}.t"


def put(folder, **files: str):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def rows(sql, table: str) -> list[tuple]:
    return sorted(tuple(row) for row in sql(f"SELECT * FROM {table}"))


def test_moves_files_into_a_new_partition(sql, database, csv, tmp_path, requests):
    source = put(tmp_path / "in", a="1,x\n", b="2,y\n")
    put(source, _hidden="9,hidden\n")
    with requests() as seen:
        sql(f"LOAD DATA INPATH 'file:{source}' INTO TABLE {csv} PARTITION (K = '07')")
    assert seen.operations == ["GetTable", "GetPartitions", "BatchCreatePartition"]
    assert rows(sql, csv) == [(1, "x", 7), (2, "y", 7)]
    assert [p.name for p in source.iterdir()] == ["_hidden.csv"]


def test_copies_local_files_and_takes_free_names(sql, database, csv, tmp_path):
    source = put(tmp_path / "in", a="1,x\n")
    for _ in range(2):
        sql(f"LOAD DATA LOCAL INPATH '{source}/*.csv' INTO TABLE {csv} PARTITION (k = 1)")
    assert rows(sql, csv) == [(1, "x", 1), (1, "x", 1)] and (source / "a.csv").exists()
    names = sorted(p.name for p in (database.location / "t" / "k=1").iterdir() if not p.name.startswith("."))
    assert names == ["a.csv", "a_copy_1.csv"]


@pytest.mark.parametrize("local", ["LOCAL", ""])
def test_files_of_one_name_in_several_directories_all_arrive(sql, csv, tmp_path, local):
    for n in (1, 2, 3):
        put(tmp_path / "in" / f"part{n}", a=f"{n},x\n")
    sql(f"LOAD DATA {local} INPATH 'file:{tmp_path}/in/part*' INTO TABLE {csv} PARTITION (k = 1)")
    assert rows(sql, csv) == [(1, "x", 1), (2, "x", 1), (3, "x", 1)]


def test_goes_where_the_partition_lies(sql, database, csv, tmp_path):
    sql(f"ALTER TABLE {csv} ADD PARTITION (k = 3) LOCATION 'file:{tmp_path}/elsewhere'")
    source = put(tmp_path / "in", a="3,z\n")
    sql(f"LOAD DATA LOCAL INPATH '{source}' INTO TABLE {csv} PARTITION (k = 3)")
    assert rows(sql, csv) == [(3, "z", 3)] and (tmp_path / "elsewhere" / "a.csv").exists()


def test_overwrite_replaces_the_partition_only(sql, database, csv, tmp_path):
    sql(f"INSERT INTO {csv} VALUES (1, 'old', 1), (2, 'other', 2)")
    sql(f"CACHE TABLE {csv}")
    try:
        source = put(tmp_path / "in", a="5,new\n")
        sql(f"LOAD DATA LOCAL INPATH '{source}' OVERWRITE INTO TABLE {csv} PARTITION (k = 1)")
        assert rows(sql, csv) == [(2, "other", 2), (5, "new", 1)]
    finally:
        sql(f"UNCACHE TABLE {csv}")


def test_loads_a_table_without_partitions(sql, database, tmp_path):
    sql(f"CREATE TABLE {database}.flat (id INT, v STRING) USING csv")
    sql(f"ANALYZE TABLE {database}.flat COMPUTE STATISTICS")
    sql(f"LOAD DATA LOCAL INPATH '{put(tmp_path / 'in', a='1,x')}/a.csv' INTO TABLE {database}.flat")
    assert rows(sql, f"{database}.flat") == [(1, "x")]
    assert not [p for p in database.entry("flat")["Parameters"] if p.startswith("spark.sql.statistics")]


@pytest.mark.parametrize("statement, reason", [
    ("LOAD DATA LOCAL INPATH '{dir}' INTO TABLE {t}", "needs PARTITION with a value for k"),
    ("LOAD DATA LOCAL INPATH '{dir}' INTO TABLE {t} PARTITION (k = 1, n = 2)", "has no partition column n"),
    ("LOAD DATA LOCAL INPATH '{dir}/nosuch' INTO TABLE {t} PARTITION (k = 1)", "nothing is there"),
    ("LOAD DATA LOCAL INPATH '{dir}/..' INTO TABLE {t} PARTITION (k = 1)", "is a directory"),
    ("LOAD DATA LOCAL INPATH '{dir}' INTO TABLE {t}_bucketed", "is bucketed"),
])
def test_refuses_with_the_reason_and_changes_nothing(sql, database, csv, tmp_path, statement, reason):
    sql(f"CREATE TABLE {csv}_bucketed (id INT) USING parquet CLUSTERED BY (id) INTO 2 BUCKETS")
    source = put(tmp_path / "files" / "in", a="1,x\n")
    with pytest.raises(Exception) as failure:
        sql(statement.format(dir=source, t=csv))
    message = message_of(failure.value)
    assert reason in message and database.account in message and database.catalog in message
    assert database.partitions("t") == {} and (source / "a.csv").exists()
