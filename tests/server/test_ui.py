"""The pages that show the store, read as a browser reads them: the HTML is parsed, links are followed."""

import json
import urllib.error
import urllib.parse
import urllib.request
from html.parser import HTMLParser

import pytest
from conftest import ACCOUNT_A, ACCOUNT_B, ROOT, partition

from harness.server import GlueServer

HOSTILE = """<script>alert(1)</script><img src=x onerror="alert(2)">'";&lt;b&gt;</pre></td>"""
VOID = {"meta", "link"}
TAGS = VOID | {"html", "head", "title", "body", "nav", "ol", "li", "a", "main", "h1", "h2", "p", "span", "div", "table",
               "thead", "tbody", "tr", "th", "td", "details", "summary", "pre"}
ATTRIBUTES = {"lang", "charset", "name", "content", "rel", "href", "class", "scope", "tabindex", "role", "aria-label",
              "aria-current"}


class Page(HTMLParser):
    """A page that has only tags and attributes of ours, each closed in order."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.links: dict[str, str] = {}
        self.text = ""
        self.cells: list[list[str]] = []
        self.whole: list[str] = []
        self._link = None
        self.feed(text)
        self.close()
        assert self.open == [], "everything is closed"
        self.text = " ".join(self.text.split())

    def handle_decl(self, decl):
        assert decl == "doctype html"

    def handle_comment(self, data):
        raise AssertionError("no comment")

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS, tag
        assert {name for name, _ in attributes} <= ATTRIBUTES, attributes
        attributes = dict(attributes)
        if tag == "a":
            assert "://" not in attributes["href"] and not attributes["href"].startswith(("javascript:", "//"))
            self._link = attributes["href"]
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")
        if tag == "pre":
            self.whole.append("")
        assert "p" not in self.open or tag in ("a", "span"), "browsers end the paragraph before any other tag"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] == "a":
            self.links[data] = self._link
        if "pre" in self.open:
            self.whole[-1] += data
        elif "td" in self.open or "th" in self.open:
            self.cells[-1][-1] += data

    def row(self, first: str) -> list[str]:
        return next(cells for cells in self.cells if first in cells)


def fetch(server, url: str = "", **headers):
    request = urllib.request.Request(urllib.parse.urljoin(server.endpoint + "/ui/", url), headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def page(server, url: str = "") -> Page:
    status, headers, text = fetch(server, url)
    assert status == 200, text
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    return Page(text)


def place(**members) -> str:
    return urllib.parse.urlencode({"catalog": ACCOUNT_A, "region": "eu-central-1", **members})


@pytest.fixture(scope="module")
def sales(server):
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "sales", "Description": "what was sold", "LocationUri": "s3://b/sales",
                                        "Parameters": {"team": "shop"}})
    columns = [{"Name": "id", "Type": "bigint", "Comment": "the key"}, {"Name": "amount", "Type": "decimal(10,2)"}]
    glue.create_table(DatabaseName="sales", TableInput={
        "Name": "orders", "Owner": "shop", "TableType": "EXTERNAL_TABLE",
        "Parameters": {"spark.sql.sources.provider": "parquet"},
        "PartitionKeys": [{"Name": "day", "Type": "date"}],
        "StorageDescriptor": {"Columns": columns, "Location": "s3://b/sales/orders",
                              "SerdeInfo": {"SerializationLibrary": "x.Y", "Parameters": {"path": "s3://b/o"}}}})
    glue.create_table(DatabaseName="sales", TableInput={
        "Name": "lake", "Parameters": {"table_type": "ICEBERG", "metadata_location": "s3://b/m.json"}})
    glue.create_table(DatabaseName="sales", TableInput={
        "Name": "v", "TableType": "VIRTUAL_VIEW", "ViewOriginalText": "SELECT 1 < 2"})
    for start in range(0, 250, 50):
        glue.batch_create_partition(DatabaseName="sales", TableName="orders", PartitionInputList=[
            partition(f"2026-{i:03}") for i in range(start, start + 50)])
    server.client(ACCOUNT_B).create_database(DatabaseInput={"Name": "of_b"})
    return glue


def test_from_the_catalogs_to_the_entry(server, sales):
    start = page(server)
    assert f"{ACCOUNT_A} · eu-central-1" in start.text and f"{ACCOUNT_B} · eu-central-1" in start.text
    assert start.row("sales") == ["sales", "what was sold", "s3://b/sales"]
    catalog = page(server, start.links[f"{ACCOUNT_A} · eu-central-1"])
    assert "of_b" not in catalog.links
    database = page(server, catalog.links["sales"])
    assert database.row("orders") == ["orders", "data source", "parquet", "2", "day", "s3://b/sales/orders"]
    assert database.row("lake")[1] == "iceberg" and database.row("v")[1] == "view"
    assert database.row("team") == ["team", "shop"]
    table = page(server, database.links["orders"])
    assert table.row("Location") == ["Location", "s3://b/sales/orders"]
    assert table.row("id") == ["1", "id", "bigint", "the key"]
    assert table.row("day") == ["1", "day", "date", ""]
    assert table.row("path") == ["path", "s3://b/o"]
    entry = page(server, table.links["Entry as JSON"])
    got = json.loads(entry.whole[0])
    assert got["StorageDescriptor"]["Columns"][0] == {"Name": "id", "Type": "bigint", "Comment": "the key"}
    status, headers, text = fetch(server, entry.links["As plain JSON"])
    assert (status, headers["Content-Type"]) == (200, "application/json; charset=utf-8")
    assert json.loads(text) == got
    # And back.
    assert page(server, table.links["sales"]).row("orders")
    assert page(server, table.links["Catalogs"]).row("sales")


def test_partitions_have_pages(server, sales):
    url = page(server, "table?" + place(database="sales", table="orders")).links["Partitions"]
    seen, pages = [], 0
    while url:
        current = page(server, url)
        pages += 1
        seen += [cells[0].removeprefix("day = ") for cells in current.cells[1:]]
        url = current.links.get("Next page")
    assert pages == 3 and seen == [f"2026-{i:03}" for i in range(250)]
    entry = page(server, current.links["JSON"])
    assert json.loads(entry.whole[0])["Values"] == ["2026-249"]


def test_versions(server, sales):
    table = {"Name": "changing", "Description": "first"}
    sales.create_table(DatabaseName="sales", TableInput=table)
    sales.update_table(DatabaseName="sales", TableInput={**table, "Description": "second"})
    now = page(server, "table?" + place(database="sales", table="changing"))
    assert now.row("Description") == ["Description", "second"]
    versions = page(server, now.links["Versions"])
    assert [cells[0] for cells in versions.cells[1:]] == ["1", "0"]
    old = page(server, versions.links["0"])
    assert old.row("Description") == ["Description", "first"]
    assert json.loads(page(server, old.links["Entry as JSON"]).whole[0])["Description"] == "first"


def test_many_databases_have_pages(server):
    glue = server.client("333333333333")
    names = [f"d{i:03}" for i in range(130)]
    for name in names:
        glue.create_database(DatabaseInput={"Name": name})
    start = page(server)
    assert "d019" in start.links and "d020" not in start.links
    url, seen = start.links["All 130 databases"], []
    while url:
        current = page(server, url)
        seen += [cells[0] for cells in current.cells[1:]]
        url = current.links.get("Next page")
    assert seen == names


def test_hostile_entries(server):
    glue = server.client("444444444444")
    name = "<b>&\"'<script>x</script>"
    long = HOSTILE * 100 + "the end"
    glue.create_database(DatabaseInput={"Name": name, "Description": HOSTILE, "LocationUri": "javascript:alert(1)",
                                        "Parameters": {HOSTILE: HOSTILE}})
    glue.create_table(DatabaseName=name, TableInput={
        "Name": name, "Description": HOSTILE, "Owner": HOSTILE[:200], "ViewOriginalText": long,
        "Parameters": {HOSTILE: long, "classification": HOSTILE, "spark.sql.sources.provider": HOSTILE},
        "PartitionKeys": [{"Name": HOSTILE, "Type": "string", "Comment": HOSTILE}],
        "StorageDescriptor": {"Columns": [{"Name": HOSTILE, "Type": HOSTILE, "Comment": HOSTILE}],
                              "Location": HOSTILE, "InputFormat": HOSTILE}})
    value = HOSTILE + "?&=#/%\u202e\U0001f408"
    glue.create_partition(DatabaseName=name, TableName=name, PartitionInput=partition(value))
    catalog = page(server, "catalog?" + place(catalog="444444444444"))
    database = page(server, catalog.links[name])
    assert HOSTILE in database.row(name)[5] or database.row(name)[5].endswith("…")
    table = page(server, database.links[name])
    assert table.row("Description") == ["Description", HOSTILE]
    assert long in table.whole and "the end" not in table.text.split("(whole value")[0]
    partitions = page(server, table.links["Partitions"])
    entry = page(server, partitions.links["JSON"])
    assert json.loads(entry.whole[0])["Values"] == [value]
    for url in (table.links["Versions"], table.links["Entry as JSON"], ""):
        page(server, url)


def test_nothing_is_there(server):
    for url, status in (("database?" + place(database="absent"), 404), ("table?" + place(database="sales"), 400),
                        ("nowhere", 404), ("a/b/c", 404), ("..%2f..%2fetc/passwd", 404), ("table", 400),
                        ("catalog?" + place() + "&token=x", 400), ("table?catalog=%FF&table=%00%FF", 400)):
        got, headers, text = fetch(server, url)
        assert got == status, (url, text)
        Page(text)
        assert headers["Content-Security-Policy"]


def test_what_a_browser_may_do_with_it(server):
    status, headers, text = fetch(server)
    policy = headers["Content-Security-Policy"].split("; ")
    assert policy[:2] == ["default-src 'none'", "style-src 'self'"]
    assert not any(word in headers["Content-Security-Policy"] for word in ("unsafe", "http", "*", "data:"))
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers
    assert "<script" not in text and "<style" not in text and "style=" not in text
    status, headers, style = fetch(server, "style.css")
    assert (status, headers["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert "prefers-color-scheme: dark" in style and "url(" not in style and "@import" not in style
    assert fetch(server, "/ui")[0] == 200, "sent on to /ui/"


@pytest.mark.parametrize("headers", [
    {"Host": "evil.example"}, {"Host": "evil.example:4566"}, {"Host": "127.0.0.1.evil.example"},
    {"Host": "localhost.evil.example"}, {"Host": "127.0.0.1@evil.example"}, {"Origin": "http://evil.example"},
    {"Origin": "null"}])
def test_other_sites_cannot_read_it(server, sales, headers):
    status, _, text = fetch(server, **headers)
    assert status == 403 and ACCOUNT_A not in text and "sales" not in text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:4566"])
def test_names_of_this_machine(server, host):
    assert fetch(server, Host=host)[0] == 200


def test_it_only_reads(server, sales):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        request = urllib.request.Request(server.endpoint + "/ui/", data=b"{}", method=method)
        with pytest.raises(urllib.error.HTTPError) as raised:
            urllib.request.urlopen(request, timeout=10)
        assert raised.value.code in (400, 404, 405)


def test_with_accounts_it_says_why_it_shows_nothing(command, tmp_path):
    accounts = ROOT / "server/accounts.example.json"
    closed = GlueServer(command, tmp_path / "closed", accounts=accounts)
    closed.client("AKIAEXAMPLEETL000001", "change-me-etl-secret").create_database(DatabaseInput={"Name": "secret_db"})
    for url in ("", "database?" + place(database="secret_db"), "entry.json?" + place(database="secret_db"), "nowhere"):
        status, headers, text = fetch(closed, url)
        assert status == 403 and "--ui" in Page(text).text
        assert "secret_db" not in text and ACCOUNT_A not in text
        assert headers["Content-Security-Policy"]
    closed.stop()
    opened = GlueServer(command, tmp_path / "closed", accounts=accounts, options=("--ui",))
    assert page(opened).row("secret_db")
    assert fetch(opened, Host="evil.example")[0] == 403
    opened.stop()


def test_an_empty_store(command, tmp_path):
    server = GlueServer(command, tmp_path)
    assert "Nothing is stored yet" in page(server).text
    server.stop()
