"""pyiceberg's own tests of its Glue catalog. Glue is our server, S3 is the moto server that they start themselves.

What they do to moto's Glue in the same process (S3 Tables) is not there in another process.
"""

from foreign_suite import HERE, check, run_tests, source_distribution

TESTS = 49


def test_pyiceberg_suite(server, tmp_path):
    folder = source_distribution("pyiceberg")
    outcome = run_tests(folder, tmp_path / "report.xml", "reset_before_each",
                        ["tests/catalog/test_glue.py", "-k", "not s3tables"],
                        {"AWS_ENDPOINT_URL_GLUE": server.endpoint})
    check(outcome, HERE / "pyiceberg_differences.toml", TESTS)
