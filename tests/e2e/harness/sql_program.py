"""A Spark program in a process of its own: settings and statements in, answers out.

Standard input holds {"conf": {…}, "statements": ["…"]}; the last line of standard output is a list with, for each
statement, {"rows": [[…]], "seconds": 0.1} or {"error": "…", "seconds": 0.1}. A statement that fails does not stop the
next one. A statement may also be a stream, see `stream`.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def stream(source: str, target: str, checkpoint: str) -> dict[str, str]:
    """A streaming query that moves what is in one Delta table into another, and ends."""
    return {"source": source, "target": target, "checkpoint": checkpoint}


def run(conf: dict[str, str], statements: list[str | dict], environment: dict[str, str] | None = None,
        timeout: float = 120) -> list[dict]:
    """Runs the statements in a new process and gives their answers."""
    return start(conf, statements, environment).answers(timeout)


class Program:
    def __init__(self, process: subprocess.Popen, task: str):
        self._process, self._task = process, task
        self.log = ""  # standard error, once there are answers

    def answers(self, timeout: float = 120) -> list[dict]:
        try:
            out, self.log = self._process.communicate(self._task, timeout=timeout)
        finally:
            self.kill()
        if self._process.returncode != 0:
            raise RuntimeError(f"exit code {self._process.returncode}: {self.log[-4000:]}")
        return json.loads(out.splitlines()[-1])

    def kill(self) -> None:
        """The whole program at once, Spark included."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It has ended by itself.
        self._process.wait()

    def until_killed(self, timeout: float = 120) -> None:
        """Lets it run until another thread kills it."""
        self._process.communicate(self._task, timeout=timeout)
        if self._process.returncode != -signal.SIGKILL:
            raise RuntimeError(f"ended with exit code {self._process.returncode} before it was killed")


def start(conf: dict[str, str], statements: list[str | dict],
          environment: dict[str, str] | None = None) -> Program:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "PYSPARK_", "SPARK_"))}
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).resolve())], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True, env={**inherited, "AWS_EC2_METADATA_DISABLED": "true",
                                                    **(environment or {})})
    return Program(process, json.dumps({"conf": conf, "statements": statements}))


def _move(spark, source: str, target: str, checkpoint: str) -> list:
    query = (spark.readStream.table(source).writeStream.format("delta").option("checkpointLocation", checkpoint)
             .trigger(availableNow=True).toTable(target))
    query.awaitTermination()
    return []


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from harness import session

    task = json.load(sys.stdin)
    spark = session.start(task["conf"])
    answers = []
    for statement in task["statements"]:
        begin = time.monotonic()
        try:
            answer = {"rows": _move(spark, **statement) if isinstance(statement, dict)
                      else [list(row) for row in spark.sql(statement).collect()]}
        except Exception as error:  # noqa: BLE001 - it is the answer
            answer = {"error": session.message_of(error)}
        answers.append({**answer, "seconds": time.monotonic() - begin})
    spark.stop()
    print(json.dumps(answers, default=str))


if __name__ == "__main__":
    main()
