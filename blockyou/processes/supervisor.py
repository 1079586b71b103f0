"""Child processes that are started, started again when they fall, and ended together."""

import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
#: Visitors wait meanwhile: their connections stay in the socket.
LONGEST_RESTART_PAUSE = 5.0
CHILD_STEADY_SECONDS = 60.0
CHILDREN_GRACE_SECONDS = 6.0
WATCH_SECONDS = 0.1


@dataclass
class Child:
    """One process to keep running: a management command, and the socket it serves."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    listener: socket | None = None
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    crashes: int = 0

    def start(self) -> None:
        """Start the process in a session of its own, so that Ctrl-C reaches the supervisor alone.

        Its standard input is a pipe without a writer: it closes when the supervisor dies, however it dies.
        """
        extra = ["--fd", str(self.listener.fileno())] if self.listener else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "blockyou.processes.child", *self.command, *extra],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[self.listener.fileno()] if self.listener else [],
        )
        self.started_at = time.monotonic()

    def has_ended(self) -> bool:
        """Return whether the process was started and is no more."""
        return self.process is not None and self.process.poll() is not None

    def pause(self) -> float:
        """Return the seconds to wait before the next start: none at first, then half a second, doubled up to five."""
        return min(LONGEST_RESTART_PAUSE, 0.5 * 2 ** (self.crashes - 1)) if self.crashes else 0.0

    def note_crash(self) -> None:
        """Count a crash; one after a steady minute counts as the first, as does an end that was asked for."""
        is_asked_for = self.process is not None and self.process.returncode == 0
        is_first = is_asked_for or time.monotonic() - self.started_at > CHILD_STEADY_SECONDS
        self.crashes = 1 if is_first else self.crashes + 1


class Supervisor:
    """Runs children until a signal asks it to stop."""

    def __init__(self) -> None:
        self.is_stopping = False
        self.failure = ""

    def request_stop(self, number: int, frame: FrameType | None) -> None:
        """Remember that a signal asked for the end; the loops see it within a tenth of a second."""
        self.is_stopping = True

    def run_once(self, command: str, environment: dict[str, str]) -> bool:
        """Run a command to its end and return whether it succeeded; it has said itself what went wrong."""
        child = Child(command, [command], environment=environment)
        child.start()
        while not child.has_ended() and not self.is_stopping:
            time.sleep(WATCH_SECONDS)
        if self.is_stopping:
            end_children([child])
            return False
        if child.process is not None and child.process.returncode != 0:
            self.failure = "Block-You did not start; the lines above say why."
            return False
        return True

    def keep_running(self, children: list[Child]) -> None:
        """Start the children, start again those that fall, and end them all when asked to stop."""
        due = dict.fromkeys(range(len(children)), 0.0)
        while not self.is_stopping:
            for index in [index for index, moment in due.items() if moment <= time.monotonic()]:
                del due[index]
                children[index].start()
            for index, child in enumerate(children):
                if index not in due and child.has_ended():
                    child.note_crash()
                    due[index] = time.monotonic() + child.pause()
                    report(child)
            time.sleep(WATCH_SECONDS)
        end_children(children)


def report(child: Child) -> None:
    """Say on standard error which process fell and when it comes back."""
    if child.process is not None:
        code = child.process.returncode
        how = f"signal {-code}" if code < 0 else f"status {code}"
        sys.stderr.write(f"The {child.name} process ended ({how}); it starts again in {child.pause():g} s.\n")
        sys.stderr.flush()


def end_children(children: list[Child]) -> None:
    """Ask every child to end, and make those end that have not after six seconds."""
    running = [child.process for child in children if child.process is not None and child.process.poll() is None]
    for process in running:
        process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + CHILDREN_GRACE_SECONDS
    for process in running:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
