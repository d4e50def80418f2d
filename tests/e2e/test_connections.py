"""The way to a server: through a proxy that wants a password, and over TLS with an authority of one's own."""

import pytest

from harness import session
from harness.authority import make_authority
from harness.proxy import Proxy
from harness.server import GlueServer
from harness.sql_program import run

ACCOUNT = "111111111111"
USER, PASSWORD = "me", "proxy-pass:word"
ENCODED = "proxy-pass%3Aword"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """The bundle to trust, and the options of a server that has a certificate of it."""
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def open_server(command, tmp_path_factory):
    """One that nobody else asks anything."""
    server = GlueServer(command, tmp_path_factory.mktemp("http"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def secure(command, authority, tmp_path_factory):
    server = GlueServer(command, tmp_path_factory.mktemp("https"), options=authority[1])
    yield server
    server.stop()


@pytest.fixture(scope="module")
def outcome(open_server, secure, authority, jars, tmp_path_factory):
    """The answers by catalog, what the proxy was asked, and what each server saw."""
    def glue(name, endpoint, **more):
        return session.catalog_conf(name, glue__id=ACCOUNT, glue__endpoint=endpoint, client__region=session.REGION,
                                    **more)

    bundle = {"http_client__ca_bundle": str(authority[0])}
    role = {"client__assume_role__arn": f"arn:aws:iam::{ACCOUNT}:role/reader"}
    with Proxy(USER, PASSWORD) as proxy:
        through = {"http_client__proxy_endpoint": f"http://{USER}:{ENCODED}@{proxy.address}"}
        refused = {"http_client__proxy_endpoint": f"http://{USER}:wrong-word@{proxy.address}"}
        conf = {
            **session.base_conf(jars, tmp_path_factory.mktemp("connections") / "warehouse"),
            **glue("tls", secure.endpoint, **bundle),
            **glue("stranger", secure.endpoint),
            **glue("proxied", open_server.endpoint, **through),
            **glue("tunnelled", secure.endpoint, **through, **bundle, **role),
            **glue("refused", open_server.endpoint, **refused),
            **glue("refused_tunnel", secure.endpoint, **refused, **bundle),
        }
        names = ["tls", "stranger", "proxied", "tunnelled", "refused", "refused_tunnel"]
        with open_server.requests() as plain, secure.requests() as encrypted:
            answers = run(conf, [f"SHOW DATABASES IN {name}" for name in names],
                          {"AWS_ACCESS_KEY_ID": ACCOUNT, "AWS_SECRET_ACCESS_KEY": "secret",
                           "AWS_ENDPOINT_URL_STS": secure.endpoint})
        return dict(zip(names, answers)), proxy.asked, plain, encrypted


def test_a_private_authority_is_trusted_where_it_is_named(outcome):
    assert "rows" in outcome[0]["tls"], outcome[0]["tls"]


def test_requests_go_through_the_proxy(outcome, open_server, secure):
    answers, asked, plain, encrypted = outcome
    assert "rows" in answers["proxied"] and "rows" in answers["tunnelled"], answers
    tunnel = f"CONNECT {secure.endpoint.removeprefix('https://')}"
    assert f"POST {open_server.endpoint}/" in asked and tunnel in asked
    # STS and Glue of one catalog, and the catalog that needs no proxy.
    assert plain.operations == ["GetDatabases"]
    assert sorted(encrypted.operations) == ["AssumeRole", "GetDatabases", "GetDatabases"]


@pytest.mark.parametrize("catalog, mentions", [
    ("stranger", ("http-client.ca-bundle", "127.0.0.1")),
    ("refused", ("407", "proxy", "127.0.0.1")),
    ("refused_tunnel", ("407", "proxy", "127.0.0.1")),
])
def test_what_is_in_the_way_is_named(outcome, catalog, mentions):
    answer = outcome[0][catalog]
    for mention in (f"catalog '{catalog}'", ACCOUNT, *mentions):
        assert mention in answer["error"], answer
    assert "wrong-word" not in answer["error"] and answer["seconds"] < 10
