"""Run everything that must hold, step after step, and say at the end what did not.

    .ci/run          the gate: what every change must pass, twelve minutes on two quiet cores
    .ci/run proof    the full proof: every test there is, in an order of its own, and how much of the code they reach

`.ci/run` installs what the machine lacks and starts this; it needs Python 3.11 and nothing else. A step that fails does
not end the run: the last lines name each test that failed, with the command that runs it alone, and the seconds that
every step took. Whatever the steps have started ends with the run, also if that is ended from outside.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NoReturn

ROOT = Path(__file__).resolve().parents[1]
#: In the environment of every process that a run starts, with the run's own number.
MARK = "BLOCK_YOU_RUN"
#: How much room a memory disk must have to be used for temporary files, in bytes.
ROOM = 8 * 2**30
#: A test that failed or could not begin, as pytest's last lines name it.
RED = re.compile(r"^(?:FAILED|ERROR) (tests/\S+?\.py(?:::.+?)?)(?: - .*)?$", re.MULTILINE)
COUNTED = re.compile(r"(\d+) (passed|failed|errors?|skipped)\b")
CLOSING = re.compile(r"^=*\s?\d+ (?:passed|failed|errors?|skipped|deselected).* in [\d.]+s.*$", re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One step of a run. `limit` is in seconds, for each of the attempts (more than one only where the network is
    asked): it ends what hangs, so it is about ten times what two quiet cores need, and never the reason why a busy
    machine's run is red; where `is_flaky_allowed`, one test may fail that then passes alone.
    """

    name: str
    command: str
    limit: int
    attempts: int = 1
    asks_servers: bool = False
    is_flaky_allowed: bool = False


INSTALL = Step("install", "make installed", 600, attempts=3)
CHECKS = Step("lint, types, contracts, scripts, project", "make -k lint types contracts scripts project", 900)
TRIAL = Step("a stranger's first minutes", "python3 -m tests.project.trial", 900)
#: The gate may run beside other work, so only the full proof judges how soon the first bot plays.
JUDGED_TRIAL = Step(TRIAL.name, f"{TRIAL.command} --first-answer 5", TRIAL.limit)
STEPS = {
    "gate": (
        INSTALL,
        CHECKS,
        Step("SQLite", "make test", 2400),
        Step("PostgreSQL and Redis", "make test-database-quick", 1800, asks_servers=True),
        Step("real Chromium", "make test-browser-quick", 1800, is_flaky_allowed=True),
        TRIAL,
        Step("the newest Python", "make test-newest", 900),
    ),
    "proof": (
        INSTALL,
        CHECKS,
        Step("SQLite, counting branches", "make counted", 2400),
        Step("every room is reached", "make covered", 120),
        Step("long proofs", "make proofs", 3600),
        Step("PostgreSQL and Redis", "make test-database", 3600, asks_servers=True),
        Step("real Chromium", "make test-browser", 3600, is_flaky_allowed=True),
        JUDGED_TRIAL,
        Step("the newest Python", "make test-newest", 900),
        Step("every benchmark in its ordinary size", "make bench-once", 8 * 3600),
    ),
}
#: For the whole run, in seconds: what is left of it is each step's limit too.
DEADLINES = {"gate": 5280, "proof": 12 * 3600}


