"""Wrong, missing and several identities, against a server that knows its accounts."""

import json

import pytest

from harness import session
from harness.server import GlueServer
from harness.sql_program import run

ROLE_A = "arn:aws:iam::111111111111:role/reader"
ROLE_B = "arn:aws:iam::222222222222:role/writer"


@pytest.fixture(scope="module")
def strict(command, tmp_path_factory):
    """A server with an accounts file: two accounts, and a user of a third who may assume a role in each."""
    folder = tmp_path_factory.mktemp("strict")
    (folder / "accounts.json").write_text(json.dumps(ACCOUNTS))
    server = GlueServer(command, folder, accounts=folder / "accounts.json")
    yield server
    server.stop()


ACCOUNTS: dict = {}


@pytest.fixture(scope="module")
def conf(jars, scratch):
    return session.base_conf(jars, scratch / "warehouse-identities")
