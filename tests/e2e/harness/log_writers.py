"""Writers of one Delta log, each a small JVM of its own: `LogWriter.java` with S3A and the log store, without Spark."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pyspark

LOG_STORE = "io.github.sdaberdaku.gluecat.S3LogStore"
_SOURCE = Path(__file__).with_name("LogWriter.java")
_JAVA = Path(os.environ["JAVA_HOME"]) / "bin" if "JAVA_HOME" in os.environ else Path(shutil.which("javac")).parent


@dataclass
class Writer:
    name: str
    process: subprocess.Popen
    won: dict[int, int] = field(default_factory=dict)  # the number of the commit by its version
    lost: list[int] = field(default_factory=list)

    def finish(self, timeout: float) -> None:
        out, err = self.process.communicate(timeout=timeout)
        assert self.process.returncode == 0, f"{self.name}: {out[-500:]} {err[-4000:]}"
        for line in out.splitlines():
            word, *numbers = line.split()
            if word == "won":
                version, commit = map(int, numbers)
                assert version not in self.won
                self.won[version] = commit
            else:
                self.lost.append(int(numbers[0]))


def run(jars: list[Path], folder: Path, log: str, names: list[str], commits: int, conf: dict[str, str],
        timeout: float = 120) -> list[Writer]:
    """Runs one writer for each name, with an access key of that name, all at once, and gives what they say."""
    classpath = ":".join([str(folder), *map(str, jars), str(Path(pyspark.__file__).parent / "jars" / "*")])
    subprocess.run([_JAVA / "javac", "-nowarn", "-cp", classpath, "-d", folder, _SOURCE], check=True)
    writers = []
    try:
        for name in names:
            settings = {**conf, "fs.s3a.access.key": name, "fs.s3a.secret.key": "secret"}
            writers.append(Writer(name, subprocess.Popen(
                [_JAVA / "java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classpath,
                 "LogWriter", LOG_STORE, log, name, str(commits), *(f"{k}={v}" for k, v in settings.items())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
        for writer in writers:
            assert writer.process.stdout.readline() == "ready\n", writer.process.communicate()
        for writer in writers:
            writer.process.stdin.write("\n")
            writer.process.stdin.flush()
        for writer in writers:
            writer.finish(timeout)
    finally:
        for writer in writers:
            writer.process.kill()
    return writers
