"""The pages in Chromium, if this machine has one: the layout holds, and what is hostile stays text."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ACCOUNT_A

HOSTILE = "<script>document.title = 'script ran'</script><img src=x onerror=\"document.title = 'handler ran'\">"


def chromium() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"):
        if found := shutil.which(name):
            return found
    cache = Path.home() / ".cache" / "ms-playwright"
    found = [path for path in cache.glob("chromium*/*/*") if path.name in ("chrome", "headless_shell", "chrome-headless-shell")
             and os.access(path, os.X_OK)]
    return str(found[0]) if found else None


@pytest.mark.skipif(chromium() is None, reason="no Chromium in PATH or in ~/.cache/ms-playwright")
def test_nothing_hostile_runs(server, tmp_path):
    glue = server.client(ACCOUNT_A)
    glue.create_database(DatabaseInput={"Name": "in_a_browser", "Description": HOSTILE})
    answer = subprocess.run(
        [chromium(), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}", "--dump-dom",
         server.endpoint + "/ui/"], capture_output=True, text=True, timeout=50)
    assert "<title>Catalogs – gluecat</title>" in answer.stdout
    assert "in_a_browser" in answer.stdout and "&lt;script&gt;" in answer.stdout
