"""A release played as docs/operations.md tells it: `python -m tests.reliability.rolling [OLD [NEW]] [--games 50000]`.

Three web processes, two of workers and two sweeps stand behind a balancer on the PostgreSQL and the Redis that
DATABASE_URL and REDIS_URL name (`.ci/servers start FOLDER` has both). While visitors ask for pages and all that these
name, and a guest plays against bots, every process is replaced by one of the next release, and then by one of the old
release again. OLD and NEW are commits; without them both are the working tree. The next release has another stylesheet
and one more column in any case, so that there is something to break.

With `--games` the database has so many before (`benchmarks.growth.fill`, which needs the superuser), the next release
also an index of all seats, and it is said how long requests and moves took while nothing was released, and meanwhile:
how many there were, the slowest, and how many of them took more than a second. The exit status is 1 if one did, and
without `--games` if somebody was left without an answer.
"""

import argparse
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from re import findall
from urllib.request import urlopen

from benchmarks.aims import judge
from tests.browser.site import ROOT, free_port, fresh_postgresql
from tests.project.player import Player
from tests.project.traffic import PATHS, PATIENCE, Balancer, Traffic, Wait, status_of

WEB, WORK, SWEEP = 3, 2, 2
#: A guest opens no more than thirty tables an hour: after so many games another one comes.
MOVES_A_GAME, GAMES_A_GUEST = 8, 20
PAGES = ("/", "/rules/", "/bots/", "/lobby/")
#: A process that is asked to end gets that long, as the supervisor's do.
SECONDS_TO_END = 6.0
MIGRATION = """from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("games", "{last}")]
    operations = [migrations.AddField("game", "rolling", models.IntegerField(default=0, db_default=0))]
"""
INDEX = """from django.db import migrations, models
from games.migrations._concurrently import AddIndexConcurrently

class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "9999_rolling")]
    operations = [AddIndexConcurrently("player", models.Index(fields=["bot_seed", "joined_at"], name="rolling_seats"))]
"""
#: Pages that read large tables, once there are some.
LARGE = ("/players/veteran/", "/bots/random/", "/openings/barasona/")
#: Seconds of traffic before a release of a large site, and the longest that anything may take.
QUIET, LONGEST = 30.0, 1.0


@dataclass
class Report:
    """What the release cost: `failures` has a line a visitor without an answer, a part without styles, a lost move.

    `before` is how long requests took before the release, `waits` while it went on; `changes` are the spans of time in
    which the tables changed.
    """

    requests: int = 0
    pages: int = 0
    moves: int = 0
    slowest_end: float = 0.0
    failures: list[str] = field(default_factory=list)
    before: list[Wait] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    changes: list[tuple[float, float]] = field(default_factory=list)


class Process:
    """One place at the site, filled by a process of one release after the other."""

    def __init__(self, command: list[str], environment: dict[str, str], port: int = 0) -> None:
        self.command = [*command, "--port", str(port)] if port else command
        self.environment = environment
        self.port = port

    def start(self, release: Path) -> None:
        """Start it in the folder of a release; a web process answers when this returns."""
        command = [sys.executable, "manage.py", *self.command]
        self.process = subprocess.Popen(command, cwd=release, env=self.environment)
        deadline = time.monotonic() + PATIENCE
        while self.port and not self.is_up():
            assert time.monotonic() < deadline, f"{self.command} does not answer"
            threading.Event().wait(0.1)

    def is_up(self) -> bool:
        """Return whether the web process says that it is well."""
        try:
            return status_of(self.port, "/healthz?only=static") == 200
        except (OSError, HTTPException):
            return False

    def end(self) -> float:
        """Ask it to end; return the seconds that it takes. Raises: subprocess.TimeoutExpired."""
        began = time.monotonic()
        self.process.terminate()
        try:
            self.process.wait(SECONDS_TO_END)
        finally:
            self.process.kill()
            self.process.wait()
        return time.monotonic() - began


