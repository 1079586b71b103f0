"""D1 to D4: workers die at every step, jobs come twice, engines hang, and jobs fail again and again. Games go on.

`BLOCKYOU_BOT_GAMES` (500 in full) and `BLOCKYOU_BOT_JOBS` (1,000) make the trials longer.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.models import User
from games.jobs import enqueue
from games.models import Game, Player, Status, Thought
from games.table import seats
from games.tasks import notify_of_turn, play_bot_turn
from tests.browser.site import descendants, wait_until_gone
from tests.games.tables import ME, bot, open_table, running
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.workers import (
    count_lost,
    forget_jobs,
    jobs,
    longest_wait_of_jobs,
    make_due,
    manage,
    surroundings,
    wait_until,
)
from tests.reliability.audit import report
from tests.reliability.doomed import STEPS

GAMES = int(os.environ.get("BLOCKYOU_BOT_GAMES", "20"))
JOBS = int(os.environ.get("BLOCKYOU_BOT_JOBS", "80"))
PATIENCE = 120.0 + GAMES
#: The requirement: so long after a worker's death at most its turn is played.
RETRIED = timedelta(seconds=60)
ROOT = Path(__file__).resolve().parents[2]
SMALL = "codingame-2:10:42"
STRANGE = ",".join(
    f"{name.lower()}=tests.reliability.strange:{name}" for name in ("Raising", "Cheating", "Dreaming", "Sealed")
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture(autouse=True)
def no_limit_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few people have as many games as the trials in full take."""
    monkeypatch.setattr(seats, "MAX_GAMES", GAMES + JOBS)


@contextmanager
def workers(**doom: str) -> Iterator[int]:
    """Let workers and the sweep run meanwhile; yield the process id of the workers' pool."""
    command = [sys.executable, "-m", "tests.reliability.doomed"]
    pool = subprocess.Popen(command, cwd=ROOT, env={**surroundings(), "EXTRA_BOTS": STRANGE, **doom})
    sweep = manage("sweep", "--every=0.5")
    try:
        yield pool.pid
    finally:
        for process in (pool, sweep):
            process.terminate()
        for process in (pool, sweep):
            process.wait(30)


def bot_game(alice: User, seed: int, *kinds: str) -> Game:
    """Return a game of two bots on a small board, the kinds of bots whatever they may be."""
    game = open_table(alice, bot("random", seed), bot("random", seed + 1), variant=SMALL, now=timezone.now())
    for seat, kind in enumerate(kinds):
        Player.objects.filter(game=game, seat=seat).update(bot=kind)
    return game


def are_over(games: list[Game]) -> Callable[[], bool]:
    return lambda: Game.objects.filter(pk__in=[game.pk for game in games], status=Status.FINISHED).count() == len(games)


def check(game: Game) -> None:
    """One move a turn, by its own key, and the stored game is what its moves say."""
    assert report(Game.objects.get(pk=game.pk))["faults"] == []
    chosen = game.moves.filter(is_automatic=False)
    assert [move.client_key for move in chosen] == [f"bot-turn-{move.number}" for move in chosen]
    assert Thought.objects.filter(move__game=game).count() == chosen.filter(kind="place").count()


def longest_wait(game: Game) -> timedelta:
    moments = [game.created_at, *game.moves.values_list("played_at", flat=True)]
    return max(after - before for before, after in pairwise(moments))


