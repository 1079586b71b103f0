"""Hosts of one's own on this machine: a namespace with one address each, and a cable that joins them."""

import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.browser.site import ROOT, descendants, wait_until_gone

#: Where their addresses are: each network has a third number of its own, and this machine is number 1 of each.
NET = "10.93"


def reason_against() -> str:
    """Return why this machine cannot be several hosts, empty if it can."""
    if os.geteuid() != 0:
        return "Namespaces need root."
    if not Path("/dev/net/tun").exists():
        return "There is no /dev/net/tun: this machine has no TAP devices."
    tried = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else f"No namespace is to be had: {tried.stderr.decode().strip()}"


@dataclass(frozen=True)
class Host:
    """One host: where commands run, and its address."""

    name: str
    namespace: str
    address: str

    def inside(self, command: Sequence[str | Path], user: str = "") -> list[str]:
        """Return the command as it runs on this host, as this user if one is named."""
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"] if user else []
        return ["ip", "netns", "exec", self.namespace, *as_user, *map(str, command)]

    def run(self, command: Sequence[str | Path], user: str = "", timeout: float = 120) -> str:
        """Run a command on this host and return what it printed."""
        ran = subprocess.run(
            self.inside(command, user), cwd="/", capture_output=True, text=True, timeout=timeout, check=False
        )
        assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
        return ran.stdout

    def start(
        self, command: Sequence[str | Path], log: Path, user: str = "", environment: dict[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        """Start a process on this host."""
        said: IO[bytes]
        with log.open("ab") as said:
            return subprocess.Popen(
                self.inside(command, user), cwd=ROOT, env=environment, stdout=said, stderr=said, start_new_session=True
            )

    def pull_the_cable(self) -> None:
        """Take this host off the net without a word, as when its power fails."""
        self.run(["ip", "link", "set", "eth0", "down"])


@contextmanager
def network(names: Sequence[str], milliseconds: float) -> Iterator[dict[str, Host]]:
    """Yield hosts of these names; whatever one sends reaches another so many milliseconds later."""
    mark, net = secrets.token_hex(2), f"{NET}.{secrets.randbelow(256)}"
    hosts = {name: Host(name, f"by{mark}-{name}", f"{net}.{1 + n}") for n, name in enumerate(names, start=1)}
    taps = [f"by{mark}{n}" for n in range(len(names) + 1)]
    with ExitStack() as undo:
        command = [sys.executable, "-m", "tests.reliability.hosts.wire", str(milliseconds), *taps]
        wire = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        undo.callback(end, wire)
        assert wire.stdout
        undo.callback(wire.stdout.close)
        assert wire.stdout.readline() == b"ready\n"
        ip("address", "add", f"{net}.1/24", "dev", taps[0])
        ip("link", "set", taps[0], "up")
        for tap, host in zip(taps[1:], hosts.values(), strict=True):
            ip("netns", "add", host.namespace)
            undo.callback(ip, "netns", "delete", host.namespace)
            ip("link", "set", tap, "netns", host.namespace, "name", "eth0")
            host.run(["ip", "address", "add", f"{host.address}/24", "dev", "eth0"])
            for device in ("lo", "eth0"):
                host.run(["ip", "link", "set", device, "up"])
        yield hosts


def ip(*arguments: str) -> None:
    """Change something of this machine's net."""
    subprocess.run(["ip", *arguments], check=True, timeout=30)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and all that it has started, without a moment for any of them."""
    if process.poll() is None:
        victims = [process.pid, *descendants(process.pid)]
        for pid in victims:
            subprocess.run(["kill", "-9", str(pid)], capture_output=True, check=False)
        process.wait(10)
        wait_until_gone(victims)


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until it holds: what is waited for is on another host, and wakes nobody here."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        threading.Event().wait(0.05)
