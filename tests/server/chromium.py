"""A headless Chromium, told what to do through its debugging pipe."""

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path


def find() -> str | None:
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"):
        if found := shutil.which(name):
            return found
    names = {"chrome", "headless_shell", "chrome-headless-shell"}
    cache = Path.home() / ".cache" / "ms-playwright"
    found = (path for path in cache.glob("chromium*/*/*") if path.name in names and os.access(path, os.X_OK))
    return str(next(found, None) or "") or None


class Chromium:
    """One tab. `messages` are what the browser had to say about the page: errors, refusals."""

    def __init__(self, profile: Path):
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # The pipe is expected on the descriptors 3 and 4.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{commands} 4>&{answers}', find(), "--headless", "--no-sandbox",
             "--disable-gpu", f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._received, self._sent, self._session, self._loaded = b"", 0, None, False
        self.messages: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Log", "Runtime"):
            self.call(domain + ".enable")

    def __enter__(self) -> "Chromium":
        return self

    def __exit__(self, *exc) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)

    def _message(self, deadline: float) -> dict:
        while b"\0" not in self._received:
            if not select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            piece = os.read(self._answers, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium ended")
            self._received += piece
        text, _, self._received = self._received.partition(b"\0")
        message = json.loads(text)
        if message.get("method") == "Page.loadEventFired":
            self._loaded = True
        if message.get("method") == "Log.entryAdded":
            self.messages.append(message["params"]["entry"]["text"])
        return message

    def call(self, method: str, **parameters) -> dict:
        self._sent += 1
        request = {"id": self._sent, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._commands, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + 30
        while (message := self._message(deadline)).get("id") != self._sent:
            pass
        return message["result"]

    def open(self, url: str) -> None:
        self._loaded, self.messages = False, []
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + 30
        while not self._loaded:
            self._message(deadline)

    def value(self, expression: str):
        return self.call("Runtime.evaluate", expression=expression)["result"].get("value")
