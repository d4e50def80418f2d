"""Fixtures of the end-to-end tests: the real pyspark distribution, the built jar and the built command.

    pytest tests/e2e                           # in an environment with pyspark 4.1 or 3.5
    pytest tests/e2e --jar dist/….jar --gluecat dist/gluecat -k merge

The Spark version is that of the environment. `mode` runs a test twice: with Glue catalogs under names of their own, and
with one as `spark_catalog`. One JVM serves a run; sessions are stopped and built anew for another mode.
"""

import itertools
import os
import re
import sys
import uuid
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from harness import distribution, session  # noqa: E402
from harness.glue import Database  # noqa: E402
from harness.server import GlueServer  # noqa: E402

ACCOUNT_A = "111111111111"
ACCOUNT_B = "222222222222"

# The JVM inherits these: one identity for the session, as on a laptop. Nothing else of the caller's AWS
# configuration may reach the tests.
for _name in [n for n in os.environ if n.startswith("AWS_")]:
    del os.environ[_name]
os.environ.update(AWS_ACCESS_KEY_ID=ACCOUNT_A, AWS_SECRET_ACCESS_KEY="secret", AWS_EC2_METADATA_DISABLED="true")


def pytest_addoption(parser):
    group = parser.getgroup("gluecat")
    group.addoption("--jar", default=os.environ.get("GLUECAT_JAR"),
                    help="the catalog's jar (default: the one in dist/ for this pyspark)")
    group.addoption("--gluecat", default=os.environ.get("GLUECAT_COMMAND", distribution.ROOT / "dist" / "gluecat"),
                    help="the gluecat command")


def pytest_configure(config):
    config.addinivalue_line("markers", "modes(*names): run in these catalog modes only")
    config.addinivalue_line("markers", "fault(number): a fault users of such systems reported")


def pytest_generate_tests(metafunc):
    if "mode" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("modes")
        modes = marker.args if marker else ("named", "spark_catalog")
        metafunc.parametrize("mode", modes, indirect=True, scope="session")


@pytest.fixture(scope="session")
def line() -> distribution.SparkLine:
    return distribution.LINES[distribution.installed_line()]


@pytest.fixture(scope="session")
def command(request) -> Path:
    return Path(request.config.getoption("--gluecat")).resolve()


@pytest.fixture(scope="session")
def jars(request, line) -> list[Path]:
    jar = request.config.getoption("--jar") or distribution.ROOT / "dist" / line.jar_name
    return [Path(jar).resolve(), *distribution.delta_jars(line)]


@pytest.fixture(scope="session")
def scratch(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("gluecat")


@pytest.fixture(scope="session")
def server(command, scratch):
    server = GlueServer(command, scratch / "server")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def mode(request) -> str:
    return request.param


@pytest.fixture(scope="session")
def spark(mode, server, jars, scratch):
    catalogs = {"named": session.named_catalogs, "spark_catalog": session.session_catalog}[mode]
    spark = session.start({**session.base_conf(jars, scratch / "warehouse"),
                           **catalogs(server.endpoint)})
    yield spark
    spark.stop()


@pytest.fixture
def catalog(mode) -> str:
    """The name under which the session knows account A."""
    return "acct_a" if mode == "named" else "spark_catalog"


@pytest.fixture
def sql(spark):
    """Runs a statement and gives its rows."""
    return lambda statement: spark.sql(statement).collect()


@pytest.fixture(scope="session")
def glue(server):
    """Account A from outside Spark."""
    return server.client(ACCOUNT_A)


@pytest.fixture(scope="session")
def glue_b(server):
    return server.client(ACCOUNT_B)


@pytest.fixture
def requests(server):
    """`with requests() as seen: …`, then `seen.operations`: the Glue requests a statement made."""
    return server.requests


@pytest.fixture
def rows(sql):
    """The rows of a query as tuples; sorted by their text where it gives no order."""
    def run(query):
        found = [tuple(r) for r in sql(query)]
        return found if "ORDER BY" in query else sorted(found, key=str)
    return run


_numbers = itertools.count(1)


@pytest.fixture
def database_name(request) -> str:
    stem = re.sub(r"\W+", "_", request.node.originalname.removeprefix("test_")).lower()
    return f"{stem[:40]}_{next(_numbers)}_{uuid.uuid4().hex[:4]}"


@pytest.fixture
def another(spark, server, request):
    """Adds a catalog to the running session and gives its name."""
    def add(name: str, glue_id: str = ACCOUNT_A, **options: str) -> str:
        name = f"{name}_{abs(hash(request.node.nodeid)) % 10**8}"
        settings = {"glue.id": glue_id, "glue.endpoint": server.endpoint, "client.region": "eu-central-1",
                    **{key.replace("__", ".").replace("_", "-"): value for key, value in options.items()}}
        spark.conf.set(f"spark.sql.catalog.{name}", session.CATALOG_CLASS)
        for key, value in settings.items():
            if value:
                spark.conf.set(f"spark.sql.catalog.{name}.{key}", value)
        return name

    return add


@pytest.fixture
def database(glue, database_name, tmp_path, catalog) -> Database:
    """A database of account A with a location, made from outside."""
    return Database.create(glue, ACCOUNT_A, catalog, database_name, tmp_path / database_name)


@pytest.fixture
def database_b(glue_b, database_name, tmp_path) -> Database:
    """The same database name in account B, under the catalog `acct_b`."""
    return Database.create(glue_b, ACCOUNT_B, "acct_b", database_name, tmp_path / "b" / database_name)
