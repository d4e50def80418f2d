"""Delta's `DeltaTable` API, as its Python package calls it in the JVM."""


def _api(spark):
    return spark._jvm.io.delta.tables.DeltaTable


def for_name(spark, name: str):
    return _api(spark).forName(spark._jsparkSession, name)


def create(spark):
    return _api(spark).create(spark._jsparkSession)


def create_if_not_exists(spark):
    return _api(spark).createIfNotExists(spark._jsparkSession)


def create_or_replace(spark):
    return _api(spark).createOrReplace(spark._jsparkSession)


def expression(spark, text: str):
    """A condition."""
    return spark._jvm.org.apache.spark.sql.functions.expr(text)


def assignments(spark, **values: str):
    """What UPDATE sets: names to expressions."""
    columns = spark._jvm.java.util.HashMap()
    for name, text in values.items():
        columns.put(name, expression(spark, text))
    return columns