@pytest.mark.parametrize("step", STEPS)
def test_workers_that_die_at_a_step_leave_one_move_a_turn_and_no_game_stuck(
    alice: User, step: str, record_property: Callable[[str, object], None]
) -> None:
    games = [bot_game(alice, seed) for seed in range(max(1, GAMES // len(STEPS)))]
    with workers(DOOM_STEP=step):
        wait_until(are_over(games), PATIENCE)
    for game in games:
        check(game)
    lost = count_lost()
    longest = max(longest_wait(Game.objects.get(pk=game.pk)) for game in games)
    record_property("lost", lost)
    record_property("longest wait", longest.total_seconds())
    print(f"{step}: {len(games)} games, {lost} workers lost, longest wait {longest.total_seconds():.1f} s")  # noqa: T201
    assert lost
    assert longest <= RETRIED


def test_four_workers_with_every_job_twice_have_one_effect_each(
    alice: User, bob: User, carol: User, tmp_path: Path
) -> None:
    User.objects.filter(pk=carol.pk).update(wants_turn_emails=False)
    tables = [open_table(carol, bot("random", seed), ME, now=timezone.now()) for seed in range(JOBS // 4)]
    duels = [running(alice, bob, now=timezone.now()) for _ in range(JOBS // 4)]
    for game in tables:
        enqueue(play_bot_turn, game.pk, 1)
    for game in duels:
        enqueue(notify_of_turn, game.players.get(seat=0).pk, 1)
    # Those that were to wait a while are due.
    make_due()
    assert len(jobs()) == 4 * (JOBS // 4)
    with workers(DOOM_WORKERS="4", DOOM_MAILS=str(tmp_path)):
        wait_until(lambda: not jobs("READY") and not jobs("RUNNING"), PATIENCE)
    assert jobs("FAILED") == []
    assert {game.moves.count() for game in tables} == {1}
    # Workers that send in the same second may share a file.
    sent = re.findall(r"^Message-ID: (\S+)", "".join(path.read_text() for path in tmp_path.glob("*.log")), re.MULTILINE)
    assert len(sent) == len({*sent}) == len(duels)
    for game in tables:
        check(game)


def test_a_queue_emptied_at_any_moment_costs_games_time_and_nothing_else(alice: User) -> None:
    games = [bot_game(alice, seed) for seed in range(max(4, GAMES // len(STEPS)))]
    with workers():
        for _ in range(4):
            wait_until(lambda: bool(jobs("SUCCESSFUL")), PATIENCE)
            forget_jobs()
        wait_until(are_over(games), PATIENCE)
    for game in games:
        check(game)
        assert longest_wait(Game.objects.get(pk=game.pk)) <= RETRIED


@pytest.mark.parametrize("kind", ["raising", "cheating", "dreaming"])
def test_games_of_a_failing_engine_go_on_with_legal_placements(alice: User, kind: str) -> None:
    game = bot_game(alice, 5, kind)
    with workers(DOOM_LIMIT="0.2"):
        wait_until(are_over([game]), PATIENCE)
    check(game)
    strange = Thought.objects.filter(move__game=game, move__bot=kind)
    assert set(strange.values_list("engine", flat=True)) == {"fallback"}
    assert all(thought.milliseconds <= 1200 for thought in strange)


def test_code_that_never_returns_takes_its_worker_along_and_nobody_else_waits(alice: User) -> None:
    sealed = open_table(alice, bot(), ME, variant=SMALL, now=timezone.now())
    Player.objects.filter(game=sealed, seat=0).update(bot="sealed")
    others = [bot_game(alice, seed) for seed in range(4)]
    with workers(DOOM_LIMIT="0.2"):
        wait_until(are_over(others), PATIENCE)
        wait_until(lambda: sealed.moves.exists(), PATIENCE)
    check(sealed)
    assert Thought.objects.get(move__game=sealed).engine == "fallback"
    # Two of this sweep's time; one more if a worker was quicker to come than the sweep.
    assert count_lost() in (2, 3)
    assert longest_wait_of_jobs() <= timedelta(seconds=30)


def test_workers_that_are_killed_are_replaced_and_end_with_their_pool(alice: User) -> None:
    game = bot_game(alice, 1, "dreaming")
    with workers(DOOM_LIMIT="1000") as pool:
        wait_until(lambda: jobs("RUNNING") == [("play_bot_turn", [game.pk, 1])], PATIENCE)
        first = descendants(pool)
        # Two workers, what thinks for both, and for one of them for long; and the courier.
        assert len(first) == 6
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: ("play_bot_turn", [game.pk, 1]) in jobs("FAILED"), PATIENCE)
        second = descendants(pool)
        assert not {*first} & {*second}
        os.kill(pool, signal.SIGKILL)
        wait_until_gone(second)
