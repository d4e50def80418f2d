"""The same calls to our server and to others: where they differ, differential.toml says why and who is right."""

import datetime
import tomllib
import urllib.request
from fnmatch import fnmatchcase

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from foreign_suite import HERE
from peers import ministack, ministack_environment, moto
from recorded_calls import ACCOUNT, CALLS, REGION

# Their values are the server's own. What an error says is no part of the API, its code is.
OPAQUE = {"NextToken", "PolicyHash", "ErrorMessage"}


def _order(item: dict) -> str:
    return str(item.get("Name") or item.get("Values") or item).lower()


def plain(value):
    """The answer without what no two servers have in common: times, tokens, the order of lists of objects."""
    if isinstance(value, dict):
        return {k: f"<{k}>" if k in OPAQUE else plain(v) for k, v in value.items() if k != "ResponseMetadata"}
    if isinstance(value, list):
        items = [plain(item) for item in value]
        return sorted(items, key=_order) if items and isinstance(items[0], dict) else items
    if isinstance(value, datetime.datetime):
        return "<time>"
    return value


def record(endpoint: str) -> dict:
    """What came of each call: an error's code, or the answer."""
    client = boto3.client("glue", endpoint_url=endpoint, region_name=REGION, aws_access_key_id=ACCOUNT,
                          aws_secret_access_key="secret",
                          config=Config(parameter_validation=False, retries={"total_max_attempts": 1}))
    methods = {operation: name for name, operation in client.meta.method_to_api_mapping.items()}
    outcomes = {}
    for call in CALLS:
        try:
            outcomes[call.label] = plain(getattr(client, methods[call.operation])(**call.arguments))
        except ClientError as error:
            outcomes[call.label] = error.response["Error"]["Code"]
    return outcomes


def members(ours, theirs, path: str = ""):
    """Where two answers differ, as paths of members; items of lists are not told apart."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted({*ours, *theirs}):
            inner = f"{path}.{name}" if path else name
            if name not in theirs:
                yield f"{inner} only ours"
            elif name not in ours:
                yield f"{inner} only theirs"
            else:
                yield from members(ours[name], theirs[name], inner)
    elif isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            yield f"{path} {len(ours)} / {len(theirs)} items"
        else:
            for one, other in zip(ours, theirs):
                yield from members(one, other, path)
    elif ours != theirs:
        yield f"{path} {ours} / {theirs}"


def differences(ours: dict, theirs: dict) -> list[str]:
    found = []
    for call in CALLS:
        one, other = ours[call.label], theirs[call.label]
        if isinstance(one, str) or isinstance(other, str):
            if one != other:
                found.append(f"{call.label}: {one if isinstance(one, str) else 'answer'} / "
                             f"{other if isinstance(other, str) else 'answer'}")
        else:
            found += sorted({f"{call.label}: {line}" for line in members(one, other)})
    return found


@pytest.fixture
def ours(empty_server):
    return record(empty_server.endpoint)


def test_every_call_is_known_to_the_server_and_the_labels_are_unique(ours):
    assert len(ours) == len(CALLS) >= 150
    assert not {label for label, outcome in ours.items() if outcome == "UnknownOperationException"}


def test_the_same_calls_have_the_same_outcome_again(empty_server, ours):
    urllib.request.urlopen(urllib.request.Request(empty_server.endpoint + "/reset", method="POST")).close()
    assert differences(ours, record(empty_server.endpoint)) == []


@pytest.mark.parametrize("peer", ["moto", "ministack"])
def test_differences_are_the_listed_ones(ours, peer, tmp_path):
    if peer == "ministack" and ministack_environment() is None:
        pytest.skip("ministack cannot be had from the package index (scripts/python-environment ministack)")
    with {"moto": moto, "ministack": ministack}[peer](tmp_path) as other:
        found = differences(ours, record(other.endpoint))
    listed = [pattern for entry in tomllib.loads((HERE / "differential.toml").read_text())["difference"]
              if entry["peer"] == peer for pattern in entry["differences"]]
    new = [line for line in found if not any(fnmatchcase(line, pattern) for pattern in listed)]
    gone = [pattern for pattern in listed if not any(fnmatchcase(line, pattern) for line in found)]
    print(f"{peer}: {len(CALLS)} calls, {len(found)} differences, {len(listed)} entries of the list")
    assert not new, f"ours / {peer}'s, not in differential.toml:\n" + "\n".join(new)
    assert not gone, f"in differential.toml, but {peer} no longer differs:\n" + "\n".join(gone)
