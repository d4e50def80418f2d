"""The same SQL in Spark's own Hive catalog and in ours must give the same rows, or fail in both.

tests/e2e/same_as_hive/*.sql are the scripts: one statement ends with a semicolon at the end of a line, `--` lines are
comments, `{dir}` is a directory of the run's own. Each script runs in a database of its own, in two processes side by
side: one with Hive's metastore on Derby, one with a Glue catalog under a name. differences.toml lists what may differ.
"""

import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness import session, sql_program
from harness.distribution import installed_line

pytestmark = pytest.mark.modes("named")

FOLDER = Path(__file__).parent / "same_as_hive"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.sql"))


def statements(script: str) -> list[str]:
    text = "\n".join(line for line in (FOLDER / f"{script}.sql").read_text().splitlines() if not line.startswith("--"))
    return [s for s in (piece.strip().rstrip(";") for piece in text.split(";\n")) if s]


def program(catalog: str, directory: Path) -> list[str]:
    """The statements of all scripts, each after four that give it a database and the defaults."""
    lines = []
    for script in SCRIPTS:
        lines += ["RESET", f"CREATE DATABASE {catalog}.{script} LOCATION 'file:{directory}/{script}.db'",
                  f"USE {catalog}.{script}", "SET spark.sql.shuffle.partitions=2"]
        lines += [s.replace("{dir}", f"file:{directory}/{script}") for s in statements(script)]
    return lines


@pytest.fixture(scope="module")
def answers(server, jars, scratch):
    """What each script gave, (Hive's, ours), in the order of its statements."""
    base = session.base_conf(jars, scratch / "same" / "warehouse")
    hive = {**base, "spark.sql.catalogImplementation": "hive", "spark.sql.extensions": "",
            "spark.hadoop.javax.jdo.option.ConnectionURL":
                f"jdbc:derby:;databaseName={scratch}/same/metastore;create=true",
            "spark.driver.extraJavaOptions":
                f"{base['spark.driver.extraJavaOptions']} -Dderby.system.home={scratch}/same"}
    del hive["spark.sql.catalog.spark_catalog"], hive["spark.jars"]
    ours = {**base, **session.named_catalogs(server.endpoint)}
    environment = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "secret"}
    sides = {}
    for name, conf, catalog in (("hive", hive, "spark_catalog"), ("ours", ours, "acct_a")):
        directory = scratch / "same" / name
        directory.mkdir(parents=True)
        sides[name] = (directory, sql_program.start(conf, program(catalog, directory), environment))
    # Side by side: a program begins when its answers are asked for.
    with ThreadPoolExecutor() as pool:
        waiting = {name: (directory, pool.submit(running.answers, 1200)) for name, (directory, running) in sides.items()}
        found = {name: (directory, running.result()) for name, (directory, running) in waiting.items()}
    split, at = {}, 0
    for script in SCRIPTS:
        at += 4
        count = len(statements(script))
        split[script] = [[plain(answer, directory) for answer in all_of_it[at:at + count]]
                         for directory, all_of_it in found.values()]
        at += count
    return split


def plain(answer: dict, directory: Path) -> dict:
    """The answer without what differs by nature: the directory of the run."""
    return json.loads(json.dumps(answer).replace(str(directory), ""))


def shown(statement: str, answer: dict):
    """Rows, without regard to their order where the statement says nothing about it; for failures only that."""
    if "error" in answer:
        return "an error"
    ordered = statement.upper().startswith(("SHOW", "DESC")) or "ORDER BY" in statement.upper()
    rows = [[str(value) for value in row] for row in answer["rows"]]
    return rows if ordered else sorted(rows)


def allowed(script: str) -> dict[str, str]:
    entries = tomllib.loads((FOLDER / "differences.toml").read_text()).get("difference", [])
    return {e["statement"]: e["reason"] for e in entries
            if e["script"] == script and e.get("spark", installed_line()) == installed_line()}


@pytest.mark.parametrize("script", SCRIPTS)
def test_gives_the_same_rows(answers, script):
    reasons = allowed(script)
    wrong, seen = [], set()
    for statement, hive, ours in zip(statements(script), *answers[script], strict=True):
        same = shown(statement, hive) == shown(statement, ours)
        if not same and statement in reasons:
            seen.add(statement)
        elif not same:
            wrong.append(f"{statement}\n  Hive: {brief(statement, hive)}\n  ours: {brief(statement, ours)}")
    wrong += [f"{statement}\n  is listed as different and is not" for statement in reasons.keys() - seen]
    assert not wrong, f"{len(wrong)} of {len(statements(script))} differ:\n" + "\n".join(wrong)


def brief(statement: str, answer: dict) -> str:
    return ("fails: " + answer["error"][:300]) if "error" in answer else str(shown(statement, answer))[:500]
