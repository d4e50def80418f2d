"""pytest plugin: the tables of moto's tests get the partition key that AWS wants of a table with partitions."""

from reset_by_moto import reset  # noqa: F401


def pytest_collection_finish(session) -> None:
    from tests.test_glue import helpers

    without_keys = helpers.create_table_input

    def create_table_input(*arguments, **named):
        table_input = without_keys(*arguments, **named)
        table_input["PartitionKeys"] = table_input["PartitionKeys"] or [{"Name": "key_of_the_table", "Type": "string"}]
        return table_input

    helpers.create_table_input = create_table_input
