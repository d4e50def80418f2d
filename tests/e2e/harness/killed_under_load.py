"""Writers whose server is killed, and what must be there afterwards.

Each writer has a database of its own and knows, for every table, which state was acknowledged and which one was sent
last: after a restart a table has one of the two, and all of it.
"""

import random
import threading
from dataclasses import dataclass, field
from pathlib import Path

from botocore.exceptions import ClientError

from harness.server import GlueServer

ACCOUNT = "111111111111"
PARTITIONS_PER_BATCH = 20


def table_input(name: str, state: int) -> dict:
    """An entry whose parts all say the same number, so that a torn one shows."""
    return {"Name": name, "Description": str(state), "Parameters": {"state": str(state)},
            "PartitionKeys": [{"Name": "k", "Type": "string"}],
            "StorageDescriptor": {"Columns": [{"Name": f"c{state}_{i}", "Type": "int"} for i in range(state % 7 + 1)],
                                  "Location": f"s3://bucket/{name}/{state}"}}


def state_of(table: dict) -> int:
    state = int(table["Description"])
    expected = table_input(table["Name"], state)
    assert {member: table[member] for member in expected} == expected, f"a torn table: {table}"
    return state


@dataclass
class Table:
    acknowledged: int | None = None  # None: perhaps not created
    sent: int = 0
    batches: int = 0                 # acknowledged ones, each of PARTITIONS_PER_BATCH partitions
    batch_sent: int = 0


@dataclass
class Writer:
    """One client. Its calls are drawn from `choices`."""

    name: str
    choices: random.Random
    tables: dict[str, Table] = field(default_factory=dict)

    def one_write(self, glue) -> None:
        usable = [name for name, table in self.tables.items() if table.acknowledged is not None]
        what = self.choices.choice(["create", "update", "update", "partitions"]) if usable else "create"
        if what == "create":
            name = f"t{len(self.tables)}"
            self.tables[name] = Table()
            glue.create_table(DatabaseName=self.name, TableInput=table_input(name, 0))
            self.tables[name].acknowledged = 0
            return
        name = self.choices.choice(usable)
        table = self.tables[name]
        if what == "update":
            table.sent += 1
            glue.update_table(DatabaseName=self.name, TableInput=table_input(name, table.sent))
            table.acknowledged = table.sent
        else:
            table.batch_sent += 1
            answer = glue.batch_create_partition(
                DatabaseName=self.name, TableName=name,
                PartitionInputList=[{"Values": [f"{table.batch_sent}-{i}"]} for i in range(PARTITIONS_PER_BATCH)])
            assert answer["Errors"] == []
            table.batches += 1

    def verify(self, glue) -> None:
        """Compares with the store, and takes what is there as acknowledged."""
        pages = glue.get_paginator("get_tables").paginate(DatabaseName=self.name)
        found = {table["Name"]: table for page in pages for table in page["TableList"]}
        assert set(found) <= set(self.tables)
        for name, table in list(self.tables.items()):
            if name not in found:
                assert table.acknowledged is None, f"{self.name}.{name} was acknowledged and is lost"
                del self.tables[name]
                continue
            state = state_of(found[name])
            assert state in (table.acknowledged, table.sent), f"{self.name}.{name} has {state}, not {table}"
            table.acknowledged = table.sent = state
            self._verify_partitions(glue, name, table)

    def _verify_partitions(self, glue, name: str, table: Table) -> None:
        if table.batch_sent == 0:
            return
        pages = glue.get_paginator("get_partitions").paginate(DatabaseName=self.name, TableName=name)
        found: dict[int, int] = {}
        for page in pages:
            for partition in page["Partitions"]:
                batch = int(partition["Values"][0].split("-")[0])
                found[batch] = found.get(batch, 0) + 1
        assert all(count == PARTITIONS_PER_BATCH for count in found.values()), f"a torn batch of {self.name}.{name}"
        assert set(range(1, table.batches + 1)) <= set(found) <= set(range(1, table.batch_sent + 1))
        table.batches = table.batch_sent = len(found)


class _Acknowledged:
    """Counts the writes of all writers; `reached` is set at the target, or where a writer could not go on."""

    def __init__(self, target: int):
        self.count, self._target = 0, target
        self._lock = threading.Lock()
        self.reached = threading.Event()

    def add(self) -> None:
        with self._lock:
            self.count += 1
            if self.count >= self._target:
                self.reached.set()


def _write_until_the_server_is_gone(writer: Writer, glue, acknowledged: _Acknowledged, errors: list) -> None:
    try:
        while True:
            writer.one_write(glue)
            acknowledged.add()
    except ClientError as error:
        errors.append(error)
        acknowledged.reached.set()
    except Exception as error:
        # The connection broke, as it must when the server is killed, and not before.
        if not acknowledged.reached.is_set():
            errors.append(error)
            acknowledged.reached.set()


def kill_under_load(command: Path, data: Path, rounds: int, seed: int, writers: int = 3) -> int:
    """Loads, kills and verifies `rounds` times on one directory. The number of writes that were acknowledged."""
    chosen = random.Random(seed)
    everybody = [Writer(f"w{number}", random.Random(chosen.random())) for number in range(writers)]
    server = GlueServer(command, data)
    for writer in everybody:
        server.client(ACCOUNT).create_database(DatabaseInput={"Name": writer.name})
    total = 0
    for _ in range(rounds):
        acknowledged, errors = _Acknowledged(chosen.randint(1, 60)), []
        threads = [threading.Thread(target=_write_until_the_server_is_gone,
                                    args=(writer, server.client(ACCOUNT), acknowledged, errors))
                   for writer in everybody]
        for thread in threads:
            thread.start()
        acknowledged.reached.wait(timeout=60)
        server.kill()
        for thread in threads:
            thread.join(timeout=60)
        assert not errors, errors
        assert acknowledged.reached.is_set()
        total += acknowledged.count
        server = GlueServer(command, data)
        for writer in everybody:
            writer.verify(server.client(ACCOUNT))
    assert server.stop() == 0
    return total
