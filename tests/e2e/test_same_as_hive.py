"""The same SQL in Spark's own Hive catalog and in ours must give the same rows, or fail in both.

tests/e2e/same_as_hive/*.sql are the scripts: one statement ends with a semicolon at the end of a line, `--` lines are
comments, `{dir}` is a directory of the run's own. Each script runs in a database of its own, in three processes side by side: one
with Hive's metastore on Derby, and two with a Glue catalog under a name, of which one keeps its files on the local disk and
one on S3, through S3A. differences.toml lists what may differ.
"""

import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness import distribution, session, sql_program
from harness.distribution import installed_line
from harness.s3 import S3

pytestmark = pytest.mark.modes("named")

FOLDER = Path(__file__).parent / "same_as_hive"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.sql"))


def statements(script: str) -> list[str]:
    text = "\n".join(line for line in (FOLDER / f"{script}.sql").read_text().splitlines() if not line.startswith("--"))
    return [s for s in (piece.strip().rstrip(";") for piece in text.split(";\n")) if s]


def program(catalog: str, root: str) -> list[str]:
    """The statements of all scripts, each after four that give it a database and the defaults."""
    lines = []
    for script in SCRIPTS:
        lines += ["RESET", f"CREATE DATABASE {catalog}.{script} LOCATION '{root}/{script}.db'",
                  f"USE {catalog}.{script}", "SET spark.sql.shuffle.partitions=2"]
        lines += [s.replace("{dir}", f"{root}/{script}") for s in statements(script)]
    return lines


@pytest.fixture(scope="module")
def s3():
    s3 = S3({"111111111111": "session"})
    s3.create_bucket("warehouse")
    yield s3
    s3.stop()


@pytest.fixture(scope="module")
def answers(server, s3, jars, line, scratch):
    """What each script gave to Hive and to our catalog on each storage, in the order of its statements."""
    folder = scratch / "same"
    environment = {"AWS_ACCESS_KEY_ID": "111111111111", "AWS_SECRET_ACCESS_KEY": "secret"}
    base = session.base_conf(jars, folder / "warehouse")
    catalogs = session.named_catalogs(server.endpoint)
    on_s3a = {**session.base_conf([*jars, *distribution.s3a_jars(line.spark)], folder / "warehouse"), **catalogs,
              **session.hadoop(s3.s3a(folder / "buffer"))}
    sides = {"hive": (session.hive_conf(folder), "spark_catalog", f"file:{folder}/hive"),
             "file": ({**base, **catalogs}, "acct_a", f"file:{folder}/file"),
             "s3a": (on_s3a, "acct_b", "s3a://warehouse")}
    (folder / "hive").mkdir(parents=True)
    (folder / "file").mkdir()

    def run(side: str) -> list[dict]:
        conf, catalog, root = sides[side]
        found = sql_program.start(conf, program(catalog, root), environment).answers(1200)
        return [json.loads(json.dumps(answer).replace(root, "")) for answer in found]

    # Side by side: each is a process of its own.
    with ThreadPoolExecutor() as pool:
        found = dict(zip(sides, pool.map(run, sides), strict=True))
    split, at = {}, 0
    for script in SCRIPTS:
        at += 4
        count = len(statements(script))
        split[script] = {side: of_all[at:at + count] for side, of_all in found.items()}
        at += count
    return split


def shown(statement: str, answer: dict):
    """Rows, without regard to their order where the statement says nothing about it; for failures only that."""
    if "error" in answer:
        return "an error"
    ordered = statement.upper().startswith(("SHOW", "DESC")) or "ORDER BY" in statement.upper()
    rows = [[str(value) for value in row] for row in answer["rows"]]
    return rows if ordered else sorted(rows)


def allowed(script: str, storage: str) -> dict[str, str]:
    entries = tomllib.loads((FOLDER / "differences.toml").read_text()).get("difference", [])
    return {e["statement"]: e["reason"] for e in entries
            if e["script"] == script and e.get("spark", installed_line()) == installed_line()
            and e.get("storage", storage) == storage}


@pytest.mark.parametrize("storage", ["file", "s3a"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_gives_the_same_rows(answers, script, storage):
    reasons = allowed(script, storage)
    wrong, seen = [], set()
    for statement, hive, ours in zip(statements(script), answers[script]["hive"], answers[script][storage], strict=True):
        same = shown(statement, hive) == shown(statement, ours)
        if not same and statement in reasons:
            seen.add(statement)
        elif not same:
            wrong.append(f"{statement}\n  Hive: {brief(statement, hive)}\n  ours: {brief(statement, ours)}")
    wrong += [f"{statement}\n  is listed as different and is not" for statement in reasons.keys() - seen]
    assert not wrong, f"{len(wrong)} of {len(statements(script))} differ:\n" + "\n".join(wrong)


def brief(statement: str, answer: dict) -> str:
    return ("fails: " + answer["error"][:300]) if "error" in answer else str(shown(statement, answer))[:500]
