"""The pages in Chromium, if this machine has one."""

import chromium
import pytest
from conftest import ACCOUNT_A

pytestmark = pytest.mark.skipif(chromium.find() is None, reason="no Chromium in PATH or in ~/.cache/ms-playwright")

HOSTILE = "<script>document.title = 'script ran'</script><img src=x onerror=\"document.title = 'handler ran'\">"
LONG = "word " * 1000 + "the end"


@pytest.fixture(scope="module")
def table(server) -> str:
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "in_a_browser", "Description": HOSTILE})
    columns = [{"Name": f"{'long_name_' * 8}{i}", "Type": "string", "Comment": HOSTILE} for i in range(20)]
    glue.create_table(DatabaseName="in_a_browser", TableInput={
        "Name": "t", "Description": HOSTILE, "Parameters": {"long": LONG, HOSTILE: "x" * 400},
        "StorageDescriptor": {"Columns": columns, "Location": "s3://b/" + "y" * 200}})
    return f"{server.endpoint}/ui/table?catalog={ACCOUNT_A}&region=eu-central-1&database=in_a_browser&table=t"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium.Chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


def test_what_is_hostile_stays_text(server, browser, table):
    for url, title in ((server.endpoint + "/ui/", "Catalogs"), (table, "Table t"),
                       (table.replace("/ui/table", "/ui/entry"), "Entry of table t")):
        browser.open(url)
        assert browser.value("document.title") == title + " – gluecat"
        assert browser.value("document.scripts.length + document.images.length") == 0
        assert browser.value("document.body.textContent.includes('<script>')")
        assert browser.messages == [], "the policy had nothing to refuse"


def test_the_style_is_taken_in_light_and_dark(browser, table):
    ground = {}
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.open(table)
        ground[scheme] = browser.value("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 28)"}


def test_a_narrow_window_scrolls_tables_and_not_the_page(browser, table):
    browser.call("Emulation.setDeviceMetricsOverride", width=380, height=800, deviceScaleFactor=1, mobile=False)
    browser.open(table)
    assert browser.value("document.documentElement.scrollWidth") <= 380
    assert browser.value("[...document.querySelectorAll('.scroll')].some(box => box.scrollWidth > box.clientWidth)")
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_long_values_open_without_scripts(browser, table):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(table)
    shown = "document.querySelector('details pre').checkVisibility()"
    assert browser.value(shown) is False
    browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=8000, deviceScaleFactor=1, mobile=False)
    x, y = (browser.value(f"document.querySelector('summary').getBoundingClientRect().{side} + 8") for side in "xy")
    for event in ("mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=event, x=x, y=y, button="left", clickCount=1)
    assert browser.value(shown) is True
    assert browser.value("document.querySelector('details pre').textContent").endswith("the end")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
