"""Debian's WebKitGTK, of the family of iPhones' browsers, driven by WebDriver on a screen of its own (Xvfb)."""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.site import free_port
from tests.browser.window import Window

BROWSER = Path("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser")
DRIVER = Path("/usr/bin/WebKitWebDriver")
#: Seconds that an answer may take on a busy machine.
PATIENCE = 90
#: The bar of the browser is as narrow as the page that is asked for.
NARROW = "headerbar, toolbar, entry, button { margin: 0; min-height: 0; min-width: 0; padding: 0 }"


def is_there() -> bool:
    """Return whether this machine has all that it needs."""
    return BROWSER.exists() and DRIVER.exists() and shutil.which("Xvfb") is not None


class WebKit(Window):
    """One window."""

    def __init__(self, driver: str, *arguments: str) -> None:
        options = {"binary": str(BROWSER), "args": ["--automation", *arguments]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.address = f"{driver}/session"
        self.address += f"/{self.ask('POST', '', capabilities=wanted)['sessionId']}"

    def ask(self, method: str, path: str, **values: Any) -> Any:
        """Send a command and return its result.

        Raises: RuntimeError with what the browser says of a command that failed.
        """
        data = json.dumps(values).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def go(self, address: str) -> None:
        """Open an address, and wait until it is there."""
        self.ask("POST", "/url", url=address)

    def run(self, script: str) -> Any:
        """Return what an expression comes to; one that promises it is waited for."""
        told = (
            "const done = arguments[0]; (async () => (" + script + "))()"
            ".then((value) => done({ value }), (error) => done({ error: String(error) }))"
        )
        answer = self.ask("POST", "/execute/async", script=told, args=[])
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer.get("value")

    def act(self, *sources: dict[str, Any]) -> None:
        """Let the devices do what they are told."""
        self.ask("POST", "/actions", actions=sources)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.ask("POST", "/window/rect", x=0, y=0, width=width, height=height)


@contextmanager
def webkit(folder: Path, *, width: int, height: int, is_dark: bool = False) -> Iterator[WebKit]:
    """Run WebKitGTK with a profile of its own in a folder, on a screen of this size."""
    (folder / "gtk-3.0").mkdir(parents=True)
    (folder / "gtk-3.0" / "gtk.css").write_text(NARROW)
    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"]
    with subprocess.Popen(screen, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as display:
        assert display.stdout
        own = {name: str(folder) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        own |= {"DISPLAY": f":{display.stdout.readline().strip()}", "NO_AT_BRIDGE": "1"}
        port = free_port()
        command = [str(DRIVER), f"--port={port}"]
        with subprocess.Popen(command, env={**os.environ, **own}, stderr=subprocess.DEVNULL) as driver:
            try:
                await_answer(port)
                window = WebKit(f"http://127.0.0.1:{port}", *(["--dark-mode"] if is_dark else []))
                window.resize(width, height)
                try:
                    yield window
                finally:
                    window.ask("DELETE", "")
            finally:
                driver.kill()
                display.kill()


def await_answer(port: int) -> None:
    """Wait until the driver answers."""
    import time

    for _ in range(200):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5):
                return
        except OSError:
            time.sleep(0.05)  # another process is being waited for: nothing here could wake us
    raise AssertionError("WebKitWebDriver does not answer")