class Look(threading.Thread):
    """A visitor who asks for page after page, and for every stylesheet and script that the page names."""

    def __init__(self, site: str, report: Report) -> None:
        super().__init__(daemon=True)
        self.site, self.report = site, report
        self.is_over = threading.Event()

    def run(self) -> None:
        """Look until it is over."""
        while not self.is_over.is_set():
            for path in PAGES:
                self.look(path)

    def look(self, path: str) -> None:
        """Ask for one page with all its parts, and note what does not come."""
        self.report.pages += 1
        try:
            with urlopen(self.site + path, timeout=PATIENCE) as answer:
                parts = findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', answer.read().decode())
            for part in parts:
                with urlopen(self.site + part, timeout=PATIENCE) as answer:
                    answer.read()
            if len(parts) < 3:
                self.report.failures.append(f"{path} names only {parts}")
        except (OSError, HTTPException) as error:
            self.report.failures.append(f"{path} or a part of it: {error!r}")


class TimedPlayer(Player):
    """A player of whose requests it is noted how long each took."""

    def __init__(self, site: str, report: Report) -> None:
        super().__init__(site)
        self.report = report

    def get(self, path: str) -> str:
        """Return the page."""
        began = time.monotonic()
        page = super().get(path)
        self.report.waits.append(Wait(time.monotonic() - began, path, began))
        return page

    def post(self, page: str, path: str, **fields: str) -> str:
        """Send the form of a page and return the address it led to."""
        began = time.monotonic()
        address = super().post(page, path, **fields)
        self.report.waits.append(Wait(time.monotonic() - began, f"POST {path}", began))
        return address


class Play(threading.Thread):
    """A guest who plays against bots, move after move, and then another one."""

    def __init__(self, site: str, report: Report) -> None:
        super().__init__(daemon=True)
        self.site, self.report, self.games = site, report, 0
        self.sit_down()
        self.is_over = threading.Event()

    def sit_down(self) -> None:
        """Begin a game, as another guest where this one has opened many tables."""
        if self.games % GAMES_A_GUEST == 0:
            self.player = TimedPlayer(self.site, self.report)
        self.games += 1
        self.player.sit_down()

    def run(self) -> None:
        """Play until it is over, the beginnings of games."""
        while not self.is_over.is_set():
            try:
                if "data-my-turn" in self.player.get(self.player.game):
                    self.player.place_something()
                    self.report.moves += 1
                    if self.report.moves % MOVES_A_GAME == 0:
                        self.sit_down()
            except (OSError, HTTPException, AssertionError) as error:
                self.report.failures.append(f"a move: {error!r}")
                return
            self.is_over.wait(0.2)


def roll(old: Path, new: Path, environment: dict[str, str], quiet: float = 0.0) -> Report:
    """Replace every process of the old release by one of the new, and back again, while people visit and play.

    First they do so for some `quiet` seconds.
    """
    report = Report()
    manage(old, environment, "prepare")
    web = [Process(["web"], environment, free_port()) for _ in range(WEB)]
    others = [Process(["work", "--no-reload"], environment) for _ in range(WORK)]
    others += [Process(["sweep"], environment) for _ in range(SWEEP)]
    for process in [*web, *others]:
        process.start(old)
    try:
        with (
            Balancer([each.port for each in web]) as balancer,
            Traffic(balancer.port, paths=PATHS + LARGE if quiet else PATHS) as traffic,
            visitors(f"http://127.0.0.1:{balancer.port}", report),
        ):
            threading.Event().wait(quiet)
            for kept in (traffic.waits, report.waits):
                report.before += kept
                kept.clear()
            for release in (new, old):
                began = time.monotonic()
                manage(release, environment, "prepare")
                report.changes.append((began, time.monotonic()))
                # Workers first: the new ones know every job that the old web processes ask for.
                for process in [*others, *web]:
                    report.slowest_end = max(report.slowest_end, process.end())
                    process.start(release)
        report.requests = traffic.answered
        report.failures += traffic.failures
        report.waits += traffic.waits
    finally:
        for process in [*web, *others]:
            process.process.kill()
            process.process.wait()
    return report


@contextmanager
def visitors(site: str, report: Report) -> Iterator[None]:
    """Let visitors look and play meanwhile."""
    threads: list[Look | Play] = [Look(site, report), Play(site, report)]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.is_over.set()
        thread.join(PATIENCE)


def manage(release: Path, environment: dict[str, str], command: str) -> None:
    """Run a management command of a release."""
    subprocess.run([sys.executable, "manage.py", command], cwd=release, env=environment, check=True, timeout=900)


