"""A bot that fails, cheats or dreams still moves: a greedy placement, and a line in the log."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest

from games.bots import limit, turns, warm
from games.bots.engines import weights
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.protocol import Answer, Engine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.queries.tables.turns import BotTurn
from games.roster.entries import BOTS, Bot
from games.rules import Placement, Position


class Raising:
    def think(self, position: Position, *, seed: int, number: int) -> Any:
        raise ZeroDivisionError


class Cheating:
    def think(self, position: Position, *, seed: int, number: int) -> Any:
        return Answer(Placement.parse("I1:b2", "blockyou-4"))


class Dreaming:
    """Thinks for ever, and shrugs off whatever it can."""

    def think(self, position: Position, *, seed: int, number: int) -> Any:
        end = time.process_time() + 20
        while time.process_time() < end:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001  (what an engine that will not be stopped does)
                continue


def turn_of(engine: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch) -> BotTurn:
    monkeypatch.setattr(turns, "make_engine", lambda _bot: engine())
    monkeypatch.setattr(turns, "offered_bots", lambda: {"strange": Bot("strange", "")})
    return BotTurn("slug", 1, 0, "strange", 5, Position.start("blockyou-4"))


@pytest.mark.parametrize("engine", [Raising, Cheating, Dreaming])
def test_a_failing_engine_is_replaced_by_the_greedy_one(
    engine: Callable[[], Engine], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turn = turn_of(engine, monkeypatch)
    began = time.process_time()
    choice = turns.choose(turn, 1, seconds=0.2)
    assert time.process_time() - began < 1.2
    greedy = GreedyEngine().think(turn.position, seed=turn.seed, number=1)
    assert choice.placement == greedy.placement
    assert choice.thinking.engine == "fallback"
    assert "Bot strange" in caplog.text


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"policies": {}}', '{"policies": {"duo": [[1.0], "x", null]}}'])
def test_a_damaged_file_of_weights_is_named_at_the_start_and_greedy_placements_are_played(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "weights.json"
    file.write_text(damage)
    monkeypatch.setattr(weights, "FILE", file)
    weights.read_weights.cache_clear()
    try:
        warm.warm_up_engines()
        assert f"{file} is damaged" in caplog.text
        turn = BotTurn("slug", 1, 0, "sage-5", 5, Position.start("duo"))
        greedy = GreedyEngine().think(turn.position, seed=turn.seed, number=1)
        assert turns.choose(turn, 1).placement == greedy.placement
    finally:
        weights.read_weights.cache_clear()


def test_ten_seconds_are_a_quick_bots_and_thirty_a_slow_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[int, set[float]] = {}
    for bot in BOTS.values():
        if bot.level is None:
            continue
        limits = given.setdefault(bot.level, set())
        monkeypatch.setattr(turns, "time_limit", partial(over_at_once, limits))
        turns.choose(BotTurn("slug", 1, 0, bot.name, 5, Position.start("junior")), 1)
    assert given == {level: {10.0} if level < 7 else {30.0} for level in range(10)}


def over_at_once(limits: set[float], seconds: float) -> NoReturn:
    """Note a limit, and let nobody think at all."""
    limits.add(seconds)
    raise OutOfThinkingTime


def test_a_bot_that_no_longer_exists_is_replaced(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    turn = BotTurn("slug", 1, 0, "retired-engine", 5, Position.start("blockyou-4"))
    turn.position.check(turns.choose(turn, 1).placement)
    assert "no bot retired-engine" in caplog.text


def test_outside_the_main_thread_there_is_no_limit() -> None:
    chosen: list[Answer] = []

    def think() -> None:
        with time_limit(0.001):
            chosen.append(GreedyEngine().think(Position.start("blockyou-4"), seed=1, number=1))

    thread = threading.Thread(target=think)
    thread.start()
    thread.join()
    assert len(chosen) == 1


def burn(seconds: float) -> None:
    """Use that much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_the_limit_ends_with_its_block() -> None:
    with pytest.raises(OutOfThinkingTime), time_limit(0.05):
        Dreaming().think(Position.start("blockyou-4"), seed=1, number=1)
    with time_limit(0.05):
        pass
    burn(0.1)


class Timers:
    """The system's timers, which go off when the test says so."""

    def __init__(self) -> None:
        self.left: dict[int, float] = {}

    def set(self, timer: int, seconds: float) -> None:
        self.left[timer] = seconds

    def go_on(self, *, cpu: float, real: float) -> None:
        """Let time pass, of which this process has had so much; ring where a time is over."""
        signals = {signal.ITIMER_PROF: (cpu, signal.SIGPROF), signal.ITIMER_REAL: (real, signal.SIGALRM)}
        for timer, (seconds, number) in signals.items():
            is_over = 0 < self.left[timer] <= seconds
            self.left[timer] = 0 if is_over else self.left[timer] - seconds
            if is_over:
                handler = signal.getsignal(number)
                assert callable(handler)
                handler(number, None)


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    timers = Timers()
    monkeypatch.setattr("games.bots.limit.signal.setitimer", timers.set)
    return timers


def think(timers: Timers, steps: list[float], *, cpu: float, real: float) -> NoReturn:
    """Think for ever, in steps that take so many seconds; note each."""
    while True:
        steps.append(real)
        timers.go_on(cpu=cpu, real=real)


def test_a_think_on_a_busy_machine_is_not_ended_for_waiting(timers: Timers) -> None:
    with time_limit(10):
        for _ in range(28):
            timers.go_on(cpu=0.35, real=10)
    assert not any(timers.left.values())


def test_a_think_that_has_used_its_cpu_time_is_ended_however_little_time_that_took(timers: Timers) -> None:
    steps: list[float] = []
    with pytest.raises(OutOfThinkingTime), time_limit(10):
        think(timers, steps, cpu=2.0, real=0.1)
    assert len(steps) == 5
    assert not any(timers.left.values())


def test_a_think_that_waits_for_what_never_comes_is_ended_after_minutes(timers: Timers) -> None:
    steps: list[float] = []
    with pytest.raises(OutOfThinkingTime), time_limit(10):
        think(timers, steps, cpu=0.0, real=10.0)
    assert sum(steps) == limit.HANGING_SECONDS


STUCK = """
import signal
from games.bots.limit import Process, time_limit
Process.is_expendable = True
def shrug(*_):
    pass
with time_limit(0.05):
    signal.signal(signal.SIGPROF, shrug)  # as compiled code does, which does not return
    while True:
        pass
"""


def test_code_that_does_not_return_ends_its_process_and_says_where_it_was() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGVTALRM
    assert 'File "<string>", line ' in done.stderr


def test_a_bell_at_the_very_end_of_a_think_ends_no_worker_later(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = []
    monkeypatch.setattr(limit.Process, "is_expendable", True)
    monkeypatch.setattr(limit, "_watch", lambda _seconds: watched.append("watched"))
    monkeypatch.setattr(limit, "_stop_watching", lambda: watched.append("let go"))
    before = [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)]
    with pytest.raises(OutOfThinkingTime), time_limit(5):
        timers.go_on(cpu=5, real=5)
    assert watched == ["watched", "let go"]
    assert [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)] == before
