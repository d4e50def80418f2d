"""Views of the Data Catalog in several dialects, as boto3 sees them."""

import pytest


def view(dialect: str, text: str) -> dict:
    return {"Representations": [{"Dialect": dialect, "DialectVersion": "1", "ViewOriginalText": text}]}


def test_dialects(glue, database):
    glue.create_table(DatabaseName=database, TableInput={
        "Name": "v", "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}]},
        "ViewDefinition": {**view("ATHENA", "select 1"), "IsProtected": True}})
    glue.update_table(DatabaseName=database, ViewUpdateAction="ADD",
                      TableInput={"Name": "v", "ViewDefinition": view("SPARK", "select 2")})
    table = glue.get_table(DatabaseName=database, Name="v", IncludeStatusDetails=True)["Table"]
    assert table["IsMultiDialectView"] is True
    assert table["Status"]["State"] == "SUCCESS"
    assert table["ViewDefinition"]["IsProtected"] is True
    assert [(each["Dialect"], each["ViewOriginalText"], each["IsStale"])
            for each in table["ViewDefinition"]["Representations"]] == [
                ("ATHENA", "select 1", False), ("SPARK", "select 2", False)]
    with pytest.raises(glue.exceptions.AlreadyExistsException):
        glue.update_table(DatabaseName=database, ViewUpdateAction="ADD",
                          TableInput={"Name": "v", "ViewDefinition": view("SPARK", "select 3")})