def check_out(commit: str, folder: Path) -> Path:
    """Return the folder, filled with the files of a commit, or of the working tree if that is empty."""
    folder.mkdir()
    if commit:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True, timeout=60)
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True, timeout=60)
        return folder
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
    for name in names.strip("\0").split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def change(release: Path, *, has_index: bool = False) -> Path:
    """Return the release with one column more, another stylesheet and, if it is to have one, an index of all seats."""
    migrations = release / "games" / "migrations"
    last = max(path.stem for path in migrations.glob("[0-9]*.py"))
    (migrations / "9999_rolling.py").write_text(MIGRATION.format(last=last))
    if has_index:
        (migrations / "9999_rolling_seats.py").write_text(INDEX)
    with (release / "static" / "site" / "base.css").open("a") as styles:
        styles.write("\n.rolling {\n  color: inherit;\n}\n")
    return release


def surroundings(var: Path) -> dict[str, str]:
    """Return the environment of the site, with an empty database of its own."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
        "DATABASE_URL": fresh_postgresql(os.environ["DATABASE_URL"]),
        "REDIS_URL": f"{os.environ['REDIS_URL'].rstrip('/')}/8",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "VAR_DIR": str(var),
        # Two releases would compile their engines twice, which is not what is looked at.
        "BOTS_COMPILED": "0",
    }


def fill(release: Path, environment: dict[str, str], games: int) -> None:
    """Fill the database with so many games, of which it has none."""
    command = [sys.executable, "-m", "benchmarks.growth.fill", "--games", str(games)]
    subprocess.run([*command, "--database", environment["DATABASE_URL"]], cwd=release, env=environment, check=True)


def figures(when: str, taken: list[Wait]) -> list[str]:
    """Return lines that say how long requests took, and which of them took long; none without any."""
    if not taken:
        return []
    slowest = sorted(taken, reverse=True)
    slow = [f"    {wait.path} {wait.seconds:.2f} s" for wait in slowest if wait.seconds > LONGEST]
    most = f"p95 {slowest[len(slowest) // 20].seconds:.2f} s, longest {slowest[0].seconds:.2f} s"
    return [f"{when}: {len(taken)} requests, {most}, {len(slow)} over {LONGEST:g} s", *slow[:10]]


def cost(report: Report, seconds: float) -> list[str]:
    """Return lines that say what a release cost that was played in so many seconds."""
    return [
        f"{report.requests} requests, {report.pages} pages with their parts and {report.moves} moves "
        f"in {seconds:.0f} s; the slowest process ended in {report.slowest_end:.1f} s; "
        f"{len(report.failures)} failures",
        *report.failures[:20],
        *figures("before the release", report.before),
        *figures("while the tables changed", [wait for wait in report.waits if is_within(wait, report.changes)]),
        *figures("while processes took turns", [wait for wait in report.waits if not is_within(wait, report.changes)]),
        *figures("in all of the release", report.waits)[:1],
    ]


def is_within(wait: Wait, spans: list[tuple[float, float]]) -> bool:
    """Return whether an answer was waited for in one of these spans of time."""
    return any(wait.since < end and wait.since + wait.seconds > begin for begin, end in spans)


def aims_of(report: Report) -> dict[str, bool]:
    """Return what the release of a large site is to come to (D17), and whether it does."""
    return {
        "nobody is left without an answer, a style or a move": not report.failures,
        f"no request takes more than {LONGEST:g} s": all(wait.seconds <= LONGEST for wait in report.waits),
    }


def main() -> None:
    """Play the release, and say what it cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", nargs="?", default="", help="a commit (default: the working tree)")
    parser.add_argument("new", nargs="?", default="", help="a commit (default: the working tree)")
    parser.add_argument("--games", type=int, default=0, help="that there are before, at least 450")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rolling-") as name:
        folder = Path(name)
        old = check_out(options.old, folder / "old")
        new = change(check_out(options.new, folder / "new"), has_index=options.games > 0)
        environment = surroundings(folder / "var")
        if options.games:
            fill(old, environment, options.games)
        began = time.monotonic()
        report = roll(old, new, environment, QUIET if options.games else 0.0)
    print(*cost(report, time.monotonic() - began), sep="\n")  # noqa: T201
    if options.games:
        judge(aims_of(report))
    sys.exit(bool(report.failures))


if __name__ == "__main__":
    main()