@dataclass
class Result:
    """How a step went. `red` are the tests that failed, `flaky` those that then passed alone."""

    step: Step
    seconds: float = 0.0
    status: int = 0
    red: list[str] = field(default_factory=list)
    flaky: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Return whether it may count as passed: at once, or with one test that passed when it ran alone."""
        return self.status == 0 or (not self.red and len(self.flaky) == 1)


class Run:
    """One run of all the steps of a kind."""

    def __init__(self, steps: tuple[Step, ...], deadline: float, seed: int) -> None:
        self.steps = steps
        self.deadline = deadline
        self.seed = seed
        self.began = time.monotonic()
        self.mark = secrets.token_hex(8)
        self.folder = Path(tempfile.mkdtemp(prefix="block-you-", dir=memory_disk()))
        self.folder.chmod(0o755)
        self.environment = {
            **os.environ,
            MARK: self.mark,
            "TMPDIR": str(self.folder),
            "PYTEST_ADDOPTS": f"-p no:cacheprovider --randomly-seed={seed}",
        }
        self.results: list[Result] = []
        self.counts: Counter[str] = Counter()

    def go(self) -> bool:
        """Do every step, and return whether all of them hold."""
        try:
            for step in self.steps:
                self.results.append(self.do(step))
        finally:
            self.clear_away()
            self.report()
        return len(self.results) == len(self.steps) and all(result.holds for result in self.results)

    def do(self, step: Step) -> Result:
        """Do one step, within its limit and what the whole run has left."""
        say(f"\n== {step.name} ({self.spent():.0f} s)")
        result, began, output = Result(step), time.monotonic(), ""
        servers = self.start_servers() if step.asks_servers else {}
        if servers is None:
            return Result(step, time.monotonic() - began, 1)
        for _ in range(step.attempts):
            result.status, output = self.shell(step.command, step.limit, servers)
            if result.status == 0:
                break
        self.count(output)
        result.red = named(output)
        if result.red and step.is_flaky_allowed and len(result.red) <= 3:
            self.repeat(result)
        if servers:
            self.stop_servers()
        self.kill_leftovers()
        result.seconds = time.monotonic() - began
        return result

    def repeat(self, result: Result) -> None:
        """Run the tests that failed once more, each alone."""
        for test in list(result.red):
            say(f"\n== once more: {test}")
            status, _ = self.shell(f"{PYTEST} {shlex.quote(test)}", 600, {})
            if status == 0:
                result.red.remove(test)
                result.flaky.append(test)
                self.counts["failed"] -= 1
                self.counts["passed"] += 1

    def start_servers(self) -> dict[str, str] | None:
        """Start a PostgreSQL and a Redis for this run, and return what leads to them, None if they do not start."""
        command = [".ci/servers", "start", str(self.folder / "servers"), free_port(), free_port()]
        try:
            lines = subprocess.run(
                command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120
            ).stdout
        except (OSError, subprocess.SubprocessError) as error:
            say(f"The servers did not start: {error}")
            return None
        return dict(line.removeprefix("export ").split("=", 1) for line in lines.splitlines())

    def stop_servers(self) -> None:
        """Stop the servers and wait until they have ended: killed, PostgreSQL would leave shared memory behind."""
        subprocess.run([".ci/servers", "stop", str(self.folder / "servers")], cwd=ROOT, check=False, timeout=60)

    def shell(self, command: str, limit: float, environment: dict[str, str]) -> tuple[int, str]:
        """Run a command, showing what it prints, and return its status and that; what takes too long is ended."""
        limit = max(1.0, min(limit, self.deadline - self.spent()))
        process = subprocess.Popen(
            shlex.split(command),
            cwd=ROOT,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        output = bytearray()
        pump = threading.Thread(target=show, args=(process.stdout or io.BytesIO(), output), daemon=True)
        pump.start()
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            say(f"It took longer than {limit:.0f} s: {command}")
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = 124
        pump.join(5)
        if pump.is_alive():
            # Something that the command left behind holds the pipe.
            self.kill_leftovers()
            pump.join(5)
        return status, output.decode(errors="replace")

    def count(self, output: str) -> None:
        """Add up what pytest's closing lines count."""
        for line in CLOSING.findall(output):
            for number, word in COUNTED.findall(line):
                self.counts["failed" if word.startswith("error") else word] += int(number)

    def spent(self) -> float:
        """Return how many seconds the run has taken so far."""
        return time.monotonic() - self.began

    def kill_leftovers(self) -> None:
        """Kill every process that the run has started and that still lives."""
        mine = f"{MARK}={self.mark}".encode()
        for _ in range(20):
            alive = [pid for pid in processes() if pid != os.getpid() and mine in surroundings(pid)]
            if not alive:
                return
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def clear_away(self) -> None:
        """Leave no process and no file behind."""
        if (self.folder / "servers").exists():
            self.stop_servers()
        self.kill_leftovers()
        shutil.rmtree(self.folder, ignore_errors=True)

    def report(self) -> None:
        """Print what failed and how to see it alone, the seconds of each step, and the counts."""
        broken = [result for result in self.results if not result.holds]
        undone = self.steps[len(self.results) :]
        self._report_failures(broken)
        say(f"\n== Seconds by step (the order of tests: --randomly-seed={self.seed})")
        for result in self.results:
            say(f"{result.seconds:7.0f}  {result.step.name}{'' if result.holds else '  RED'}")
        for step in undone:
            say(f"         {step.name}  NOT DONE")
        slowest = max(self.results, key=lambda result: result.seconds, default=None)
        if self.spent() > self.deadline and slowest:
            say(f"The run had {self.deadline:.0f} s; the slowest step was: {slowest.step.name}")
        if broken or undone:
            names = ", ".join([*(result.step.name for result in broken), *(step.name for step in undone)])
            say(f"\n== CI failed after {self.spent():.0f} s in: {names}")
            self.counts["failed"] = max(1, self.counts["failed"])
        else:
            say(f"\n== All of it holds ({self.spent():.0f} s)")
        say("{passed} passed, {failed} failed, {skipped} skipped".format_map(Counter(self.counts)))

    def _report_failures(self, broken: Sequence[Result]) -> None:
        """Print which tests failed, those first that passed alone, and how to see each again."""
        for result in self.results:
            for test in result.flaky:
                say(f"FLAKY {test} ({result.step.name}): it failed, and passed alone. Mend it next.")
        for result in broken:
            say(f"\n== Red: {result.step.name}")
            if not (result.red or result.flaky):
                say(f"   again: {result.step.command}")
            for test in result.red:
                say(f"   {test}\n   again: {PYTEST} --randomly-seed={self.seed} {shlex.quote(test)}")
            if result.step.asks_servers:
                say("   with a PostgreSQL and a Redis: docs/testing.md, The matrix")


