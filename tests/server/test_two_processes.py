"""Two servers on one directory."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import ACCOUNT_A

from harness.server import GlueServer

EACH = 25


@pytest.fixture
def servers(command, tmp_path):
    first = GlueServer(command, tmp_path / "first")
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "glue").symlink_to(tmp_path / "first" / "glue")
    second = GlueServer(command, tmp_path / "second")
    yield first, second
    assert first.stop() == second.stop() == 0


@pytest.fixture
def glues(servers):
    return [server.client(ACCOUNT_A) for server in servers]


def at_once(work, glues) -> list:
    """`work(glue, number)` by two threads on each server, at the same time."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        return [running.result() for running in
                [pool.submit(work, glues[number % 2], number) for number in range(4)]]


def test_each_sees_what_the_other_wrote(glues):
    a, b = glues
    for i in range(10):
        a.create_database(DatabaseInput={"Name": f"a{i}"})
        b.create_database(DatabaseInput={"Name": f"b{i}"})
    assert len(a.get_databases()["DatabaseList"]) == len(b.get_databases()["DatabaseList"]) == 20
    token = a.get_databases(MaxResults=15)["NextToken"]
    assert len(b.get_databases(NextToken=token)["DatabaseList"]) == 5


def test_one_goes_on_when_the_other_stops(command, tmp_path):
    first = GlueServer(command, tmp_path / "first")
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / "glue").symlink_to(tmp_path / "first" / "glue")
    second = GlueServer(command, tmp_path / "second")
    first.client(ACCOUNT_A).create_database(DatabaseInput={"Name": "d"})
    assert first.stop() == 0
    assert second.client(ACCOUNT_A).get_database(Name="d")
    assert second.stop() == 0


def test_no_update_is_lost(glues):
    """A counter in a table: every writer reads it, adds one, and writes it if nobody was there meanwhile."""
    glues[0].create_database(DatabaseInput={"Name": "d"})
    glues[0].create_table(DatabaseName="d", TableInput={"Name": "counter", "Parameters": {"n": "0"}})

    def count(glue, number: int) -> None:
        done = 0
        while done < EACH:
            table = glue.get_table(DatabaseName="d", Name="counter")["Table"]
            try:
                glue.update_table(DatabaseName="d", VersionId=table["VersionId"], SkipArchive=True, TableInput={
                    "Name": "counter", "Parameters": {"n": str(int(table["Parameters"]["n"]) + 1)}})
                done += 1
            except glue.exceptions.ConcurrentModificationException:
                continue

    at_once(count, glues)
    for glue in glues:
        table = glue.get_table(DatabaseName="d", Name="counter")["Table"]
        assert (table["Parameters"]["n"], table["VersionId"]) == (str(4 * EACH), str(4 * EACH))


def test_a_name_is_given_once(glues):
    glues[0].create_database(DatabaseInput={"Name": "d"})

    def create(glue, number: int) -> int:
        made = 0
        for i in range(EACH):
            try:
                glue.create_table(DatabaseName="d", TableInput={"Name": f"t{i}", "Owner": str(number)})
                made += 1
            except glue.exceptions.AlreadyExistsException:
                continue
        return made

    assert sum(at_once(create, glues)) == EACH
    lists = [glue.get_tables(DatabaseName="d")["TableList"] for glue in glues]
    assert lists[0] == lists[1] and len(lists[0]) == EACH


def test_partitions_of_one_table_from_both_sides(glues):
    table = {"DatabaseName": "d", "TableName": "t"}
    glues[0].create_database(DatabaseInput={"Name": "d"})
    glues[0].create_table(DatabaseName="d", TableInput={"Name": "t", "PartitionKeys": [{"Name": "k", "Type": "int"}]})

    def add(glue, number: int) -> None:
        for i in range(10):
            answer = glue.batch_create_partition(**table, PartitionInputList=[
                {"Values": [str(number * 1000 + i * 20 + j)]} for j in range(20)])
            assert answer["Errors"] == []

    at_once(add, glues)
    expected = {str(number * 1000 + i) for number in range(4) for i in range(200)}
    for glue in glues:
        pages = glue.get_paginator("get_partitions").paginate(**table)
        values = [p["Values"][0] for page in pages for p in page["Partitions"]]
        assert len(values) == 800 and set(values) == expected
