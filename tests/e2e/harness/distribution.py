"""Where the things under test are: the command, the jar, and the jars that users add to Spark."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class SparkLine:
    """One supported Spark version line and what goes with it."""

    spark: str
    scala: str
    delta: str
    delta_jars: tuple[str, ...]

    @property
    def jar_name(self) -> str:
        return f"gluecat-spark-{self.spark}_{self.scala}.jar"


LINES = {
    "4.1": SparkLine("4.1", "2.13", "4.3.0",
                     ("delta-spark_4.1_2.13", "delta-storage", "delta-kernel-api",
                      "delta-kernel-defaults", "delta-kernel-unitycatalog")),
    "3.5": SparkLine("3.5", "2.12", "3.3.3", ("delta-spark_2.12", "delta-storage")),
}


def installed_line() -> str:
    """The line of the pyspark in this very environment, for example "4.1"."""
    import pyspark

    return ".".join(pyspark.__version__.split(".")[:2])


def maven_repository() -> Path:
    return Path(os.environ.get("GLUECAT_MAVEN_REPOSITORY", Path.home() / ".m2" / "repository"))


# A Delta release in place of the one that we are built against.
OTHER_DELTA = os.environ.get("GLUECAT_DELTA")


def delta_version(line: SparkLine) -> tuple[int, ...]:
    return tuple(map(int, (OTHER_DELTA or line.delta).split(".")))


def delta_jars(line: SparkLine) -> list[Path]:
    if OTHER_DELTA:
        return maven_jars(f"delta-{OTHER_DELTA}")
    jars = [maven_repository() / "io" / "delta" / name / line.delta / f"{name}-{line.delta}.jar"
            for name in line.delta_jars]
    missing = [str(jar) for jar in jars if not jar.is_file()]
    if missing:
        raise FileNotFoundError(f"run `make dist` first; missing: {', '.join(missing)}")
    return jars


def s3a_jars(spark: str) -> list[Path]:
    """S3A and the parts of an AWS SDK that it needs, as a user of that Spark adds them."""
    return maven_jars(f"s3a-{spark}")


def avro_jars(spark: str) -> list[Path]:
    """Spark's own reader of Avro files, which its distribution lacks."""
    return maven_jars(f"avro-{spark}")


def maven_jars(name: str) -> list[Path]:
    """What requirements/<name>/pom.xml pins."""
    listed = subprocess.run([ROOT / "scripts" / "maven-jars", name], check=True, capture_output=True, text=True).stdout
    return [Path(jar) for jar in listed.strip().split(",")]


def spark_home(folder: Path) -> Path:
    """The distribution under a folder of a test's own: executors in processes of their own work below SPARK_HOME."""
    import pyspark

    folder.mkdir()
    for part in ("bin", "jars"):
        (folder / part).symlink_to(Path(pyspark.__file__).parent / part)
    return folder
