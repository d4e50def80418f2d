"""moto's own tests of its Glue Data Catalog, in server mode, with our server in the place of moto's."""

from foreign_suite import HERE, check, run_tests, source_distribution

# What concerns a Data Catalog: not crawlers, jobs, triggers, sessions, endpoints, transforms, workflows and schemas.
FILES = ["tests/test_glue/test_datacatalog.py", "tests/test_glue/test_partition_filter.py",
         "tests/test_glue/test_glue.py"]
SELECTION = "not (" + " or ".join([
    "crawl", "job", "trigger", "session", "endpoint", "predicate", "bad_filter", "ordered_compare", "multiple_filters",
    "workflow", "schema", "security_configuration", "ml_transform", "rgta"]) + ")"


def run(server, tmp_path, plugin: str, selection: str):
    return run_tests(source_distribution("moto"), tmp_path / "report.xml", plugin, [*FILES, "-k", selection],
                     {"TEST_SERVER_MODE": "true", "TEST_SERVER_MODE_ENDPOINT": server.endpoint,
                      "AWS_ACCESS_KEY_ID": "FOOBARKEY", "AWS_SECRET_ACCESS_KEY": "FOOBARSECRET"})


def test_unmodified(server, tmp_path):
    check(run(server, tmp_path, "reset_by_moto", SELECTION), HERE / "moto_differences.toml", expected_tests=70)


def test_partitions_of_tables_with_a_key(server, tmp_path):
    """moto's tests create partitions of tables that have no partition keys. With a key, they run to their end."""
    outcome = run(server, tmp_path, "tables_with_a_key", "partition and not expression and not empty")
    check(outcome, HERE / "moto_differences_with_a_key.toml", expected_tests=19)
