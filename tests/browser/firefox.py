"""Debian's Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/): Playwright has one of its own."""

import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser.window import Window

FIREFOX = Path("/usr/bin/firefox-esr")
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
#: Seconds that an answer may take on a busy machine.
PATIENCE = 60
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox(Window):
    """One window."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire, self.numbers = wire, itertools.count(1)
        self.ask("session.new", capabilities={})
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result.

        Raises: RuntimeError with what Firefox says of a command that failed.
        """
        number = next(self.numbers)
        self.wire.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.wire.recv(timeout=PATIENCE))).get("id") != number:
            pass
        if answer["type"] == "error":
            raise RuntimeError(f"{answer['error']}: {answer['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def go(self, address: str) -> None:
        """Open an address, and wait until it is there."""
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def run(self, script: str) -> Any:
        """Return what an expression comes to, as text, number, truth or nothing; one that promises it is waited for."""
        answer = self.ask("script.evaluate", expression=script, target={"context": self.window}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def act(self, *sources: dict[str, Any]) -> None:
        """Let the devices do what they are told."""
        self.ask("input.performActions", context=self.window, actions=list(sources))

    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""
        self.ask("browsingContext.setViewport", context=self.window, viewport={"width": width, "height": height})


@contextmanager
def firefox(folder: Path, *, width: int, height: int, is_dark: bool = False) -> Iterator[Firefox]:
    """Run Firefox with a profile of its own in a folder, with a page of this size."""
    folder.mkdir(parents=True)
    # 0 is dark and 1 light.
    wanted = {"intl.accept_languages": "en", "layout.css.prefers-color-scheme.content-override": int(not is_dark)}
    preferences = {**PREFERENCES, **wanted}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
    (folder / "user.js").write_text("\n".join(lines))
    profile = ["--no-remote", "--profile", str(folder)]
    command = [str(FIREFOX), "--headless", *profile, "--remote-debugging-port", "0", "about:blank"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr
        found = next(filter(None, map(LISTENING.search, process.stderr)))
        try:
            with connect(f"{found[1]}/session", max_size=None) as wire:
                window = Firefox(wire)
                window.resize(width, height)
                yield window
        finally:
            process.kill()