PYTEST = ".venv/bin/python -m pytest"


def show(pipe: IO[bytes], output: bytearray) -> None:
    """Print what a process prints, line by line, and keep it."""
    with pipe:
        for line in pipe:
            os.write(sys.stdout.fileno(), line)
            output += line


def named(output: str) -> list[str]:
    """Return the tests that pytest's last lines say have failed, each once."""
    return list(dict.fromkeys(RED.findall(output)))


def tree_seed() -> int:
    """Return an order of tests that depends on what is tested alone: the same files, the same order."""
    command = ["git", "rev-parse", "HEAD^{tree}"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return int(found[:8] or "0", 16)


def memory_disk() -> str | None:
    """Return where temporary files lie in memory, or None if there is not room enough."""
    shared = Path("/dev/shm")  # noqa: S108  (a folder with a random name is made in it)
    if not shared.is_dir() or min(shutil.disk_usage(shared).free, available_memory()) < ROOM:
        return None
    return str(shared)


def available_memory() -> int:
    """Return how many bytes of memory are free for programs, 0 if the system does not say."""
    with contextlib.suppress(OSError):
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
        return int(found[1]) * 1024 if found else 0
    return 0


def processes() -> list[int]:
    """Return the numbers of all processes."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def surroundings(pid: int) -> bytes:
    """Return the environment a process was started with; empty if it is gone or another person's."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def free_port() -> str:
    """Return a loopback port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def say(sentence: str) -> None:
    """Print a line at once."""
    print(sentence, flush=True)  # noqa: T201  (what this program is for)


def leave(number: int, _frame: object) -> NoReturn:
    """End the run when it is ended from outside; what it has started ends with it."""
    sys.exit(128 + number)


def main() -> None:
    """Run the steps of the kind named, and exit with 0 if all of them hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=STEPS, nargs="?", default="gate")
    parser.add_argument("--spent", type=float, default=0.0, help="seconds that installing has taken")
    parser.add_argument("--seed", type=int, help="the order of the tests")
    asked = parser.parse_args()
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, leave)
    seed = asked.seed if asked.seed is not None else tree_seed() if asked.kind == "gate" else secrets.randbits(32)
    run = Run(STEPS[asked.kind], DEADLINES[asked.kind] - asked.spent, seed)
    sys.exit(0 if run.go() else 1)


if __name__ == "__main__":
    main()
